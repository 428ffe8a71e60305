// SPDX-License-Identifier: MIT
#pragma once

#include <glm/gtc/quaternion.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

namespace marrow {

using Vec3 = glm::vec3;
using Vec4 = glm::vec4;
using Quat = glm::quat;

/// Makes a quaternion from its components in the order used by files and text. GLM's own constructor takes w first.
inline Quat make_quat(float x, float y, float z, float w) { return Quat(w, x, y, z); }

/// Translation, rotation and scale: ten floats in this order, as in files and in the output of `sample`.
/// `parent * child` maps the child's space to the space that the parent is given in. Scale is applied first, then
/// rotation, then translation.
struct Transform {
  Vec3 translation{0.0f};
  Quat rotation = make_quat(0, 0, 0, 1);
  Vec3 scale{1.0f};

  bool operator==(const Transform&) const = default;
};
static_assert(sizeof(Transform) == 40, "poses are spans of ten floats per track");

/// Composes two transforms. Non-uniform scale under rotation is applied component by component, as the games do; there
/// is no shear.
Transform operator*(const Transform& parent, const Transform& child);
/// Returns the inverse transform; exact if the scale is uniform and not zero.
Transform inverse(const Transform& transform);
/// Returns the angle between two rotations in degrees, the same for q and -q. Accurate for tiny angles.
float angle_degrees(const Quat& a, const Quat& b);

}  // namespace marrow
