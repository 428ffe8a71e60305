// SPDX-License-Identifier: MIT
#include "motion/solvers/stateless.h"

namespace marrow::motion {

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

}  // namespace marrow::motion
