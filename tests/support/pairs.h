// SPDX-License-Identifier: MIT
#pragma once

#include "marrow/model/clip.h"
#include "marrow/model/skeleton.h"

namespace marrow::test {

/// A creature of twelve bones on four legs, made up here, whose root has the name that humans' have too.
Skeleton make_bear();

/// A paired clip after docs/paired-clips.md: `PairedRoot`, `NPC` with the bones of the first skeleton, `2_` with those
/// of the second. Every bone sways a little; the second actor stands 60 units away, faces the first and steps back.
/// Events are on the first track and on the place of the second actor.
Clip make_paired_clip(const Skeleton& first, const Skeleton& second, int frames);

}  // namespace marrow::test
