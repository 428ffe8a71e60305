// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <variant>

#include "marrow/codec/compiled_clip.h"
#include "marrow/core/limits.h"
#include "marrow/ops/document/document.h"

namespace marrow {

/// Samples a clip at any frame. Spline data is evaluated as the games do; stored frames are mixed, translations and
/// scales linearly, rotations along the shorter way and made unit.
class MotionSampler {
 public:
  /// Fails if the motion is damaged or of a kind that cannot be decoded. Keeps no reference to `clip`.
  static Result<MotionSampler> open(const DocumentClip& clip, const Limits& limits = {});

  std::int32_t frame_count() const;
  std::int32_t track_count() const;
  std::int32_t float_track_count() const;
  /// `pose` has one entry per track. Frames outside the clip take its ends.
  void sample_frame(double frame, std::span<Transform> pose) const;
  void sample_floats(double frame, std::span<float> floats) const;

 private:
  std::variant<Clip, codec::CompiledClip> motion_;
};

}  // namespace marrow
