// SPDX-License-Identifier: MIT
// The joints of a mesh after a trip through another program.
#pragma once

#include <optional>

#include "marrow/ops/document/document.h"

namespace marrow {

/// Brings the joints of an edited mesh back to the axes that the bones have in the game. Blender turns each bone by
/// right angles, and people apply the scale of the armature to them. `own` is by joint of the mesh its bone of `shape`,
/// -1 for none. Where the file shows the mesh (joint times inverse bind) does not change.
///
/// Returns the move from the mesh's space to that of the shape's skin if it is the same for all joints that move
/// vertices. Then it does not matter where the joints of the file stand.
std::optional<glm::dmat4> restore_axes(DocumentBody& edited, const BodyShape& shape, const std::vector<int>& own);

}  // namespace marrow
