// SPDX-License-Identifier: MIT
#include "motion/solvers/stateless.h"

namespace marrow::motion {

Aim::Aim(const DVec& aim_axis, const DVec& up_axis)
    : axis(aim_axis),
      from_basis(glm::conjugate(glm::quat_cast(glm::dmat3(aim_axis, up_axis, glm::cross(aim_axis, up_axis))))) {}

}  // namespace marrow::motion
