// SPDX-License-Identifier: MIT
#include "marrow/ops/collision_joints.h"

#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/try.h"
#include "marrow/nif/node.h"
#include "marrow/ops/collision_author.h"
#include "ops/define.h"
#include "ops/nif_edit.h"

namespace marrow {
namespace {

// As short as the float is: 15, not 15.0000004.
double in_degrees(float radians) {
  return Json(static_cast<float>(double{radians} * 180.0 / std::numbers::pi)).number();
}
JointRange degree_range(float low, float high) { return {in_degrees(low), in_degrees(high)}; }

MotorInfo motor_info(const CollisionSystem& system, MotorId id, std::string drives) {
  const Motor& motor = system.motors[static_cast<std::size_t>(id)];
  MotorInfo info{.drives = std::move(drives), .type = std::string(type_name(motor))};
  std::visit(
      [&](const auto& drive) {
        if constexpr (requires { drive.min_force; }) {
          info.min_force = drive.min_force;
          info.max_force = drive.max_force;
        }
        if constexpr (requires { drive.tau; }) info.stiffness = drive.tau;
        if constexpr (requires { drive.spring_constant; }) info.stiffness = drive.spring_constant;
        if constexpr (requires { drive.damping; }) info.damping = drive.damping;
        if constexpr (requires { drive.spring_damping; }) info.damping = drive.spring_damping;
      },
      motor.drive);
  return info;
}

std::vector<MotorInfo> motor_infos(const CollisionSystem& system, const Joint& joint) {
  constexpr std::array<const char*, 3> kRagdoll = {"twist", "plane", "cone"};
  const bool is_ragdoll = std::holds_alternative<RagdollJoint>(joint);
  const char* only = std::holds_alternative<PrismaticJoint>(joint) ? "distance" : "angle";
  std::vector<MotorInfo> infos;
  std::size_t slot = 0;
  for_each_motor(joint, [&](MotorId id) {
    const char* drives = is_ragdoll ? kRagdoll[slot] : only;
    ++slot;
    if (static_cast<std::size_t>(id) < system.motors.size()) infos.push_back(motor_info(system, id, drives));
  });
  return infos;
}

void add_limits(JointInfo& info, const Joint& joint, float game_units) {
  if (const auto* ragdoll = std::get_if<RagdollJoint>(&joint)) {
    info.twist = degree_range(ragdoll->twist_min, ragdoll->twist_max);
    info.plane = degree_range(ragdoll->plane_min, ragdoll->plane_max);
    info.cone = in_degrees(ragdoll->cone_max);
    info.friction = ragdoll->max_friction_torque;
    info.motors_on = ragdoll->motors_enabled;
  }
  if (const auto* hinge = std::get_if<LimitedHingeJoint>(&joint)) {
    info.angle = degree_range(hinge->min_angle, hinge->max_angle);
    info.friction = hinge->max_friction_torque;
    info.motors_on = hinge->motor_enabled;
  }
  if (const auto* prismatic = std::get_if<PrismaticJoint>(&joint)) {
    info.distance = {double{prismatic->min_distance * game_units}, double{prismatic->max_distance * game_units}};
    info.friction = prismatic->max_friction_force;
    info.motors_on = prismatic->motor_enabled;
  }
}

std::optional<std::string> body_label(const DocumentCollision& collision, std::uint32_t body) {
  const auto node = std::ranges::find(collision.nodes, body, &BodyNode::body);
  if (node != collision.nodes.end()) return node->name;
  if (body >= collision.system.bodies.size() || collision.system.bodies[body].name.empty()) return std::nullopt;
  return collision.system.bodies[body].name;
}

JointInfo joint_info(const DocumentCollision& collision, std::size_t index) {
  const CollisionSystem& system = collision.system;
  const Constraint& constraint = system.constraints[index];
  JointInfo info{.block = collision.block,
                 .joint = index,
                 .type = std::string(type_name(constraint)),
                 .body = constraint.body_a,
                 .node = body_label(collision, constraint.body_a)};
  if (constraint.body_b != kNoBody) {
    info.to = constraint.body_b;
    info.to_node = body_label(collision, constraint.body_b);
  }
  if (const auto frames = frames_of(constraint.joint)) {
    info.pivot = frames->a.translation * system.game_units;
    info.to_pivot = frames->b.translation * system.game_units;
    if (!std::holds_alternative<BallJoint>(constraint.joint)) {
      info.axis = frames->a.rotation[0];
      info.to_axis = frames->b.rotation[0];
      info.normal = frames->a.rotation[1];
      info.to_normal = frames->b.rotation[1];
    }
  }
  add_limits(info, constraint.joint, system.game_units);
  info.break_threshold = constraint.break_threshold;
  info.stabilized = constraint.is_stabilized;
  info.motors = motor_infos(system, constraint.joint);
  return info;
}

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
    return fail(ErrorCode::NotFound, "the file contains no joints; `add-joint` makes one");
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
      return fail(ErrorCode::NotFound,
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
  auto* origin = std::get_if<NifOrigin>(&document.origin);
  if (!origin || traits_of(document.collision[system].system) == before) return {};
  return store_systems(document, *origin, context, context.notes);
}

Result<void> check_not_ragdoll(const DocumentCollision& collision) {
  if (!collision.system.ragdoll) return {};
  return fail(ErrorCode::Unsupported,
              "each bone of a ragdoll has one joint, which can be changed, also in kind, but not added or removed; "
              "`collision ragdoll` builds another ragdoll");
}

constexpr FieldText kJointBlock{.help = "which system of a NIF, if there are several", .placeholder = "N", .min = 0};

void describe_which(FieldList& fields, WhichJoint& which) {
  fields("block", which.block, kJointBlock);
  fields("joint", which.joints,
         {.help = "number of the joint; may be given again", .placeholder = "N", .min = 0, .otherwise = "the only one"});
  fields("body", which.body,
         {.help = "the joints that hang this body on another: its number, or the name of its node", .placeholder = "B"});
}

void describe_place(FieldList& fields, JointPlace& place) {
  fields("at", place.at,
         {.help = "takes pivot and axes from this node, bone or body; the next three are then in its space",
          .placeholder = "NAME",
          .otherwise = "the body"});
  fields("pivot", place.pivot, {.help = "the point that both bodies share", .unit = "game units", .placeholder = "X,Y,Z"});
  fields("axis", place.axis, {.help = "the axis that it twists or turns about, or slides along", .placeholder = "X,Y,Z"});
  fields("normal", place.normal,
         {.help = "normal of the plane that swing is limited from, and where hinges have angle 0", .placeholder = "X,Y,Z"});
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
         {.help = "ragdoll: swing of the axis to any side", .unit = "degrees", .placeholder = "DEG", .min = 0, .max = 180});
  fields("plane", edit.plane, angles("ragdoll: swing of the axis out of the plane"));
  fields("angle", edit.angle, angles("limited hinge: how far it turns"));
  fields("distance", edit.distance, {.help = "prismatic: how far it slides", .unit = "game units", .placeholder = "MIN,MAX"});
  fields("friction", edit.friction,
         {.help = "largest friction torque, or force of a prismatic joint", .placeholder = "F", .min = 0});
  fields("break_threshold", edit.break_threshold,
         {.help = "impulse that breaks the joint; 0: it never breaks", .placeholder = "F", .min = 0});
  fields("stabilized", edit.stabilized, {.help = "uses the stabilized solver, as the game's ragdolls do", .placeholder = "ON"});
  fields("motor", edit.motor, {.help = "turns the motors on or off", .placeholder = "ON"});
  fields("motor_kind", edit.motor_kind, {.help = "what the motors are", .placeholder = "KIND"});
  fields("motor_min_force", edit.motor_min_force, {.help = "smallest force of the motors", .placeholder = "F"});
  fields("motor_max_force", edit.motor_max_force, {.help = "largest force of the motors", .placeholder = "F"});
  fields("motor_stiffness", edit.motor_stiffness,
         {.help = "tau of a position or velocity motor, constant of a spring", .placeholder = "F", .min = 0});
  fields("motor_damping", edit.motor_damping, {.help = "damping of the motors", .placeholder = "F", .min = 0});
}

}  // namespace

void describe(FieldList& fields, MotorInfo& motor) {
  fields("drives", motor.drives);
  fields("type", motor.type);
  fields("min_force", motor.min_force);
  fields("max_force", motor.max_force);
  fields("stiffness", motor.stiffness);
  fields("damping", motor.damping);
}

void describe(FieldList& fields, JointInfo& joint) {
  fields("block", joint.block);
  fields("joint", joint.joint);
  fields("type", joint.type);
  fields("body", joint.body, {.help = "the child"});
  fields("node", joint.node);
  fields("to", joint.to, {.help = "the parent; null: the world"});
  fields("to_node", joint.to_node);
  fields("pivot", joint.pivot, {.help = "in the space of the body", .unit = "game units"});
  fields("to_pivot", joint.to_pivot, {.help = "in the space of the parent", .unit = "game units"});
  fields("axis", joint.axis, {.sparse = true});
  fields("to_axis", joint.to_axis, {.sparse = true});
  fields("normal", joint.normal, {.sparse = true});
  fields("to_normal", joint.to_normal, {.sparse = true});
  fields("twist", joint.twist, {.unit = "degrees", .sparse = true});
  fields("cone", joint.cone, {.unit = "degrees", .sparse = true});
  fields("plane", joint.plane, {.unit = "degrees", .sparse = true});
  fields("angle", joint.angle, {.unit = "degrees", .sparse = true});
  fields("distance", joint.distance, {.unit = "game units", .sparse = true});
  fields("friction", joint.friction, {.sparse = true});
  fields("break_threshold", joint.break_threshold, {.sparse = true});
  fields("stabilized", joint.stabilized);
  fields("motors_on", joint.motors_on, {.sparse = true});
  fields("motors", joint.motors);
}

void describe(FieldList& fields, JointsOptions& options) {
  fields("block", options.block, {.help = "only this system of the NIF", .placeholder = "N", .min = 0});
  fields("joint", options.joints,
         {.help = "only this joint of each system; may be given again", .placeholder = "N", .min = 0, .otherwise = "all"});
}
void describe(FieldList& fields, JointsReport& report) { fields("joints", report.joints); }

void describe(FieldList& fields, AddJointOptions& options) {
  fields("body", options.body,
         {.help = "the body that hangs on the other: its number, or the name of its node", .placeholder = "A", .required = true});
  fields("to", options.to, {.help = "the body that it hangs on", .placeholder = "B", .otherwise = "the world"});
  fields("block", options.block, kJointBlock);
  fields("kind", options.kind, {.help = "what the joint is", .placeholder = "KIND", .required = true});
  describe_place(fields, options.place);
  describe_edit(fields, options.edit);
}

void describe(FieldList& fields, SetJointOptions& options) {
  describe_which(fields, options.which);
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
  const auto node = std::ranges::find(collision.nodes, body, &BodyNode::body);
  if (node != collision.nodes.end()) return node->world;
  if (body >= collision.system.bodies.size()) return {};
  const Body& own = collision.system.bodies[body];
  return {Vec3(own.position) * collision.system.game_units, own.orientation, Vec3(1.0f)};
}

Result<JointsReport> list_joints(const Document& document, const JointsOptions& options, Context&) {
  MARROW_CHECK(takes("collision joints", document, document.packfile() || document.nif()));
  if (options.block) MARROW_CHECK(find_system(document, options.block));
  JointsReport report;
  for (const DocumentCollision& collision : document.collision) {
    if (options.block && collision.block != options.block) continue;
    for (std::size_t i = 0; i < collision.system.constraints.size(); ++i)
      if (options.joints.empty() || std::ranges::find(options.joints, i) != options.joints.end())
        report.joints.push_back(joint_info(collision, i));
  }
  return report;
}

Result<EditedJointsReport> add_joint(Document& document, const AddJointOptions& options, Context& context) {
  MARROW_CHECK(takes("collision add-joint", document, document.packfile() || document.nif()));
  MARROW_TRY(const BodyPlace child, find_body(document, options.body, options.block));
  DocumentCollision& collision = document.collision[child.system];
  MARROW_CHECK(check_not_ragdoll(collision));
  Constraint constraint{.body_a = static_cast<std::uint32_t>(child.body), .joint = make_joint(options.kind)};
  // The game's joints outside ragdolls do not use the stabilized solver.
  constraint.is_stabilized = false;
  if (options.to) {
    MARROW_TRY(const BodyPlace parent, find_body(document, *options.to, collision.block));
    if (parent.system != child.system || parent.body == child.body)
      return fail(ErrorCode::InvalidArgument, "a joint connects two bodies of one system", kNoOffset, "to");
    constraint.body_b = static_cast<std::uint32_t>(parent.body);
  }
  MARROW_CHECK(place_joint(document, collision, constraint, options.place, true));
  CollisionSystem edited = collision.system;
  const SystemTraits before = traits_of(edited);
  edited.constraints.push_back(std::move(constraint));
  const std::size_t joint = edited.constraints.size() - 1;
  MARROW_CHECK(edit_joint(edited, joint, options.edit));
  collision.system = std::move(edited);
  const EditedJointsReport report{collision.block, {joint}};
  MARROW_CHECK(follow_traits(document, before, child.system, context));
  return report;
}

Result<EditedJointsReport> set_joints(Document& document, const SetJointOptions& options, Context&) {
  MARROW_CHECK(takes("collision set-joint", document, document.packfile() || document.nif()));
  MARROW_TRY(const JointSelection selection, selected_joints(document, options.which));
  DocumentCollision& collision = document.collision[selection.system];
  CollisionSystem edited = collision.system;
  for (const std::size_t joint : selection.joints) {
    MARROW_CHECK(edit_joint(edited, joint, options.edit));
    MARROW_CHECK(place_joint(document, collision, edited.constraints[joint], options.place, false));
  }
  collision.system = std::move(edited);
  return EditedJointsReport{collision.block, selection.joints};
}

Result<EditedJointsReport> remove_joints(Document& document, const RemoveJointOptions& options, Context& context) {
  MARROW_CHECK(takes("collision remove-joint", document, document.packfile() || document.nif()));
  MARROW_TRY(const JointSelection selection, selected_joints(document, options.which));
  DocumentCollision& collision = document.collision[selection.system];
  MARROW_CHECK(check_not_ragdoll(collision));
  const SystemTraits before = traits_of(collision.system);
  for (std::size_t i = selection.joints.size(); i-- > 0;) remove_joint(collision.system, selection.joints[i]);
  const EditedJointsReport report{collision.block, selection.joints};
  MARROW_CHECK(follow_traits(document, before, selection.system, context));
  return report;
}

}  // namespace marrow
