// SPDX-License-Identifier: MIT
#pragma once

#include "marrow/model/clip.h"
#include "marrow/model/skeleton.h"

namespace marrow::test {

/// A chain of bones named `Bone 0`, `Bone 1`, ..., and a clip that waves it, with events, a float and root motion.
Skeleton chain_skeleton(std::int32_t bones);
Clip waving_clip(std::int32_t bones, std::int32_t frames);

}  // namespace marrow::test
