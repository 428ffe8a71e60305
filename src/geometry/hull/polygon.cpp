// SPDX-License-Identifier: MIT
#include "geometry/hull/polygon.h"

#include <algorithm>

#include "geometry/hull/polyhedron.h"

namespace marrow::geometry {

namespace {

/// Polygons with more corners are cut as fans: ears take quadratic time.
constexpr std::size_t kMostCornersForEars = 1024;

class EarCutter {
 public:
  EarCutter(std::span<const Vec3> vertices, std::span<const std::uint32_t> corners) {
    for (std::uint32_t corner : corners) {
      points_.emplace_back(vertices[corner]);
      left_.push_back(corner);
    }
    normal_ = newell_normal(points_);
  }

  bool is_convex() const {
    for (std::size_t i = 0; i < points_.size(); ++i)
      if (turn(i) < 0.0) return false;
    return true;
  }

  void run(std::vector<std::array<std::uint32_t, 3>>& triangles) {
    while (left_.size() > 3) {
      std::size_t ear = 0;
      while (ear < left_.size() && !is_ear(ear)) ++ear;
      if (ear == left_.size()) ear = 0;  // the outline crosses itself: any corner will do
      triangles.push_back({left_[before(ear)], left_[ear], left_[after(ear)]});
      left_.erase(left_.begin() + static_cast<std::ptrdiff_t>(ear));
      points_.erase(points_.begin() + static_cast<std::ptrdiff_t>(ear));
    }
    triangles.push_back({left_[0], left_[1], left_[2]});
  }

 private:
  std::size_t before(std::size_t i) const { return i == 0 ? points_.size() - 1 : i - 1; }
  std::size_t after(std::size_t i) const { return i + 1 == points_.size() ? 0 : i + 1; }

  double side(const DVec3& a, const DVec3& b, const DVec3& c) const {
    return glm::dot(normal_, glm::cross(b - a, c - a));
  }
  /// Above zero where the outline turns to the inside.
  double turn(std::size_t i) const { return side(points_[before(i)], points_[i], points_[after(i)]); }

  bool is_ear(std::size_t i) const {
    if (turn(i) <= 0.0) return false;
    const DVec3& a = points_[before(i)];
    const DVec3& b = points_[i];
    const DVec3& c = points_[after(i)];
    for (const DVec3& point : points_) {
      if (point == a || point == b || point == c) continue;
      if (side(a, b, point) >= 0.0 && side(b, c, point) >= 0.0 && side(c, a, point) >= 0.0) return false;
    }
    return true;
  }

  std::vector<DVec3> points_;
  std::vector<std::uint32_t> left_;
  DVec3 normal_;
};

}  // namespace

void triangulate(std::span<const Vec3> vertices, std::span<const std::uint32_t> corners,
                 std::vector<std::array<std::uint32_t, 3>>& triangles) {
  if (corners.size() > 3 && corners.size() <= kMostCornersForEars) {
    EarCutter cutter(vertices, corners);
    if (!cutter.is_convex()) return cutter.run(triangles);
  }
  for (std::size_t i = 2; i < corners.size(); ++i) triangles.push_back({corners[0], corners[i - 1], corners[i]});
}

}  // namespace marrow::geometry
