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
  static Result<MotionSampler> open(const DocumentClip& clip, const Limits& limits = {},
                                    codec::CompiledForm form = codec::CompiledForm::Hot);

  std::int32_t frame_count() const;
  std::int32_t track_count() const;
  std::int32_t float_track_count() const;
  /// `pose` has one entry per track. Frames outside the clip take its ends.
  void sample_frame(double frame, std::span<Transform> pose) const;
  void sample_floats(double frame, std::span<float> floats) const;

  /// One sample of a list. `pose` has one entry per track.
  struct Request {
    const MotionSampler* sampler = nullptr;
    double frame = 0.0;
    std::span<Transform> pose{};
  };
  /// Does what `sample_frame` does for each request. Faster than single calls if the clips are not in the caches.
  static void sample_many(std::span<const Request> requests);

 private:
  std::variant<Clip, codec::CompiledClip> motion_;
};

}  // namespace marrow
