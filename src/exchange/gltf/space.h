// SPDX-License-Identifier: MIT
// The only place that knows how the games' space maps to a glTF file.
#pragma once

#include "exchange/gltf/scene.h"

namespace marrow::gltf {

/// The greatest number of a transform that is read or written: products of two still are finite doubles.
inline constexpr double kMostNumber = 1e30;

/// Returns the units of the written file per unit of the game.
inline float scale_of(Units units, float metres_per_unit) {
  switch (units) {
    case Units::Metre: return metres_per_unit;
    case Units::Game: return 1.0f;
    // A person is about 12 units tall, as in other modding tools; a model already in metres keeps its size.
    case Units::Blender: return metres_per_unit < 0.1f ? 0.1f : metres_per_unit;
  }
  return 1.0f;
}

/// Returns the transform of the root node: from game space (Z up) to glTF (Y up). A point x, y, z goes to x, z, -y; for
/// Blender it is first rotated about the vertical by half a turn.
inline Transform game_to_file(Units units, float metres_per_unit) {
  constexpr float kHalf = 0.70710678118654752f;
  const Quat turn = units == Units::Blender ? make_quat(0, kHalf, kHalf, 0) : make_quat(-kHalf, 0, 0, kHalf);
  return {Vec3(0.0f), turn, Vec3(scale_of(units, metres_per_unit))};
}

}  // namespace marrow::gltf
