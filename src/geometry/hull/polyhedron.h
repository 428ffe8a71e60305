// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <glm/geometric.hpp>
#include <glm/vec3.hpp>
#include <span>
#include <string_view>
#include <vector>

#include "marrow/core/error.h"
#include "marrow/geometry/solids/shapes.h"

namespace marrow::geometry {

using DVec3 = glm::dvec3;

/// All x with dot(normal, x) + offset <= 0.
struct HalfSpace {
  DVec3 normal{0.0};
  double offset = 0.0;

  double distance(const DVec3& point) const { return glm::dot(normal, point) + offset; }
};

/// A closed convex surface of polygons, counter-clockwise seen from outside.
struct Polyhedron {
  std::vector<DVec3> vertices;
  std::vector<std::vector<std::uint32_t>> faces;
  std::vector<HalfSpace> planes;  ///< one per face
};

/// The convex hull of points that span a solid; faces nearer to each other than `merge_distance` are one polygon.
Result<Polyhedron> convex_hull(std::span<const DVec3> points, double merge_distance);

/// Removes vertices, each time the one that takes the least volume with it, until `max_vertices` (>= 4) are left, and
/// returns those that stay. Faces are not kept: hull the points again.
/// `steps` receives how much work it was.
std::vector<DVec3> simplified_vertices(const Polyhedron& hull, std::size_t max_vertices,
                                       std::uint64_t* steps = nullptr);

/// Returns the points of which a hull is made: all, or of very many at most a thousand corners of their hull. Merging
/// the faces of a fine plate or ball takes quadratic time and more. `reach` is about the size of the cloud, or larger.
std::vector<DVec3> fewer_corners(std::vector<DVec3> points, double reach);

/// The faces of the intersection of half-spaces, one polygon for each, empty where a half-space does not touch it.
/// `inside` and `reach` say where to look: nothing farther than `reach` from `inside` is found.
std::vector<std::vector<DVec3>> intersection_faces(std::span<const HalfSpace> half_spaces, const DVec3& inside,
                                                   double reach);

/// How points spread: the farthest pair, the farthest point from their line, and from the plane of the three.
struct Spread {
  double length = 0.0;
  double width = 0.0;
  double thickness = 0.0;
  DVec3 normal{0.0, 0.0, 1.0};  ///< of that plane; any if there is none

  /// Shallower than this part of its length, a set of points is flat, or a line.
  static constexpr double kFlatness = 1e-6;

  bool is_point() const { return length <= static_cast<double>(kMinSize); }
  bool is_line() const { return width <= kFlatness * length; }
  bool is_flat() const { return thickness <= kFlatness * length; }
};
Spread spread_of(std::span<const DVec3> points);

/// Refuses points at one place or on one line, and those in one plane if `flat_thickness` is 0. `what` names them, as
/// `the hull`.
Result<void> check_spread(const Spread& spread, std::string_view what, double flat_thickness);
/// Refuses coordinates that are not finite or beyond `kMaxCoordinate`.
Result<void> check_coordinates(std::span<const Vec3> points);

/// The normal of a polygon by Newell's sum, of twice its area's length.
DVec3 newell_normal(std::span<const DVec3> polygon);

std::vector<DVec3> to_double(std::span<const Vec3> points);

}  // namespace marrow::geometry
