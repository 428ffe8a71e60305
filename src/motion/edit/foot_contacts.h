// SPDX-License-Identifier: MIT
// When feet stand: contacts of toe and heel with the ground.
#pragma once

#include <span>
#include <vector>

#include "motion/edit/feet.h"
#include "motion/edit/turns.h"

namespace marrow::motion {

/// The two points of a leg that stand, in model space, by frame.
struct LegPaths {
  std::vector<Vec3d> ankle = {}, toe = {};
  double length = 0;  ///< of the leg

  const std::vector<Vec3d>& point(bool is_toe) const { return is_toe ? toe : ankle; }
};
LegPaths leg_paths(const Skeleton& skeleton, const Limb& leg, const Clip& clip);

/// What a foot stands on at a frame.
enum class Stance : std::uint8_t { None, Heel, Toe };

/// Returns the stance of a leg at each frame. `toe` and `heel` are places over the ground.
std::vector<Stance> find_stances(std::span<const Vec3d> toe, std::span<const Vec3d> heel, double leg_length,
                                 double frame_seconds);

/// Returns the velocity of the ground under a clip that is played on the spot, in units per frame; zero if the body
/// does not walk so.
Vec3d find_treadmill(std::span<const LegPaths> legs, double frame_seconds);

/// Returns the value below which a share of all values lies.
double quantile(std::vector<double> values, double share);

/// Returns the mean speed over the intervals before and after each point, in units per second.
std::vector<double> speeds_of(std::span<const Vec3d> points, double frame_seconds);

}  // namespace marrow::motion
