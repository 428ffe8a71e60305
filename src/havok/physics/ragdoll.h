// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>

#include "marrow/core/error.h"
#include "marrow/model/collision.h"
#include "marrow/model/skeleton.h"

/// Ragdolls built from a skeleton and a table of bodies. Lengths are game units, angles radians.
namespace marrow::havok {

enum class RagdollShape : std::uint8_t {
  Capsule,  ///< along the bone
  Box,      ///< around the middle of the bone, along its axes
  Ball,     ///< around the middle of the bone
};

/// Limits of a joint that swings and twists.
struct SwingLimits {
  float twist_min = -0.2f, twist_max = 0.2f;    ///< about the bone
  float cone = 0.5f;                            ///< of the bone's swing to any side
  float plane_min = -0.35f, plane_max = 0.35f;  ///< of the swing towards `plane_normal`
  Vec3 plane_normal{0, 1, 0};                   ///< in the bone's space

  bool operator==(const SwingLimits&) const = default;
};

/// Limits of a joint that turns about one axis, as knees and elbows do.
struct TurnLimits {
  Vec3 axis{0, 0, 1};  ///< in the bone's space
  float min = 0.0f, max = 0.0f;

  bool operator==(const TurnLimits&) const = default;
};

/// A joint that turns about one axis without limits.
struct FreeTurn {
  Vec3 axis{0, 0, 1};  ///< in the bone's space

  bool operator==(const FreeTurn&) const = default;
};

/// A joint that shares a point and turns freely.
struct FreeSwing {
  bool operator==(const FreeSwing&) const = default;
};

/// Limits of a joint that slides along one axis.
struct SlideLimits {
  Vec3 axis{1, 0, 0};            ///< in the bone's space
  float min = 0.0f, max = 0.0f;  ///< game units

  bool operator==(const SlideLimits&) const = default;
};

/// A joint that does not move.
struct NoMotion {
  bool operator==(const NoMotion&) const = default;
};

using JointLimits = std::variant<SwingLimits, TurnLimits, FreeTurn, FreeSwing, SlideLimits, NoMotion>;

/// One body of a ragdoll and its joint to the body above. The joint's angles are 0 in the rest pose.
struct RagdollBody {
  std::string bone = {};
  RagdollShape shape = RagdollShape::Capsule;
  float radius = 5.0f;                  ///< of a capsule or ball
  Vec3 half_extents{5.0f, 5.0f, 5.0f};  ///< of a box
  /// The ends of the bone, in its space. If not given, the bone reaches from its own origin to the bone of the next
  /// body below (their mean if there are several), or `length` along x at the end of a limb. The ends of a capsule lie
  /// half a radius inside.
  std::optional<Vec3> from = {}, to = {};
  float length = 10.0f;
  float mass_kg = 3.0f;
  std::uint8_t layer = 8;  ///< BIPED
  std::uint8_t part = 0;   ///< of a body, as the game counts: 1 head, 2 body, 3 and 4 spine, 5-7 left arm, 8-10 left
                           ///< leg, 11-13 and 14-16 right
  JointLimits limits = SwingLimits{};
  float friction_torque = 3.0f;  ///< largest torque, or force of a joint that slides; joints without limits have none

  bool operator==(const RagdollBody&) const = default;
};

struct RagdollOptions {
  float game_units = kGameUnitsPerHavokUnit;  ///< in one unit of the system; 1 for a skeleton.hkx
  std::uint32_t material = 0x233DB702;        ///< of all shapes: organic skin
  bool mirrored = true;         ///< gives the bone on the other side a body too, if the table has none for it
  bool has_bone_names = false;  ///< names in the ragdoll's skeleton; NIF files have none
};

/// Builds a ragdoll. Bodies come in breadth-first order of their bones, each at the rest pose of its bone, joined to
/// the nearest bone above that has a body. Joints that may have motors share one position motor, which is disabled.
/// Mirrored bodies are reflected in the plane X = 0 of the skeleton, so that bones of any orientation get the right
/// shape and limits. Fails if a bone is missing or named twice, if several bones have no body above them, and on sizes
/// and masses that are not positive numbers.
Result<CollisionSystem> make_ragdoll(const Skeleton& skeleton, std::span<const RagdollBody> bodies,
                                     const RagdollOptions& options = {});

}  // namespace marrow::havok
