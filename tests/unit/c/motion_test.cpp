// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "c_calls.h"
#include "core/json.h"
#include "ops/rig/simulate.h"

using namespace marrow;
using namespace marrow::test;

TEST_CASE("sampling gives what the operation gives, also after the document is gone") {
  const Bytes clip = clip_bytes(), bones = skeleton_bytes();
  const marrow_document document = open_bytes(clip), skeleton = open_bytes(bones, "skeleton.hkx");
  marrow_sampler sampler = 0;
  REQUIRE(marrow_open_sampler(document, 0, skeleton, 0, nullptr, &sampler) == MARROW_OK);
  marrow_release(document);
  const marrow_input inputs[] = {{"clip", "c.hkx", clip.data(), clip.size(), 0},
                                 {"skeleton", nullptr, nullptr, 0, skeleton}};
  for (const bool model : {false, true}) {
    marrow_result result = 0;
    const std::string options = std::string(R"({"frames":[3.25],"space":")") + (model ? "model" : "local") + "\"}";
    REQUIRE(marrow_run("sample", options.c_str(), inputs, 2, nullptr, nullptr, &result) == MARROW_OK);
    marrow_result_info info;
    REQUIRE(marrow_get_result(result, &info) == MARROW_OK);
    const auto report = parse_json(view(info.report));
    REQUIRE(report);
    float pose[50];
    REQUIRE((model ? marrow_sample_pose(sampler, 3.25, MARROW_SPACE_MODEL, pose, 50)
                   : marrow_sample(sampler, 3.25, pose, 50)) == MARROW_OK);
    const auto& rows = (*report)["rows"].items();
    REQUIRE(rows.size() == 5);
    for (std::size_t bone = 0; bone < 5; ++bone)
      for (std::size_t i = 0; i < 10; ++i)
        CHECK(static_cast<float>(rows[bone].items()[2 + i].number()) == pose[bone * 10 + i]);
    marrow_release(result);
  }
  float small[3];
  CHECK(marrow_sample(sampler, 0, small, 3) == MARROW_BAD_ARGUMENT);
  marrow_release(sampler);
  marrow_release(skeleton);
}

TEST_CASE("a list of samples is what single samples are, and a wrong one writes nothing") {
  const marrow_document document = open_bytes(clip_bytes());
  marrow_sampler hot = 0, compact = 0, other = 0;
  REQUIRE(marrow_open_sampler(document, 0, 0, 0, nullptr, &hot) == MARROW_OK);
  REQUIRE(marrow_open_sampler_as(document, 0, 0, 0, MARROW_FORM_COMPACT, nullptr, &compact) == MARROW_OK);
  marrow_form unknown;
  const std::uint32_t two = 2;
  std::memcpy(&unknown, &two, sizeof unknown);  // as a caller in another language may pass
  CHECK(marrow_open_sampler_as(document, 0, 0, 0, unknown, nullptr, &other) == MARROW_BAD_ARGUMENT);
  constexpr std::uint32_t kWidth = 50, kCount = 7;
  std::vector<float> many(kWidth * kCount, -1.0f), one(kWidth), close(kWidth);
  std::vector<marrow_sample_request> list;
  for (std::uint32_t i = 0; i < kCount; ++i)
    list.push_back({i % 2 == 0 ? compact : hot, 1.7 * i, many.data() + kWidth * i, kWidth, 0});
  REQUIRE(marrow_sample_many(list.data(), kCount) == MARROW_OK);
  for (std::uint32_t i = 0; i < kCount; ++i) {
    REQUIRE(marrow_sample(list[i].sampler, list[i].frame, one.data(), kWidth) == MARROW_OK);
    CHECK(std::vector<float>(list[i].tracks, list[i].tracks + kWidth) == one);
    REQUIRE(marrow_sample(hot, list[i].frame, close.data(), kWidth) == MARROW_OK);
    for (std::uint32_t k = 0; k < kWidth; ++k)
      CHECK(std::abs(one[k] - close[k]) < 1e-4f * std::max(1.0f, std::abs(close[k])));
  }
  CHECK(marrow_sample_many(nullptr, 0) == MARROW_OK);
  std::fill(many.begin(), many.end(), -1.0f);
  const auto refused = [&](const marrow_sample_request& last) {
    list.back() = last;
    CHECK(marrow_sample_many(list.data(), kCount) != MARROW_OK);
    CHECK(many == std::vector<float>(many.size(), -1.0f));
  };
  refused({hot, 0.0, many.data(), kWidth - 1, 0});
  refused({hot, std::numeric_limits<double>::quiet_NaN(), many.data(), kWidth, 0});
  refused({document, 0.0, many.data(), kWidth, 0});
  refused({hot, 0.0, nullptr, kWidth, 0});
  marrow_release(hot);
  marrow_release(compact);
  marrow_release(document);
}

TEST_CASE("a simulation stepped by hand is the simulation of the library") {
  const Bytes bytes = file_bytes("examples/anvil/generic_male.xml");
  const Bytes addon = file_bytes("examples/anvil/addon_sword.xml");
  const marrow_document base = open_bytes(bytes, "male.xml"), sword = open_bytes(addon, "sword.xml");
  marrow_rig rig = 0;
  REQUIRE(marrow_open_rig(base, &sword, 1, nullptr, nullptr, nullptr, &rig) == MARROW_OK);
  marrow_rig_info info;
  REQUIRE(marrow_get_rig(rig, &info) == MARROW_OK);
  REQUIRE(info.modifier_count > 0);

  marrow_simulation simulation = 0;
  REQUIRE(marrow_open_simulation(rig, &simulation) == MARROW_OK);
  marrow_environment world;
  marrow_default_environment(&world);
  std::vector<float> pose(std::size_t{info.bone_count} * 10), expected = pose;
  REQUIRE(marrow_step(simulation, &world, 0.0, nullptr, nullptr, pose.data(), info.bone_count) == MARROW_OK);
  std::size_t size = 0;
  for (int frame = 1; frame <= 30; ++frame) {
    if (frame == 20) REQUIRE(marrow_save_state(simulation, nullptr, 0, &size) == MARROW_OK);
    REQUIRE(marrow_step(simulation, &world, 1.0 / 30.0, nullptr, nullptr, pose.data(), info.bone_count) == MARROW_OK);
  }
  Context context;
  const Document document = loaded(bytes, Parts::All, "male.xml"), other = loaded(addon, Parts::All, "sword.xml");
  const auto reference = load_rig({.skeleton = &document, .addons = {&other}}, context);
  REQUIRE(reference);
  const auto compiled = motion::CompiledRig::compile(*reference);
  REQUIRE(compiled);
  const auto run = motion::simulate(*reference, *compiled, nullptr, {.seconds = 1.0});
  REQUIRE(run);
  const auto last = run->clip.frame(30);
  std::memcpy(expected.data(), last.data(), expected.size() * sizeof(float));
  for (std::size_t i = 0; i < pose.size(); ++i) CHECK(pose[i] == doctest::Approx(expected[i]).epsilon(1e-6));

  // The state comes back with the same bits.
  std::vector<std::byte> state(4096 + size);
  REQUIRE(marrow_save_state(simulation, state.data(), state.size(), &size) == MARROW_OK);
  state.resize(size);
  const auto step = [&](std::vector<float>& out) {
    REQUIRE(marrow_step(simulation, &world, 1.0 / 30.0, nullptr, nullptr, out.data(), info.bone_count) == MARROW_OK);
  };
  step(pose);
  REQUIRE(marrow_restore_state(simulation, state.data(), state.size()) == MARROW_OK);
  step(expected);
  CHECK(pose == expected);
  state[0] ^= std::byte{1};
  CHECK(marrow_restore_state(simulation, state.data(), state.size()) == MARROW_BAD_MAGIC);
  for (const marrow_handle handle : {base, sword, rig, simulation}) CHECK(marrow_release(handle) == MARROW_OK);
}

TEST_CASE("a word that is no preset is named, with those that there are") {
  const marrow_document skeleton = open_bytes(skeleton_bytes());
  marrow_rig rig = 0;
  CHECK(marrow_open_rig(skeleton, nullptr, 0, "ponytale", nullptr, nullptr, &rig) == MARROW_NOT_FOUND);
  CHECK(view(last_error().message).find("'ponytale'; there are ") != std::string_view::npos);
  CHECK(view(last_error().message).find("ponytail") != std::string_view::npos);
  marrow_release(skeleton);
}

TEST_CASE("a field that is tuned moves a running simulation, and a wrong value changes nothing") {
  const OpenRig open("BallJointBoneModifier");
  const auto& [document, rig, index] = open;
  std::uint32_t count = 0;
  double value = 0;
  REQUIRE(marrow_get_field(rig, index, "ConstraintAngle", &value, 1, &count) == MARROW_OK);
  REQUIRE(count == 1);
  const double tuned = value + 5.0, bad = std::numeric_limits<double>::quiet_NaN();
  REQUIRE(marrow_set_field(rig, index, "ConstraintAngle", &tuned, 1) == MARROW_OK);
  CHECK(marrow_set_field(rig, index, "ConstraintAngle", &bad, 1) == MARROW_BAD_ARGUMENT);
  CHECK(marrow_set_field(rig, index, "ConstraintAngel", &tuned, 1) == MARROW_NOT_FOUND);
  CHECK(view(last_error().path) == "ConstraintAngel");
  CHECK(marrow_set_field(rig, 1000, "ConstraintAngle", &tuned, 1) == MARROW_NOT_FOUND);
  REQUIRE(marrow_get_field(rig, index, "ConstraintAngle", &value, 1, &count) == MARROW_OK);
  CHECK(value == doctest::Approx(tuned));
}

TEST_CASE("the range of a hinge is a field of a part") {
  const OpenRig open("HingeBoneModifier");
  const auto& [document, rig, index] = open;
  std::uint32_t count = 0;
  double value = 0;
  const double tuned = 1.25;
  REQUIRE(marrow_set_field(rig, index, "Constraints[0].MaxAngle", &tuned, 1) == MARROW_OK);
  REQUIRE(marrow_get_field(rig, index, "Constraints[0].MaxAngle", &value, 1, &count) == MARROW_OK);
  CHECK(value == tuned);
  for (const char* wrong : {"Constraints[99].MaxAngle", "Constraints[0].MaxAngel", "Constraints[", "Constraints[0]",
                            "Constraints[].MaxAngle", "Constraints[x].MaxAngle", "Gravity[0].MaxAngle",
                            "Constraints[-1].MaxAngle", "[0].MaxAngle"})
    CHECK(marrow_get_field(rig, index, wrong, &value, 1, &count) == MARROW_NOT_FOUND);
}

TEST_CASE("the skeleton of a clip is found near it, or in the document") {
  const Bytes bones = skeleton_bytes();
  const marrow_context context = context_with_skeleton(bones);
  const marrow_document clip = open_bytes(clip_bytes(), "folder/a.hkx"), own = open_bytes(bones);
  marrow_document found = 0;
  CHECK(marrow_find_skeleton(clip, nullptr, &found) == MARROW_NEEDS_SKELETON);
  for (const marrow_document each : {clip, own}) {
    REQUIRE(marrow_find_skeleton(each, &context, &found) == MARROW_OK);
    marrow_skeleton_info info;
    REQUIRE(marrow_get_skeleton(found, 0, &info) == MARROW_OK);
    CHECK(info.bone_count == 5);
    marrow_release(found);
  }
  marrow_release(clip);
  marrow_release(own);
}

TEST_CASE("a clip that is being edited is sampled as it is") {
  const marrow_document clip = open_bytes(clip_bytes()), bones = open_bytes(skeleton_bytes());
  std::vector<float> tracks(50), pose(50);
  marrow_frames frames;
  REQUIRE(marrow_get_frames(clip, 0, nullptr, &frames) == MARROW_OK);
  frames.data[(3 * 5 + 1) * 10] = 77.0f;
  REQUIRE(marrow_sample_frames(clip, 0, 0, 0, 3, MARROW_SPACE_LOCAL, tracks.data(), 50) == MARROW_OK);
  CHECK(std::equal(tracks.begin(), tracks.end(), frames.data + 3 * 50));
  REQUIRE(marrow_sample_frames(clip, 0, bones, 0, 3, MARROW_SPACE_LOCAL, pose.data(), 50) == MARROW_OK);
  CHECK(pose[10] == 77.0f);
  REQUIRE(marrow_sample_frames(clip, 0, bones, 0, 3, MARROW_SPACE_MODEL, tracks.data(), 50) == MARROW_OK);
  REQUIRE(marrow_local_to_model(bones, 0, pose.data(), pose.data(), 5) == MARROW_OK);
  CHECK(tracks == pose);
  CHECK(marrow_sample_frames(clip, 0, bones, 0, 3, MARROW_SPACE_LOCAL, pose.data(), 49) == MARROW_BAD_ARGUMENT);
  marrow_release(clip);
  marrow_release(bones);
}
