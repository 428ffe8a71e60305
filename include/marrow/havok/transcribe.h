// SPDX-License-Identifier: MIT
#pragma once

#include "marrow/core/error.h"
#include "marrow/havok/game.h"
#include "marrow/havok/packfile.h"

namespace marrow::havok {

/// Writes the clips and skeletons of a file in the classes of another game's version of Havok. Spline data, events,
/// float tracks and root motion go over as they are; a clip that went there and back is the same file. Ragdolls,
/// mappers and physics have no counterpart and stay behind, which `notes` tells with all else that is left out.
/// Fails where the file holds neither clip nor skeleton. Files of the same version only change their pointer size.
Result<Packfile> transcribed(const Packfile& file, Game game, Notes& notes);

}  // namespace marrow::havok
