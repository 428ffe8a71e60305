// SPDX-License-Identifier: MIT
// A ball joint in a frame, for one character or several. Solids and balls are for one only.
#pragma once

#include "motion/noise.h"
#include "motion/solvers/ball_joint.h"
#include "motion/solvers/cone_swing.h"

namespace marrow::motion {

inline constexpr double kJitterRate = 2.0;  // changes a second of the random part of wind

template <class T>
VecOf<T> BallJointSolver::acceleration(const SolveOf<T>& solve, const VecOf<T>& wind, const T& time) const {
  const VecOf<T> gravity = own_gravity_mode ? solve.parent.rot * VecOf<T>(own_gravity) : solve.clock.gravity;
  T jitter = T(1.0);
  if (wind_random != 0.0)
    jitter = each_lane(
        every_lane<T>(), T(1.0),
        [this](double t) { return 1.0 + wind_random * value_noise(noise_id, t * kJitterRate); }, time);
  return (gravity + wind * (wind_scale * jitter * inverse_mass)) * inverse_mass;
}

// The cone turns with its anchor: a rod that is further inside than that, seen from where the cone ends, is free.
template <class T>
T BallJointSolver::free_cosine(const VecOf<T>& spin, const ClockOf<T>& clock) const {
  if (inner_cosine < -1.0) return T(inner_cosine);
  const auto turned = sinc_cos<T>(glm::dot(spin, spin) * clock.dt * clock.dt);
  const T turned_sine = root(most(T(0.0), 1.0 - turned.cos * turned.cos));
  return select(turned.cos <= inner_cosine, T(2.0), inner_cosine * turned.cos + inner_sine * turned_sine);
}

// Takes off what leads out of the cone at a point of its rim: at right angles to the rim as the rod meets it on its
// sphere, where a vector that turns is longer than the way of the rod. So the rod slides to where it hangs lowest.
template <class T>
Vec2Of<T> BallJointSolver::turned_inward(const Vec2Of<T>& rate, const ConeSwing<T>& there) const {
  const Vec2Of<T> steep(steepness), normal = there.vector() * steep * steep;
  const Vec2Of<T> across(-there.toward.y, there.toward.x);
  const T widening = there.widening();
  const T climb = glm::dot(normal, there.toward), climb_across = glm::dot(normal, across) * widening;
  const T outward = glm::dot(rate, normal), square = climb * climb + climb_across * climb_across;
  const Vec2Of<T> steepest = there.toward * climb + across * (climb_across * widening);
  return select<T>((outward > 0.0) & (square > 0.0), rate - steepest * (outward / square), rate);
}

// The direction in which the rim runs at one of its points.
template <class T>
Vec2Of<T> BallJointSolver::along_rim(const Vec2Of<T>& at) const {
  const Vec2Of<T> steep(steepness), normal = at * steep * steep;
  const T length = root(glm::dot(normal, normal));
  return select<T>(length > 0.0, Vec2Of<T>(-normal.y, normal.x) / length, Vec2Of<T>(T(0.0)));
}

// Sets a spin by the one relative to the socket.
template <class T>
void set_spin(SwingStateOf<T>& state, const VecOf<T>& relative, const VecOf<T>& socket_spin, const MaskOf<T>& lanes) {
  VecOf<T> spin = relative + socket_spin;
  spin -= state.direction * glm::dot(state.direction, spin);
  state.spin = select<T>(lanes, spin, state.spin);
}

// Takes off the spin of a rod that touches the rim there what would push it out.
template <class T>
void BallJointSolver::press(SwingStateOf<T>& state, const ConeSwing<T>& there, const QuatOf<T>& frame,
                            const VecOf<T>& socket_spin, const MaskOf<T>& lanes) const {
  const Vec2Of<T> rate = there.rate(glm::conjugate(frame) * (state.spin - socket_spin));
  set_spin<T>(state, frame * there.spin(turned_inward<T>(rate, there)), socket_spin, lanes);
}

// After a drift of `h` seconds that started where `came_from()` tells. Returns the lanes whose rods are at the rim, at
// the point `rim`.
template <class T, class From>
MaskOf<T> BallJointSolver::keep_in_cone(SwingStateOf<T>& state, const QuatOf<T>& frame, const VecOf<T>& socket_spin,
                                        double h, From&& came_from, ConeSwing<T>& rim, const MaskOf<T>& lanes) const {
  const QuatOf<T> to_frame = glm::conjugate(frame);
  const VecOf<T> rod = to_frame * state.direction;
  const MaskOf<T> near = lanes & !(rod.x >= inner_cosine);
  if (!any(near)) return near;
  const Vec2Of<T> steep(steepness), free(turnable);
  const auto at = ConeSwing<T>::of_rod(rod);
  Vec2Of<T> end = at.vector() * free, rate = at.rate(to_frame * (state.spin - socket_spin)) * free;
  const MaskOf<T> outside = near & (glm::dot(end * steep, end * steep) > 1.0);
  const MaskOf<T> changed = turnable == DVec2(1.0) ? outside : near;
  if (!any(changed)) return outside;
  ConeSwing<T> to = at;
  VecOf<T> spin(T(0.0));
  if (any(changed & !outside)) {
    to = ConeSwing<T>::of_vector(end, at);
    spin = to.spin(rate);
  }
  if (any(outside)) {
    // Where it met the rim it lost what led outward; for the rest of the step it slid along.
    const Vec2Of<T> start = came_from() * free;
    const T share = rim_crossing<T>(start * steep, end * steep);
    const Vec2Of<T> met = start + (end - start) * share;
    const auto met_there = ConeSwing<T>::of_vector(met, at);
    rate = turned_inward<T>(rate, met_there);
    end = met + rate * ((1.0 - share) * h);
    // An axis without a limit keeps its part: only what the ellipse measures is scaled back.
    const T excess = most<T>(1.0, root(glm::dot(end * steep, end * steep)));
    for (int i = 0; i < 2; ++i)
      if (steepness[i] != 0.0) end[i] /= excess;
    const auto slid_to = ConeSwing<T>::of_vector(end, at);
    // Going round the bend it keeps its speed along the rim.
    const Vec2Of<T> along0 = along_rim<T>(met), along1 = along_rim<T>(end);
    const T forward = glm::dot(rate, along0), inward = glm::dot(rate, Vec2Of<T>(-along0.y, along0.x));
    const VecOf<T> slid = met_there.spin(along0 * forward), along = slid_to.spin(along1);
    const T speed = root(glm::dot(slid, slid)) / most<T>(root(glm::dot(along, along)), 1e-12);
    const VecOf<T> slid_spin =
        along * with_sign(speed, forward) + slid_to.spin(Vec2Of<T>(-along1.y, along1.x) * inward);
    to = select<T>(outside, slid_to, to);
    spin = select<T>(outside, slid_spin, spin);
  }
  state.direction = select<T>(changed, unit<T>(frame * to.rod(), state.direction), state.direction);
  set_spin<T>(state, frame * spin, socket_spin, changed);
  rim = select<T>(outside, to, rim);
  return outside;
}

template <class T>
void BallJointSolver::advance(SwingStateOf<T>& state, SolveOf<T>& io, const QuatOf<T>& frame) const {
  const SupportChange<T> support = io.anchor->support(io.clock);
  const VecOf<T> pull = acceleration<T>(io, io.clock.wind1, io.clock.time1);
  const T parts = parts_of_swing<T>(io.clock, swing, state.acceleration - support.start, pull - support.end);
  advance_in_parts<T>(state, io.clock, parts, io.lanes, [&](SwingStateOf<T>& s, const ClockOf<T>& clock) {
    advance(s, io, clock, frame, support, pull);
  });
}

template <class T>
void BallJointSolver::advance(SwingStateOf<T>& state, SolveOf<T>& io, const ClockOf<T>& clock, const QuatOf<T>& frame,
                              const SupportChange<T>& support, const VecOf<T>& pull) const {
  const AnchorOf<T>& anchor = *io.anchor;
  const VecOf<T> spin = anchor.spin(clock), axis = frame * VecOf<T>(DVec(1, 0, 0));
  const T free = free_cosine(spin, clock);
  const auto frame_at = [&](int substep) {
    return substep == clock.substeps ? frame : exp_map(spin * (clock.h * (substep - clock.substeps))) * frame;
  };
  QuatOf<T> joint = frame;                 // at the substep
  MaskOf<T> at_rim = state.held != 0.0;    // lanes whose rods touch it
  ConeSwing<T> rim{};                      // where
  [[maybe_unused]] bool touching = false;  // a solid
  if (any(at_rim)) {
    joint = frame_at(0);
    rim = ConeSwing<T>::of_rod(glm::conjugate(joint) * state.direction);
  }
  const auto near = [&](const VecOf<T>& rod) {
    MaskOf<T> lanes = glm::dot(rod, axis) < free;
    if constexpr (kLaneCount<T> == 1) lanes = lanes || collides(io) || io.around;
    at_rim = at_rim & lanes;
    return lanes;
  };
  const auto limit = [&](SwingStateOf<T>& s, int substep, const MaskOf<T>& lanes) {
    [[maybe_unused]] const auto anchor_now = [&] {
      return anchor.pos1 - anchor.velocity1 * (clock.h * (clock.substeps - substep));
    };
    if constexpr (kLaneCount<T> == 1)
      if (collides(io)) push_from_balls(s, io.balls, anchor_now());
    joint = frame_at(substep);
    const auto came_from = [&] {
      if (all(at_rim)) return rim.vector();
      const VecOf<T> before = exp_map(s.spin * -clock.h) * s.direction;
      const auto swung = ConeSwing<T>::of_rod(glm::conjugate(frame_at(substep - 1)) * before);
      return select<T>(at_rim, rim.vector(), swung.vector());
    };
    at_rim = keep_in_cone<T>(s, joint, spin, clock.h, came_from, rim, lanes);
    // Solids have the last word: a cone that leads into one gives way.
    if constexpr (kLaneCount<T> == 1) {
      touching = io.around && tip.keep_out(s, *io.around, joint, anchor_now(), anchor.velocity1,
                                           static_cast<double>(substep) / clock.substeps);
      if (touching) at_rim = false;
    }
    return at_rim;
  };
  const auto pressed = [&](SwingStateOf<T>& s, const MaskOf<T>& lanes) { press<T>(s, rim, joint, spin, lanes); };
  advance_swing(state, swing, clock, anchor, support, spin, pull, near, limit, pressed);
  if constexpr (kLaneCount<T> == 1)
    if (touching) io.limit = LimitHit::Contact;
}

template <class T>
void BallJointSolver::solve(SolveOf<T>& io) const {
  const QuatOf<T> frame = io.input.rot * QuatOf<T>(offset);
  auto state = load_state<SwingStateOf<T>>(io.state);
  if (io.phase == Phase::Seed) {
    state = seed_swing<T>(frame * VecOf<T>(DVec(1, 0, 0)), acceleration<T>(io, io.clock.wind1, io.clock.time1));
    if constexpr (kLaneCount<T> == 1) tip.start_outside(state, io, frame);
  } else if (io.phase == Phase::Advance) {
    advance(state, io, frame);
  }
  if (io.phase != Phase::Hold) {
    keep_finite<T>(state, frame * VecOf<T>(DVec(1, 0, 0)));
    const QuatOf<T> swung = swing_of<T>(glm::conjugate(frame) * state.direction);
    state.last = VecOf<T>(swung.y, swung.z, swung.w);
    store_state(io.state, state, io.lanes);
  }
  if constexpr (kLaneCount<T> == 1) {
    if (collides(io)) io.balls[static_cast<std::size_t>(ball)].center = io.input.pos + state.direction * swing.length;
    if (io.limit == LimitHit::None && state.held != 0.0) io.limit = LimitHit::Cone;
  }
  io.target.rot = frame * QuatOf<T>(state.last.z, T(0.0), state.last.x, state.last.y) * QuatOf<T>(along_inverse);
}

}  // namespace marrow::motion
