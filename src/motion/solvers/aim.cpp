// SPDX-License-Identifier: MIT
#include "motion/solvers/stateless.h"

namespace marrow::motion {

Aim::Aim(const DVec& aim_axis, const DVec& up_axis)
    : axis(aim_axis),
      from_basis(glm::conjugate(glm::quat_cast(glm::dmat3(aim_axis, up_axis, glm::cross(aim_axis, up_axis))))) {}

DQuat Aim::rotation(const Placement& input, const DVec& target, const DVec& up_direction) const {
  const DVec toward = target - input.pos;
  const double distance = std::sqrt(glm::dot(toward, toward));
  if (!(distance > 1e-6)) return input.rot;
  const DVec forward = toward * (1.0 / distance);
  const DVec level = up_direction - forward * glm::dot(forward, up_direction);
  const double length = std::sqrt(glm::dot(level, level));
  if (!(length > 1e-5)) return least_rotation(input.rot * axis, forward) * input.rot;
  const DVec upward = level * (1.0 / length);
  return glm::quat_cast(glm::dmat3(forward, upward, glm::cross(forward, upward))) * from_basis;
}

}  // namespace marrow::motion
