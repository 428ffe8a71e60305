// SPDX-License-Identifier: MIT
/// Patches of behaviours and animation caches, as mods bring them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "behavior/patch.h"
#include "marrow/ops/document/load.h"
#include "ops/table/operation.h"

namespace marrow {

/// What patched behaviours are written as.
enum class PatchedAs : std::uint8_t { Hkx, Xml };
template <>
struct ChoiceWords<PatchedAs> {
  static constexpr std::array<std::string_view, 2> words = {"hkx", "xml"};
};

struct BehaviorPatchOptions {
  std::optional<Game> to = {};  ///< by default the width of the base; 64-bit for XML and files with node ids
  PatchedAs format = PatchedAs::Hkx;
};

/// A file that mods changed.
struct PatchedFile {
  std::string path = {};                   ///< of the base
  std::optional<std::string> output = {};  ///< below the output folder; none if an error kept it from being written
  std::vector<std::string> mods = {};      ///< that change it, in order
  std::size_t nodes = 0, changed = 0, added = 0;  ///< of a cache: projects, entries changed, entries added
};

struct FailedBase {
  std::string path = {};
  Json error = {};
};

struct BehaviorPatchReport {
  std::vector<PatchedFile> files = {};
  behavior::PatchNotes notes = {};
  std::vector<FailedBase> failed = {};
};

/// A file of a tree: `name` may hold `/./`, which ends the folder that was given.
struct TreeFile {
  std::string_view name;
  std::span<const std::byte> bytes;
};

/// Returns the part of a name below the folder that was given: what follows `/./`, else the file name.
std::string_view below_folder(std::string_view name);

void describe(FieldList& fields, BehaviorPatchOptions& options);
void describe(FieldList& fields, PatchedFile& file);
void describe(FieldList& fields, FailedBase& file);
void describe(FieldList& fields, behavior::PatchNote& note);
void describe(FieldList& fields, BehaviorPatchReport& report);

/// Applies mods to behaviours, characters and animation caches, in order: what comes later wins. `mods` are all files
/// of mods or of folders of mods. Gives the files that a mod changes, named by their path below the folder of the base;
/// the same bytes for any number of threads.
Result<BehaviorPatchReport> patch_behaviors(std::span<const TreeFile> bases, std::span<const TreeFile> mods,
                                            const BehaviorPatchOptions& options, Context& context,
                                            std::vector<SavedFile>& files);

struct MakePatchOptions {
  std::string code = {};  ///< of the mod, in marks and names
  std::string name = {}, author = {}, site = {};
};

struct MakePatchReport {
  std::string code = {};
  std::size_t changed = 0;  ///< nodes of the base that the patch edits
  std::size_t added = 0;    ///< nodes of the mod's own
};

void describe(FieldList& fields, MakePatchOptions& options);
void describe(FieldList& fields, MakePatchReport& report);

/// Writes a mod that makes `edited` of `base`: `info.ini` and one file per node.
Result<MakePatchReport> make_behavior_patch(const Document& base, const Document& edited,
                                            const MakePatchOptions& options, Context& context,
                                            std::vector<SavedFile>& files);

}  // namespace marrow
