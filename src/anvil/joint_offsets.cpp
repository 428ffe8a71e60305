// SPDX-License-Identifier: MIT
#include "anvil/joint_offsets.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <glm/mat3x3.hpp>

namespace marrow::anvil {
namespace {

constexpr double kDegrees = 180.0 / std::numbers::pi;

glm::dquat turn(float degrees, const glm::dvec3& axis) {
  return glm::angleAxis(static_cast<double>(degrees) / kDegrees, axis);
}

float degrees(double radians) {
  const double value = radians * kDegrees;
  return std::abs(value) < 1e-6 ? 0.0f : static_cast<float>(value);
}

}  // namespace

glm::dquat from_offsets(const BallJointModifier& joint) {
  return turn(joint.local_yaw_offset, {0, 0, 1}) * turn(joint.local_pitch_offset, {0, 1, 0}) *
         turn(joint.local_roll_offset, {1, 0, 0});
}

void set_offsets(BallJointModifier& joint, const glm::dquat& rotation) {
  const glm::dmat3 r = glm::mat3_cast(glm::normalize(rotation));  // r[column][row]
  const double flat = std::hypot(r[0][0], r[0][1]);
  joint.local_pitch_offset = degrees(std::atan2(-r[0][2], flat));
  // Straight up or down, yaw and roll are one turn: it is written as yaw.
  const bool is_straight = flat < 1e-9;
  joint.local_yaw_offset = degrees(is_straight ? std::atan2(-r[1][0], r[1][1]) : std::atan2(r[0][1], r[0][0]));
  joint.local_roll_offset = is_straight ? 0.0f : degrees(std::atan2(r[1][2], r[2][2]));
}

}  // namespace marrow::anvil
