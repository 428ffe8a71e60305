// SPDX-License-Identifier: MIT
#include "geometry/decompose/parts.h"

#include <algorithm>

namespace marrow::geometry {

namespace {

/// Half of what points in one plane are thickened by.
constexpr double kThickness = 1e-3;

void lift(std::vector<DVec3>& points, const DVec3& normal) {
  const std::size_t count = points.size();
  for (std::size_t i = 0; i < count; ++i) {
    points.push_back(points[i] + normal * kThickness);
    points[i] -= normal * kThickness;
  }
}

}  // namespace

Wrap wrap(std::vector<DVec3> points) {
  Wrap result;
  result.hull = quick_hull(points, kHullTolerance);
  if (result.hull.is_flat() && !points.empty()) {
    const Spread spread = spread_of(points);
    if (spread.width > kHullTolerance) {
      lift(points, spread.normal);
      result.hull = quick_hull(points, kHullTolerance);
    }
  }
  std::vector<std::uint32_t> number(points.size());
  result.low = DVec3(std::numeric_limits<double>::max());
  result.high = DVec3(std::numeric_limits<double>::lowest());
  for (std::uint32_t& corner : result.hull.corners) {
    number[corner] = static_cast<std::uint32_t>(result.points.size());
    result.points.push_back(points[corner]);
    result.low = glm::min(result.low, points[corner]);
    result.high = glm::max(result.high, points[corner]);
    corner = number[corner];
  }
  for (auto& triangle : result.hull.triangles)
    for (std::uint32_t& corner : triangle) corner = number[corner];
  return result;
}

Wrap wrap(const Wrap& a, const Wrap& b) {
  std::vector<DVec3> points = a.points;
  points.insert(points.end(), b.points.begin(), b.points.end());
  return wrap(std::move(points));
}

double hull_volume(std::span<const DVec3> points) {
  // Many points are a large part of the mesh, of which the volume need not be known as well.
  const double coarseness = std::clamp(static_cast<double>(points.size()) / 1000.0, 1.0, 5.0);
  if (const auto volume = quick_hull_volume(points, coarseness * kHullTolerance)) return *volume;
  return wrap({points.begin(), points.end()}).volume();
}

bool touch(const Wrap& a, const Wrap& b) {
  constexpr double kGap = 1e-3;
  for (int axis = 0; axis < 3; ++axis)
    if (a.low[axis] > b.high[axis] + kGap || b.low[axis] > a.high[axis] + kGap) return false;
  return true;
}

Part make_part(Solid solid) {
  Part part;
  part.volume = volume_of(solid);
  part.wrap = wrap(solid.points);
  part.solid = std::move(solid);
  return part;
}

double concavity_of(const Part& part, const ConcavityMeter& meter, double enough) {
  return std::max(meter.reach(part.wrap.points, part.wrap.hull, enough), ConcavityMeter::radius_of(part.excess()));
}

double excess_of(std::span<const Part> parts) {
  double sum = 0.0;
  for (const Part& part : parts) sum += part.excess();
  return sum;
}

}  // namespace marrow::geometry
