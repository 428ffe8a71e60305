// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace marrow {

/// The games whose files are read and written, each family in order of its engine.
enum class Game : std::uint8_t {
  SkyrimLe,
  SkyrimSe,
  Fallout4,
  Ac1,
  Ac2,
  Brotherhood,
  Revelations,
  Ac3,
  Ac4,
  Rogue,
  Unity,
  Syndicate,
  Origins,
  Odyssey,
  Valhalla,
  Mirage,
};

/// Games whose files have the same formats.
enum class GameFamily : std::uint8_t {
  Havok,  ///< Skyrim and Fallout 4: Havok packfiles, 1 unit = 1.428 cm
  Anvil,  ///< Assassin's Creed: XML, metres
};

/// Size of the unit that Skyrim and Fallout 4 count in.
inline constexpr float kMetresPerGameUnit = 0.01428f;
/// Anvil counts in metres.
inline constexpr float kMetresPerAnvilUnit = 1.0f;

/// Returns every game, or those of one family.
std::span<const Game> all_games();
std::span<const Game> games_of(GameFamily family);

/// Returns the word that options, reports and records use, `skyrim-se`.
std::string_view to_string(Game game);
/// Returns the title, `Assassin's Creed Unity`.
std::string_view title(Game game);
GameFamily family_of(Game game);
/// Returns the length of one unit of the game's files, in metres.
float metres_per_unit(Game game);
/// Returns the game of a word or of one of its short names (`le`, `se`, `sse`, `fo4`), in any case; nothing if there is
/// none.
std::optional<Game> find_game(std::string_view word);
/// The same among the games of one family.
std::optional<Game> find_game(std::string_view word, GameFamily family);
/// Returns what to ask if a word may mean several games, as `skyrim` does; empty for all other words.
std::string game_question(std::string_view word);

}  // namespace marrow
