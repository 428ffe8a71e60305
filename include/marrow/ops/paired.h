// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "marrow/model/clip.h"
#include "marrow/model/skeleton.h"

namespace marrow {

/// Prefix of the second actor's bone names in paired clips.
inline constexpr std::string_view kSecondActor = "2_";

/// True if the clip itself shows that it moves two actors: by a track named `2_...` or by the skeleton it names.
bool is_paired(const Clip& clip);
/// True if the skeleton contains two actors: one of its bones has the name of another with `2_` in front.
bool is_paired(const Skeleton& skeleton);

/// Returns the skeleton twice. In the second copy the names of bones, slots, partitions and local frames start with
/// `2_`.
Skeleton paired_skeleton(const Skeleton& actor);

/// Returns the skeleton whose bones a clip refers to. This is the actor's own, or that of both actors if
/// `is_paired(clip)` or if the clip has exactly twice as many bones. If every track has a name, the names decide the
/// order of the bones: a second actor may have fewer bones, and a common root may precede both. Names that the actor
/// does not have become bones without a parent.
Skeleton skeleton_for(const Clip& clip, const Skeleton& actor);

}  // namespace marrow
