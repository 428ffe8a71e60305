// SPDX-License-Identifier: MIT
#include "motion/solvers/stateless.h"

namespace marrow::motion {

Compiled<FollowSolver> FollowSolver::compile(const FollowModifier& m, const CompileContext&, std::string& why) {
  if (m.associated_bone.is_null()) {
    why = "no AssociatedBone";
    return std::nullopt;
  }
  FollowSolver s;
  s.bone = bone_index(m.associated_bone);
  return s;
}

}  // namespace marrow::motion
