// SPDX-License-Identifier: MIT
/// Modifiers from a rig, which is where sidecars put them, into the skeleton of a file.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "marrow/anvil/edit.h"
#include "marrow/anvil/skeleton.h"
#include "marrow/model/game.h"
#include "marrow/model/rig.h"

namespace marrow::anvil {

// `rig` is everywhere what `to_model` returned for `skeleton`, with more modifiers at the end of bones.

/// Returns the modifiers of the rig that the skeleton does not have, as indices into `Rig::modifiers`.
std::vector<std::size_t> added_modifiers(const Skeleton& skeleton, const Rig& rig);

/// Gives added modifiers the object ids that they will have in the file. The random part of wind depends on them.
void number_added(const Skeleton& skeleton, Rig& rig);

/// Removes the modifiers that do nothing in a game. Returns a note for each.
EditNotes drop_unavailable(Rig& rig, Game game);

/// Writes the added modifiers and the solving priorities of a rig into the skeleton; the result moves as the rig does.
/// What the game does not have is left out. A direction along a bone that is not X becomes offsets of a ball joint; for
/// other modifiers, which have none, it is refused with `Unrepresentable`. Changes nothing if it fails.
Result<EditNotes> add_modifiers(Skeleton& skeleton, const Rig& rig, std::optional<Game> game = {});

}  // namespace marrow::anvil
