// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string_view>

namespace marrow::motion {

/// A sidecar (docs/modifiers/sidecar.md) that comes with the library, to use directly or as a starting point. Its bones
/// are `$bone`.
struct Preset {
  std::string_view name;  ///< `ponytail`
  std::string_view json;
};

/// Returns all presets, sorted by name.
std::span<const Preset> presets();
/// Returns all sidecars of colliders alone, sorted by name.
std::span<const Preset> collider_presets();

}  // namespace marrow::motion
