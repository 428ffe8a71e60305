// SPDX-License-Identifier: MIT
// Clips between their frames: fast motion gives the same swing at every frame rate, and the one that it really has.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <numbers>

#include "motion/simulate.h"
#include "support/motion_rig.h"

using namespace marrow;
using namespace marrow::motion;
using namespace marrow::motion::support;

namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kLength = 0.3, kFriction = 1.5, kAir = 0.25;

// An eased swing of 0.1 m at 2 Hz: it starts and ends at rest.
double swing(double t) { return 0.05 - 0.05 * std::cos(2 * kPi * 2 * t); }
double swing_acceleration(double t) { return 0.05 * std::pow(2 * kPi * 2, 2) * std::cos(2 * kPi * 2 * t); }
double swing_velocity(double t) { return 0.05 * (2 * kPi * 2) * std::sin(2 * kPi * 2 * t); }

// A rod that hangs from a root, along X of its bone.
RigBuilder hanging(ModifierData data) {
  RigBuilder b;
  const auto root = b.bone(kNoBone, {0, 0, 1});
  const auto rod = b.bone(root, {0, 0, 0}, axis_angle({0, 1, 0}, 90));
  b.bone(rod, {static_cast<float>(kLength), 0, 0});
  b.modifier(rod, std::move(data));
  return b;
}

Clip swinging_clip(const RigBuilder& b, double rate, double seconds) {
  Clip clip;
  clip.frame_count = static_cast<std::int32_t>(std::lround(seconds * rate)) + 1;
  clip.duration_seconds = static_cast<float>(seconds);
  clip.track_count = static_cast<std::int32_t>(b.rig.skeleton.bones.size());
  for (std::int32_t f = 0; f < clip.frame_count; ++f) {
    auto pose = b.rest();
    pose[0].translation.x = static_cast<float>(swing(f / rate));
    clip.transforms.insert(clip.transforms.end(), pose.begin(), pose.end());
  }
  return clip;
}

// Classic Runge and Kutta, in steps of a ten-thousandth of a second: the state after every step.
template <class Derivative>
std::vector<std::array<double, 2>> runge_kutta(double seconds, Derivative&& derivative) {
  constexpr double kStep = 1e-4;
  std::array<double, 2> s{0.0, 0.0};
  std::vector<std::array<double, 2>> states{s};
  const auto moved = [](const std::array<double, 2>& a, const std::array<double, 2>& d, double h) {
    return std::array<double, 2>{a[0] + h * d[0], a[1] + h * d[1]};
  };
  for (int i = 0; i < std::lround(seconds / kStep); ++i) {
    const double t = i * kStep;
    const auto k1 = derivative(t, s), k2 = derivative(t + kStep / 2, moved(s, k1, kStep / 2)),
               k3 = derivative(t + kStep / 2, moved(s, k2, kStep / 2)), k4 = derivative(t + kStep, moved(s, k3, kStep));
    for (std::size_t c = 0; c < 2; ++c) s[c] += kStep / 6 * (k1[c] + 2 * k2[c] + 2 * k3[c] + k4[c]);
    states.push_back(s);
  }
  return states;
}

// The largest difference between a run and the fine solution, as a share of the solution's amplitude.
template <class Measured>
double worst_share(const RigBuilder& b, double key_rate, double rate, double seconds,
                   const std::vector<std::array<double, 2>>& fine, Measured&& measured) {
  const auto compiled = CompiledRig::compile(b.rig);
  REQUIRE(compiled);
  const Clip clip = swinging_clip(b, key_rate, seconds);
  const auto run =
      simulate(b.rig, *compiled, &clip, {.frames_per_second = rate, .seconds = seconds, .settle_seconds = 1});
  REQUIRE(run);
  double amplitude = 0, worst = 0;
  for (const auto& state : fine) amplitude = std::max(amplitude, std::abs(state[0]));
  for (std::int32_t f = 0; f < run->clip.frame_count; ++f) {
    const auto at = std::min(static_cast<std::size_t>(std::lround(f / rate * 1e4)), fine.size() - 1);
    worst = std::max(worst, std::abs(measured(run->clip.frame(f)) - fine[at][0]));
  }
  return worst / amplitude;
}

constexpr double kRates[] = {24, 25, 30, 48, 60, 120, 240, 480};

}  // namespace

TEST_CASE("a ball joint under a fast clip is within 1 % of a fine Runge-Kutta solution, at every rate") {
  const RigBuilder b = hanging(BallJointModifier{.constraint_angle = 180,
                                                 .mechanical_friction = static_cast<float>(kFriction),
                                                 .air_friction = static_cast<float>(kAir)});
  // The angle from hanging straight down toward +X: L th'' = -g sin th - a cos th, and both frictions.
  const auto fine = runge_kutta(3, [](double t, const std::array<double, 2>& s) -> std::array<double, 2> {
    const double air = -swing_velocity(t) * std::cos(s[0]) / kLength;
    return {s[1], (-kGravity * std::sin(s[0]) - swing_acceleration(t) * std::cos(s[0])) / kLength - kFriction * s[1] -
                      kAir * (s[1] - air)};
  });
  const auto angle = [](std::span<const Transform> pose) {
    const Vec3 rod = pose[1].rotation * Vec3(1, 0, 0);
    return static_cast<double>(std::atan2(rod.x, -rod.z));
  };
  for (const double keys : {24.0, 30.0, 60.0})
    for (const double rate : kRates) {
      const double share = worst_share(b, keys, rate, 3, fine, angle);
      INFO("keys " << keys << ", " << rate << " fps: " << 100 * share << " %");
      CHECK(share < 0.01);
    }
}

TEST_CASE("a spring box under a fast clip is within 1 % of a fine Runge-Kutta solution, at every rate") {
  const RigBuilder b = hanging(SpringBoxModifier{.stiffness = 200, .damping = 6});
  const auto fine = runge_kutta(3, [](double t, const std::array<double, 2>& s) -> std::array<double, 2> {
    return {s[1], -200 * s[0] - 6 * s[1] - swing_acceleration(t)};
  });
  for (const double keys : {24.0, 30.0, 60.0})
    for (const double rate : kRates) {
      const double share = worst_share(b, keys, rate, 3, fine, [](std::span<const Transform> pose) {
        return static_cast<double>(pose[1].translation.x);
      });
      INFO("keys " << keys << ", " << rate << " fps: " << 100 * share << " %");
      CHECK(share < 0.01);
    }
}

TEST_CASE("a clip follows a cubic path between its frames, and has their bits on them") {
  const RigBuilder b = hanging(BallJointModifier{});
  const Clip clip = swinging_clip(b, 24, 1);
  std::vector<Transform> pose(3);
  for (std::int32_t f = 0; f < clip.frame_count; ++f) {
    pose_at(b.rig.skeleton, clip, f / 24.0, pose);
    CHECK(pose[0] == clip.frame(f)[0]);
  }
  double worst = 0;
  for (int i = 0; i <= 1000; ++i) {
    pose_at(b.rig.skeleton, clip, i / 1000.0, pose);
    worst = std::max(worst, std::abs(static_cast<double>(pose[0].translation.x) - swing(i / 1000.0)));
  }
  CHECK(worst < 0.0005);  // a straight one is off by 0.0017
}

TEST_CASE("a hold stays a hold, and a bone that jumps further than the teleport distance does not travel") {
  const RigBuilder b = hanging(BallJointModifier{.constraint_angle = 90, .mechanical_friction = 1});
  Clip clip = swinging_clip(b, 30, 2);
  for (std::int32_t f = 0; f < clip.frame_count; ++f)
    clip.transforms[static_cast<std::size_t>(f) * 3].translation.x = f < 20   ? 0.0f
                                                                     : f < 30 ? 0.01f * static_cast<float>(f - 20)
                                                                              : 5.0f;
  std::vector<Transform> pose(3);
  for (int i = 0; i <= 100; ++i) {
    pose_at(b.rig.skeleton, clip, i / 100.0 * 20 / 30, pose);
    CHECK(pose[0].translation.x == 0.0f);
  }
  const auto compiled = CompiledRig::compile(b.rig);
  const auto run = simulate(b.rig, *compiled, &clip, {.frames_per_second = 120, .seconds = 2});
  REQUIRE(run);
  for (std::int32_t f = 0; f < run->clip.frame_count; ++f) {
    const float x = run->clip.frame(f)[0].translation.x;
    CHECK((x < 0.11f || x == 5.0f));
    if (f >= 120) CHECK(angle_degrees(run->clip.frame(f)[1].rotation, b.rest()[1].rotation) < 1.0f);
  }
  // With a greater distance it is a blow.
  const auto patient = CompiledRig::compile(b.rig, {.reset_distance = 10});
  float most = 0;
  const auto blow = simulate(b.rig, *patient, &clip, {.frames_per_second = 120, .seconds = 2});
  for (std::int32_t f = 120; f < blow->clip.frame_count; ++f)
    most = std::max(most, angle_degrees(blow->clip.frame(f)[1].rotation, b.rest()[1].rotation));
  CHECK(most > 5.0f);
}
