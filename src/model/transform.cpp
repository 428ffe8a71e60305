// SPDX-License-Identifier: MIT
#include "marrow/model/transform.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace marrow {

Transform operator*(const Transform& parent, const Transform& child) {
  return {parent.translation + parent.rotation * (parent.scale * child.translation), parent.rotation * child.rotation,
          parent.scale * child.scale};
}

Transform inverse(const Transform& transform) {
  const Quat rotation = glm::conjugate(transform.rotation);
  const Vec3 scale = Vec3(1.0f) / transform.scale;
  return {scale * (rotation * -transform.translation), rotation, scale};
}

float angle_degrees(const Quat& a, const Quat& b) {
  // The chord to the nearer of b and -b keeps its precision where acos of the dot product has none.
  const Quat na = glm::normalize(a), nb = glm::normalize(b);
  const auto chord = [&](const Quat& c) {
    const double x = double(na.x) - c.x, y = double(na.y) - c.y, z = double(na.z) - c.z, w = double(na.w) - c.w;
    return std::sqrt(x * x + y * y + z * z + w * w);
  };
  const double d = std::min(chord(nb), chord(-nb));
  return static_cast<float>(4.0 * std::asin(std::min(1.0, d / 2)) * 180.0 / std::numbers::pi);
}

}  // namespace marrow
