// SPDX-License-Identifier: MIT
#include "marrow/geometry/solids/shapes.h"

namespace marrow::geometry {

Aabb bounds_of(std::span<const Vec3> points) {
  Aabb box;
  for (const Vec3& point : points) include(box, point);
  return box;
}

bool contains(const Aabb& outer, const Aabb& inner) {
  for (int axis = 0; axis < 3; ++axis)
    if (!(outer.min[axis] <= inner.min[axis] && inner.max[axis] <= outer.max[axis])) return false;
  return true;
}

}  // namespace marrow::geometry
