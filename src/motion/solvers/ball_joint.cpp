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

struct BallJointSolver::SwingRates {
  double y, z;
};

// Swings are measured as rotation vectors (0, y, z) in the joint's frame, limits as an ellipse in that plane.
struct BallJointSolver::Swing {
  double angle, sine, cosine;
  double ky, kz;  // the vector's direction

  // By the rod, in the joint's frame. Where it points straight back any direction will do.
  explicit Swing(const DVec& rod) : sine(std::sqrt(rod.y * rod.y + rod.z * rod.z)), cosine(rod.x) {
    angle = std::atan2(sine, cosine);
    ky = sine > 1e-12 ? -rod.z / sine : 0.0;
    kz = sine > 1e-12 ? rod.y / sine : 1.0;
  }
  // By the vector; `otherwise` gives the direction of one without length.
  Swing(double y, double z, const Swing& otherwise)
      : angle(std::sqrt(y * y + z * z)), sine(std::sin(angle)), cosine(std::cos(angle)) {
    ky = angle > 1e-12 ? y / angle : otherwise.ky;
    kz = angle > 1e-12 ? z / angle : otherwise.kz;
  }

  double y() const { return angle * ky; }
  double z() const { return angle * kz; }
  DVec rod() const { return {cosine, sine * kz, -sine * ky}; }

  // Rates of the vector that belong to a spin relative to the socket: along k the angle grows, across it the vector
  // turns, faster than the rod does by angle / sine.
  SwingRates rates(const DVec& spin) const {
    const double along = spin.y * ky + spin.z * kz;
    const double across = glm::dot(spin, across_axis()) * (sine > 1e-6 ? angle / sine : 1.0);
    return {along * ky - across * kz, along * kz + across * ky};
  }
  DVec spin(const SwingRates& rate) const {
    const double along = rate.y * ky + rate.z * kz;
    const double across = (rate.z * ky - rate.y * kz) * (angle > 1e-6 ? sine / angle : 1.0);
    return DVec(0.0, ky, kz) * along + across_axis() * across;
  }

 private:
  DVec across_axis() const { return glm::cross(rod(), DVec(0.0, ky, kz)); }
};

// Takes off what leads out of the cone at a point of its rim. A free axis has no rim.
void BallJointSolver::turn_inward(const Swing& at, SwingRates& rate) const {
  const double ny = limit_y >= kPi || limit_y < kLocked ? 0.0 : at.y() / (limit_y * limit_y);
  const double nz = limit_z >= kPi || limit_z < kLocked ? 0.0 : at.z() / (limit_z * limit_z);
  const double outward = rate.y * ny + rate.z * nz, square = ny * ny + nz * nz;
  if (!(outward > 0.0 && square > 0.0)) return;
  rate.y -= ny * outward / square;
  rate.z -= nz * outward / square;
}

// The spin of a rod that touches the rim, without what would push it out.
void BallJointSolver::press(SwingState& state, const DQuat& frame, const DVec& socket_spin) const {
  const DQuat to_frame = glm::conjugate(frame);
  const Swing at(to_frame * state.direction);
  SwingRates rate = at.rates(to_frame * (state.spin - socket_spin));
  turn_inward(at, rate);
  set_spin(state, frame * at.spin(rate), socket_spin);
}

void BallJointSolver::set_spin(SwingState& state, const DVec& relative, const DVec& socket_spin) {
  state.spin = relative + socket_spin;
  state.spin -= state.direction * glm::dot(state.direction, state.spin);
}

bool BallJointSolver::keep_in_cone(SwingState& state, const DQuat& frame, const DVec& socket_spin, bool slid) const {
  const DQuat to_frame = glm::conjugate(frame);
  const DVec rod = to_frame * state.direction;
  if (rod.x >= inner_cosine) return false;
  const Swing at(rod);
  const bool locked_y = limit_y < kLocked, locked_z = limit_z < kLocked;
  const double qy = locked_y || limit_y >= kPi ? 0.0 : at.y() / limit_y;
  const double qz = locked_z || limit_z >= kPi ? 0.0 : at.z() / limit_z;
  const double excess = std::sqrt(qy * qy + qz * qz);
  const bool outside = excess > 1.0;
  if (!outside && !locked_y && !locked_z) return false;

  // A free axis keeps its part: only what the ellipse measures is scaled back.
  const double y = locked_y ? 0.0 : outside && qy != 0.0 ? at.y() / excess : at.y();
  const double z = locked_z ? 0.0 : outside && qz != 0.0 ? at.z() / excess : at.z();
  const Swing to(y, z, at);
  const DVec before = to_frame * (state.spin - socket_spin);
  SwingRates rate = at.rates(before);
  if (outside) turn_inward(to, rate);
  if (locked_y) rate.y = 0.0;
  if (locked_z) rate.z = 0.0;
  DVec after = to.spin(rate);
  // Along the rim a rod goes round a bend: it keeps its speed, of which a straight step seems to lead some outward.
  const double speed = glm::dot(after, after);
  if (slid && outside && speed > 0.0) {
    const DVec across = before - rod * glm::dot(before, rod);
    after *= std::sqrt(glm::dot(across, across) / speed);
  }
  state.direction = unit(frame * to.rod(), state.direction);
  set_spin(state, frame * after, socket_spin);
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

void BallJointSolver::advance(SwingState& state, const Solve& io, const DQuat& frame) const {
  const Clock& clock = io.clock;
  const Anchor& anchor = *io.anchor;
  const DVec spin = anchor.spin(clock), axis = frame * DVec(1, 0, 0);
  // The cone turns with its anchor: a rod that is further inside than that, seen from where the cone ends, is free.
  const auto turned = sinc_cos(glm::dot(spin, spin) * clock.dt * clock.dt);
  const double turned_sine = std::sqrt(std::max(0.0, 1.0 - turned.cos * turned.cos));
  const bool limited = inner_cosine >= -1.0;
  const double free_cosine = !limited                     ? inner_cosine
                             : turned.cos <= inner_cosine ? 2.0
                                                          : inner_cosine * turned.cos + inner_sine * turned_sine;
  const auto frame_at = [&](int substep) {
    return substep == clock.substeps ? frame : exp_map(spin * (clock.h * (substep - clock.substeps))) * frame;
  };
  const auto near = [&](const DVec& rod) { return collides(io) || glm::dot(rod, axis) < free_cosine; };
  const auto limit = [&](SwingState& s, int substep, bool slid) {
    const double left = clock.h * (clock.substeps - substep);
    if (collides(io)) push_from_balls(s, io.balls, anchor.pos1 - anchor.velocity1 * left);
    return keep_in_cone(s, frame_at(substep), spin, slid);
  };
  const auto pressed = [&](SwingState& s, int substep) { press(s, frame_at(substep), spin); };
  // Pressed against its cone, a rod leaves it in time only where the anchor's motion reaches it at once.
  const DVec change = anchor.velocity1 - anchor.velocity0;
  advance_swing(state, swing, clock, anchor, limited ? SupportChange::at_once(change) : anchor.support(change, clock),
                spin, acceleration(io, clock.wind1, clock.time1), near, limit, pressed);
}

void BallJointSolver::solve(Solve& io) const {
  const DQuat frame = io.input.rot * offset;
  auto state = load_state<SwingState>(io.state);
  if (io.phase == Phase::Seed)
    state = seed_swing(frame * DVec(1, 0, 0), acceleration(io, io.clock.wind1, io.clock.time1));
  else if (io.phase == Phase::Advance)
    advance(state, io, frame);
  if (io.phase != Phase::Hold) {
    const DQuat swung = swing_of(glm::conjugate(frame) * state.direction);
    state.last = DVec(swung.y, swung.z, swung.w);
    store_state(io.state, state);
  }
  if (collides(io)) io.balls[static_cast<std::size_t>(ball)].center = io.input.pos + state.direction * swing.length;
  io.limit = state.held != 0.0 ? LimitHit::Cone : LimitHit::None;
  io.target.rot = frame * DQuat(state.last.z, 0.0, state.last.x, state.last.y) * along_inverse;
}

}  // namespace marrow::motion
