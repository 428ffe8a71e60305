// SPDX-License-Identifier: MIT
#include "marrow/ops/sample.h"

#include <doctest/doctest.h>

#include <fstream>

#include "marrow/havok/animation.h"
#include "marrow/havok/skeleton.h"
#include "support/clips.h"

using namespace marrow;

namespace {

std::vector<std::byte> short_clip_file() {
  return havok::write_packfile(havok::make_clip_file(test::waving_clip(3, 31), Game::SkyrimSe).value()).value();
}

std::vector<std::byte> skeleton_file(std::int32_t bones) {
  const Skeleton skeleton = test::chain_skeleton(bones);
  return havok::write_packfile(havok::make_skeleton_file({&skeleton, 1}, Game::SkyrimSe).value()).value();
}

}  // namespace

TEST_CASE("without a choice every whole frame is sampled, with --fps so many a second, ends included") {
  CHECK(sample(short_clip_file()).value().poses.size() == 31);
  const auto doubled = sample(short_clip_file(), {.fps = 60});
  REQUIRE(doubled);
  CHECK(doubled->poses.size() == 61);
  CHECK(doubled->poses[1].frame == doctest::Approx(0.5));
  CHECK(doubled->poses.back().frame == 30.0);
}

TEST_CASE("a frame past the end shows the end and says so") {
  const auto sampled = sample(short_clip_file(), {.frames = {30, 99}});
  REQUIRE(sampled);
  CHECK(sampled->poses[0].tracks == sampled->poses[1].tracks);
  CHECK(sampled->notes.size() == 1);
}

TEST_CASE("in model space a chain adds up") {
  const auto skeleton = skeleton_file(3);
  const auto local = sample(short_clip_file(), {.frames = {7}}).value();
  const auto model = sample(short_clip_file(), {.frames = {7}, .model_space = true, .skeleton = skeleton}).value();
  const Transform tip = local.poses[0].tracks[0] * local.poses[0].tracks[1] * local.poses[0].tracks[2];
  for (int i = 0; i < 3; ++i) CHECK(model.poses[0].tracks[2].translation[i] == doctest::Approx(tip.translation[i]));
}

TEST_CASE("tracks without a bone are left out of model space, and told of") {
  const auto skeleton = skeleton_file(2);
  const auto model = sample(short_clip_file(), {.frames = {0}, .model_space = true, .skeleton = skeleton}).value();
  CHECK(model.tracks == std::vector<std::int32_t>{0, 1});
  CHECK(model.notes.size() == 1);
}

TEST_CASE("model space without a skeleton, a clip that is not there, and bytes of another kind are refused") {
  CHECK_FALSE(sample(short_clip_file(), {.model_space = true}));
  CHECK_FALSE(sample(short_clip_file(), {.clip = 1}));
  CHECK_FALSE(sample(skeleton_file(2)));
  CHECK_FALSE(sample(std::as_bytes(std::span("v 1 2 3"))));
}

TEST_CASE("the CSV has a header and one line a track") {
  const std::string csv = to_csv(sample(short_clip_file(), {.frames = {0.5}}).value());
  CHECK(csv.starts_with("frame,track,tx,ty,tz,qx,qy,qz,qw,sx,sy,sz\n0.5,0,"));
  CHECK(std::ranges::count(csv, '\n') == 4);
}

TEST_CASE("the skeleton of a clip is found in the folders of the games") {
  namespace fs = std::filesystem;
  const fs::path root = fs::temp_directory_path() / "marrow sample test";
  fs::remove_all(root);
  const fs::path clips = root / "actors/character/animations/mod";
  fs::create_directories(clips);
  fs::create_directories(root / "actors/character/character assets");
  CHECK_FALSE(find_skeleton_beside(clips / "clip.hkx"));
  std::ofstream(root / "actors/character/character assets/skeleton.hkx") << "x";
  CHECK(find_skeleton_beside(clips / "clip.hkx") == root / "actors/character/character assets/skeleton.hkx");
  fs::remove_all(root);
}
