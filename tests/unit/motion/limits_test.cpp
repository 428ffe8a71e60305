// SPDX-License-Identifier: MIT
// Random frames with long steps, stops and teleports: limits hold, and nothing ever stops being a number.
#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "model/modifiers_fields.h"
#include "support/motion_rig.h"

using namespace marrow;
using namespace marrow::motion;
using namespace marrow::motion::support;

namespace {

constexpr int kFrames = 130'000;  // for each of eight cases: a million in all

struct Shaker {
  std::mt19937 random{20240607};
  Environment environment;

  float uniform(float low, float high) { return std::uniform_real_distribution(low, high)(random); }
  Quat any_rotation() {
    std::normal_distribution<float> normal;
    return glm::normalize(make_quat(normal(random), normal(random), normal(random), normal(random) + 1e-3f));
  }
  // The next step in seconds; moves the pose a little, sometimes a lot.
  double next(std::vector<Transform>& pose) {
    const int event = static_cast<int>(random() % 100);
    const float reach = event < 3 ? 5.0f : 0.08f;
    pose[0].translation += Vec3(uniform(-reach, reach), uniform(-reach, reach), uniform(-reach, reach));
    pose[0].translation = glm::clamp(pose[0].translation, Vec3(-20.0f), Vec3(20.0f));
    pose[0].rotation =
        event < 6
            ? any_rotation()
            : glm::normalize(pose[0].rotation * axis_angle({uniform(-1, 1), uniform(-1, 1), 1}, uniform(-12, 12)));
    pose[1].rotation = glm::normalize(pose[1].rotation * axis_angle({1, uniform(-1, 1), 0}, uniform(-9, 9)));
    environment.teleported = event == 9;
    environment.wind.velocity = {uniform(-9, 9), uniform(-9, 9), uniform(-3, 3)};
    if (event < 12) return uniform(0.0f, 0.5f);
    if (event < 15) return 0.0;
    return uniform(0.0f, 0.05f);
  }
};

// Largest excess of `measure` (0 or less where all is well) over random frames of a specimen.
template <class Measure>
double worst_excess(const Specimen& s, Measure&& measure) {
  const auto compiled = CompiledRig::compile(s.builder.rig);
  REQUIRE(compiled);
  State state(*compiled);
  Shaker shaker;
  auto pose = s.builder.rest();
  std::vector<Transform> out = pose;
  double worst = -1e9;
  for (int i = 0; i < kFrames; ++i) {
    const double dt = shaker.next(pose);
    const EvaluateJob job{.rig = &*compiled,
                          .state = &state,
                          .environment = shaker.environment,
                          .delta_seconds = dt,
                          .input = pose,
                          .output = out};
    job.run();
    worst = std::max(worst, measure(pose, out));
  }
  return worst;
}

glm::dquat wide(const Quat& q) { return glm::normalize(glm::dquat(q.w, q.x, q.y, q.z)); }
glm::dvec3 rotation_vector(glm::dquat q) {
  if (q.w < 0) q = -q;
  const glm::dvec3 v(q.x, q.y, q.z);
  const double s = glm::length(v);
  return s < 1e-12 ? v * 2.0 : v * (2 * std::atan2(s, q.w) / s);
}
// How far the owner was turned from its animated rotation.
glm::dquat turn(const Specimen& s, const std::vector<Transform>& in, const std::vector<Transform>& out) {
  const auto owner = static_cast<std::size_t>(s.owner);
  return glm::conjugate(wide(in[owner].rotation)) * wide(out[owner].rotation);
}

}  // namespace

TEST_CASE("a ball joint stays in its ellipse") {
  Specimen s = specimen(ModifierType::BallJoint);
  auto& joint = std::get<BallJointModifier>(s.builder.rig.modifiers[0].data);
  for (const auto& [cone, y, z] : {std::tuple(25.0f, 1.0f, 1.0f), std::tuple(40.0f, 0.3f, 1.0f)}) {
    joint.constraint_angle = cone;
    joint.constraint_scale_y = y;
    joint.constraint_scale_z = z;
    const double half_y = cone * y * std::numbers::pi / 180, half_z = cone * z * std::numbers::pi / 180;
    const double worst = worst_excess(s, [&](const auto& in, const auto& out) {
      const glm::dvec3 r = rotation_vector(turn(s, in, out));
      // Distance past the ellipse along r, in radians.
      const double e = std::hypot(r.y / half_y, r.z / half_z);
      return e <= 1 ? std::abs(r.x) : std::max(std::abs(r.x), glm::length(r) * (1 - 1 / e));
    });
    MESSAGE("worst excess " << worst << " rad");
    CHECK(worst < 1e-6);
  }
}

TEST_CASE("a ball joint with a locked axis swings about the other alone") {
  Specimen s = specimen(ModifierType::BallJoint);
  auto& joint = std::get<BallJointModifier>(s.builder.rig.modifiers[0].data);
  joint.constraint_angle = 30;
  joint.constraint_scale_y = 0;
  joint.constraint_scale_z = 1;
  CHECK(worst_excess(s, [&](const auto& in, const auto& out) {
          const glm::dvec3 r = rotation_vector(turn(s, in, out));
          return std::max({std::abs(r.x), std::abs(r.y), std::abs(r.z) - 30 * std::numbers::pi / 180});
        }) < 1e-6);
}

TEST_CASE("a hinge turns about its axis alone, within its range") {
  const Specimen s = specimen(ModifierType::Hinge);
  CHECK(worst_excess(s, [&](const auto& in, const auto& out) {
          const glm::dvec3 r = rotation_vector(turn(s, in, out));
          return std::max({std::abs(r.x), std::abs(r.z), r.y - 0.6, -0.8 - r.y});
        }) < 1e-6);
}

TEST_CASE("a spring box stays in its box") {
  const Specimen s = specimen(ModifierType::SpringBox);
  CHECK(worst_excess(s, [&](const auto&, const auto& out) {
          const Vec3 p = out[static_cast<std::size_t>(s.owner)].translation;
          return static_cast<double>(
              std::max({0.1f - p.x, p.x - 0.3f, -0.1f - p.y, p.y - 0.1f, -0.1f - p.z, p.z - 0.1f}));
        }) < 1e-6);
}

TEST_CASE("a rotation constraint keeps each angle from its goal in range") {
  Specimen s = specimen(ModifierType::RotationConstraint);
  std::get<RotationConstraintModifier>(s.builder.rig.modifiers[0].data).constraint_associated_bone = {};
  CHECK(worst_excess(s, [&](const auto& in, const auto& out) {
          const glm::dvec3 r = rotation_vector(turn(s, in, out));
          return std::max({std::abs(r.x) - 0.5, r.y - 0.3, -0.4 - r.y, r.z - 0.6, -0.2 - r.z});
        }) < 1e-6);
}

TEST_CASE("a clamped look-at keeps its twist in range") {
  const Specimen s = specimen(ModifierType::AnvilLookAt);
  CHECK(worst_excess(s, [&](const auto& in, const auto& out) {
          const glm::dquat q = turn(s, in, out);
          const double twist = std::remainder(2 * std::atan2(q.z, q.w), 2 * std::numbers::pi);
          return std::max(twist - 0.5, -0.4 - twist);
        }) < 1e-6);
}

TEST_CASE("a pendulum has no limits, and still never gives anything but a rotation") {
  const Specimen s = specimen(ModifierType::Pendulum);
  CHECK(worst_excess(s, [&](const auto&, const auto& out) {
          return std::abs(glm::length(out[static_cast<std::size_t>(s.owner)].rotation) - 1.0);
        }) < 1e-6);
}

TEST_CASE("extreme values of every type stay numbers") {
  std::mt19937 random(77);
  for (const ModifierType type : moving_types()) {
    CAPTURE(class_name(type));
    for (int round = 0; round < 40; ++round) {
      Specimen s = specimen(type);
      Modifier& m = s.builder.rig.modifiers[0];
      const auto extreme = [&] {
        constexpr float kValues[] = {0.0f, -1.0f, 1.0f, 1e-6f, 1e6f, -1e6f, 0.5f, 1e-3f, 89.0f, -300.0f};
        return kValues[random() % std::size(kValues)];
      };
      std::visit(
          [&](auto& data) {
            walk_fields(modifier_fields(type), data, [&](const Field&, auto& value) {
              using T = std::remove_cvref_t<decltype(value)>;
              if constexpr (std::is_same_v<T, float>) value = extreme();
              if constexpr (std::is_same_v<T, Vec4>) value = {extreme(), extreme(), extreme(), 0};
            });
          },
          m.data);
      const auto compiled =
          CompiledRig::compile(s.builder.rig, {.native_law = false, .self_collision = round % 2 == 0});
      if (!compiled) continue;
      State state(*compiled);
      Shaker shaker;
      shaker.random.seed(static_cast<unsigned>(round));
      auto pose = s.builder.rest();
      std::vector<Transform> out = pose;
      std::vector<Vec3> stretch(pose.size());
      bool finite = true;
      for (int i = 0; i < 200; ++i) {
        const double dt = i % 50 == 49 ? 1.0 : shaker.next(pose);
        if (i % 40 == 0) pose[1].translation *= -3.0f;
        const EvaluateJob job{.rig = &*compiled,
                              .state = &state,
                              .environment = shaker.environment,
                              .delta_seconds = dt,
                              .input = pose,
                              .output = out,
                              .stretch = stretch};
        job.run();
        for (std::size_t k = 0; k < out.size(); ++k) {
          const Transform& o = out[k];
          finite &= std::isfinite(o.translation.x + o.translation.y + o.translation.z + o.rotation.x + o.rotation.y +
                                  o.rotation.z + o.rotation.w + stretch[k].x + stretch[k].y + stretch[k].z);
          finite &= std::abs(glm::length(o.rotation) - 1.0f) < 1e-4f;
        }
      }
      CHECK(finite);
    }
  }
}
