// SPDX-License-Identifier: MIT
#include "motion/solvers/rotation_constraint.h"

namespace marrow::motion {
namespace {

constexpr double kLeastInertia = 1e-4;  // seconds; below it the bone is at its goal at once

}  // namespace

Compiled<RotationConstraintSolver> RotationConstraintSolver::compile(const RotationConstraintModifier& m,
                                                                     const CompileContext& context, std::string&) {
  RotationConstraintSolver s;
  s.frequency = m.inertia <= kLeastInertia ? 0.0 : 1.0 / m.inertia;
  s.damping = std::max(0.0f, m.damping);
  s.usual = SpringStep(s.frequency * s.frequency, 2.0 * s.damping * s.frequency, context.settings.substep_seconds);
  s.gravity = DVec(m.gravity);
  s.along = context.along * DVec(1, 0, 0);
  s.bone = bone_index(m.constraint_associated_bone);
  s.rest_offset = DQuat(1, 0, 0, 0);
  if (s.bone != kNoBone)
    s.rest_offset = glm::conjugate(context.rest.global[static_cast<std::size_t>(s.bone)].rot) *
                    context.rest.global[static_cast<std::size_t>(context.owner)].rot;
  for (const Hinge& hinge : m.constraints) {
    if (s.limits.size() == 3) break;
    s.limits.push_back({hinge.min_angle, std::max(hinge.max_angle, hinge.min_angle),
                        std::max(0.0f, hinge.delta_min_damping), std::max(0.0f, hinge.delta_max_damping)});
  }
  return s;
}

LimitHit RotationConstraintSolver::keep_in_limits(Memory& memory, const DQuat& goal, double frames) const {
  if (limits.empty()) return LimitHit::None;
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

void RotationConstraintSolver::advance(Memory& memory, Solve& io, const DQuat& goal) const {
  const Clock& clock = io.clock;
  const DVec spin = log_map(goal * glm::conjugate(memory.goal)) / clock.dt;
  memory.speed -= spin - memory.goal_spin;
  memory.goal_spin = spin;
  const double stiffness = frequency * frequency;
  const SpringStep step = clock.usual_step ? usual : SpringStep(stiffness, 2.0 * damping * frequency, clock.h);
  const double frames = clock.settings->reference_rate * clock.h;
  const DQuat turn = exp_map(spin * clock.h);
  const double softness = 1.0 / stiffness;
  const bool pulled = gravity != DVec(0.0);
  DQuat at = memory.goal;
  for (int i = 1; i <= clock.substeps; ++i) {
    const DVec rest = pulled ? glm::cross(at * along, gravity) * softness : DVec(0.0);
    memory.offset -= rest;
    step(memory.offset, memory.speed);
    memory.offset += rest;
    if (pulled || !limits.empty()) at = i == clock.substeps ? goal : turn * at;
    io.limit = keep_in_limits(memory, at, frames);
  }
  // More than a half turn away the short way home is the other one.
  const double angle = std::sqrt(glm::dot(memory.offset, memory.offset));
  if (angle > kPi) memory.offset *= wrap_angle(angle) / angle;
}

void RotationConstraintSolver::solve(Solve& io) const {
  const DQuat goal = bone == kNoBone ? io.input.rot : io.bone(bone).rot * rest_offset;
  auto memory = load_state<Memory>(io.state);
  if (io.phase != Phase::Hold) {
    if (io.phase == Phase::Seed || frequency == 0.0)
      memory = {DVec(0.0), DVec(0.0), goal, DVec(0.0), DVec(0.0)};
    else
      advance(memory, io, goal);
    const LimitHit hit = keep_in_limits(memory, goal, 0.0);
    if (hit != LimitHit::None) io.limit = hit;
    memory.goal = goal;
    memory.last = glm::conjugate(goal) * memory.offset;
    store_state(io.state, memory);
  }
  io.target.rot = goal * exp_map(memory.last);
}

}  // namespace marrow::motion
