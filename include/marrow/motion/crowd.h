// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>

#include "marrow/core/error.h"
#include "marrow/motion/evaluate.h"

namespace marrow::motion {

/// Working memory of crowds of one rig, for one thread at a time. Its size does not depend on how many characters there
/// are.
class CrowdMemory {
 public:
  explicit CrowdMemory(const CompiledRig& rig);
  ~CrowdMemory();
  CrowdMemory(CrowdMemory&&) noexcept;
  CrowdMemory& operator=(CrowdMemory&&) noexcept;

  /// Sets the number of lanes that are used at most; 1 evaluates one character after the other. Results do not depend
  /// on it. The default is what the processor has.
  void use_lanes(std::size_t most);

  struct Data;
  /// For the evaluator.
  Data& data() { return *data_; }

 private:
  std::unique_ptr<Data> data_;
};

/// One frame of several characters that share a rig. They are solved side by side in the lanes of the processor's
/// registers: eight with AVX-512, four with AVX2, else two. Results are the same as those of `EvaluateJob`, to the last
/// bit, for any number of characters in any order. Rigs with colliders, a ground or self-collision are solved one
/// character after the other. Allocates nothing. Give each thread a part of the characters and memory of its own.
struct EvaluateCrowdJob {
  const CompiledRig* rig = nullptr;
  CrowdMemory* memory = nullptr;                            ///< made for the same rig
  std::span<State* const> states = {};                      ///< one per character, each of its own
  std::span<const Environment> environments = {};           ///< one per character, or one for all
  double delta_seconds = 0.0;                               ///< since the last frame; 0 or less repeats it
  std::span<const std::span<const Transform>> inputs = {};  ///< animated poses, local, one transform per bone
  std::span<const std::span<const float>> weights = {};     ///< one row per character; empty: 1 each
  std::span<const std::span<Transform>> outputs = {};       ///< poses with all modifiers, local; may be `inputs`
  std::span<const std::span<Vec3>> stretch = {};  ///< see `EvaluateJob::stretch`; one row per character, or none

  /// Checks that sizes agree and numbers are finite.
  Result<void> validate() const;
  /// Evaluates the frame. Requires that `validate` succeeds.
  void run() const;
};

}  // namespace marrow::motion
