// SPDX-License-Identifier: MIT
#pragma once

#include "motion/solver.h"
#include "motion/solvers/spring.h"

namespace marrow::motion {

/// A unit mass on a spring, kept in a box in the parent's space. docs/modifiers/spring-box.md
struct SpringBoxSolver {
  static constexpr Effect kEffect{.delta = true, .rotation = false, .position = true};
  static constexpr bool kAnchored = true;

  template <class T>
  struct MemoryOf {
    VecOf<T> offset;    // from the anchor, world
    VecOf<T> velocity;  // relative to the anchor
    VecOf<T> last;      // offset last given out, in the parent's space
  };

  Spring spring;
  double wind_share;
  DVec force;
  bool boxed;
  DVec box_min, box_max;

  static Compiled<SpringBoxSolver> compile(const SpringBoxModifier& modifier, const CompileContext& context,
                                           std::string& why);
  std::size_t state_size() const { return kStateDoubles<MemoryOf<double>>; }
  template <class T>
  void solve(SolveOf<T>& solve) const;

 private:
  template <class T>
  MaskOf<T> keep_in_box(MemoryOf<T>& memory, const VecOf<T>& anchor_local, const PlacementOf<T>& parent,
                        const MaskOf<T>& where) const;
  template <class T>
  T free_radius(const VecOf<T>& anchor_local, const VecOf<T>& scale) const;
  template <class T>
  void advance(MemoryOf<T>& memory, SolveOf<T>& solve, const VecOf<T>& anchor_local) const;
  template <class T>
  void move(MemoryOf<T>& memory, SolveOf<T>& solve, const VecOf<T>& anchor_local, const VecOf<T>& push0,
            const VecOf<T>& push1) const;
  template <class T>
  void move_in_steps(MemoryOf<T>& memory, SolveOf<T>& solve, const VecOf<T>& anchor_local, const VecOf<T>& push0,
                     const VecOf<T>& push1, const T& room) const;
  template <class T>
  void fall(MemoryOf<T>& memory, const VecOf<T>& push, double seconds) const;
  template <class T>
  void advance_natively(MemoryOf<T>& memory, const SolveOf<T>& solve) const;
};

}  // namespace marrow::motion
