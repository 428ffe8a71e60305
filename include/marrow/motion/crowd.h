// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>

#include "marrow/core/error.h"
#include "marrow/motion/evaluate.h"

namespace marrow::motion {

/// Working memory of crowds of one rig, for one thread at a time.
class CrowdMemory {
 public:
  explicit CrowdMemory(const CompiledRig& rig);
  ~CrowdMemory();
  CrowdMemory(CrowdMemory&&) noexcept;
  CrowdMemory& operator=(CrowdMemory&&) noexcept;

  /// Uses at most so many lanes: for comparisons. The default is what the processor has.
  void use_lanes(std::size_t most);

  struct Data;
  Data& data() { return *data_; }

 private:
  std::unique_ptr<Data> data_;
};

/// One frame of several characters that share a rig. They are solved side by side in the lanes of the processor's
/// registers: eight with AVX-512, four with AVX2, else two. Results are the same as those of `EvaluateJob`, to the last
/// bit. Rigs with colliders, a ground or self-collision are solved one character after the other. Allocates nothing.
struct EvaluateCrowdJob {
  const CompiledRig* rig = nullptr;
  CrowdMemory* memory = nullptr;                          ///< made for the same rig
  std::span<State* const> states = {};                    ///< one per character
  std::span<const Environment> environments = {};         ///< one per character, or one for all
  double delta_seconds = 0.0;                             ///< since the last frame; 0 or less repeats it
  std::span<const std::span<const Transform>> inputs = {};  ///< animated poses, local, one transform per bone
  std::span<const std::span<const float>> weights = {};   ///< one row per character; empty: 1 each
  std::span<const std::span<Transform>> outputs = {};     ///< poses with all modifiers, local; may be `inputs`
  std::span<const std::span<Vec3>> stretch = {};          ///< see `EvaluateJob::stretch`; one row per character, or none

  /// Checks that sizes agree and numbers are finite.
  Result<void> validate() const;
  /// Evaluates the frame. Requires that `validate` succeeds.
  void run() const;
};

}  // namespace marrow::motion
