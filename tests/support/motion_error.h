// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "marrow/model/clip.h"
#include "marrow/model/skeleton.h"
#include "ops/retarget/bone_map.h"

namespace marrow::test {

/// How far a retargeted clip is from the one it was made of.
struct MotionError {
  float mean_degrees = 0;  ///< of the directions from joint to mapped child
  float worst_degrees = 0;
  std::string worst_bone;  ///< of the target
  /// Worst step that a foot makes and its source does not, a frame, in parts of the leg's length: of feet that stand
  /// (the source's moves by less than a hundredth of its leg), and of all.
  float standing_slide = 0;
  float any_slide = 0;
};

/// `turn` is how the target faces, in degrees about Z, when the source faces 0.
MotionError motion_error(const Clip& source, const Skeleton& from, const Clip& target, const Skeleton& to,
                         const BoneMap& map, float turn_degrees = 0);

}  // namespace marrow::test
