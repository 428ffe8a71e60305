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

  template <class T>
  struct MemoryOf {
    VecOf<T> offset;             // rotation vector from the goal, world
    VecOf<T> speed;              // rad/s, relative to the goal
    QuatOf<T> goal;              // of the last frame
    VecOf<T> goal_spin;          // rad/s, of the last frame
    VecOf<T> goal_acceleration;  // rad/s^2, at its start
    VecOf<T> last;               // offset last given out, in the goal's frame
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
  std::size_t state_size() const { return kStateDoubles<MemoryOf<double>>; }
  template <class T>
  void solve(SolveOf<T>& solve) const;

 private:
  template <class T>
  VecOf<T> pulled_to(const QuatOf<T>& goal) const;
  template <class T>
  SupportChange<T> support_of(const MemoryOf<T>& memory, const SolveOf<T>& solve, const VecOf<T>& spin) const;
  template <class T>
  void advance(MemoryOf<T>& memory, SolveOf<T>& solve, const QuatOf<T>& goal) const;
  template <class T>
  void move(MemoryOf<T>& memory, SolveOf<T>& solve, const QuatOf<T>& goal, const VecOf<T>& rest0,
            const VecOf<T>& rest1) const;
  template <class T>
  MaskOf<T> is_free(const VecOf<T>& offset) const {
    return glm::dot(offset, offset) < T(free_angle * std::abs(free_angle));
  }
  template <class T>
  LimitHit keep_in_limits(MemoryOf<T>& memory, const QuatOf<T>& goal, double frames, const MaskOf<T>& where) const;
};

}  // namespace marrow::motion
