// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "havok/packfile/packfile.h"
#include "marrow/model/game.h"

namespace marrow::havok {

/// Returns the version of Havok and the pointer size of a game of the Havok family.
std::string_view version_of(Game game);
std::uint32_t pointer_size_of(Game game);
/// Returns the game that a file of this version and layout is for; nothing if it is for another game.
std::optional<Game> game_of(const Packfile& file);

/// Returns the name of another game that has files of this version and layout; empty if none is known. Files do not
/// name their game, so games that share both are one row.
std::string_view known_game(const Packfile& file);

/// Converts a file to the layout of another game with the same version of Havok. Fails if the versions differ
/// (use `transcribed` for clips and skeletons) or if the file holds objects of unknown classes.
Result<Packfile> with_pointer_size_of(Packfile file, Game game);

}  // namespace marrow::havok
