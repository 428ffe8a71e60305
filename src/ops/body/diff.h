// SPDX-License-Identifier: MIT
#pragma once

#include "marrow/core/limits.h"
#include "marrow/model/body.h"
#include "nif/nif_file.h"
#include "ops/files/diff.h"

namespace marrow {

/// Compares two shapes: positions, normals, tangents, UVs, colours, weights, triangles and bones. Each difference has
/// the vertex that differs most.
void diff_shape(const BodyShape& a, const BodyShape& b, std::vector<Difference>& out);

/// Compares the visible shapes of two NIF files that are the same block in both, as `diff_shape` does. Files whose
/// shapes cannot be read have no differences.
void diff_shapes(const NifFile& a, const NifFile& b, const Limits& limits, std::vector<Difference>& out);

}  // namespace marrow
