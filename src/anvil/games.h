// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

#include "marrow/model/game.h"
#include "marrow/model/modifiers.h"

namespace marrow::anvil {

// All games here belong to the Anvil family.

/// How a game supports a modifier.
enum class Availability : std::uint8_t {
  Yes,
  No,
  Renamed,    ///< under another name: LookAt became AnvilLookAt
  Partial,    ///< documented as partly missing, without saying which part
  Observed,   ///< documented as missing, but present in the game's own data
  Vestigial,  ///< works, but the game itself no longer uses it
  NoEffect,   ///< read and ignored
};

std::string_view to_string(Availability availability);
Availability availability(Game game, ModifierType type);

/// True if bone indices have 16 bits, as from Unity on. False if they have 8.
bool has_wide_indices(Game game);
/// Returns the maximum number of bones of a character, including all addons: 255, or 65535 from Unity on. The next
/// index means "none".
std::uint32_t bone_limit(Game game);

/// True if the game has these fields; only later games do.
bool has_limit_lod_level(Game game);
bool has_blend_weight(Game game);
bool has_dependencies(Game game);
bool has_reflex_system(Game game);
bool has_reflex3_constraints(Game game);

}  // namespace marrow::anvil
