// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "marrow/core/error.h"
#include "marrow/geometry/solids/shapes.h"

namespace marrow::geometry {

/// The most vertices a hull may have: indices are bytes, and the vertex array is padded to a multiple of four.
inline constexpr std::uint32_t kMaxHullVertices = 252;

/// One polygon of a hull: `index_count` entries of `Hull::indices`, from `first_index`.
struct HullFace {
  std::uint16_t first_index = 0;
  std::uint8_t index_count = 0;
  /// Half the angle to the neighbour across the flattest edge, 255 = 90 degrees.
  std::uint8_t min_half_angle = 0;

  bool operator==(const HullFace&) const = default;
};

/// A convex polytope in the form that physics engines hold: the solid is this core, grown by `convex_radius`.
struct Hull {
  std::vector<Vec3> vertices;
  std::vector<Plane> planes;          ///< one per face, in the order of `faces`
  std::vector<HullFace> faces;        ///< `first_index` runs on without gaps
  std::vector<std::uint8_t> indices;  ///< vertex loops, counter-clockwise seen from outside
  float convex_radius = 0.0f;

  bool operator==(const Hull&) const = default;
};

struct HullOptions {
  /// The margin asked for, in the unit of the points. The core is shrunk by it, so that core and margin together have
  /// the size of the input. Made smaller where the solid is thin: never more than half the radius of the largest
  /// ball inside it (for a box, half of its smallest half extent).
  float convex_radius = 0.01f;
  /// Hulls with more vertices lose those whose loss costs the least volume. 4 to `kMaxHullVertices`.
  std::uint32_t max_vertices = kMaxHullVertices;
  /// Faces that differ by less than this distance become one polygon. 0: a hundred-thousandth of the diagonal.
  float merge_distance = 0.0f;
  /// The thickness that points in one plane are given, half to each side. 0: they are refused.
  float flat_thickness = 0.02f;
};

/// Returns the convex hull of points. Refuses points that are not finite or beyond `kMaxCoordinate`, and those that lie
/// on one line or in one place. Points in one plane get `HullOptions::flat_thickness`. Deterministic.
Result<Hull> build_hull(std::span<const Vec3> points, const HullOptions& options = {});

/// Returns a hull of eight vertices. The radius is the lesser of `convex_radius` and half of the smallest half extent.
/// A flat box gets the thickness `flat_thickness`; one of two or three extents of 0 is refused.
Result<Hull> box_hull(const Box& box, float convex_radius = 0.01f, float flat_thickness = 0.02f);

/// The core of a capsule as files hold it: a square rod of a hundredth of the radius, with six faces in a fixed order,
/// and the remaining 0.99 of the radius as convex radius.
Hull capsule_hull(const Capsule& capsule);

/// The bytes of `HullFace::min_half_angle`, one per face, from planes and loops. The hull must be valid.
std::vector<std::uint8_t> min_half_angles(const Hull& hull);

/// Vertices padded to a multiple of four with copies of the last, as files hold them.
std::vector<Vec3> padded_vertices(const Hull& hull);
/// Planes padded to a multiple of four with planes that are never in the way (normal 0, offset near -FLT_MAX).
std::vector<Plane> padded_planes(const Hull& hull);

/// Checks what every reader of a hull relies on: index ranges, loops, planes that face out, each edge shared by two
/// faces. `tolerance` is a distance.
Result<void> validate(const Hull& hull, float tolerance);

}  // namespace marrow::geometry
