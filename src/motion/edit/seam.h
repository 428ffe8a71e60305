// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>

#include "marrow/model/clip.h"

namespace marrow::motion {

/// How a clip accelerates where it was changed, against the clips it came from.
struct Seam {
  std::int32_t frame = 0;
  std::size_t track = 0;
  double acceleration = 0;  ///< there, in degrees per frame and frame at 30 frames per second
  double inside = 0;        ///< 99 of 100 frames of the track in the sources are below
  double factor = 0;
};

/// Above this factor a change is seen as a pop. Untouched clips reach 2.2 in single frames.
inline constexpr double kPopFactor = 2.5;

/// Judges frames `first` to `last` of `clip` by the sources. All need frames and the same tracks. Rotations that hardly
/// move in the sources are judged by the liveliest ones.
Seam judge_seam(const Clip& clip, std::int32_t first, std::int32_t last, std::span<const Clip* const> sources);

/// Returns the largest angular acceleration of some bones over a clip, in degrees per frame and frame at 30 frames per
/// second. The clip needs frames.
double peak_acceleration(const Clip& clip, std::span<const std::int32_t> bones);

}  // namespace marrow::motion
