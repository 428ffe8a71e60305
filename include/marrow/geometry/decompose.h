// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "marrow/core/error.h"
#include "marrow/geometry/hull.h"
#include "marrow/geometry/shapes.h"

namespace marrow::geometry {

struct DecomposeOptions {
  /// How far a point inside a hull may be from the mesh and what it encloses, in the unit of the mesh. 0: 2 % of the
  /// diagonal of its best box. It is measured on a grid of a cell of 1/80 of the longest side: less than two cells
  /// cannot be told from none.
  float max_concavity = 0.0f;
  /// The most hulls; when they are used up the error is what it is, and reported.
  std::uint32_t max_pieces = 32;
  HullOptions hull = {};  ///< how the hull of each piece is made
};

struct Decomposition {
  std::vector<Hull> hulls;
  /// The farthest that a point inside a hull is from the mesh and what it encloses, to within a cell.
  float concavity = 0.0f;
  bool within_limit = true;  ///< whether `concavity` is at most what was asked for
};

/// Splits a concave mesh into convex hulls that together cover its surface. Open surfaces are allowed. Deterministic.
Result<Decomposition> decompose(const TriangleMesh& mesh, const DecomposeOptions& options = {});

}  // namespace marrow::geometry
