// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "anvil/merge.h"
#include "marrow/ops/document/load.h"
#include "ops/table/describe.h"

namespace marrow {

struct MergeRigOptions {
  std::vector<const Document*> addons = {};
  const Document* main = nullptr;  ///< the skeleton that the others hang on; by default the one that is not an addon
  std::optional<Game> game = {};   ///< whose limit of bones holds
  bool strict = false;             ///< addons may hang on bones of the base only, not on those of other addons
  bool append = false;             ///< bones of the base keep their indices, new ones follow all of them
};

/// One skeleton of a stack and what it brings.
struct StackRow {
  std::string path = {};
  std::string root = {};  ///< the bone it hangs on; empty for the base
  std::size_t bones = 0, matched = 0, added = 0, total = 0;
  std::size_t modifiers_added = 0, modifiers_dropped = 0;
  bool merged = false;
};

/// Where a bone is from.
struct BoneOrigin {
  std::string bone = {};
  std::string from = {};
  std::vector<std::string> modifiers = {};  ///< likewise, one per modifier
};

struct ChangedId {
  std::string path = {};
  std::uint64_t from = 0, to = 0;
};

struct MergeRigReport {
  std::optional<Game> game = {};
  std::size_t limit = 0;  ///< the most bones that the game takes
  std::size_t bones = 0;
  StackRow base = {};
  std::vector<StackRow> addons = {};
  std::vector<BoneOrigin> provenance = {};
  std::vector<ChangedId> id_changes = {};
  Findings findings = {};

  /// True if the stack does not fit.
  bool found() const;
};

void describe(FieldList& fields, MergeRigOptions& options);
void describe(FieldList& fields, StackRow& row);
void describe(FieldList& fields, BoneOrigin& origin);
void describe(FieldList& fields, ChangedId& change);
void describe(FieldList& fields, MergeRigReport& report);

/// A merge, and its skeletons with the main one first.
struct StackMerge {
  std::vector<const Document*> stack;
  anvil::Merge merge;
};

struct StackOptions {
  std::optional<Game> game = {};
  bool strict = false, append = false;
  const Document* main = nullptr;
};

/// Merges Anvil skeletons in any order. Fails with `WrongKind` if one is not an Anvil skeleton.
Result<StackMerge> merge_stack(std::span<const Document* const> documents, const StackOptions& options);

/// Puts addons onto the skeleton of a document as the game does. Fails with the first error of the merge.
Result<MergeRigReport> merge_rig(Document& document, const MergeRigOptions& options, Context& context);
/// Reports what a stack of addons comes to, before the game loads it.
Result<MergeRigReport> plan_rig(const Document& document, const MergeRigOptions& options, Context& context);

struct NewAddonOptions {
  std::string attach = {};                    ///< the bone to hang on
  std::vector<std::string> paths = {};        ///< bones below it that the addon has to reach
  std::optional<std::uint64_t> id_base = {};  ///< where new ids count from; by default they follow from the names
};
struct ExtractAddonOptions {
  const Document* base = nullptr;
  std::optional<std::string> root = {};  ///< the bone to hang on; by default the deepest that reaches everything
  std::optional<std::uint64_t> id_base = {};
};
struct AddonReport {
  std::uint64_t id = 0;
  std::string root = {};
  std::size_t bones = 0;
  std::string next = {};  ///< what the game needs beside the file, in words
};

void describe(FieldList& fields, NewAddonOptions& options);
void describe(FieldList& fields, ExtractAddonOptions& options);
void describe(FieldList& fields, AddonReport& report);

/// Makes a document an addon to its skeleton, with nothing new in it.
Result<AddonReport> new_addon(Document& document, const NewAddonOptions& options, Context& context);
/// Makes a document the addon that holds what its skeleton has more than its base.
Result<AddonReport> extract_addon(Document& document, const ExtractAddonOptions& options, Context& context);

/// Returns the Anvil skeleton of a document. Fails with `WrongKind`.
Result<const anvil::Skeleton*> anvil_skeleton(const Document& document);

}  // namespace marrow
