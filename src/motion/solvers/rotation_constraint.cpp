// SPDX-License-Identifier: MIT
#include "motion/solvers/rotation_constraint.h"

#include <algorithm>
#include <limits>

namespace marrow::motion {
namespace {

constexpr double kLeastInertia = 1e-4;  // seconds; below it the bone is at its goal at once

}  // namespace

Compiled<RotationConstraintSolver> RotationConstraintSolver::compile(const RotationConstraintModifier& m,
                                                                     const CompileContext& context, std::string&) {
  RotationConstraintSolver s;
  s.snaps = m.inertia <= kLeastInertia;
  const double frequency = s.snaps ? 1.0 : 1.0 / m.inertia, ratio = std::max(0.0f, m.damping);
  s.spring = Spring(frequency * frequency, 2.0 * ratio * frequency, context.settings.substep_seconds);
  s.gravity = DVec(m.gravity);
  s.along = context.along * DVec(1, 0, 0);
  s.bone = bone_index(m.constraint_associated_bone);
  s.rest_offset = DQuat(1, 0, 0, 0);
  if (s.bone != kNoBone)
    s.rest_offset = glm::conjugate(context.rest.global[static_cast<std::size_t>(s.bone)].rot) *
                    context.rest.global[static_cast<std::size_t>(context.owner)].rot;
  s.free_angle = std::numeric_limits<double>::infinity();
  for (const Hinge& hinge : m.constraints) {
    if (s.limits.size() == 3) break;
    const AngleLimit limit{hinge.min_angle, std::max(hinge.max_angle, hinge.min_angle),
                           std::max(0.0f, hinge.delta_min_damping), std::max(0.0f, hinge.delta_max_damping)};
    s.free_angle = std::min({s.free_angle, -(limit.low + limit.soft_low), limit.high - limit.soft_high});
    s.limits.push_back(limit);
  }
  return s;
}

LimitHit RotationConstraintSolver::keep_in_limits(Memory& memory, const DQuat& goal, double frames) const {
  LimitHit hit = LimitHit::None;
  DVec offset = glm::conjugate(goal) * memory.offset, speed = glm::conjugate(goal) * memory.speed;
  const DVec free_offset = offset, free_speed = speed;
  for (std::size_t i = 0; i < limits.size(); ++i) {
    const auto axis = static_cast<glm::length_t>(i);
    const LimitHit one = limits[i].apply(offset[axis], speed[axis], frames);
    if (one != LimitHit::None) hit = one;
  }
  if (offset != free_offset) memory.offset = goal * offset;
  if (speed != free_speed) memory.speed = goal * speed;
  return hit;
}

// Where gravity holds the spring.
DVec RotationConstraintSolver::pulled_to(const DQuat& goal) const {
  return glm::cross(goal * along, gravity) * (1.0 / spring.k);
}

void RotationConstraintSolver::advance(Memory& memory, Solve& io, const DQuat& goal) const {
  const Clock& clock = io.clock;
  const DVec spin = log_map(goal * glm::conjugate(memory.goal)) * (1.0 / clock.dt), change = spin - memory.goal_spin;
  SupportChange support = io.anchor->support(change, memory.goal_acceleration, clock);
  // A goal that stops does not go on and come back: a path that turns round within the frame is a straight one.
  const DVec leaving = memory.goal_spin + support.first, arriving = spin + support.last;
  if (std::min({glm::dot(leaving, spin), glm::dot(leaving + support.start * (0.5 * clock.dt), spin),
                glm::dot(arriving, spin)}) <= 0.0)
    support = SupportChange::at_once(change);
  const DVec spin0 = memory.goal_spin + support.first, spin1 = spin + support.last;
  memory.speed -= support.first;
  memory.goal_acceleration = io.anchor->acceleration(change, clock);
  memory.goal_spin = spin;
  // The damper is held by the world, not by the goal: what follows a goal is late, and does not run past it. Between
  // the ends the spin is a parabola; a straight line has the same mean if both of its ends give way by the bend.
  const double softness = 1.0 / spring.k, lag = spring.c * softness;
  const DVec bend = (support.end - support.start) * (clock.dt / 12.0);
  move(memory, io, goal, pulled_to(memory.goal) - support.start * softness - (spin0 - bend) * lag,
       pulled_to(goal) - support.end * softness - (spin1 - bend) * lag);
  memory.speed += support.last;
  // More than a half turn away the short way home is the other one.
  const double square = glm::dot(memory.offset, memory.offset);
  if (square > kPi * kPi) memory.offset *= wrap_angle(std::sqrt(square)) / std::sqrt(square);
}

// Through the frame, while the equilibrium goes evenly from one place to another.
void RotationConstraintSolver::move(Memory& memory, Solve& io, const DQuat& goal, const DVec& rest0,
                                    const DVec& rest1) const {
  const Clock& clock = io.clock;
  const SpringStep step = spring.substep(clock);
  MovingRest rest(spring, rest0, rest1, clock.dt);
  // The closed form is exact for any time: only where a limit may be met it is looked at in between.
  if (rest.reach(spring, memory.offset, memory.speed, clock.dt) < free_angle) {
    rest.advance(step.repeated(clock.substeps), clock.dt, memory.offset, memory.speed);
    return;
  }
  const double frames = clock.settings->reference_rate * clock.h;
  for (int i = 1; i <= clock.substeps; ++i) {
    rest.advance(step, clock.h, memory.offset, memory.speed);
    io.limit = LimitHit::None;
    if (is_free(memory.offset)) continue;
    const DQuat at = i == clock.substeps ? goal : exp_map(memory.goal_spin * (clock.h * (i - clock.substeps))) * goal;
    io.limit = keep_in_limits(memory, at, frames);
  }
}

void RotationConstraintSolver::solve(Solve& io) const {
  const DQuat goal = bone == kNoBone ? io.input.rot : io.bone(bone).rot * rest_offset;
  auto memory = load_state<Memory>(io.state);
  if (io.phase != Phase::Hold) {
    if (io.phase == Phase::Seed || snaps)
      memory = {DVec(0.0), DVec(0.0), goal, DVec(0.0), DVec(0.0), DVec(0.0)};
    else
      advance(memory, io, goal);
    if (!is_free(memory.offset)) {
      const LimitHit hit = keep_in_limits(memory, goal, 0.0);
      if (hit != LimitHit::None) io.limit = hit;
    }
    memory.goal = goal;
    memory.last = glm::conjugate(goal) * memory.offset;
    store_state(io.state, memory);
  }
  io.target.rot = goal * exp_map(memory.last);
}

}  // namespace marrow::motion
