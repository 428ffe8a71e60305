// SPDX-License-Identifier: MIT
#include "motion/solvers/hinge.h"

#include <algorithm>

namespace marrow::motion {
Compiled<HingeSolver> HingeSolver::compile(const HingeModifier& m, const CompileContext& context, std::string& why) {
  if (m.axis_constraint_type < 0 || m.axis_constraint_type > 2 || m.axis_look_at_type < 0 || m.axis_look_at_type > 2 ||
      m.axis_constraint_type == m.axis_look_at_type) {
    why = "AxisConstraintType and AxisLookAtType have to be two different axes (0 X, 1 Y, 2 Z)";
    return std::nullopt;
  }
  if (m.constraints.size() > kMostStops) {
    why = "more than 16 Hinge limits on one modifier";
    return std::nullopt;
  }
  HingeSolver s;
  s.axis = m.axis_constraint_type;
  s.look_axis = m.axis_look_at_type;
  s.lag = m.lag_factor;
  s.weight = std::clamp(m.weight_factor, 0.0f, 1.0f);
  s.wind_scale = m.wind_scale;
  s.usual_rising = std::pow(1.0 - s.weight, 0.5 * context.settings.reference_rate * context.settings.substep_seconds);
  s.gravity = DVec(m.gravity);
  s.gravity_bone = bone_index(m.gravity_associated_bone);
  const auto& rest = context.rest.global;
  for (const Hinge& hinge : m.constraints) {
    Stop stop{.range = {hinge.min_angle, hinge.max_angle, std::max(0.0f, hinge.delta_min_damping),
                        std::max(0.0f, hinge.delta_max_damping)},
              .bone = bone_index(hinge.constraint_associated_bone)};
    if (stop.bone != kNoBone)
      stop.rest_direction = glm::conjugate(rest[static_cast<std::size_t>(stop.bone)].rot) *
                            (rest[static_cast<std::size_t>(context.owner)].rot * axis_of(s.look_axis));
    s.stops.push_back(stop);
  }
  return s;
}

}  // namespace marrow::motion
