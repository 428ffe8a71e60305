// SPDX-License-Identifier: MIT
/// Joints of Fallout 4 collision: list, change, add and remove them. Angles are degrees, lengths game units.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ops/collision/collision.h"
#include "ops/collision/joint_edit.h"

namespace marrow {

template <>
struct ChoiceWords<JointKind> {
  static constexpr std::array<std::string_view, 6> words = {"ball",    "hinge",     "limited-hinge",
                                                            "ragdoll", "prismatic", "fixed"};
};
template <>
struct ChoiceWords<MotorKind> {
  static constexpr std::array<std::string_view, 3> words = {"position", "velocity", "spring-damper"};
};

// ---- joints

struct MotorInfo {
  std::string drives = {};  ///< `twist`, `plane`, `cone`, `angle` or `distance`
  std::string type = {};
  std::optional<float> min_force = {}, max_force = {}, stiffness = {}, damping = {};
};

struct JointInfo {
  std::optional<std::int32_t> block = {};
  std::size_t joint = 0;
  std::string type = {};
  std::uint32_t body = 0;  ///< the child
  std::optional<std::string> node = {};
  std::optional<std::uint32_t> to = {};  ///< the parent; none: the world
  std::optional<std::string> to_node = {};
  std::optional<Vec3> pivot = {}, to_pivot = {};  ///< in the space of each body
  std::optional<Vec3> axis = {}, to_axis = {};    ///< about which it twists or turns, or along which it slides
  std::optional<Vec3> normal = {}, to_normal = {};
  std::optional<JointRange> twist = {}, plane = {}, angle = {}, distance = {};
  std::optional<double> cone = {};
  std::optional<float> friction = {}, break_threshold = {};
  std::optional<float> length = {};                    ///< of a spring
  std::optional<std::vector<std::string>> chain = {};  ///< nodes of a chain, in order
  std::optional<float> tau = {}, damping = {}, cfm = {}, max_error = {};
  std::optional<bool> remove_when_broken = {};
  std::optional<float> strength = {};       ///< of a malleable joint
  std::optional<std::int32_t> system = {};  ///< if `block` is the joint's own
  bool stabilized = false;
  std::optional<bool> motors_on = {};
  std::vector<MotorInfo> motors = {};
};

struct JointsOptions {
  std::optional<std::int32_t> block = {};
  std::vector<std::size_t> joints = {};  ///< empty: all
};
struct JointsReport {
  std::vector<JointInfo> joints = {};
};

// ---- add-joint, set-joint, remove-joint

/// Where a joint is, in the space of a node, bone or body.
struct JointPlace {
  std::optional<std::string> at = {};  ///< a node of the NIF, a bone of the ragdoll or a body; else the child
  std::optional<Vec3> pivot = {}, axis = {}, normal = {};
};

struct AddJointOptions {
  std::string body = {};               ///< the child: its number, or the name of a node that uses it
  std::optional<std::string> to = {};  ///< the parent; none: the world
  std::optional<std::int32_t> block = {};
  JointKind kind = JointKind::Ball;
  JointPlace place = {};
  JointEdit edit = {};
};

/// Which joints are meant.
struct WhichJoint {
  std::optional<std::int32_t> block = {};
  std::vector<std::size_t> joints = {};
  std::optional<std::string> body = {};  ///< those that hang this body on another
};

struct SetJointOptions {
  WhichJoint which = {};
  std::optional<std::string> to = {};  ///< another parent; the joint stays where it is
  JointPlace place = {};
  JointEdit edit = {};
};

struct RemoveJointOptions {
  WhichJoint which = {};
};

struct EditedJointsReport {
  std::optional<std::int32_t> block = {};
  std::vector<std::size_t> joints = {};  ///< that were changed, added or removed
};

void describe(FieldList& fields, MotorInfo& motor);
void describe(FieldList& fields, JointInfo& joint);
void describe(FieldList& fields, JointsOptions& options);
void describe(FieldList& fields, JointsReport& report);
void describe(FieldList& fields, AddJointOptions& options);
void describe(FieldList& fields, SetJointOptions& options);
void describe(FieldList& fields, RemoveJointOptions& options);
void describe(FieldList& fields, EditedJointsReport& report);

/// Lists the joints of all systems, or of one. Needs `Parts::Collision`, as the others do.
Result<JointsReport> list_joints(const Document& document, const JointsOptions& options, Context& context);
/// Joins two bodies of a physics system. Both have the pivot and the axes at the place where they are in the file.
/// In a ragdoll, a body without a bone gets one; bones that have a joint, joints to the world and files with mappers
/// are refused. BSXFlags of a NIF follow.
Result<EditedJointsReport> add_joint(Document& document, const AddJointOptions& options, Context& context);
/// Changes joints. A place that is given holds for both bodies; limits and motors see `edit_joint`.
Result<EditedJointsReport> set_joints(Document& document, const SetJointOptions& options, Context& context);
/// Removes joints. In a ragdoll, their bones go too; refused if other bones hang on them, or mappers refer to them.
/// BSXFlags of a NIF follow.
Result<EditedJointsReport> remove_joints(Document& document, const RemoveJointOptions& options, Context& context);

/// Returns the space that shape and joints of a body are in: its node's place, with what a bhkRigidBodyT places once
/// more, else what the body records. Game units.
Transform pose_of(const DocumentCollision& collision, std::uint32_t body);

}  // namespace marrow
