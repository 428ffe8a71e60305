// SPDX-License-Identifier: MIT
#pragma once

#include <glm/gtc/quaternion.hpp>

#include "marrow/model/modifiers.h"

namespace marrow::anvil {

/// Returns the rotation of the three offsets of a ball joint: yaw about Z, then pitch about Y, then roll about X.
glm::dquat from_offsets(const BallJointModifier& joint);
/// Sets the offsets of a ball joint to a rotation.
void set_offsets(BallJointModifier& joint, const glm::dquat& rotation);

}  // namespace marrow::anvil
