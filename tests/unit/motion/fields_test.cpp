// SPDX-License-Identifier: MIT
// Fields that change how a law is applied: what each does, by numbers that follow from the law.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "marrow/model/pose.h"
#include "support/motion_rig.h"

using namespace marrow;
using namespace marrow::motion;
using namespace marrow::motion::support;

namespace {

// The angle about Y by which the owner of the last modifier of a run is turned from rest, by frame, in radians.
std::vector<double> angles_about_y(const RigBuilder& b, double rate, double seconds, const Drive& drive = {}) {
  const auto owner = static_cast<std::size_t>(b.rig.modifiers.back().owner.target);
  std::vector<double> all;
  for (const auto& pose : run(b.rig, rate, seconds, drive)) {
    const Quat q = glm::conjugate(b.rest()[owner].rotation) * pose[owner].rotation;
    all.push_back(2 * std::atan2(static_cast<double>(q.y), static_cast<double>(q.w)));
  }
  return all;
}

// A bone along X that hangs straight down below a root, with a modifier on it.
RigBuilder hung_by(ModifierData data) {
  RigBuilder b;
  const auto owner = b.bone(b.bone(kNoBone, {0, 0, 2}), {0, 0, 0}, axis_angle({0, 1, 0}, 90));
  b.bone(owner, {0.3f, 0, 0});
  b.modifier(owner, std::move(data));
  return b;
}

HingeModifier hinge_about_y(Vec4 gravity) {
  return {.gravity = gravity, .axis_constraint_type = 1, .axis_look_at_type = 0};
}

}  // namespace

TEST_CASE("a modifier that sets a value starts from the animation, or from those before it, as its flag says") {
  for (const bool use_modified : {false, true}) {
    RigBuilder b;
    const auto root = b.bone(kNoBone, {0, 0, 0});
    const auto turned = b.bone(root, {0, 0, 0}, axis_angle({0, 0, 1}, 90));
    const auto owner = b.bone(root, {0, 0, 0}, axis_angle({1, 0, 0}, 20));
    b.modifier(owner, RotationPasteModifier{link(turned)});
    b.modifier(owner, RotationExpressionModifier{.linked_bone = link(root), .initial_offset = 0.5f})
        .use_modified_bone_matrix = use_modified;
    const Quat start = use_modified ? axis_angle({0, 0, 1}, 90) : axis_angle({1, 0, 0}, 20);
    CHECK(angle_degrees(solved(b, b.rest())[at(owner)].rotation,
                        start * axis_angle({1, 0, 0}, 0.5f * kDegreesPerRadian)) < 1e-3f);
  }
}

TEST_CASE("a modifier that adds a change works it out where it starts from, and adds it to where the bone is") {
  for (const bool use_modified : {false, true}) {
    RigBuilder b;
    const auto root = b.bone(kNoBone, {0, 0, 0});
    const auto turned = b.bone(root, {0, 0, 0}, axis_angle({1, 0, 0}, 30));
    const auto target = b.bone(root, axis_angle({1, 0, 0}, 50) * Vec3(0, 0, 1));
    const auto owner = b.bone(root, {0, 0, 0});
    b.modifier(owner, RotationPasteModifier{link(turned)});
    b.modifier(owner, HingeVectorModifier{.hinge_targets = {link(target)}}).use_modified_bone_matrix = use_modified;
    // From the animation it is 50 degrees to the target, which come on top of 30; from the paste it is the other 20.
    CHECK(angle_degrees(solved(b, b.rest())[at(owner)].rotation, axis_angle({1, 0, 0}, use_modified ? 50 : 80)) <
          1e-3f);
  }
}

TEST_CASE("two hinges of one bone do not feel each other: in either order each has the angle it has alone") {
  const auto turns = [](std::vector<int> axes) {
    RigBuilder b;
    const auto owner = b.bone(b.bone(kNoBone, {0, 0, 1}), {0, 0.2f, 0}, axis_angle({1, 0, 0}, 160));
    for (const int axis : axes) {
      b.modifier(owner, sword_hinge(axis));
    }
    std::vector<Quat> all;
    for (const auto& pose : run(b.rig, 60, 4, [](double t, auto& p, auto&) { walk(t, p[0]); }))
      all.push_back(glm::conjugate(b.rest()[at(owner)].rotation) * pose[at(owner)].rotation);
    return all;
  };
  const auto x = turns({0}), y = turns({1}), xy = turns({0, 1}), yx = turns({1, 0});
  float most = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    CHECK(angle_degrees(xy[i], x[i] * y[i]) < 1e-3f);
    CHECK(angle_degrees(yx[i], y[i] * x[i]) < 1e-3f);
    most = std::max(most,
                    std::min(angle_degrees(x[i], make_quat(0, 0, 0, 1)), angle_degrees(y[i], make_quat(0, 0, 0, 1))));
  }
  CHECK(most > 2.0f);
}

TEST_CASE("steady wind holds a hinge at the angle of the two forces") {
  HingeModifier hinge = hinge_about_y({0, 0, -40, 0});
  hinge.weight_factor = 0.1f;
  hinge.wind_scale = 0.05f;
  const auto angles =
      angles_about_y(hung_by(hinge), 60, 20, [](double, auto&, Environment& e) { e.wind.velocity = {-8, 0, 0}; });
  CHECK(angles.back() == doctest::Approx(std::atan(60 * 0.05 * 8 / 40)).epsilon(0.001));
}

TEST_CASE("a hinge that is drawn along trails at the angle of its lag and its gravity") {
  HingeModifier hinge = hinge_about_y({0, 0, -40, 0});
  hinge.weight_factor = 0.1f;
  hinge.lag_factor = 0.25f;
  for (const double rate : {30.0, 120.0}) {
    const auto angles = angles_about_y(hung_by(hinge), rate, 20, [](double t, auto& pose, auto&) {
      pose[0].translation.x += static_cast<float>(1.4 * t);
    });
    CHECK(angles.back() == doctest::Approx(std::atan(60 * 0.25 * 1.4 / 40)).epsilon(0.001));
  }
}

TEST_CASE("a hinge's gravity turns with the bone that it is tied to") {
  RigBuilder b;
  const auto root = b.bone(kNoBone, {0, 0, 2});
  const auto leg = b.bone(root, {0, 0, 0});
  const auto owner = b.bone(root, {0, 0, 0}, axis_angle({0, 1, 0}, 90));
  HingeModifier hinge = hinge_about_y({0, 0, -40, 0});
  hinge.weight_factor = 0.1f;
  hinge.gravity_associated_bone = link(leg);
  b.modifier(owner, hinge);
  const auto angles =
      angles_about_y(b, 60, 10, [&](double, auto& pose, auto&) { pose[at(leg)].rotation = axis_angle({0, 1, 0}, 35); });
  CHECK(angles.back() * 180 / std::numbers::pi == doctest::Approx(35).epsilon(0.001));
}

TEST_CASE("a rising hinge loses its weight factor of the speed every sixtieth of a second, whatever the rate") {
  HingeModifier hinge = hinge_about_y({0, 0, -1e-6f, 0});
  hinge.lag_factor = 0.2f;
  hinge.weight_factor = 0.05f;
  for (const double rate : {30.0, 60.0, 240.0}) {
    // One push, and stillness.
    const auto angles = angles_about_y(hung_by(hinge), rate, 1, [&](double t, auto& pose, auto&) {
      pose[0].translation.x += t > 0.01 ? 0.02f : 0.0f;
    });
    const auto speed = [&](double t) {
      const auto i = static_cast<std::size_t>(std::lround(t * rate));
      return angles[i + 1] - angles[i];
    };
    REQUIRE(std::abs(speed(0.2)) > 1e-4);
    CHECK(speed(0.6) / speed(0.2) == doctest::Approx(std::pow(0.95, 60 * 0.4)).epsilon(0.01));
  }
}

TEST_CASE("in its soft zone a hinge loses speed by the share of the zone that is left") {
  HingeModifier hinge = hinge_about_y({0, 0, 0, 0});
  hinge.lag_factor = 0.1f;
  hinge.constraints.resize(1);
  hinge.constraints[0].min_angle = -1.0f;
  hinge.constraints[0].max_angle = 1.0f;
  hinge.constraints[0].delta_min_damping = hinge.constraints[0].delta_max_damping = 0.8f;
  for (const float push : {0.05f, -0.05f}) {
    const auto angles = angles_about_y(hung_by(hinge), 240, 1.5, [&](double t, auto& pose, auto&) {
      pose[0].translation.x += t > 0.002 ? push : 0.0f;
    });
    int inside = 0;
    for (std::size_t i = 2; i + 1 < angles.size(); ++i) {
      const double left = 1 - std::abs(angles[i]), before = angles[i] - angles[i - 1],
                   after = angles[i + 1] - angles[i];
      if (left > 0.8 || std::abs(before) < 1e-4) continue;
      ++inside;
      CHECK(after / before == doctest::Approx(std::pow(left / 0.8, 0.25)).epsilon(0.01));
    }
    CHECK(inside > 10);
    CHECK(std::abs(angles.back()) < 1.0);
  }
}

TEST_CASE("a pendulum's gravity is the world's, or turns with its parent from rest on") {
  for (const bool local : {false, true}) {
    RigBuilder b;
    const auto root = b.bone(kNoBone, {0, 0, 2}, axis_angle({1, 0, 0}, 30));
    const auto owner = b.bone(root, {0, 0, 0}, axis_angle({1, 0, 0}, -30) * axis_angle({0, 1, 0}, 90));
    b.modifier(owner, PendulumModifier{.gravity_axis = local ? 1 : 0, .friction = 4, .length = 0.3f});
    const auto pose =
        run(b.rig, 60, 8, [](double, auto& p, auto&) { p[0].rotation = axis_angle({1, 0, 0}, 80); }).back();
    const Vec3 direction = pose[0].rotation * pose[1].rotation * Vec3(1, 0, 0);
    CHECK(std::atan2(std::hypot(direction.x, direction.y), -direction.z) * kDegreesPerRadian ==
          doctest::Approx(local ? 50.0 : 0.0).epsilon(0.01));
  }
}

TEST_CASE("wind pushes a spring box by its share over its stiffness, and carries one without stiffness along") {
  const auto blown = [](double, auto&, Environment& e) { e.wind.velocity = {0, 3, 0}; };
  const RigBuilder held = hung_by(SpringBoxModifier{.stiffness = 50, .damping = 8, .wind_share = 0.5f});
  CHECK(run(held.rig, 60, 6, blown).back()[1].translation.y == doctest::Approx(0.5 * 3 / 50).epsilon(0.001));
  const RigBuilder loose = hung_by(SpringBoxModifier{.damping = 4, .wind_share = 0.5f});
  for (const double rate : {30.0, 240.0}) {
    // From rest under a constant push: v = (p / c) (1 - e^(-c t)), and its integral.
    const double c = 4, push = 1.5, t = 2;
    CHECK(run(loose.rig, rate, t, blown).back()[1].translation.y ==
          doctest::Approx(push / c * (t - (1 - std::exp(-c * t)) / c)).epsilon(0.001));
    const RigBuilder free = hung_by(SpringBoxModifier{.force = {0, 0.25f, 0, 0}});
    CHECK(run(free.rig, rate, t, {}).back()[1].translation.y == doctest::Approx(0.5 * 0.25 * t * t).epsilon(0.001));
  }
}

TEST_CASE("the random part of a ball joint's wind is a function of time and bone, not of frames or ids") {
  const auto swing = [](const char* bone, double rate, std::uint32_t seed, float random, std::uint64_t id = 1) {
    RigBuilder b = hung_by(BallJointModifier{.constraint_angle = 180,
                                             .mechanical_friction = 3,
                                             .air_friction = 1,
                                             .wind_scale = 0.4f,
                                             .wind_random_factor = random});
    b.rig.modifiers[0].id = id;
    b.rig.skeleton.bones[b.rig.modifiers[0].owner.target].name = bone;
    const auto frames =
        run(b.rig, rate, 4, [](double, auto&, Environment& e) { e.wind.velocity = {6, 0, 0}; }, {.noise_seed = seed});
    std::vector<Quat> each_second;
    for (int i = 1; i <= 8; ++i)
      each_second.push_back(frames[static_cast<std::size_t>(std::lround(i * rate / 2))][1].rotation);
    return each_second;
  };
  const auto most_apart = [](const std::vector<Quat>& a, const std::vector<Quat>& b) {
    float most = 0;
    for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, angle_degrees(a[i], b[i]));
    return most;
  };
  const auto one = swing("Hair", 60, 0, 0.8f);
  CHECK(swing("Hair", 60, 0, 0.8f) == one);
  CHECK(swing("Hair", 60, 0, 0.8f, 2) == one);
  CHECK(most_apart(swing("Hair", 30, 0, 0.8f), one) < 0.5f);
  CHECK(most_apart(swing("Hair", 240, 0, 0.8f), one) < 0.5f);
  CHECK(most_apart(swing("Tail", 60, 0, 0.8f), one) > 1.0f);
  CHECK(most_apart(swing("Hair", 60, 9, 0.8f), one) > 1.0f);
  CHECK(swing("Tail", 60, 9, 0.0f) == swing("Hair", 60, 0, 0.0f));
}

TEST_CASE("a rotation constraint without inertia is an orientation constraint that keeps its offset") {
  const auto frames = [](bool spring) {
    RigBuilder b;
    const auto root = b.bone(kNoBone, {0, 0, 1}, axis_angle({1, 0, 2}, 15));
    const auto goal = b.bone(root, {0.2f, 0, 1}, axis_angle({1, 1, 0}, 70));
    const auto owner = b.bone(root, {0, 1, 0}, axis_angle({0, 2, 1}, -40));
    if (spring) {
      RotationConstraintModifier constraint{.inertia = 0.0f, .damping = 0.7f};
      constraint.constraint_associated_bone = link(goal);
      b.modifier(owner, constraint);
    } else {
      OrientationConstraintModifier constraint;
      constraint.targets = {link(goal)};
      constraint.keep_initial_offset = {true};
      b.modifier(owner, constraint);
    }
    return run(b.rig, 60, 2, [&](double t, auto& pose, auto&) {
      walk(t, pose[0]);
      pose[at(goal)].rotation =
          axis_angle({0, 0, 1}, static_cast<float>(90 * std::sin(3 * t))) * pose[at(goal)].rotation;
    });
  };
  const auto spring = frames(true), constraint = frames(false);
  for (std::size_t i = 0; i < spring.size(); ++i)
    CHECK(angle_degrees(spring[i][2].rotation, constraint[i][2].rotation) < 1e-3f);
  CHECK(angle_degrees(spring[30][2].rotation, spring[0][2].rotation) > 20.0f);
}

TEST_CASE("a ball joint on a bone without a child swings as one of 0.2 m") {
  const auto swing = [](bool with_child) {
    RigBuilder b;
    const auto owner = b.bone(b.bone(kNoBone, {0, 0, 2}), {0, 0, 0}, axis_angle({0, 1, 0}, 50));
    if (with_child) b.bone(owner, {0.2f, 0, 0});
    b.modifier(owner, BallJointModifier{.constraint_angle = 180});
    std::vector<Quat> all;
    for (const auto& pose : run(b.rig, 60, 3, {})) all.push_back(pose[at(owner)].rotation);
    return all;
  };
  const auto childless = swing(false), parent = swing(true);
  for (std::size_t i = 0; i < childless.size(); ++i) CHECK(angle_degrees(childless[i], parent[i]) < 0.01f);
  CHECK(angle_degrees(childless[30], childless[0]) > 5.0f);
}

TEST_CASE("a pendulum that is carried round stands out by its own weight and by the force that is added") {
  // Round an axis at w, a bob at rho needs w^2 rho inward and is given force w^2 rho outward: tan = (1 + force) w^2 rho
  // / g.
  for (const float force : {0.0f, 1.0f, 2.0f}) {
    RigBuilder b;
    const auto root = b.bone(kNoBone, {0, 0, 2});
    const auto owner = b.bone(root, {0.2f, 0, 0}, axis_angle({0, 1, 0}, 90));
    b.modifier(owner, PendulumModifier{.friction = 20, .length = 0.3f, .fake_centrifugal_force = force});
    const double speed = std::numbers::pi;  // a turn in two seconds
    const auto pose = run(b.rig, 120, 8, [&](double t, auto& p, auto&) {
                        p[0].rotation = axis_angle({0, 0, 1}, static_cast<float>(std::fmod(180 * t, 360)));
                      }).back();
    double tilt = 0;
    for (int i = 0; i < 100; ++i)
      tilt = std::atan((1 + static_cast<double>(force)) * speed * speed * (0.2 + 0.3 * std::sin(tilt)) / 9.81);
    const Vec3 direction = pose[at(owner)].rotation * Vec3(1, 0, 0);
    CHECK(std::atan2(direction.x, -direction.z) == doctest::Approx(tilt).epsilon(0.01));
    CHECK(std::abs(direction.y) < 0.02f);  // outward is where the bob was a frame before
  }
}

TEST_CASE("wind that is not made of numbers is refused") {
  const Specimen s = specimen(ModifierType::BallJoint);
  const auto compiled = CompiledRig::compile(s.builder.rig);
  State state(*compiled);
  auto pose = s.builder.rest();
  EvaluateJob job{.rig = &*compiled, .state = &state, .delta_seconds = 1.0 / 60, .input = pose, .output = pose};
  CHECK(job.validate());
  for (float Wind::* member : {&Wind::gust_share, &Wind::gusts_per_second})
    for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
      job.environment.wind = {.velocity = {1, 0, 0}};
      job.environment.wind.*member = bad;
      CHECK_FALSE(job.validate());
    }
}
