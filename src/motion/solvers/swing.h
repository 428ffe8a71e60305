// SPDX-License-Identifier: MIT
#pragma once

#include "motion/solver.h"

// A point on a rod of fixed length about a moving anchor: what a ball joint and a pendulum have in common.
// Integrated as kick, drift, kick on the sphere: the rod never changes length, and without friction energy is kept.
namespace marrow::motion {

struct SwingState {
  DVec direction;     // unit, world, from the anchor to the bob
  DVec spin;          // rad/s, world, at right angles to the direction
  DVec acceleration;  // at the end of the last frame, so that it can change evenly within the next
  DVec last;          // y, z and w of the swing last given out
};

// What friction leaves of a speed after half a step.
struct SwingFriction {
  double air = 1.0, socket = 1.0;
};

struct SwingParameters {
  double length = 0.2;
  double air_friction = 0.0;
  double socket_friction = 0.0;
  SwingFriction usual = {};  // of a step of the usual length

  SwingFriction friction(double h) const {
    return {std::exp(-air_friction * h * 0.5), std::exp(-socket_friction * h * 0.5)};
  }
};

// The swing from the X axis to `v`, as a quaternion without x.
inline DQuat swing_of(const DVec& v) {
  const double w = 1.0 + v.x;
  if (w < 1e-12) return DQuat(0.0, 0.0, 0.0, 1.0);
  return unit(DQuat(w, 0.0, -v.z, v.y));
}

inline SwingState seed_swing(const DVec& direction, const DVec& acceleration) {
  return {direction, DVec(0.0), acceleration, DVec(0.0, 0.0, 1.0)};
}

// Carries the swing through the frame. `limit(state, i)` is called after each substep i, from 1 on, and tells whether
// it changed the state.
template <class Limit>
void advance_swing(SwingState& s, const SwingParameters& p, const Clock& clock, const Anchor& anchor,
                   const DVec& acceleration, Limit&& limit) {
  const double h = clock.h;
  const auto [air, socket] = clock.usual_step ? p.usual : p.friction(h);
  const double inverse_length = 1.0 / p.length, half_step = h * 0.5 * inverse_length, kept = air * socket;
  const DVec acceleration0 = s.acceleration;
  const DVec acceleration_step = (acceleration - acceleration0) * (1.0 / clock.substeps);
  // Air slows the spin toward -(d x V) / L, at which the bob stands in it, then the socket toward its own.
  const DVec drag = anchor.velocity1 * (inverse_length * (1.0 - air) * socket);
  const DVec carry = anchor.spin * (1.0 - socket);
  DVec& d = s.direction;
  DVec& w = s.spin;
  DVec a = acceleration0, kick, gained;
  // What half a step adds to the spin, by the direction alone: two halves that meet share it.
  const auto meet = [&] {
    kick = glm::cross(d, a) * half_step;
    gained = glm::cross(drag, d) + (carry - d * glm::dot(d, carry));
  };

  // The change of the anchor's velocity reaches the bob at once, at the start of the frame: spread over the frame it
  // would lag by half of one.
  d = unit(d, d);
  w -= glm::cross(d, anchor.velocity1 - anchor.velocity0) * inverse_length;
  w -= d * glm::dot(w, d);
  meet();
  for (int i = 1; i <= clock.substeps; ++i) {
    w = (w + kick) * kept + gained;
    const auto [sinc, cos] = sinc_cos(glm::dot(w, w) * h * h);
    d = d * cos + glm::cross(w, d) * (h * sinc);
    d *= 1.5 - 0.5 * glm::dot(d, d);  // a step of Newton's: only rounding is to be undone
    w -= d * glm::dot(w, d);
    a = acceleration0 + acceleration_step * static_cast<double>(i);
    meet();
    w = w * kept + gained + kick;
    if (limit(s, i)) meet();
  }
  s.acceleration = acceleration;
}

}  // namespace marrow::motion
