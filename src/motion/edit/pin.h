// SPDX-License-Identifier: MIT
#pragma once

#include <glm/ext/vector_double3.hpp>
#include <span>
#include <vector>

#include "marrow/model/clip.h"
#include "motion/edit/limb.h"

namespace marrow::motion {

/// Where the end of a limb is to be at a frame, in model space, and how much: 0 leaves the frame alone.
struct PinGoal {
  glm::dvec3 place{0.0};
  double weight = 0.0;
};

struct PinOptions {
  bool free_end = false;  ///< the end bone keeps its rotation relative to the limb instead of in model space
  /// The bone that the goals lie at; what carries it does not give way, or the goal would move with it.
  std::int32_t target = kNoBone;
};

struct PinOutcome {
  std::vector<std::int32_t> missed = {};  ///< frames at which the goal stays out of reach
  double worst_miss = 0;                  ///< units
  double hips_moved = 0;                  ///< units
  std::vector<glm::dvec3> places = {};    ///< where the end is now, by frame
};

/// Returns the places of a bone in model space, by frame.
std::vector<glm::dvec3> bone_path(const Skeleton& skeleton, const Clip& clip, std::int32_t bone);

/// Bends a limb so that its end is at the goals. Nothing else moves but what has to: helpers that twist with the limb,
/// the bones above an arm or the hips above a leg if the goal is out of reach. `goals` has one entry per frame. The
/// clip needs frames, and tracks for the upper and the lower bone; fails with `NotFound` without them.
Result<PinOutcome> pin_limb(const Skeleton& skeleton, const Limb& limb, std::span<const PinGoal> goals,
                            const PinOptions& options, Clip& clip);

}  // namespace marrow::motion
