// SPDX-License-Identifier: MIT
#include "havok/object/game.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <string>

namespace marrow::havok {
namespace {

/// The file properties that a game of the Havok family reads.
struct HavokGame {
  Game game;
  std::string_view version;
  std::uint32_t pointer_size;
};

constexpr std::array<HavokGame, 3> kGames = {{
    {Game::SkyrimLe, kVersion2010, 4},
    {Game::SkyrimSe, kVersion2010, 8},
    {Game::Fallout4, kVersion2014, 8},
}};

/// Other games: what their files have, and no file of the games above. A new one is a row.
struct OtherGame {
  std::string_view name;
  std::string_view version;
  std::string_view layout;  // digits of the header; empty if the version has none
};

constexpr std::array<OtherGame, 3> kOtherGames = {{
    {"Demon's Souls (PlayStation 3)", "Havok-5.5.0-r1", "4011"},
    {"Bloodborne", "hk_2014.1.0-r1", "8111"},
    {"Dark Souls Remastered", "20150100", ""},
}};

const HavokGame& row(Game game) {
  const auto found = std::ranges::find(kGames, game, &HavokGame::game);
  assert(found != kGames.end());  // a game of another family has no packfiles
  return *found;
}

}  // namespace

std::string_view version_of(Game game) { return row(game).version; }
std::uint32_t pointer_size_of(Game game) { return row(game).pointer_size; }

std::optional<Game> game_of(const Packfile& file) {
  if (file.is_big_endian || file.reuses_padding) return std::nullopt;
  const auto same_version = [&](const HavokGame& game) { return game.version == file.schema->version(); };
  const auto exact = std::ranges::find_if(
      kGames, [&](const HavokGame& game) { return same_version(game) && game.pointer_size == file.pointer_size; });
  if (exact != kGames.end()) return exact->game;
  // No game has this version with this pointer size; use the game with the same version.
  const auto found = std::ranges::find_if(kGames, same_version);
  return found != kGames.end() ? std::optional(found->game) : std::nullopt;
}

std::string_view known_game(const Packfile& file) {
  const auto found = std::ranges::find_if(kOtherGames, [&](const OtherGame& game) {
    const auto layout = parse_layout(game.layout);
    return game.version == file.schema->version() && (!layout || *layout == file.layout());
  });
  return found == kOtherGames.end() ? std::string_view() : found->name;
}

Result<Packfile> with_pointer_size_of(Packfile file, Game game) {
  if (file.schema->version() != version_of(game))
    return fail(ErrorCode::Unsupported, "a file of " + file.schema->version() + " cannot become one of " +
                                            std::string(version_of(game)) +
                                            " class by class; only clips and skeletons can be converted between them");
  return with_layout(std::move(file), {pointer_size_of(game), false, false});
}

}  // namespace marrow::havok
