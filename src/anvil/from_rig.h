// SPDX-License-Identifier: MIT
/// Modifiers from a rig, which is where sidecars put them, into the skeleton of a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "anvil/edit.h"
#include "anvil/skeleton.h"
#include "marrow/model/game.h"
#include "marrow/model/rig.h"

namespace marrow::anvil {

// `rig` is everywhere what `to_model` returned for `skeleton`, with other modifiers since: `origins` has one entry per
// modifier of it.

/// Treats bones that are less than two degrees off the X axis as running along it. The games have no such turn: to keep
/// it, a second joint would have to turn the bone back. Returns a note for each bone with a modifier.
EditNotes align_with_axis(Rig& rig);

/// Gives added modifiers the object ids that they will have in the file. The random part of wind depends on them.
void number_added(const Skeleton& skeleton, Rig& rig, std::span<const ModifierOrigin> origins);

/// Removes the modifiers that do nothing in a game. Returns a note for each.
EditNotes drop_unavailable(Rig& rig, Game game);

/// Writes the given modifiers and the solving priorities of a rig into the skeleton, and removes those that the rig no
/// longer has; the result moves as the rig does. What is not given keeps its bytes. What the game does not have is left
/// out. A direction along a bone that is not X becomes offsets of a ball joint; for other modifiers, which have none,
/// it is refused with `Unrepresentable`. Changes nothing if it fails.
Result<EditNotes> set_modifiers(Skeleton& skeleton, const Rig& rig, std::span<const ModifierOrigin> origins,
                                std::optional<Game> game = {});

}  // namespace marrow::anvil
