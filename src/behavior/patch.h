// SPDX-License-Identifier: MIT
/// Patches of behaviour files in Nemesis' form: nodes as XML with the edits marked by comments
/// (docs/formats/behaviour-patches.md).
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "havok/packfile/packfile.h"
#include "marrow/core/bounded_list.h"
#include "marrow/core/error.h"
#include "marrow/core/finding.h"
#include "marrow/core/limits.h"

namespace marrow::behavior {

/// A text file of a mod.
struct PatchFile {
  std::string_view name;  ///< below the folder that it is a patch of: `#0057.txt`, `GiantProject~1/tkuc$0.txt`
  std::string_view text;
};

/// What one mod changes of one file, or of one cache.
struct Patch {
  std::string mod;  ///< its code, for messages
  std::vector<PatchFile> files;
};

/// Something that happened while patches were merged.
struct PatchNote {
  std::string code;  ///< `PATCH_CONFLICT`
  Level level = Level::Info;
  std::string mod = {};
  std::string file = {};   ///< that the patches are of
  std::string where = {};  ///< node and path inside it
  std::string message = {};

  bool operator==(const PatchNote&) const = default;
};
std::string kind_of(const PatchNote& note);
std::size_t text_size_of(const PatchNote& note);
PatchNote shortened(const PatchNote& note);
PatchNote remark_on(const PatchNote& note, std::size_t count);
using PatchNotes = BoundedList<PatchNote>;

/// What a merge did.
struct MergeReport {
  std::size_t nodes = 0;    ///< of the merged file; of a cache: projects
  std::size_t changed = 0;  ///< nodes of the game that now differ; of a cache: entries
  std::size_t added = 0;    ///< nodes of mods; of a cache: entries
  bool is_broken = false;   ///< an error was noted, so that the result must not be written
  PatchNotes notes = {};
  std::string file = {};  ///< that notes are about

  void note(PatchNote note) {
    is_broken |= note.level == Level::Error;
    note.file = file;
    notes.push_back(std::move(note));
  }
};

/// Merges the patches of mods into a file; what comes later wins. The result has the names of the base, and own nodes
/// of mods after them. Safe on untrusted patches: what cannot be applied is noted. The result must not be used if an
/// error was noted.
havok::Packfile merge_patches(const havok::Packfile& base, std::span<const Patch> mods, MergeReport& report,
                              const Limits& limits = {});

/// Takes out the nodes that the root does not reach, as a packfile has no place for them, and notes each.
void drop_unreached(havok::Packfile& file, MergeReport& report);

/// Puts the objects in the order in which the modders' converter lists those of a plain packfile, and names them. Files
/// whose nodes have names stay as they are.
void name_nodes(havok::Packfile& file);

/// A text file that `make_patch` gives.
struct PatchText {
  std::string name;  ///< `#0057.txt`
  std::string text;
};

/// Writes a patch that makes `edited` of `base`. Nodes are paired by name and class; the others become nodes of the
/// mod. Fails with `InvalidArgument` if the nodes of `edited` are not named and do not pair.
Result<std::vector<PatchText>> make_patch(const havok::Packfile& base, const havok::Packfile& edited,
                                          std::string_view code);

}  // namespace marrow::behavior
