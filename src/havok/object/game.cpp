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

Game game_of(const Packfile& file) {
  const auto same_version = [&](const HavokGame& game) { return game.version == file.schema->version(); };
  const auto exact = std::ranges::find_if(
      kGames, [&](const HavokGame& game) { return same_version(game) && game.pointer_size == file.pointer_size; });
  if (exact != kGames.end()) return exact->game;
  // No game has this version with this pointer size; use the game with the same version.
  const auto found = std::ranges::find_if(kGames, same_version);
  return found != kGames.end() ? found->game : kGames.front().game;
}

Result<Packfile> with_pointer_size_of(Packfile file, Game game) {
  if (file.schema->version() != version_of(game))
    return fail(ErrorCode::Unsupported, "a file of " + file.schema->version() + " cannot become one of " +
                                            std::string(version_of(game)) +
                                            " class by class; only clips and skeletons can be converted between them");
  if (file.pointer_size == pointer_size_of(game)) return file;
  for (std::size_t i = 0; i < file.objects.size(); ++i)
    if (!file.objects[i].type)
      return fail(
          ErrorCode::Unrepresentable,
          "class " + file.objects[i].opaque().class_name + " is not known, so its pointers cannot change their size",
          kNoOffset, "objects[" + std::to_string(i) + "]");
  file.pointer_size = pointer_size_of(game);
  return file;
}

}  // namespace marrow::havok
