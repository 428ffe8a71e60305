// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include "motion/solver.h"

// A point on a rod of fixed length about a moving anchor: what a ball joint and a pendulum have in common.
// Integrated as kick, drift, kick on the sphere: the rod never changes length, and without friction energy is kept.
namespace marrow::motion {

struct SwingState {
  DVec direction;     // unit, world, from the anchor to the bob
  DVec spin;          // rad/s, world, at right angles to the direction
  DVec acceleration;  // at the end of the last frame, so that it can change evenly within the next
  DVec last;          // y, z and w of the swing last given out
  double held;        // 1 where a limit held it at the end of the last frame
};

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
inline DQuat swing_of(const DVec& v) {
  const double w = 1.0 + v.x;
  if (w < 1e-12) return DQuat(0.0, 0.0, 0.0, 1.0);
  return unit(DQuat(w, 0.0, -v.z, v.y));
}

inline SwingState seed_swing(const DVec& direction, const DVec& acceleration) {
  return {direction, DVec(0.0), acceleration, DVec(0.0, 0.0, 1.0), 0.0};
}

// What has left all numbers starts anew.
inline void keep_finite(SwingState& s, const DVec& direction) {
  if (!is_finite(s.direction + s.spin)) s = seed_swing(direction, s.acceleration);
}

// Carries the swing through the frame, each substep a kick, friction, a drift, friction and a kick. Where `near(rod)`
// holds, `limit(state, substep)` is called after the drift: it may change the state, and tells whether it holds the
// rod. While it does, `press(state)` follows the kicks.
template <class Near, class Limit, class Press>
void advance_swing(SwingState& s, const SwingParameters& p, const Clock& clock, const Anchor& anchor,
                   const SupportChange& support, const DVec& spin, const DVec& acceleration, Near&& near, Limit&& limit,
                   Press&& press) {
  const double h = clock.h, hh = h * h;
  const auto [kept, air, socket] = clock.usual_step ? p.usual : p.friction(h);
  const double inverse_length = 1.0 / p.length, half_step = h * 0.5 * inverse_length;
  // Air slows the spin toward -(d x V) / L, at which the bob stands in it, the socket toward its own.
  const DVec drag = anchor.velocity1 * (inverse_length * air);
  const DVec carry = spin * socket;
  DVec a = s.acceleration - support.start;  // relative to the anchor
  const DVec acceleration_step = (acceleration - support.end - a) * (1.0 / clock.substeps);
  const double correction = kStepCorrection * hh * inverse_length;
  DVec& d = s.direction;
  DVec& w = s.spin;
  // What half a step, or two that meet in a direction, make of the spin: both kick and rub by the same amounts, but
  // only the later one's friction meets the earlier one's kick.
  const double kept_twice = kept * kept, both = 1.0 + kept;
  const auto turn_by = [&](double kept_now, double kicks, double rubs) {
    const double softened = 1.0 - std::clamp(correction * glm::dot(a, d), -0.5, 0.5);
    const DVec force = a * (half_step * kicks * softened) - drag * rubs;
    w = w * kept_now + glm::cross(d, force) + (carry - d * glm::dot(d, carry)) * rubs;
  };

  d = unit(d, d);
  w -= glm::cross(d, support.first) * inverse_length;
  w -= d * glm::dot(w, d);
  bool held = s.held != 0.0;
  turn_by(kept, kept, 1.0);
  if (held) press(s);
  for (int i = 1; i <= clock.substeps; ++i) {
    const auto [sinc, cos] = sinc_cos(glm::dot(w, w) * hh);
    d = d * cos + glm::cross(w, d) * (h * sinc);
    a += acceleration_step;
    held = near(d) && limit(s, i);
    if (i == clock.substeps)
      turn_by(kept, 1.0, 1.0);
    else
      turn_by(kept_twice, 2.0 * kept, both);
    if (held) press(s);
  }
  w += glm::cross(d, support.last) * inverse_length;
  s.held = held ? 1.0 : 0.0;
  s.acceleration = acceleration;
}

}  // namespace marrow::motion
