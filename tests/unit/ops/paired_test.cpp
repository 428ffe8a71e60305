// SPDX-License-Identifier: MIT
#include "marrow/ops/paired.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "marrow/havok/animation.h"
#include "marrow/havok/skeleton.h"
#include "marrow/ops/check.h"
#include "marrow/ops/convert.h"
#include "marrow/ops/info.h"
#include "marrow/ops/sample.h"
#include "marrow/ops/fit.h"
#include "support/documents.h"
#include "support/rigs.h"

using namespace marrow;

namespace {

using test::Bytes;

/// A walk of two: the second actor goes as the first does, ten frames later and 50 units away.
Clip make_pair(const Skeleton& skeleton) {
  const Clip walk = test::make_walk(skeleton, 31);
  Clip clip = walk;
  clip.track_count *= 2;
  clip.transforms.clear();
  for (std::int32_t f = 0; f < walk.frame_count; ++f) {
    const auto first = walk.frame(f), second = walk.frame((f + 10) % walk.frame_count);
    clip.transforms.insert(clip.transforms.end(), first.begin(), first.end());
    clip.transforms.insert(clip.transforms.end(), second.begin(), second.end());
    clip.transforms[clip.transforms.size() - second.size()].translation.y += 50.0f;
  }
  clip.annotation_tracks.resize(skeleton.bones.size());
  for (std::size_t i = 0; i < skeleton.bones.size(); ++i) clip.annotation_tracks[i].name = skeleton.bones[i].name;
  for (const Bone& bone : skeleton.bones) clip.annotation_tracks.push_back({"2_" + bone.name, {}});
  clip.annotation_tracks[skeleton.bones.size()].annotations = {{0.5f, "PairedHit"}};
  clip.partitions.clear();
  return clip;
}

Document clip_file(const Clip& clip) {
  return test::loaded(havok::make_clip_file(clip, Game::SkyrimSe).value(), Parts::Frames, "pair.hkx");
}

Document skeleton_file(const Skeleton& skeleton) {
  return test::loaded(havok::make_skeleton_file({&skeleton, 1}, Game::SkyrimSe).value(), Parts::Skeletons, "skeleton.hkx");
}

Clip read_back(const Bytes& bytes) { return test::loaded(bytes, Parts::Frames).clips.at(0).clip; }

/// A document converted to another format; notes are counted in `notes`.
Bytes converted(Document document, const ConvertOptions& options, std::size_t& notes) {
  Context context;
  REQUIRE(convert(document, options, context));
  const auto files = save(document, options.save, context);
  REQUIRE(files);
  notes = context.notes.size();
  return files->front().bytes;
}

}  // namespace

TEST_CASE("a clip is paired by its tracks' names or by having two bodies' worth of bones") {
  const Skeleton human = test::make_human();
  Clip clip = make_pair(human);
  const Skeleton both = paired_skeleton(human);
  CHECK(validate(both));
  CHECK(is_paired(clip));
  CHECK(is_paired(both));
  CHECK_FALSE(is_paired(human));
  CHECK(skeleton_for(clip, human).bones == both.bones);
  CHECK(skeleton_for(clip, both) == both);
  clip.annotation_tracks.clear();
  CHECK_FALSE(is_paired(clip));
  CHECK(skeleton_for(clip, human) == both);
  CHECK(skeleton_for(test::make_walk(human, 3), human) == human);
  Clip empty;
  empty.skeleton_name = "PairedRoot";
  CHECK(skeleton_for(empty, human) == human);
}

TEST_CASE("names of tracks may tell of a common root and of a second actor with fewer bones") {
  const Skeleton human = test::make_human();
  Clip clip;
  clip.annotation_tracks.push_back({"PairedRoot", {}});
  for (const Bone& bone : human.bones) clip.annotation_tracks.push_back({bone.name, {}});
  clip.annotation_tracks.push_back({"2_" + human.bones[0].name, {}});
  clip.annotation_tracks.push_back({"2_" + human.bones[1].name, {}});
  clip.track_count = static_cast<std::int32_t>(clip.annotation_tracks.size());
  const Skeleton both = skeleton_for(clip, human);
  REQUIRE(both.bones.size() == human.bones.size() + 3);
  CHECK(validate(both));
  CHECK(both.bones[0].name == "PairedRoot");
  CHECK(both.bones[1].parent == 0);
  for (std::size_t i = 1; i < human.bones.size(); ++i) {
    CHECK(both.bones[i + 1].parent == human.bones[i].parent + 1);
    CHECK(both.bones[i + 1].rest == human.bones[i].rest);
  }
  CHECK(both.bones[human.bones.size() + 1].parent == 0);
  CHECK(both.bones[human.bones.size() + 2].parent == static_cast<std::int32_t>(human.bones.size()) + 1);
}

TEST_CASE("a paired clip is good, and info reports its actors") {
  const Skeleton human = test::make_human();
  const Document pair = clip_file(make_pair(human)), skeleton = skeleton_file(human);
  Context context;
  const Findings findings = check(test::saved(pair), "pair.hkx", {.skeleton = &skeleton}, context).value().findings;
  CHECK(std::ranges::all_of(findings, [](const Finding& finding) { return finding.level == Level::Info; }));
  CHECK(std::ranges::count(findings, "I_PAIRED", &Finding::code) == 1);
  CHECK(info(pair, {}, context)->actors == 2);
  CHECK_FALSE(info(clip_file(test::make_walk(human, 3)), {}, context)->actors);
  std::size_t notes = 0;
  const Bytes glb = converted(pair, {.save = {.format = Format::Glb}, .skeleton = &skeleton}, notes);
  CHECK(info(test::loaded(glb), {}, context)->actors == 2);
}

TEST_CASE("in model space each actor of a paired clip stands on its own bones") {
  const Skeleton human = test::make_human();
  Context context;
  const auto pair = sample(clip_file(make_pair(human)), {.frames = {0}, .space = Space::Model, .skeleton = &human}, context);
  REQUIRE(pair);
  CHECK(context.notes.empty());
  REQUIRE(pair->tracks.size() == 2 * human.bones.size());
  const auto alone = sample(clip_file(test::make_walk(human, 31)),
                            {.frames = {0, 10}, .space = Space::Model, .skeleton = &human}, context);
  REQUIRE(alone);
  for (std::size_t i = 0; i < human.bones.size(); ++i) {
    CHECK(pair->poses[0].tracks[i] == alone->poses[0].tracks[i]);
    const Vec3 second = pair->poses[0].tracks[human.bones.size() + i].translation;
    const Vec3 walker = alone->poses[1].tracks[i].translation + Vec3(0, 50, 0);
    for (int axis = 0; axis < 3; ++axis) CHECK(second[axis] == doctest::Approx(walker[axis]).epsilon(1e-4));
  }
}

TEST_CASE("a paired clip goes to glTF and comes back with its tracks, names and events") {
  const Skeleton human = test::make_human();
  const Document skeleton = skeleton_file(human);
  for (const bool named : {true, false}) {
    Clip clip = make_pair(human);
    if (!named) clip.annotation_tracks.clear();
    const Document pair = clip_file(clip);
    const Clip before = read_back(test::saved(pair));
    std::size_t notes = 0;
    const Bytes glb = converted(pair, {.save = {.format = Format::Glb}, .skeleton = &skeleton}, notes);
    CHECK(notes == 0);
    const Document scene = test::loaded(glb);
    REQUIRE(scene.skeletons.size() == 1);
    CHECK(scene.skeletons[0].skeleton.bones == paired_skeleton(human).bones);
    for (const bool with_skeleton : {true, false}) {
      const Clip after = read_back(converted(
          scene, {.save = {.format = Format::Hkx}, .skeleton = with_skeleton ? &skeleton : nullptr}, notes));
      CHECK(notes == 0);
      CHECK(after.track_count == before.track_count);
      CHECK(after.track_to_bone == before.track_to_bone);
      if (named) CHECK(after.annotation_tracks == before.annotation_tracks);
      REQUIRE(after.transforms.size() == before.transforms.size());
      for (std::size_t i = 0; i < after.transforms.size(); ++i) {
        CHECK(angle_degrees(after.transforms[i].rotation, before.transforms[i].rotation) < 0.1f);
        for (int axis = 0; axis < 3; ++axis)
          CHECK(after.transforms[i].translation[axis] ==
                doctest::Approx(before.transforms[i].translation[axis]).epsilon(1e-3));
      }
    }
  }
}

TEST_CASE("fitted to one body a paired clip keeps its first actor, with a note") {
  const Skeleton human = test::make_human();
  Notes notes;
  const DocumentSkeleton both{.skeleton = paired_skeleton(human), .is_guessed = true};
  const Clip one = fit_to_skeleton(both, make_pair(human), human, notes);
  CHECK(one.track_count == static_cast<std::int32_t>(human.bones.size()));
  CHECK(one.annotation_tracks.size() == human.bones.size());
  CHECK(notes.size() == 1);
}
