// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "marrow/model/skeleton.h"

namespace marrow {

/// How to convert poses of one skeleton to another that is the same body in another notation: other units, another up
/// axis, bones along other axes of their own, another order. Bones are matched by name.
struct Conform {
  std::vector<std::optional<std::size_t>> source;  ///< by target bone: the matching bone of the source
  Quat turn = make_quat(0, 0, 0, 1);               ///< from the source's model space to the target's
  float scale = 1.0f;
  Vec3 shift{0.0f};
  std::vector<Quat> axes;     ///< by target bone: from the source bone's own axes to the target bone's
  std::vector<bool> through;  ///< by target bone: local values are equal in both, except for `scale`
  bool agrees = false;        ///< the joints of the rest poses coincide; if not, only `scale` is applied
};

/// Finds the rotation, scale and axes that align the joints of `source` at rest with those of `target`. Tries the
/// identity, then `guess` (rotation, uniform scale, translation), then every rotation by right angles.
Conform make_conform(const Skeleton& source, const Skeleton& target, const Transform& guess = {});

/// Converts a local pose of `source` to `target`. Bones that the source does not have stay at rest.
void apply_conform(const Conform& conform, const Skeleton& source, const Skeleton& target,
                   std::span<const Transform> source_local, std::span<Transform> target_local);

/// True if a target bone with a source has the same parent there, or none in both.
bool same_parent(const Conform& conform, const Skeleton& source, const Skeleton& target, std::size_t bone);

/// Returns the greatest distance between joints, which tolerances are relative to.
float skeleton_size(const Skeleton& skeleton);

}  // namespace marrow
