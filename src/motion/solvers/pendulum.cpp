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

bool PendulumSolver::keep_out(SwingState& state, Solve& io, const DQuat& frame, const DVec& spin, int substep) const {
  const Clock& clock = io.clock;
  const Anchor& anchor = *io.anchor;
  const double left = clock.h * (clock.substeps - substep);
  return tip.keep_out(state, *io.around, exp_map(spin * -left) * frame, anchor.pos1 - anchor.velocity1 * left,
                      anchor.velocity1, static_cast<double>(substep) / clock.substeps);
}

}  // namespace marrow::motion
