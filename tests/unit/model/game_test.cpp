// SPDX-License-Identifier: MIT
#include "marrow/model/game.h"

#include <doctest/doctest.h>

#include "anvil/games.h"
#include "havok/object/game.h"

using namespace marrow;

TEST_CASE("every game has a word, a title and a family, and is found by its word in any case") {
  for (const Game game : all_games()) {
    CAPTURE(to_string(game));
    CHECK(find_game(to_string(game)) == game);
    CHECK_FALSE(title(game).empty());
    CHECK(metres_per_unit(game) > 0.0f);
  }
  CHECK(find_game("Skyrim-SE") == Game::SkyrimSe);
  CHECK_FALSE(find_game("oblivion"));
  CHECK_FALSE(find_game("unity", GameFamily::Havok));
}

TEST_CASE("every game of a family has the facts of that family") {
  for (const Game game : games_of(GameFamily::Havok)) {
    CHECK(havok::version_of(game).starts_with("hk_"));
    CHECK(havok::builtin_schema(havok::version_of(game)));
    CHECK((havok::pointer_size_of(game) == 4 || havok::pointer_size_of(game) == 8));
  }
  for (const Game game : games_of(GameFamily::Anvil)) CHECK(anvil::bone_limit(game) >= 255);
  CHECK(games_of(GameFamily::Havok).size() + games_of(GameFamily::Anvil).size() == all_games().size());
}
