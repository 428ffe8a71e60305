// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

#include "marrow/model/game.h"
#include "marrow/model/modifiers.h"

namespace marrow::anvil {

// All games here are of the Anvil family.

/// What a game does with a modifier.
enum class Availability : std::uint8_t {
  Yes,
  No,
  Renamed,    ///< under another name: LookAt became AnvilLookAt
  Partial,    ///< said to be missing in part, without a word on which
  Observed,   ///< documented as missing, and yet in the game's own data
  Vestigial,  ///< works, though the game itself has moved on
  NoEffect,   ///< read and ignored
};

std::string_view to_string(Availability availability);
Availability availability(Game game, ModifierType type);

/// Whether bones are counted in 16 bits, as from Unity on, or in 8.
bool has_wide_indices(Game game);
/// The most bones of a character, all addons counted: 255, or 65535 from Unity on; the next index means none.
std::uint32_t bone_limit(Game game);

/// Fields that only later games know.
bool has_limit_lod_level(Game game);
bool has_blend_weight(Game game);
bool has_dependencies(Game game);
bool has_reflex_system(Game game);
bool has_reflex3_constraints(Game game);

}  // namespace marrow::anvil
