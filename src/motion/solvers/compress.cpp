// SPDX-License-Identifier: MIT
#include "motion/solvers/stateless.h"

namespace marrow::motion {

Compiled<CompressSolver> CompressSolver::compile(const CompressModifier& m, const CompileContext& context,
                                                 std::string& why) {
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
  // Offsets that say nothing are those of the rest pose: most files have no PosOffset at all, and the middle between
  // hip and knee is no place for a knee.
  const auto& rest = context.rest.global;
  const Placement &owner = rest[static_cast<std::size_t>(context.owner)],
                  &one = rest[static_cast<std::size_t>(s.bone1)], &two = rest[static_cast<std::size_t>(s.bone2)];
  if (s.position1 == DVec(0.0) && s.position2 == DVec(0.0)) {
    s.position1 = glm::conjugate(one.rot) * (owner.pos - one.pos);
    s.position2 = glm::conjugate(two.rot) * (owner.pos - two.pos);
  }
  if (log_map(s.rotation1) == DVec(0.0) && log_map(s.rotation2) == DVec(0.0)) {
    s.rotation1 = glm::conjugate(one.rot) * owner.rot;
    s.rotation2 = glm::conjugate(two.rot) * owner.rot;
  }
  return s;
}

}  // namespace marrow::motion
