// SPDX-License-Identifier: MIT
// Laws of the modifiers that have a memory: periods, energy, settling, equilibria.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "motion/compiled_rig_data.h"
#include "support/motion_rig.h"

using namespace marrow;
using namespace marrow::motion;
using namespace marrow::motion::support;

namespace {

// A bone of a given length that rests pointing down, tilted by some degrees, below a still root.
struct Hanging {
  RigBuilder builder;
  std::int32_t owner;

  Hanging(ModifierData data, float length, float tilt_degrees) {
    const auto root = builder.bone(kNoBone, {0, 0, 2});
    // X down, then tilted about Y.
    owner = builder.bone(root, {0, 0, 0}, axis_angle({0, 1, 0}, 90.0f + tilt_degrees));
    builder.bone(owner, {length, 0, 0});
    builder.modifier(owner, std::move(data));
  }
  // Direction of the bone in the world, by frame.
  std::vector<glm::dvec3> directions(double rate, double seconds, const Drive& drive = {},
                                     const Settings& settings = {}) const {
    std::vector<glm::dvec3> all;
    for (const auto& pose : run(builder.rig, rate, seconds, drive, settings)) {
      const Quat q = pose[0].rotation * pose[static_cast<std::size_t>(owner)].rotation;
      all.push_back(glm::normalize(glm::dquat(q.w, q.x, q.y, q.z)) * glm::dvec3(1, 0, 0));
    }
    return all;
  }
};

// Mean time between rising passages of x through 0.
double period_of(const std::vector<glm::dvec3>& directions, double rate) {
  double first = -1, last = 0;
  int count = 0;
  for (std::size_t i = 1; i < directions.size(); ++i) {
    const double a = directions[i - 1].x, b = directions[i].x;
    if (!(a < 0 && b >= 0)) continue;
    last = (static_cast<double>(i - 1) + a / (a - b)) / rate;
    if (first < 0)
      first = last;
    else
      ++count;
  }
  REQUIRE(count > 2);
  return (last - first) / count;
}

double tilt_degrees(const glm::dvec3& d) { return std::atan2(std::hypot(d.x, d.y), -d.z) * 180.0 / kPi; }

}  // namespace

TEST_CASE("small swings of a ball joint have the period of its mass and length") {
  for (const auto& [mass, length] : {std::pair(1.0f, 0.3f), std::pair(2.5f, 0.2f), std::pair(0.3f, 0.5f)}) {
    const Hanging h(BallJointModifier{.mass = mass, .constraint_angle = 180}, length, 5);
    const double expected = 2 * kPi * std::sqrt(mass * length / kGravity);
    CHECK(period_of(h.directions(120, 12), 120) == doctest::Approx(expected).epsilon(0.01));
  }
}

TEST_CASE("small swings of a pendulum have the period of its length, mass and gravity") {
  for (const auto& [mass, length, scale] : {std::tuple(1.0f, 0.5f, 1.0f), std::tuple(1.5f, 0.25f, 2.0f)}) {
    const Hanging h(PendulumModifier{.gravity_scale = scale, .mass = mass, .length = length}, 0.1f, 4);
    const double expected = 2 * kPi * std::sqrt(mass * length / (scale * kGravity));
    CHECK(period_of(h.directions(120, 12), 120) == doctest::Approx(expected).epsilon(0.005));
  }
}

TEST_CASE("small swings of a hinge have the period of its gravity") {
  HingeModifier hinge{.gravity = {0, 0, -30, 0}, .axis_constraint_type = 1, .axis_look_at_type = 0};
  const Hanging h(hinge, 0.3f, 4);
  CHECK(period_of(h.directions(120, 12), 120) == doctest::Approx(2 * kPi / std::sqrt(30.0)).epsilon(0.01));
}

TEST_CASE("a spring box swings with the period of its stiffness, and loses to damping what it should") {
  RigBuilder b;
  const auto root = b.bone(kNoBone, {0, 0, 0});
  const auto owner = b.bone(root, {1, 0, 0});
  b.modifier(owner, SpringBoxModifier{.stiffness = 100, .damping = 1});
  // A kick by one short step of the root, then stillness.
  const auto frames =
      run(b.rig, 240, 6, [](double t, auto& pose, auto&) { pose[0].translation.x = t > 0.02 ? 0.1f : 0.0f; });
  double first_peak = 0, peak_time = 0, later_peak = 0, later_time = 0;
  const double expected = 2 * kPi / std::sqrt(100 - 0.25);
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const double t = static_cast<double>(i) / 240, x = 1.0 - frames[i][static_cast<std::size_t>(owner)].translation.x;
    if (t < expected && x > first_peak) first_peak = x, peak_time = t;
    if (t > 4.5 * expected && t < 5.5 * expected && x > later_peak) later_peak = x, later_time = t;
  }
  CHECK((later_time - peak_time) / 5 == doctest::Approx(expected).epsilon(0.01));
  CHECK(later_peak / first_peak == doctest::Approx(std::exp(-0.5 * 5 * expected)).epsilon(0.02));
}

TEST_CASE("without friction a swing keeps its energy: no step gains, a minute drifts by little") {
  const double length = 1.0;
  const Hanging h(BallJointModifier{.constraint_angle = 180}, static_cast<float>(length), 60);
  const auto compiled = CompiledRig::compile(h.builder.rig);
  State state(*compiled);
  const auto pose = h.builder.rest();
  auto out = pose;
  // Energy from what the state itself remembers: after the header and the anchor come direction and spin.
  const auto energy = [&] {
    const auto v = state.values().subspan(kStateHeader + kStateDoubles<AnchorState>);
    const double speed2 = v[3] * v[3] + v[4] * v[4] + v[5] * v[5];
    return 0.5 * length * length * speed2 + kGravity * length * v[2];
  };
  const auto step = [&](double dt) {
    const EvaluateJob job{.rig = &*compiled, .state = &state, .delta_seconds = dt, .input = pose, .output = out};
    job.run();
  };
  step(0.0);
  const double start = energy(), span = kGravity * length * (1 - std::cos(60 * kPi / 180));
  double before = start, most = 0, worst_rise = 0;
  for (int i = 0; i < 60 * 240; ++i) {
    step(1.0 / 240);
    const double now = energy();
    worst_rise = std::max(worst_rise, now - before);
    most = std::max(most, std::abs(now - start));
    before = now;
  }
  MESSAGE("largest rise in a step " << worst_rise / span << " of the span, largest drift in a minute " << most / span);
  CHECK(worst_rise / span < 1e-6);
  CHECK(most / span < 5e-5);
}

TEST_CASE("with friction energy never rises") {
  const double length = 1.0;
  for (const float friction : {0.25f, 1.0f, 5.0f}) {
    const Hanging h(BallJointModifier{.constraint_angle = 180, .mechanical_friction = friction}, 1.0f, 60);
    const auto compiled = CompiledRig::compile(h.builder.rig);
    State state(*compiled);
    const auto pose = h.builder.rest();
    auto out = pose;
    const double span = kGravity * length * 0.5;
    double before = 1e9, worst_rise = -1e9;
    for (int i = 0; i < 20 * 240; ++i) {
      const EvaluateJob job{
          .rig = &*compiled, .state = &state, .delta_seconds = i == 0 ? 0.0 : 1.0 / 240, .input = pose, .output = out};
      job.run();
      const auto v = state.values().subspan(kStateHeader + kStateDoubles<AnchorState>);
      const double now = 0.5 * length * length * (v[3] * v[3] + v[4] * v[4] + v[5] * v[5]) + kGravity * length * v[2];
      if (i > 0) worst_rise = std::max(worst_rise, (now - before) / span);
      before = now;
    }
    CHECK(worst_rise <= 1e-7);
  }
}

TEST_CASE("with friction the swing settles to its equilibrium") {
  for (const float friction : {0.25f, 1.0f, 5.0f}) {
    const Hanging h(
        BallJointModifier{.constraint_angle = 180, .mechanical_friction = friction, .air_friction = friction}, 0.3f,
        60);
    const auto directions = h.directions(60, friction < 1 ? 60 : 20);
    CHECK(tilt_degrees(directions.back()) < 0.1);
  }
  const Hanging pendulum(PendulumModifier{.friction = 2, .length = 0.3f}, 0.3f, 60);
  CHECK(tilt_degrees(pendulum.directions(60, 10).back()) < 0.1);
  HingeModifier hinge{
      .weight_factor = 0.2f, .gravity = {0, 0, -65, 0}, .axis_constraint_type = 1, .axis_look_at_type = 0};
  CHECK(tilt_degrees(Hanging(hinge, 0.3f, 40).directions(60, 10).back()) < 0.1);
}

TEST_CASE("steady wind holds a ball joint at the angle of the two forces") {
  const float mass = 0.5f, scale = 0.4f;
  const Hanging h(
      BallJointModifier{.mass = mass, .constraint_angle = 180, .mechanical_friction = 3, .wind_scale = scale}, 0.3f, 0);
  const auto directions = h.directions(60, 20, [](double, auto&, Environment& e) { e.wind.velocity = {5, 0, 0}; });
  const double expected = std::atan(scale * 5 / (mass * kGravity)) * 180 / kPi;
  CHECK(tilt_degrees(directions.back()) == doctest::Approx(expected).epsilon(0.002));
}

TEST_CASE("a spring box rests where its force is in balance") {
  RigBuilder b;
  const auto owner = b.bone(b.bone(kNoBone, {0, 0, 0}), {1, 0, 0});
  b.modifier(owner, SpringBoxModifier{.stiffness = 50, .damping = 8, .force = {0, 0, -2, 0}});
  CHECK(run(b.rig, 60, 5, {}).back()[static_cast<std::size_t>(owner)].translation.z == doctest::Approx(-0.04));
}

TEST_CASE("a hinge without lag does not feel its anchor move") {
  HingeModifier hinge{.lag_factor = 0,
                      .weight_factor = 0.3f,
                      .gravity = {0, 0, -65, 0},
                      .axis_constraint_type = 1,
                      .axis_look_at_type = 0};
  const Hanging h(hinge, 0.3f, 0);
  const auto directions = h.directions(
      60, 3, [](double t, auto& pose, auto&) { pose[0].translation.x += static_cast<float>(0.3 * std::sin(9 * t)); });
  for (const auto& d : directions) CHECK(tilt_degrees(d) < 1e-3);
}

TEST_CASE("a rotation constraint goes to its equilibrium, without overshoot when damped enough") {
  const auto turned = [](float damping) {
    RigBuilder b;
    const auto owner = b.bone(b.bone(kNoBone, {0, 0, 0}), {0, 1, 0});
    // X x Gravity is along Y: 50 rad/s2 turn the equilibrium of 10 rad/s by half a radian.
    b.modifier(owner, RotationConstraintModifier{.inertia = 0.1f, .damping = damping, .gravity = {0, 0, -50, 0}});
    std::vector<float> angles;
    for (const auto& pose : run(b.rig, 60, 6, {})) {
      const Quat& q = pose[static_cast<std::size_t>(owner)].rotation;
      angles.push_back(2 * std::atan2(q.y, q.w));
    }
    return angles;
  };
  for (const float damping : {1.0f, 1.5f, 4.0f}) {
    const auto angles = turned(damping);
    CHECK(*std::max_element(angles.begin(), angles.end()) < 0.500001f);
    CHECK(angles.back() == doctest::Approx(0.5).epsilon(0.01));
  }
  // A damped swing overshoots a step by e^(-pi zeta / sqrt(1 - zeta^2)).
  const auto loose = turned(0.2f);
  const double overshoot = std::exp(-kPi * 0.2 / std::sqrt(1 - 0.04));
  CHECK(*std::max_element(loose.begin(), loose.end()) == doctest::Approx(0.5 * (1 + overshoot)).epsilon(0.01));
}

TEST_CASE("a rotation constraint that is damped enough never runs past its goal, however the goal moves") {
  const auto most = [](float damping, float inertia, double rate, auto&& goal_degrees) {
    RigBuilder b;
    const auto root = b.bone(kNoBone, {0, 0, 0});
    const auto goal = b.bone(root, {1, 0, 0}), owner = b.bone(root, {0, 1, 0});
    b.modifier(owner, RotationConstraintModifier{
                          .inertia = inertia, .damping = damping, .constraint_associated_bone = link(goal)});
    double far = 0, last = 0;
    for (const auto& pose : run(b.rig, rate, 4, [&](double t, auto& p, auto&) {
           p[at(goal)].rotation = axis_angle({0, 0, 1}, static_cast<float>(goal_degrees(t)));
         })) {
      const Quat& q = pose[at(owner)].rotation;
      last = static_cast<double>(2 * std::atan2(q.z, q.w) * kDegreesPerRadian);
      far = std::max(far, last);
    }
    return std::pair(far, last);
  };
  const auto jump = [](double t) { return t > 0.5 ? 90.0 : 0.0; };
  const auto ramp = [](double t) { return std::clamp((t - 0.5) * 180, 0.0, 90.0); };
  const auto ease = [](double t) { return 45 - 45 * std::cos(kPi * std::clamp((t - 0.5) / 0.3, 0.0, 1.0)); };
  for (const double rate : {24.0, 30.0, 60.0, 240.0})
    for (const float inertia : {0.005f, 0.02f, 0.1f, 0.3f})
      for (const float damping : {1.0f, 1.5f, 4.0f}) {
        CAPTURE(rate);
        CAPTURE(inertia);
        CAPTURE(damping);
        CHECK(most(damping, inertia, rate, jump).first < 90.001);
        CHECK(most(damping, inertia, rate, ramp).first < 90.001);
        CHECK(most(damping, inertia, rate, ease).first < 90.001);
      }
  CHECK(most(1, 0.1f, 60, jump).second == doctest::Approx(90).epsilon(1e-4));
  // Damped less, it runs past a jump as every such spring does, by the same share as under a force.
  CHECK(most(0.2f, 0.1f, 240, jump).first ==
        doctest::Approx(90 * (1 + std::exp(-kPi * 0.2 / std::sqrt(1 - 0.04)))).epsilon(0.01));
}

TEST_CASE("a rotation constraint without inertia is where its bone is") {
  RigBuilder b;
  const auto root = b.bone(kNoBone, {0, 0, 0});
  const auto goal = b.bone(root, {0, 0, 1}, axis_angle({1, 0, 0}, 30));
  const auto owner = b.bone(root, {0, 1, 0});
  RotationConstraintModifier constraint;
  constraint.constraint_associated_bone = link(goal);
  b.modifier(owner, constraint);
  const auto frames = run(b.rig, 60, 1, [&](double t, auto& pose, auto&) {
    pose[static_cast<std::size_t>(goal)].rotation =
        axis_angle({0, 0, 1}, static_cast<float>(70 * t)) * pose[static_cast<std::size_t>(goal)].rotation;
  });
  CHECK(angle_degrees(frames.back()[static_cast<std::size_t>(owner)].rotation, axis_angle({0, 0, 1}, 70)) < 1e-3f);
}

TEST_CASE("the sword's two hinges stay in both ranges and do not disturb each other") {
  const auto angles = [](bool first, bool second) {
    RigBuilder b;
    const auto owner = b.bone(b.bone(kNoBone, {0, 0, 1}), {0, 0.2f, 0}, axis_angle({1, 0, 0}, 160));
    for (int axis = 0; axis < 2; ++axis) {
      if (!(axis == 0 ? first : second)) continue;
      b.modifier(owner, sword_hinge(axis));
    }
    std::vector<Quat> all;
    for (const auto& pose : run(b.rig, 60, 4, [](double t, auto& p, auto&) {
           p[0].translation.x += static_cast<float>(0.3 * std::sin(9 * t));
           p[0].translation.y += static_cast<float>(0.2 * std::sin(7 * t));
         }))
      all.push_back(glm::conjugate(b.rest()[static_cast<std::size_t>(owner)].rotation) *
                    pose[static_cast<std::size_t>(owner)].rotation);
    return all;
  };
  const auto both = angles(true, true), x = angles(true, false), y = angles(false, true);
  float most_x = 0, most_y = 0;
  for (std::size_t i = 0; i < both.size(); ++i) {
    const float about_x = 2 * std::atan2(x[i].x, x[i].w), about_y = 2 * std::atan2(y[i].y, y[i].w);
    CHECK(std::abs(about_x) <= 0.7853982f + 1e-6f);
    CHECK(about_y >= -1e-6f);
    CHECK(about_y <= 0.1745329f + 1e-6f);
    most_x = std::max(most_x, std::abs(about_x));
    most_y = std::max(most_y, about_y);
    // Neither starts from the other's result: together they are one after the other.
    CHECK(angle_degrees(both[i], x[i] * y[i]) < 1e-3f);
  }
  CHECK(most_x > 0.1f);
  CHECK(most_y > 0.05f);
}

TEST_CASE("hinge limits follow the bone they are tied to") {
  RigBuilder b;
  const auto root = b.bone(kNoBone, {0, 0, 1});
  const auto leg = b.bone(root, {0, 0, 0});
  const auto owner = b.bone(root, {0, 0, 0}, axis_angle({0, 1, 0}, 90));
  HingeModifier hinge{.gravity = {0, 0, -65, 0}, .axis_constraint_type = 1, .axis_look_at_type = 0};
  hinge.constraints.resize(1);
  hinge.constraints[0].constraint_associated_bone = link(leg);
  b.modifier(owner, hinge);  // a range of nothing: it goes where the leg goes
  const auto frames = run(b.rig, 60, 1, [&](double t, auto& pose, auto&) {
    pose[static_cast<std::size_t>(leg)].rotation = axis_angle({0, 1, 0}, static_cast<float>(40 * t));
  });
  CHECK(angle_degrees(frames.back()[static_cast<std::size_t>(owner)].rotation, axis_angle({0, 1, 0}, 130)) < 1e-2f);
}

TEST_CASE("a turning parent throws a pendulum outward by its fake centrifugal force") {
  PendulumModifier pendulum{.friction = 2, .air_friction = 1, .length = 0.3f};
  const auto tilt = [&](float force) {
    pendulum.fake_centrifugal_force = force;
    RigBuilder b;
    const auto root = b.bone(kNoBone, {0, 0, 2});
    const auto owner = b.bone(root, {0.2f, 0, 0}, axis_angle({0, 1, 0}, 90));
    b.modifier(owner, pendulum);
    const auto pose = run(b.rig, 60, 6, [](double t, auto& p, auto&) {
                        p[0].rotation = axis_angle({0, 0, 1}, static_cast<float>(std::fmod(180 * t, 360)));
                      }).back();
    const Quat q = pose[0].rotation * pose[1].rotation;
    return tilt_degrees(glm::dquat(q.w, q.x, q.y, q.z) * glm::dvec3(1, 0, 0));
  };
  CHECK(tilt(3.0f) > tilt(0.0f) + 5.0);
}

TEST_CASE("own gravity turns with the parent, the world's does not") {
  for (const bool own : {false, true}) {
    RigBuilder b;
    const auto root = b.bone(kNoBone, {0, 0, 2});
    const auto owner = b.bone(root, {0, 0, 0}, axis_angle({0, 1, 0}, 90));
    b.modifier(owner,
               BallJointModifier{.constraint_angle = 180, .mechanical_friction = 4, .gravity_mode = own ? 1 : 0});
    const auto pose =
        run(b.rig, 60, 8, [](double, auto& p, auto&) { p[0].rotation = axis_angle({1, 0, 0}, 50); }).back();
    const Quat q = pose[0].rotation * pose[1].rotation;
    const double tilt = tilt_degrees(glm::dquat(q.w, q.x, q.y, q.z) * glm::dvec3(1, 0, 0));
    CHECK(tilt == doctest::Approx(own ? 50.0 : 0.0).epsilon(0.01));
  }
}

TEST_CASE("balls of ball joints keep their distance") {
  RigBuilder b;
  const auto root = b.bone(kNoBone, {0, 0, 2});
  std::vector<std::int32_t> owners;
  for (const float y : {-0.06f, 0.06f}) {
    const auto owner = b.bone(root, {0, y, 0}, axis_angle({0, 1, 0}, 90));
    b.bone(owner, {0.3f, 0, 0});
    b.modifier(owner,
               BallJointModifier{
                   .collision_radius = 0.05f, .constraint_angle = 80, .mechanical_friction = 1, .wind_scale = 1});
    owners.push_back(owner);
  }
  const auto nearest = [&](bool collide) {
    const auto compiled = CompiledRig::compile(b.rig, {.self_collision = collide});
    State state(*compiled);
    double least = 1;
    for (int i = 0; i <= 240; ++i) {
      const auto pose = b.rest();
      auto out = pose;
      // One is blown at the other.
      EvaluateJob job{
          .rig = &*compiled, .state = &state, .delta_seconds = i == 0 ? 0 : 1.0 / 60, .input = pose, .output = out};
      job.environment.wind = {.velocity = {0, 0, 0}};
      const double push = std::sin(i / 20.0);
      job.environment.gravity = {0, static_cast<float>(6 * push), -9.81f};
      // Only the first feels the sideways pull fully: their phases differ by their mass.
      job.run();
      glm::vec3 tips[2];
      for (int k = 0; k < 2; ++k) {
        const Transform& t = out[static_cast<std::size_t>(owners[static_cast<std::size_t>(k)])];
        tips[k] = t.translation + t.rotation * Vec3(0.3f, 0, 0);
      }
      least = std::min<double>(least, glm::length(tips[0] - tips[1]));
    }
    return least;
  };
  std::get<BallJointModifier>(b.rig.modifiers[1].data).mass = 3.0f;
  CHECK(nearest(false) < 0.09);
  CHECK(nearest(true) >= 0.0999);
}
