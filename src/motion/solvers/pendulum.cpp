// SPDX-License-Identifier: MIT
#include "motion/solvers/pendulum.h"

#include <algorithm>

namespace marrow::motion {
namespace {

constexpr double kLeastLength = 1e-3;  // metres

}  // namespace

Compiled<PendulumSolver> PendulumSolver::compile(const PendulumModifier& m, const CompileContext& context,
                                                 std::string&) {
  PendulumSolver s;
  s.swing = {.length = std::max<double>(m.length, kLeastLength),
             .air_friction = std::max(0.0f, m.air_friction),
             .socket_friction = std::max(0.0f, m.friction)};
  s.swing.usual = s.swing.friction(context.settings.substep_seconds);
  s.inverse_mass = 1.0 / std::max<double>(m.mass, kLeastMass);
  s.gravity_scale = m.gravity_scale;
  s.centrifugal = m.fake_centrifugal_force;
  s.local_gravity = m.gravity_axis != 0;
  s.parent_rest = context.rest.parent_rotation(context.owner);
  s.along = context.along;
  return s;
}

DVec PendulumSolver::acceleration(const Solve& io, const Memory& memory) const {
  DVec gravity = io.clock.gravity * gravity_scale;
  if (local_gravity) gravity = io.parent.rot * (glm::conjugate(parent_rest) * gravity);
  DVec a = gravity * inverse_mass;
  if (centrifugal != 0.0 && io.phase == Phase::Advance) {
    const double yaw_rate = log_map(io.parent.rot * glm::conjugate(memory.parent_rotation)).z / io.clock.dt;
    DVec outward = io.input.pos + memory.swing.direction * swing.length - io.clock.entity_position;
    outward.z = 0.0;
    a += outward * (centrifugal * yaw_rate * yaw_rate);
  }
  return a;
}

// From the pose, but for what that has inside a solid.
void PendulumSolver::seed(SwingState& state, Solve& io, const DQuat& frame, const DVec& a) const {
  state = seed_swing(frame * DVec(1, 0, 0), a);
  if (io.around.empty() || !tip.keep_out(state, io.around, frame, io.input.pos, DVec(0.0), 1.0)) return;
  state.spin = DVec(0.0);
  io.limit = LimitHit::Contact;
}

void PendulumSolver::advance(SwingState& state, Solve& io, const DQuat& frame, const DVec& a) const {
  const Clock& clock = io.clock;
  const Anchor& anchor = *io.anchor;
  const DVec spin = anchor.spin(clock);
  const auto touch = [&](SwingState& s, int substep) {
    const double left = clock.h * (clock.substeps - substep);
    const bool touching =
        tip.keep_out(s, io.around, exp_map(spin * -left) * frame, anchor.pos1 - anchor.velocity1 * left,
                     anchor.velocity1, static_cast<double>(substep) / clock.substeps);
    io.limit = touching ? LimitHit::Contact : LimitHit::None;
    return false;
  };
  advance_swing(
      state, swing, clock, anchor, anchor.support(clock), spin, a, [&](const DVec&) { return !io.around.empty(); },
      touch, [](SwingState&) {});
}

void PendulumSolver::solve(Solve& io) const {
  auto memory = load_state<Memory>(io.state);
  SwingState& state = memory.swing;
  const DQuat frame = io.input.rot * along;
  const DVec a = acceleration(io, memory);
  if (io.phase == Phase::Seed)
    seed(state, io, frame, a);
  else if (io.phase == Phase::Advance)
    advance(state, io, frame, a);
  if (io.phase != Phase::Hold) {
    keep_finite(state, frame * DVec(1, 0, 0));
    const DQuat swung = swing_of(glm::conjugate(frame) * state.direction);
    state.last = DVec(swung.y, swung.z, swung.w);
    memory.parent_rotation = io.parent.rot;
    store_state(io.state, memory);
  }
  io.target.rot = frame * DQuat(state.last.z, 0.0, state.last.x, state.last.y) * glm::conjugate(along);
}

}  // namespace marrow::motion
