// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "marrow/model/clip.h"
#include "marrow/model/skeleton.h"

namespace marrow::motion {

// The motion of a clip at any time: a cubic path through its frames. On a frame the values are its own, bit for bit.
class ClipPath {
 public:
  // A bone that moves further than `jump` (units of the skeleton) between two frames jumps there, without a path.
  ClipPath(const Skeleton& skeleton, const Clip& clip, double jump);

  // Writes the pose at a time, one transform per bone; times outside the clip give its ends, and bones without a track
  // are at rest. If `bones` is given, only those are written.
  void at(double seconds, std::span<Transform> local, const std::vector<bool>* bones = nullptr) const;

 private:
  const Skeleton& skeleton_;
  const Clip& clip_;
  double jump_;
};

}  // namespace marrow::motion
