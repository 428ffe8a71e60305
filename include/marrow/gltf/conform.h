// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "marrow/model/skeleton.h"

namespace marrow::gltf {

/// How to read poses of one skeleton as poses of another that is the same body in other hands: other units, another up
/// axis, bones that point along other axes of their own, another order. Bones are matched by name.
struct Conform {
  std::vector<std::optional<std::size_t>> source;  ///< by target bone: the bone of the source that it is
  Quat turn = make_quat(0, 0, 0, 1);               ///< from the source's model space to the target's
  float scale = 1.0f;
  Vec3 shift{0.0f};
  std::vector<Quat> axes;     ///< by target bone: from the source bone's own axes to the target bone's
  std::vector<bool> through;  ///< by target bone: local values are the same in both, but for `scale`
  bool agrees = false;        ///< the joints of the rest poses coincide; where not, only `scale` is applied
};

/// Finds the turn, size and axes that lay the joints of `source` at rest over those of `target`. Tries the identity,
/// then `guess` (rotation, uniform scale, translation), then every turn by right angles.
Conform make_conform(const Skeleton& source, const Skeleton& target, const Transform& guess = {});

/// Brings a local pose of `source` to `target`; bones that the source has not stay at rest.
void apply_conform(const Conform& conform, const Skeleton& source, const Skeleton& target,
                   std::span<const Transform> source_local, std::span<Transform> target_local);

/// Whether a target bone that has a source hangs on the same bone there, or on none in both.
bool same_parent(const Conform& conform, const Skeleton& source, const Skeleton& target, std::size_t bone);

/// The distance that joints lie apart at the most: what tolerances are measured against.
float skeleton_size(const Skeleton& skeleton);

}  // namespace marrow::gltf
