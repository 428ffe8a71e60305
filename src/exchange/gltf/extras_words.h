// SPDX-License-Identifier: MIT
// The words of the record, shared by its writer and its reader.
#pragma once

#include <array>
#include <string_view>

namespace marrow::gltf {

inline constexpr std::array kKindNames = {"rig", "meshes", "bones"};
inline constexpr std::array kUnitNames = {"metre", "game", "blender"};
inline constexpr std::array kBlendNames = {"normal", "additive", "additive-deprecated"};

inline constexpr std::array kRootMotionNames = {"none", "node", "bake"};

/// True if the text is valid UTF-8.
bool is_utf8(std::string_view text);

}  // namespace marrow::gltf
