// SPDX-License-Identifier: MIT
// What is reported about joints.
#include <algorithm>
#include <numbers>

#include "core/try.h"
#include "ops/collision/joints.h"
#include "ops/table/define.h"

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
    if (!std::holds_alternative<BallJoint>(constraint.joint) &&
        !std::holds_alternative<SpringJoint>(constraint.joint)) {
      info.axis = frames->a.rotation[0];
      info.to_axis = frames->b.rotation[0];
      info.normal = frames->a.rotation[1];
      info.to_normal = frames->b.rotation[1];
    }
  }
  if (const auto* spring = std::get_if<SpringJoint>(&constraint.joint))
    info.length = spring->length * system.game_units;
  if (const auto* chain = std::get_if<ChainJoint>(&constraint.joint)) {
    info.chain.emplace();
    for (const std::uint32_t body : chain->bodies) info.chain->push_back(body_label(collision, body).value_or(""));
    info.tau = chain->tau;
    info.damping = chain->damping;
    info.cfm = chain->cfm;
    info.max_error = chain->max_error;
  }
  if (constraint.source.is_set() && system.game == CollisionGame::Skyrim) {
    info.block = static_cast<std::int32_t>(constraint.source.value);
    info.system = collision.block;
    if (constraint.break_threshold) info.remove_when_broken = constraint.remove_when_broken;
    info.strength = constraint.malleable_strength;
  }
  add_limits(info, constraint.joint, system.game_units);
  info.break_threshold = constraint.break_threshold;
  info.stabilized = constraint.is_stabilized;
  info.motors = motor_infos(system, constraint.joint);
  return info;
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
  fields("length", joint.length, {.help = "of a spring", .unit = "game units", .sparse = true});
  fields("chain", joint.chain, {.help = "the nodes of a chain in order", .sparse = true});
  fields("tau", joint.tau, {.sparse = true});
  fields("damping", joint.damping, {.sparse = true});
  fields("cfm", joint.cfm, {.sparse = true});
  fields("max_error", joint.max_error, {.sparse = true});
  fields("remove_when_broken", joint.remove_when_broken, {.sparse = true});
  fields("strength", joint.strength, {.help = "of a malleable joint", .sparse = true});
  fields("system", joint.system, {.help = "block of the system, if the joint is a block itself", .sparse = true});
  fields("stabilized", joint.stabilized);
  fields("motors_on", joint.motors_on, {.sparse = true});
  fields("motors", joint.motors);
}

void describe(FieldList& fields, JointsOptions& options) {
  fields("block", options.block, {.help = "only this system of the NIF", .placeholder = "N", .min = 0});
  fields(
      "joint", options.joints,
      {.help = "only this joint of each system; may be given again", .placeholder = "N", .min = 0, .otherwise = "all"});
}
void describe(FieldList& fields, JointsReport& report) { fields("joints", report.joints); }

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

}  // namespace marrow
