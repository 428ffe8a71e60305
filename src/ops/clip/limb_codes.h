// SPDX-License-Identifier: MIT
#pragma once

#include <glm/ext/vector_double3.hpp>

#include "motion/edit/limb.h"
#include "ops/clip/edit_support.h"

namespace marrow {

/// Stores a limb that was bent, from the root down, each bone against what is stored above it. The codes of the upper
/// and the lower bone are chosen together, so that the end is where `places` says at every frame of the range, to a
/// hundredth of a unit: rounding each by itself would move a hand by up to 0.04. Returns the largest distance.
Result<double> store_limb(DocumentClip& clip, const Skeleton& skeleton, const motion::Limb& limb, const Clip& after,
                          std::span<const glm::dvec3> places, FrameRange range, const ClipEditOptions& options,
                          EditedClip& report, Context& context);

}  // namespace marrow
