// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "marrow/model/transform.h"

namespace marrow::motion {

/// Removes jitter from the rotations of a track: the least sum of squared accelerations with every frame within
/// `degrees` of where it was. The ends stay. Gestures smaller than the bound may go too.
void smooth_rotations(std::span<Quat> rotations, double degrees);

}  // namespace marrow::motion
