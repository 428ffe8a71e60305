// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "codec/fit_spline.h"

namespace marrow::codec::fit {

/// The points that a polyline may pass through at each frame, all within the bound of the target there.
struct Vertices {
  std::vector<Point> points = {};
  std::vector<ThreeComponentCode> codes = {};  ///< rotations only
  std::vector<int> first;                      ///< frame -> its first point, plus one past the end

  int frame_count() const { return static_cast<int>(first.size()) - 1; }
};

/// Returns the codes of `lattice` near each frame of a rotation; none for a frame without a near code.
Vertices rotation_vertices(const Target& target, const QuaternionLattice& lattice);
/// Returns a grid of points in the ball around each frame of a vector.
Vertices vector_vertices(const Target& target);

/// Returns the degree 1 spline with the fewest control points among the given vertices, by a shortest path. This is
/// exact, while fitting knots is a search. Returns nothing if no path exists, e.g. if the source bends away between two
/// frames.
std::optional<Spline> shortest_polyline(const Target& target, const Vertices& vertices);

}  // namespace marrow::codec::fit
