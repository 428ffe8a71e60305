// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "codec/spline_encoder.h"
#include "marrow/model/pose.h"
#include "motion/edit/mirror.h"
#include "support/motion_rig.h"

using namespace marrow;
using namespace marrow::motion;
using namespace marrow::motion::support;

namespace {

// Hips, a spine, two arms whose axes are not mirror images of each other, and a sword in the right hand.
Skeleton figure() {
  RigBuilder b;
  const auto hips = b.bone(kNoBone, {0, 0, 1}, axis_angle({1, 0, 0}, 10));
  const auto spine = b.bone(hips, {0, 0.1f, 0.3f}, axis_angle({1, 0, 0}, -5));
  const auto left = b.bone(spine, {0.2f, 0, 0.1f}, axis_angle({0, 1, 0}, 90));
  b.bone(left, {0.3f, 0, 0}, axis_angle({0, 0, 1}, 15));
  const auto right = b.bone(spine, {-0.2f, 0, 0.1f}, axis_angle({1, 0, 0}, 70));
  const auto hand = b.bone(right, {0, 0.3f, 0.01f}, axis_angle({0, 1, 1}, 40));
  b.bone(hand, {0, 0.1f, 0});
  const char* names[] = {
      "Hips", "Spine", "NPC L Arm [LArm]", "NPC L Hand [LHnd]", "NPC R Arm [RArm]", "NPC R Hand [RHnd]", "Weapon"};
  for (std::size_t i = 0; i < 7; ++i) b.rig.skeleton.bones[i].name = names[i];
  return b.rig.skeleton;
}

Clip clip_of(const Skeleton& skeleton, int frames) {
  Clip clip;
  clip.frame_count = frames;
  clip.duration_seconds = static_cast<float>(frames - 1) / 30;
  clip.track_count = static_cast<std::int32_t>(skeleton.bones.size());
  for (int f = 0; f < frames; ++f)
    for (std::size_t i = 0; i < skeleton.bones.size(); ++i) {
      Transform t = skeleton.bones[i].rest;
      const float x = static_cast<float>(f) * 7 + static_cast<float>(i) * 13;
      t.rotation = t.rotation * axis_angle({1, static_cast<float>(i), 2}, x);
      t.translation += Vec3(0.01f, 0.02f, -0.01f) * static_cast<float>(f);
      clip.transforms.push_back(t);
    }
  return clip;
}

}  // namespace

TEST_CASE("bones pair up by the names that rigs use for sides") {
  Skeleton s;
  for (const char* name : {"NPC L Foot [Lft ]",
                           "NPC R Foot [Rft ]",
                           "LArm_Hand",
                           "RArm_Hand",
                           "LeftFoot",
                           "RightFoot",
                           "Hand_L",
                           "Hand_R",
                           "Spine",
                           "Lower",
                           "Rump",
                           "eye.L",
                           "eye.R",
                           "L_only",
                           "Clavicle.Left",
                           "Clavicle.Right",
                           "AnimObjectL2",
                           "AnimObjectR2",
                           "LLeg_Thigh",
                           "RLeg_Thigh"}) {
    Bone bone;
    bone.name = name;
    s.bones.push_back(bone);
  }
  CHECK(mirror_by_names(s).partner ==
        std::vector<std::int32_t>{1, 0, 3, 2, 5, 4, 7, 6, 8, 9, 10, 12, 11, 13, 15, 14, 17, 16, 19, 18});
}

TEST_CASE("the rest pose mirrors to itself, however its bones are turned") {
  const Skeleton skeleton = figure();
  Clip clip;
  clip.frame_count = 1;
  clip.track_count = 7;
  for (const Bone& bone : skeleton.bones) clip.transforms.push_back(bone.rest);
  const auto mirrored = mirror_clip(clip, skeleton, mirror_by_names(skeleton));
  REQUIRE(mirrored);
  for (std::size_t i = 0; i < 7; ++i) {
    CHECK(glm::length(mirrored->transforms[i].translation - clip.transforms[i].translation) < 1e-6f);
    CHECK(angle_degrees(mirrored->transforms[i].rotation, clip.transforms[i].rotation) < 1e-3f);
  }
}

TEST_CASE("what one side does in the world the other does after, reflected") {
  const Skeleton skeleton = figure();
  const Clip clip = clip_of(skeleton, 6);
  Notes notes;
  const auto mirrored = mirror_clip(clip, skeleton, mirror_by_names(skeleton), &notes);
  REQUIRE(mirrored);
  CHECK(notes.size() == 1);  // the sword stays in its hand
  std::vector<Transform> rest, before(7), after(7), rest_model(7);
  for (const Bone& bone : skeleton.bones) rest.push_back(bone.rest);
  local_to_model(skeleton, rest, rest_model);
  for (int f = 0; f < 6; ++f) {
    local_to_model(skeleton, clip.frame(f), before);
    local_to_model(skeleton, mirrored->frame(f), after);
    // The turn from rest, seen in the world, is the reflection of the partner's: axis (x,y,z) becomes (x,-y,-z).
    const auto turn = [](const Transform& now, const Transform& then) {
      return now.rotation * glm::conjugate(then.rotation);
    };
    for (const auto& [bone, partner] :
         {std::pair(0, 0), std::pair(1, 1), std::pair(2, 4), std::pair(3, 5), std::pair(4, 2)}) {
      const Quat q = turn(before[static_cast<std::size_t>(partner)], rest_model[static_cast<std::size_t>(partner)]);
      CHECK(angle_degrees(turn(after[static_cast<std::size_t>(bone)], rest_model[static_cast<std::size_t>(bone)]),
                          make_quat(q.x, -q.y, -q.z, q.w)) < 2e-3f);
    }
    CHECK(mirrored->frame(f)[6] == clip.frame(f)[6]);
  }
}

TEST_CASE("mirroring twice gives the clip back, root motion and feet too") {
  const Skeleton skeleton = figure();
  Clip clip = clip_of(skeleton, 5);
  clip.root_motion = RootMotion{.samples = {{0, 0, 0, 0}, {0.1f, 0.5f, 0, 0.2f}}};
  clip.annotation_tracks = {{"", {{0.1f, "FootLeft"}, {0.1f, "weaponSwing"}, {0.1f, "SyncRight"}}}};
  const MirrorMap map = mirror_by_names(skeleton);
  const auto once = mirror_clip(clip, skeleton, map);
  REQUIRE(once);
  CHECK(once->root_motion->samples[1] == Vec4(-0.1f, 0.5f, 0, -0.2f));
  CHECK(once->annotation_tracks[0].annotations[0].text == "FootRight");
  CHECK(once->annotation_tracks[0].annotations[1].text == "weaponSwing");
  CHECK(once->annotation_tracks[0].annotations[2].text == "SyncLeft");
  const auto twice = mirror_clip(*once, skeleton, map);
  for (std::size_t i = 0; i < clip.transforms.size(); ++i) {
    CHECK(glm::length(twice->transforms[i].translation - clip.transforms[i].translation) < 1e-5f);
    CHECK(angle_degrees(twice->transforms[i].rotation, clip.transforms[i].rotation) < 1e-3f);
  }
  CHECK(twice->annotation_tracks == clip.annotation_tracks);
}

TEST_CASE("a clip of one arm becomes a clip of the other") {
  const Skeleton skeleton = figure();
  Clip clip = clip_of(skeleton, 2);
  clip.track_count = 1;
  clip.track_to_bone = {2};
  clip.transforms.resize(2);
  const auto mirrored = mirror_clip(clip, skeleton, mirror_by_names(skeleton));
  REQUIRE(mirrored);
  CHECK(mirrored->track_to_bone == std::vector<std::int16_t>{4});
  clip.track_to_bone = {40};
  CHECK(mirror_clip(clip, skeleton, mirror_by_names(skeleton)).error().code == ErrorCode::InvalidArgument);
}

TEST_CASE("mirror bones pair both ways or not at all, and type 0 is left alone") {
  const std::int32_t mirror[] = {0, 2, 1, 1, kNoBone}, types[] = {2, 5, 5, 5, 5};
  CHECK(mirror_by_bones(mirror, types).partner == std::vector<std::int32_t>{0, 2, 1, 3, kNoBone});
  const std::int32_t none[] = {0, 5, 5, 5, 5};
  CHECK(mirror_by_bones(mirror, none).partner[0] == kNoBone);
}

TEST_CASE("sides are found wherever a name says them, if the other name is there too") {
  Skeleton s;
  const auto add = [&](const char* name, std::int32_t parent, Vec3 place) {
    Bone bone;
    bone.name = name;
    bone.parent = parent;
    bone.rest.translation = place;
    s.bones.push_back(bone);
  };
  add("Pelvis", kNoBone, {0, 0, 60});
  add("SkirtLBone01", 0, {-7, 1, 0});
  add("SkirtRBone01", 0, {7, 1, 0});
  add("NPC BLHair", 0, {-2, -4, 50});
  add("NPC BRHair", 0, {2, -4, 50});
  add("SkirtFBone01", 0, {0, 6, 0});
  add("Frill", 0, {0, 8, 0});  // its letters name no other bone
  add("Pouch", 0, {12, 0, 0});
  add("Tag L", 0, {-3, 0, 5});
  add("Tag R", 0, {20, 9, -8});
  const MirrorMap map = mirror_by_names(s);
  CHECK(map.partner == std::vector<std::int32_t>{0, 2, 1, 4, 3, 5, 6, 7, 9, 8});
  CHECK(map.unsure == std::vector<std::int32_t>{7, 8, 9});
}

TEST_CASE("curves are mirrored by their control points, between frames too") {
  const Skeleton skeleton = figure();
  const Clip clip = clip_of(skeleton, 40);
  std::vector<float> values;
  for (const Transform& t : clip.transforms)
    values.insert(values.end(), {t.translation.x, t.translation.y, t.translation.z, t.rotation.x, t.rotation.y,
                                 t.rotation.z, t.rotation.w, t.scale.x, t.scale.y, t.scale.z});
  const auto encoded = codec::encode_spline({40, skeleton.bones.size(), 0, values, {}}, {.rotation_degrees = 0.5});
  REQUIRE(encoded);
  const MirrorMap map = mirror_by_names(skeleton);
  const auto mirrored = mirror_spline(clip, encoded->blob, skeleton, map);
  REQUIRE(mirrored);
  const auto pose_at = [&](const codec::SplineBlob& blob, double frame) {
    Clip pose = clip;
    pose.frame_count = 1;
    pose.transforms.clear();
    for (const codec::TransformTrack& track : blob.blocks[0].transforms) {
      const auto t = codec::evaluate(track.translation, frame, 0.0f);
      const auto q = codec::evaluate(track.rotation, frame);
      pose.transforms.push_back({Vec3(t[0], t[1], t[2]), make_quat(q[0], q[1], q[2], q[3]), Vec3(1.0f)});
    }
    return pose;
  };
  for (double frame = 0; frame < 39; frame += 0.3) {
    const auto wanted = mirror_clip(pose_at(encoded->blob, frame), skeleton, map);
    REQUIRE(wanted);
    const Clip got = pose_at(*mirrored, frame);
    for (std::size_t i = 0; i < got.transforms.size(); ++i) {
      CHECK(glm::length(got.transforms[i].translation - wanted->transforms[i].translation) < 1e-3f);
      CHECK(angle_degrees(got.transforms[i].rotation, wanted->transforms[i].rotation) < 0.05f);
    }
  }
  for (std::size_t b = 0; b < mirrored->blocks.size(); ++b)
    for (std::size_t t = 0; t < mirrored->blocks[b].transforms.size(); ++t) {
      const std::int32_t partner = map.partner[t];
      const auto source = static_cast<std::size_t>(partner == kNoBone ? static_cast<std::int32_t>(t) : partner);
      if (t == 6) continue;  // the sword has no other side
      CHECK(mirrored->blocks[b].transforms[t].rotation.shape ==
            encoded->blob.blocks[b].transforms[source].rotation.shape);
    }
}

TEST_CASE("joints are mirrored exactly although the rest pose of one side is turned by a degree") {
  RigBuilder b;
  const auto hips = b.bone(kNoBone, {0, 0, 1});
  const auto left = b.bone(hips, {0.1f, 0, 0}, axis_angle({0, 1, 0}, 170));
  b.bone(left, {0, 0, 0.4f}, axis_angle({1, 0, 0}, 12));
  const auto right = b.bone(hips, {-0.1f, 0, 0}, axis_angle({1, 0, 0}, 0.9f) * axis_angle({0, 1, 0}, -170));
  b.bone(right, {0, 0, 0.4f}, axis_angle({1, 0, 0}, 12.7f));
  const char* names[] = {"Hips", "L Thigh", "L Calf", "R Thigh", "R Calf"};
  for (std::size_t i = 0; i < 5; ++i) b.rig.skeleton.bones[i].name = names[i];
  const Skeleton& skeleton = b.rig.skeleton;
  const MirrorMap map = mirror_by_names(skeleton);
  REQUIRE(map.partner == std::vector<std::int32_t>{0, 3, 4, 1, 2});
  Clip clip = clip_of(skeleton, 5);
  for (std::size_t i = 0; i < clip.transforms.size(); ++i)
    clip.transforms[i].translation = skeleton.bones[i % 5].rest.translation;
  const auto mirrored = mirror_clip(clip, skeleton, map);
  REQUIRE(mirrored);
  std::vector<Transform> before(5), after(5);
  for (std::int32_t f = 0; f < 5; ++f) {
    pose_from_frame(skeleton, clip, clip.frame(f), before);
    pose_from_frame(skeleton, *mirrored, mirrored->frame(f), after);
    local_to_model(skeleton, before, before);
    local_to_model(skeleton, after, after);
    for (std::size_t i = 0; i < 5; ++i) {
      const Vec3 from = before[static_cast<std::size_t>(map.partner[i])].translation;
      CHECK(glm::length(after[i].translation - Vec3(-from.x, from.y, from.z)) < 1e-5f);
    }
  }
  const auto twice = mirror_clip(*mirrored, skeleton, map);
  REQUIRE(twice);
  for (std::size_t i = 0; i < clip.transforms.size(); ++i)
    CHECK(angle_degrees(twice->transforms[i].rotation, clip.transforms[i].rotation) < 0.01f);
}
