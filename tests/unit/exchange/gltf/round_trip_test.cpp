// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include <glm/geometric.hpp>

#include "exchange/gltf/read.h"
#include "exchange/gltf/write.h"
#include "marrow/model/pose.h"
#include "support/rigs.h"

using namespace marrow;
using namespace marrow::gltf;
using marrow::test::make_human;
using marrow::test::make_walk;

namespace {

Scene there_and_back(const Scene& scene, const WriteOptions& options = {}, Notes* notes = nullptr) {
  const auto bytes = write_gltf(scene, options);
  REQUIRE_MESSAGE(bytes.has_value(), (bytes ? "" : describe(bytes.error())));
  auto read = read_gltf(*bytes, {}, notes);
  REQUIRE_MESSAGE(read.has_value(), (read ? "" : describe(read.error())));
  return std::move(*read);
}

// == takes -0 for 0; this does not.
bool same_bits(const Transform& a, const Transform& b) {
  return std::bit_cast<std::array<std::uint32_t, 10>>(a) == std::bit_cast<std::array<std::uint32_t, 10>>(b);
}

Scene human_scene(int frames = 31) {
  const Skeleton skeleton = make_human();
  return {.armatures = {{.skeleton = skeleton, .clips = {{.name = "walk", .clip = make_walk(skeleton, frames)}}}}};
}

void check_same_motion(const Clip& got, const Clip& want) {
  REQUIRE(got.transforms.size() == want.transforms.size());
  float turn = 0, place = 0, scale = 0;
  for (std::size_t i = 0; i < want.transforms.size(); ++i) {
    turn = std::max(turn, angle_degrees(got.transforms[i].rotation, want.transforms[i].rotation));
    place = std::max(place, glm::length(got.transforms[i].translation - want.transforms[i].translation));
    scale = std::max(scale, glm::length(got.transforms[i].scale - want.transforms[i].scale));
  }
  CHECK(turn < 1e-3f);
  CHECK(place < 1e-4f);
  CHECK(scale < 1e-5f);
}

}  // namespace

TEST_CASE("a skeleton comes back bit for bit: bones, rest pose, lock flags, slots, partitions") {
  Scene scene = human_scene();
  scene.armatures[0].clips.clear();
  scene.armatures[0].skeleton.bones[3].rest.translation.x = -0.0f;
  scene.armatures[0].skeleton.bones[4].rest.translation.y = 1e-38f;
  scene.armatures[0].skeleton.bones[5].rest.rotation = make_quat(0.1f, 0.2f, 0.3f, 0.9273618f);
  scene.armatures[0].game = Game::SkyrimSe;
  scene.armatures[0].anvil = "<Object/>";
  for (const Container container : {Container::Glb, Container::Gltf})
    for (const Units units : {Units::Metre, Units::Game, Units::Blender}) {
      Notes notes;
      const Scene back = there_and_back(scene, {.container = container, .units = units}, &notes);
      REQUIRE(back.armatures.size() == 1);
      CHECK(back.armatures[0].recorded);
      CHECK(back.armatures[0].skeleton == scene.armatures[0].skeleton);
      for (std::size_t i = 0; i < back.armatures[0].skeleton.bones.size(); ++i)
        CHECK(same_bits(back.armatures[0].skeleton.bones[i].rest, scene.armatures[0].skeleton.bones[i].rest));
      CHECK(back.armatures[0].game == scene.armatures[0].game);
      CHECK(back.armatures[0].anvil == scene.armatures[0].anvil);
      CHECK(notes.empty());
    }
}

TEST_CASE("a clip comes back with all that glTF has no word for") {
  const Scene scene = human_scene();
  const Scene back = there_and_back(scene);
  REQUIRE(back.armatures.size() == 1);
  REQUIRE(back.armatures[0].clips.size() == 1);
  Clip got = back.armatures[0].clips[0].clip, want = scene.armatures[0].clips[0].clip;
  check_same_motion(got, want);
  got.transforms = want.transforms;
  CHECK(got == want);
}

TEST_CASE("translations and scales keep their bits, rotations theirs or those of the same turn") {
  const Scene scene = human_scene();
  const Scene back = there_and_back(scene);
  const auto& got = back.armatures[0].clips[0].clip.transforms;
  const auto& want = scene.armatures[0].clips[0].clip.transforms;
  for (std::size_t i = 0; i < want.size(); ++i) {
    CHECK(got[i].translation == want[i].translation);
    CHECK(got[i].scale == want[i].scale);
    CHECK((got[i].rotation == want[i].rotation || got[i].rotation == -want[i].rotation ||
           angle_degrees(got[i].rotation, want[i].rotation) < 1e-3f));
  }
}

TEST_CASE("an additive clip is shown on the rest pose and comes back as the difference it was") {
  for (const BlendHint hint : {BlendHint::Additive, BlendHint::AdditiveDeprecated}) {
    Scene scene = human_scene(8);
    Clip& clip = scene.armatures[0].clips[0].clip;
    const Skeleton& skeleton = scene.armatures[0].skeleton;
    for (std::size_t i = 0; i < clip.transforms.size(); ++i)
      clip.transforms[i] = inverse(skeleton.bones[i % skeleton.bones.size()].rest) * clip.transforms[i];
    clip.blend_hint = hint;
    const Scene back = there_and_back(scene);
    CHECK(back.armatures[0].clips[0].clip.blend_hint == hint);
    check_same_motion(back.armatures[0].clips[0].clip, clip);
  }
}

TEST_CASE("tracks keep their map, and those that move no bone are kept in the record") {
  Scene scene = human_scene(5);
  Clip& clip = scene.armatures[0].clips[0].clip;
  const auto tracks = static_cast<std::size_t>(clip.track_count);
  clip.track_to_bone.resize(tracks);
  for (std::size_t i = 0; i < tracks; ++i) clip.track_to_bone[i] = static_cast<std::int16_t>(tracks - 1 - i);
  clip.track_to_bone[0] = 900;
  clip.track_to_bone[1] = clip.track_to_bone[2];
  const Scene back = there_and_back(scene);
  CHECK(back.armatures[0].clips[0].clip.track_to_bone == clip.track_to_bone);
  check_same_motion(back.armatures[0].clips[0].clip, clip);
}

TEST_CASE("clips of one frame, of no length, and several on one skeleton") {
  const Skeleton skeleton = make_human();
  Scene scene{.armatures = {{.skeleton = skeleton,
                             .clips = {{.name = "walk", .clip = make_walk(skeleton, 31)},
                                       {.name = "pose", .clip = make_walk(skeleton, 1)},
                                       {.name = "walk", .clip = make_walk(skeleton, 12)},
                                       {.name = "still", .clip = make_walk(skeleton, 3)}}}}};
  scene.armatures[0].clips[3].clip.duration_seconds = 0.0f;
  scene.armatures[0].clips[1].clip.duration_seconds = 0.0f;
  const Scene back = there_and_back(scene);
  REQUIRE(back.armatures[0].clips.size() == 4);
  CHECK(back.armatures[0].clips[2].name == "walk_2");
  for (std::size_t i = 0; i < 4; ++i) {
    const Clip &got = back.armatures[0].clips[i].clip, &want = scene.armatures[0].clips[i].clip;
    CHECK(got.frame_count == want.frame_count);
    CHECK(got.duration_seconds == want.duration_seconds);
    check_same_motion(got, want);
  }
}

TEST_CASE("a clip that moves nothing keeps its length") {
  const Skeleton skeleton = make_human();
  Clip clip;
  clip.frame_count = 40;
  clip.duration_seconds = 1.3f;
  Scene scene{.armatures = {{.skeleton = skeleton, .clips = {{.name = "empty", .clip = clip}}}}};
  const Scene back = there_and_back(scene);
  CHECK(back.armatures[0].clips.at(0).clip == clip);
}

TEST_CASE("the ragdoll skeleton is a second rig") {
  Scene scene = human_scene(4);
  Skeleton ragdoll;
  ragdoll.name = "Ragdoll";
  ragdoll.bones = {{"Ragdoll_NPC COM", kNoBone, {}, false}, {"Ragdoll_NPC Spine", 0, {Vec3(0, 0, 1)}, false}};
  scene.armatures.push_back({.skeleton = ragdoll});
  const Scene back = there_and_back(scene);
  REQUIRE(back.armatures.size() == 2);
  CHECK(back.armatures[1].skeleton == ragdoll);
  CHECK(back.armatures[1].clips.empty());
}

TEST_CASE("names that are no UTF-8 come back byte for byte") {
  Scene scene = human_scene(2);
  scene.armatures[0].skeleton.bones[2].name = "Knochen \xE4\xF6";
  scene.armatures[0].skeleton.bones[3].name = "\xED\xA0\x80";
  scene.armatures[0].clips[0].clip.annotation_tracks[0].annotations[0].text = "\xFF\xFE";
  const Scene back = there_and_back(scene);
  CHECK(back.armatures[0].skeleton == scene.armatures[0].skeleton);
  CHECK(back.armatures[0].clips[0].clip.annotation_tracks == scene.armatures[0].clips[0].clip.annotation_tracks);
}

TEST_CASE("meshes keep their place, colour and triangles; the mesh of the bones is for the eye only") {
  Scene scene = human_scene(2);
  scene.meshes = {{.name = "hull",
                   .positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                   .triangles = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}},
                   .colour = {1.0f, 0.5f, 0.25f, 0.5f},
                   .placement = {Vec3(10, 20, 30), glm::normalize(make_quat(0.1f, 0.2f, 0.3f, 0.9f)), Vec3(1)}}};
  const Scene back = there_and_back(scene, {.show_bones = true});
  CHECK(back.meshes == scene.meshes);
  CHECK(back.armatures.size() == 1);
}

TEST_CASE("units decide the size of the file and are undone on reading") {
  for (const Units units : {Units::Metre, Units::Game, Units::Blender}) {
    Scene scene = human_scene(3);
    scene.metres_per_unit = kMetresPerAnvilUnit;
    const Scene back = there_and_back(scene, {.units = units});
    CHECK(back.metres_per_unit == kMetresPerAnvilUnit);
    check_same_motion(back.armatures[0].clips[0].clip, scene.armatures[0].clips[0].clip);
  }
}

TEST_CASE("what glTF cannot hold is refused, not written") {
  Scene empty;
  CHECK_FALSE(write_gltf(empty).has_value());
  Scene bad = human_scene(2);
  bad.armatures[0].skeleton.bones[1].rest.translation.x = std::nanf("");
  CHECK_FALSE(write_gltf(bad).has_value());
  bad = human_scene(2);
  bad.armatures[0].clips[0].clip.transforms.pop_back();
  CHECK_FALSE(write_gltf(bad).has_value());
  bad = {};
  bad.meshes = {{.name = "m", .positions = {{0, 0, 0}}, .triangles = {{0, 0, 1}}}};
  CHECK_FALSE(write_gltf(bad).has_value());
}
