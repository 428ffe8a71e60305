// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "motion/simulate.h"
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
  const auto compiled = CompiledRig::compile(b.rig);
  REQUIRE(compiled);
  auto result = simulate(b.rig, *compiled, clip, options);
  REQUIRE(result);
  return std::move(*result);
}

}  // namespace

TEST_CASE("a run starts with the input pose and shakes its root along X") {
  const RigBuilder b = hanging_chain();
  const Simulation s = run_of(b, {.frames_per_second = 60, .seconds = 2, .shake_metres = 0.3, .shake_hertz = 1.5});
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
  const SimulateOptions options{.frames_per_second = 240, .seconds = 3, .shake_metres = 0.05, .shake_hertz = 1};
  const Simulation fine = run_of(b, options);
  CHECK(fine.clip == run_of(b, options).clip);
  for (const double rate : {30.0, 60.0, 120.0}) {
    SimulateOptions coarse = options;
    coarse.frames_per_second = rate;
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

TEST_CASE("frame rates below ten per second still move") {
  const Simulation s =
      run_of(hanging_chain(), {.frames_per_second = 5, .seconds = 2, .shake_metres = 0.1, .shake_hertz = 1.3});
  float most = 0;
  for (std::int32_t f = 1; f < s.clip.frame_count; ++f)
    most = std::max(most, angle_degrees(s.clip.frame(f)[1].rotation, s.clip.frame(0)[1].rotation));
  CHECK(most > 1.0f);
}

TEST_CASE("lengths of a skeleton in game units give the motion of the same skeleton in metres") {
  RigBuilder b = hanging_chain();
  const Simulation metres = run_of(b, {.seconds = 2, .shake_metres = 0.1, .shake_hertz = 1});
  b.rig.metres_per_unit = 0.01428;
  for (Bone& bone : b.rig.skeleton.bones) bone.rest.translation /= 0.01428f;
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
  const Simulation s = run_of(b, {.frames_per_second = 30, .seconds = 1}, &clip);
  for (std::int32_t f = 0; f < 31; ++f) CHECK(s.clip.frame(f)[0] == clip.frame(f)[0]);
  const Simulation longer = run_of(b, {.frames_per_second = 30, .seconds = 2.5}, &clip);
  CHECK(angle_degrees(longer.clip.frame(40)[0].rotation, clip.frame(10)[0].rotation) < 1e-2f);

  const auto compiled = CompiledRig::compile(b.rig);
  const Clip baked = bake(clip, s.clip, b.rig, *compiled);
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

namespace {

// A second of a body that sways and comes back to where it was.
Clip swaying(const RigBuilder& b) {
  Clip clip;
  clip.frame_count = 31;
  clip.duration_seconds = 1;
  clip.track_count = 1;
  clip.track_to_bone = {0};
  for (int f = 0; f < 31; ++f) {
    Transform t = b.rest()[0];
    t.rotation = axis_angle({0, 1, 0}, 25 * std::sin(static_cast<float>(f % 30) * 0.2094395f));
    clip.transforms.push_back(t);
  }
  return clip;
}

}  // namespace

TEST_CASE("a loop ends as it begins, and is what a long run comes to") {
  const RigBuilder b = hanging_chain();
  Clip clip = swaying(b);
  SimulateOptions options{.frames_per_second = 30, .seconds = 1};
  SUBCASE("on the spot") {}
  SUBCASE("on the way, with turns") {
    clip.root_motion =
        RootMotion{.duration_seconds = 1, .samples = {{0, 0, 0, 0}, {0.5f, 0, 0, 0.05f}, {1, 0, 0, 0.1f}}};
  }
  SUBCASE("in gusts of wind") { options.environment.wind = {.velocity = {3, 0, 0}, .gust_share = 1}; }
  options.loop = true;
  const Simulation s = run_of(b, options, &clip);
  CHECK(s.loop.closed);
  CHECK(s.loop.rounds > 1);
  CHECK(s.notes.empty());
  const auto first = s.clip.frame(0), last = s.clip.frame(30), next = s.clip.frame(1), before = s.clip.frame(29);
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(first[i] == last[i]);
    // No jolt where the ends meet: the step over the seam is much like the one before it.
    const float in = angle_degrees(before[i].rotation, last[i].rotation);
    const float out = angle_degrees(first[i].rotation, next[i].rotation);
    CHECK(std::abs(in - out) < 2.0f);
  }
  CHECK(angle_degrees(s.clip.frame(8)[1].rotation, first[1].rotation) > 1.0f);
  if (options.environment.wind.gust_share > 0.0f) return;  // in a long run time goes on, and other gusts come
  options.loop = false;
  options.seconds = 20;
  const Simulation run = run_of(b, options, &clip);
  for (std::int32_t f = 0; f <= 30; ++f)
    for (std::size_t i = 0; i < 4; ++i)
      CHECK(angle_degrees(s.clip.frame(f)[i].rotation, run.clip.frame(19 * 30 + f)[i].rotation) < 0.1f);
}

TEST_CASE("a clip that does not close is not a loop, and that is reported") {
  const RigBuilder b = hanging_chain();
  Clip clip = swaying(b);
  clip.transforms.back().rotation = axis_angle({0, 1, 0}, 30);
  const Simulation s = run_of(b, {.frames_per_second = 30, .seconds = 1, .loop = true}, &clip);
  CHECK_FALSE(s.loop.closed);
  REQUIRE(s.notes.size() == 1);
  CHECK(s.notes[0].message == "is not a loop: it ends 30 degrees and 0 cm from its start at bone 'Bone0'");
}

TEST_CASE("what has settled hangs from the first frame on, in the wind of its own speed too") {
  RigBuilder b = hanging_chain();
  b.rig.skeleton.bones[1].rest.rotation = axis_angle({0, 1, 0}, 70);
  const auto drift = [](const Simulation& s) {
    return angle_degrees(s.clip.frame(0)[1].rotation, s.clip.frame(s.clip.frame_count - 1)[1].rotation);
  };
  CHECK(drift(run_of(b, {.seconds = 2})) > 10.0f);
  CHECK(drift(run_of(b, {.seconds = 2, .settle_seconds = 10})) < 0.1f);
  Clip clip = swaying(b);
  for (Transform& t : clip.transforms) t = b.rest()[0];
  clip.root_motion = RootMotion{.duration_seconds = 1, .samples = {{0, 0, 0, 0}, {1.5f, 0, 0, 0}, {3, 0, 0, 0}}};
  const Simulation walk = run_of(b, {.seconds = 2, .settle_seconds = 10}, &clip);
  CHECK(drift(walk) < 0.1f);
  CHECK(angle_degrees(walk.clip.frame(0)[1].rotation,
                      run_of(b, {.seconds = 1, .settle_seconds = 10}).clip.frame(0)[1].rotation) > 1.0f);
}

TEST_CASE("events, numbers and root motion go round with the clip, and end with it") {
  const RigBuilder b = hanging_chain();
  Clip clip = swaying(b);
  clip.float_track_count = 1;
  for (int f = 0; f < 31; ++f) clip.floats.push_back(static_cast<float>(f));
  clip.annotation_tracks = {{"", {{0.25f, "FootLeft"}, {0.75f, "FootRight"}}}};
  clip.root_motion = RootMotion{.duration_seconds = 1, .samples = {{0, 0, 0, 0}, {0.5f, 0, 0, 0.25f}, {1, 0, 0, 0.5f}}};
  const auto compiled = CompiledRig::compile(b.rig);
  const Simulation longer = run_of(b, {.frames_per_second = 30, .seconds = 2.5}, &clip);
  const Clip baked = bake(clip, longer.clip, b.rig, *compiled);
  CHECK(validate(baked));
  const auto& events = baked.annotation_tracks[0].annotations;
  REQUIRE(events.size() == 5);
  CHECK(events[3] == Annotation{1.75f, "FootRight"});
  CHECK(events[4] == Annotation{2.25f, "FootLeft"});
  CHECK(baked.floats[45] == doctest::Approx(15));
  REQUIRE(baked.root_motion->samples.size() == 76);
  CHECK(baked.root_motion->duration_seconds == doctest::Approx(2.5));
  CHECK(baked.root_motion->samples[60].w == doctest::Approx(1.0));
  // The second round sets out in the direction that the first has turned to.
  CHECK(baked.root_motion->samples[60].x == doctest::Approx(1 + std::cos(0.5)).epsilon(1e-3));
  CHECK(baked.root_motion->samples[60].y == doctest::Approx(std::sin(0.5)).epsilon(1e-3));
  const Simulation shorter = run_of(b, {.frames_per_second = 30, .seconds = 0.5}, &clip);
  CHECK(bake(clip, shorter.clip, b.rig, *compiled).annotation_tracks[0].annotations.size() == 1);
}

TEST_CASE("a clip of next to no length goes round without end, and takes no longer for it") {
  const RigBuilder b = hanging_chain();
  Clip clip = swaying(b);
  clip.duration_seconds = 1e-7f;
  clip.annotation_tracks = {{"", {{0.0f, "FootLeft"}}}};
  clip.root_motion = RootMotion{.duration_seconds = 1e-7f, .samples = {{0, 0, 0, 0}, {1e-8f, 0, 0, 0}}};
  const Simulation run = run_of(b, {.frames_per_second = 30, .seconds = 2}, &clip);
  const Clip baked = bake(clip, run.clip, b.rig, *CompiledRig::compile(b.rig));
  CHECK(validate(baked));
  CHECK(baked.annotation_tracks[0].annotations.size() == 1);
  // Twenty million rounds of a hundred millionth.
  CHECK(baked.root_motion->samples.back().x == doctest::Approx(0.2).epsilon(1e-3));
}

TEST_CASE("a traced frame says what each modifier did") {
  const RigBuilder b = hanging_chain();
  SimulateOptions options{.frames_per_second = 60, .seconds = 1, .shake_metres = 0.3, .shake_hertz = 2};
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
  const auto compiled = CompiledRig::compile(b.rig);
  for (const auto& [rate, seconds] : {std::pair(0.0, 1.0), std::pair(-30.0, 1.0), std::pair(30.0, -1.0),
                                      std::pair(1e9, 1e9), std::pair(std::nan(""), 1.0)})
    CHECK_FALSE(simulate(b.rig, *compiled, nullptr, {.frames_per_second = rate, .seconds = seconds}));
  for (const double settle : {-1.0, 1e9, std::nan("")})
    CHECK_FALSE(simulate(b.rig, *compiled, nullptr, {.settle_seconds = settle}));
}
