// SPDX-License-Identifier: MIT
// What one character may run into in a frame: its own colliders, the ground, and the balls of its ball joints.
#pragma once

#include "motion/compiled_rig_data.h"

namespace marrow::motion {

class FrameContacts {
 public:
  FrameContacts(const CompiledRigData& rig, double* values, const Placement* globals, const Clock& clock,
                bool teleported)
      : rig_(rig), values_(values), globals_(globals), clock_(clock), teleported_(teleported) {}

  // Restores the last positions of the balls, for joints that are solved before others.
  void place_balls(std::span<Ball> balls) const;
  // Brings the colliders that a step may meet to where their bones are now.
  void place_solids(const Step& step, Solids& solids) const;
  void remember_solids(const Solids& solids) const;
  // What a step may run into while its anchor comes from where it was.
  Surroundings around(const Step& step, const DVec& position, Solids& solids) const;

 private:
  StateAt<double> state_of(std::uint32_t collider) const {
    return values_ + rig_.collider_state + collider * kStateDoubles<ColliderState>;
  }
  bool goes_on(const ColliderState& before, const Solid& now) const;

  const CompiledRigData& rig_;
  double* values_;
  const Placement* globals_;
  const Clock& clock_;
  bool teleported_;
};

}  // namespace marrow::motion
