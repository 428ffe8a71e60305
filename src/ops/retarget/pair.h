// SPDX-License-Identifier: MIT
#pragma once

#include "ops/pair/paired.h"
#include "ops/retarget/retarget.h"

namespace marrow {

/// The two actors of a paired clip, and the bodies that they get.
struct RetargetedActors {
  Actors from, to;
  const BoneMap& first_map;
  const BoneMap& second_map;
};

/// A paired clip on other bodies, with the skeleton of both.
struct RetargetedPair {
  Skeleton skeleton;
  Clip clip;
  BodyFit fit;  ///< of the first actor; errors are the worse of the two
};

/// Plays a paired clip on two other skeletons. Each actor is retargeted by itself; distances between the actors are
/// scaled by the mean of their two scales. `skeleton` is the one that the clip moves. Fails as `retarget_clip` does.
Result<RetargetedPair> retarget_pair(const Clip& clip, const Skeleton& skeleton, const RetargetedActors& actors);

}  // namespace marrow
