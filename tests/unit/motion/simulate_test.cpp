// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "marrow/motion/simulate.h"
#include "support/motion_rig.h"

using namespace marrow;
using namespace marrow::motion;
using namespace marrow::motion::support;

namespace {

RigBuilder hanging_chain() {
  RigBuilder b;
  auto parent = b.bone(kNoBone, {0, 0, 1});
  for (int i = 0; i < 3; ++i) {
    parent = b.bone(parent, {0.1f, 0, 0}, i == 0 ? axis_angle({0, 1, 0}, 90) : make_quat(0, 0, 0, 1));
    b.modifier(parent, BallJointModifier{.constraint_angle = 30, .mechanical_friction = 5, .air_friction = 0.25f});
  }
  return b;
}

Simulation run_of(const RigBuilder& b, const SimulateOptions& options, const Clip* clip = nullptr) {
  const auto rig = Rig::compile(b.description);
  REQUIRE(rig);
  auto result = simulate(b.description, *rig, clip, options);
  REQUIRE(result);
  return std::move(*result);
}

}  // namespace

TEST_CASE("a run starts with the input pose and shakes its root along X") {
  const RigBuilder b = hanging_chain();
  const Simulation s = run_of(b, {.frames_a_second = 60, .seconds = 2, .shake_metres = 0.3, .shake_hertz = 1.5});
  CHECK(s.clip.frame_count == 121);
  CHECK(s.clip.duration_seconds == doctest::Approx(2));
  const auto rest = b.rest();
  for (std::size_t i = 0; i < rest.size(); ++i) CHECK(s.clip.frame(0)[i] == rest[i]);
  for (std::int32_t f = 0; f < 121; f += 7)
    CHECK(s.clip.frame(f)[0].translation.x ==
          doctest::Approx(0.3 * std::sin(2 * std::numbers::pi * 1.5 * f / 60)).epsilon(1e-4));
  CHECK(angle_degrees(s.clip.frame(40)[1].rotation, rest[1].rotation) > 1.0f);
}

TEST_CASE("the same run gives the same bits, and nearly the same at another rate") {
  const RigBuilder b = hanging_chain();
  const SimulateOptions options{.frames_a_second = 240, .seconds = 3, .shake_metres = 0.05, .shake_hertz = 1};
  const Simulation fine = run_of(b, options);
  CHECK(fine.clip == run_of(b, options).clip);
  for (const double rate : {30.0, 60.0, 120.0}) {
    SimulateOptions coarse = options;
    coarse.frames_a_second = rate;
    const Simulation s = run_of(b, coarse);
    double sum = 0;
    int count = 0;
    for (std::int32_t f = 0; f < s.clip.frame_count; ++f)
      for (std::size_t i = 1; i <= 3; ++i, ++count)
        sum += std::pow(angle_degrees(s.clip.frame(f)[i].rotation,
                                      fine.clip.frame(f * static_cast<std::int32_t>(240 / rate))[i].rotation),
                        2);
    CHECK(std::sqrt(sum / count) < 1.0);
  }
}

TEST_CASE("frame rates below ten a second still move") {
  const Simulation s =
      run_of(hanging_chain(), {.frames_a_second = 5, .seconds = 2, .shake_metres = 0.1, .shake_hertz = 1.3});
  float most = 0;
  for (std::int32_t f = 1; f < s.clip.frame_count; ++f)
    most = std::max(most, angle_degrees(s.clip.frame(f)[1].rotation, s.clip.frame(0)[1].rotation));
  CHECK(most > 1.0f);
}

TEST_CASE("lengths of a skeleton in game units give the motion of the same skeleton in metres") {
  RigBuilder b = hanging_chain();
  const Simulation metres = run_of(b, {.seconds = 2, .shake_metres = 0.1, .shake_hertz = 1});
  b.description.metres_per_unit = 0.01428;
  for (Bone& bone : b.description.skeleton.bones) bone.rest.translation /= 0.01428f;
  const Simulation units = run_of(b, {.seconds = 2, .shake_metres = 0.1, .shake_hertz = 1});
  for (std::int32_t f = 0; f < metres.clip.frame_count; ++f)
    for (std::size_t i = 0; i < 4; ++i)
      CHECK(angle_degrees(metres.clip.frame(f)[i].rotation, units.clip.frame(f)[i].rotation) < 0.01f);
}

TEST_CASE("a clip moves the bones, goes round, and baking keeps its tracks and events") {
  RigBuilder b = hanging_chain();
  Clip clip;
  clip.frame_count = 31;
  clip.duration_seconds = 1;
  clip.track_count = 1;
  clip.track_to_bone = {0};
  clip.float_track_count = 1;
  for (int f = 0; f < 31; ++f) {
    Transform t = b.rest()[0];
    t.rotation = axis_angle({0, 1, 0}, 20 * std::sin(static_cast<float>(f) * 0.2094395f));
    clip.transforms.push_back(t);
    clip.floats.push_back(static_cast<float>(f));
  }
  clip.annotation_tracks = {{"", {{0.5f, "FootLeft"}}}};
  const Simulation s = run_of(b, {.frames_a_second = 30, .seconds = 1}, &clip);
  for (std::int32_t f = 0; f < 31; ++f) CHECK(s.clip.frame(f)[0] == clip.frame(f)[0]);
  const Simulation longer = run_of(b, {.frames_a_second = 30, .seconds = 2.5}, &clip);
  CHECK(angle_degrees(longer.clip.frame(40)[0].rotation, clip.frame(10)[0].rotation) < 1e-2f);

  const auto rig = Rig::compile(b.description);
  const Clip baked = bake(clip, s.clip, b.description, *rig);
  CHECK(validate(baked));
  CHECK(baked.track_to_bone == std::vector<std::int16_t>{0, 1, 2, 3});
  CHECK(baked.annotation_tracks[0] == clip.annotation_tracks[0]);
  CHECK(baked.floats == clip.floats);
  for (std::int32_t f = 0; f < 31; ++f)
    for (std::size_t i = 0; i < 4; ++i) CHECK(baked.frame(f)[i] == s.clip.frame(f)[i]);
}

TEST_CASE("root motion carries the entity, so that what hangs feels it") {
  RigBuilder b = hanging_chain();
  Clip clip;
  clip.frame_count = 2;
  clip.duration_seconds = 1;
  clip.track_count = 1;
  clip.transforms = {b.rest()[0], b.rest()[0]};
  const Simulation still = run_of(b, {.seconds = 1}, &clip);
  clip.root_motion = RootMotion{.duration_seconds = 1, .samples = {{0, 0, 0, 0}, {0.1f, 0, 0, 0}, {1.4f, 0, 0, 0}}};
  const Simulation walking = run_of(b, {.seconds = 1}, &clip);
  float most = 0;
  for (std::int32_t f = 0; f < 31; ++f)
    most = std::max(most, angle_degrees(still.clip.frame(f)[1].rotation, walking.clip.frame(f)[1].rotation));
  CHECK(most > 2.0f);
}

TEST_CASE("a traced frame says what each modifier did") {
  const RigBuilder b = hanging_chain();
  SimulateOptions options{.frames_a_second = 60, .seconds = 1, .shake_metres = 0.3, .shake_hertz = 2};
  options.trace_frame = 30;
  const Simulation s = run_of(b, options);
  REQUIRE(s.trace.size() == 3);
  CHECK(s.trace[0].ran);
  CHECK(s.trace[0].weight == 1.0f);
  CHECK_FALSE(s.trace[0].reset);
  options.trace_frame = 0;
  CHECK(run_of(b, options).trace[0].reset);
}

TEST_CASE("runs that make no sense are refused") {
  const RigBuilder b = hanging_chain();
  const auto rig = Rig::compile(b.description);
  for (const auto& [rate, seconds] : {std::pair(0.0, 1.0), std::pair(-30.0, 1.0), std::pair(30.0, -1.0),
                                      std::pair(1e9, 1e9), std::pair(std::nan(""), 1.0)})
    CHECK_FALSE(simulate(b.description, *rig, nullptr, {.frames_a_second = rate, .seconds = seconds}));
}
