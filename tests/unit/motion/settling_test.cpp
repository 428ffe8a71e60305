// SPDX-License-Identifier: MIT
// What motion comes to in the end, and what it never does on the way: rest, energy, long steps, stiff springs.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "motion/compiled_rig_data.h"
#include "support/any_rig.h"
#include "support/motion_rig.h"

using namespace marrow;
using namespace marrow::motion;
using namespace marrow::motion::support;

namespace {

// A rod that rests tilted from hanging straight down, and stays where it is.
RigBuilder rod(ModifierData data, float length, float tilt_degrees) {
  RigBuilder b;
  const auto root = b.bone(kNoBone, {0, 0, 2});
  const auto owner = b.bone(root, {0, 0, 0}, axis_angle({0, 1, 0}, 90.0f + tilt_degrees));
  b.bone(owner, {length, 0, 0});
  b.modifier(owner, std::move(data));
  return b;
}

double radians(double degrees) { return degrees * std::numbers::pi / 180; }

// The largest rise of energy from one frame to the next, as a share of what the rod has to lose.
double largest_rise(ModifierData data, float length, float tilt, double frames_per_second) {
  const RigBuilder b = rod(std::move(data), length, tilt);
  const auto compiled = CompiledRig::compile(b.rig);
  State state(*compiled);
  const auto pose = b.rest();
  auto out = pose;
  const double l = static_cast<double>(length), span = kGravity * l * (1 - std::cos(radians(tilt)));
  double before = 0, rise = -1;
  for (int i = 0; i <= 20 * frames_per_second; ++i) {
    const EvaluateJob job{.rig = &*compiled,
                          .state = &state,
                          .delta_seconds = i == 0 ? 0.0 : 1.0 / frames_per_second,
                          .input = pose,
                          .output = out};
    job.run();
    // What the state itself remembers: poses are floats.
    const auto swing = load_state<SwingState>(state.values().data() + kStateHeader + kStateDoubles<AnchorState>);
    const double energy = 0.5 * l * l * glm::dot(swing.spin, swing.spin) + kGravity * l * swing.direction.z;
    if (i > 0) rise = std::max(rise, (energy - before) / span);
    before = energy;
  }
  return rise;
}

// Shaken for a second and then left alone: the poses after ten more.
std::vector<Transform> ten_seconds_later(const RigBuilder& b, double rate) {
  const auto drive = [](double t, std::vector<Transform>& pose, Environment&) {
    if (t >= 1) return;
    const auto sway = static_cast<float>(std::sin(2 * std::numbers::pi * 2 * t) * 0.1);
    pose[0].translation += Vec3(sway, 0.5f * sway, 0.2f * sway);
    pose[0].rotation = axis_angle({0, 0, 1}, 200.0f * sway) * pose[0].rotation;
  };
  return run(b.rig, rate, 11, drive).back();
}

double turned_degrees(const RigBuilder& b, const std::vector<Transform>& pose, const Quat& expected) {
  return static_cast<double>(angle_degrees(pose[1].rotation, b.rest()[1].rotation * expected));
}

}  // namespace

TEST_CASE("with friction the energy of a swing never rises from frame to frame") {
  // Kick, drift, kick goes round the true energy by a share of (h / period)^2 within a step; friction takes more than
  // that in a frame, but in the one step about a turning point, where nothing moves, there is none to take it. What is
  // left there falls with the square of the step: for a rod of a metre it is nothing, for one of 5 cm a millionth.
  for (const float friction : {0.25f, 1.0f, 5.0f, 40.0f})
    for (const float tilt : {5.0f, 60.0f, 175.0f})
      for (const float length : {0.05f, 0.3f, 1.0f}) {
        CAPTURE(friction);
        CAPTURE(tilt);
        CAPTURE(length);
        const BallJointModifier socket{.constraint_angle = 180, .mechanical_friction = friction};
        const BallJointModifier air{.constraint_angle = 180, .air_friction = friction};
        const PendulumModifier pendulum{.friction = friction, .length = length};
        for (const ModifierData& data : {ModifierData(socket), ModifierData(air), ModifierData(pendulum)}) {
          CHECK(largest_rise(data, length, tilt, 60) < 1e-12);
          CHECK(largest_rise(data, length, tilt, 24) < 1e-12);
          CHECK(largest_rise(data, length, tilt, 240) < (length < 0.1f ? 2e-6 : length < 0.5f ? 1e-8 : 1e-10));
        }
      }
}

TEST_CASE("what hangs with friction is at rest within 0.1 degrees after ten seconds") {
  for (const double rate : {24.0, 60.0, 240.0}) {
    CAPTURE(rate);
    for (const auto& [socket, air] : {std::pair(1.5f, 0.25f), std::pair(0.0f, 2.0f), std::pair(20.0f, 0.0f)}) {
      const RigBuilder joint =
          rod(BallJointModifier{.constraint_angle = 180, .mechanical_friction = socket, .air_friction = air}, 0.3f, 60);
      CHECK(turned_degrees(joint, ten_seconds_later(joint, rate), axis_angle({0, 1, 0}, -60)) < 0.1);
      const RigBuilder pendulum =
          rod(PendulumModifier{.friction = socket, .air_friction = air, .length = 0.4f}, 0.3f, 60);
      CHECK(turned_degrees(pendulum, ten_seconds_later(pendulum, rate), axis_angle({0, 1, 0}, -60)) < 0.1);
    }
    const RigBuilder hinge = rod(HingeModifier{.lag_factor = 0.4f,
                                               .weight_factor = 0.1f,
                                               .gravity = {0, 0, -65, 0},
                                               .axis_constraint_type = 1,
                                               .axis_look_at_type = 0},
                                 0.3f, 40);
    CHECK(turned_degrees(hinge, ten_seconds_later(hinge, rate), axis_angle({0, 1, 0}, -40)) < 0.1);
  }
}

TEST_CASE("what hangs against its limit comes to rest there") {
  for (const double rate : {24.0, 60.0, 240.0}) {
    CAPTURE(rate);
    const RigBuilder joint =
        rod(BallJointModifier{.constraint_angle = 20, .mechanical_friction = 1.5f, .air_friction = 0.25f}, 0.3f, 60);
    CHECK(turned_degrees(joint, ten_seconds_later(joint, rate), axis_angle({0, 1, 0}, -20)) < 0.1);
    HingeModifier modifier{.lag_factor = 0.4f,
                           .weight_factor = 0.1f,
                           .gravity = {0, 0, -65, 0},
                           .axis_constraint_type = 1,
                           .axis_look_at_type = 0};
    modifier.constraints.resize(1);
    modifier.constraints[0].min_angle = -0.3f;
    modifier.constraints[0].max_angle = 0.5f;
    const RigBuilder hinge = rod(modifier, 0.3f, 60);
    CHECK(turned_degrees(hinge, ten_seconds_later(hinge, rate), axis_angle({0, 1, 0}, -17.188734f)) < 0.1);
  }
}

TEST_CASE("springs come to rest where their forces are in balance") {
  for (const double rate : {24.0, 60.0, 240.0}) {
    CAPTURE(rate);
    const RigBuilder box = rod(SpringBoxModifier{.stiffness = 50, .damping = 4, .force = {1, 0, -2, 0}}, 0.3f, 0);
    CHECK(glm::length(ten_seconds_later(box, rate)[1].translation - Vec3(0.02f, 0, -0.04f)) < 1e-5f);
    // The rest direction X is straight down: there a pull along Y turns by 20 / 144 rad about -X x Y.
    const RigBuilder spring =
        rod(RotationConstraintModifier{.inertia = 1.0f / 12.0f, .damping = 0.4f, .gravity = {0, 20, 0, 0}}, 0.3f, 0);
    const auto turned = static_cast<float>(20.0 / 144 * 180 / std::numbers::pi);
    CHECK(turned_degrees(spring, ten_seconds_later(spring, rate), axis_angle({0, 0, 1}, turned)) < 0.1);
  }
}

TEST_CASE("a rotation constraint swings with the period of its inertia and damping") {
  const RigBuilder b =
      rod(RotationConstraintModifier{.inertia = 0.1f, .damping = 0.1f, .gravity = {0, 20, 0, 0}}, 0.3f, 0);
  for (const double rate : {30.0, 120.0}) {
    const auto frames = run(b.rig, rate, 8, {});
    double first = -1, last = 0, before = 0;
    int count = 0;
    for (std::size_t i = 0; i < frames.size(); ++i) {
      const Quat q = glm::conjugate(b.rest()[1].rotation) * frames[i][1].rotation;
      const double now = 2 * std::atan2(static_cast<double>(q.z), static_cast<double>(q.w)) - 0.2;
      if (i > 0 && before < 0 && now >= 0) {
        last = (static_cast<double>(i - 1) + before / (before - now)) / rate;
        if (first < 0)
          first = last;
        else
          ++count;
      }
      before = now;
    }
    REQUIRE(count > 3);
    CHECK((last - first) / count ==
          doctest::Approx(2 * std::numbers::pi * 0.1 / std::sqrt(1 - 0.1 * 0.1)).epsilon(0.01));
  }
}

TEST_CASE("the stiffest of springs and the longest of steps stay finite, and the spring within its swing") {
  // By default frames longer than a tenth of a second only reset: here they are computed.
  const Settings patient{.reset_seconds = 10, .reset_distance = 1e9};
  for (const float stiffness : {0.0f, 1.0f, 1e3f, 1e6f})
    for (const float damping : {0.0f, 1.0f, 1e3f, 1e6f})
      for (const double dt : {1.0, 0.5, 0.11, 1.0 / 60, 1e-6}) {
        CAPTURE(stiffness);
        CAPTURE(damping);
        CAPTURE(dt);
        const RigBuilder b = rod(SpringBoxModifier{.stiffness = stiffness, .damping = damping}, 0.3f, 0);
        const auto compiled = CompiledRig::compile(b.rig, patient);
        State state(*compiled);
        auto pose = b.rest(), out = pose;
        const auto frame = [&](double seconds) {
          const EvaluateJob job{
              .rig = &*compiled, .state = &state, .delta_seconds = seconds, .input = pose, .output = out};
          job.run();
        };
        frame(0.0);
        // A step aside in a sixtieth of a second, and back to standing still: 6 m/s to swing off.
        pose[0].translation.x += 0.1f;
        frame(1.0 / 60);
        double most = 0;
        for (int i = 0; i < 50; ++i) {
          frame(dt);
          most = std::max(most, static_cast<double>(glm::length(out[1].translation)));
        }
        CHECK(std::isfinite(most));
        if (stiffness > 0) CHECK(most <= 0.1 + 12.0 / std::sqrt(stiffness) + 1e-5);
      }
}

TEST_CASE("steps of up to a second leave every type finite and inside its limits") {
  const Settings patient{.reset_seconds = 10, .reset_distance = 1e9, .self_collision = true};
  for (const ModifierType type : moving_types()) {
    CAPTURE(class_name(type));
    for (std::uint32_t seed = 0; seed < 200; ++seed) {
      Specimen s = specimen(type);
      s.builder.rig.modifiers[0].data = any_modifier(chooser(seed), type, 6, Values::Extreme).data;
      const auto compiled = CompiledRig::compile(s.builder.rig, patient);
      if (!compiled) continue;
      State state(*compiled);
      AnyRun run(s.builder.rig, chooser(seed + 1));
      bool sound = true;
      for (int i = 0; i < 30; ++i) {
        run.next();
        run.weights[0] = 1.0f;
        run.seconds = i % 3 == 0 ? 1.0 : 0.3 * i;
        run.seconds = std::min(run.seconds, 1.0);
        sound &= all_finite(evaluate(*compiled, state, run));
      }
      REQUIRE(sound);
    }
  }
}

TEST_CASE("a spring box under a parent that is scaled to nothing leaves a state that can be saved") {
  const RigBuilder b = rod(SpringBoxModifier{.stiffness = 50, .damping = 1, .force = {1, 2, 3, 0}}, 0.3f, 0);
  const auto compiled = CompiledRig::compile(b.rig);
  State state(*compiled);
  auto pose = b.rest(), out = pose;
  for (int i = 0; i < 30; ++i) {
    pose[0].scale = i % 3 == 1 ? Vec3(1, 0, 1) : Vec3(1, 1, 1);
    pose[0].translation.x = 0.01f * static_cast<float>(i);
    const EvaluateJob job{
        .rig = &*compiled, .state = &state, .delta_seconds = i % 5 == 0 ? 0.0 : 1.0 / 60, .input = pose, .output = out};
    job.run();
    CHECK(all_finite(out));
    CHECK(State(*compiled).restore(state.save()));
  }
}
