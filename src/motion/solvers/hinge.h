// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include "motion/solver.h"
#include "motion/solvers/angle_limit.h"

namespace marrow::motion {

/// Swings about one axis of the bone, between limits. docs/modifiers/hinge.md
struct HingeSolver {
  static constexpr Effect kEffect{.delta = true, .rotation = true, .position = false};
  static constexpr bool kAnchored = true;
  static constexpr std::size_t kMostStops = 16;

  template <class T>
  struct MemoryOf {
    VecOf<T> gravity;  // world, at the end of the last frame
    T speed;           // rad/s about the axis
    T angle;           // of the look axis from the input's, last given out
  };
  struct Stop {
    AngleLimit range;
    std::int32_t bone = kNoBone;  // that the range follows
    DVec rest_direction{0.0};     // of the look axis at rest, in the frame of that bone
  };

  int axis, look_axis;
  double lag, weight, wind_scale;
  double usual_rising;  // what rising leaves of the speed after half a step of the usual length
  DVec gravity;
  std::int32_t gravity_bone;
  std::vector<Stop> stops;

  static Compiled<HingeSolver> compile(const HingeModifier& modifier, const CompileContext& context, std::string& why);
  std::size_t state_size() const { return kStateDoubles<MemoryOf<double>> + stops.size(); }
  template <class T>
  void solve(SolveOf<T>& solve) const;

 private:
  template <class T>
  using Shifts = std::array<T, kMostStops>;
  template <class T>
  VecOf<T> pull(const SolveOf<T>& solve) const {
    return gravity_bone == kNoBone ? VecOf<T>(gravity) : solve.bone(gravity_bone).rot * VecOf<T>(gravity);
  }
  template <class T>
  AngleLimitOf<T> limit(std::size_t stop, const Shifts<T>& shifts) const;
  template <class T>
  AngleLimitOf<T> limits(const Shifts<T>& shifts) const;
  template <class T>
  void advance(MemoryOf<T>& memory, SolveOf<T>& solve, Shifts<T>& shifts, const Shifts<T>& new_shifts) const;
  template <class T>
  void advance_natively(MemoryOf<T>& memory, SolveOf<T>& solve, const Shifts<T>& shifts) const;
};

}  // namespace marrow::motion
