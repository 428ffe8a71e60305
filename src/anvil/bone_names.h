// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string_view>

namespace marrow::anvil {

/// Every bone name that is compiled in.
std::span<const std::string_view> builtin_bone_names();

}  // namespace marrow::anvil
