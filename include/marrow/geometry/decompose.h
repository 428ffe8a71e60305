// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "marrow/core/error.h"
#include "marrow/geometry/hull.h"
#include "marrow/geometry/shapes.h"

namespace marrow::geometry {

struct DecomposeOptions {
  /// How far a hull may stand off from the surface it encloses, in the unit of the mesh. 0: 2 % of the diagonal.
  float max_concavity = 0.0f;
  /// The most hulls; when they are used up the error is what it is, and reported.
  std::uint32_t max_pieces = 32;
  HullOptions hull;
};

struct Decomposition {
  std::vector<Hull> hulls;
  /// The largest distance from the surface of a piece's hull to the mesh, measured over the sampled surface.
  float concavity = 0.0f;
  bool within_limit = true;  ///< whether `concavity` is at most what was asked for
};

/// Splits a concave mesh into convex hulls that together cover its surface. Open surfaces are allowed. Deterministic.
Result<Decomposition> decompose(const TriangleMesh& mesh, const DecomposeOptions& options = {});

}  // namespace marrow::geometry
