// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "marrow/core/error.h"
#include "marrow/model/clip.h"
#include "marrow/model/skeleton.h"
#include "marrow/ops/bone_map.h"

namespace marrow {

/// What was done to bring a clip to another body.
struct RetargetReport {
  float scale = 1.0f;  ///< length of the target's legs, or of its body, in the source's
  /// Feet near the ground go the way of the source's, scaled. How far a leg fell short of that, and how often.
  float worst_reach_miss = 0.0f;         ///< in the target's units
  std::int32_t reach_misses = 0;         ///< feet of frames
  std::vector<std::string> left_out;     ///< bones of the source with a track that nothing takes over
  std::vector<std::string> at_rest;      ///< bones of the target that nothing moves
  std::vector<std::string> lost_floats;  ///< float tracks whose slot the target has not
};

struct Retargeted {
  Clip clip;
  RetargetReport report;
};

/// Plays a clip on another skeleton. Bones of the target turn so that limbs point where those of the source point,
/// whatever the two rest poses are; free bones move by the source's way times the ratio of the legs; root motion is
/// scaled alike; feet are put back by bending the legs, so that one that stands still stands still.
///
/// Both skeletons are Z up, each in its own units. Events, float tracks (by the name of their slot) and the blend hint
/// are carried over. Fails where the map names a bone that is not there or nothing is mapped.
Result<Retargeted> retarget(const Clip& clip, const Skeleton& from, const Skeleton& to, const BoneMap& map);

}  // namespace marrow
