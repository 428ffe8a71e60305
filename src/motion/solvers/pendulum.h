// SPDX-License-Identifier: MIT
#pragma once

#include "motion/solvers/rod_tip.h"

namespace marrow::motion {

/// A weight on a string along the bone's X axis. docs/modifiers/pendulum.md
struct PendulumSolver {
  static constexpr Effect kEffect{.delta = true, .rotation = true, .position = false};
  static constexpr bool kAnchored = true;

  struct Memory {
    SwingState swing;
    DQuat parent_rotation;  // of the last frame, for the yaw rate
  };

  SwingParameters swing;
  RodTip tip;  // set where there is something to collide with
  double inverse_mass;
  double gravity_scale;
  double centrifugal;
  bool local_gravity;
  DQuat parent_rest;
  DQuat along;  // from X to the direction along the bone

  static Compiled<PendulumSolver> compile(const PendulumModifier& modifier, const CompileContext& context,
                                          std::string& why);
  std::size_t state_size() const { return kStateDoubles<Memory>; }
  void solve(Solve& solve) const;

 private:
  DVec acceleration(const Solve& solve, const Memory& memory) const;
  void seed(SwingState& state, Solve& solve, const DQuat& frame, const DVec& acceleration) const;
  void advance(SwingState& state, Solve& solve, const DQuat& frame, const DVec& acceleration) const;
};

}  // namespace marrow::motion
