// SPDX-License-Identifier: MIT
#include "ops/pair/pair.h"
#include "ops/pair/floats.h"

#include <doctest/doctest.h>

#include <algorithm>

#include <glm/geometric.hpp>

#include "havok/animation/skeleton.h"
#include "support/documents.h"
#include "support/pairs.h"
#include "support/rigs.h"

using namespace marrow;

namespace {

using test::Bytes;

Document single(Clip clip, const Skeleton& skeleton, const std::string& name, bool is_named = true) {
  clip.annotation_tracks.resize(skeleton.bones.size());
  for (std::size_t i = 0; i < skeleton.bones.size(); ++i)
    clip.annotation_tracks[i].name = is_named ? skeleton.bones[i].name : std::string();
  clip.partitions.clear();
  Document document;
  document.game = Game::SkyrimSe;
  document.clips.push_back({.name = name, .clip = std::move(clip)});
  return test::loaded(test::saved(document, {.format = Format::Hkx}), Parts::Skeletons | Parts::Frames, name + ".hkx");
}

std::vector<std::string> names_of(const Clip& clip) {
  std::vector<std::string> names;
  for (const AnnotationTrack& track : clip.annotation_tracks) names.push_back(track.name);
  return names;
}

Document reloaded(const Document& document) {
  return test::loaded(test::saved(document), Parts::Skeletons | Parts::Frames, "pair.hkx");
}

}  // namespace

TEST_CASE("two clips become one: places, prefixed names, events, and the second actor where it is put") {
  const Skeleton human = test::make_human(), bear = test::make_bear();
  Document pair = single(test::make_walk(human, 31), human, "walk");
  const Document other = single(test::resting_clip(bear, 31), bear, "bear");
  Context context;
  const auto report = pair_join(pair, {.second = &other, .place = {10, 80, 0, 180}}, context);
  REQUIRE(report);
  CHECK(report->first_tracks == 25);
  CHECK(report->second_tracks == 12);
  CHECK(report->place.y == doctest::Approx(80.0));
  CHECK(std::abs(report->place.w) == doctest::Approx(180.0));
  const Clip clip = reloaded(pair).clips.at(0).clip;
  const auto names = names_of(clip);
  REQUIRE(names.size() == 25 + 12 + 3);
  CHECK(names[0] == "PairedRoot");
  CHECK(names[1] == "NPC");
  CHECK(names[2] == "NPC Root [Root]");
  CHECK(names[27] == "2_");
  CHECK(names[28] == "2_NPC Root [Root]");
  CHECK(clip.skeleton_name == "PairedRoot");
  CHECK(clip.annotation_tracks[0].annotations.size() == 3);
  // The walk has root motion, which is now the way of its place.
  CHECK_FALSE(clip.root_motion);
  CHECK(clip.frame(30)[1].translation.y == doctest::Approx(75.0).epsilon(0.001));
  CHECK(clip.frame(30)[27].translation.x == doctest::Approx(10.0).epsilon(0.001));
}

TEST_CASE("a pair that was joined comes apart into the clips it was made of, byte for byte") {
  const Skeleton human = test::make_human(), bear = test::make_bear();
  Clip walk = test::resting_clip(human, 31);
  for (std::size_t i = 0; i < walk.transforms.size(); ++i)
    walk.transforms[i].translation.z += 0.01f * static_cast<float>(i);
  const Document a = single(walk, human, "pair_1"), b = single(test::resting_clip(bear, 31), bear, "pair_2");
  Document pair = a;
  Context context;
  REQUIRE(pair_join(pair, {.second = &b, .place = {0, 50, 0, 90}}, context));
  pair.clips[0].name = "pair";
  REQUIRE(pair_split(pair, {}, context));
  REQUIRE(pair.clips.size() == 2);
  CHECK(pair.clips[0].name == "pair_1");
  const auto files = save(pair, {.format = Format::Hkx}, context);
  REQUIRE(files);
  CHECK(files->at(0).bytes == test::saved(a));
  CHECK(files->at(1).bytes == test::saved(b));
}

TEST_CASE("a place that moves becomes root motion when a pair is split, and the place itself is reported") {
  const Skeleton human = test::make_human(), bear = test::make_bear();
  Document document;
  document.game = Game::SkyrimSe;
  document.clips.push_back({.name = "pair", .clip = test::make_paired_clip(human, bear, 31)});
  Context context;
  const auto report = pair_split(document, {}, context);
  REQUIRE(report);
  CHECK(report->place.y == doctest::Approx(60.0));
  CHECK(std::abs(report->place.w) == doctest::Approx(180.0));
  CHECK_FALSE(document.clips.at(0).clip.root_motion);
  const Clip& second = document.clips.at(1).clip;
  REQUIRE(second.root_motion);
  // It faces the other way, so stepping away is backwards.
  CHECK(second.root_motion->samples.back().y == doctest::Approx(-15.0).epsilon(0.001));
  CHECK(second.annotation_tracks.at(0).name == "NPC Root [Root]");
  CHECK(second.annotation_tracks.at(0).annotations.at(0).text == "PairedHit");
  CHECK(document.clips[0].clip.annotation_tracks.at(0).annotations.at(0).text == "PairedStart");
}

TEST_CASE("swapping exchanges the actors and leaves them where they stand; twice gives the same bytes") {
  const Skeleton human = test::make_human(), bear = test::make_bear();
  Document made;
  made.game = Game::SkyrimSe;
  made.clips.push_back({.name = "pair", .clip = test::make_paired_clip(human, bear, 31)});
  const Bytes before = test::saved(made, {.format = Format::Hkx});
  Document pair = test::loaded(before, Parts::Skeletons | Parts::Frames, "pair.hkx");
  Context context;
  REQUIRE(pair_swap(pair, {}, context));
  const Bytes swapped = test::saved(pair);
  Document again = test::loaded(swapped, Parts::Skeletons | Parts::Frames, "pair.hkx");
  const Clip& clip = again.clips.at(0).clip;
  CHECK(clip.annotation_tracks[2].name == "NPC Root [Root]");
  CHECK(clip.annotation_tracks[2 + bear.bones.size()].name == "2_");
  CHECK(clip.frame(0)[1].translation.y == doctest::Approx(60.0).epsilon(0.001));
  REQUIRE(pair_swap(again, {}, context));
  CHECK(test::saved(again) == before);
}

TEST_CASE("the slots of two alike actors are told apart whichever comes first") {
  Clip clip;
  clip.float_track_count = 4;
  clip.float_to_slot = {4, 5, 12, 13};
  CHECK(slot_border(clip, nullptr) == 8);
  clip.float_to_slot = {12, 13, 4, 5};
  CHECK(slot_border(clip, nullptr) == 8);
  clip.float_to_slot = {0, 1, 5, 9};
  CHECK_FALSE(slot_border(clip, nullptr));
  clip.float_to_slot = {4, 9, 8, 13};  // the second actor would begin among the first one's slots
  CHECK_FALSE(slot_border(clip, nullptr));
}

TEST_CASE("clips of different lengths are refused by name of their lengths, or the shorter holds its last pose") {
  const Skeleton human = test::make_human();
  const Document shorter = single(test::resting_clip(human, 11), human, "short");
  Document pair = single(test::make_walk(human, 31), human, "walk");
  Context context;
  const auto refused = pair_join(pair, {.second = &shorter}, context);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message.find("31 frames") != std::string::npos);
  CHECK(refused.error().message.find("11 frames") != std::string::npos);
  REQUIRE(pair_join(pair, {.second = &shorter, .hold = true}, context));
  CHECK(pair.clips[0].clip.frame_count == 31);
  CHECK(validate(pair.clips[0].clip));
}

TEST_CASE("tracks without names get those of the skeleton; without one they stay so, and still come apart") {
  const Skeleton human = test::make_human();
  const Document skeleton =
      test::loaded(havok::make_skeleton_file({&human, 1}, Game::SkyrimSe).value(), Parts::Skeletons, "skeleton.hkx");
  const Document clip = single(test::resting_clip(human, 5), human, "still", false);
  Context context;
  Document named = clip, unnamed = clip;
  REQUIRE(pair_join(named, {.second = &clip, .skeleton = &skeleton}, context));
  // Clips without names are read by index, the second actor first.
  CHECK(named.clips[0].clip.annotation_tracks.at(1).name == "2_");
  CHECK(named.clips[0].clip.annotation_tracks.at(human.bones.size() + 1).name == "2_WEAPON");
  CHECK(named.clips[0].clip.annotation_tracks.back().name == "WEAPON");
  Document in_order = clip;
  REQUIRE(pair_join(in_order, {.second = &clip, .skeleton = &skeleton, .order = PairOrder::NpcFirst}, context));
  CHECK(in_order.clips[0].clip.annotation_tracks.back().name == "2_WEAPON");
  REQUIRE(pair_join(unnamed, {.second = &clip}, context));
  CHECK(context.notes.size() == 2);
  REQUIRE(pair_split(unnamed, {}, context));
  CHECK(unnamed.clips.at(1).clip.track_count == static_cast<std::int32_t>(human.bones.size()));
}

TEST_CASE("a clip of one actor is not split, and a pair is not joined again") {
  const Skeleton human = test::make_human();
  Document walk = single(test::make_walk(human, 5), human, "walk");
  Context context;
  const auto split = pair_split(walk, {}, context);
  REQUIRE_FALSE(split);
  CHECK(split.error().code == ErrorCode::WrongKind);
  const Document other = walk;
  REQUIRE(pair_join(walk, {.second = &other}, context));
  CHECK_FALSE(pair_join(walk, {.second = &other}, context));
}
