// SPDX-License-Identifier: MIT
#include "marrow/havok/object/game.h"

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

Result<Packfile> with_pointer_size_of(Packfile file, Game game) {
  if (file.schema->version() != version_of(game))
    return fail(ErrorCode::Unsupported, "a file of " + file.schema->version() + " cannot become one of " +
                                            std::string(version_of(game)) +
                                            " class by class; only clips and skeletons can be converted between them");
  return with_layout(std::move(file), {pointer_size_of(game), false, false});
}

}  // namespace marrow::havok
