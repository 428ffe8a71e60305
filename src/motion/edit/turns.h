// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <glm/ext/quaternion_double.hpp>
#include <glm/ext/vector_double3.hpp>
#include <glm/gtc/quaternion.hpp>
#include <numbers>

#include "marrow/model/transform.h"

// Rotations in double precision for edits of motion.

namespace marrow::motion {

using Vec3d = glm::dvec3;
using Quatd = glm::dquat;

inline constexpr double kDegrees = 180.0 / std::numbers::pi;

inline Quatd wide(const Quat& q) { return Quatd(q.w, q.x, q.y, q.z); }
inline Quat narrow(const Quatd& q) {
  const Quatd unit = glm::normalize(q);
  return make_quat(static_cast<float>(unit.x), static_cast<float>(unit.y), static_cast<float>(unit.z),
                   static_cast<float>(unit.w));
}

/// Returns the rotation vector of the shorter way, in radians.
inline Vec3d rotation_vector(Quatd q) {
  if (q.w < 0.0) q = -q;
  const Vec3d v(q.x, q.y, q.z);
  const double length = glm::length(v);
  return length > 1e-12 ? v * (2.0 * std::atan2(length, q.w) / length) : 2.0 * v;
}

inline Quatd rotation_of(const Vec3d& vector) {
  const double angle = glm::length(vector);
  const double factor = angle > 1e-12 ? std::sin(angle / 2) / angle : 0.5;
  return Quatd(std::cos(angle / 2), factor * vector.x, factor * vector.y, factor * vector.z);
}

/// Returns the turn from one rotation to another, in the space of the parent: `turn * from` is `to`.
inline Vec3d turn_between(const Quat& from, const Quat& to) {
  return rotation_vector(wide(to) * glm::conjugate(wide(from)));
}

}  // namespace marrow::motion
