// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string_view>

namespace marrow::anvil {

/// Every bone name that is compiled in.
std::span<const std::string_view> builtin_bone_names();

/// True for attachment points, props and their targets: they stay on their side when a character is mirrored.
constexpr bool stays_on_side(std::string_view name) {
  return name.starts_with("A_") || name.starts_with("P_") || name.starts_with("T_");
}

}  // namespace marrow::anvil
