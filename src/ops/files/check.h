// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "marrow/core/finding.h"
#include "marrow/ops/document/load.h"
#include "ops/table/describe.h"

namespace marrow {

struct CheckOptions {
  std::optional<Game> game = {};              ///< whose rules; by default what the file is for
  const Document* base = nullptr;             ///< the skeleton that an Anvil addon hangs on
  const Document* skeleton = nullptr;         ///< the skeleton that a clip or mesh is for
  const Document* second_skeleton = nullptr;  ///< of the second actor of a paired clip; by default the first's
  std::vector<const Document*> beside = {};   ///< Anvil skeletons, or files of its project, that the game loads with it
  std::vector<std::string> data = {};         ///< data folders; with one, textures of bodies must be there
};

struct CheckReport {
  Findings findings = {};

  /// True if there is an error or a warning.
  bool found() const;
};

/// A check with the cure: what is left to be found in the fixed file.
struct FixReport {
  Findings findings = {};
  Findings left = {};

  bool found() const;
};

void describe(FieldList& fields, CheckOptions& options);
void describe(FieldList& fields, CheckReport& report);
void describe(FieldList& fields, FixReport& report);

/// Reports what is wrong with a document as it would be saved. Some rules ask what lies around its file
/// (`Context::lookup`). What reading found wrong is part of the report until the document is changed.
Result<CheckReport> check(const Document& document, const CheckOptions& options, Context& context);

/// Reports what is wrong with a file of any format. A file that is broken is a finding too; fails only on formats
/// that are not supported and on empty files.
Result<CheckReport> check(std::span<const std::byte> bytes, const std::string& name, const CheckOptions& options,
                          Context& context);

/// A file to be checked: a document, or what is wrong with a file that cannot be read.
struct CheckedFile {
  std::optional<Document> document = {};
  Findings findings = {};
  Error error = {};  ///< why there is no document
};
Result<CheckedFile> load_to_check(std::span<const std::byte> bytes, const std::string& name, Context& context);

/// Returns a document with whatever has only one correct repair repaired. Written anew by the rules, it also loses what
/// breaks a rule of its container: odd strings, alignment, counts, indices.
Result<Document> fixed(const Document& document, const CheckOptions& options, Context& context);

/// Returns the Anvil skeletons among files that are checked together, read by `Context::lookup`, for `Context::rigs`.
/// Files that cannot be read are left out: they have findings of their own. Null if there are fewer than two.
std::shared_ptr<const anvil::RigSet> rigs_among(std::span<const std::string> names, std::optional<Game> game,
                                                Context& context);

/// Returns a read error as a finding, its code made from the error's (`E_TRUNCATED`).
Finding finding_of(const Error& error);

}  // namespace marrow
