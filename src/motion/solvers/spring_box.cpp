// SPDX-License-Identifier: MIT
#include "motion/solvers/spring_box.h"

#include <algorithm>

namespace marrow::motion {

Compiled<SpringBoxSolver> SpringBoxSolver::compile(const SpringBoxModifier& m, const CompileContext& context,
                                                   std::string&) {
  SpringBoxSolver s;
  s.spring = Spring(std::max(0.0f, m.stiffness), std::max(0.0f, m.damping), context.settings.substep_seconds);
  s.wind_share = m.wind_share;
  s.force = DVec(m.force);
  s.box_min = glm::min(DVec(m.box_min), DVec(m.box_max));
  s.box_max = glm::max(DVec(m.box_min), DVec(m.box_max));
  s.boxed = s.box_min != DVec(0.0) || s.box_max != DVec(0.0);
  return s;
}

}  // namespace marrow::motion
