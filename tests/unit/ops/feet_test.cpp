// SPDX-License-Identifier: MIT
#include "ops/clip/feet.h"

#include <doctest/doctest.h>

#include <cmath>
#include <glm/geometric.hpp>

#include "marrow/model/pose.h"
#include "support/documents.h"

using namespace marrow;

namespace {

/// Two legs below the hips, by Skyrim's names. Knees are bent a little.
Skeleton legs() {
  Skeleton skeleton;
  skeleton.name = "NPC Root [Root]";
  skeleton.bones = {{"NPC Root [Root]", -1, {}, false}, {"NPC COM [COM ]", 0, {{0, 0, 62}}, false}};
  for (const char side : {'L', 'R'}) {
    const std::string s(1, side);
    const float x = side == 'L' ? -6.0f : 6.0f;
    const auto first = static_cast<std::int32_t>(skeleton.bones.size());
    skeleton.bones.push_back({"NPC " + s + " Thigh [" + s + "Thg]", 1, {{x, 0, 0}}, false});
    skeleton.bones.push_back({"NPC " + s + " Calf [" + s + "Clf]", first, {{0, 4, -30}}, false});
    skeleton.bones.push_back({"NPC " + s + " Foot [" + s + "ft ]", first + 1, {{0, -4, -28}}, false});
    skeleton.bones.push_back({"NPC " + s + " Toe0 [" + s + "Toe]", first + 2, {{0, 10, -3}}, false});
  }
  return skeleton;
}

/// The whole body glides forward on standing feet; the left foot is lifted in the middle.
Clip gliding(std::int32_t frames, float units_per_frame) {
  const Skeleton skeleton = legs();
  Clip clip;
  clip.skeleton_name = skeleton.name;
  clip.frame_count = frames;
  clip.duration_seconds = static_cast<float>(frames - 1) / 30.0f;
  clip.track_count = static_cast<std::int32_t>(skeleton.bones.size());
  for (std::int32_t f = 0; f < frames; ++f)
    for (std::size_t b = 0; b < skeleton.bones.size(); ++b) {
      Transform local = skeleton.bones[b].rest;
      if (b == 1) local.translation.y += units_per_frame * static_cast<float>(f);
      const float share = static_cast<float>(f) / static_cast<float>(frames - 1);
      const float angle = share > 0.35f && share < 0.65f ? 0.6f * std::sin((share - 0.35f) / 0.3f * 3.14159f) : 0.0f;
      if (b == 2) local.rotation = make_quat(std::sin(angle / 2), 0, 0, std::cos(angle / 2));
      if (b == 3) local.rotation = make_quat(-std::sin(angle), 0, 0, std::cos(angle));
      clip.transforms.push_back(local);
    }
  clip.annotation_tracks.resize(skeleton.bones.size());
  return clip;
}

Document document_of(const Clip& clip) {
  Document document;
  document.format = Format::Hkx;
  document.game = Game::SkyrimSe;
  document.clips.push_back({.name = "glide", .clip = clip});
  return test::loaded(test::saved(document, {.format = Format::Hkx, .game = Game::SkyrimSe}));
}

/// Largest distance of a bone from its mean place over some frames, along the ground. Judged by the frames alone.
double drift(const Clip& clip, std::size_t bone, std::int32_t first, std::int32_t last) {
  const Skeleton skeleton = legs();
  std::vector<glm::dvec2> places;
  glm::dvec2 mean(0.0);
  for (std::int32_t f = first; f <= last; ++f) {
    std::vector<Transform> pose(skeleton.bones.size());
    pose_from_frame(skeleton, clip, clip.frame(f), pose);
    local_to_model(skeleton, pose, pose);
    places.emplace_back(pose[bone].translation.x, pose[bone].translation.y);
    mean += places.back() / static_cast<double>(last - first + 1);
  }
  double worst = 0.0;
  for (const glm::dvec2& place : places) worst = std::max(worst, glm::length(place - mean));
  return worst;
}

Clip frames_of(Document& document) {
  REQUIRE(decode_frames(document.clips[0], {}).has_value());
  return document.clips[0].clip;
}

}  // namespace

TEST_CASE("feet that slide while they stand are held, and the rest stays") {
  Document document = document_of(gliding(61, 0.08f));
  const Clip before = [&] {
    Document copy = document;
    return frames_of(copy);
  }();
  const Skeleton skeleton = legs();
  Context context;
  const auto report = lock_feet(document, {.skeleton = &skeleton}, context);
  REQUIRE_MESSAGE(report.has_value(), report.error().message);
  const FeetClip& locked = report->clips.front();
  CHECK(locked.drift_before > 0.5);
  CHECK(locked.drift_after < 0.1);
  CHECK(locked.turned_degrees > 0.0);
  CHECK(locked.turned_degrees < 30.0);
  CHECK_FALSE(locked.treadmill.has_value());
  REQUIRE(locked.contacts.size() >= 3);  // the left foot twice, the right one throughout
  const Clip after = frames_of(document);
  REQUIRE(after.frame_count == before.frame_count);
  for (const ContactReport& contact : locked.contacts) {
    CHECK(contact.state == "locked");
    const auto bone = find_bone(skeleton, contact.bone);
    REQUIRE(bone.has_value());
    const auto index = static_cast<std::size_t>(*bone);
    CHECK(drift(before, index, contact.from_frame, contact.to_frame) ==
          doctest::Approx(contact.drift_before).epsilon(0.01));
    CHECK(drift(after, index, contact.from_frame, contact.to_frame) < 0.1);
  }
  // Only the legs moved, and no bone changed its length.
  for (std::int32_t f = 0; f < after.frame_count; ++f)
    for (std::size_t t = 0; t < 10; ++t) {
      CHECK(glm::length(after.frame(f)[t].translation - before.frame(f)[t].translation) <
            0.011f + static_cast<float>(locked.hips_moved));
      if (t < 2) CHECK(after.frame(f)[t].rotation == before.frame(f)[t].rotation);
    }
}

TEST_CASE("feet that stand still keep every byte") {
  Document document = document_of(gliding(31, 0.0f));
  const auto before = test::saved(document);
  const Skeleton skeleton = legs();
  Context context;
  const auto report = lock_feet(document, {.skeleton = &skeleton}, context);
  REQUIRE(report.has_value());
  CHECK(report->clips[0].turned_degrees == 0.0);
  CHECK(test::saved(document) == before);
}

TEST_CASE("a clip that walks on the spot has a moving ground") {
  Clip clip = gliding(61, 0.0f);
  // Both feet slide back at one speed, as on a treadmill: nothing slides over that ground.
  for (std::int32_t f = 0; f < clip.frame_count; ++f)
    clip.transforms[static_cast<std::size_t>(f * clip.track_count) + 1].translation.y -= 1.5f * static_cast<float>(f);
  Document document = document_of(clip);
  const Skeleton skeleton = legs();
  Context context;
  const auto report = lock_feet(document, {.skeleton = &skeleton}, context);
  REQUIRE(report.has_value());
  REQUIRE(report->clips[0].treadmill.has_value());
  CHECK(report->clips[0].treadmill->y == doctest::Approx(-45.0).epsilon(0.02));
  CHECK(report->clips[0].drift_after < 0.1);
}

TEST_CASE("a contact that would turn a bone too far is left alone") {
  Document document = document_of(gliding(61, 0.08f));
  const Skeleton skeleton = legs();
  Context context;
  const auto report = lock_feet(document, {.max_turn = 0.1, .skeleton = &skeleton}, context);
  REQUIRE(report.has_value());
  for (const ContactReport& contact : report->clips[0].contacts) CHECK(contact.state == "turns far");
  CHECK(report->clips[0].turned_degrees <= 0.1);
  CHECK_FALSE(context.notes.empty());
}

TEST_CASE("a clip without legs says how to name them") {
  Document document = test::clip_document(3, 31);
  const Document skeleton = test::skeleton_document_of(3);
  Context context;
  const auto report = lock_feet(document, {.skeleton = &skeleton.skeletons[0].skeleton}, context);
  REQUIRE_FALSE(report.has_value());
  CHECK(report.error().code == ErrorCode::NotFound);
  CHECK(report.error().path == "foot");
}
