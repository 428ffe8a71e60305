// SPDX-License-Identifier: MIT
#include <algorithm>

#include "motion/solvers/ball_joint_solve.h"

namespace marrow::motion {
namespace {

constexpr double kDefaultLength = 0.2;  // metres, of a bone without a child
constexpr double kLocked = 1e-9;     // radians; a narrower axis is none

// The share of the way from `start` to `end` at which it leaves the unit circle that it starts in.
double rim_crossing(const DVec2& start, const DVec2& end) {
  const DVec2 way = end - start;
  const double a = glm::dot(way, way), b = glm::dot(start, way), c = std::min(glm::dot(start, start) - 1.0, 0.0);
  if (!(a > 0.0)) return 0.0;
  return std::clamp((std::sqrt(b * b - a * c) - b) / a, 0.0, 1.0);
}

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

// Swings are measured as rotation vectors (0, y, z) in the joint's frame, limits as an ellipse in that plane.
struct BallJointSolver::Swing {
  double angle, sine, cosine;
  DVec2 toward;  // the vector's direction

  // By the rod, in the joint's frame. Where it points straight back any direction will do.
  explicit Swing(const DVec& rod)
      : sine(std::sqrt(rod.y * rod.y + rod.z * rod.z)),
        cosine(rod.x),
        toward(sine > 1e-12 ? DVec2(-rod.z, rod.y) / sine : DVec2(0, 1)) {
    angle = std::atan2(sine, cosine);
  }
  // By the vector; `otherwise` gives the direction of one without length.
  Swing(const DVec2& vector, const Swing& otherwise)
      : angle(glm::length(vector)),
        sine(std::sin(angle)),
        cosine(std::cos(angle)),
        toward(angle > 1e-12 ? vector / angle : otherwise.toward) {}

  DVec2 vector() const { return toward * angle; }
  DVec rod() const { return {cosine, sine * toward.y, -sine * toward.x}; }

  // The rate of the vector that belongs to a spin relative to the socket: in its own direction the angle grows, across
  // it the vector turns, faster than the rod does by angle / sine.
  DVec2 rate(const DVec& spin) const {
    const double along = glm::dot(DVec2(spin.y, spin.z), toward);
    const double across = glm::dot(spin, across_axis()) * (sine > 1e-6 ? angle / sine : 1.0);
    return toward * along + DVec2(-toward.y, toward.x) * across;
  }
  DVec spin(const DVec2& rate) const {
    const double along = glm::dot(rate, toward);
    const double across = glm::dot(rate, DVec2(-toward.y, toward.x)) * (angle > 1e-6 ? sine / angle : 1.0);
    return DVec(0.0, toward) * along + across_axis() * across;
  }

 private:
  DVec across_axis() const { return glm::cross(rod(), DVec(0.0, toward)); }
};

// Takes off what leads out of the cone at a point of its rim.
DVec2 BallJointSolver::turned_inward(const DVec2& rate, const DVec2& at) const {
  const DVec2 normal = at * steepness * steepness;
  const double outward = glm::dot(rate, normal), square = glm::dot(normal, normal);
  return outward > 0.0 && square > 0.0 ? rate - normal * (outward / square) : rate;
}

// The direction in which the rim runs at one of its points.
DVec2 BallJointSolver::along_rim(const DVec2& at) const {
  const DVec2 normal = at * steepness * steepness;
  const double length = glm::length(normal);
  return length > 0.0 ? DVec2(-normal.y, normal.x) / length : DVec2(0.0);
}

// The spin of a rod that touches the rim there, without what would push it out.
void BallJointSolver::press(SwingState& state, const Swing& there, const DQuat& frame, const DVec& socket_spin) const {
  const DVec2 rate = there.rate(glm::conjugate(frame) * (state.spin - socket_spin));
  set_spin(state, frame * there.spin(turned_inward(rate, there.vector())), socket_spin);
}

void BallJointSolver::set_spin(SwingState& state, const DVec& relative, const DVec& socket_spin) {
  state.spin = relative + socket_spin;
  state.spin -= state.direction * glm::dot(state.direction, state.spin);
}

// After a drift of `h` seconds that started where `came_from()` tells. Gives the point of the rim that the rod is at,
// if it is.
template <class From>
std::optional<BallJointSolver::Swing> BallJointSolver::keep_in_cone(SwingState& state, const DQuat& frame,
                                                                    const DVec& socket_spin, double h,
                                                                    From&& came_from) const {
  const DQuat to_frame = glm::conjugate(frame);
  const DVec rod = to_frame * state.direction;
  if (rod.x >= inner_cosine) return std::nullopt;
  const Swing at(rod);
  DVec2 end = at.vector() * turnable, rate = at.rate(to_frame * (state.spin - socket_spin)) * turnable;
  const bool outside = glm::dot(end * steepness, end * steepness) > 1.0;
  if (!outside && turnable == DVec2(1.0)) return std::nullopt;
  Swing to = at;
  DVec spin;
  if (outside) {
    // Where it met the rim it lost what led outward; for the rest of the step it slid along.
    const DVec2 start = came_from() * turnable;
    const double share = rim_crossing(start * steepness, end * steepness);
    const DVec2 met = start + (end - start) * share;
    rate = turned_inward(rate, met);
    end = met + rate * ((1.0 - share) * h);
    // An axis without a limit keeps its part: only what the ellipse measures is scaled back.
    const double excess = std::max(1.0, glm::length(end * steepness));
    end = glm::mix(end, end / excess, glm::notEqual(steepness, DVec2(0.0)));
    to = Swing(end, at);
    // Going round the bend it keeps its speed along the rim.
    const DVec2 along0 = along_rim(met), along1 = along_rim(end);
    const double forward = glm::dot(rate, along0), inward = glm::dot(rate, DVec2(-along0.y, along0.x));
    const DVec slid = to.spin(along0 * forward), along = to.spin(along1);
    spin = along * std::copysign(glm::length(slid) / std::max(glm::length(along), 1e-12), forward) +
           to.spin(DVec2(-along1.y, along1.x) * inward);
  } else {
    to = Swing(end, at);
    spin = to.spin(rate);
  }
  state.direction = unit(frame * to.rod(), state.direction);
  set_spin(state, frame * spin, socket_spin);
  return outside ? std::optional(to) : std::nullopt;
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

void BallJointSolver::advance(SwingState& state, Solve& io, const DQuat& frame) const {
  const Clock& clock = io.clock;
  const Anchor& anchor = *io.anchor;
  const DVec spin = anchor.spin(clock), axis = frame * DVec(1, 0, 0);
  const double free = free_cosine(spin, clock);
  const auto frame_at = [&](int substep) {
    return substep == clock.substeps ? frame : exp_map(spin * (clock.h * (substep - clock.substeps))) * frame;
  };
  DQuat joint = frame;       // at the substep
  std::optional<Swing> rim;  // where the rod touches it
  bool touching = false;     // a solid
  if (state.held != 0.0) {
    joint = frame_at(0);
    rim.emplace(glm::conjugate(joint) * state.direction);
  }
  const auto near = [&](const DVec& rod) {
    if (collides(io) || !io.around.empty() || glm::dot(rod, axis) < free) return true;
    rim.reset();
    return false;
  };
  const auto limit = [&](SwingState& s, int substep, bool) {
    const double left = clock.h * (clock.substeps - substep);
    if (collides(io)) push_from_balls(s, io.balls, anchor.pos1 - anchor.velocity1 * left);
    joint = frame_at(substep);
    rim = keep_in_cone(s, joint, spin, clock.h, [&] {
      if (rim) return rim->vector();
      return Swing(glm::conjugate(frame_at(substep - 1)) * (exp_map(s.spin * -clock.h) * s.direction)).vector();
    });
    // Solids have the last word: a cone that leads into one gives way.
    const DVec at = anchor.pos1 - anchor.velocity1 * left;
    touching = !io.around.empty() && tip.keep_out(s, io.around, joint, at, anchor.velocity1,
                                                  static_cast<double>(substep) / clock.substeps);
    if (touching) rim.reset();
    return rim.has_value();
  };
  const auto pressed = [&](SwingState& s, bool) { press(s, *rim, joint, spin); };
  advance_swing(state, swing, clock, anchor, anchor.support(clock), spin, acceleration<double>(io, clock.wind1, clock.time1),
                near, limit, pressed);
  if (touching) io.limit = LimitHit::Contact;
}

// From the pose, but for what that has inside a solid.
SwingState BallJointSolver::seed_out(Solve& io, const DQuat& frame) const {
  SwingState state = seed_swing(frame * DVec(1, 0, 0), acceleration<double>(io, io.clock.wind1, io.clock.time1));
  if (!io.around.empty() && tip.keep_out(state, io.around, frame, io.input.pos, DVec(0.0), 1.0)) {
    state.spin = DVec(0.0);
    io.limit = LimitHit::Contact;
  }
  return state;
}

}  // namespace marrow::motion
