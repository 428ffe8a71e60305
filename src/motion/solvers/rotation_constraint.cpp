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

}  // namespace marrow::motion
