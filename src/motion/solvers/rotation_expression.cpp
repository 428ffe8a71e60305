// SPDX-License-Identifier: MIT
#include "motion/solvers/stateless.h"

#include <algorithm>

namespace marrow::motion {

Compiled<RotationExpressionSolver> RotationExpressionSolver::compile(const RotationExpressionModifier& m,
                                                                     const CompileContext& context, std::string& why) {
  if (m.linked_bone.is_null() && m.gravity_bone.is_null()) {
    why = "no LinkedBone";
    return std::nullopt;
  }
  if (m.axis_constraint < 0 || m.axis_constraint > 2) {
    why = "AxisConstraint is not one of 0 X, 1 Y, 2 Z";
    return std::nullopt;
  }
  RotationExpressionSolver s;
  s.linked = bone_index(m.linked_bone);
  s.gravity_bone = bone_index(m.gravity_bone);
  s.axis = axis_of(m.axis_constraint);
  s.initial_offset = m.initial_offset;
  s.rest_inverse = s.linked == kNoBone ? DQuat(1, 0, 0, 0)
                                       : glm::conjugate(context.rest.local[static_cast<std::size_t>(s.linked)].rot);
  s.gravity_rest_inverse = s.gravity_bone == kNoBone
                               ? DQuat(1, 0, 0, 0)
                               : glm::conjugate(context.rest.global[static_cast<std::size_t>(s.gravity_bone)].rot);
  s.terms = m.expressions;
  return s;
}

}  // namespace marrow::motion
