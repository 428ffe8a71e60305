// SPDX-License-Identifier: MIT
#pragma once

#include "marrow/core/limits.h"
#include "nif/nif_file.h"
#include "ops/files/diff.h"

namespace marrow {

/// Compares the visible shapes of two NIF files that are the same block in both: positions, normals, tangents, UVs,
/// colours, weights, triangles and bones. Each difference has the vertex that differs most. Files whose shapes cannot
/// be read have none.
void diff_shapes(const NifFile& a, const NifFile& b, const Limits& limits, std::vector<Difference>& out);

}  // namespace marrow
