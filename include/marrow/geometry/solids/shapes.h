// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <glm/gtc/quaternion.hpp>
#include <glm/vec3.hpp>
#include <limits>
#include <span>
#include <vector>

/// Solids and surfaces as plain numbers. Lengths are whatever unit the caller uses; defaults that are lengths are in
/// Havok units (1 = 69.99125 game units) and say so.
namespace marrow::geometry {

using Vec3 = glm::vec3;
using Quat = glm::quat;

/// The largest coordinate that shapes are built from: beyond it moments of inertia leave the range of a float.
inline constexpr float kMaxCoordinate = 1e7f;
/// Points that are all nearer to each other than this are one point.
inline constexpr float kMinSize = 1e-6f;

/// A box along the axes. The default is empty: including a point makes it that point.
struct Aabb {
  Vec3 min{std::numeric_limits<float>::max()};
  Vec3 max{std::numeric_limits<float>::lowest()};

  bool empty() const { return !(min.x <= max.x && min.y <= max.y && min.z <= max.z); }
  bool operator==(const Aabb&) const = default;
};

/// Grows `box` to hold a point, or another box. Inline: trees of boxes spend much of their time here.
inline void include(Aabb& box, const Vec3& point) {
  for (int axis = 0; axis < 3; ++axis) {
    box.min[axis] = std::min(box.min[axis], point[axis]);
    box.max[axis] = std::max(box.max[axis], point[axis]);
  }
}
inline void include(Aabb& box, const Aabb& other) {
  for (int axis = 0; axis < 3; ++axis) {
    box.min[axis] = std::min(box.min[axis], other.min[axis]);
    box.max[axis] = std::max(box.max[axis], other.max[axis]);
  }
}
Aabb bounds_of(std::span<const Vec3> points);
/// Returns xy + yz + zx of the extents: half the surface, the cost that bounding trees are built by. 0 if empty.
inline float half_area(const Aabb& box) {
  if (box.empty()) return 0.0f;
  const Vec3 extent = box.max - box.min;
  return extent.x * extent.y + extent.y * extent.z + extent.z * extent.x;
}
/// True if `inner` lies inside `outer`, with no tolerance.
bool contains(const Aabb& outer, const Aabb& inner);

/// The plane of points x with dot(normal, x) + offset = 0; the normal points out of the solid.
struct Plane {
  Vec3 normal{0.0f};
  float offset = 0.0f;

  bool operator==(const Plane&) const = default;
};

/// A box with a place and a turn.
struct Box {
  Vec3 center{0.0f};
  Quat rotation{1.0f, 0.0f, 0.0f, 0.0f};  ///< from the box's axes to the surrounding space (GLM: w first)
  Vec3 half_extents{0.0f};

  bool operator==(const Box&) const = default;
};

struct Sphere {
  Vec3 center{0.0f};
  float radius = 0.0f;

  bool operator==(const Sphere&) const = default;
};

/// All points within `radius` of the segment from `a` to `b`.
struct Capsule {
  Vec3 a{0.0f};
  Vec3 b{0.0f};
  float radius = 0.0f;

  bool operator==(const Capsule&) const = default;
};

/// Indexed triangles, counter-clockwise seen from outside.
struct TriangleMesh {
  std::vector<Vec3> vertices;
  std::vector<std::array<std::uint32_t, 3>> triangles;
  std::vector<std::uint16_t> materials;  ///< one per triangle; empty: all have material 0

  bool operator==(const TriangleMesh&) const = default;
};

}  // namespace marrow::geometry
