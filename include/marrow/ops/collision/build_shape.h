// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace marrow {

/// What a mesh becomes when collision is built from it.
enum class BuildShape : std::uint8_t {
  Hull,
  Mesh,
  Box,
  Sphere,
  Capsule,
  Compound,   ///< objects are children of one body
  Decompose,  ///< several hulls that follow a hollow shape
  Cylinder,
  ByName,  ///< what the name of an object begins or ends with: `Leg_capsule`
};

}  // namespace marrow
