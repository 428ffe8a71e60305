// SPDX-License-Identifier: MIT
#include "motion/solvers/ball_joint.h"

#include <algorithm>

#include "motion/noise.h"

namespace marrow::motion {
namespace {

constexpr double kDefaultLength = 0.2;  // metres, of a bone without a child
constexpr double kLeastMass = 1e-3;
constexpr double kJitterRate = 2.0;  // changes a second of the random part of wind
constexpr double kLocked = 1e-9;     // radians; a narrower axis is none

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
  const double cone = std::abs(m.constraint_angle) * kRadians;
  s.limit_y = cone * std::abs(m.constraint_scale_y);
  s.limit_z = cone * std::abs(m.constraint_scale_z);
  // No swing is further than a half turn: a wider axis never holds.
  const double nearest = std::min(s.limit_y, s.limit_z);
  s.inner_cosine = nearest >= kPi ? -2.0 : std::cos(nearest);
  s.inner_sine = nearest >= kPi ? 0.0 : std::sin(nearest);
  s.radius = std::max(0.0f, m.collision_radius);
  s.noise_id = context.noise_id;
  return s;
}

DVec BallJointSolver::acceleration(const Solve& solve, const DVec& wind, double time) const {
  const DVec gravity = own_gravity_mode ? solve.parent.rot * own_gravity : solve.clock.gravity;
  const double jitter = wind_random == 0.0 ? 1.0 : 1.0 + wind_random * value_noise(noise_id, time * kJitterRate);
  return (gravity + wind * (wind_scale * jitter * inverse_mass)) * inverse_mass;
}

// Swings are measured as rotation vectors (0, y, z) in the joint's frame, limits as an ellipse in that plane.
bool BallJointSolver::keep_in_cone(SwingState& state, const DQuat& frame, const DVec& socket_spin) const {
  const DVec v = glm::conjugate(frame) * state.direction;
  if (v.x >= inner_cosine) return false;
  const double sine = std::sqrt(v.y * v.y + v.z * v.z), angle = std::atan2(sine, v.x);
  // Where the rod points straight back any direction will do.
  const double ky = sine > 1e-12 ? -v.z / sine : 0.0, kz = sine > 1e-12 ? v.y / sine : 1.0;
  double ry = angle * ky, rz = angle * kz;

  const bool locked_y = limit_y < kLocked, locked_z = limit_z < kLocked;
  const double qy = locked_y || limit_y >= kPi ? 0.0 : ry / limit_y;
  const double qz = locked_z || limit_z >= kPi ? 0.0 : rz / limit_z;
  const double excess = std::sqrt(qy * qy + qz * qz);
  const bool outside = excess > 1.0;
  if (!outside && !locked_y && !locked_z) return false;

  // Rates of the rotation vector that belong to the spin relative to the socket: along k the angle grows, across it
  // the vector turns, faster than the rod does by angle / sine.
  const DVec relative = glm::conjugate(frame) * (state.spin - socket_spin);
  const double along = relative.y * ky + relative.z * kz;
  const DVec across_axis = glm::cross(v, DVec(0.0, ky, kz));
  const double across = glm::dot(relative, across_axis) * (sine > 1e-6 ? angle / sine : 1.0);
  // The tilt p = k x X has components (kz, -ky) in the plane; the vector turns toward -p.
  double rate_y = along * ky - across * kz, rate_z = along * kz + across * ky;

  if (outside) {
    // A free axis keeps its part: only what the ellipse measures is scaled back.
    if (qy != 0.0) ry /= excess;
    if (qz != 0.0) rz /= excess;
    const double ny = qy == 0.0 ? 0.0 : ry / (limit_y * limit_y), nz = qz == 0.0 ? 0.0 : rz / (limit_z * limit_z);
    const double outward = rate_y * ny + rate_z * nz, square = ny * ny + nz * nz;
    if (outward > 0.0 && square > 0.0) {
      rate_y -= ny * outward / square;
      rate_z -= nz * outward / square;
    }
  }
  if (locked_y) ry = rate_y = 0.0;
  if (locked_z) rz = rate_z = 0.0;

  const double new_angle = std::sqrt(ry * ry + rz * rz);
  const double my = new_angle > 1e-12 ? ry / new_angle : ky, mz = new_angle > 1e-12 ? rz / new_angle : kz;
  const double new_sine = std::sin(new_angle);
  const DVec nv(std::cos(new_angle), new_sine * mz, -new_sine * my);
  const double new_along = rate_y * my + rate_z * mz;
  const double new_across = (rate_z * my - rate_y * mz) * (new_angle > 1e-6 ? new_sine / new_angle : 1.0);
  state.direction = unit(frame * nv, state.direction);
  const DVec spin = DVec(0.0, my, mz) * new_along + glm::cross(nv, DVec(0.0, my, mz)) * new_across;
  const DVec carried = socket_spin - state.direction * glm::dot(state.direction, socket_spin);
  state.spin = frame * spin + carried;
  state.spin -= state.direction * glm::dot(state.direction, state.spin);
  return outside;
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

void BallJointSolver::solve(Solve& io) const {
  const DQuat frame = io.input.rot * offset;
  auto state = load_state<SwingState>(io.state);
  const bool collides = ball >= 0 && !io.balls.empty();
  bool held = false;
  switch (io.phase) {
    case Phase::Seed:
      state = seed_swing(frame * DVec(1, 0, 0), acceleration(io, io.clock.wind1, io.clock.time1));
      break;
    case Phase::Hold: break;
    case Phase::Advance: {
      const Clock& clock = io.clock;
      const Anchor& anchor = *io.anchor;
      const DVec spin = anchor.spin(clock), axis = frame * DVec(1, 0, 0);
      // The cone turns with its anchor: a rod that is further inside than that, seen from where the cone ends, is free.
      const auto turned = sinc_cos(glm::dot(spin, spin) * clock.dt * clock.dt);
      const double turned_sine = std::sqrt(std::max(0.0, 1.0 - turned.cos * turned.cos));
      const double free_cosine = inner_cosine < -1.0          ? inner_cosine
                                 : turned.cos <= inner_cosine ? 2.0
                                                              : inner_cosine * turned.cos + inner_sine * turned_sine;
      const auto near = [&](const DVec& direction) { return collides || glm::dot(direction, axis) < free_cosine; };
      const auto limit = [&](SwingState& s, int i) {
        const double left = clock.h * (clock.substeps - i);
        if (collides) push_from_balls(s, io.balls, anchor.pos1 - anchor.velocity1 * left);
        const DQuat joint = i == clock.substeps ? frame : exp_map(spin * -left) * frame;
        return keep_in_cone(s, joint, spin - s.direction * glm::dot(s.direction, spin));
      };
      // Pressed against its cone, a rod leaves it in time only where the anchor's motion reaches it at once.
      held = advance_swing(state, swing, clock, anchor, SupportChange::at_once(anchor.velocity1 - anchor.velocity0),
                           spin, acceleration(io, clock.wind1, clock.time1), near, limit);
      break;
    }
  }
  if (io.phase != Phase::Hold) {
    const DQuat swung = swing_of(glm::conjugate(frame) * state.direction);
    state.last = DVec(swung.y, swung.z, swung.w);
    store_state(io.state, state);
  }
  if (collides) io.balls[static_cast<std::size_t>(ball)].center = io.input.pos + state.direction * swing.length;
  io.limit = held ? LimitHit::Cone : LimitHit::None;
  io.target.rot = frame * DQuat(state.last.z, 0.0, state.last.x, state.last.y) * along_inverse;
}

}  // namespace marrow::motion
