// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>

#include "marrow/core/file.h"
#include "marrow/havok/animation.h"
#include "marrow/havok/skeleton.h"
#include "marrow/ops/check.h"
#include "marrow/ops/diff.h"
#include "support/clips.h"
#include "support/random_blob.h"

using namespace marrow;
using havok::Packfile;

namespace {

std::vector<std::byte> bytes_of(const Packfile& file) { return havok::write_packfile(file).value(); }

std::vector<std::byte> skeleton_bytes(std::int32_t bones) {
  const Skeleton skeleton = test::chain_skeleton(bones);
  return bytes_of(havok::make_skeleton_file({&skeleton, 1}, Game::SkyrimSe).value());
}

Packfile spline_file() {
  const auto blob = test::random_blob(2, {.frames = 300, .tracks = 3, .floats = 1, .every_encoding = false});
  return havok::make_clip_file(test::waving_clip(3, 300), Game::SkyrimSe, &blob).value();
}

std::vector<std::string> codes(const Packfile& file, const CheckOptions& options = {}) {
  std::vector<std::string> found;
  const auto findings = check(bytes_of(file), options);
  for (const Finding& finding : findings.value())
    if (finding.level != Level::Info) found.push_back(finding.code);
  return found;
}

using Codes = std::vector<std::string>;

}  // namespace

TEST_CASE("a good clip has nothing wrong, with its skeleton and without") {
  const Packfile file = havok::make_clip_file(test::waving_clip(3, 30), Game::SkyrimSe).value();
  const auto skeleton = skeleton_bytes(3);
  CHECK(codes(file).empty());
  CHECK(codes(file, {.skeleton = skeleton}).empty());
  CHECK(codes(file, {.game = "skyrim-le"}) == Codes{"E_POINTER_SIZE"});
}

TEST_CASE("a clip with more tracks than the skeleton has bones is an error, a paired one is not") {
  Clip clip = test::waving_clip(5, 30);
  const auto skeleton = skeleton_bytes(3);
  CHECK(codes(havok::make_clip_file(clip, Game::SkyrimSe).value(), {.skeleton = skeleton}) == Codes{"E_TRACK_BONE"});
  clip.annotation_tracks[4].name = "2_Bone 1";
  CHECK(codes(havok::make_clip_file(clip, Game::SkyrimSe).value(), {.skeleton = skeleton}).empty());
}

TEST_CASE("a local frame on a bone that is not there is an error") {
  Skeleton skeleton = test::chain_skeleton(3);
  skeleton.local_frames = {{"grip", 2, {}}};
  Packfile file = havok::make_skeleton_file({&skeleton, 1}, Game::SkyrimSe).value();
  CHECK(codes(file).empty());
  file.at(havok::find_skeletons(file)[0]).fields().element("localFrames", 0).set_integer("boneIndex", 3);
  CHECK(codes(file) == Codes{"E_LOCAL_FRAME"});
}

TEST_CASE("a track map of another length than the tracks is an error") {
  Clip clip = test::waving_clip(3, 30);
  clip.track_to_bone = {0, 1, 2};
  Packfile file = havok::make_clip_file(clip, Game::SkyrimSe).value();
  const auto binding = havok::find_binding(file, havok::find_animations(file)[0]);
  file.at(binding).fields().set_numbers<std::int16_t>("transformTrackToBoneIndices", std::vector<std::int16_t>{0});
  CHECK(codes(file) == Codes{"E_TRACK_MAP"});
}

TEST_CASE("a clip that nothing plays is an error") {
  Packfile file = havok::make_clip_file(test::waving_clip(3, 30), Game::SkyrimSe).value();
  const auto binding = havok::find_binding(file, havok::find_animations(file)[0]);
  file.at(binding).fields().set_pointer("animation", {});
  CHECK(codes(file) == Codes{"E_NO_BINDING"});
}

TEST_CASE("events past the end and without a text are told of") {
  Clip clip = test::waving_clip(3, 30);
  clip.annotation_tracks[0].annotations = {{5.0f, "late"}, {0.1f, ""}};
  CHECK(codes(havok::make_clip_file(clip, Game::SkyrimSe).value()) == Codes{"W_ANNOTATION_TIME", "W_ANNOTATION_EMPTY"});
}

TEST_CASE("rotations that jump or are not of unit length are told of, once a track") {
  Clip clip = test::waving_clip(3, 30);
  clip.transforms[3 * 10 + 1].rotation = make_quat(0, 1, 0, 0);
  CHECK(codes(havok::make_clip_file(clip, Game::SkyrimSe).value()) == Codes{"W_JUMP"});
  Clip short_clip = test::waving_clip(1, 2);
  short_clip.annotation_tracks.clear();
  Packfile file = havok::make_clip_file(short_clip, Game::SkyrimSe).value();
  std::vector<float> values(24, 0.0f);
  for (const std::size_t at : {7u, 8u, 9u, 10u, 19u, 20u, 21u, 22u}) values[at] = 1.0f;
  values[7] = 2.0f;
  file.at(havok::find_animations(file)[0]).fields().set_numbers<float>("transforms", values);
  CHECK(codes(file) == Codes{"E_NOT_UNIT"});
}

TEST_CASE("blocks of 256 frames instead of 255, and other broken laws of time, are errors") {
  Packfile file = spline_file();
  auto fields = file.at(havok::find_animations(file)[0]).fields();
  CHECK(codes(file).empty());
  fields.set_real("blockDuration", 256.0 / 30);
  CHECK(codes(file) == Codes{"E_BLOCK_STRIDE"});
  fields.set_real("blockDuration", 8.5);
  fields.set_real("duration", 12.0);
  CHECK(codes(file) == Codes{"E_DURATION"});
  fields.set_real("duration", 299.0 / 30);
  fields.set_integer("numBlocks", 3);
  CHECK(codes(file) == Codes{"E_BLOCK_COUNT"});
  fields.set_integer("numBlocks", 2);
  fields.set_numbers<std::uint8_t>("data", std::vector<std::uint8_t>(16));
  CHECK(codes(file) == Codes{"E_MOTION"});
}

TEST_CASE("bones without a name and parents after their children are told of") {
  Skeleton skeleton = test::chain_skeleton(3);
  skeleton.bones[1].name.clear();
  Packfile file = havok::make_skeleton_file({&skeleton, 1}, Game::SkyrimSe).value();
  CHECK(codes(file) == Codes{"W_EMPTY_NAME"});
  file.at(havok::find_skeletons(file)[0])
      .fields()
      .set_numbers<std::int16_t>("parentIndices", std::vector<std::int16_t>{-1, 2, 0});
  CHECK(codes(file) == Codes{"E_SKELETON", "W_EMPTY_NAME"});
}

TEST_CASE("a 32-bit file among 64-bit ones is an error") {
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / "marrow check test";
  fs::remove_all(folder);
  const Packfile le = havok::make_clip_file(test::waving_clip(3, 30), Game::SkyrimLe).value();
  const Packfile se = havok::make_clip_file(test::waving_clip(3, 30), Game::SkyrimSe).value();
  REQUIRE(write_file(folder / "a.hkx", bytes_of(le)));
  CHECK(codes(le, {.path = (folder / "a.hkx").generic_string()}).empty());
  for (const char* name : {"b.hkx", "c.hkx"}) REQUIRE(write_file(folder / name, bytes_of(se)));
  CHECK(codes(le, {.path = (folder / "a.hkx").generic_string()}) == Codes{"E_POINTER_SIZE"});
  fs::remove_all(folder);
}

TEST_CASE("clips that show the same are no difference, whatever game and encoding they are in") {
  const Clip clip = test::waving_clip(3, 30);
  const auto se = bytes_of(havok::make_clip_file(clip, Game::SkyrimSe).value());
  CHECK(diff(se, bytes_of(havok::make_clip_file(clip, Game::SkyrimLe).value())).value().empty());
  CHECK(diff(se, bytes_of(havok::make_clip_file(clip, Game::Fallout4).value())).value().empty());
  Clip other = clip;
  other.track_to_bone = {0, 1, 2};
  CHECK(diff(se, bytes_of(havok::make_clip_file(other, Game::SkyrimSe).value())).value().empty());
}

TEST_CASE("what differs between clips is told in degrees, units, events and names") {
  const Clip clip = test::waving_clip(3, 30);
  const auto differences = [&](auto change) {
    Clip other = clip;
    change(other);
    return diff(bytes_of(havok::make_clip_file(clip, Game::SkyrimSe).value()),
                bytes_of(havok::make_clip_file(other, Game::SkyrimSe).value()))
        .value();
  };
  const auto moved = differences([](Clip& c) { c.transforms[4].translation.x += 0.5f; });
  REQUIRE(moved.size() == 1);
  CHECK(moved[0].where == "clips[0].tracks[1]");
  CHECK(moved[0].right.find("0.5 units") != std::string::npos);
  const auto renamed = differences([](Clip& c) { c.annotation_tracks[0].annotations[0].text = "FootFront"; });
  CHECK(renamed.size() == 2);
  CHECK(differences([](Clip& c) { c.skeleton_name = "Other"; }).size() == 1);
  CHECK(differences([](Clip& c) { c.root_motion.reset(); }).size() == 1);
  CHECK(differences([](Clip& c) { c.blend_hint = BlendHint::AdditiveDeprecated; }).size() == 1);
}

TEST_CASE("skeletons are compared bone by bone") {
  Skeleton left = test::chain_skeleton(3), right = left;
  right.bones[2].rest.translation.z = 11;
  right.bones[1].name = "Spine";
  const auto bytes = [](const Skeleton& s, Game game) {
    return bytes_of(havok::make_skeleton_file({&s, 1}, game).value());
  };
  CHECK(diff(bytes(left, Game::SkyrimSe), bytes(left, Game::Fallout4)).value().empty());
  const auto found = diff(bytes(left, Game::SkyrimSe), bytes(right, Game::SkyrimSe)).value();
  CHECK(found.size() == 4);  // Bone 1 is gone, Bone 2 has another parent and place, Spine is new
}

TEST_CASE("local frames that differ are told of") {
  Skeleton skeleton = test::chain_skeleton(3);
  skeleton.local_frames = {{"grip", 1, {}}};
  const auto bytes = [&] { return bytes_of(havok::make_skeleton_file({&skeleton, 1}, Game::SkyrimSe).value()); };
  const auto before = bytes();
  CHECK(diff(before, before).value().empty());
  skeleton.local_frames[0].place.translation.x = 1.0f;
  skeleton.local_frames.push_back({"foot", 2, {}});
  const auto differences = diff(before, bytes()).value();
  REQUIRE(differences.size() == 2);
  CHECK(differences[0].where.ends_with("local_frames[0]"));
  CHECK(differences[1] == Difference{"skeletons[0].local_frames[1]", "", "foot"});
}
