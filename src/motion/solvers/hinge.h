// SPDX-License-Identifier: MIT
#pragma once

#include "motion/solver.h"
#include "motion/solvers/angle_limit.h"

namespace marrow::motion {

/// Swings about one axis of the bone, between limits. docs/modifiers/hinge.md
struct HingeSolver {
  static constexpr Effect kEffect{.delta = true, .rotation = true, .position = false};
  static constexpr bool kAnchored = true;

  struct Memory {
    DVec gravity;  // world, at the end of the last frame
    double speed;  // rad/s about the axis
    double angle;  // of the look axis from the input's, last given out
  };
  struct Stop {
    AngleLimit range;
    std::int32_t bone = kNoBone;  // that the range follows
    DVec rest_direction{0.0};     // of the look axis at rest, in the frame of that bone
  };

  int axis, look_axis;
  double lag, weight, wind_scale;
  double usual_rising;  // what rising leaves of the speed after a step of the usual length
  DVec gravity;
  std::int32_t gravity_bone;
  std::vector<Stop> stops;

  static Compiled<HingeSolver> compile(const HingeModifier& modifier, const CompileContext& context, std::string& why);
  std::size_t state_size() const { return kStateDoubles<Memory> + stops.size(); }
  void solve(Solve& solve) const;

 private:
  AngleLimit limits(std::span<const double> shifts) const;
  void advance(Memory& memory, Solve& solve, std::span<double> shifts, std::span<const double> new_shifts) const;
  void advance_natively(Memory& memory, Solve& solve, std::span<const double> shifts) const;
};

}  // namespace marrow::motion
