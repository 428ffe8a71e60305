// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "marrow/model/clip.h"

namespace marrow::motion {

/// Returns 6x^5 - 15x^4 + 10x^3: from 0 to 1 with speed and acceleration 0 at both ends.
double ease(double x);

/// Mixes two transforms: translation and scale linearly, rotation on the great circle from `a` to `b` as they are,
/// which may be the longer way. Use `PoseMixer` for a motion.
Transform mix(const Transform& a, const Transform& b, double weight);

/// Mixes poses frame after frame. The first frame decides the shorter way for each track. Later frames stay on that
/// side until it is longer by far, since near half a turn the shorter way changes from frame to frame.
class PoseMixer {
 public:
  explicit PoseMixer(std::size_t tracks) : signs_(tracks, 0.0f) {}
  Transform mix(std::size_t track, const Transform& a, const Transform& b, double weight);

 private:
  std::vector<float> signs_;
};

/// Returns the clip that leads from `a` to `b`: `frames` intervals, from the last so many of `a` to the first of `b`.
/// Both need frames, the same tracks and the same duration of a frame. Events of `a` are kept to the middle, those of
/// `b` from there.
Clip crossfade(const Clip& a, const Clip& b, std::int32_t frames);

/// Returns the first `frames` intervals of `b` with the difference to the end of `a`, in pose and velocity, dying out.
Clip inertial_start(const Clip& a, const Clip& b, std::int32_t frames);

/// Mixes root motion step by step: `weight(frame)` of `b`, the rest of `a`. `frame_a` and `frame_b` return the frame of
/// each clip at a frame of the result. A clip without root motion stands still.
std::optional<RootMotion> mixed_path(const Clip& a, const Clip& b, std::int32_t frame_count,
                                     const std::function<double(double)>& frame_a,
                                     const std::function<double(double)>& frame_b,
                                     const std::function<double(double)>& weight);

}  // namespace marrow::motion
