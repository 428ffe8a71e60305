// SPDX-License-Identifier: MIT
#pragma once

#include <glm/gtc/quaternion.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

namespace marrow {

using Vec3 = glm::vec3;
using Vec4 = glm::vec4;
using Quat = glm::quat;

/// A quaternion from its components in the order that files and text use. GLM's own constructor takes w first.
inline Quat make_quat(float x, float y, float z, float w) { return Quat(w, x, y, z); }

/// Translation, rotation and scale: ten floats in this order, as `sample` writes them and files hold them.
/// `parent * child` composes: the child's space expressed in the parent's parent. Scale is applied first, then
/// rotation, then translation.
struct Transform {
  Vec3 translation{0.0f};
  Quat rotation = make_quat(0, 0, 0, 1);
  Vec3 scale{1.0f};

  bool operator==(const Transform&) const = default;
};
static_assert(sizeof(Transform) == 40, "poses are spans of ten floats a track");

/// Local to model space. Non-uniform scale under rotation is carried component by component, as the games do; no shear.
Transform operator*(const Transform& parent, const Transform& child);
/// The transform that undoes `transform`; exact where the scale is uniform and not zero.
Transform inverse(const Transform& transform);
/// The angle between two rotations in degrees, the same for q and -q. Accurate for tiny angles.
float angle_degrees(const Quat& a, const Quat& b);

}  // namespace marrow
