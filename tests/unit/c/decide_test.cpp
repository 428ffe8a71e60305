// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <array>
#include <cmath>

#include "c_calls.h"
#include "marrow/core/json.h"
#include "marrow/model/pose.h"

using namespace marrow;
using namespace marrow::test;

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
