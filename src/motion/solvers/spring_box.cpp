// SPDX-License-Identifier: MIT
#include "motion/solvers/spring_box.h"

#include <algorithm>
#include <limits>

namespace marrow::motion {

Compiled<SpringBoxSolver> SpringBoxSolver::compile(const SpringBoxModifier& m, const CompileContext& context,
                                                   std::string&) {
  SpringBoxSolver s;
  s.spring = Spring(std::max(0.0f, m.stiffness), std::max(0.0f, m.damping), context.settings.substep_seconds);
  s.wind_share = m.wind_share;
  s.force = DVec(m.force);
  s.box_min = glm::min(DVec(m.box_min), DVec(m.box_max));
  s.box_max = glm::max(DVec(m.box_min), DVec(m.box_max));
  s.boxed = s.box_min != DVec(0.0) || s.box_max != DVec(0.0);
  return s;
}

bool SpringBoxSolver::keep_in_box(Memory& memory, const DVec& anchor_local, const Placement& parent) const {
  if (!boxed) return false;
  const DQuat to_parent = glm::conjugate(parent.rot);
  const DVec local = anchor_local + (to_parent * memory.offset) / parent.scale;
  const DVec inside = glm::clamp(local, box_min, box_max);
  if (inside == local) return false;
  memory.offset = parent.rot * ((inside - anchor_local) * parent.scale);
  DVec velocity = to_parent * memory.velocity;
  for (int i = 0; i < 3; ++i) {
    if (local[i] < box_min[i]) velocity[i] = std::max(velocity[i], 0.0);
    if (local[i] > box_max[i]) velocity[i] = std::min(velocity[i], 0.0);
  }
  memory.velocity = parent.rot * velocity;
  return true;
}

// No offset shorter than this leaves the box, however the parent is turned; 0 where the anchor is not inside it.
double SpringBoxSolver::free_radius(const DVec& anchor_local, const DVec& scale) const {
  const DVec sides = glm::min(anchor_local - box_min, box_max - anchor_local);
  const DVec size = glm::abs(scale);
  return std::max(0.0, std::min({sides.x, sides.y, sides.z}) * std::min({size.x, size.y, size.z}) * (1.0 - 1e-9));
}

// Without a spring: thrown, and slowed down by the damping alone.
void SpringBoxSolver::fall(Memory& memory, const DVec& push, double seconds) const {
  if (spring.c > 0.0) {
    const DVec terminal = push / spring.c;
    const double kept = std::exp(-spring.c * seconds);
    memory.offset += (memory.velocity - terminal) * ((1.0 - kept) / spring.c) + terminal * seconds;
    memory.velocity = terminal + (memory.velocity - terminal) * kept;
  } else {
    memory.offset += memory.velocity * seconds + push * (0.5 * seconds * seconds);
    memory.velocity += push * seconds;
  }
}

void SpringBoxSolver::advance(Memory& memory, Solve& io, const DVec& anchor_local) const {
  const Clock& clock = io.clock;
  const SupportChange support = io.anchor->support(clock);
  const DVec push0 = force + clock.wind0 * wind_share - support.start;
  const DVec push1 = force + clock.wind1 * wind_share - support.end;
  memory.velocity -= support.first;
  move(memory, io, anchor_local, push0, push1);
  memory.velocity += support.last;
}

// Through the frame, while what pushes changes evenly.
void SpringBoxSolver::move(Memory& memory, Solve& io, const DVec& anchor_local, const DVec& push0,
                           const DVec& push1) const {
  const Clock& clock = io.clock;
  const bool sprung = spring.k > 0.0;
  const double softness = sprung ? 1.0 / spring.k : 0.0;
  const SpringStep step = spring.substep(clock);
  MovingRest rest(spring, push0 * softness, push1 * softness, clock.dt);
  const double room = boxed ? free_radius(anchor_local, io.parent.scale) : std::numeric_limits<double>::infinity();
  // The closed form is exact for any time: only where the box may be in the way it is looked at in between.
  if (sprung && rest.reach(spring, memory.offset, memory.velocity, clock.dt) < room) {
    rest.advance(step.repeated(clock.substeps), clock.dt, memory.offset, memory.velocity);
    return;
  }
  const DVec spin = boxed ? io.anchor->spin(clock) : DVec(0.0);
  for (int i = 1; i <= clock.substeps; ++i) {
    if (sprung)
      rest.advance(step, clock.h, memory.offset, memory.velocity);
    else
      fall(memory, push0 + (push1 - push0) * ((i - 0.5) / clock.substeps), clock.h);
    // The last one is the caller's, with the parent as it is now.
    if (i == clock.substeps || glm::dot(memory.offset, memory.offset) < room * room) continue;
    // The box turns with the parent, which is taken to turn as the anchor does.
    Placement parent = io.parent;
    parent.rot = exp_map(spin * (clock.h * (i - clock.substeps))) * parent.rot;
    if (keep_in_box(memory, anchor_local, parent)) io.limit = LimitHit::Box;
  }
}

// One explicit step a frame, as the engine takes it: it gains energy with the length of the frame.
void SpringBoxSolver::advance_natively(Memory& memory, const Solve& io) const {
  const double dt = io.clock.dt;
  memory.velocity -= io.anchor->velocity1 - io.anchor->velocity0;
  const DVec push = force + io.clock.wind0 * wind_share;
  memory.velocity += (push - memory.offset * spring.k - memory.velocity * spring.c) * dt;
  memory.offset += memory.velocity * dt;
}

void SpringBoxSolver::solve(Solve& io) const {
  auto memory = load_state<Memory>(io.state);
  const DQuat to_parent = glm::conjugate(io.parent.rot);
  const DVec anchor_local = (to_parent * (io.input.pos - io.parent.pos)) / io.parent.scale;
  if (io.phase == Phase::Hold) {
    io.target.pos = io.input.pos + io.parent.rot * (memory.last * io.parent.scale);
    return;
  }
  if (io.phase == Phase::Seed)
    memory = {DVec(0.0), DVec(0.0), DVec(0.0)};
  else if (io.clock.settings->native_law)
    advance_natively(memory, io);
  else
    advance(memory, io, anchor_local);
  if (keep_in_box(memory, anchor_local, io.parent)) io.limit = LimitHit::Box;
  memory.last = (to_parent * memory.offset) / io.parent.scale;
  // A parent that is scaled to nothing has no space to remember the offset in; what has left all numbers starts anew.
  if (!is_finite(memory.offset + memory.velocity + memory.last)) memory = {DVec(0.0), DVec(0.0), DVec(0.0)};
  store_state(io.state, memory);
  // As it is given again when no time passes, to the last bit.
  io.target.pos = io.input.pos + io.parent.rot * (memory.last * io.parent.scale);
}

}  // namespace marrow::motion
