// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>

#include "motion/solver.h"

// A point on a rod of fixed length about a moving anchor: what a ball joint and a pendulum have in common.
// Integrated as kick, drift, kick on the sphere: the rod never changes length, and without friction energy is kept.
namespace marrow::motion {

template <class T>
struct SwingStateOf {
  VecOf<T> direction;     // unit, world, from the anchor to the bob
  VecOf<T> spin;          // rad/s, world, at right angles to the direction
  VecOf<T> acceleration;  // at the end of the last frame, so that it can change evenly within the next
  VecOf<T> last;          // y, z and w of the swing last given out
  T held;                 // 1 where a limit held it at the end of the last frame
};
using SwingState = SwingStateOf<double>;

// What half a step of friction makes of a spin: this much is kept, and these shares of the air's and the socket's are
// taken on. Both rub at the same time, so that neither comes first.
struct SwingFriction {
  double kept = 1.0, air = 0.0, socket = 0.0;
};

// Kick, drift and kick swing too fast by (h^2 / 24) of the square of the frequency; with a pull that is weaker by this
// share of h^2 a.d / L they are right to the fourth order (Takahashi and Imada, 1984).
inline constexpr double kStepCorrection = 1.0 / 12.0;

inline constexpr double kLeastMass = 1e-3;

struct SwingParameters {
  double length = 0.2;
  double air_friction = 0.0;
  double socket_friction = 0.0;
  SwingFriction usual = {};  // of a step of the usual length

  SwingFriction friction(double h) const {
    const double both = air_friction + socket_friction;
    if (both == 0.0) return {};
    const double kept = std::exp(-both * h * 0.5);
    return {kept, (1.0 - kept) * (air_friction / both), (1.0 - kept) * (socket_friction / both)};
  }
};

// The swing from the X axis to `v`, as a quaternion without x.
template <class T>
QuatOf<T> swing_of(const VecOf<T>& v) {
  const T w = 1.0 + v.x;
  const QuatOf<T> back(T(0.0), T(0.0), T(0.0), T(1.0));
  return select<T>(w < 1e-12, back, unit(QuatOf<T>(w, T(0.0), -v.z, v.y)));
}

template <class T>
SwingStateOf<T> seed_swing(const VecOf<T>& direction, const VecOf<T>& acceleration) {
  return {direction, VecOf<T>(T(0.0)), acceleration, VecOf<T>(DVec(0.0, 0.0, 1.0)), T(0.0)};
}

template <class T>
SwingStateOf<T> select(const MaskOf<T>& mask, const SwingStateOf<T>& yes, const SwingStateOf<T>& no) {
  return {select<T>(mask, yes.direction, no.direction), select<T>(mask, yes.spin, no.spin),
          select<T>(mask, yes.acceleration, no.acceleration), select<T>(mask, yes.last, no.last),
          select(mask, yes.held, no.held)};
}

// Resets the state if it is no longer finite.
template <class T>
void keep_finite(SwingStateOf<T>& s, const VecOf<T>& direction) {
  const MaskOf<T> finite = is_finite(s.direction + s.spin);
  if (all(finite)) return;
  const SwingStateOf<T> seed = seed_swing(direction, s.acceleration);
  s.direction = select<T>(finite, s.direction, seed.direction);
  s.spin = select<T>(finite, s.spin, seed.spin);
  s.last = select<T>(finite, s.last, seed.last);
  s.held = select(finite, s.held, seed.held);
}

// Radians of its phase that the fastest swing makes within a step. Kick, drift and kick go astray beyond 2, and what
// meets a limit late gains from it, by a sixth of the square: more than friction takes if swings are fast. Steps with
// more than the first are divided until they have no more than the second.
inline constexpr double kMostPhase = 0.5, kFinePhase = 0.125;
inline constexpr double kMostParts = 64;

// A light bob on a short rod swings faster than the usual step can follow. Returns into how many parts each lane must
// divide it, for accelerations up to these.
template <class T>
T parts_of_swing(const ClockOf<T>& clock, const SwingParameters& p, const VecOf<T>& before,
                 const VecOf<T>& acceleration) {
  const T square = most(glm::dot(before, before), glm::dot(acceleration, acceleration));
  const T phase = clock.h * root(root(square) / p.length);
  return each_lane(
      phase > kMostPhase, T(1.0), [](double x) { return std::min(std::ceil(x / kFinePhase), kMostParts); }, phase);
}

template <class T>
ClockOf<T> divided(const ClockOf<T>& clock, double parts) {
  ClockOf<T> finer = clock;
  if (parts == 1.0) return finer;
  finer.substeps = static_cast<int>(clock.substeps * parts);
  finer.h = clock.dt / finer.substeps;
  finer.usual_step = false;
  return finer;
}

// Calls `advance(state, clock)` with the clock that a character needs: one after the other for lanes whose steps are
// divided differently, so that nobody's steps depend on who is beside him.
template <class T, class Advance>
void advance_in_parts(SwingStateOf<T>& state, const ClockOf<T>& clock, const T& parts, const MaskOf<T>& lanes,
                      Advance&& advance) {
  const SwingStateOf<T> start = state;
  for (unsigned left = bits_of(lanes); left != 0;) {
    const double count = lane(parts, std::countr_zero(left));
    const MaskOf<T> alike = parts == count;
    SwingStateOf<T> next = start;
    advance(next, divided(clock, count));
    state = select<T>(alike, next, state);
    left &= ~bits_of(alike);
  }
}

// Carries the swing through the frame, each substep a kick, friction, a drift, friction and a kick.
//   near(rod)              lanes that `limit` has to look at
//   limit(state, substep)  is called after the drift if there are any: it may change the state, and returns the lanes
//                          that it holds
//   press(state, lanes)    follows the kicks of lanes that are held
template <class T, class Near, class Limit, class Press>
void advance_swing(SwingStateOf<T>& s, const SwingParameters& p, const ClockOf<T>& clock, const AnchorOf<T>& anchor,
                   const SupportChange<T>& support, const VecOf<T>& spin, const VecOf<T>& acceleration, Near&& near,
                   Limit&& limit, Press&& press) {
  const double h = clock.h, hh = h * h;
  const auto [kept, air, socket] = clock.usual_step ? p.usual : p.friction(h);
  const double inverse_length = 1.0 / p.length, half_step = h * 0.5 * inverse_length;
  // Air slows the spin toward -(d x V) / L, at which the bob stands in it, the socket toward its own.
  const VecOf<T> drag = anchor.velocity1 * (inverse_length * air);
  const VecOf<T> carry = spin * socket;
  VecOf<T> a = s.acceleration - support.start;  // relative to the anchor
  const VecOf<T> acceleration_step = (acceleration - support.end - a) * (1.0 / clock.substeps);
  const double correction = kStepCorrection * hh * inverse_length;
  VecOf<T>& d = s.direction;
  VecOf<T>& w = s.spin;
  // What half a step, or two that meet in a direction, make of the spin: both kick and rub by the same amounts, but
  // only the later one's friction meets the earlier one's kick.
  const double kept_twice = kept * kept, both = 1.0 + kept;
  const auto turn_by = [&](double kept_now, double kicks, double rubs) {
    const T softened = 1.0 - held<T>(correction * glm::dot(a, d), -0.5, 0.5);
    const VecOf<T> force = a * (half_step * kicks * softened) - drag * rubs;
    w = w * kept_now + glm::cross(d, force) + (carry - d * glm::dot(d, carry)) * rubs;
  };

  d = unit(d, d);
  w -= glm::cross(d, support.first) * inverse_length;
  w -= d * glm::dot(w, d);
  MaskOf<T> is_held = s.held != 0.0;
  turn_by(kept, kept, 1.0);
  if (any(is_held)) press(s, is_held);
  for (int i = 1; i <= clock.substeps; ++i) {
    const auto [sinc, cos] = sinc_cos<T>(glm::dot(w, w) * hh);
    d = d * cos + glm::cross(w, d) * (h * sinc);
    a += acceleration_step;
    const MaskOf<T> is_near = near(d);
    is_held = {};
    if (any(is_near)) is_held = limit(s, i, is_near);
    if (i == clock.substeps)
      turn_by(kept, 1.0, 1.0);
    else
      turn_by(kept_twice, 2.0 * kept, both);
    if (any(is_held)) press(s, is_held);
  }
  w += glm::cross(d, support.last) * inverse_length;
  s.held = select(is_held, T(1.0), T(0.0));
  s.acceleration = acceleration;
}

}  // namespace marrow::motion
