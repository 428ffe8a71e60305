// SPDX-License-Identifier: MIT
#pragma once

#include "motion/solver.h"
#include "motion/solvers/angle_limit.h"
#include "motion/solvers/spring.h"

namespace marrow::motion {

/// Follows the rotation of a bone as a damped spring does. docs/modifiers/rotation-constraint.md
struct RotationConstraintSolver {
  static constexpr Effect kEffect{.delta = true, .rotation = true, .position = false};
  static constexpr bool kAnchored = true;

  struct Memory {
    DVec offset;             // rotation vector from the goal, world
    DVec speed;              // rad/s, relative to the goal
    DQuat goal;              // of the last frame
    DVec goal_spin;          // rad/s, of the last frame
    DVec goal_acceleration;  // rad/s^2, at its start
    DVec last;               // offset last given out, in the goal's frame
  };

  Spring spring;
  bool snaps;  // to the goal, without any inertia
  DVec gravity;
  DVec along;  // direction of the bone, for gravity to pull on
  std::int32_t bone;
  DQuat rest_offset;
  std::vector<AngleLimit> limits;  // of the offset about X, Y and Z of the goal
  double free_angle;               // no shorter offset meets a limit or the zone before it

  static Compiled<RotationConstraintSolver> compile(const RotationConstraintModifier& modifier,
                                                    const CompileContext& context, std::string& why);
  std::size_t state_size() const { return kStateDoubles<Memory>; }
  void solve(Solve& solve) const;

 private:
  DVec pulled_to(const DQuat& goal) const;
  void advance(Memory& memory, Solve& solve, const DQuat& goal) const;
  void move(Memory& memory, Solve& solve, const DQuat& goal, const DVec& rest0, const DVec& rest1) const;
  bool is_free(const DVec& offset) const { return glm::dot(offset, offset) < free_angle * std::abs(free_angle); }
  LimitHit keep_in_limits(Memory& memory, const DQuat& goal, double frames) const;
};

}  // namespace marrow::motion
