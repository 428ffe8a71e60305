// SPDX-License-Identifier: MIT
// The files of mods, by what they are patches of.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "behavior/patch.h"
#include "ops/behavior/patch.h"

namespace marrow {

/// A mod with its patches, by target: `weapequip`, `_1stperson/weapequip`, `animationdatasinglefile`.
struct Mod {
  std::string code;
  std::map<std::string, std::vector<behavior::PatchFile>> targets = {};
};

/// Returns the mods of a list of files. A folder that was given is a mod, or a folder of mods, which are taken in order
/// of name.
std::vector<Mod> mods_among(std::span<const TreeFile> files);

/// Returns what patches of a base are called: its stem in lower case, with `_1stperson/` if it lies below such a
/// folder; of a cache, the name of its folder in mods.
std::string target_of(const TreeFile& base);

/// Returns a path that stays below the folder it is put in: without `..`, drives and empty parts.
std::string safe_path(std::string_view path);

}  // namespace marrow
