// SPDX-License-Identifier: MIT
// The one place that knows how the games' space lies in a glTF file.
#pragma once

#include "marrow/gltf/scene.h"

namespace marrow::gltf {

/// Units of the written file in one unit of the game.
inline float scale_of(Units units, float metres_per_unit) {
  switch (units) {
    case Units::Metre: return metres_per_unit;
    case Units::Game: return 1.0f;
    // A person is some 12 units tall, as the other tools of this field have it; one already in metres stays so.
    case Units::Blender: return metres_per_unit < 0.1f ? 0.1f : metres_per_unit;
  }
  return 1.0f;
}

/// What the root node does: game space (Z up) to glTF (Y up). A point x, y, z goes to x, z, -y; for Blender it is
/// turned about the vertical by half a turn first.
inline Transform game_to_file(Units units, float metres_per_unit) {
  constexpr float kHalf = 0.70710678118654752f;
  const Quat turn = units == Units::Blender ? make_quat(0, kHalf, kHalf, 0) : make_quat(-kHalf, 0, 0, kHalf);
  return {Vec3(0.0f), turn, Vec3(scale_of(units, metres_per_unit))};
}

}  // namespace marrow::gltf
