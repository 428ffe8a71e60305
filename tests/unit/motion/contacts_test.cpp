// SPDX-License-Identifier: MIT
// Chains against capsules, spheres and the ground.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <utility>

#include "marrow/core/byte_reader.h"
#include "marrow/model/pose.h"
#include "marrow/motion/sidecar.h"
#include "motion/contacts.h"
#include "motion/simulate.h"
#include "support/motion_rig.h"

using namespace marrow;
using namespace marrow::motion;
using namespace marrow::motion::support;

namespace {

// A chain of four joints that hangs beside a body, and a thigh that swings into it.
struct Skirt {
  RigBuilder b;
  std::int32_t root, thigh, knee, first;
  std::vector<std::int32_t> joints;

  explicit Skirt(bool pendulums = false) {
    root = b.bone(kNoBone, {0, 0, 1});
    thigh = b.bone(root, {0, 0, 0}, axis_angle({0, 1, 0}, 90));
    knee = b.bone(thigh, {0.4f, 0, 0});
    auto parent = first = b.bone(root, {0.12f, 0.02f, 0}, axis_angle({0, 1, 0}, 90));
    joints.push_back(first);
    for (int i = 0; i < 4; ++i) {
      if (pendulums)
        b.modifier(parent, PendulumModifier{.friction = 3, .air_friction = 0.5f, .length = 0.1f});
      else
        b.modifier(parent, BallJointModifier{.constraint_angle = 25, .mechanical_friction = 3, .air_friction = 0.25f});
      parent = b.bone(parent, {0.1f, 0, 0});
      joints.push_back(parent);
    }
  }
};

Clip walking_clip(const Skirt& s, double rate, double seconds) {
  Clip clip;
  clip.frame_count = static_cast<std::int32_t>(std::lround(seconds * rate)) + 1;
  clip.duration_seconds = static_cast<float>(seconds);
  clip.track_count = static_cast<std::int32_t>(s.b.rig.skeleton.bones.size());
  for (std::int32_t f = 0; f < clip.frame_count; ++f) {
    auto pose = s.b.rest();
    const double t = f / rate;
    const auto swing = static_cast<float>(40 * std::sin(2 * std::numbers::pi * t));
    pose[at(s.thigh)].rotation = axis_angle({0, 1, 0}, -swing) * pose[at(s.thigh)].rotation;
    pose[0].translation.z = 1 + 0.03f * static_cast<float>(std::sin(4 * std::numbers::pi * t));
    clip.transforms.insert(clip.transforms.end(), pose.begin(), pose.end());
  }
  return clip;
}

double distance_to(const glm::dvec3& a, const glm::dvec3& b, const glm::dvec3& p) {
  const glm::dvec3 along = b - a;
  const double share =
      glm::dot(along, along) > 0 ? std::clamp(glm::dot(p - a, along) / glm::dot(along, along), 0.0, 1.0) : 0.0;
  return glm::length(p - a - along * share);
}

// How far the points of the chain are inside at the worst frame, metres.
double deepest(const Skirt& s, const Clip& clip) {
  double most = -1;
  std::vector<Transform> model(s.b.rig.skeleton.bones.size());
  for (std::int32_t f = 0; f < clip.frame_count; ++f) {
    local_to_model(s.b.rig.skeleton, clip.frame(f), model);
    for (const std::int32_t joint : s.joints) {
      if (joint == s.first) continue;  // sits on the body, whatever is there
      const glm::dvec3 p(model[at(joint)].translation);
      for (const Collider& c : s.b.rig.colliders) {
        const auto end = [&](std::int32_t bone, const Vec3& local) {
          return glm::dvec3(model[at(bone)].translation + model[at(bone)].rotation * local);
        };
        const std::int32_t second = c.to_bone == kNoBone ? c.bone : c.to_bone;
        most = std::max(most, static_cast<double>(c.radius) - distance_to(end(c.bone, c.from), end(second, c.to), p));
      }
      if (s.b.rig.ground) most = std::max(most, static_cast<double>(*s.b.rig.ground) - p.z);
    }
  }
  return most;
}

Clip run_of(const Skirt& s, double rate, double seconds = 3) {
  const auto compiled = CompiledRig::compile(s.b.rig);
  REQUIRE(compiled);
  const Clip clip = walking_clip(s, 30, seconds);
  auto run = simulate(s.b.rig, *compiled, &clip, {.frames_per_second = rate, .seconds = seconds, .settle_seconds = 2});
  REQUIRE(run);
  return std::move(run->clip);
}

}  // namespace

TEST_CASE("no point of a chain is inside a capsule, a sphere or the ground by more than a millimetre") {
  for (const bool pendulums : {false, true}) {
    Skirt s(pendulums);
    CHECK(deepest(s, run_of(s, 30)) == -1);  // nothing to be inside of
    s.b.rig.colliders = {{.bone = s.thigh, .to_bone = s.knee, .radius = 0.09f}};
    const std::vector<Collider> thigh = std::exchange(s.b.rig.colliders, {});
    const Clip through = run_of(s, 30);
    s.b.rig.colliders = thigh;
    CHECK(deepest(s, through) > 0.03);  // the thigh goes through it without
    for (const double rate : {24.0, 30.0, 60.0}) CHECK(deepest(s, run_of(s, rate)) < 1e-3);
    s.b.rig.colliders.push_back({.bone = s.root, .from = {0.2f, 0, -0.25f}, .to = {0.2f, 0, -0.25f}, .radius = 0.06f});
    s.b.rig.ground = 0.68f;
    for (const double rate : {24.0, 30.0, 60.0}) CHECK(deepest(s, run_of(s, rate)) < 1e-3);
  }
}

TEST_CASE("contacts are the same at every frame rate") {
  Skirt s;
  s.b.rig.colliders = {{.bone = s.thigh, .to_bone = s.knee, .radius = 0.09f}};
  s.b.rig.ground = 0.62f;
  const Clip fine = run_of(s, 240);
  for (const int rate : {24, 30, 60, 120}) {
    const Clip coarse = run_of(s, rate);
    double sum = 0;
    int count = 0;
    for (std::int32_t f = 0; f < coarse.frame_count; ++f)
      for (const std::int32_t joint : s.joints) {
        sum += std::pow(
            angle_degrees(coarse.frame(f)[at(joint)].rotation, fine.frame(f * (240 / rate))[at(joint)].rotation), 2);
        ++count;
      }
    CHECK(std::sqrt(sum / count) < 0.01);
  }
}

TEST_CASE("a chain that lies on something comes to rest on it") {
  Skirt s;
  for (Modifier& each : s.b.rig.modifiers) std::get<BallJointModifier>(each.data).constraint_angle = 120;
  s.b.rig.ground = 0.75f;
  const auto compiled = CompiledRig::compile(s.b.rig);
  const auto run = simulate(s.b.rig, *compiled, nullptr, {.frames_per_second = 30, .seconds = 12});
  REQUIRE(run);
  const auto last = run->clip.frame(360), before = run->clip.frame(345);
  for (std::size_t i = 0; i < last.size(); ++i) CHECK(angle_degrees(last[i].rotation, before[i].rotation) < 0.2f);
  std::vector<Transform> model(last.size());
  local_to_model(s.b.rig.skeleton, last, model);
  CHECK(model[at(s.joints.back())].translation.z == doctest::Approx(0.75).epsilon(1e-3));
}

TEST_CASE("a chain that touches nothing moves as it does without colliders, and its own colliders are none") {
  Skirt s;
  const Clip free = run_of(s, 60);
  s.b.rig.colliders = {{.bone = s.root, .from = {3, 0, 0}, .to = {3, 0, 1}, .radius = 0.3f},
                       {.bone = s.joints[1], .to_bone = s.joints[2], .radius = 0.2f},
                       {.bone = s.first, .from = {0.1f, 0, 0}, .to = {0.1f, 0, 0}, .radius = 0.01f}};
  s.b.rig.ground = -5.0f;
  s.b.rig.colliders.resize(1);
  CHECK(run_of(s, 60).transforms == free.transforms);
  // On the bone itself: it carries the solid along.
  s.b.rig.colliders = {{.bone = s.first, .to_bone = s.joints[1], .radius = 0.05f}};
  s.b.rig.modifiers.resize(1);
  Skirt alone;
  alone.b.rig.modifiers.resize(1);
  CHECK(run_of(s, 60).transforms == run_of(alone, 60).transforms);
}

TEST_CASE("a run with contacts is saved and goes on with the same bits") {
  Skirt s;
  s.b.rig.colliders = {{.bone = s.thigh, .to_bone = s.knee, .radius = 0.09f}};
  const auto compiled = CompiledRig::compile(s.b.rig);
  State state(*compiled), other(*compiled);
  const Clip clip = walking_clip(s, 30, 3);
  std::vector<Transform> one(clip.frame(0).size()), two = one;
  const auto step = [&](State& which, std::int32_t f, std::vector<Transform>& out) {
    const EvaluateJob job{.rig = &*compiled,
                          .state = &which,
                          .delta_seconds = f == 0 ? 0.0 : 1.0 / 30,
                          .input = clip.frame(f),
                          .output = out};
    job.run();
  };
  bool touched = false;
  for (std::int32_t f = 0; f < clip.frame_count; ++f) {
    if (f == 20) REQUIRE(other.restore(state.save()));
    step(state, f, one);
    if (f >= 20) step(other, f, two);
    if (f >= 20) CHECK(one == two);
    std::vector<Trace> trace(compiled->modifier_count());
    const EvaluateJob again{.rig = &*compiled, .state = &state, .input = clip.frame(f), .output = one, .trace = trace};
    again.run();
    touched = touched || angle_degrees(one[at(s.first)].rotation, s.b.rest()[at(s.first)].rotation) > 5;
  }
  CHECK(touched);
}

TEST_CASE("the search finds the solids in reach, all of them, in order, and none that is spared") {
  std::mt19937 random(7);
  const auto pick = [&](double low, double high) {
    return low + (high - low) * static_cast<double>(random()) / static_cast<double>(std::mt19937::max());
  };
  for (int round = 0; round < 50; ++round) {
    Solids solids;
    solids.resize(30);
    std::vector<std::uint8_t> spared(30);
    for (std::size_t i = 0; i < 30; ++i) {
      const DVec a(pick(-2, 2), pick(-2, 2), pick(-2, 2)), b = a + DVec(pick(-1, 1), pick(-1, 1), pick(-1, 1));
      solids.place(i, {a, b, a, b, pick(0.01, 0.5)});
      spared[i] = pick(0, 1) < 0.2 ? 1 : 0;
    }
    solids.sort();
    for (int i = 0; i < 20; ++i) {
      const DVec p(pick(-3, 3), pick(-2, 2), pick(-2, 2));
      const double reach = pick(0.05, 1);
      std::vector<std::uint32_t> expected;
      for (std::uint32_t k = 0; k < 30; ++k) {
        const Solid& s = solids.all()[k];
        if (spared[k] == 0 && distance_to(s.a1, s.b1, p) <= reach + s.radius) expected.push_back(k);
      }
      const auto found = solids.within(p, reach, spared);
      CHECK(std::vector<std::uint32_t>(found.begin(), found.end()) == expected);
    }
  }
}

TEST_CASE("colliders are read from a sidecar, and mistakes in them name the place and the cure") {
  Skirt s;
  const auto apply = [&](std::string_view json) {
    Rig rig = s.b.rig;
    auto done = apply_sidecar(as_bytes(json), rig);
    return done ? std::pair(rig, std::string()) : std::pair(rig, done.error().path + ": " + done.error().message);
  };
  const auto [rig, none] = apply(R"({"ground": 0.1, "colliders": [
    {"shape": "capsule", "bone": ["Nobody", "Bone1"], "to": "Bone2", "radius": 0.09},
    {"shape": "capsule", "bone": "Bone1", "from": [0.1, 0, 0], "to": [0.3, 0, 0], "radius": 0.08},
    {"shape": "sphere", "bone": "Bone0", "center": [0, 0, 0.5], "radius": 0.2, "comment": "head"},
    {"shape": "sphere", "bone": "Nobody", "radius": 0.2, "optional": true}]})");
  CHECK(none == "");
  REQUIRE(rig.colliders.size() == 3);
  CHECK(rig.ground == 0.1f);
  CHECK(rig.colliders[0] == Collider{.bone = 1, .to_bone = 2, .radius = 0.09f});
  CHECK(rig.colliders[1] == Collider{.bone = 1, .from = {0.1f, 0, 0}, .to = {0.3f, 0, 0}, .radius = 0.08f});
  CHECK(rig.colliders[2] == Collider{.bone = 0, .from = {0, 0, 0.5f}, .to = {0, 0, 0.5f}, .radius = 0.2f});
  const auto says = [&](std::string_view entry, std::string_view words) {
    const std::string said = apply(R"({"colliders": [)" + std::string(entry) + "]}").second;
    INFO(said);
    CHECK(said.find(words) != std::string::npos);
  };
  says(R"({"shape": "capsul", "bone": "Bone1", "to": "Bone2", "radius": 1})",
       "colliders[0].shape: unknown shape 'capsul'; did you mean capsule?");
  says(R"({"shape": "capsule", "bone": "Bone11", "to": "Bone2", "radius": 1})", "colliders[0].bone: ");
  says(R"({"shape": "capsule", "bone": "Bone1", "radius": 1})", "colliders[0].to: expected the other end");
  says(R"({"shape": "sphere", "bone": "Bone1", "to": "Bone2", "radius": 1})", "only a capsule has it");
  says(R"({"shape": "sphere", "bone": "Bone1"})", "colliders[0].radius: expected a positive number");
  says(R"({"shape": "sphere", "bone": "Bone1", "radius": 0})", "colliders[0].radius");
  says(R"({"shape": "sphere", "bone": "Bone1", "radius": 1, "centre": [0, 0, 0]})", "did you mean center?");
  CHECK(apply(R"({"colider": []})").second == "colider: unknown key; did you mean colliders?");
}

TEST_CASE("a chain that rests inside a collider is reported") {
  Skirt s;
  s.b.rig.colliders = {{.bone = s.thigh, .to_bone = s.knee, .radius = 0.2f}};
  Notes notes;
  REQUIRE(CompiledRig::compile(s.b.rig, {}, &notes));
  REQUIRE(notes.size() == 4);
  CHECK(notes[0].message.find("mm inside the collider on 'Bone1'") != std::string::npos);
  s.b.rig.colliders[0].radius = -1;
  CHECK_FALSE(CompiledRig::compile(s.b.rig));
}
