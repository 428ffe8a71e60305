// SPDX-License-Identifier: MIT
#pragma once

#include "marrow/model/clip.h"
#include "marrow/model/skeleton.h"

namespace marrow::test {

/// A small human of Skyrim's kind, made up here: names with blanks and brackets, Z up, game units, bones that point
/// along Z, some with locked translations, float slots and a bone of another scale.
Skeleton make_human();

/// The same body as another hand would build it: `Pelvis` and `LArm_UpperArm` for names, X along the bones.
Skeleton make_other_human();

/// A clip whose every frame is the rest pose, to be changed.
Clip resting_clip(const Skeleton& skeleton, int frames);

/// A walk of `frames` frames at 30 a second on `make_human`: root motion, float tracks, events, constant tracks.
Clip make_walk(const Skeleton& skeleton, int frames);

/// A crouch on `make_human`, deeper and less deep: knees bent by more than a right angle, feet still on the ground.
Clip make_crouch(const Skeleton& skeleton, int frames);

/// A stance on `make_human` with both hands before the chest, near each other.
Clip make_grip(const Skeleton& skeleton, int frames);

}  // namespace marrow::test
