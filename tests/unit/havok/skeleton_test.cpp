// SPDX-License-Identifier: MIT
#include "havok/animation/skeleton.h"

#include <doctest/doctest.h>

#include <array>
#include <bit>
#include <utility>

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

namespace {

/// Two frames on bones, one with a child, a group and a matrix with what no rotation says; and an entry without one.
Packfile file_with_frames(Game game) {
  Skeleton skeleton = test::make_human();
  skeleton.partitions.clear();
  skeleton.local_frames = {
      {"left hand", 3, {{1, 2, 3}, make_quat(0.6f, 0, 0, 0.8f), Vec3(1.0f)}}, {"head", 5, {}}, {"gone", 1, {}}};
  Packfile file = make_skeleton_file({&skeleton, 1}, game).value();
  const ObjectId id = find_skeletons(file)[0];
  const ObjectId frame = std::as_const(file).at(id).fields().array("localFrames").record(0).pointer("localFrame");
  const ObjectId child = file.add("hkSimpleLocalFrame"), group = file.add("hkLocalFrameGroup");
  file.at(child).fields().set_text("name", "finger");
  file.at(child).fields().set_pointer("parentFrame", frame);
  file.at(group).fields().set_text("name", "hands");
  Fields fields = file.at(frame).fields();
  fields.set_pointers("children", std::array{child});
  fields.set_pointer("group", group);
  std::vector<float> columns = fields.view().floats("transform");
  columns[0] = 1.0000001f;
  columns[3] = 7.0f;
  columns[15] = 1.0f;
  fields.set_floats("transform", columns);
  file.at(id).fields().element("localFrames", 2).set_pointer("localFrame", {});
  return file;
}

}  // namespace

TEST_CASE("local frames read as they lie, and put back change no byte of the file") {
  for (const Game game : {Game::SkyrimLe, Game::SkyrimSe, Game::Fallout4}) {
    const auto bytes = write_packfile(file_with_frames(game)).value();
    Packfile file = read_packfile(bytes).value();
    CHECK(write_packfile(file).value() == bytes);
    const ObjectId id = find_skeletons(file)[0];
    const Skeleton skeleton = read_skeleton(file, id).value();
    REQUIRE(skeleton.local_frames.size() == 3);
    const LocalFrame& hand = skeleton.local_frames[0];
    CHECK(hand.name == "left hand");
    CHECK(hand.bone == 3);
    CHECK(hand.place.translation == Vec3(1, 2, 3));
    CHECK(hand.place.rotation.x == doctest::Approx(0.6));
    CHECK(hand.place.rotation.w == doctest::Approx(0.8));
    CHECK(skeleton.local_frames[1] == LocalFrame{"head", 5, {}});
    CHECK(skeleton.local_frames[2] == LocalFrame{"", 1, {}});
    REQUIRE(set_skeleton(file, id, skeleton));
    CHECK(write_packfile(file).value() == bytes);
    Skeleton unaware = skeleton;
    unaware.local_frames.clear();
    REQUIRE(set_skeleton(file, id, unaware));
    CHECK(write_packfile(file).value() == bytes);
  }
}

TEST_CASE("a local frame that is edited keeps what hangs on it; one on a bone that is not there is refused") {
  for (const Game game : {Game::SkyrimLe, Game::SkyrimSe, Game::Fallout4}) {
    Packfile file = file_with_frames(game);
    const ObjectId id = find_skeletons(file)[0];
    Skeleton skeleton = read_skeleton(file, id).value();
    skeleton.local_frames[0].name = "right hand";
    skeleton.local_frames[0].bone = 4;
    skeleton.local_frames[2] = {"tail", 2, {{0, 0, -9}, make_quat(0, 1, 0, 0), Vec3(1.0f)}};
    REQUIRE(set_skeleton(file, id, skeleton));
    const Packfile again = read_packfile(write_packfile(file).value()).value();
    const ObjectId same = find_skeletons(again)[0];
    CHECK(read_skeleton(again, same) == skeleton);
    const ObjectId frame = again.at(same).fields().array("localFrames").record(0).pointer("localFrame");
    const FieldsView fields = again.at(frame).fields();
    CHECK(fields.floats("transform")[3] == 7.0f);
    CHECK(again.at(fields.array("children").pointer(0)).fields().text("name") == "finger");
    CHECK(again.at(fields.pointer("group")).fields().text("name") == "hands");
    const auto before = write_packfile(file).value();
    skeleton.local_frames[1].bone = 99;
    CHECK_FALSE(set_skeleton(file, id, skeleton));
    CHECK(write_packfile(file).value() == before);
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
