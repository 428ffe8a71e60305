// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <span>
#include <vector>

#include "geometry/hull/polyhedron.h"
#include "geometry/mesh/bvh.h"

namespace marrow::geometry {

/// Returns the place of a triangle that is nearest to `p`.
DVec3 nearest_on_triangle(const DVec3& p, const DVec3& a, const DVec3& b, const DVec3& c);

/// Answers how far places are from a triangle surface, and whether they are inside it.
class SurfaceQuery {
 public:
  /// At least one triangle, of a size near 1. `has_inside`: the surface is closed.
  SurfaceQuery(std::vector<std::array<DVec3, 3>> triangles, bool has_inside);

  /// Returns the distance to the surface, or `at_most` if it is farther than that.
  double distance(const DVec3& place, double at_most) const;
  /// Returns how far a place is outside the solid: 0 for what is inside, up to `at_most`.
  double outside(const DVec3& place, double at_most) const;
  /// True if the surface winds around the place; two of three rays decide. False if it has no inside.
  bool is_inside(const DVec3& place) const;
  /// True if two triangles pass through each other, beyond touching.
  bool crosses_itself() const;

  /// A stretch of a line that the surface winds around: places from + `kLine` * t, t from `begin` to `end`.
  struct Span {
    DVec3 from{0.0};
    double begin = 0.0;
    double end = 0.0;
  };
  static constexpr DVec3 kLine = {1.0, 1e-9, 2e-9};
  /// Returns what is inside along `lines` lines that are spread evenly.
  std::vector<Span> wound_spans(int lines) const;
  /// Returns the volume of the places that the surface winds around, estimated along `lines` lines.
  double wound_volume(int lines) const;

  std::span<const std::array<DVec3, 3>> triangles() const { return triangles_; }

 private:
  struct Hit {
    double along = 0.0;
    int winding = 0;
  };
  /// Calls `visit` with every crossing of the ray.
  template <class Visit>
  void for_each_hit(const DVec3& from, const DVec3& direction, Visit&& visit) const;

  std::vector<std::array<DVec3, 3>> triangles_;
  bool has_inside_;
  Bvh tree_;
};

}  // namespace marrow::geometry
