// SPDX-License-Identifier: MIT
// Bodies as they stand at a pose.
#pragma once

#include <span>
#include <vector>

#include "marrow/ops/document/context.h"
#include "marrow/ops/document/document.h"

namespace marrow {

/// The vertices of a body in model space.
struct PosedShape {
  const DocumentBody* body = nullptr;
  std::vector<Vec3> positions = {}, normals = {};
};

/// Returns the bodies of a document that `place_bodies` has placed, at a pose of the rig: `model` has the place of each
/// of its bones. Normals that a shape does not have are computed from its triangles. Shapes without triangles are left
/// out.
Result<std::vector<PosedShape>> posed_bodies(const Document& document, std::span<const Transform> model);

/// Returns the pose of a rig at a frame of a clip, in model space; its rest pose without one.
Result<std::vector<Transform>> rig_pose(const Skeleton& rig, const DocumentClip* clip, double frame,
                                        const Limits& limits);

}  // namespace marrow
