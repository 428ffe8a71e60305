// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "marrow/core/error.h"
#include "marrow/model/collision.h"

/// Changes to the joints of a system: their kind, place, limits and motors.
namespace marrow {

enum class JointKind : std::uint8_t { Ball, Hinge, LimitedHinge, Ragdoll, Prismatic, Fixed };
enum class MotorKind : std::uint8_t { Position, Velocity, SpringDamper };

/// Two numbers, the smaller one first.
using JointRange = std::array<double, 2>;

/// Changes to a joint; fields that are not set stay. Angles are degrees, lengths game units.
struct JointEdit {
  std::optional<JointKind> kind = {};  ///< frames, friction and motors stay as far as the new kind has them
  std::optional<JointRange> twist = {}, plane = {};  ///< ragdoll joints
  std::optional<double> cone = {};
  std::optional<JointRange> angle = {};       ///< limited hinges
  std::optional<JointRange> distance = {};    ///< prismatic joints
  std::optional<float> friction = {};         ///< largest torque, or force of a prismatic joint
  std::optional<float> break_threshold = {};  ///< 0: it never breaks
  std::optional<bool> stabilized = {};
  std::optional<bool> motor = {};  ///< on or off; a joint without motors gets one if they are turned on
  std::optional<MotorKind> motor_kind = {};
  std::optional<float> motor_min_force = {}, motor_max_force = {};
  std::optional<float> motor_stiffness = {};  ///< `tau`, or the spring constant
  std::optional<float> motor_damping = {};

  bool operator==(const JointEdit&) const = default;
};

/// The frames of a joint in the spaces of its two bodies, in the unit of the system. A ball joint has no rotations.
struct JointFrames {
  Frame a = {}, b = {};
};
/// Returns the frames of a joint; nothing if its class is not known.
std::optional<JointFrames> frames_of(const Joint& joint);
/// Sets the frames of a joint. Does nothing if its class is not known.
void set_frames(Joint& joint, const JointFrames& frames);

/// Returns a new joint without limits to its motion: 0 to 0 for ranges.
Joint make_joint(JointKind kind);

/// Returns three axes at right angles: x along `axis`, y as near to `normal` as can be.
glm::mat3 joint_axes(const Vec3& axis, const Vec3& normal);

/// Changes one joint. A motor that another joint shares is copied first. Fails, and changes nothing, if the joint has
/// no such limit or motor, or a range is the wrong way round.
Result<void> edit_joint(CollisionSystem& system, std::size_t joint, const JointEdit& edit);

/// Takes a joint out, with motors that no other joint uses.
void remove_joint(CollisionSystem& system, std::size_t joint);

}  // namespace marrow
