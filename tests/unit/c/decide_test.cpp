// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <array>
#include <cmath>

#include "c_calls.h"
#include "core/json.h"
#include "marrow/model/pose.h"
#include "support/pairs.h"

using namespace marrow;
using namespace marrow::test;

namespace {

Document paired_document(std::int32_t bones, bool is_named) {
  const Skeleton actor = skeleton_document_of(bones).skeletons[0].skeleton;
  Document document;
  document.game = Game::SkyrimSe;
  document.clips.emplace_back();
  document.clips[0].clip = make_paired_clip(actor, actor, 9);
  if (!is_named)
    for (AnnotationTrack& track : document.clips[0].clip.annotation_tracks) track.name.clear();
  return document;
}

}  // namespace

TEST_CASE("the main skeleton is the first that is not a ragdoll") {
  const marrow_document skeleton = open_bytes(skeleton_bytes(), "skeleton.hkx"), clip = open_bytes(clip_bytes());
  std::uint32_t main = 9;
  REQUIRE(marrow_get_main_skeleton(skeleton, &main) == MARROW_OK);
  CHECK(main == 0);
  CHECK(marrow_get_main_skeleton(clip, &main) == MARROW_NO_SKELETON);
  CHECK(marrow_get_main_skeleton(skeleton, nullptr) == MARROW_BAD_ARGUMENT);
  CHECK(marrow_get_main_skeleton(12345, &main) == MARROW_BAD_HANDLE);
  marrow_release(skeleton);
  marrow_release(clip);
}

TEST_CASE("whether a clip fits a skeleton is what check says") {
  const marrow_document clip = open_bytes(clip_bytes(12, 20));
  const auto fit_to = [&](std::int32_t bones, std::uint32_t index = 0) {
    const marrow_document skeleton = open_bytes(skeleton_bytes(bones), "skeleton.hkx");
    marrow_fit fit = MARROW_FIT_OTHER;
    const marrow_status status = marrow_fit_skeleton(clip, 0, skeleton, index, nullptr, &fit);
    marrow_release(skeleton);
    return std::pair(status, fit);
  };
  CHECK(fit_to(12) == std::pair(MARROW_OK, MARROW_FIT_RIGHT));
  CHECK(fit_to(4) == std::pair(MARROW_OK, MARROW_FIT_OTHER));  // the clip moves bones that it does not have
  CHECK(fit_to(12, 7).first == MARROW_NOT_FOUND);
  marrow_release(clip);
  // Few bones prove nothing.
  const marrow_document small = open_bytes(clip_bytes(3, 20)), bones = open_bytes(skeleton_bytes(3), "skeleton.hkx");
  marrow_fit fit = MARROW_FIT_OTHER;
  REQUIRE(marrow_fit_skeleton(small, 0, bones, 0, nullptr, &fit) == MARROW_OK);
  CHECK(fit == MARROW_FIT_UNKNOWN);
  marrow_release(small);
  marrow_release(bones);
}

TEST_CASE("a pose of bones that only have parents is that of the skeleton") {
  const marrow_document skeleton = open_bytes(skeleton_bytes(5), "skeleton.hkx");
  std::array<marrow_bone, 5> bones;
  std::uint32_t count = 0;
  REQUIRE(marrow_get_bones(skeleton, 0, bones.data(), 5, &count) == MARROW_OK);
  std::array<std::int32_t, 5> parents;
  std::array<float, 50> local, right, model;
  for (std::size_t i = 0; i < 5; ++i) {
    parents[i] = bones[i].parent;
    std::copy_n(bones[i].rest, 10, local.begin() + static_cast<std::ptrdiff_t>(10 * i));
  }
  REQUIRE(marrow_local_to_model(skeleton, 0, local.data(), right.data(), 5) == MARROW_OK);
  REQUIRE(marrow_pose_to_model(parents.data(), local.data(), model.data(), 5) == MARROW_OK);
  CHECK(model == right);
  REQUIRE(marrow_pose_to_model(parents.data(), local.data(), local.data(), 5) == MARROW_OK);  // in place
  CHECK(local == right);
  parents[1] = 3;
  CHECK(marrow_pose_to_model(parents.data(), local.data(), model.data(), 5) == MARROW_BAD_ARGUMENT);
  CHECK(marrow_pose_to_model(nullptr, nullptr, nullptr, 0) == MARROW_OK);
  marrow_release(skeleton);
}

TEST_CASE("root motion is sampled between its samples, and stands still if there is none") {
  const marrow_document clip = open_bytes(clip_bytes(5, 21));
  const float samples[] = {0, 0, 0, 0, 0, 100, 0, 1};
  marrow_root_motion motion{};
  motion.samples = samples;
  motion.sample_count = 2;
  motion.duration_seconds = 1.0f;
  motion.up[2] = 1.0f;
  motion.forward[1] = 1.0f;
  const marrow_root_motion none{};
  REQUIRE(marrow_set_root_motion(clip, 0, &none) == MARROW_OK);
  marrow_sampler still = 0, moving = 0;
  REQUIRE(marrow_open_sampler(clip, 0, 0, 0, nullptr, &still) == MARROW_OK);
  REQUIRE(marrow_set_root_motion(clip, 0, &motion) == MARROW_OK);
  REQUIRE(marrow_open_sampler(clip, 0, 0, 0, nullptr, &moving) == MARROW_OK);
  float at[10];
  REQUIRE(marrow_sample_root_motion(moving, 10.0, at) == MARROW_OK);  // the middle of 21 frames
  CHECK(at[1] == doctest::Approx(50.0f));
  CHECK(at[5] == doctest::Approx(std::sin(0.25)));
  CHECK(at[6] == doctest::Approx(std::cos(0.25)));
  REQUIRE(marrow_sample_root_motion(moving, 99.0, at) == MARROW_OK);
  CHECK(at[1] == doctest::Approx(100.0f));
  REQUIRE(marrow_sample_root_motion(still, 10.0, at) == MARROW_OK);
  CHECK(at[1] == 0.0f);
  CHECK(at[6] == 1.0f);
  for (const marrow_handle handle : {clip, still, moving}) marrow_release(handle);
}

TEST_CASE("the name of an object says what shape it becomes, in every language alike") {
  const auto shape_of = [](const char* name) {
    marrow_text shape{};
    REQUIRE(marrow_get_shape_in_name(name, &shape) == MARROW_OK);
    return std::string(view(shape));
  };
  CHECK(shape_of("Leg_capsule2") == "capsule");
  CHECK(shape_of("Leg.Capsule.001") == "capsule");
  CHECK(shape_of("box_Crate") == "box");
  CHECK(shape_of("Crate") == "");
  CHECK(shape_of("boxes") == "");
  CHECK(shape_of("by-name") == "");
  CHECK(shape_of("") == "");
  CHECK(shape_of(nullptr) == "");
}

TEST_CASE("files are called what every disk takes, in every language alike") {
  const std::vector<std::string> given = {"walk", "NUL", "com1.left", "a/b:c", "end.", "", "console"};
  std::vector<marrow_text> names;
  for (const std::string& each : given) names.push_back({each.c_str(), each.size()});
  marrow_result result = 0;
  REQUIRE(marrow_get_file_names(names.data(), static_cast<std::uint32_t>(names.size()), &result) == MARROW_OK);
  marrow_result_info info{};
  REQUIRE(marrow_get_result(result, &info) == MARROW_OK);
  CHECK(view(info.report) == R"({"names":["walk","_NUL","_com1.left","a_b_c","end_","_","console"]})");
  marrow_release(result);
  CHECK(marrow_get_file_names(nullptr, 1, &result) == MARROW_BAD_ARGUMENT);
  CHECK(marrow_get_file_names(names.data(), 1, nullptr) == MARROW_BAD_ARGUMENT);
}

TEST_CASE("an error comes with the operation that helps") {
  const Bytes bytes = file_bytes("examples/anvil/generic_male.xml");
  const marrow_input input{"file", "male.xml", bytes.data(), bytes.size(), 0};
  marrow_result result = 0;
  CHECK(marrow_run("dump", R"({"object":1})", &input, 1, nullptr, nullptr, &result) == MARROW_BAD_OPTION);
  const auto cure = parse_json(view(marrow_last_cure()));
  REQUIRE(cure);
  CHECK((*cure)["operation"].text() == "rig show");
  CHECK((*cure)["options"].is_object());
  CHECK(marrow_release(12345) == MARROW_BAD_HANDLE);
  CHECK(view(marrow_last_cure()).empty());
}

TEST_CASE("a fit comes with the numbers that it rests on") {
  const marrow_document clip = open_bytes(clip_bytes(12, 20)), right = open_bytes(skeleton_bytes(12), "skeleton.hkx"),
                        small = open_bytes(skeleton_bytes(4), "skeleton.hkx");
  marrow_fit_info fit{};
  REQUIRE(marrow_get_fit(clip, 0, right, 0, nullptr, &fit) == MARROW_OK);
  CHECK(fit.fit == MARROW_FIT_RIGHT);
  CHECK(fit.compared >= 8);
  CHECK(fit.same * 2 > fit.compared);
  CHECK(fit.outside == 0);
  REQUIRE(marrow_get_fit(clip, 0, small, 0, nullptr, &fit) == MARROW_OK);
  CHECK(fit.fit == MARROW_FIT_OTHER);
  CHECK(fit.outside == 8);
  CHECK(marrow_get_fit(clip, 0, small, 0, nullptr, nullptr) == MARROW_BAD_ARGUMENT);
  for (const marrow_document each : {clip, right, small}) marrow_release(each);
}

TEST_CASE("bones get Blender's names and are found by them") {
  const std::array names{text("NPC L Hand [LHnd]"), text("NPC R Hand [RHnd]"), text("NPC Head [Head]")};
  marrow_result result = 0;
  REQUIRE(marrow_get_blender_names(names.data(), 3, &result) == MARROW_OK);
  marrow_result_info info{};
  REQUIRE(marrow_get_result(result, &info) == MARROW_OK);
  CHECK(view(info.report) == R"({"names":["Hand.L","Hand.R","Head"]})");
  marrow_release(result);
  const std::array renamed{text("Head"), text("NPC Hand.R"), text("Tail")};
  std::array<std::int32_t, 3> found{};
  REQUIRE(marrow_match_bones(renamed.data(), 3, names.data(), 3, found.data()) == MARROW_OK);
  CHECK(found == std::array<std::int32_t, 3>{2, 1, -1});
  CHECK(marrow_match_bones(nullptr, 0, nullptr, 0, nullptr) == MARROW_OK);
  CHECK(marrow_match_bones(nullptr, 3, names.data(), 3, found.data()) == MARROW_BAD_ARGUMENT);
  CHECK(marrow_get_blender_names(names.data(), 3, nullptr) == MARROW_BAD_ARGUMENT);
}

TEST_CASE("a time in seconds gives the pose of its frame, and a loop starts again") {
  const marrow_document clip = open_bytes(clip_bytes(5, 21)), bones = open_bytes(skeleton_bytes(5), "skeleton.hkx");
  marrow_clip_info info{};
  REQUIRE(marrow_get_clip(clip, 0, &info) == MARROW_OK);
  marrow_sampler on = 0, alone = 0;
  REQUIRE(marrow_open_sampler(clip, 0, bones, 0, nullptr, &on) == MARROW_OK);
  REQUIRE(marrow_open_sampler(clip, 0, 0, 0, nullptr, &alone) == MARROW_OK);
  std::array<float, 50> a{}, b{};
  const double length = static_cast<double>(info.duration_seconds);
  const auto same = [&](double seconds, std::uint32_t loop, double frame) {
    REQUIRE(marrow_sample_seconds(on, seconds, loop, MARROW_SPACE_MODEL, a.data(), 50) == MARROW_OK);
    REQUIRE(marrow_sample_pose(on, frame, MARROW_SPACE_MODEL, b.data(), 50) == MARROW_OK);
    for (std::size_t i = 0; i < 50; ++i) CHECK(a[i] == doctest::Approx(b[i]).epsilon(1e-4));
  };
  same(length * 0.25, 0, 5.0);
  same(length * 1.25, 1, 5.0);
  same(length * 1.25, 0, 20.0);
  same(-length * 0.25, 1, 15.0);
  same(-length * 0.25, 0, 0.0);
  REQUIRE(marrow_sample_seconds(alone, length * 0.5, 0, MARROW_SPACE_LOCAL, a.data(), 50) == MARROW_OK);
  REQUIRE(marrow_sample(alone, 10.0, b.data(), 50) == MARROW_OK);
  for (std::size_t i = 0; i < 50; ++i) CHECK(a[i] == doctest::Approx(b[i]).epsilon(1e-4));
  CHECK(marrow_sample_seconds(alone, 0.0, 0, MARROW_SPACE_MODEL, a.data(), 50) == MARROW_NEEDS_SKELETON);
  CHECK(marrow_sample_seconds(on, NAN, 0, MARROW_SPACE_LOCAL, a.data(), 50) == MARROW_BAD_ARGUMENT);
  CHECK(marrow_sample_seconds(on, 0.0, 2, MARROW_SPACE_LOCAL, a.data(), 50) == MARROW_BAD_ARGUMENT);
  CHECK(marrow_sample_seconds(on, 0.0, 0, MARROW_SPACE_LOCAL, a.data(), 49) == MARROW_BAD_ARGUMENT);
  for (const marrow_handle each : {on, alone, clip, bones}) marrow_release(each);
}

TEST_CASE("a frame that is no number, an unknown space and an unknown role are refused") {
  const marrow_document clip = open_bytes(clip_bytes(5, 21)), bones = open_bytes(skeleton_bytes(5), "skeleton.hkx");
  marrow_sampler on = 0;
  REQUIRE(marrow_open_sampler(clip, 0, bones, 0, nullptr, &on) == MARROW_OK);
  std::array<float, 50> out{};
  const int seven = 7;  // as another language passes it
  marrow_space other;
  std::memcpy(&other, &seven, sizeof other);
  for (const double frame : {static_cast<double>(NAN), static_cast<double>(INFINITY)}) {
    CHECK(marrow_sample(on, frame, out.data(), 50) == MARROW_BAD_ARGUMENT);
    CHECK(marrow_sample_floats(on, frame, out.data(), 50) == MARROW_BAD_ARGUMENT);
    CHECK(marrow_sample_pose(on, frame, MARROW_SPACE_LOCAL, out.data(), 50) == MARROW_BAD_ARGUMENT);
    CHECK(marrow_sample_root_motion(on, frame, out.data()) == MARROW_BAD_ARGUMENT);
    CHECK(marrow_sample_frames(clip, 0, bones, 0, frame, MARROW_SPACE_LOCAL, out.data(), 50) == MARROW_BAD_ARGUMENT);
  }
  CHECK(marrow_sample_pose(on, 0.0, other, out.data(), 50) == MARROW_BAD_ARGUMENT);
  CHECK(view(last_error().path) == "space");
  CHECK(marrow_sample_frames(clip, 0, bones, 0, 0.0, other, out.data(), 50) == MARROW_BAD_ARGUMENT);
  const marrow_input input{.role = "walk", .name = nullptr, .bytes = nullptr, .byte_count = 0, .document = clip};
  marrow_result result = 0;
  CHECK(marrow_run("compress", nullptr, &input, 1, nullptr, nullptr, &result) == MARROW_BAD_ARGUMENT);
  CHECK(view(last_error().message).find("it takes clip") != std::string_view::npos);
  CHECK(marrow_apply(clip, "compress", nullptr, &input, 1, nullptr, nullptr) == MARROW_BAD_ARGUMENT);
  for (const marrow_handle each : {on, clip, bones}) marrow_release(each);
}

TEST_CASE("the name of an error is that of its code") {
  const marrow_document clip = open_bytes(clip_bytes());
  marrow_clip_info info{};
  CHECK(marrow_get_clip(clip, 7, &info) == MARROW_NOT_FOUND);
  CHECK(view(last_error().name) == "not-found");
  CHECK(marrow_get_clip(clip, 0, nullptr) == MARROW_BAD_ARGUMENT);
  CHECK(view(last_error().name) == "bad-argument");
  marrow_document none = 0;
  CHECK(marrow_load("nothing", 7, nullptr, nullptr, &none) == MARROW_BAD_MAGIC);
  CHECK(last_error().code == MARROW_BAD_MAGIC);
  CHECK(view(last_error().name) == "bad-magic");
  marrow_release(clip);
}

TEST_CASE("the tracks of a paired clip belong to their actors, with names or without") {
  const Bytes bones = skeleton_bytes(5);
  const marrow_document skeleton = open_bytes(bones, "skeleton.hkx");
  for (const bool is_named : {true, false}) {
    const marrow_document clip = open_bytes(saved(paired_document(5, is_named), {.format = Format::Hkx}));
    std::array<marrow_track_owner, 13> tracks{};
    std::uint32_t count = 0;
    REQUIRE(marrow_get_track_owners(clip, 0, skeleton, 0, 0, 0, tracks.data(), 13, &count) == MARROW_OK);
    REQUIRE(count == 13);
    CHECK(tracks[0].place == 1);
    std::array<int, 2> bones_of{}, places_of{};
    for (const marrow_track_owner& track : tracks) {
      if (track.place == 1) continue;
      REQUIRE((track.actor == 0 || track.actor == 1));
      ++(track.place == 2 ? places_of : bones_of)[static_cast<std::size_t>(track.actor)];
      CHECK((track.bone >= 0) == (track.place == 0));
    }
    CHECK(bones_of == std::array{5, 5});
    CHECK(places_of == std::array{1, 1});
    marrow_release(clip);
  }
  const marrow_document alone = open_bytes(clip_bytes(5, 20));
  std::array<marrow_track_owner, 5> tracks{};
  std::uint32_t count = 0;
  REQUIRE(marrow_get_track_owners(alone, 0, skeleton, 0, 0, 0, tracks.data(), 5, &count) == MARROW_OK);
  for (std::int32_t i = 0; i < 5; ++i) {
    const marrow_track_owner& track = tracks[static_cast<std::size_t>(i)];
    CHECK(std::array{track.actor, track.bone, static_cast<std::int32_t>(track.place)} == std::array{0, i, 0});
  }
  CHECK(marrow_get_track_owners(alone, 0, skeleton, 3, 0, 0, tracks.data(), 5, &count) == MARROW_NOT_FOUND);
  marrow_release(alone);
  marrow_release(skeleton);
}
