// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <glm/ext/quaternion_double.hpp>
#include <glm/ext/vector_double2.hpp>
#include <glm/ext/vector_double3.hpp>
#include <span>
#include <vector>

#include "marrow/model/clip.h"
#include "motion/edit/limb.h"

namespace marrow::motion {

struct FeetOptions {
  bool all = false;                ///< lock feet of a body that lies or sits too
  bool height = false;             ///< hold the height as well; the roll of the foot is lost with it
  double fade_seconds = 0.2;       ///< outside of a contact
  double least_drift = 0.1;        ///< units; contacts that slide less are left alone
  double max_turn_degrees = 30.0;  ///< a contact that would turn a bone further is left alone
  double max_hips = 5.0;           ///< units that the hips may move
};

/// Why a contact is not locked.
enum class ContactLeft : std::uint8_t {
  Locked,    ///< it is
  Still,     ///< it does not slide
  Lying,     ///< the body is near the ground
  TurnsFar,  ///< a bone would be turned too far
};

/// A run of frames in which a foot stands on its toe or its heel.
struct FootContact {
  std::size_t leg = 0;
  bool is_toe = false;
  std::int32_t first = 0, last = 0;  ///< frames, both included
  double drift = 0;                  ///< largest horizontal distance of the standing point from its mean, in units
  ContactLeft left = ContactLeft::Still;
};

/// How the body moves over the ground at a frame: a point of model space is at `way + turn * point`.
struct GroundFrame {
  glm::dvec3 way{0.0};
  glm::dquat turn{1, 0, 0, 0};
};

/// Where the feet of a body are to be.
struct FeetPlan {
  std::vector<FootContact> contacts = {};  ///< by leg, then by frame
  std::vector<GroundFrame> ground = {};    ///< by frame
  glm::dvec2 treadmill{0.0};               ///< units per frame that the ground moves under a clip on the spot
  bool is_loop = false;                    ///< contacts go on through the seam
  /// By leg and frame, in model space: the ankle's place, the foot's rotation, and whether the leg has to be bent.
  std::vector<std::vector<glm::dvec3>> places = {};
  std::vector<std::vector<glm::dquat>> rotations = {};
  std::vector<std::vector<std::uint8_t>> is_bent = {};
  std::vector<glm::dvec3> hips = {};  ///< by frame: how far the hips move, in model space
};

/// Finds the contacts of feet with the ground, and where the feet must be so that they do not slide while they stand.
/// The legs are those of one body. Thresholds come from the clip and the length of the legs. The clip needs frames.
FeetPlan plan_feet(const Skeleton& skeleton, std::span<const Limb> legs, const Clip& clip, const FeetOptions& options);

/// Moves the hips of a clip by `plan.hips`.
void move_hips(const Skeleton& skeleton, std::int32_t hips, const FeetPlan& plan, Clip& clip);

/// Bends a leg to the places of a plan. Returns the largest turn of its bones by frame, relative to the clip as it was,
/// in degrees.
std::vector<double> bend_leg(const Skeleton& skeleton, const Limb& leg, std::size_t index, const FeetPlan& plan,
                             Clip& clip);

/// Returns how far the standing point of each contact slides in a clip, in units.
std::vector<double> contact_drifts(const Skeleton& skeleton, std::span<const Limb> legs, const FeetPlan& plan,
                                   const Clip& clip);

}  // namespace marrow::motion
