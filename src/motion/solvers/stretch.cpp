// SPDX-License-Identifier: MIT
#include "motion/solvers/stateless.h"

#include <algorithm>

namespace marrow::motion {

Compiled<StretchSolver> StretchSolver::compile(const StretchModifier& m, const CompileContext& context,
                                               std::string& why) {
  if (m.target_bone.is_null()) {
    why = "no TargetBone";
    return std::nullopt;
  }
  StretchSolver s;
  s.target = bone_index(m.target_bone);
  const Placement& owner = context.rest.global[static_cast<std::size_t>(context.owner)];
  const Placement& target = context.rest.global[static_cast<std::size_t>(s.target)];
  const DVec toward = glm::conjugate(owner.rot) * (target.pos - owner.pos);
  s.rest_length = std::sqrt(glm::dot(toward, toward));
  if (s.rest_length < 1e-6) {
    why = "the target sits on the bone at rest: there is no length to stretch";
    return std::nullopt;
  }
  s.axis = 0;
  for (int i = 1; i < 3; ++i)
    if (std::abs(toward[i]) > std::abs(toward[s.axis])) s.axis = i;
  s.min_scale = std::max(1e-3f, std::min(m.min_scale, m.max_scale));
  s.max_scale = std::max<double>(s.min_scale, std::max(m.min_scale, m.max_scale));
  return s;
}

}  // namespace marrow::motion
