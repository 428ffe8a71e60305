// SPDX-License-Identifier: MIT
#include "marrow/geometry/shapes.h"

#include <algorithm>

namespace marrow::geometry {

void include(Aabb& box, const Vec3& point) {
  for (int axis = 0; axis < 3; ++axis) {
    box.min[axis] = std::min(box.min[axis], point[axis]);
    box.max[axis] = std::max(box.max[axis], point[axis]);
  }
}

void include(Aabb& box, const Aabb& other) {
  for (int axis = 0; axis < 3; ++axis) {
    box.min[axis] = std::min(box.min[axis], other.min[axis]);
    box.max[axis] = std::max(box.max[axis], other.max[axis]);
  }
}

Aabb bounds_of(std::span<const Vec3> points) {
  Aabb box;
  for (const Vec3& point : points) include(box, point);
  return box;
}

float half_area(const Aabb& box) {
  if (box.empty()) return 0.0f;
  const Vec3 extent = box.max - box.min;
  return extent.x * extent.y + extent.y * extent.z + extent.z * extent.x;
}

bool contains(const Aabb& outer, const Aabb& inner) {
  for (int axis = 0; axis < 3; ++axis)
    if (!(outer.min[axis] <= inner.min[axis] && inner.max[axis] <= outer.max[axis])) return false;
  return true;
}

}  // namespace marrow::geometry
