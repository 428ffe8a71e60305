// SPDX-License-Identifier: MIT
#include "marrow/havok/skeleton.h"

#include <doctest/doctest.h>

#include <array>
#include <bit>

#include "support/corpus.h"
#include "support/rigs.h"

using namespace marrow;
using namespace marrow::havok;

namespace {

bool same_bits(const Skeleton& a, const Skeleton& b) {
  if (a != b) return false;
  for (std::size_t i = 0; i < a.bones.size(); ++i)
    if (std::bit_cast<std::array<std::uint32_t, 10>>(a.bones[i].rest) !=
        std::bit_cast<std::array<std::uint32_t, 10>>(b.bones[i].rest))
      return false;
  return true;
}

}  // namespace

TEST_CASE("a skeleton goes through a new file of every game unchanged") {
  Skeleton human = test::make_human(), ragdoll;
  ragdoll.name = "Ragdoll";
  ragdoll.bones = {{"Ragdoll_COM", kNoBone, {}, false}};
  for (const Game game : {Game::SkyrimLe, Game::SkyrimSe, Game::Fallout4}) {
    Notes notes;
    const auto file = make_skeleton_file(std::array{human, ragdoll}, game, &notes);
    REQUIRE(file.has_value());
    const auto bytes = write_packfile(*file);
    REQUIRE(bytes.has_value());
    const auto again = read_packfile(*bytes);
    REQUIRE(again.has_value());
    const auto ids = find_skeletons(*again);
    REQUIRE(ids.size() == 2);
    Skeleton want = human;
    if (game != Game::Fallout4) want.partitions.clear();
    CHECK(notes.size() == (game == Game::Fallout4 ? 0 : 1));
    const auto got = read_skeleton(*again, ids[0]);
    REQUIRE(got.has_value());
    CHECK(same_bits(*got, want));
    CHECK(read_skeleton(*again, ids[1]) == ragdoll);
  }
}

TEST_CASE("a skeleton that is put back where it came from changes no byte of the game's file") {
  for (const auto& path : test::files_below(test::corpus(), ".hkx")) {
    const auto bytes = test::bytes_of(path);
    auto file = read_packfile(bytes);
    if (!file) continue;
    for (const ObjectId id : find_skeletons(*file)) {
      const auto skeleton = read_skeleton(*file, id);
      REQUIRE_MESSAGE(skeleton.has_value(), path.string());
      REQUIRE_MESSAGE(set_skeleton(*file, id, *skeleton).has_value(), path.string());
    }
    const auto again = write_packfile(*file);
    REQUIRE(again.has_value());
    CHECK_MESSAGE(*again == bytes, path.string());
  }
}
