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

struct SwingParameters {
  double length = 0.2;
  double air_friction = 0.0;
  double socket_friction = 0.0;
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

// Carries the swing through the frame. `limit(state, i)` is called after each substep i, from 1 on.
template <class Limit>
void advance_swing(SwingState& s, const SwingParameters& p, const Clock& clock, const Anchor& anchor,
                   const DVec& acceleration, Limit&& limit) {
  const double h = clock.h;
  const double air = std::exp(-p.air_friction * h * 0.5), socket = std::exp(-p.socket_friction * h * 0.5);
  const double inverse_length = 1.0 / p.length;
  const DVec acceleration0 = s.acceleration;
  const DVec acceleration_step = (acceleration - acceleration0) * (1.0 / clock.substeps);
  const DVec drag = anchor.velocity1 * inverse_length;
  DVec& d = s.direction;
  DVec& w = s.spin;

  const auto friction = [&] {
    const DVec still = glm::cross(drag, d);  // spin at which the bob stands in the air: -(d x V) / L
    w = still + (w - still) * air;
    const DVec carried = anchor.spin - d * glm::dot(d, anchor.spin);
    w = carried + (w - carried) * socket;
  };

  // The change of the anchor's velocity reaches the bob at once, at the start of the frame: spread over the frame it
  // would lag by half of one.
  w -= glm::cross(d, anchor.velocity1 - anchor.velocity0) * inverse_length;
  DVec a = acceleration0;
  for (int i = 1; i <= clock.substeps; ++i) {
    w += glm::cross(d, a) * (h * 0.5 * inverse_length);
    friction();
    const auto [sinc, cos] = sinc_cos(glm::dot(w, w) * h * h);
    d = unit(d * cos + glm::cross(w, d) * (h * sinc), d);
    w -= d * glm::dot(w, d);
    friction();
    a = acceleration0 + acceleration_step * static_cast<double>(i);
    w += glm::cross(d, a) * (h * 0.5 * inverse_length);
    limit(s, i);
  }
  s.acceleration = acceleration;
}

}  // namespace marrow::motion
