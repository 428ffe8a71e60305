// SPDX-License-Identifier: MIT
// A rotation constraint in a frame, for one character or several.
#pragma once

#include "motion/solvers/rotation_constraint.h"

namespace marrow::motion {

template <class T>
LimitHit RotationConstraintSolver::keep_in_limits(MemoryOf<T>& memory, const QuatOf<T>& goal, double frames,
                                                  const MaskOf<T>& where) const {
  LimitHit hit = LimitHit::None;
  VecOf<T> offset = glm::conjugate(goal) * memory.offset, speed = glm::conjugate(goal) * memory.speed;
  MaskOf<T> turned{}, slowed{};
  for (std::size_t i = 0; i < limits.size(); ++i) {
    const auto axis = static_cast<glm::length_t>(i);
    const T free_offset = offset[axis], free_speed = speed[axis];
    const LimitHit one = limit_of(range_of<T>(limits[i]).apply(offset[axis], speed[axis], frames, where));
    if (one != LimitHit::None) hit = one;
    turned = turned | (offset[axis] != free_offset);
    slowed = slowed | (speed[axis] != free_speed);
  }
  if (any(turned)) memory.offset = select<T>(turned, goal * offset, memory.offset);
  if (any(slowed)) memory.speed = select<T>(slowed, goal * speed, memory.speed);
  return hit;
}

// Where gravity holds the spring.
template <class T>
VecOf<T> RotationConstraintSolver::pulled_to(const QuatOf<T>& goal) const {
  return glm::cross(goal * VecOf<T>(along), VecOf<T>(gravity)) * (1.0 / spring.k);
}

template <class T>
SupportChange<T> RotationConstraintSolver::support_of(const MemoryOf<T>& memory, const SolveOf<T>& io,
                                                      const VecOf<T>& spin) const {
  const VecOf<T> change = spin - memory.goal_spin;
  SupportChange<T> support = io.anchor->support(change, memory.goal_acceleration, io.clock);
  // A goal that stops does not go on and come back: a path that turns round within the frame is a straight one.
  const VecOf<T> leaving = memory.goal_spin + support.first, arriving = spin + support.last;
  const T first = glm::dot(leaving, spin), middle = glm::dot(leaving + support.start * (0.5 * io.clock.dt), spin);
  const MaskOf<T> stops = least(least(first, middle), glm::dot(arriving, spin)) <= 0.0;
  if (!any(stops)) return support;
  const VecOf<T> none(T(0.0));
  return {select<T>(stops, change, support.first), select<T>(stops, none, support.start),
          select<T>(stops, none, support.end), select<T>(stops, none, support.last)};
}

template <class T>
void RotationConstraintSolver::advance(MemoryOf<T>& memory, SolveOf<T>& io, const QuatOf<T>& goal) const {
  const ClockOf<T>& clock = io.clock;
  const VecOf<T> spin = log_map(goal * glm::conjugate(memory.goal)) * (1.0 / clock.dt);
  const SupportChange<T> support = support_of(memory, io, spin);
  const VecOf<T> spin0 = memory.goal_spin + support.first, spin1 = spin + support.last;
  memory.speed -= support.first;
  memory.goal_acceleration = io.anchor->acceleration(spin - memory.goal_spin, clock);
  memory.goal_spin = spin;
  // The damper is held by the world, not by the goal: what follows a goal is late, and does not run past it. Between
  // the ends the spin is a parabola; a straight line has the same mean if both of its ends give way by the bend.
  const double softness = 1.0 / spring.k, lag = spring.c * softness;
  const VecOf<T> bend = (support.end - support.start) * (clock.dt / 12.0);
  move<T>(memory, io, goal, pulled_to(memory.goal) - support.start * softness - (spin0 - bend) * lag,
          pulled_to(goal) - support.end * softness - (spin1 - bend) * lag);
  memory.speed += support.last;
  // More than a half turn away the short way home is the other one.
  const T square = glm::dot(memory.offset, memory.offset);
  const MaskOf<T> far = square > kPi * kPi;
  if (!any(far)) return;
  memory.offset *= select(far, wrap_angle(root(square)) / root(square), T(1.0));
}

// Through the frame, while the equilibrium goes evenly from one place to another.
template <class T>
void RotationConstraintSolver::move(MemoryOf<T>& memory, SolveOf<T>& io, const QuatOf<T>& goal, const VecOf<T>& rest0,
                                    const VecOf<T>& rest1) const {
  const ClockOf<T>& clock = io.clock;
  const SpringStep step = spring.substep(clock);
  MovingRest<T> rest(spring, rest0, rest1, clock.dt);
  // The closed form is exact for any time: only where a limit may be met it is looked at in between.
  const MaskOf<T> freely = rest.reach(spring, memory.offset, memory.speed, clock.dt) < T(free_angle);
  MemoryOf<T> at_once = memory;
  if (any(freely)) {
    MovingRest<T> whole = rest;
    whole.advance(step.repeated(clock.substeps), clock.dt, at_once.offset, at_once.speed);
    if (all(freely)) {
      memory = at_once;
      return;
    }
  }
  const double frames = clock.settings->reference_rate * clock.h;
  for (int i = 1; i <= clock.substeps; ++i) {
    rest.advance(step, clock.h, memory.offset, memory.speed);
    io.limit = LimitHit::None;
    const MaskOf<T> may_hit = !is_free(memory.offset);
    if (!any(may_hit)) continue;
    const QuatOf<T> at =
        i == clock.substeps ? goal : exp_map(memory.goal_spin * (clock.h * (i - clock.substeps))) * goal;
    io.limit = keep_in_limits(memory, at, frames, may_hit);
  }
  memory.offset = select<T>(freely, at_once.offset, memory.offset);
  memory.speed = select<T>(freely, at_once.speed, memory.speed);
}

template <class T>
void RotationConstraintSolver::solve(SolveOf<T>& io) const {
  const QuatOf<T> goal = bone == kNoBone ? io.input.rot : io.bone(bone).rot * QuatOf<T>(rest_offset);
  auto memory = load_state<MemoryOf<T>>(io.state);
  if (io.phase != Phase::Hold) {
    const VecOf<T> none(T(0.0));
    if (io.phase == Phase::Seed || snaps)
      memory = {none, none, goal, none, none, none};
    else
      advance(memory, io, goal);
    const MaskOf<T> may_hit = !is_free(memory.offset);
    if (any(may_hit)) {
      const LimitHit hit = keep_in_limits(memory, goal, 0.0, may_hit);
      if (hit != LimitHit::None) io.limit = hit;
    }
    memory.goal = goal;
    memory.last = glm::conjugate(goal) * memory.offset;
    store_state(io.state, memory, io.lanes);
  }
  io.target.rot = goal * exp_map(memory.last);
}

}  // namespace marrow::motion
