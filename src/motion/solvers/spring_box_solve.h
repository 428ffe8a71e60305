// SPDX-License-Identifier: MIT
// A spring box in a frame, for one character or several.
#pragma once

#include <limits>

#include "motion/solvers/spring_box.h"

namespace marrow::motion {

// Holds the lanes of `where` in the box, and returns those that had left it.
template <class T>
MaskOf<T> SpringBoxSolver::keep_in_box(MemoryOf<T>& memory, const VecOf<T>& anchor_local, const PlacementOf<T>& parent,
                                       const MaskOf<T>& where) const {
  MaskOf<T> hit{};
  if (!boxed) return hit;
  const QuatOf<T> to_parent = glm::conjugate(parent.rot);
  const VecOf<T> local = anchor_local + (to_parent * memory.offset) / parent.scale;
  VecOf<T> inside;
  for (int i = 0; i < 3; ++i) {
    inside[i] = least(most(local[i], T(box_min[i])), T(box_max[i]));
    hit = hit | (inside[i] != local[i]);
  }
  hit = hit & where;
  if (!any(hit)) return hit;
  memory.offset = select<T>(hit, parent.rot * ((inside - anchor_local) * parent.scale), memory.offset);
  VecOf<T> velocity = to_parent * memory.velocity;
  for (int i = 0; i < 3; ++i) {
    velocity[i] = select(local[i] < box_min[i], most(velocity[i], T(0.0)), velocity[i]);
    velocity[i] = select(local[i] > box_max[i], least(velocity[i], T(0.0)), velocity[i]);
  }
  memory.velocity = select<T>(hit, parent.rot * velocity, memory.velocity);
  return hit;
}

// No offset shorter than this leaves the box, however the parent is turned; 0 where the anchor is not inside it.
template <class T>
T SpringBoxSolver::free_radius(const VecOf<T>& anchor_local, const VecOf<T>& scale) const {
  const VecOf<T> low = anchor_local - VecOf<T>(box_min), high = VecOf<T>(box_max) - anchor_local;
  const T side = least(least(least(low.x, high.x), least(low.y, high.y)), least(low.z, high.z));
  const T size = least(least(magnitude(scale.x), magnitude(scale.y)), magnitude(scale.z));
  return most(T(0.0), side * size * (1.0 - 1e-9));
}

// Without a spring: thrown, and slowed down by the damping alone.
template <class T>
void SpringBoxSolver::fall(MemoryOf<T>& memory, const VecOf<T>& push, double seconds) const {
  if (spring.c > 0.0) {
    const VecOf<T> terminal = push / T(spring.c);
    const double kept = std::exp(-spring.c * seconds);
    memory.offset += (memory.velocity - terminal) * ((1.0 - kept) / spring.c) + terminal * seconds;
    memory.velocity = terminal + (memory.velocity - terminal) * kept;
  } else {
    memory.offset += memory.velocity * seconds + push * (0.5 * seconds * seconds);
    memory.velocity += push * seconds;
  }
}

template <class T>
void SpringBoxSolver::advance(MemoryOf<T>& memory, SolveOf<T>& io, const VecOf<T>& anchor_local) const {
  const ClockOf<T>& clock = io.clock;
  const SupportChange<T> support = io.anchor->support(clock);
  const VecOf<T> push0 = VecOf<T>(force) + clock.wind0 * wind_share - support.start;
  const VecOf<T> push1 = VecOf<T>(force) + clock.wind1 * wind_share - support.end;
  memory.velocity -= support.first;
  move(memory, io, anchor_local, push0, push1);
  memory.velocity += support.last;
}

// Through the frame, while what pushes changes evenly.
template <class T>
void SpringBoxSolver::move(MemoryOf<T>& memory, SolveOf<T>& io, const VecOf<T>& anchor_local, const VecOf<T>& push0,
                           const VecOf<T>& push1) const {
  const ClockOf<T>& clock = io.clock;
  const T room = boxed ? free_radius(anchor_local, io.parent.scale) : T(std::numeric_limits<double>::infinity());
  if (!(spring.k > 0.0)) return move_in_steps(memory, io, anchor_local, push0, push1, room);
  // The closed form is exact for any time: only where the box may be in the way it is looked at in between.
  const double softness = 1.0 / spring.k;
  MovingRest<T> rest(spring, push0 * softness, push1 * softness, clock.dt);
  const MaskOf<T> is_free = rest.reach(spring, memory.offset, memory.velocity, clock.dt) < room;
  MemoryOf<T> freely = memory;
  if (any(is_free)) {
    rest.advance(spring.substep(clock).repeated(clock.substeps), clock.dt, freely.offset, freely.velocity);
    if (all(is_free)) {
      memory = freely;
      return;
    }
  }
  move_in_steps(memory, io, anchor_local, push0, push1, room);
  memory.offset = select<T>(is_free, freely.offset, memory.offset);
  memory.velocity = select<T>(is_free, freely.velocity, memory.velocity);
}

template <class T>
void SpringBoxSolver::move_in_steps(MemoryOf<T>& memory, SolveOf<T>& io, const VecOf<T>& anchor_local,
                                    const VecOf<T>& push0, const VecOf<T>& push1, const T& room) const {
  const ClockOf<T>& clock = io.clock;
  const bool sprung = spring.k > 0.0;
  const double softness = sprung ? 1.0 / spring.k : 0.0;
  const SpringStep step = spring.substep(clock);
  MovingRest<T> rest(spring, push0 * softness, push1 * softness, clock.dt);
  const VecOf<T> spin = boxed ? io.anchor->spin(clock) : VecOf<T>(T(0.0));
  for (int i = 1; i <= clock.substeps; ++i) {
    if (sprung)
      rest.advance(step, clock.h, memory.offset, memory.velocity);
    else
      fall<T>(memory, push0 + (push1 - push0) * ((i - 0.5) / clock.substeps), clock.h);
    // The last one is the caller's, with the parent as it is now.
    if (i == clock.substeps) break;
    const MaskOf<T> may_hit = !(glm::dot(memory.offset, memory.offset) < room * room);
    if (!any(may_hit)) continue;
    // The box turns with the parent, which is taken to turn as the anchor does.
    PlacementOf<T> parent = io.parent;
    parent.rot = exp_map(spin * (clock.h * (i - clock.substeps))) * parent.rot;
    if (any(keep_in_box(memory, anchor_local, parent, may_hit))) io.limit = LimitHit::Box;
  }
}

// One explicit step a frame, as the engine takes it: it gains energy with the length of the frame.
template <class T>
void SpringBoxSolver::advance_natively(MemoryOf<T>& memory, const SolveOf<T>& io) const {
  const double dt = io.clock.dt;
  memory.velocity -= io.anchor->velocity1 - io.anchor->velocity0;
  const VecOf<T> push = VecOf<T>(force) + io.clock.wind0 * wind_share;
  memory.velocity += (push - memory.offset * spring.k - memory.velocity * spring.c) * dt;
  memory.offset += memory.velocity * dt;
}

template <class T>
void SpringBoxSolver::solve(SolveOf<T>& io) const {
  auto memory = load_state<MemoryOf<T>>(io.state);
  const QuatOf<T> to_parent = glm::conjugate(io.parent.rot);
  const VecOf<T> anchor_local = (to_parent * (io.input.pos - io.parent.pos)) / io.parent.scale;
  if (io.phase == Phase::Hold) {
    io.target.pos = io.input.pos + io.parent.rot * (memory.last * io.parent.scale);
    return;
  }
  const VecOf<T> none(T(0.0));
  if (io.phase == Phase::Seed)
    memory = {none, none, none};
  else if (io.clock.settings->native_law)
    advance_natively(memory, io);
  else
    advance(memory, io, anchor_local);
  if (any(keep_in_box(memory, anchor_local, io.parent, every_lane<T>()))) io.limit = LimitHit::Box;
  memory.last = (to_parent * memory.offset) / io.parent.scale;
  // A parent that is scaled to nothing has no space to remember the offset in. Resets what is no longer finite.
  const MaskOf<T> finite = is_finite(memory.offset + memory.velocity + memory.last);
  if (!all(finite))
    memory = {select<T>(finite, memory.offset, none), select<T>(finite, memory.velocity, none),
              select<T>(finite, memory.last, none)};
  store_state(io.state, memory, io.lanes);
  // As it is given again when no time passes, to the last bit.
  io.target.pos = io.input.pos + io.parent.rot * (memory.last * io.parent.scale);
}

}  // namespace marrow::motion
