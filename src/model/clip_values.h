// SPDX-License-Identifier: MIT
#pragma once

#include "marrow/core/error.h"
#include "marrow/model/clip.h"

namespace marrow {

/// Fails if a number of the motion is not finite or a rotation is zero, with the frame and the track. Rotations of
/// another length than one pass: encoding normalises them.
Result<void> check_values(const Clip& clip);

}  // namespace marrow
