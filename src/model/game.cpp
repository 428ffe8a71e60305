// SPDX-License-Identifier: MIT
#include "marrow/model/game.h"

#include <array>

#include "marrow/core/text.h"

namespace marrow {
namespace {

/// What else people call a game.
struct GameAlias {
  std::string_view word;
  Game game;
};
constexpr GameAlias kAliases[] = {
    {"le", Game::SkyrimLe},        {"oldrim", Game::SkyrimLe}, {"skyrimle", Game::SkyrimLe}, {"se", Game::SkyrimSe},
    {"sse", Game::SkyrimSe},       {"ae", Game::SkyrimSe},     {"skyrimse", Game::SkyrimSe}, {"fo4", Game::Fallout4},
    {"fallout-4", Game::Fallout4}, {"f4", Game::Fallout4},
};

struct GameRow {
  Game game;
  GameFamily family;
  std::string_view word, title;
};

// In the order of the enumeration.
constexpr std::array kGameRows = {
    GameRow{Game::SkyrimLe, GameFamily::Havok, "skyrim-le", "Skyrim"},
    GameRow{Game::SkyrimSe, GameFamily::Havok, "skyrim-se", "Skyrim Special Edition"},
    GameRow{Game::Fallout4, GameFamily::Havok, "fallout4", "Fallout 4"},
    GameRow{Game::Ac1, GameFamily::Anvil, "ac1", "Assassin's Creed"},
    GameRow{Game::Ac2, GameFamily::Anvil, "ac2", "Assassin's Creed II"},
    GameRow{Game::Brotherhood, GameFamily::Anvil, "brotherhood", "Assassin's Creed: Brotherhood"},
    GameRow{Game::Revelations, GameFamily::Anvil, "revelations", "Assassin's Creed: Revelations"},
    GameRow{Game::Ac3, GameFamily::Anvil, "ac3", "Assassin's Creed III"},
    GameRow{Game::Ac4, GameFamily::Anvil, "ac4", "Assassin's Creed IV: Black Flag"},
    GameRow{Game::Rogue, GameFamily::Anvil, "rogue", "Assassin's Creed Rogue"},
    GameRow{Game::Unity, GameFamily::Anvil, "unity", "Assassin's Creed Unity"},
    GameRow{Game::Syndicate, GameFamily::Anvil, "syndicate", "Assassin's Creed Syndicate"},
    GameRow{Game::Origins, GameFamily::Anvil, "origins", "Assassin's Creed Origins"},
    GameRow{Game::Odyssey, GameFamily::Anvil, "odyssey", "Assassin's Creed Odyssey"},
    GameRow{Game::Valhalla, GameFamily::Anvil, "valhalla", "Assassin's Creed Valhalla"},
    GameRow{Game::Mirage, GameFamily::Anvil, "mirage", "Assassin's Creed Mirage"},
};

constexpr bool rows_are_in_order() {
  for (std::size_t i = 0; i < kGameRows.size(); ++i)
    if (kGameRows[i].game != static_cast<Game>(i)) return false;
  return true;
}
static_assert(rows_are_in_order());

constexpr auto kAllGames = [] {
  std::array<Game, kGameRows.size()> games{};
  for (std::size_t i = 0; i < games.size(); ++i) games[i] = kGameRows[i].game;
  return games;
}();

const GameRow& game_row(Game game) { return kGameRows[static_cast<std::size_t>(game)]; }

}  // namespace

std::span<const Game> all_games() { return kAllGames; }

std::span<const Game> games_of(GameFamily family) {
  std::size_t first = 0;
  while (first < kGameRows.size() && kGameRows[first].family != family) ++first;
  std::size_t end = first;
  while (end < kGameRows.size() && kGameRows[end].family == family) ++end;
  return std::span(kAllGames).subspan(first, end - first);
}

std::string_view to_string(Game game) { return game_row(game).word; }
std::string_view title(Game game) { return game_row(game).title; }
GameFamily family_of(Game game) { return game_row(game).family; }

float metres_per_unit(Game game) {
  return family_of(game) == GameFamily::Havok ? kMetresPerGameUnit : kMetresPerAnvilUnit;
}

std::optional<Game> find_game(std::string_view word) {
  const std::string lower = to_lower(word);
  for (const GameRow& row : kGameRows)
    if (row.word == lower) return row.game;
  for (const GameAlias& alias : kAliases)
    if (alias.word == lower) return alias.game;
  return std::nullopt;
}

std::string game_question(std::string_view word) {
  return equal_ignoring_case(word, "skyrim")
             ? "there are two games: skyrim-le (2011, 32-bit files) and skyrim-se (Special Edition and Anniversary "
               "Edition, 64-bit files); say which"
             : std::string();
}

std::optional<Game> find_game(std::string_view word, GameFamily family) {
  const auto game = find_game(word);
  return game && family_of(*game) == family ? game : std::nullopt;
}

}  // namespace marrow
