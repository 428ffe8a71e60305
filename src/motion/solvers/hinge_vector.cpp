// SPDX-License-Identifier: MIT
#include "motion/solvers/stateless.h"

namespace marrow::motion {
namespace {

// 1 up to `low`, 0 from `high` on; both 0: always 1.
double ramp_down(double x, double low, double high) {
  if (low == 0.0 && high == 0.0) return 1.0;
  if (x <= low) return 1.0;
  if (x >= high) return 0.0;
  return (high - x) / (high - low);
}

}  // namespace

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
  s.min_angle = m.effect_ramp_down_min_angle;
  s.max_angle = m.effect_ramp_down_max_angle;
  s.min_distance = m.effect_ramp_down_min_distance;
  s.max_distance = m.effect_ramp_down_max_distance;
  return s;
}

void HingeVectorSolver::solve(Solve& io) const {
  const DVec hinge_position = io.input.pos + io.input.rot * offset.pos;
  const DQuat hinge_rotation = io.input.rot * offset.rot;
  DVec center(0.0);
  for (const WeightedBone& target : targets) center += io.bone(target.bone).pos * target.weight;
  const DVec q = glm::conjugate(hinge_rotation) * (center - hinge_position);
  if (q.y * q.y + q.z * q.z < 1e-18) return;
  // About X, from Z: a turn by +phi takes Z toward -Y.
  const double phi = std::atan2(-q.y, q.z);
  const double effect =
      ramp_down(std::abs(phi), min_angle, max_angle) * ramp_down(std::sqrt(glm::dot(q, q)), min_distance, max_distance);
  io.target.rot = io.input.rot * rotation_about(offset.rot * DVec(1, 0, 0), effect * phi);
}

}  // namespace marrow::motion
