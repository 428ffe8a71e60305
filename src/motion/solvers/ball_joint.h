// SPDX-License-Identifier: MIT
#pragma once

#include "motion/solvers/rod_tip.h"

namespace marrow::motion {

template <class T>
struct ConeSwing;

/// Swings inside an elliptic cone about its rest direction. docs/modifiers/ball-joint.md
struct BallJointSolver {
  static constexpr Effect kEffect{.delta = true, .rotation = true, .position = false};
  static constexpr bool kAnchored = true;

  SwingParameters swing;
  double inverse_mass;
  double wind_scale, wind_random;
  bool own_gravity_mode;
  DVec own_gravity;                 // in the parent's frame, so that it turns with it
  DQuat along_inverse;              // back from the direction along the bone
  DQuat offset;                     // from the input frame to the joint's
  DVec2 steepness;                  // of the ellipse along Y and Z: 1 / radians; 0 where an axis is free or locked
  DVec2 turnable;                   // 0 for a locked axis, else 1
  double inner_cosine, inner_sine;  // of an angle that no limit is nearer than
  double radius;
  RodTip tip;  // set where there is something to collide with
  std::uint64_t noise_id;
  std::int32_t ball = -1;                // its place among the balls, where it collides
  std::vector<double> contact_distance;  // to each ball

  static Compiled<BallJointSolver> compile(const BallJointModifier& modifier, const CompileContext& context,
                                           std::string& why);
  std::size_t state_size() const { return kStateDoubles<SwingState>; }
  template <class T>
  void solve(SolveOf<T>& solve) const;

 private:
  template <class T>
  VecOf<T> acceleration(const SolveOf<T>& solve, const VecOf<T>& wind, const T& time) const;
  template <class T>
  T free_cosine(const VecOf<T>& spin, const ClockOf<T>& clock) const;
  template <class T>
  Vec2Of<T> turned_inward(const Vec2Of<T>& rate, const ConeSwing<T>& there) const;
  template <class T>
  Vec2Of<T> along_rim(const Vec2Of<T>& at) const;
  template <class T>
  void press(SwingStateOf<T>& state, const ConeSwing<T>& there, const QuatOf<T>& frame, const VecOf<T>& socket_spin,
             const MaskOf<T>& lanes) const;
  template <class T, class From>
  MaskOf<T> keep_in_cone(SwingStateOf<T>& state, const QuatOf<T>& frame, const VecOf<T>& socket_spin, double h,
                         From&& came_from, ConeSwing<T>& rim, const MaskOf<T>& lanes) const;
  template <class T>
  void advance(SwingStateOf<T>& state, SolveOf<T>& solve, const QuatOf<T>& frame) const;
  template <class T>
  void advance(SwingStateOf<T>& state, SolveOf<T>& solve, const ClockOf<T>& clock, const QuatOf<T>& frame,
               const SupportChange<T>& support, const VecOf<T>& pull) const;
  bool collides(const Solve& solve) const { return ball >= 0 && !solve.balls.empty(); }
  void push_from_balls(SwingState& state, std::span<const Ball> balls, const DVec& anchor) const;
};

}  // namespace marrow::motion
