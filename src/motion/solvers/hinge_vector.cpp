// SPDX-License-Identifier: MIT
#include "motion/solvers/stateless.h"

namespace marrow::motion {
Compiled<HingeVectorSolver> HingeVectorSolver::compile(const HingeVectorModifier& m, const CompileContext&,
                                                       std::string& why) {
  HingeVectorSolver s;
  s.targets = weighted_bones(m.hinge_targets, m.hinge_target_weights);
  if (s.targets.empty()) {
    why = "no target with a weight";
    return std::nullopt;
  }
  const Quat& q = m.hinge_local_offset_rotation;
  s.offset.pos = DVec(m.hinge_local_offset_position);
  s.offset.rot = unit(DQuat(q.w, q.x, q.y, q.z));
  s.axis = s.offset.rot * DVec(1, 0, 0);
  s.min_angle = m.effect_ramp_down_min_angle;
  s.max_angle = m.effect_ramp_down_max_angle;
  s.min_distance = m.effect_ramp_down_min_distance;
  s.max_distance = m.effect_ramp_down_max_distance;
  return s;
}

}  // namespace marrow::motion
