// SPDX-License-Identifier: MIT
#include "motion/solvers/stateless.h"

namespace marrow::motion {

Compiled<CompressSolver> CompressSolver::compile(const CompressModifier& m, const CompileContext&, std::string& why) {
  if (m.offset_bone1.is_null() || m.offset_bone2.is_null()) {
    why = "OffsetBone1 and OffsetBone2 are both needed";
    return std::nullopt;
  }
  const auto rotation = [](const Quat& q) { return unit(DQuat(q.w, q.x, q.y, q.z)); };
  CompressSolver s;
  s.bone1 = bone_index(m.offset_bone1);
  s.bone2 = bone_index(m.offset_bone2);
  s.position_share = m.position_influence1;
  s.rotation_share = m.rotation_influence1;
  s.rotation1 = rotation(m.rot_offset1);
  s.rotation2 = rotation(m.rot_offset2);
  s.position1 = DVec(m.pos_offset1);
  s.position2 = DVec(m.pos_offset2);
  s.effect.rotation = m.use_rotation;
  s.effect.position = m.use_position;
  return s;
}

void CompressSolver::solve(Solve& io) const {
  const Placement &one = io.bone(bone1), &two = io.bone(bone2);
  if (effect.position) {
    const DVec p1 = one.pos + one.rot * position1, p2 = two.pos + two.rot * position2;
    io.target.pos = p2 + (p1 - p2) * position_share;
  }
  if (effect.rotation) io.target.rot = slerp(two.rot * rotation2, one.rot * rotation1, rotation_share);
}

}  // namespace marrow::motion
