// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "marrow/model/clip.h"
#include "motion/math.h"

namespace marrow::motion {

// Two samples of a row and how far between them a time lies.
struct ClipPlace {
  std::size_t frame0, frame1;
  double share;
};

inline ClipPlace place_of(std::size_t frames, double duration, double seconds) {
  if (frames < 2 || !(duration > 0.0)) return {0, 0, 0.0};
  double at = std::clamp(seconds / duration, 0.0, 1.0) * static_cast<double>(frames - 1);
  // On a frame but for rounding is on the frame: its values then pass through with their bits.
  if (const double whole = std::round(at); std::abs(at - whole) < 1e-5) at = whole;
  const auto low = std::min(static_cast<std::size_t>(at), frames - 2);
  return {low, low + 1, at - static_cast<double>(low)};
}

// The time within a clip that goes round; its end is its end, not its start.
inline double time_in_round(const Clip& clip, double seconds) {
  const double duration = clip.duration_seconds;
  return duration > 0.0 && seconds > duration + 1e-9 ? std::fmod(seconds, duration) : seconds;
}

// Where root motion has brought the entity, in units of the skeleton, and by how many radians it has turned about `up`.
struct Travel {
  Placement placed;
  double turn = 0.0;
};

// After `seconds` of a clip, whole rounds included. Before its start the entity comes along as the first two samples
// go.
Travel travelled(const Clip& clip, double seconds);

}  // namespace marrow::motion
