// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "marrow/core/error.h"
#include "marrow/model/body.h"

namespace marrow {

/// Moves the vertices of a skinned shape with the bones of a pose. All buffers are the caller's; nothing is allocated.
/// Jobs on different outputs may run at the same time. Results are the same bits on every processor.
struct SkinningJob {
  std::span<const Mat4> bones;             ///< by bone of the shape: its place in the model times its bind transform
  std::span<const Vec3> positions;         ///< in the space of the skin
  std::span<const VertexWeights> weights;  ///< one per vertex; those above 0 are divided by their sum
  std::span<Vec3> moved;                   ///< gets one position per vertex, in the space of the model
  std::span<const Vec3> normals = {};      ///< may be empty
  std::span<Vec3> turned = {};             ///< gets one normal per vertex, not made of unit length; may be empty

  /// Fails if sizes differ or a weight above 0 names a bone that is not there.
  Result<void> validate() const;
  /// Runs a valid job. A vertex without weights stays where it is.
  void run() const;
};

}  // namespace marrow
