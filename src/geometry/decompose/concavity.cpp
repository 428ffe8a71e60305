// SPDX-License-Identifier: MIT
#include "geometry/decompose/concavity.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace marrow::geometry {

namespace {

/// Places on the surface of a hull that are measured, about.
constexpr double kSurfaceSamples = 160.0;
/// Cells of the grid along the longest side.
constexpr int kCells = 28;
constexpr double kVolumeFactor = 0.3;
constexpr double kFar = 10.0;  ///< beyond everything in a mesh of the size of 1

/// By Newton's steps: the library's own function differs between systems in the last place.
double cube_root(double value) {
  if (!(value > 0.0)) return 0.0;
  int exponent = 0;
  std::frexp(value, &exponent);
  double root = std::ldexp(1.0, exponent / 3);
  for (int i = 0; i < 12; ++i) root -= (root - value / (root * root)) / 3.0;
  return root;
}

}  // namespace

ConcavityMeter::ConcavityMeter(const SurfaceQuery& surface) : surface_(surface) {
  DVec3 low(std::numeric_limits<double>::max());
  DVec3 high(std::numeric_limits<double>::lowest());
  std::vector<DVec3> corners;
  for (const auto& triangle : surface.triangles())
    for (const DVec3& corner : triangle) {
      low = glm::min(low, corner);
      high = glm::max(high, corner);
      corners.push_back(corner);
    }
  const QuickHull around = quick_hull(corners, 1e-3);
  const DVec3 extent = high - low;
  const double cell = std::max({extent.x, extent.y, extent.z}) / kCells;
  const auto count = [&](int axis) { return std::max(1, static_cast<int>(extent[axis] / cell)); };
  for (int z = 0; z < count(2); ++z)
    for (int y = 0; y < count(1); ++y)
      for (int x = 0; x < count(0); ++x) {
        const DVec3 at = low + extent * (DVec3(x, y, z) + 0.5) / DVec3(count(0), count(1), count(2));
        const auto is_beyond = [&](const HalfSpace& plane) { return plane.distance(at) > 0.0; };
        if (std::any_of(around.planes.begin(), around.planes.end(), is_beyond)) continue;
        const double distance = surface.outside(at, kFar);
        if (distance > 0.25 * cell) empty_.push_back({at, distance});
      }
  std::stable_sort(empty_.begin(), empty_.end(),
                   [](const Place& a, const Place& b) { return a.distance > b.distance; });
}

double ConcavityMeter::radius_of(double volume) {
  return kVolumeFactor * cube_root(3.0 * volume / (4.0 * std::numbers::pi));
}

double ConcavityMeter::reach(std::span<const DVec3> points, const QuickHull& hull, double enough) const {
  double farthest = 0.0;
  for (const Place& place : empty_) {
    if (place.distance <= farthest || hull.is_flat()) break;
    const auto is_beyond = [&](const HalfSpace& plane) { return plane.distance(place.at) > 0.0; };
    if (std::none_of(hull.planes.begin(), hull.planes.end(), is_beyond)) farthest = place.distance;
  }
  if (farthest > enough) return farthest;
  double area = 0.0;
  const auto area_of = [&](const std::array<std::uint32_t, 3>& t) {
    return glm::length(glm::cross(points[t[1]] - points[t[0]], points[t[2]] - points[t[0]]));
  };
  for (const auto& triangle : hull.triangles) area += area_of(triangle);
  DVec3 center{0.0};
  for (const DVec3& point : points) center += point / static_cast<double>(points.size());
  const auto measure = [&](const DVec3& at) {
    const double distance = surface_.distance(at, kFar);
    if (distance > farthest && !surface_.is_inside(at)) farthest = distance;
  };
  // On the surface, and on a smaller copy of it inside.
  for (double size : {1.0, 0.6})
    for (const auto& triangle : hull.triangles) {
      const DVec3 a = center + (points[triangle[0]] - center) * size;
      const DVec3 u = (points[triangle[1]] - points[triangle[0]]) * size;
      const DVec3 v = (points[triangle[2]] - points[triangle[0]]) * size;
      // The middles of steps * steps equal triangles.
      const double share = kSurfaceSamples * size * size * area_of(triangle) / area;
      const int steps = std::max(1, static_cast<int>(std::sqrt(share) + 0.999));
      for (int i = 0; i < steps; ++i)
        for (int j = 0; i + j < steps; ++j) {
          measure(a + u * ((i + 1.0 / 3.0) / steps) + v * ((j + 1.0 / 3.0) / steps));
          if (i + j + 1 < steps) measure(a + u * ((i + 2.0 / 3.0) / steps) + v * ((j + 2.0 / 3.0) / steps));
          if (farthest > enough) return farthest;
        }
    }
  return farthest;
}

}  // namespace marrow::geometry
