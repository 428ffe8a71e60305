// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "marrow/model/clip.h"
#include "marrow/model/skeleton.h"

namespace marrow {

/// Converts a local pose to model space. `local` and `model` have one entry per bone and may be the same span.
void local_to_model(const Skeleton& skeleton, std::span<const Transform> local, std::span<Transform> model);
/// The same for bones that are given by their parents alone (`kNoBone`: none). Parents come before their children.
void local_to_model(std::span<const std::int32_t> parents, std::span<const Transform> local,
                    std::span<Transform> model);
/// Converts a pose in model space to a local pose. The two spans must not overlap.
void model_to_local(const Skeleton& skeleton, std::span<const Transform> model, std::span<Transform> local);

/// Returns the value of an additive track that gives `pose` on `rest`: `rest * result` is `pose`, also if the scale of
/// `rest` is not uniform. The rotation of `rest` must be of unit length, its scale not zero.
Transform additive_value(const Transform& rest, const Transform& pose);

/// Writes one frame of a clip on a skeleton: the rest pose, with the bones that the clip's tracks move replaced. A
/// track of an additive clip is applied to the rest pose (`rest * track`). Tracks that refer to a bone outside the
/// skeleton are skipped.
void pose_from_frame(const Skeleton& skeleton, const Clip& clip, std::span<const Transform> frame,
                     std::span<Transform> local);

}  // namespace marrow
