// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "marrow/model/clip.h"
#include "marrow/model/skeleton.h"

namespace marrow {

/// What the games put before the names of a paired clip's second actor.
inline constexpr std::string_view kSecondActor = "2_";

/// Whether a clip says of itself that it moves two actors: by a track named `2_...` or by the skeleton it names.
bool is_paired(const Clip& clip);
/// Whether a skeleton is that of two actors: one of its bones is another's `2_...`.
bool is_paired(const Skeleton& skeleton);

/// The skeleton twice, the second time with `2_` before the names of bones, slots, partitions and local frames.
Skeleton paired_skeleton(const Skeleton& actor);

/// The skeleton that a clip counts its bones by: the actor's own; or that of both actors where the clip says that it is
/// paired, or has exactly as many bones as two of them. Where every track has a name the bones come as those say, so
/// that a second actor may have fewer bones and a common root may stand before both; names that the actor does not
/// have become bones without a parent.
Skeleton skeleton_for(const Clip& clip, const Skeleton& actor);

}  // namespace marrow
