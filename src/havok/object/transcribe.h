// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "havok/object/game.h"
#include "havok/packfile/packfile.h"
#include "marrow/core/error.h"

namespace marrow::havok {

/// Converts the clips and skeletons of a file to the classes of another game's version of Havok. Spline data, events,
/// float tracks and root motion are copied unchanged; a clip converted there and back is the same file. Ragdolls,
/// mappers and physics have no counterpart and are left out; `notes` reports everything that is left out. Fails if the
/// file holds neither a clip nor a skeleton. Files of the same version only change their pointer size.
Result<Packfile> transcribed(const Packfile& file, Game game, Notes& notes);

/// Returns what `transcribed` would leave out of a file of one of our games, as words: how many objects of which
/// classes. Empty if every object has a counterpart.
std::string left_behind(const Packfile& file, Game game);

}  // namespace marrow::havok
