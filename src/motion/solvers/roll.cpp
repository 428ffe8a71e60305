// SPDX-License-Identifier: MIT
#include "motion/solvers/stateless.h"

namespace marrow::motion {
namespace {

// The engine's angle: the first of three Euler angles, folded back past a quarter turn.
double native_roll(const DQuat& q) {
  const double angle = std::atan2(2.0 * (q.w * q.x + q.y * q.z), 1.0 - 2.0 * (q.x * q.x + q.y * q.y));
  if (angle > kPi / 2) return kPi - angle;
  if (angle < -kPi / 2) return -kPi - angle;
  return angle;
}

}  // namespace

Compiled<RollSolver> RollSolver::compile(const RollModifier& m, const CompileContext& context, std::string& why) {
  if (m.source_bone.is_null()) {
    why = "no SourceBone";
    return std::nullopt;
  }
  RollSolver s;
  s.source = bone_index(m.source_bone);
  const bool follows = m.roll_bone_type == 1 || m.roll_bone_type == 3;
  s.gain = follows ? static_cast<double>(m.roll_factor) : -(1.0 - m.roll_factor);
  s.native_shift = !follows ? 0.0 : m.roll_bone_type == 1 ? kPi / 2 : -kPi / 2;
  s.rest_inverse = glm::conjugate(context.rest.local[static_cast<std::size_t>(s.source)].rot);
  return s;
}

void RollSolver::solve(Solve& io) const {
  const DQuat turned = rest_inverse * io.local(source).rot;
  if (io.clock.settings->native_law) {
    io.target.rot = io.input.rot * rotation_about({1, 0, 0}, gain * native_roll(turned) + native_shift);
    return;
  }
  const Twist twist = twist_about(turned, {1, 0, 0});
  // At a half turn of swing no twist can be told: the last one holds.
  const double angle = twist.defined ? twist.angle : *io.state;
  if (io.clock.dt > 0.0) *io.state = angle;
  io.target.rot = io.input.rot * rotation_about({1, 0, 0}, gain * angle);
}

}  // namespace marrow::motion
