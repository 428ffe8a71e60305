// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "marrow/core/error.h"
#include "marrow/motion/compiled_rig.h"

namespace marrow::motion {

struct Workspace;

/// What one character remembers from frame to frame, and the memory its frames are computed in: evaluating allocates
/// nothing. One state belongs to one rig and is used by one thread at a time.
class State {
 public:
  explicit State(const CompiledRig& rig);
  /// Computes its frames in the same memory as another state of the rig: for characters that one thread evaluates in
  /// turn, whose memory then stays in the cache.
  State(const CompiledRig& rig, const State& beside);
  ~State();
  State(const State&);
  State& operator=(const State&);
  State(State&&) noexcept;
  State& operator=(State&&) noexcept;

  /// Forgets everything: the next frame starts from its pose, at time 0.
  void reset();
  /// Seconds that were simulated since the last reset.
  double time_seconds() const;

  /// All that is remembered, to go on from later with the same bits.
  std::vector<std::byte> save() const;
  /// Fails with `BadMagic`, `Truncated` or `InvalidArgument` on what is no state of this rig, and leaves this one as it
  /// was. Safe on untrusted input.
  Result<void> restore(std::span<const std::byte> bytes);

  /// For the evaluator: numbers by modifier, and scratch memory.
  std::span<double> values() { return values_; }
  Workspace& workspace() { return *workspace_; }

 private:
  std::vector<double> values_;
  std::shared_ptr<Workspace> workspace_;
};

}  // namespace marrow::motion
