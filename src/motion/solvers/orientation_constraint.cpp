// SPDX-License-Identifier: MIT
#include "motion/solvers/stateless.h"

namespace marrow::motion {

Compiled<OrientationConstraintSolver> OrientationConstraintSolver::compile(const OrientationConstraintModifier& m,
                                                                           const CompileContext& context,
                                                                           std::string& why) {
  OrientationConstraintSolver s;
  const DQuat owner = context.rest.global[static_cast<std::size_t>(context.owner)].rot;
  for (const WeightedBone& bone : weighted_bones(m.targets, m.weights, m.keep_initial_offset)) {
    const DQuat target = context.rest.global[static_cast<std::size_t>(bone.bone)].rot;
    s.targets.push_back(
        {bone.bone, bone.weight, bone.keep_offset ? glm::conjugate(target) * owner : DQuat(1, 0, 0, 0)});
  }
  if (s.targets.empty()) {
    why = "no target with a weight";
    return std::nullopt;
  }
  s.heaviest = 0;
  for (std::size_t i = 1; i < s.targets.size(); ++i)
    if (s.targets[i].weight > s.targets[s.heaviest].weight) s.heaviest = i;
  s.offset = unit(DQuat(m.offset.w, m.offset.x, m.offset.y, m.offset.z));
  return s;
}

}  // namespace marrow::motion
