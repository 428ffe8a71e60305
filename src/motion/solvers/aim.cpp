// SPDX-License-Identifier: MIT
#include "motion/solvers/stateless.h"

namespace marrow::motion {

std::optional<DQuat> aim_rotation(const DVec& aim, const DVec& up, const DVec& forward, const DVec& up_direction) {
  const DVec level = up_direction - forward * glm::dot(forward, up_direction);
  const double length = std::sqrt(glm::dot(level, level));
  if (!(length > 1e-5)) return std::nullopt;
  const DVec upward = level / length;
  const glm::dmat3 world(forward, upward, glm::cross(forward, upward));
  const glm::dmat3 bone(aim, up, glm::cross(aim, up));
  return unit(glm::quat_cast(world * glm::transpose(bone)));
}

DQuat look_at(const Placement& input, const DVec& aim, const DVec& up, const DVec& target, const DVec& up_direction) {
  const DVec toward = target - input.pos;
  const double distance = std::sqrt(glm::dot(toward, toward));
  if (!(distance > 1e-6)) return input.rot;
  const DVec forward = toward / distance;
  if (const auto rotation = aim_rotation(aim, up, forward, up_direction)) return *rotation;
  return least_rotation(input.rot * aim, forward) * input.rot;
}

}  // namespace marrow::motion
