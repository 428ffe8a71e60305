// SPDX-License-Identifier: MIT
#include "motion/solvers/stateless.h"

namespace marrow::motion {

Compiled<RotationPasteSolver> RotationPasteSolver::compile(const RotationPasteModifier& m, const CompileContext&,
                                                           std::string& why) {
  if (m.linked_bone.is_null()) {
    why = "no LinkedBone";
    return std::nullopt;
  }
  RotationPasteSolver s;
  s.linked = bone_index(m.linked_bone);
  s.local = m.use_parent_rotation;
  return s;
}

}  // namespace marrow::motion
