// SPDX-License-Identifier: MIT
// Finds what was edited in a mesh, and makes the edit of its shape.
#pragma once

#include "nif/edit_shape.h"
#include "ops/body/edited.h"
#include "ops/body/replace.h"

namespace marrow {

/// Compares a mesh with what the export makes of its shape. What differs by no more than rounding keeps its bits.
/// `report` gets the counts. Nothing changed: `ShapeChange::changed()` is false. Fails if the mesh has too many
/// vertices.
Result<ShapeEdit> find_changes(const BodyShape& shape, const EditedMesh& edited, const Joints& joints,
                               const std::vector<std::uint32_t>& groups, ShapeChange& report);

}  // namespace marrow
