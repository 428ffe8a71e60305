// SPDX-License-Identifier: MIT
// The laws of docs/modifiers, integrated a second time without a line of the solvers: classical Runge-Kutta in steps of
// 1/9600 s, with limits as projections after each step.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>
#include <numbers>

#include "support/motion_rig.h"

using namespace marrow;
using namespace marrow::motion;
using namespace marrow::motion::support;

namespace {

using V3 = glm::dvec3;
using Q4 = glm::dquat;

constexpr double kStep = 1.0 / 9600.0;
constexpr double kDegrees = 180.0 / std::numbers::pi;
constexpr std::array<double, 6> kFrameRates = {24, 30, 60, 120, 240, 480};

V3 rotation_vector(const V3& v) {  // of the least rotation from X to v
  const double sine = std::hypot(v.y, v.z), angle = std::atan2(sine, v.x);
  return sine < 1e-15 ? V3(0) : V3(0, -v.z, v.y) * (angle / sine);
}
V3 turned_x(const V3& r) {
  const double angle = glm::length(r);
  return angle < 1e-15 ? V3(1, 0, 0) : glm::angleAxis(angle, r / angle) * V3(1, 0, 0);
}
Q4 least_turn(const V3& v) { return glm::normalize(Q4(1.0 + v.x, 0.0, -v.z, v.y)); }

// One ball joint of a chain. Lengths in metres, angles in radians.
struct Joint {
  double length = 0.2, mass = 1.0, air = 0.0, socket = 0.0, angle = std::numbers::pi, scale_y = 1.0, scale_z = 1.0;
  Q4 rest = Q4(1, 0, 0, 0);  // in the frame of the bone above
};

struct JointState {
  V3 d{1, 0, 0}, q{0};  // q = w + d x V / L stays as it is when the anchor's velocity V jumps
};

// Where a root is, and how fast.
struct Path {
  V3 position, velocity;
};
using PathOf = Path (*)(double);

struct Chain {
  std::vector<Joint> joints;
  PathOf path;
  V3 gravity{0, 0, -9.81};

  struct Frame {
    V3 velocity, spin;  // of the anchor and the socket
    Q4 rotation;        // of the input
  };
  static V3 spin_of(const Joint& joint, const JointState& s, const V3& velocity) {
    const V3 w = s.q - glm::cross(s.d, velocity) / joint.length;
    return w - s.d * glm::dot(s.d, w);
  }
  // Calls `use(i, frame, w)` from the root to the tip; `use` may change the state.
  template <class Use>
  void walk(double time, std::vector<JointState>& state, const Use& use) const {
    Frame frame{path(time).velocity, V3(0), joints[0].rest};
    for (std::size_t i = 0; i < joints.size(); ++i) {
      use(i, frame, spin_of(joints[i], state[i], frame.velocity));
      if (i + 1 == joints.size()) break;
      const V3 w = spin_of(joints[i], state[i], frame.velocity), d = state[i].d;
      const V3 v = glm::conjugate(frame.rotation) * d,
               rate = glm::conjugate(frame.rotation) * glm::cross(w - frame.spin, d);
      const V3 x(1, 0, 0);
      // The least rotation that takes X to v turns with this spin when v moves.
      const V3 relative = glm::cross(x + v, rate) / (1.0 + v.x);
      const Q4 bone = frame.rotation * least_turn(v);
      frame = {frame.velocity + glm::cross(w, d) * joints[i].length, frame.spin + frame.rotation * relative,
               bone * joints[i + 1].rest};
    }
  }
  std::vector<JointState> rates(double time, std::vector<JointState> state) const {
    std::vector<JointState> out(state.size());
    walk(time, state, [&](std::size_t i, const Frame& frame, const V3& w) {
      const Joint& j = joints[i];
      const V3 d = state[i].d, moved = glm::cross(w, d);
      const V3 still = -glm::cross(d, frame.velocity) / j.length, socket = frame.spin - d * glm::dot(d, frame.spin);
      out[i].d = moved;
      out[i].q = glm::cross(d, gravity / j.mass) / j.length + glm::cross(moved, frame.velocity) / j.length -
                 j.air * (w - still) - j.socket * (w - socket);
    });
    return out;
  }
  static double excess(const Joint& j, const V3& v) {
    const V3 r = rotation_vector(v);
    return std::hypot(r.y / (j.angle * j.scale_y), r.z / (j.angle * j.scale_z));
  }
  void limit(double time, std::vector<JointState>& state) const {
    walk(time, state, [&](std::size_t i, const Frame& frame, const V3& w) {
      const Joint& j = joints[i];
      V3 v = glm::conjugate(frame.rotation) * state[i].d;
      const double e = excess(j, v);
      if (e <= 1.0 || j.angle >= std::numbers::pi) return;
      v = glm::normalize(turned_x(rotation_vector(v) / e));
      state[i].d = frame.rotation * v;
      // The way out on the sphere, by differences.
      const V3 a = glm::normalize(glm::cross(v, std::abs(v.z) < 0.9 ? V3(0, 0, 1) : V3(0, 1, 0))), b = glm::cross(v, a);
      constexpr double small = 1e-6;
      const auto slope = [&](const V3& to) {
        return (excess(j, glm::normalize(v + to * small)) - excess(j, glm::normalize(v - to * small))) / (2 * small);
      };
      const V3 out = frame.rotation * glm::normalize(a * slope(a) + b * slope(b));
      V3 motion = glm::cross(w - frame.spin, state[i].d);
      if (const double outward = glm::dot(motion, out); outward > 0.0) motion -= out * outward;
      V3 spin = glm::cross(state[i].d, motion) + frame.spin;
      spin -= state[i].d * glm::dot(state[i].d, spin);
      state[i].q = spin + glm::cross(state[i].d, frame.velocity) / j.length;
    });
  }
  static std::vector<JointState> plus(std::vector<JointState> s, const std::vector<JointState>& rate, double h) {
    for (std::size_t i = 0; i < s.size(); ++i) {
      s[i].d += rate[i].d * h;
      s[i].q += rate[i].q * h;
    }
    return s;
  }
  void step(double t, double h, std::vector<JointState>& s) const {
    const auto k1 = rates(t, s), k2 = rates(t + h / 2, plus(s, k1, h / 2)), k3 = rates(t + h / 2, plus(s, k2, h / 2)),
               k4 = rates(t + h, plus(s, k3, h));
    for (std::size_t i = 0; i < s.size(); ++i) {
      s[i].d = glm::normalize(s[i].d + (k1[i].d + 2.0 * k2[i].d + 2.0 * k3[i].d + k4[i].d) * (h / 6));
      s[i].q += (k1[i].q + 2.0 * k2[i].q + 2.0 * k3[i].q + k4[i].q) * (h / 6);
    }
    limit(t + h, s);
  }
  // The directions of the joints in the world, once per `every` steps.
  std::vector<std::vector<V3>> run(double seconds, int every) const {
    std::vector<JointState> state(joints.size());
    Q4 turned(1, 0, 0, 0);
    for (std::size_t i = 0; i < joints.size(); ++i) {
      turned = turned * joints[i].rest;
      state[i].d = turned * V3(1, 0, 0);
      state[i].q = glm::cross(state[i].d, path(0).velocity) / joints[i].length;
    }
    std::vector<std::vector<V3>> out;
    const auto steps = static_cast<int>(std::llround(seconds / kStep));
    for (int i = 0; i <= steps; ++i) {
      if (i % every == 0) {
        out.emplace_back();
        for (const JointState& each : state) out.back().push_back(each.d);
      }
      step(i * kStep, kStep, state);
    }
    return out;
  }
};

// The same chain as a rig, and the directions that the solvers give.
struct ChainRig {
  RigBuilder builder;
  std::vector<std::int32_t> bones;

  explicit ChainRig(const Chain& chain) {
    std::int32_t above = builder.bone(kNoBone, {0, 0, 0});
    Vec3 at{0, 0, 0};
    for (const Joint& j : chain.joints) {
      above = builder.bone(above, at,
                           make_quat(static_cast<float>(j.rest.x), static_cast<float>(j.rest.y),
                                     static_cast<float>(j.rest.z), static_cast<float>(j.rest.w)));
      bones.push_back(above);
      builder.modifier(above, BallJointModifier{.mass = static_cast<float>(j.mass),
                                                .constraint_angle = static_cast<float>(j.angle * kDegrees),
                                                .constraint_scale_y = static_cast<float>(j.scale_y),
                                                .constraint_scale_z = static_cast<float>(j.scale_z),
                                                .mechanical_friction = static_cast<float>(j.socket),
                                                .air_friction = static_cast<float>(j.air)});
      at = {static_cast<float>(j.length), 0, 0};
    }
    builder.bone(above, at);
  }
  std::vector<std::vector<V3>> run(const Chain& chain, double rate, double seconds, double step_rate) const {
    // Chains are stepped as `simulate` steps them: no more than 1/240 s at once.
    const auto poses = support::run(builder.rig, step_rate, seconds, [&](double t, auto& pose, Environment&) {
      pose[0].translation = Vec3(chain.path(t).position);
    });
    const auto every = static_cast<std::size_t>(std::llround(step_rate / rate));
    std::vector<std::vector<V3>> out;
    for (std::size_t frame = 0; frame < poses.size(); frame += every) {
      out.emplace_back();
      Q4 turned(1, 0, 0, 0);
      for (const std::int32_t bone : bones) {
        const Quat& q = poses[frame][at(bone)].rotation;
        turned = turned * Q4(q.w, q.x, q.y, q.z);
        out.back().push_back(turned * V3(1, 0, 0));
      }
    }
    return out;
  }
};

double degrees_between(const V3& a, const V3& b) {
  return std::atan2(glm::length(glm::cross(a, b)), glm::dot(a, b)) * kDegrees;
}

struct Errors {
  double rms = 0, worst = 0, last = 0;
};
Errors compare(const std::vector<std::vector<V3>>& a, const std::vector<std::vector<V3>>& b) {
  Errors e;
  std::size_t count = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    for (std::size_t k = 0; k < a[i].size(); ++k, ++count) {
      const double off = degrees_between(a[i][k], b[i][k]);
      e.rms += off * off;
      e.worst = std::max(e.worst, off);
      if (i + 1 == std::min(a.size(), b.size())) e.last = std::max(e.last, off);
    }
  e.rms = std::sqrt(e.rms / static_cast<double>(count));
  return e;
}

Path standing(double) { return {V3(0), V3(0)}; }
Path shaken(double t) {
  constexpr double w = 2 * std::numbers::pi * 1.2, reach = 0.12;
  return {V3(reach * (1 - std::cos(w * t)), 0.5 * reach * (1 - std::cos(0.7 * w * t)), 0),
          V3(reach * w * std::sin(w * t), 0.35 * reach * w * std::sin(0.7 * w * t), 0)};
}

Q4 about(const V3& axis, double degrees) { return glm::angleAxis(degrees / kDegrees, glm::normalize(axis)); }

void compare_at_all_rates(const Chain& chain, double seconds, double most_rms) {
  const ChainRig rig(chain);
  for (const double rate : kFrameRates) {
    const auto exact = chain.run(seconds, static_cast<int>(std::llround(1.0 / kStep / rate)));
    const Errors e = compare(rig.run(chain, rate, seconds, std::max(rate, 240.0)), exact);
    MESSAGE(rate, " frames per second: rms ", e.rms, ", worst ", e.worst, " degrees");
    CHECK(e.rms <= most_rms);
  }
}

}  // namespace

TEST_CASE("a bob in a narrow ellipse comes to rest where it hangs lowest on the ellipse") {
  Joint joint{.socket = 2.0, .angle = std::numbers::pi / 2, .scale_z = 0.2};
  // The rest direction lies across gravity, turned so that neither axis of the ellipse points down.
  joint.rest = about({0, 1, 0}, 15) * about({1, 0, 0}, 50);
  const Chain chain{{joint}, standing};
  double lowest = 10;
  V3 best;
  for (int i = 0; i < 360000; ++i) {
    const double t = i * std::numbers::pi / 180000.0;
    const V3 d = joint.rest * turned_x(V3(0, joint.angle * std::cos(t), joint.angle * joint.scale_z * std::sin(t)));
    if (d.z < lowest) {
      lowest = d.z;
      best = d;
    }
  }
  const auto exact = chain.run(8.0, 9600 * 8);
  CHECK(degrees_between(exact.back()[0], best) < 0.1);
  for (const double rate : kFrameRates) {
    const auto run = ChainRig(chain).run(chain, rate, 8.0, rate);
    const double off = degrees_between(run.back()[0], best);
    MESSAGE(rate, " frames per second: ", off, " degrees from the lowest point");
    CHECK(off < 0.1);
  }
}

TEST_CASE("a bob that slides along an ellipse moves as the law says") {
  Joint joint{.socket = 1.0, .angle = std::numbers::pi / 2, .scale_z = 0.2};
  joint.rest = about({0, 1, 0}, 15) * about({1, 0, 0}, 50);
  compare_at_all_rates({{joint}, standing}, 2.0, 1.0);
}

TEST_CASE("a chain of three that hits its cones moves as the law says, at every frame rate") {
  // With the friction of the games' hair. Chains with hardly any are chaotic: what is different in the last digits at
  // one contact is different in degrees after a few.
  Joint joint{.length = 0.15, .mass = 0.5, .air = 0.25, .socket = 25, .angle = 15.0 / kDegrees};
  Joint first = joint;
  first.rest = about({0, 1, 0}, 70);
  Joint last = joint;
  last.angle = 25.0 / kDegrees;
  compare_at_all_rates({{first, joint, last}, shaken}, 3.0, 0.3);
  for (Joint* each : {&first, &joint, &last}) each->socket = 6;
  compare_at_all_rates({{first, joint, last}, shaken}, 3.0, 1.5);
}

TEST_CASE("a chain with little friction moves as the law says through its first contacts") {
  Joint joint{.length = 0.15, .mass = 0.5, .air = 0.3, .socket = 1.5, .angle = 15.0 / kDegrees};
  Joint first = joint;
  first.rest = about({0, 1, 0}, 70);
  compare_at_all_rates({{first, joint}, shaken}, 0.7, 0.3);
}

TEST_CASE("very light joints on short bones come to rest") {
  for (const double mass : {0.01, 0.003, 0.001})
    for (const double length : {0.05, 0.02, 0.005}) {
      CAPTURE(mass);
      CAPTURE(length);
      Joint joint{.length = length, .mass = mass, .air = 0.5, .socket = 2.0, .angle = 60.0 / kDegrees};
      joint.rest = about({0, 1, 0}, 55);
      const Chain chain{{joint}, standing};
      for (const double rate : {30.0, 60.0}) {
        const auto run = ChainRig(chain).run(chain, rate, 10.0, rate);
        CHECK(degrees_between(run.back()[0], V3(0, 0, -1)) < 0.1);
        CHECK(degrees_between(run.back()[0], run[run.size() - 5][0]) < 0.02);
      }
    }
}

namespace {

// A hinge about Y whose look axis is X: angles are measured from X toward -Z.
struct HingeLaw {
  double lag = 0.4, weight = 0.4, gravity = 65, low = -0.7853982, high = 0.7853982, soft_low = 0.5, soft_high = 0;
  double rest = 0;  // angle of the look axis below the horizon
  PathOf path = shaken;

  static constexpr double kRate = 60.0;
  std::array<double, 2> rates(double t, double angle, double speed) const {
    const double to = rest + angle;  // look direction: cos X - sin Z
    const V3 velocity = path(t).velocity;
    // (u x F) . Y for u = (cos, 0, -sin)
    const auto turn = [&](const V3& f) { return -std::sin(to) * f.x - std::cos(to) * f.z; };
    const double pulled = turn({0, 0, -gravity});
    double change = pulled + turn(velocity * (-kRate * lag));
    if (pulled * speed < 0) change += kRate * std::log(1 - weight) * speed;
    if (speed < 0 && angle < low + soft_low)
      change += kRate * std::log(std::max((angle - low) / soft_low, 1e-12)) * speed;
    if (speed > 0 && soft_high > 0 && angle > high - soft_high)
      change += kRate * std::log(std::max((high - angle) / soft_high, 1e-12)) * speed;
    return {speed, change};
  }
  std::vector<double> run(double seconds, int every) const {
    double angle = 0, speed = 0;
    std::vector<double> out;
    const auto steps = static_cast<int>(std::llround(seconds / kStep));
    for (int i = 0; i <= steps; ++i) {
      if (i % every == 0) out.push_back(angle);
      const double t = i * kStep, h = kStep;
      const auto k1 = rates(t, angle, speed), k2 = rates(t + h / 2, angle + h / 2 * k1[0], speed + h / 2 * k1[1]),
                 k3 = rates(t + h / 2, angle + h / 2 * k2[0], speed + h / 2 * k2[1]),
                 k4 = rates(t + h, angle + h * k3[0], speed + h * k3[1]);
      angle += h / 6 * (k1[0] + 2 * k2[0] + 2 * k3[0] + k4[0]);
      speed += h / 6 * (k1[1] + 2 * k2[1] + 2 * k3[1] + k4[1]);
      if (angle < low) angle = low, speed = std::max(speed, 0.0);
      if (angle > high) angle = high, speed = std::min(speed, 0.0);
    }
    return out;
  }
  Rig rig() const {
    RigBuilder builder;
    const auto root = builder.bone(kNoBone, {0, 0, 0});
    const auto bone = builder.bone(root, {0, 0, 0}, axis_angle({0, 1, 0}, static_cast<float>(rest * kDegrees)));
    builder.bone(bone, {0.3f, 0, 0});
    HingeModifier hinge{.lag_factor = static_cast<float>(lag),
                        .weight_factor = static_cast<float>(weight),
                        .gravity = {0, 0, static_cast<float>(-gravity), 0},
                        .axis_constraint_type = 1,
                        .axis_look_at_type = 0};
    hinge.local_axis_constraint = {0, 1, 0, 0};
    hinge.constraints.resize(1);
    hinge.constraints[0].min_angle = static_cast<float>(low);
    hinge.constraints[0].max_angle = static_cast<float>(high);
    hinge.constraints[0].delta_min_damping = static_cast<float>(soft_low);
    hinge.constraints[0].delta_max_damping = static_cast<float>(soft_high);
    builder.modifier(bone, hinge);
    return builder.rig;
  }
  Errors errors(double rate, double seconds) const {
    const auto exact = run(seconds, static_cast<int>(std::llround(1.0 / kStep / rate)));
    const auto poses = support::run(rig(), rate, seconds, [&](double t, auto& pose, Environment&) {
      pose[0].translation = Vec3(path(t).position);
    });
    Errors e;
    for (std::size_t i = 0; i < std::min(exact.size(), poses.size()); ++i) {
      const Quat q = axis_angle({0, 1, 0}, static_cast<float>(rest * kDegrees)), r = poses[i][1].rotation;
      const double angle =
          2.0 * std::atan2(static_cast<double>(q.w * r.y - q.y * r.w), static_cast<double>(q.w * r.w + q.y * r.y));
      const double off = std::abs(angle - exact[i]) * kDegrees;
      e.rms += off * off;
      e.worst = std::max(e.worst, off);
    }
    e.rms = std::sqrt(e.rms / static_cast<double>(exact.size()));
    return e;
  }
};

}  // namespace

TEST_CASE("a hinge moves as the law says, at every frame rate") {
  for (const HingeLaw& law :
       {HingeLaw{.rest = 1.3}, HingeLaw{.weight = 0.1, .gravity = 30, .soft_low = 0.2, .rest = 0.9},
        HingeLaw{.lag = 0.0, .weight = 0.05, .gravity = 9.81, .low = -3, .high = 3, .rest = 0.4}})
    for (const double rate : kFrameRates) {
      const Errors e = law.errors(rate, 3.0);
      MESSAGE(rate, " frames per second: rms ", e.rms, ", worst ", e.worst, " degrees");
      CHECK(e.rms <= 1.0);
    }
}
