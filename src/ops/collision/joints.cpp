// SPDX-License-Identifier: MIT
#include "ops/collision/joints.h"

#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>

#include <algorithm>
#include <cmath>

#include "core/try.h"
#include "nif/node.h"
#include "ops/collision/author.h"
#include "ops/collision/ragdoll_joints.h"
#include "ops/document/nif_edit.h"
#include "ops/table/define.h"

namespace marrow {
namespace {

// Returns the place that a name means: a node of the NIF, a body, or a bone of the ragdoll.
Result<Transform> place_named(const Document& document, const DocumentCollision& collision, const std::string& name) {
  if (document.nif()) {
    MARROW_TRY(const std::vector<NifNode> nodes, read_nodes(*document.nif()));
    if (const auto block = find_node(*document.nif(), name))
      return std::ranges::find(nodes, *block, &NifNode::block)->world;
  }
  if (const auto& ragdoll = collision.system.ragdoll)
    if (const auto bone = find_bone(ragdoll->skeleton, name);
        bone && static_cast<std::size_t>(*bone) < ragdoll->bone_to_body.size())
      return pose_of(collision, static_cast<std::uint32_t>(ragdoll->bone_to_body[static_cast<std::size_t>(*bone)]));
  const auto body = find_body(document, name, collision.block);
  if (body) return pose_of(collision, static_cast<std::uint32_t>(body->body));
  return fail(ErrorCode::NotFound, "there is no node, bone or body '" + name + "'", kNoOffset, "at");
}

Vec3 apply(const Transform& place, const Vec3& point) {
  return place.translation + place.rotation * (place.scale * point);
}

// Returns a point or axes of the scene in the space of a body.
Vec3 point_in(const Transform& body, const Vec3& point) {
  return (glm::conjugate(body.rotation) * (point - body.translation)) / body.scale;
}
glm::mat3 axes_in(const Transform& body, const glm::mat3& axes) {
  return glm::mat3_cast(glm::conjugate(body.rotation)) * axes;
}

bool is_direction(const std::optional<Vec3>& v) {
  return !v || (std::isfinite(glm::length(*v)) && glm::length(*v) > 1e-6f);
}

// Puts a joint at a place, for both of its bodies. `is_new`: what is not given is that of the place, not of the joint.
Result<void> place_joint(const Document& document, const DocumentCollision& collision, Constraint& constraint,
                         const JointPlace& place, bool is_new) {
  if (!is_new && !place.at && !place.pivot && !place.axis && !place.normal) return {};
  if (!is_direction(place.axis)) return fail(ErrorCode::BadOption, "has no length", kNoOffset, "axis");
  if (!is_direction(place.normal)) return fail(ErrorCode::BadOption, "has no length", kNoOffset, "normal");
  std::optional<JointFrames> frames = frames_of(constraint.joint);
  if (!frames)
    return fail(ErrorCode::Unsupported, "a joint of class " + std::string(type_name(constraint)) + " cannot be moved");
  const float unit = collision.system.game_units;
  const Transform a = pose_of(collision, constraint.body_a), b = pose_of(collision, constraint.body_b);
  Transform space = a;
  if (place.at) {
    MARROW_TRY(space, place_named(document, collision, *place.at));
  }
  const bool is_fresh = is_new || place.at;
  if (place.pivot || is_fresh) {
    const Vec3 pivot = apply(space, place.pivot.value_or(Vec3(0.0f)));
    frames->a.translation = point_in(a, pivot) / unit;
    frames->b.translation = point_in(b, pivot) / unit;
  }
  if (place.axis || place.normal || is_fresh) {
    const Vec3 axis = place.axis.value_or(is_fresh ? Vec3(1, 0, 0) : frames->a.rotation[0]);
    const Vec3 normal = place.normal.value_or(is_fresh ? Vec3(0, 1, 0) : frames->a.rotation[1]);
    const glm::mat3 axes = joint_axes(space.rotation * axis, space.rotation * normal);
    frames->a.rotation = axes_in(a, axes);
    frames->b.rotation = axes_in(b, axes);
  }
  set_frames(constraint.joint, *frames);
  return {};
}

// Returns the system whose joints are meant: the one that was named, or the only one with joints.
Result<std::size_t> system_with_joints(const Document& document, std::optional<std::int32_t> block) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < document.collision.size(); ++i)
    if (!document.collision[i].system.constraints.empty()) found.push_back(i);
  if (!block && found.size() == 1) return found.front();
  if (!block && found.empty() && !document.collision.empty())
    return fail(ErrorCode::NotFound, "the file contains no joints", Cure{"collision add-joint"});
  return find_system(document, block);
}

struct JointSelection {
  std::size_t system = 0;
  std::vector<std::size_t> joints = {};
};

Result<JointSelection> selected_joints(const Document& document, const WhichJoint& which) {
  JointSelection selection;
  if (which.body) {
    MARROW_TRY(const std::size_t system, system_with_joints(document, which.block));
    MARROW_TRY(const BodyPlace place, find_body(document, *which.body, document.collision[system].block));
    selection.system = place.system;
    const auto& all = document.collision[place.system].system.constraints;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (all[i].body_a == place.body) selection.joints.push_back(i);
    if (selection.joints.empty() && which.joints.empty())
      return fail(ErrorCode::NotFound, "body '" + *which.body + "' hangs on no other body", kNoOffset, "body");
  } else {
    MARROW_TRY(selection.system, system_with_joints(document, which.block));
  }
  const std::size_t count = document.collision[selection.system].system.constraints.size();
  for (const std::size_t joint : which.joints) {
    if (joint >= count)
      return fail(
          ErrorCode::NotFound,
          "there is no joint " + std::to_string(joint) + ": the system has " + std::to_string(count) + ", from 0",
          kNoOffset, "joint");
    selection.joints.push_back(joint);
  }
  if (selection.joints.empty() && count == 1) selection.joints.push_back(0);
  if (selection.joints.empty())
    return fail(ErrorCode::NeedsChoice, "there are " + std::to_string(count) + " joints; say which is meant", kNoOffset,
                "joint");
  std::ranges::sort(selection.joints);
  selection.joints.erase(std::ranges::unique(selection.joints).begin(), selection.joints.end());
  return selection;
}

// Flags of a NIF state whether joints connect all bodies.
Result<void> follow_traits(Document& document, const SystemTraits& before, std::size_t system, Context& context) {
  if (!document.nif() || traits_of(document.collision[system].system) == before) return {};
  return store_systems(document, context, context.notes);
}

// Mappers of a skeleton.hkx refer to the ragdoll's bones by number.
Result<void> check_may_change_bones(const Document& document, const DocumentCollision& collision) {
  const havok::Packfile* file = document.packfile();
  if (!collision.system.ragdoll || !file || file->find_all("hkaSkeletonMapper").empty()) return {};
  return fail(
      ErrorCode::Unsupported,
      "a bone of a ragdoll comes and goes with its joint, and the mappers of this file refer to bones by number; "
      "a joint can still be changed, also its kind and what it hangs on",
      Cure{"collision set-joint"});
}

// The frame of the parent follows, so that the joint stays where it is.
void hang_on(const DocumentCollision& collision, Constraint& constraint, std::uint32_t parent) {
  std::optional<JointFrames> frames = frames_of(constraint.joint);
  constraint.body_b = parent;
  if (!frames) return;
  const float unit = collision.system.game_units;
  const Transform a = pose_of(collision, constraint.body_a), b = pose_of(collision, parent);
  frames->b.translation = point_in(b, apply(a, frames->a.translation * unit)) / unit;
  frames->b.rotation = axes_in(b, glm::mat3_cast(a.rotation) * frames->a.rotation);
  set_frames(constraint.joint, *frames);
}

Result<void> hang_joint(const Document& document, const DocumentCollision& collision, CollisionSystem& edited,
                        std::size_t joint, const std::string& to) {
  MARROW_TRY(const BodyPlace parent, find_body(document, to, collision.block));
  Constraint& constraint = edited.constraints[joint];
  const auto body = static_cast<std::uint32_t>(parent.body);
  if (&document.collision[parent.system] != &collision || body == constraint.body_a)
    return fail(ErrorCode::InvalidArgument, "a joint connects two bodies of one system", kNoOffset, "to");
  if (std::holds_alternative<UnknownJoint>(constraint.joint))
    return fail(ErrorCode::Unsupported, "a joint of class " + std::string(type_name(constraint)) + " cannot be moved");
  if (edited.ragdoll) MARROW_CHECK(hang_ragdoll_joint(edited, joint, body));
  hang_on(collision, constraint, body);
  return {};
}

// A body that hangs on nothing any more stays where it is in the file, and falls in the game.
void note_loose_bodies(const DocumentCollision& collision, const CollisionSystem& before, Notes& notes) {
  for (const std::int32_t body : before.ragdoll->bone_to_body)
    if (bone_of_body(*collision.system.ragdoll, static_cast<std::uint32_t>(body)) == kNoBone)
      notes.push_back(
          {"body " + std::to_string(body) + " has no bone in the ragdoll now; hang it on another body, or remove it",
           kNoOffset,
           {},
           {},
           Cure{"collision add-joint", {{"body", std::to_string(body)}}}});
}

constexpr FieldText kJointBlock{.help = "which system of a NIF, if there are several", .placeholder = "N", .min = 0};

void describe_which(FieldList& fields, WhichJoint& which) {
  fields("block", which.block, kJointBlock);
  fields(
      "joint", which.joints,
      {.help = "number of the joint; may be given again", .placeholder = "N", .min = 0, .otherwise = "the only one"});
  fields(
      "body", which.body,
      {.help = "the joints that hang this body on another: its number, or the name of its node", .placeholder = "B"});
}

void describe_place(FieldList& fields, JointPlace& place) {
  fields("at", place.at,
         {.help = "takes pivot and axes from this node, bone or body; the next three are then in its space",
          .placeholder = "NAME",
          .otherwise = "the body"});
  fields("pivot", place.pivot,
         {.help = "the point that both bodies share", .unit = "game units", .placeholder = "X,Y,Z"});
  fields("axis", place.axis,
         {.help = "the axis that it twists or turns about, or slides along", .placeholder = "X,Y,Z"});
  fields("normal", place.normal,
         {.help = "normal of the plane that swing is limited from, and where hinges have angle 0",
          .placeholder = "X,Y,Z"});
}

void describe_edit(FieldList& fields, JointEdit& edit) {
  constexpr FieldText kAngles{.unit = "degrees", .placeholder = "MIN,MAX"};
  const auto angles = [&](std::string_view help) {
    FieldText text = kAngles;
    text.help = help;
    return text;
  };
  fields("twist", edit.twist, angles("ragdoll: rotation about the axis"));
  fields("cone", edit.cone,
         {.help = "ragdoll: swing of the axis to any side",
          .unit = "degrees",
          .placeholder = "DEG",
          .min = 0,
          .max = 180});
  fields("plane", edit.plane, angles("ragdoll: swing of the axis out of the plane"));
  fields("angle", edit.angle, angles("limited hinge: how far it turns"));
  fields("distance", edit.distance,
         {.help = "prismatic: how far it slides", .unit = "game units", .placeholder = "MIN,MAX"});
  fields("friction", edit.friction,
         {.help = "largest friction torque, or force of a prismatic joint", .placeholder = "F", .min = 0});
  fields("break_threshold", edit.break_threshold,
         {.help = "impulse that breaks the joint; 0: it never breaks", .placeholder = "F", .min = 0});
  fields("stabilized", edit.stabilized,
         {.help = "uses the stabilized solver, as the game's ragdolls do", .placeholder = "ON"});
  fields("motor", edit.motor, {.help = "turns the motors on or off", .placeholder = "ON"});
  fields("motor_kind", edit.motor_kind, {.help = "what the motors are", .placeholder = "KIND"});
  fields("motor_min_force", edit.motor_min_force, {.help = "smallest force of the motors", .placeholder = "F"});
  fields("motor_max_force", edit.motor_max_force, {.help = "largest force of the motors", .placeholder = "F"});
  fields("motor_stiffness", edit.motor_stiffness,
         {.help = "tau of a position or velocity motor, constant of a spring", .placeholder = "F", .min = 0});
  fields("motor_damping", edit.motor_damping, {.help = "damping of the motors", .placeholder = "F", .min = 0});
}

}  // namespace

void describe(FieldList& fields, AddJointOptions& options) {
  fields("body", options.body,
         {.help = "the body that hangs on the other: its number, or the name of its node",
          .placeholder = "A",
          .required = true});
  fields("to", options.to, {.help = "the body that it hangs on", .placeholder = "B", .otherwise = "the world"});
  fields("block", options.block, kJointBlock);
  fields("kind", options.kind, {.help = "what the joint is", .placeholder = "KIND", .required = true});
  describe_place(fields, options.place);
  describe_edit(fields, options.edit);
}

void describe(FieldList& fields, SetJointOptions& options) {
  describe_which(fields, options.which);
  fields("to", options.to, {.help = "hangs it on this body instead, at the same place", .placeholder = "B"});
  fields("kind", options.edit.kind, {.help = "makes another joint of it, at the same place", .placeholder = "KIND"});
  describe_place(fields, options.place);
  describe_edit(fields, options.edit);
}

void describe(FieldList& fields, RemoveJointOptions& options) { describe_which(fields, options.which); }

void describe(FieldList& fields, EditedJointsReport& report) {
  fields("block", report.block);
  fields("joints", report.joints, {.help = "numbers of the joints"});
}

Transform pose_of(const DocumentCollision& collision, std::uint32_t body) {
  if (body >= collision.system.bodies.size()) return {};
  const Body& own = collision.system.bodies[body];
  const float unit = collision.system.game_units;
  const auto node = std::ranges::find(collision.nodes, body, &BodyNode::body);
  if (node == collision.nodes.end()) return {Vec3(own.position) * unit, own.orientation, Vec3(1.0f)};
  // A body that places its shape on the node places its joints there, too.
  const Frame placed = own.shape_frame();
  Transform pose = node->world;
  pose.translation = apply(pose, placed.translation * unit);
  pose.rotation = glm::normalize(pose.rotation * glm::quat_cast(placed.rotation));
  return pose;
}

Result<EditedJointsReport> add_joint(Document& document, const AddJointOptions& options, Context& context) {
  MARROW_CHECK(takes("collision add-joint", document, document.packfile() || document.nif()));
  MARROW_TRY(const BodyPlace child, find_body(document, options.body, options.block));
  DocumentCollision& collision = document.collision[child.system];
  MARROW_CHECK(check_may_change_bones(document, collision));
  Constraint constraint{.body_a = static_cast<std::uint32_t>(child.body), .joint = make_joint(options.kind)};
  // The game's joints outside ragdolls do not use the stabilized solver.
  constraint.is_stabilized = collision.system.ragdoll.has_value();
  if (options.to) {
    MARROW_TRY(const BodyPlace parent, find_body(document, *options.to, collision.block));
    if (parent.system != child.system || parent.body == child.body)
      return fail(ErrorCode::InvalidArgument, "a joint connects two bodies of one system", kNoOffset, "to");
    constraint.body_b = static_cast<std::uint32_t>(parent.body);
  }
  MARROW_CHECK(place_joint(document, collision, constraint, options.place, true));
  CollisionSystem edited = collision.system;
  const SystemTraits before = traits_of(edited);
  std::size_t joint = edited.constraints.size();
  if (edited.ragdoll) {
    const auto node = std::ranges::find(collision.nodes, constraint.body_a, &BodyNode::body);
    MARROW_TRY(joint, add_ragdoll_joint(edited, std::move(constraint),
                                        node != collision.nodes.end() ? node->name : edited.bodies[child.body].name));
  } else {
    edited.constraints.push_back(std::move(constraint));
  }
  MARROW_CHECK(edit_joint(edited, joint, options.edit));
  collision.system = std::move(edited);
  const EditedJointsReport report{collision.block, {joint}};
  MARROW_CHECK(follow_traits(document, before, child.system, context));
  return report;
}

Result<EditedJointsReport> set_joints(Document& document, const SetJointOptions& options, Context& context) {
  MARROW_CHECK(takes("collision set-joint", document, document.packfile() || document.nif()));
  MARROW_TRY(const JointSelection selection, selected_joints(document, options.which));
  DocumentCollision& collision = document.collision[selection.system];
  CollisionSystem edited = collision.system;
  for (const std::size_t joint : selection.joints) {
    MARROW_CHECK(edit_joint(edited, joint, options.edit));
    if (options.to) MARROW_CHECK(hang_joint(document, collision, edited, joint, *options.to));
    MARROW_CHECK(place_joint(document, collision, edited.constraints[joint], options.place, false));
  }
  const SystemTraits before = traits_of(collision.system);
  collision.system = std::move(edited);
  const EditedJointsReport report{collision.block, selection.joints};
  MARROW_CHECK(follow_traits(document, before, selection.system, context));
  return report;
}

Result<EditedJointsReport> remove_joints(Document& document, const RemoveJointOptions& options, Context& context) {
  MARROW_CHECK(takes("collision remove-joint", document, document.packfile() || document.nif()));
  MARROW_TRY(const JointSelection selection, selected_joints(document, options.which));
  DocumentCollision& collision = document.collision[selection.system];
  MARROW_CHECK(check_may_change_bones(document, collision));
  const CollisionSystem original = collision.system;
  const SystemTraits before = traits_of(original);
  if (original.ragdoll) {
    MARROW_CHECK(remove_ragdoll_joints(collision.system, selection.joints));
    note_loose_bodies(collision, original, context.notes);
  } else {
    for (std::size_t i = selection.joints.size(); i-- > 0;) remove_joint(collision.system, selection.joints[i]);
  }
  const EditedJointsReport report{collision.block, selection.joints};
  MARROW_CHECK(follow_traits(document, before, selection.system, context));
  return report;
}

}  // namespace marrow
