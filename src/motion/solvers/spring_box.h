// SPDX-License-Identifier: MIT
#pragma once

#include "motion/solver.h"
#include "motion/solvers/spring.h"

namespace marrow::motion {

/// A unit mass on a spring, kept in a box in the parent's space. docs/modifiers/spring-box.md
struct SpringBoxSolver {
  static constexpr Effect kEffect{.delta = true, .rotation = false, .position = true};
  static constexpr bool kAnchored = true;

  struct Memory {
    DVec offset;    // from the anchor, world
    DVec velocity;  // relative to the anchor
    DVec last;      // offset last given out, in the parent's space
  };

  Spring spring;
  double wind_share;
  DVec force;
  bool boxed;
  DVec box_min, box_max;

  static Compiled<SpringBoxSolver> compile(const SpringBoxModifier& modifier, const CompileContext& context,
                                           std::string& why);
  std::size_t state_size() const { return kStateDoubles<Memory>; }
  void solve(Solve& solve) const;

 private:
  bool keep_in_box(Memory& memory, const DVec& anchor_local, const Placement& parent) const;
  double free_radius(const DVec& anchor_local, const DVec& scale) const;
  void advance(Memory& memory, Solve& solve, const DVec& anchor_local) const;
  void move(Memory& memory, Solve& solve, const DVec& anchor_local, const DVec& push0, const DVec& push1) const;
  void fall(Memory& memory, const DVec& push, double seconds) const;
  void advance_natively(Memory& memory, const Solve& solve) const;
};

}  // namespace marrow::motion
