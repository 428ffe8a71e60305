// SPDX-License-Identifier: MIT
#pragma once

#include "motion/solvers/rod_tip.h"

namespace marrow::motion {

/// A weight on a string along the bone's X axis. docs/modifiers/pendulum.md
struct PendulumSolver {
  static constexpr Effect kEffect{.delta = true, .rotation = true, .position = false};
  static constexpr bool kAnchored = true;

  template <class T>
  struct MemoryOf {
    SwingStateOf<T> swing;
    QuatOf<T> parent_rotation;  // of the last frame, for the yaw rate
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
  std::size_t state_size() const { return kStateDoubles<MemoryOf<double>>; }
  template <class T>
  void solve(SolveOf<T>& solve) const;

 private:
  template <class T>
  VecOf<T> acceleration(const SolveOf<T>& solve, const MemoryOf<T>& memory) const;
  template <class T>
  void advance(SwingStateOf<T>& state, SolveOf<T>& solve, const QuatOf<T>& frame, const VecOf<T>& acceleration) const;
  bool keep_out(SwingState& state, Solve& solve, const DQuat& frame, const DVec& spin, int substep) const;
};

}  // namespace marrow::motion
