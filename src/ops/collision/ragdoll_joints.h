// SPDX-License-Identifier: MIT
// Joints of ragdolls. Each bone but the root has one joint, which hangs its body on the body of the parent bone, in the
// order of the bones: joint 4 is that of bone 5. All ragdolls of the game are so, and the engine finds the joint of a
// bone by that number.
#pragma once

#include <span>
#include <string>

#include "marrow/core/error.h"
#include "marrow/model/collision.h"

namespace marrow {

/// Adds a joint to a ragdoll. A body without a bone gets one, last in the skeleton, below the bone of the other body. A
/// bone whose own joint is missing gets that back. Fails if the child has its joint, if the parent is not a body of the
/// ragdoll, and on joints to the world. Returns the number of the joint.
Result<std::size_t> add_ragdoll_joint(CollisionSystem& system, Constraint joint, std::string bone_name);

/// Hangs the bone of a joint on the bone of another body. Fails if that bone comes later in the skeleton, which has
/// parents first, or has no bone.
Result<void> hang_ragdoll_joint(CollisionSystem& system, std::size_t joint, std::uint32_t parent);

/// Removes joints, in ascending order, with the bones that hang by them. Bodies stay. Fails, and changes nothing, if a
/// bone that stays hangs on one that goes.
Result<void> remove_ragdoll_joints(CollisionSystem& system, std::span<const std::size_t> joints);

/// Returns the bone of a body, or `kNoBone`.
std::int32_t bone_of_body(const Ragdoll& ragdoll, std::uint32_t body);
/// True if the joint hangs the bone of its child on the parent of that bone.
bool is_joint_of_bone(const Ragdoll& ragdoll, const Constraint& joint);

}  // namespace marrow
