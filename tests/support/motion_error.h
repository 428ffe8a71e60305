// SPDX-License-Identifier: MIT
#pragma once

#include "marrow/model/clip.h"
#include "marrow/model/skeleton.h"
#include "marrow/ops/bone_map.h"

namespace marrow::test {

/// How far a retargeted clip is from the one it was made of.
struct MotionError {
  float mean_degrees = 0;  ///< of the directions from joint to mapped child
  float worst_degrees = 0;
  float foot_slide = 0;  ///< worst step of a foot that its source does not make, a frame, in parts of the leg's length
};

/// `turn` is how the target faces, in degrees about Z, when the source faces 0.
MotionError motion_error(const Clip& source, const Skeleton& from, const Clip& target, const Skeleton& to,
                         const BoneMap& map, float turn_degrees = 0);

}  // namespace marrow::test
