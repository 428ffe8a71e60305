// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "nif/nif_file.h"

namespace marrow {

/// The bones that move one skinned mesh.
struct SkinBones {
  std::int32_t block = kNoBlock;   ///< of the BSSkin::Instance, or in Skyrim NiSkinInstance
  std::vector<std::string> names;  ///< of the nodes, in the order of the skin's weights
};

/// Returns the bones of every skin in the file, by name. Invalid references give an empty name.
Result<std::vector<SkinBones>> read_skins(const NifFile& file);

/// Returns the name of a node; empty if the block is not one.
std::string_view node_name(const NifFile& file, std::int32_t block);

}  // namespace marrow
