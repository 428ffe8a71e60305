// SPDX-License-Identifier: MIT
// A pendulum in a frame, for one character or several.
#pragma once

#include "motion/solvers/pendulum.h"

namespace marrow::motion {

template <class T>
VecOf<T> PendulumSolver::acceleration(const SolveOf<T>& io, const MemoryOf<T>& memory) const {
  VecOf<T> gravity = io.clock.gravity * gravity_scale;
  if (local_gravity) gravity = io.parent.rot * (glm::conjugate(QuatOf<T>(parent_rest)) * gravity);
  VecOf<T> a = gravity * inverse_mass;
  if (centrifugal != 0.0 && io.phase == Phase::Advance) {
    const T yaw_rate = log_map(io.parent.rot * glm::conjugate(memory.parent_rotation)).z / io.clock.dt;
    VecOf<T> outward = io.input.pos + memory.swing.direction * swing.length - io.clock.entity_position;
    outward.z = T(0.0);
    a += outward * (centrifugal * yaw_rate * yaw_rate);
  }
  return a;
}

template <class T>
void PendulumSolver::advance(SwingStateOf<T>& state, SolveOf<T>& io, const QuatOf<T>& frame, const VecOf<T>& a) const {
  const VecOf<T> spin = io.anchor->spin(io.clock);
  const auto near = [&](const VecOf<T>&) {
    if constexpr (kLaneCount<T> == 1) return io.around != nullptr;
    return MaskOf<T>{};
  };
  const auto touch = [&](SwingStateOf<T>& s, int substep, const MaskOf<T>&) {
    if constexpr (kLaneCount<T> == 1)
      io.limit = keep_out(s, io, frame, spin, substep) ? LimitHit::Contact : LimitHit::None;
    return MaskOf<T>{};
  };
  const SupportChange<T> support = io.anchor->support(io.clock);
  // Solids are met in the steps of the frame.
  const T parts =
      io.around ? T(1.0) : parts_of_swing<T>(io.clock, swing, state.acceleration - support.start, a - support.end);
  advance_in_parts<T>(state, io.clock, parts, io.lanes, [&](SwingStateOf<T>& s, const ClockOf<T>& clock) {
    advance_swing(s, swing, clock, *io.anchor, support, spin, a, near, touch,
                  [](SwingStateOf<T>&, const MaskOf<T>&) {});
  });
}

template <class T>
void PendulumSolver::solve(SolveOf<T>& io) const {
  auto memory = load_state<MemoryOf<T>>(io.state);
  SwingStateOf<T>& state = memory.swing;
  const QuatOf<T> frame = io.input.rot * QuatOf<T>(along);
  const VecOf<T> a = acceleration(io, memory);
  if (io.phase == Phase::Advance) advance(state, io, frame, a);
  if (io.phase == Phase::Seed) {
    state = seed_swing<T>(frame * VecOf<T>(DVec(1, 0, 0)), a);
    if constexpr (kLaneCount<T> == 1) tip.start_outside(state, io, frame);
  }
  if (io.phase != Phase::Hold) {
    keep_finite(state, frame * VecOf<T>(DVec(1, 0, 0)));
    const QuatOf<T> swung = swing_of(glm::conjugate(frame) * state.direction);
    state.last = VecOf<T>(swung.y, swung.z, swung.w);
    memory.parent_rotation = io.parent.rot;
    store_state(io.state, memory, io.lanes);
  }
  const QuatOf<T> last(state.last.z, T(0.0), state.last.x, state.last.y);
  io.target.rot = frame * last * glm::conjugate(QuatOf<T>(along));
}

}  // namespace marrow::motion
