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

/// The state of one character between frames, and the memory in which its frames are computed: evaluating allocates
/// nothing. One state belongs to one rig and is used by one thread at a time.
class State {
 public:
  explicit State(const CompiledRig& rig);
  /// Shares working memory with another state of the rig: for characters that one thread evaluates in turn, so that the
  /// memory stays in the cache.
  State(const CompiledRig& rig, const State& beside);
  ~State();
  State(const State&);
  State& operator=(const State&);
  State(State&&) noexcept;
  State& operator=(State&&) noexcept;

  /// Clears the state: the next frame starts from its pose, at time 0.
  void reset();
  /// Returns the seconds simulated since the last reset.
  double time_seconds() const;

  /// Returns the whole state, to continue later with the same bits.
  std::vector<std::byte> save() const;
  /// Restores a saved state. Fails with `BadMagic`, `Truncated` or `InvalidArgument` if the bytes are not a state of
  /// this rig, and leaves this one unchanged. Safe on untrusted input.
  Result<void> restore(std::span<const std::byte> bytes);

  /// For the evaluator: numbers by modifier, and scratch memory.
  std::span<double> values() { return values_; }
  Workspace& workspace() { return *workspace_; }

 private:
  std::vector<double> values_;
  std::shared_ptr<Workspace> workspace_;
};

}  // namespace marrow::motion
