// SPDX-License-Identifier: MIT
#include "geometry/hull/polyhedron.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace marrow::geometry {

namespace {

/// The part of a convex polygon on the inner side of a half-space (Sutherland and Hodgman).
void clip(std::vector<DVec3>& polygon, const HalfSpace& half_space, std::vector<DVec3>& scratch) {
  scratch.clear();
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const DVec3& from = polygon[i];
    const DVec3& to = polygon[i + 1 == polygon.size() ? 0 : i + 1];
    const double from_distance = half_space.distance(from);
    const double to_distance = half_space.distance(to);
    if (from_distance <= 0.0) scratch.push_back(from);
    if ((from_distance < 0.0 && to_distance > 0.0) || (from_distance > 0.0 && to_distance < 0.0))
      scratch.push_back(from + (to - from) * (from_distance / (from_distance - to_distance)));
  }
  polygon.swap(scratch);
}

/// A square of side 2 * reach on the plane, around the foot of `inside`, counter-clockwise seen from outside.
std::vector<DVec3> large_square(const HalfSpace& plane, const DVec3& inside, double reach) {
  const DVec3 foot = inside - plane.normal * plane.distance(inside);
  const DVec3 helper = std::abs(plane.normal.x) < 0.6 ? DVec3(1, 0, 0) : DVec3(0, 1, 0);
  const DVec3 u = glm::normalize(glm::cross(plane.normal, helper)) * reach;
  const DVec3 v = glm::cross(plane.normal, u);
  return {foot - u - v, foot + u - v, foot + u + v, foot - u + v};
}

bool same_plane(const HalfSpace& a, const HalfSpace& b, double reach) {
  return glm::length(a.normal - b.normal) < 1e-9 && std::abs(a.offset - b.offset) < 1e-9 * reach;
}

}  // namespace

std::vector<std::vector<DVec3>> intersection_faces(std::span<const HalfSpace> half_spaces, const DVec3& inside,
                                                   double reach) {
  std::vector<std::vector<DVec3>> faces(half_spaces.size());
  std::vector<DVec3> scratch;
  for (std::size_t i = 0; i < half_spaces.size(); ++i) {
    std::vector<DVec3> polygon = large_square(half_spaces[i], inside, reach);
    for (std::size_t j = 0; j < half_spaces.size() && !polygon.empty(); ++j) {
      if (j == i) continue;
      if (same_plane(half_spaces[i], half_spaces[j], reach)) {
        if (j < i) polygon.clear();  // the first of equal planes has the face
        continue;
      }
      clip(polygon, half_spaces[j], scratch);
    }
    if (polygon.size() >= 3) faces[i] = std::move(polygon);
  }
  return faces;
}

DVec3 newell_normal(std::span<const DVec3> polygon) {
  DVec3 normal{0.0};
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const DVec3 a = polygon[i] - polygon[0];
    const DVec3 b = polygon[i + 1 == polygon.size() ? 0 : i + 1] - polygon[0];
    normal += glm::cross(a, b);
  }
  return normal;
}

Spread spread_of(std::span<const DVec3> points) {
  Spread spread;
  const auto farthest = [&](auto&& distance) {
    return *std::max_element(points.begin(), points.end(),
                             [&](const DVec3& a, const DVec3& b) { return distance(a) < distance(b); });
  };
  // Two sweeps of "farthest from there" find a pair at least half as far apart as the farthest one.
  const DVec3 a = farthest([&](const DVec3& p) { return glm::distance(p, points[0]); });
  const DVec3 b = farthest([&](const DVec3& p) { return glm::distance(p, a); });
  spread.length = glm::distance(a, b);
  if (spread.length <= 0.0) return spread;
  const DVec3 along = (b - a) / spread.length;
  const auto from_line = [&](const DVec3& p) { return glm::length(glm::cross(p - a, along)); };
  const DVec3 c = farthest(from_line);
  spread.width = from_line(c);
  if (spread.width <= 0.0) return spread;
  spread.normal = glm::normalize(glm::cross(b - a, c - a));
  const auto [low, high] = std::minmax_element(points.begin(), points.end(), [&](const DVec3& p, const DVec3& q) {
    return glm::dot(p, spread.normal) < glm::dot(q, spread.normal);
  });
  spread.thickness = glm::dot(*high, spread.normal) - glm::dot(*low, spread.normal);
  return spread;
}

Result<void> check_spread(const Spread& spread, std::string_view what, double flat_thickness) {
  const auto refuse = [&](std::string_view why) {
    return fail(ErrorCode::InvalidArgument, "all points of " + std::string(what) + std::string(why));
  };
  if (spread.is_point()) return refuse(" are one point; give it a size");
  if (spread.is_line()) return refuse(" lie on one line; give it a width");
  if (spread.is_flat() && !(flat_thickness > 0.0)) return refuse(" lie in one plane; give it a thickness");
  return {};
}

Result<void> check_coordinates(std::span<const Vec3> points) {
  for (std::size_t i = 0; i < points.size(); ++i)
    for (int axis = 0; axis < 3; ++axis) {
      const float value = points[i][axis];
      if (std::abs(value) <= kMaxCoordinate) continue;
      return fail(ErrorCode::InvalidArgument,
                  std::isfinite(value) ? "a coordinate is beyond 10 million units; scale the points down"
                                       : "a coordinate is not a finite number",
                  kNoOffset, "points[" + std::to_string(i) + "]");
    }
  return {};
}

std::vector<DVec3> to_double(std::span<const Vec3> points) { return {points.begin(), points.end()}; }

}  // namespace marrow::geometry
