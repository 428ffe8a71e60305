// SPDX-License-Identifier: MIT
#include "motion/solvers/stateless.h"

namespace marrow::motion {

Compiled<PositionConstraintSolver> PositionConstraintSolver::compile(const PositionConstraintModifier& m,
                                                                     const CompileContext& context, std::string& why) {
  PositionConstraintSolver s;
  const DQuat to_parent = glm::conjugate(context.rest.parent_rotation(context.owner));
  const DVec owner = context.rest.global[static_cast<std::size_t>(context.owner)].pos;
  for (const WeightedBone& bone : weighted_bones(m.targets, m.weights, m.keep_initial_offset)) {
    const DVec target = context.rest.global[static_cast<std::size_t>(bone.bone)].pos;
    s.targets.push_back({bone.bone, bone.weight, bone.keep_offset ? to_parent * (owner - target) : DVec(0.0)});
  }
  if (s.targets.empty()) {
    why = "no target with a weight";
    return std::nullopt;
  }
  s.offset = DVec(m.offset);
  return s;
}

}  // namespace marrow::motion
