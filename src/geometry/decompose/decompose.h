// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "geometry/hull/hull.h"
#include "marrow/core/error.h"
#include "marrow/geometry/solids/shapes.h"

namespace marrow::geometry {

struct DecomposeOptions {
  /// The most hulls. If they do not suffice, the error is what it is, and reported.
  std::uint32_t max_hulls = 24;
  /// The most vertices of a hull, 4 to `kMaxHullVertices`; the lesser of this and `hull.max_vertices` counts.
  std::uint32_t max_vertices_per_hull = kMaxHullVertices;
  /// How far a place in a hull may be from the mesh and what it encloses, in the unit of the mesh. The volume between
  /// them counts as well, as 0.3 times the radius of its ball. 0: 2.5 % of the diagonal of the mesh.
  float max_concavity = 0.0f;
  /// How much larger than the mesh the hulls may be, as a share of its volume. Around curves the volume falls slowly:
  /// there it is kept with up to 12 hulls, beyond which each further one has to be worth it.
  float max_volume_error = 0.014f;
  HullOptions hull = {};  ///< how the hull of each piece is made
};

/// What a decomposition is worth. Lengths and volumes are in the unit of the mesh; hulls count with their margin.
struct DecomposeReport {
  double mesh_volume = 0.0;   ///< of the closed parts of the mesh
  double union_volume = 0.0;  ///< of all hulls together; where they overlap it counts once
  double volume_error = 0.0;  ///< (union - mesh) / mesh; 0 if the mesh has no volume
  double coverage = 0.0;      ///< the share of the mesh that is in a hull: of its volume, or of its area if it is open
  double left_out = 0.0;      ///< the farthest that a place on the mesh is outside of all hulls, with rounded margins
  double overhang = 0.0;      ///< the farthest that a place on a hull is outside of the mesh
  std::uint32_t hulls = 0;
  Notes notes;  ///< what is wrong with the mesh, and what was done about it

  bool operator==(const DecomposeReport&) const = default;
};

struct Decomposition {
  std::vector<Hull> hulls;
  float concavity = 0.0f;    ///< the largest of any hull, measured as `DecomposeOptions::max_concavity`
  bool within_limit = true;  ///< true if `concavity` is at most what was asked for
  DecomposeReport report;
};

/// Splits a concave mesh into convex hulls that together cover it. Closed meshes are cut as solids: what is inside
/// stays inside, and hollows stay hollow. Open and damaged ones are mended as far as possible; what is not closed then
/// is wrapped as a surface, and the report notes it. Refuses meshes without triangles, indices out of range, vertices
/// that are not finite or beyond `kMaxCoordinate`, and meshes on one line or in one place. Deterministic.
Result<Decomposition> decompose(const TriangleMesh& mesh, const DecomposeOptions& options = {});

}  // namespace marrow::geometry
