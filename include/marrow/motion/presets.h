// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string_view>

namespace marrow::motion {

/// A sidecar (docs/modifiers/sidecar.md) that comes with the library, to use as it is or to start from. Its bones are
/// `$bone`.
struct Preset {
  std::string_view name;  ///< `ponytail`
  std::string_view json;
};

/// All of them, by name.
std::span<const Preset> presets();

}  // namespace marrow::motion
