// SPDX-License-Identifier: MIT
// Bones that no source moves, but that must follow those it does: twist bones share the roll of a limb, skirts follow
// the thighs.
#pragma once

#include <span>

#include "ops/retarget/body.h"

namespace marrow {

/// Finds the twist bones and skirt bones of the target that are not mapped.
void find_secondary_bones(const Skeleton& to, const BodyParts& parts, BodyPair& bodies);

/// Poses them. `model` is the target's pose in model space; both it and `local` are brought up to date. Bones that are
/// mapped keep their place and direction.
void pose_secondary_bones(const Skeleton& to, const BodyPair& bodies, std::span<Transform> local,
                          std::span<Transform> model);

}  // namespace marrow
