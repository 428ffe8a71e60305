// SPDX-License-Identifier: MIT
#pragma once

#include "motion/contacts.h"
#include "motion/solvers/swing.h"

namespace marrow::motion {

// The end of a swinging bone, which solids keep out: where its first child sits, or as far from it as its parent is.
struct RodTip {
  DVec place{0.0};      // in the joint's frame; 0: it does not collide
  double radius = 0.0;  // metres, of its thickness

  static RodTip of(const RestPose& rest, std::int32_t bone, const DQuat& along, double radius);

  double length() const { return std::sqrt(glm::dot(place, place)); }
  bool collides() const { return place != DVec(0.0); }

  // Turns the rod out of what its tip is inside of, at a share of the frame, and takes off the speed that leads in.
  // Returns true if it touches something.
  bool keep_out(SwingState& state, const Surroundings& around, const DQuat& frame, const DVec& anchor,
                const DVec& anchor_velocity, double share) const;
  // Turns a rod that was just placed out of what its tip is inside of, and stops it there.
  void start_outside(SwingState& state, Solve& solve, const DQuat& frame) const;
};

}  // namespace marrow::motion
