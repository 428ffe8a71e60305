// SPDX-License-Identifier: MIT
/// Names of bones in Blender. Its mirroring (X-mirror, paste flipped) needs names that end with `.L` and `.R`, so
/// several add-ons rename the games' bones on import. The rules are rows of a table and work in both directions.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace marrow {

/// Returns the names of a skeleton's bones as Blender's tools expect them, in the same order: `NPC L UpperArm [LUar]`
/// becomes `UpperArm.L`, `LArm_Hand` becomes `Arm_Hand.L`, `NPC Head [Head]` becomes `Head`. A bone is on a side only
/// if the skeleton also has it on the other. Names that would be equal stay as they are.
std::vector<std::string> blender_names(std::span<const std::string> names);

/// Returns for each name the index of the bone in `known` that it stands for, or -1. Exact names win; then a name fits
/// if it differs only in the way that programs write it: with or without `NPC` and the tag in brackets, the side in
/// front, behind, or in the middle, upper or lower case. What fits two bones, or shares a bone with another name, fits
/// none: nothing is guessed.
std::vector<std::int32_t> match_bone_names(std::span<const std::string> names, std::span<const std::string> known);

}  // namespace marrow
