// SPDX-License-Identifier: MIT
#pragma once

#include "marrow/core/finding.h"
#include "marrow/model/motion_source.h"

namespace marrow {

/// Looks for what goes wrong on the way from FBX and BVH to a game: names that stand twice, scaled bones, several
/// roots, left-handed axes, no bind pose.
Findings check_source(const MotionSource& source);

}  // namespace marrow
