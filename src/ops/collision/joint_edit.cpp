// SPDX-License-Identifier: MIT
#include "ops/collision/joint_edit.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <vector>

#include "core/try.h"

namespace marrow {
namespace {

template <class J>
concept HasFrames = requires(J joint) { joint.frame_a; };
template <class J>
concept HasPivots = requires(J joint) { joint.pivot_a; };

float radians_of(double degrees) { return static_cast<float>(degrees * std::numbers::pi / 180.0); }

std::unexpected<Error> refuse_option(const char* option, std::string message) {
  return fail(ErrorCode::BadOption, std::move(message), kNoOffset, option);
}

std::unexpected<Error> has_none(const Constraint& constraint, const char* option, const char* what, const char* owner) {
  return refuse_option(
      option, "a joint of type " + std::string(type_name(constraint)) + " has no " + what + "; " + owner + " have");
}

Result<void> check_range(const char* option, const std::optional<JointRange>& range, double least, double most) {
  if (!range) return {};
  const auto [low, high] = *range;
  if (!(std::isfinite(low) && std::isfinite(high) && low <= high))
    return refuse_option(option, "takes the smaller number first");
  if (low < least || high > most) return refuse_option(option, "reaches from -180 to 180 degrees");
  return {};
}

Result<void> check_ranges(const JointEdit& edit) {
  MARROW_CHECK(check_range("twist", edit.twist, -180.0, 180.0));
  MARROW_CHECK(check_range("plane", edit.plane, -180.0, 180.0));
  MARROW_CHECK(check_range("angle", edit.angle, -180.0, 180.0));
  MARROW_CHECK(check_range("distance", edit.distance, -1e9, 1e9));
  return {};
}

Result<void> edit_limits(Constraint& constraint, const JointEdit& edit, float game_units) {
  auto* ragdoll = std::get_if<RagdollJoint>(&constraint.joint);
  auto* hinge = std::get_if<LimitedHingeJoint>(&constraint.joint);
  auto* prismatic = std::get_if<PrismaticJoint>(&constraint.joint);
  const auto set_range = [](const std::optional<JointRange>& range, float& low, float& high) {
    if (!range) return;
    low = radians_of((*range)[0]);
    high = radians_of((*range)[1]);
  };
  if (!ragdoll) {
    if (edit.twist) return has_none(constraint, "twist", "twist", "ragdoll joints");
    if (edit.plane) return has_none(constraint, "plane", "plane", "ragdoll joints");
    if (edit.cone) return has_none(constraint, "cone", "cone", "ragdoll joints");
  } else {
    set_range(edit.twist, ragdoll->twist_min, ragdoll->twist_max);
    set_range(edit.plane, ragdoll->plane_min, ragdoll->plane_max);
    if (edit.cone) ragdoll->cone_max = radians_of(*edit.cone);
  }
  if (edit.angle && !hinge) return has_none(constraint, "angle", "angle to limit", "limited hinges");
  if (hinge) set_range(edit.angle, hinge->min_angle, hinge->max_angle);
  if (edit.distance && !prismatic) return has_none(constraint, "distance", "distance to limit", "prismatic joints");
  if (edit.distance) {
    prismatic->min_distance = static_cast<float>((*edit.distance)[0]) / game_units;
    prismatic->max_distance = static_cast<float>((*edit.distance)[1]) / game_units;
  }
  if (!edit.friction) return {};
  if (ragdoll)
    ragdoll->max_friction_torque = *edit.friction;
  else if (hinge)
    hinge->max_friction_torque = *edit.friction;
  else if (prismatic)
    prismatic->max_friction_force = *edit.friction;
  else
    return has_none(constraint, "friction", "friction", "ragdoll joints, limited hinges and prismatic joints");
  return {};
}

Result<void> edit_motor(Motor& motor, const JointEdit& edit) {
  if (edit.motor_kind && motor.drive.index() != static_cast<std::size_t>(*edit.motor_kind)) {
    switch (*edit.motor_kind) {
      case MotorKind::Position: motor.drive = PositionMotor{}; break;
      case MotorKind::Velocity: motor.drive = VelocityMotor{}; break;
      case MotorKind::SpringDamper: motor.drive = SpringDamperMotor{}; break;
    }
    motor.source = {};
  }
  if (const auto* unknown = std::get_if<UnknownMotor>(&motor.drive))
    return refuse_option("motor_kind", "a motor of class " + unknown->class_name + " cannot be changed, only replaced");
  return std::visit(
      [&](auto& drive) -> Result<void> {
        if constexpr (requires { drive.min_force; }) {
          if (edit.motor_min_force) drive.min_force = *edit.motor_min_force;
          if (edit.motor_max_force) drive.max_force = *edit.motor_max_force;
          if (!(drive.min_force <= drive.max_force))
            return refuse_option("motor_min_force", "is above the largest force");
        }
        if constexpr (requires { drive.tau; })
          drive.tau = edit.motor_stiffness.value_or(drive.tau);
        else if constexpr (requires { drive.spring_constant; })
          drive.spring_constant = edit.motor_stiffness.value_or(drive.spring_constant);
        if constexpr (requires { drive.damping; })
          drive.damping = edit.motor_damping.value_or(drive.damping);
        else if constexpr (requires { drive.spring_damping; })
          drive.spring_damping = edit.motor_damping.value_or(drive.spring_damping);
        else if (edit.motor_damping)
          return refuse_option("motor_damping", "a velocity motor has no damping");
        return {};
      },
      motor.drive);
}

bool is_used_elsewhere(const CollisionSystem& system, MotorId motor, std::size_t joint) {
  bool is_used = false;
  for (std::size_t i = 0; i < system.constraints.size(); ++i)
    if (i != joint) for_each_motor(system.constraints[i].joint, [&](MotorId id) { is_used |= id == motor; });
  return is_used;
}

bool changes_motor(const JointEdit& edit) {
  return edit.motor_kind || edit.motor_min_force || edit.motor_max_force || edit.motor_stiffness || edit.motor_damping;
}

Result<void> edit_motors(CollisionSystem& system, std::size_t joint, const JointEdit& edit) {
  if (!edit.motor && !changes_motor(edit)) return {};
  Constraint& constraint = system.constraints[joint];
  std::vector<MotorId*> slots;
  for_each_motor(constraint.joint, [&](MotorId& id) { slots.push_back(&id); });
  if (slots.empty())
    return has_none(constraint, "motor", "motor", "ragdoll joints, limited hinges and prismatic joints");
  const bool has_motor = std::ranges::any_of(slots, [](const MotorId* id) { return *id != MotorId::None; });
  if (!has_motor && (edit.motor == true || changes_motor(edit))) {
    const MotorId added = system.add_motor({});
    for (MotorId* id : slots) *id = added;
  }
  if (changes_motor(edit)) {
    std::map<MotorId, MotorId> own;
    for (MotorId* id : slots) {
      if (*id == MotorId::None) continue;
      const auto [at, is_new] = own.try_emplace(*id, *id);
      if (is_new) {
        if (is_used_elsewhere(system, *id, joint)) {
          Motor copy = system.motors[static_cast<std::size_t>(*id)];
          copy.source = {};
          at->second = system.add_motor(std::move(copy));
        }
        MARROW_CHECK(edit_motor(system.motors[static_cast<std::size_t>(at->second)], edit));
      }
      *id = at->second;
    }
  }
  if (!edit.motor) return {};
  if (auto* ragdoll = std::get_if<RagdollJoint>(&constraint.joint)) ragdoll->motors_enabled = *edit.motor;
  if (auto* hinge = std::get_if<LimitedHingeJoint>(&constraint.joint)) hinge->motor_enabled = *edit.motor;
  if (auto* prismatic = std::get_if<PrismaticJoint>(&constraint.joint)) prismatic->motor_enabled = *edit.motor;
  return {};
}

// Gives a joint another kind, which keeps what both have.
void change_kind(Joint& joint, JointKind kind) {
  Joint other = make_joint(kind);
  if (joint.index() == other.index()) return;
  if (const auto frames = frames_of(joint)) set_frames(other, *frames);
  float friction = 0.0f;
  if (const auto* ragdoll = std::get_if<RagdollJoint>(&joint)) friction = ragdoll->max_friction_torque;
  if (const auto* hinge = std::get_if<LimitedHingeJoint>(&joint)) friction = hinge->max_friction_torque;
  if (auto* ragdoll = std::get_if<RagdollJoint>(&other)) ragdoll->max_friction_torque = friction;
  if (auto* hinge = std::get_if<LimitedHingeJoint>(&other)) hinge->max_friction_torque = friction;
  MotorId motor = MotorId::None;
  for_each_motor(joint, [&](MotorId id) { motor = id; });
  for_each_motor(other, [&](MotorId& id) { id = motor; });
  joint = std::move(other);
}

}  // namespace

std::optional<JointFrames> frames_of(const Joint& joint) {
  return std::visit(
      [](const auto& each) -> std::optional<JointFrames> {
        using J = std::remove_cvref_t<decltype(each)>;
        if constexpr (HasFrames<J>)
          return JointFrames{each.frame_a, each.frame_b};
        else if constexpr (HasPivots<J>)
          return JointFrames{{.translation = each.pivot_a}, {.translation = each.pivot_b}};
        else
          return std::nullopt;
      },
      joint);
}

void set_frames(Joint& joint, const JointFrames& frames) {
  std::visit(
      [&](auto& each) {
        using J = std::remove_cvref_t<decltype(each)>;
        if constexpr (HasFrames<J>) {
          each.frame_a = frames.a;
          each.frame_b = frames.b;
        } else if constexpr (HasPivots<J>) {
          each.pivot_a = frames.a.translation;
          each.pivot_b = frames.b.translation;
        }
      },
      joint);
}

Joint make_joint(JointKind kind) {
  switch (kind) {
    case JointKind::Ball: return BallJoint{};
    case JointKind::Hinge: return HingeJoint{};
    case JointKind::LimitedHinge: return LimitedHingeJoint{};
    case JointKind::Ragdoll: return RagdollJoint{};
    case JointKind::Prismatic: return PrismaticJoint{};
    case JointKind::Fixed: break;
  }
  return FixedJoint{};
}

glm::mat3 joint_axes(const Vec3& axis, const Vec3& normal) {
  const Vec3 x = glm::normalize(axis);
  Vec3 y = normal - x * glm::dot(x, normal);
  if (!(glm::length(y) > 1e-4f)) y = glm::cross(std::abs(x.z) < 0.9f ? Vec3(0, 0, 1) : Vec3(1, 0, 0), x);
  y = glm::normalize(y);
  return glm::mat3(x, y, glm::cross(x, y));
}

Result<void> edit_joint(CollisionSystem& system, std::size_t joint, const JointEdit& edit) {
  if (joint >= system.constraints.size())
    return fail(ErrorCode::NotFound, "there is no joint " + std::to_string(joint) + ": the system has " +
                                         std::to_string(system.constraints.size()) + ", from 0");
  MARROW_CHECK(check_ranges(edit));
  CollisionSystem edited = system;
  Constraint& constraint = edited.constraints[joint];
  if (edit.kind) change_kind(constraint.joint, *edit.kind);
  const bool is_unknown = std::holds_alternative<UnknownJoint>(constraint.joint);
  if (is_unknown && edit != JointEdit{.break_threshold = edit.break_threshold})
    return fail(ErrorCode::Unsupported,
                "a joint of class " + std::string(type_name(constraint)) + " is not understood, and cannot be changed");
  if (edit.break_threshold && std::holds_alternative<ChainJoint>(constraint.joint))
    return fail(ErrorCode::BadOption, "a ball chain cannot break", kNoOffset, "break_threshold");
  MARROW_CHECK(edit_limits(constraint, edit, edited.game_units));
  if (edit.break_threshold)
    constraint.break_threshold = *edit.break_threshold > 0.0f ? edit.break_threshold : std::nullopt;
  if (edit.stabilized) constraint.is_stabilized = *edit.stabilized;
  MARROW_CHECK(edit_motors(edited, joint, edit));
  system = std::move(edited);
  return {};
}

void remove_joint(CollisionSystem& system, std::size_t joint) {
  std::vector<MotorId> motors;
  for_each_motor(system.constraints[joint].joint, [&](MotorId id) { motors.push_back(id); });
  system.constraints.erase(system.constraints.begin() + static_cast<std::ptrdiff_t>(joint));
  std::ranges::sort(motors, std::greater{});
  motors.erase(std::ranges::unique(motors).begin(), motors.end());
  for (const MotorId motor : motors) {
    if (motor == MotorId::None || is_used_elsewhere(system, motor, system.constraints.size())) continue;
    system.motors.erase(system.motors.begin() + static_cast<std::ptrdiff_t>(motor));
    for (Constraint& each : system.constraints)
      for_each_motor(each.joint, [&](MotorId& id) {
        if (id != MotorId::None && id > motor) id = static_cast<MotorId>(static_cast<std::uint32_t>(id) - 1);
      });
  }
}

}  // namespace marrow
