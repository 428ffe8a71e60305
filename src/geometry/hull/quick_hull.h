// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "geometry/hull/polyhedron.h"

namespace marrow::geometry {

/// A convex hull for searches that need thousands of them: triangles only, and points closer to the surface than a
/// tolerance are left out.
struct QuickHull {
  std::vector<std::uint32_t> corners;                   ///< indices of the points that are corners, ascending
  std::vector<std::array<std::uint32_t, 3>> triangles;  ///< of points, counter-clockwise seen from outside
  std::vector<HalfSpace> planes;                        ///< one per triangle
  double volume = 0.0;

  bool is_flat() const { return triangles.empty(); }
};

/// Returns the hull. Points within `tolerance` of one plane, line or place give a flat one: no triangles, and all
/// points as corners. Deterministic.
QuickHull quick_hull(std::span<const DVec3> points, double tolerance);
/// Returns the volume of that hull alone; none if it is flat.
std::optional<double> quick_hull_volume(std::span<const DVec3> points, double tolerance);

}  // namespace marrow::geometry
