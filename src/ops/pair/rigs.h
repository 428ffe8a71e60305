// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "exchange/gltf/scene.h"

namespace marrow {

/// Returns the two actors of a paired skeleton, each with its own bones and tracks and with `PairedRoot`. The first
/// also has what belongs to the clip as a whole: events, float tracks, the kept file. Returns other armatures as they
/// are.
std::vector<gltf::Armature> split_rigs(gltf::Armature armature);

/// Joins armatures that are the two actors of one pair, by the places that `split_rigs` gave them or, without those, by
/// the names of their bones; clips are joined by name. Other armatures stay as they are.
void join_rigs(std::vector<gltf::Armature>& armatures);

}  // namespace marrow
