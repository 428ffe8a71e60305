// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>

#include "geometry/decompose/decompose.h"
#include "geometry/mesh/surface_query.h"
#include "geometry/solids/solid_prepare.h"

namespace marrow::geometry {

/// Measures hulls against the mesh that they stand for. `surface` is that of `mesh`.
DecomposeReport measure(std::span<const Hull> hulls, const PreparedMesh& mesh, const SurfaceQuery& surface);

/// Returns the volume of the union of convex solids.
double union_volume(std::span<const Polyhedron> solids);

/// Returns the solid of a hull with its margin: its planes, pushed out. None if they enclose nothing.
std::optional<Polyhedron> with_margin(const Hull& hull);

/// Returns how far a place is outside of a hull, with its rounded margin; 0 inside.
double outside(const Hull& hull, const DVec3& place);

}  // namespace marrow::geometry
