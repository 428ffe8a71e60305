// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "marrow/model/clip.h"
#include "marrow/model/skeleton.h"

namespace marrow::motion {

/// Two frames of a clip whose poses and velocities are alike.
struct AlikeFrames {
  std::int32_t first = 0, last = 0;
  double distance = 0;  ///< in units per joint
};

/// Finds up to `count` places where a clip could be cut to loop, best first: at least a third of the clip long, and
/// more than 8 frames from each other. Cameras, weapons and other helpers do not count. The clip needs its frames.
std::vector<AlikeFrames> find_loops(const Skeleton& skeleton, const Clip& clip, std::size_t count);

}  // namespace marrow::motion
