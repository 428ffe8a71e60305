// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <glm/mat3x3.hpp>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "marrow/model/collision_shape.h"

/// Joints between bodies and the motors that drive them. Angles are radians, lengths in the unit of the system, forces
/// and torques in the unit of the physics engine. The defaults are those of the game's own joints.
namespace marrow {

/// Number of a motor in `CollisionSystem::motors`.
enum class MotorId : std::uint32_t { None = 0xFFFFFFFF };

/// Drives a joint to a target position or angle.
struct PositionMotor {
  float min_force = -1e6f;
  float max_force = 100.0f;
  float tau = 0.8f;  ///< stiffness: the fraction of the error that is corrected per step
  float damping = 1.0f;
  float proportional_recovery_velocity = 5.0f;
  float constant_recovery_velocity = 0.2f;

  bool operator==(const PositionMotor&) const = default;
};

/// Drives a joint at a speed.
struct VelocityMotor {
  float min_force = -1e6f;
  float max_force = 100.0f;
  float tau = 0.8f;
  float velocity_target = 0.0f;
  bool uses_constraint_targets = false;  ///< uses the speed from the targets of the joint instead

  bool operator==(const VelocityMotor&) const = default;
};

/// Pulls a joint to its target like a damped spring.
struct SpringDamperMotor {
  float min_force = -1e6f;
  float max_force = 100.0f;
  float spring_constant = 0.0f;
  float spring_damping = 0.0f;

  bool operator==(const SpringDamperMotor&) const = default;
};

/// A motor of an unknown class. It is kept unchanged.
struct UnknownMotor {
  std::string class_name = {};

  bool operator==(const UnknownMotor&) const = default;
};

/// A motor. Several joints may share it.
struct Motor {
  std::variant<PositionMotor, VelocityMotor, SpringDamperMotor, UnknownMotor> drive = PositionMotor{};
  SourceHandle source = {};

  bool operator==(const Motor&) const = default;
};
/// Returns `position`, `velocity`, `spring-damper`, or the class name of an unknown motor.
std::string_view type_name(const Motor& motor);

/// Connects a point of each body; the bodies rotate freely.
struct BallJoint {
  Vec3 pivot_a{0.0f}, pivot_b{0.0f};  ///< in the space of each body

  bool operator==(const BallJoint&) const = default;
};

/// A hinge about the x axes of its frames, without limits.
struct HingeJoint {
  Frame frame_a = {}, frame_b = {};

  bool operator==(const HingeJoint&) const = default;
};

/// A hinge about the x axes of its frames that turns between two angles.
struct LimitedHingeJoint {
  Frame frame_a = {}, frame_b = {};
  float max_friction_torque = 0.0f;
  float min_angle = 0.0f, max_angle = 0.0f;
  MotorId motor = MotorId::None;
  bool motor_enabled = false;
  float target_angle = 0.0f;

  bool operator==(const LimitedHingeJoint&) const = default;
};

/// A ball joint that limits swing and twist: a cone about the parent's x axis, the angle out of the plane of its x and
/// z axes, and the rotation about the child's x axis.
struct RagdollJoint {
  Frame frame_a = {}, frame_b = {};  ///< in the space of each body; x is the twist axis, y the normal of the plane
  float max_friction_torque = 0.0f;
  float twist_min = 0.0f, twist_max = 0.0f;
  float cone_max = 0.0f;
  float plane_min = 0.0f, plane_max = 0.0f;
  std::array<MotorId, 3> motors = {MotorId::None, MotorId::None, MotorId::None};  ///< of twist, plane and cone
  bool motors_enabled = false;
  glm::mat3 motor_target{1.0f};  ///< target rotation of the motors, from the child's frame to the parent's

  bool operator==(const RagdollJoint&) const = default;
};

/// Lets the bodies slide along the x axes of its frames, without turning.
struct PrismaticJoint {
  Frame frame_a = {}, frame_b = {};
  float max_friction_force = 0.0f;
  float min_distance = 0.0f, max_distance = 0.0f;
  MotorId motor = MotorId::None;
  bool motor_enabled = false;
  float target_distance = 0.0f;

  bool operator==(const PrismaticJoint&) const = default;
};

/// Keeps the relative pose of the bodies fixed.
struct FixedJoint {
  Frame frame_a = {}, frame_b = {};

  bool operator==(const FixedJoint&) const = default;
};

/// Keeps a point of each body at a distance.
struct SpringJoint {
  Vec3 pivot_a{0.0f}, pivot_b{0.0f};
  float length = 0.0f;

  bool operator==(const SpringJoint&) const = default;
};

/// Ball joints between each two neighbours of a row of bodies, solved together. `Constraint` names the first two.
struct ChainJoint {
  struct Link {
    Vec3 pivot_a{0.0f}, pivot_b{0.0f};  ///< in the space of body i and of body i + 1

    bool operator==(const Link&) const = default;
  };
  std::vector<std::uint32_t> bodies = {};
  std::vector<Link> links = {};
  float tau = 1.0f, damping = 0.6f, cfm = 1.1920929e-8f, max_error = 0.1f;

  bool operator==(const ChainJoint&) const = default;
};

/// A joint of an unknown class. It is kept unchanged.
struct UnknownJoint {
  std::string class_name = {};

  bool operator==(const UnknownJoint&) const = default;
};

using Joint = std::variant<RagdollJoint, LimitedHingeJoint, HingeJoint, BallJoint, PrismaticJoint, FixedJoint,
                           UnknownJoint, SpringJoint, ChainJoint>;

struct Constraint {
  std::uint32_t body_a = 0;           ///< the child
  std::uint32_t body_b = 0x7FFFFFFF;  ///< the parent, or `kNoBody` for the world
  std::uint8_t flags = 0;
  Joint joint = UnknownJoint{};
  bool is_stabilized = true;  ///< uses the stabilized solver, as in the game's ragdolls; its other joints do not
  std::optional<float> break_threshold = {};     ///< if the joint can break
  bool remove_when_broken = false;               ///< Skyrim only
  std::optional<float> malleable_strength = {};  ///< Skyrim only: if the joint gives way
  SourceHandle source = {};

  bool operator==(const Constraint&) const = default;
};
/// Returns `ragdoll`, `limited hinge`, `hinge`, `ball`, `prismatic`, `fixed`, `spring`, `ball chain`, or the class name
/// of an unknown joint.
std::string_view type_name(const Constraint& constraint);

/// Calls `action` with a reference to every motor number of a joint. The references are const if the joint is.
template <class J, class Action>
void for_each_motor(J& joint, Action&& action) {
  if (auto* ragdoll = std::get_if<RagdollJoint>(&joint))
    for (auto& motor : ragdoll->motors) action(motor);
  if (auto* hinge = std::get_if<LimitedHingeJoint>(&joint)) action(hinge->motor);
  if (auto* prismatic = std::get_if<PrismaticJoint>(&joint)) action(prismatic->motor);
}

}  // namespace marrow
