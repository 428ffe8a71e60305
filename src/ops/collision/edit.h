// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

#include "marrow/core/error.h"
#include "marrow/model/collision.h"

namespace marrow {

/// Changes to a body; fields that are not set stay. Lengths are in the unit of the system.
struct BodyEdit {
  std::optional<MotionType> motion = {};
  std::optional<float> mass_kg = {};  ///< dynamic bodies only
  std::optional<float> friction = {};
  std::optional<float> restitution = {};
  std::optional<float> linear_damping = {};  ///< this and the next four: dynamic bodies only
  std::optional<float> angular_damping = {};
  std::optional<float> gravity_factor = {};
  std::optional<float> max_linear_speed = {};
  std::optional<float> max_angular_speed = {};
  std::optional<std::uint32_t> material = {};  ///< CRC, for the whole shape
  std::optional<std::uint8_t> layer = {};
  std::optional<bool> collides = {};         ///< off: other bodies pass through it
  std::optional<bool> enter_keyframed = {};  ///< enters the world keyframed, like the bones of a ragdoll
  std::optional<bool> impact_events = {};    ///< off: no sound when it hits something
  std::optional<Vec3> position = {};
  std::optional<Quat> rotation = {};

  bool operator==(const BodyEdit&) const = default;
};

/// Returns the layer that the game's props of a motion type are on: STATIC, ANIMSTATIC or CLUTTER.
std::uint8_t usual_layer(MotionType motion);

/// Changes one body. Mass, inertia and the position of the motion are updated. With the motion type, the layer changes
/// if it was the usual one of the old type, and impact events are switched; `notes` reports it, and what does not fit.
/// A surface or motion that another body shares is copied first. Fails, and changes nothing, if the body cannot have
/// the requested properties.
Result<void> edit_body(CollisionSystem& system, std::size_t body, const BodyEdit& edit, Notes& notes);

/// Sets the motion type of a body; `mass_kg` is for dynamic ones. The other values are computed from the shape.
Result<void> set_motion(CollisionSystem& system, std::size_t body, MotionType type, float mass_kg);

}  // namespace marrow
