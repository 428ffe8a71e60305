// SPDX-License-Identifier: MIT
#include "ops/pair/paired.h"

#include <doctest/doctest.h>

#include <algorithm>

#include <glm/geometric.hpp>

#include "havok/animation/animation.h"
#include "havok/animation/skeleton.h"
#include "ops/clip/fit.h"
#include "ops/clip/mirror.h"
#include "ops/clip/sample.h"
#include "ops/files/check.h"
#include "ops/files/convert.h"
#include "ops/files/info.h"
#include "ops/retarget/retarget.h"
#include "support/documents.h"
#include "support/pairs.h"
#include "support/rigs.h"

using namespace marrow;

namespace {

using test::Bytes;

Document pair_file(const Clip& clip) {
  Document document;
  document.game = Game::SkyrimSe;
  document.clips.push_back({.name = "pair", .clip = clip});
  return test::loaded(test::saved(document, {.format = Format::Hkx}), Parts::Skeletons | Parts::Frames, "pair.hkx");
}

Document body_file(const Skeleton& skeleton) {
  return test::loaded(havok::make_skeleton_file({&skeleton, 1}, Game::SkyrimSe).value(), Parts::Skeletons,
                      "skeleton.hkx");
}

Bytes converted(Document document, const ConvertOptions& options) {
  Context context;
  REQUIRE(convert(document, options, context));
  const auto files = save(document, options.save, context);
  REQUIRE(files);
  return files->front().bytes;
}

}  // namespace

TEST_CASE("PairedRoot carries two places, and each place carries the bones of its actor") {
  const Skeleton human = test::make_human(), bear = test::make_bear();
  const Clip clip = test::make_paired_clip(human, bear, 3);
  CHECK(is_paired(clip));
  const Skeleton both = skeleton_for(clip, {&human, &bear});
  REQUIRE(validate(both));
  CHECK(is_paired(both));
  CHECK(both.bones == paired_skeleton({&human, &bear}).bones);
  CHECK(both.bones[0].name == "PairedRoot");
  CHECK(both.bones[1].name == "NPC");
  CHECK(both.bones[1].parent == 0);
  for (std::size_t i = 0; i < human.bones.size(); ++i) {
    const Bone& bone = both.bones[2 + i];
    CHECK(bone.name == human.bones[i].name);
    CHECK(bone.rest == human.bones[i].rest);
    CHECK(bone.parent == (human.bones[i].parent == kNoBone ? 1 : human.bones[i].parent + 2));
  }
  const std::size_t second = 2 + human.bones.size();
  CHECK(both.bones[second].name == "2_");
  CHECK(both.bones[second].parent == 0);
  for (std::size_t i = 0; i < bear.bones.size(); ++i) {
    const Bone& bone = both.bones[second + 1 + i];
    CHECK(bone.name == "2_" + bear.bones[i].name);
    CHECK(bone.rest == bear.bones[i].rest);
    CHECK(bone.parent ==
          static_cast<std::int32_t>(second) + (bear.bones[i].parent == kNoBone ? 0 : bear.bones[i].parent + 1));
  }
}

TEST_CASE("tracks without names are told apart by the number of bones, with places or without") {
  const Skeleton human = test::make_human(), bear = test::make_bear();
  Clip clip = test::make_paired_clip(human, bear, 2);
  clip.annotation_tracks.clear();
  CHECK(skeleton_for(clip, {&human, &bear}) == paired_skeleton({&human, &bear}));
  clip.skeleton_name.clear();
  CHECK_FALSE(is_paired(clip));
  CHECK(skeleton_for(clip, {&human, &bear}) == paired_skeleton({&human, &bear}));
  clip.track_count -= 3;
  CHECK(skeleton_for(clip, {&human, &bear}) == paired_skeleton({&human, &bear}, false));
  CHECK(skeleton_for(test::make_walk(human, 3), {&human}) == human);
  CHECK_FALSE(is_paired(human));
}

TEST_CASE("an actor may lack bones: the next ancestor that is there carries the others, where they rest") {
  const Skeleton human = test::make_human();
  Clip clip = test::make_paired_clip(human, human, 2);
  const auto thigh = std::ranges::find(clip.annotation_tracks, "2_NPC L Thigh [LThg]", &AnnotationTrack::name);
  clip.annotation_tracks.erase(thigh);
  --clip.track_count;
  const Skeleton both = skeleton_for(clip, {&human});
  REQUIRE(validate(both));
  const auto calf = find_bone(both, "2_NPC L Calf [LClf]");
  REQUIRE(calf);
  CHECK(both.bones[static_cast<std::size_t>(both.bones[static_cast<std::size_t>(*calf)].parent)].name ==
        "2_NPC Pelvis [Pelv]");
  const Transform& own_thigh = human.bones[static_cast<std::size_t>(*find_bone(human, "NPC L Thigh [LThg]"))].rest;
  const Transform& own_calf = human.bones[static_cast<std::size_t>(*find_bone(human, "NPC L Calf [LClf]"))].rest;
  CHECK(glm::length(both.bones[static_cast<std::size_t>(*calf)].rest.translation - (own_thigh * own_calf).translation) <
        1e-4f);
}

TEST_CASE("in model space each actor stands where its place is, on its own bones") {
  const Skeleton human = test::make_human(), bear = test::make_bear();
  Context context;
  const auto report =
      sample(pair_file(test::make_paired_clip(human, bear, 5)),
             {.frames = {4}, .space = Space::Model, .skeleton = &human, .second_skeleton = &bear}, context);
  REQUIRE(report);
  CHECK(context.notes.empty());
  const auto head = std::ranges::find(report->names, "2_NPC COM [COM ]");
  REQUIRE(head != report->names.end());
  const Vec3 at = report->poses[0].tracks[static_cast<std::size_t>(head - report->names.begin())].translation;
  // The place: 62 units ahead, turned about. The bear's COM is 20 behind its root, so 20 further.
  CHECK(at.x == doctest::Approx(0.0).epsilon(0.01));
  CHECK(at.y == doctest::Approx(62.0 + 20.0).epsilon(0.1));
}

TEST_CASE("a paired clip is two rigs in glTF, in one animation, and comes back as the same bytes") {
  const Skeleton human = test::make_human(), bear = test::make_bear();
  const Document first = body_file(human), second = body_file(bear);
  const Document pair = pair_file(test::make_paired_clip(human, bear, 31));
  const Bytes before = test::saved(pair);
  for (const RootMotionAs as : {RootMotionAs::None, RootMotionAs::Node}) {
    const Bytes gltf = converted(
        pair, {.save = {.format = Format::Gltf, .root_motion = as}, .skeleton = &first, .second_skeleton = &second});
    const std::string_view text(reinterpret_cast<const char*>(gltf.data()), gltf.size());
    std::size_t skins = 0;
    for (std::size_t at = text.find("\"joints\""); at != std::string_view::npos; at = text.find("\"joints\"", at + 1))
      ++skins;
    CHECK(skins == 2);
    const Document scene = test::loaded(gltf);
    REQUIRE(scene.skeletons.size() == 1);
    REQUIRE(scene.clips.size() == 1);
    CHECK(scene.skeletons[0].skeleton.bones == paired_skeleton({&human, &bear}).bones);
    CHECK(converted(scene, {.save = {.format = Format::Hkx}}) == before);
    CHECK(converted(scene, {.save = {.format = Format::Hkx}, .skeleton = &first, .second_skeleton = &second}) ==
          before);
  }
}

TEST_CASE("mirroring a paired clip mirrors both actors and where they stand; twice gives the same motion") {
  const Skeleton human = test::make_human(), bear = test::make_bear();
  const Document first = body_file(human), second = body_file(bear);
  Clip clip = test::make_paired_clip(human, bear, 5);
  const std::size_t place = human.bones.size() + 2;
  for (std::size_t f = 0; f < 5; ++f)
    clip.transforms[f * static_cast<std::size_t>(clip.track_count) + place].translation.x = 7.0f;
  Document pair = pair_file(clip);
  Context context;
  const auto report = mirror(pair, {.skeleton = &first, .second_skeleton = &second}, context);
  REQUIRE(report);
  CHECK(report->pairs > 10);
  const Clip& once = pair.clips.at(0).clip;
  REQUIRE(once.track_count == clip.track_count);
  CHECK(once.frame(0)[place].translation.x == doctest::Approx(-7.0));
  CHECK(once.annotation_tracks[place].name == "2_");
  REQUIRE(mirror(pair, {.skeleton = &first, .second_skeleton = &second}, context));
  for (std::size_t i = 0; i < clip.transforms.size(); ++i)
    CHECK(angle_degrees(pair.clips[0].clip.transforms[i].rotation, clip.transforms[i].rotation) < 0.05f);
}

TEST_CASE("retargeting a paired clip gives each actor its own body, and scales what is between them") {
  const Skeleton human = test::make_human(), other = test::make_other_human(), bear = test::make_bear();
  const Document human_file = body_file(human), other_file = body_file(other), bear_file = body_file(bear);
  Document pair = pair_file(test::make_paired_clip(human, bear, 5));
  Context context;
  const auto report = retarget(
      pair, {.from = &human_file, .to = &other_file, .second_from = &bear_file, .second_to = &bear_file}, context);
  REQUIRE(report);
  CHECK(report->fit.scale == doctest::Approx(0.94).epsilon(0.01));
  const Clip& clip = pair.clips.at(0).clip;
  CHECK(pair.skeletons.at(0).skeleton.bones == paired_skeleton({&other, &bear}).bones);
  CHECK(clip.track_count == static_cast<std::int32_t>(other.bones.size() + bear.bones.size() + 3));
  const std::size_t place = other.bones.size() + 2;
  CHECK(clip.annotation_tracks[place].name == "2_");
  CHECK(clip.annotation_tracks[place].annotations.size() == 1);
  CHECK(clip.frame(0)[place].translation.y == doctest::Approx(60.0f * 0.5f * (1.0f + report->fit.scale)));
  CHECK(test::loaded(test::saved(pair)).clips.size() == 1);
}

TEST_CASE("check knows both actors: the right skeletons are good, a wrong one and lost places are found") {
  const Skeleton human = test::make_human(), bear = test::make_bear();
  const Document first = body_file(human), second = body_file(bear);
  Clip clip = test::make_paired_clip(human, bear, 31);
  Context context;
  const auto codes = [&](const Clip& of, const CheckOptions& options) {
    std::vector<std::string> found;
    const Findings findings = check(test::saved(pair_file(of)), "pair.hkx", options, context).value().findings;
    for (const Finding& finding : findings)
      if (finding.code.find("PAIRED_") != std::string::npos || finding.level != Level::Info)
        found.push_back(finding.code);
    return found;
  };
  // The first actor comes first here, which tools that go by index have to know.
  CHECK(codes(clip, {.skeleton = &first, .second_skeleton = &second}) == std::vector<std::string>{"I_PAIRED_INDEX"});
  CHECK(codes(clip, {.skeleton = &first}) ==
        std::vector<std::string>{"W_PAIRED_BONE", "W_PAIRED_ORDER", "I_PAIRED_INDEX"});
  clip.annotation_tracks[human.bones.size() + 2].name = "2_Somewhere";
  CHECK(codes(clip, {.skeleton = &first, .second_skeleton = &second}) ==
        std::vector<std::string>{"I_PAIRED_PLACE", "W_PAIRED_BONE", "I_PAIRED_INDEX"});
  CHECK(info(pair_file(clip), {}, context)->actors == 2);
}

TEST_CASE("fitted to one body a paired clip keeps its first actor, with a note") {
  const Skeleton human = test::make_human();
  Notes notes;
  const DocumentSkeleton both{.skeleton = paired_skeleton({&human, &human}), .is_guessed = true};
  const Clip one = fit_to_skeleton(both, test::make_paired_clip(human, human, 3), human, notes);
  CHECK(one.track_count == static_cast<std::int32_t>(human.bones.size()));
  CHECK(notes.size() >= 1);
}
