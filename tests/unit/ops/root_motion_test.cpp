// SPDX-License-Identifier: MIT
#include "ops/clip/root_motion.h"

#include <doctest/doctest.h>

#include <glm/geometric.hpp>

#include "havok/animation/animation.h"
#include "marrow/model/pose.h"
#include "ops/files/convert.h"
#include "support/clips.h"
#include "support/documents.h"

using namespace marrow;

namespace {

Document clip_that_travels() { return test::clip_document(3, 31, Game::SkyrimSe, Parts::Skeletons | Parts::Frames); }

Document written_again(const Document& document) {
  return test::loaded(test::saved(document), Parts::Skeletons | Parts::Frames, "clip.hkx");
}

// Where a bone is in the world: root motion, and the pose on it.
Transform in_world(const Clip& clip, const Skeleton& skeleton, std::int32_t frame, std::size_t bone) {
  std::vector<Transform> pose(skeleton.bones.size());
  pose_from_frame(skeleton, clip, clip.frame(frame), pose);
  local_to_model(skeleton, pose, pose);
  const Transform moved = clip.root_motion
                              ? root_motion_at(*clip.root_motion, static_cast<double>(frame) / (clip.frame_count - 1))
                              : Transform{};
  return moved * pose[bone];
}

void check_same_world(const Clip& a, const Clip& b) {
  const Skeleton skeleton = test::chain_skeleton(3);
  for (std::int32_t f = 0; f < a.frame_count; ++f) {
    const Transform left = in_world(a, skeleton, f, 2), right = in_world(b, skeleton, f, 2);
    CHECK(glm::length(left.translation - right.translation) < 0.05f);
    CHECK(angle_degrees(left.rotation, right.rotation) < 0.1f);
  }
}

}  // namespace

TEST_CASE("root motion is shown as a table, and set again from it as the same bits") {
  Document document = clip_that_travels();
  Context context;
  const auto shown = show_root_motion(document, {}, context);
  REQUIRE(shown);
  CHECK(shown->moved.y == doctest::Approx(30.0));
  const SavedFile file = shown->text();
  const std::string_view text(reinterpret_cast<const char*>(file.bytes.data()), file.bytes.size());
  CHECK(text.starts_with("frame,x,y,z,turn\n0,0,0,0,0\n1,0,1,0,0\n"));
  const test::Bytes before = test::saved(document);
  REQUIRE(remove_root_motion(document, {}, context));
  document = written_again(document);
  CHECK_FALSE(document.clips[0].clip.root_motion);
  CHECK(document.packfile()->find_all("hkaDefaultAnimatedReferenceFrame").empty());
  REQUIRE(set_root_motion(document, {.motion = text}, context));
  CHECK(written_again(document).clips[0].clip.root_motion == test::loaded(before).clips[0].clip.root_motion);
  CHECK_FALSE(set_root_motion(document, {.motion = "0,1,2\n"}, context));
  CHECK_FALSE(set_root_motion(document, {}, context));
}

TEST_CASE("an even motion is set in units and degrees, and scaled in units only") {
  Document document = clip_that_travels();
  Context context;
  REQUIRE(set_root_motion(document, {.move = Vec3(0, 60, 0), .turn = 90}, context));
  REQUIRE(scale_root_motion(document, {.factor = 2.0}, context));
  const auto motion = written_again(document).clips.at(0).clip.root_motion;
  REQUIRE(motion);
  CHECK(motion->samples.size() == 31);
  CHECK(motion->samples[15].y == doctest::Approx(60.0));
  CHECK(motion->samples[30].w == doctest::Approx(1.5708).epsilon(0.001));
}

TEST_CASE("root motion is baked into a bone and extracted again; the world does not change") {
  const Skeleton skeleton = test::chain_skeleton(3);
  Document document = clip_that_travels();
  Context context;
  REQUIRE(set_root_motion(document, {.move = Vec3(20, 60, 0), .turn = 200}, context));
  const Clip before = document.clips[0].clip;
  REQUIRE(bake_root_motion(document, {.bone = "Bone 0", .skeleton = &skeleton}, context));
  document = written_again(document);
  CHECK_FALSE(document.clips[0].clip.root_motion);
  check_same_world(document.clips[0].clip, before);
  const auto report = extract_root_motion(document, {.bone = "Bone 0", .skeleton = &skeleton}, context);
  REQUIRE(report);
  CHECK(report->turned_degrees == doctest::Approx(200.0).epsilon(0.01));
  document = written_again(document);
  check_same_world(document.clips[0].clip, before);
  CHECK(glm::length(Vec3(document.clips[0].clip.root_motion->samples[30]) - Vec3(20, 60, 0)) < 0.1f);
}

TEST_CASE("the way of a bone that has a parent is extracted in model space, and its height only if asked for") {
  const Skeleton skeleton = test::chain_skeleton(3);
  Document document = clip_that_travels();
  Clip& clip = document.clips[0].clip;
  clip.root_motion.reset();
  for (std::size_t f = 0; f < 31; ++f) clip.transforms[3 * f + 1].translation += Vec3(0, 0, static_cast<float>(f));
  const Clip before = clip;
  Context context;
  REQUIRE(extract_root_motion(document, {.bone = "Bone 1", .vertical = true, .no_turn = true, .skeleton = &skeleton},
                              context));
  for (std::int32_t f = 0; f < 31; ++f) {
    const Transform left = in_world(before, skeleton, f, 1), right = in_world(clip, skeleton, f, 1);
    CHECK(glm::length(left.translation - right.translation) < 0.01f);
    std::vector<Transform> pose(3);
    pose_from_frame(skeleton, clip, clip.frame(f), pose);
    local_to_model(skeleton, pose, pose);
    CHECK(glm::length(pose[1].translation - in_world(before, skeleton, 0, 1).translation) < 0.01f);
  }
  CHECK(extract_root_motion(document, {.bone = "Bone 9", .skeleton = &skeleton}, context).error().code ==
        ErrorCode::NotFound);
}

TEST_CASE("root motion in glTF moves the root node or the root bones, and comes back as the same bytes") {
  const Document skeleton = test::skeleton_document_of(3);
  Document document = clip_that_travels();
  Context context;
  REQUIRE(set_root_motion(document, {.move = Vec3(0, 90, 0), .turn = 30}, context));
  document = written_again(document);
  const test::Bytes before = test::saved(document);
  test::Bytes plain;
  for (const RootMotionAs as : {RootMotionAs::None, RootMotionAs::Node, RootMotionAs::Bake}) {
    Document moved = document;
    const ConvertOptions options{.save = {.format = Format::Glb, .root_motion = as}, .skeleton = &skeleton};
    REQUIRE(convert(moved, options, context));
    const test::Bytes glb = test::saved(moved, options.save);
    if (as == RootMotionAs::None) plain = glb;
    CHECK((glb == plain) == (as == RootMotionAs::None));
    CHECK(test::saved(test::loaded(glb), {.format = Format::Hkx}) == before);
  }
}
