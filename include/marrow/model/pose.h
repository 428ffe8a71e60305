// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "marrow/model/clip.h"
#include "marrow/model/skeleton.h"

namespace marrow {

/// Turns a local pose into model space. `local` and `model` have one entry a bone and may be the same span.
void local_to_model(const Skeleton& skeleton, std::span<const Transform> local, std::span<Transform> model);
/// The inverse of `local_to_model`; the two spans must not overlap.
void model_to_local(const Skeleton& skeleton, std::span<const Transform> model, std::span<Transform> local);

/// One frame of a clip on a skeleton: the rest pose, with the bones that the clip's tracks move in their place.
/// Tracks that name a bone outside the skeleton are left out.
void pose_from_frame(const Skeleton& skeleton, const Clip& clip, std::span<const Transform> frame,
                     std::span<Transform> local);

}  // namespace marrow
