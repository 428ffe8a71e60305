// SPDX-License-Identifier: MIT
// Meshes whose names no longer say which shape they are.
#pragma once

#include "marrow/ops/document/context.h"
#include "ops/body/edited.h"

namespace marrow {

/// Finds the meshes of shapes that no mesh is matched with, by their vertices: one that was renamed (half of its
/// vertices are where the shape has them), or joined with another (nearly all of the shape's triangles are in it, which
/// become a mesh of their own again). Adds to `meshes` and changes `match` (by mesh, -1 for none); notes what it found.
void find_by_place(const std::vector<BodyShape>& shapes, const BonePlaces& places, std::vector<DocumentBody>& meshes,
                   std::vector<int>& match, Context& context);

}  // namespace marrow
