// SPDX-License-Identifier: MIT
// A ball joint in a frame, for one character or several. What touches the rim of its cone, or a solid, is left to the
// code for one, in ball_joint.cpp.
#pragma once

#include "motion/noise.h"
#include "motion/solvers/ball_joint.h"

namespace marrow::motion {

inline constexpr double kJitterRate = 2.0;  // changes a second of the random part of wind

template <class T>
VecOf<T> BallJointSolver::acceleration(const SolveOf<T>& solve, const VecOf<T>& wind, const T& time) const {
  const VecOf<T> gravity = own_gravity_mode ? solve.parent.rot * VecOf<T>(own_gravity) : solve.clock.gravity;
  T jitter = T(1.0);
  if (wind_random != 0.0)
    jitter = each_lane(
        every_lane<T>(), T(1.0),
        [this](double t) { return 1.0 + wind_random * value_noise(noise_id, t * kJitterRate); }, time);
  return (gravity + wind * (wind_scale * jitter * inverse_mass)) * inverse_mass;
}

// The cone turns with its anchor: a rod that is further inside than that, seen from where the cone ends, is free.
template <class T>
T BallJointSolver::free_cosine(const VecOf<T>& spin, const ClockOf<T>& clock) const {
  if (inner_cosine < -1.0) return T(inner_cosine);
  const auto turned = sinc_cos<T>(glm::dot(spin, spin) * clock.dt * clock.dt);
  const T turned_sine = root(most(T(0.0), 1.0 - turned.cos * turned.cos));
  return select(turned.cos <= inner_cosine, T(2.0), inner_cosine * turned.cos + inner_sine * turned_sine);
}

// As long as nothing is in the way. Returns the lanes that something was.
template <class T>
MaskOf<T> BallJointSolver::advance_freely(SwingStateOf<T>& state, SolveOf<T>& io, const QuatOf<T>& frame) const {
  const ClockOf<T>& clock = io.clock;
  const VecOf<T> spin = io.anchor->spin(clock), axis = frame * VecOf<T>(DVec(1, 0, 0));
  const T free = free_cosine(spin, clock);
  MaskOf<T> stopped = state.held != 0.0;
  const auto near = [&](const VecOf<T>& rod) {
    stopped |= glm::dot(rod, axis) < free;
    return MaskOf<T>{};
  };
  state.held = T(0.0);
  advance_swing(
      state, swing, clock, *io.anchor, io.anchor->support(clock), spin, acceleration<T>(io, clock.wind1, clock.time1),
      near, [](SwingStateOf<T>&, int, const MaskOf<T>&) { return MaskOf<T>{}; },
      [](SwingStateOf<T>&, const MaskOf<T>&) {});
  return stopped;
}

template <class T>
MaskOf<T> BallJointSolver::solve(SolveOf<T>& io) const {
  const QuatOf<T> frame = io.input.rot * QuatOf<T>(offset);
  auto state = load_state<SwingStateOf<T>>(io.state);
  MaskOf<T> left_over{};
  if constexpr (kLaneCount<T> == 1) {
    if (io.phase == Phase::Seed)
      state = seed_out(io, frame);
    else if (io.phase == Phase::Advance)
      advance(state, io, frame);
  } else {
    left_over = advance_freely(state, io, frame);
    if (all(left_over)) return left_over;
  }
  if (io.phase != Phase::Hold) {
    keep_finite(state, frame * VecOf<T>(DVec(1, 0, 0)));
    const QuatOf<T> swung = swing_of(glm::conjugate(frame) * state.direction);
    state.last = VecOf<T>(swung.y, swung.z, swung.w);
    store_state(io.state, state, left_over);
  }
  if constexpr (kLaneCount<T> == 1) {
    if (collides(io)) io.balls[static_cast<std::size_t>(ball)].center = io.input.pos + state.direction * swing.length;
    if (io.limit == LimitHit::None && state.held != 0.0) io.limit = LimitHit::Cone;
  }
  io.target.rot = frame * QuatOf<T>(state.last.z, T(0.0), state.last.x, state.last.y) * QuatOf<T>(along_inverse);
  return left_over;
}

}  // namespace marrow::motion
