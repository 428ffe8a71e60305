// SPDX-License-Identifier: MIT
#include <algorithm>

#include "motion/solvers/ball_joint.h"

namespace marrow::motion {
namespace {

constexpr double kDefaultLength = 0.2;  // metres, of a bone without a child
constexpr double kLocked = 1e-9;        // radians; a narrower axis counts as 0

}  // namespace

Compiled<BallJointSolver> BallJointSolver::compile(const BallJointModifier& m, const CompileContext& context,
                                                   std::string&) {
  BallJointSolver s;
  s.swing = {.length = context.rest.length(context.owner, kDefaultLength),
             .air_friction = std::max(0.0f, m.air_friction),
             .socket_friction = std::max(0.0f, m.mechanical_friction)};
  s.swing.usual = s.swing.friction(context.settings.substep_seconds);
  s.inverse_mass = 1.0 / std::max<double>(m.mass, kLeastMass);
  s.wind_scale = m.wind_scale;
  s.wind_random = m.wind_random_factor;
  s.own_gravity_mode = m.gravity_mode != 0;
  s.own_gravity = glm::conjugate(context.rest.parent_rotation(context.owner)) * DVec(m.own_gravity);
  s.offset = rotation_about({0, 0, 1}, m.local_yaw_offset * kRadians) *
             rotation_about({0, 1, 0}, m.local_pitch_offset * kRadians) *
             rotation_about({1, 0, 0}, m.local_roll_offset * kRadians) * context.along;
  s.along_inverse = glm::conjugate(context.along);
  const DVec2 limit =
      glm::abs(DVec2(m.constraint_scale_y, m.constraint_scale_z)) * (std::abs(m.constraint_angle) * kRadians);
  for (int i = 0; i < 2; ++i) {
    const bool locked = limit[i] < kLocked;
    // No swing is further than a half turn: a wider axis never holds.
    s.steepness[i] = locked || limit[i] >= kPi ? 0.0 : 1.0 / limit[i];
    s.turnable[i] = locked ? 0.0 : 1.0;
  }
  const double nearest = std::min(limit.x, limit.y);
  s.inner_cosine = nearest >= kPi ? -2.0 : std::cos(nearest);
  s.inner_sine = nearest >= kPi ? 0.0 : std::sin(nearest);
  s.radius = std::max(0.0f, m.collision_radius);
  s.noise_id = context.noise_id;
  return s;
}

// Each joint moves its own ball out of the others, in the order of the schedule.
void BallJointSolver::push_from_balls(SwingState& state, std::span<const Ball> balls, const DVec& anchor) const {
  for (std::size_t i = 0; i < balls.size(); ++i) {
    const double least = contact_distance[i];
    if (least <= 0.0) continue;
    // On the sphere that the bob moves on, the other ball covers a cap: the bob is turned to its rim.
    const DVec toward = balls[i].center - anchor;
    const double distance = std::sqrt(glm::dot(toward, toward)), length = swing.length;
    if (distance < 1e-9 || distance > length + least) continue;
    const DVec axis = toward / distance;
    const double cosine = glm::dot(state.direction, axis);
    const double rim = (length * length + distance * distance - least * least) / (2.0 * length * distance);
    if (cosine <= rim) continue;
    const double angle = std::acos(std::clamp(rim, -1.0, 1.0));
    const DVec away =
        unit(state.direction - axis * cosine, unit(glm::cross(axis, DVec(0.31, 0.57, 0.76)), DVec(0, 0, 1)));
    state.direction = unit(axis * std::cos(angle) + away * std::sin(angle), state.direction);
    // Speed toward the other ball ends; what slides past it stays.
    const DVec outward = away * std::cos(angle) - axis * std::sin(angle);
    const double inward = glm::dot(glm::cross(state.spin, state.direction), outward);
    if (inward < 0.0) state.spin -= glm::cross(state.direction, outward) * inward;
    state.spin -= state.direction * glm::dot(state.direction, state.spin);
  }
}

}  // namespace marrow::motion
