// SPDX-License-Identifier: MIT
#include "ops/collision/ragdoll_joints.h"

#include <glm/gtc/quaternion.hpp>

#include <algorithm>

#include "core/try.h"
#include "ops/collision/joint_edit.h"

namespace marrow {
namespace {

std::unexpected<Error> refuse_joint(std::string message) {
  return fail(ErrorCode::InvalidArgument, std::move(message));
}
std::unexpected<Error> refuse_joint(std::string message, Cure cure) {
  return fail(ErrorCode::InvalidArgument, std::move(message), std::move(cure));
}

std::string body_text(std::uint32_t body) { return "body " + std::to_string(body); }

// The place of a body in the space of another, in the unit of the system.
Transform pose_below(const CollisionSystem& system, std::uint32_t body, std::uint32_t parent) {
  const Body &own = system.bodies[body], &above = system.bodies[parent];
  const Quat back = glm::conjugate(above.orientation);
  return {back * (Vec3(own.position) - Vec3(above.position)), back * own.orientation, Vec3(1.0f)};
}

Result<std::int32_t> bone_to_hang_on(const CollisionSystem& system, std::uint32_t parent) {
  if (parent == kNoBody)
    return refuse_joint("the game moves a ragdoll as a whole: its bones hang on each other, and none on the world");
  const std::int32_t bone = bone_of_body(*system.ragdoll, parent);
  if (bone == kNoBone)
    return refuse_joint(body_text(parent) + " has no bone in the ragdoll; hang it on a body that has one first");
  return bone;
}

// The joint of bone n goes before those of the bones that follow.
std::size_t place_for(const CollisionSystem& system, std::int32_t bone) {
  const auto& joints = system.constraints;
  const auto later = std::ranges::find_if(
      joints, [&](const Constraint& each) { return bone_of_body(*system.ragdoll, each.body_a) > bone; });
  return static_cast<std::size_t>(later - joints.begin());
}

std::size_t insert_joint(CollisionSystem& system, Constraint joint, std::int32_t bone) {
  const std::size_t at = place_for(system, bone);
  system.constraints.insert(system.constraints.begin() + static_cast<std::ptrdiff_t>(at), std::move(joint));
  return at;
}

std::size_t own_joint(const CollisionSystem& system, std::uint32_t body) {
  const auto found = std::ranges::find_if(system.constraints, [&](const Constraint& each) {
    return each.body_a == body && is_joint_of_bone(*system.ragdoll, each);
  });
  return static_cast<std::size_t>(found - system.constraints.begin());
}

void remove_bone(Ragdoll& ragdoll, std::int32_t bone) {
  ragdoll.skeleton.bones.erase(ragdoll.skeleton.bones.begin() + bone);
  ragdoll.bone_to_body.erase(ragdoll.bone_to_body.begin() + bone);
  for (Bone& each : ragdoll.skeleton.bones)
    if (each.parent > bone) --each.parent;
}

}  // namespace

std::int32_t bone_of_body(const Ragdoll& ragdoll, std::uint32_t body) {
  const auto found = std::ranges::find(ragdoll.bone_to_body, static_cast<std::int32_t>(body));
  const auto bone = static_cast<std::size_t>(found - ragdoll.bone_to_body.begin());
  return bone < std::min(ragdoll.bone_to_body.size(), ragdoll.skeleton.bones.size()) ? static_cast<std::int32_t>(bone)
                                                                                     : kNoBone;
}

bool is_joint_of_bone(const Ragdoll& ragdoll, const Constraint& joint) {
  const std::int32_t bone = bone_of_body(ragdoll, joint.body_a);
  if (bone == kNoBone || joint.body_b == kNoBody) return false;
  const std::int32_t parent = bone_of_body(ragdoll, joint.body_b);
  return parent != kNoBone && ragdoll.skeleton.bones[static_cast<std::size_t>(bone)].parent == parent;
}

Result<std::size_t> add_ragdoll_joint(CollisionSystem& system, Constraint joint, std::string bone_name) {
  Ragdoll& ragdoll = *system.ragdoll;
  MARROW_TRY(const std::int32_t above, bone_to_hang_on(system, joint.body_b));
  const std::int32_t bone = bone_of_body(ragdoll, joint.body_a);
  if (bone == kNoBone) {
    const bool has_names = !ragdoll.skeleton.bones[static_cast<std::size_t>(above)].name.empty();
    ragdoll.skeleton.bones.push_back({has_names ? std::move(bone_name) : std::string(), above,
                                      pose_below(system, joint.body_a, joint.body_b), true});
    ragdoll.bone_to_body.push_back(static_cast<std::int32_t>(joint.body_a));
    return insert_joint(system, std::move(joint), static_cast<std::int32_t>(ragdoll.bone_to_body.size()) - 1);
  }
  const std::size_t own = own_joint(system, joint.body_a);
  if (own < system.constraints.size())
    return refuse_joint(body_text(joint.body_a) + " hangs on " + body_text(system.constraints[own].body_b) +
                            " by joint " + std::to_string(own) +
                            ", and each bone of a ragdoll has one joint, which can be changed, also what it hangs on",
                        Cure{"collision set-joint", {{"body", std::to_string(joint.body_a)}}});
  if (!is_joint_of_bone(ragdoll, joint))
    return refuse_joint(ragdoll.skeleton.bones[static_cast<std::size_t>(bone)].parent == kNoBone
                            ? body_text(joint.body_a) + " is the root of the ragdoll, which hangs on no other bone"
                            : "the bone of " + body_text(joint.body_a) + " is not below that of " +
                                  body_text(joint.body_b));
  return insert_joint(system, std::move(joint), bone);
}

Result<void> hang_ragdoll_joint(CollisionSystem& system, std::size_t joint, std::uint32_t parent) {
  Constraint& constraint = system.constraints[joint];
  Ragdoll& ragdoll = *system.ragdoll;
  MARROW_TRY(const std::int32_t above, bone_to_hang_on(system, parent));
  if (!is_joint_of_bone(ragdoll, constraint))
    return refuse_joint("joint " + std::to_string(joint) + " does not hang a bone of the ragdoll on its parent");
  const std::int32_t bone = bone_of_body(ragdoll, constraint.body_a);
  if (above >= bone)
    return refuse_joint(body_text(parent) + " has bone " + std::to_string(above) + ", which comes after bone " +
                            std::to_string(bone) + " of " + body_text(constraint.body_a) +
                            ", and parents come first; a new ragdoll can have another order",
                        Cure{"collision ragdoll"});
  Bone& own = ragdoll.skeleton.bones[static_cast<std::size_t>(bone)];
  own.parent = above;
  own.rest = pose_below(system, constraint.body_a, parent);
  constraint.body_b = parent;
  return {};
}

Result<void> remove_ragdoll_joints(CollisionSystem& system, std::span<const std::size_t> joints) {
  CollisionSystem edited = system;
  Ragdoll& ragdoll = *edited.ragdoll;
  // From the last on: bones below come after their parents, and numbers before a joint stay.
  for (std::size_t i = joints.size(); i-- > 0;) {
    const Constraint& constraint = edited.constraints[joints[i]];
    if (is_joint_of_bone(ragdoll, constraint)) {
      const std::int32_t bone = bone_of_body(ragdoll, constraint.body_a);
      const auto below = std::ranges::find(ragdoll.skeleton.bones, bone, &Bone::parent);
      if (below != ragdoll.skeleton.bones.end()) {
        const auto body = static_cast<std::uint32_t>(
            ragdoll.bone_to_body[static_cast<std::size_t>(below - ragdoll.skeleton.bones.begin())]);
        return refuse_joint(body_text(body) + " hangs on " + body_text(constraint.body_a) +
                            ", whose bone goes with joint " + std::to_string(joints[i]) + "; remove joint " +
                            std::to_string(own_joint(edited, body)) + " too");
      }
      remove_bone(ragdoll, bone);
    }
    remove_joint(edited, joints[i]);
  }
  system = std::move(edited);
  return {};
}

}  // namespace marrow
