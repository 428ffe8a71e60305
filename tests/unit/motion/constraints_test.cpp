// SPDX-License-Identifier: MIT
// Laws of the modifiers that follow from the pose alone.
#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "marrow/model/pose.h"
#include "support/motion_rig.h"

using namespace marrow;
using namespace marrow::motion;
using namespace marrow::motion::support;

namespace {

struct Solved {
  std::vector<Transform> local, model;
  std::vector<Vec3> stretch;
};

Solved solve(const RigBuilder& b, const std::vector<Transform>& pose, const Settings& settings = {}) {
  const auto compiled = CompiledRig::compile(b.rig, settings);
  REQUIRE(compiled);
  State state(*compiled);
  Solved s{pose, pose, std::vector<Vec3>(pose.size())};
  const EvaluateJob job{.rig = &*compiled, .state = &state, .input = pose, .output = s.local, .stretch = s.stretch};
  job.run();
  local_to_model(b.rig.skeleton, s.local, s.model);
  return s;
}

Vec3 axis(int index) {
  Vec3 v(0.0f);
  v[index % 3] = index >= 3 ? -1.0f : 1.0f;
  return v;
}

glm::dvec3 turned(const Quat& q, const Vec3& v) {
  return glm::normalize(glm::dquat(q.w, q.x, q.y, q.z)) * glm::dvec3(v);
}

double angle_between(const glm::dvec3& a, const glm::dvec3& b) {
  return std::atan2(glm::length(glm::cross(a, b)), glm::dot(a, b));
}

// The least rotation from `a` to `b`, applied to `v`.
glm::dvec3 turned_along(const glm::dvec3& a, const glm::dvec3& b, const glm::dvec3& v) {
  const glm::dvec3 c = glm::cross(a, b);
  return v + glm::cross(c, v) + glm::cross(c, glm::cross(c, v)) / (1.0 + glm::dot(a, b));
}

}  // namespace

TEST_CASE("look-ats aim within 1e-5 rad for all 24 pairs of axes, up as near as it goes, right-handed") {
  for (int aim = 0; aim < 6; ++aim)
    for (int up = 0; up < 6; ++up) {
      if (aim % 3 == up % 3) continue;
      for (int control = 0; control < 3; ++control) {
        CAPTURE(aim);
        CAPTURE(up);
        RigBuilder b;
        const auto root = b.bone(kNoBone, {0.3f, -0.2f, 1}, axis_angle({1, 2, 3}, 40));
        const auto target = b.bone(root, {0.7f, 1.1f, -0.4f}, axis_angle({0, 1, 0}, 33));
        const auto node = b.bone(root, {-0.2f, 0.5f, 0.9f}, axis_angle({1, 0, 1}, 71));
        const auto owner = b.bone(root, {0.1f, 0, 0.2f}, axis_angle({3, 1, 0}, 20));
        b.modifier(owner, MaxLookAtModifier{.up_node = link(node),
                                            .look_at_bone = link(target),
                                            .look_at_pos_offset = {0.1f, 0.2f, 0, 0},
                                            .look_at_used_axis = aim,
                                            .up_used_axis = up,
                                            .up_node_control = control,
                                            .source_axis = 4});
        const Solved s = solve(b, b.rest());
        const Transform &bone = s.model[at(owner)], &seen = s.model[at(target)];
        const glm::dvec3 forward =
            glm::normalize(glm::dvec3(seen.translation + seen.rotation * Vec3(0.1f, 0.2f, 0) - bone.translation));
        CHECK(angle_between(turned(bone.rotation, axis(aim)), forward) < 1e-5);
        glm::dvec3 upward = control == 0 ? glm::dvec3(0, -1, 0) : turned(s.model[at(node)].rotation, axis(4));
        if (control == 2) upward = -glm::dvec3(s.model[at(node)].translation - bone.translation);
        glm::dvec3 level = glm::normalize(upward - forward * glm::dot(upward, forward));
        // An up axis that is down at rest is held down.
        std::vector<Transform> rest(s.model.size());
        local_to_model(b.rig.skeleton, b.rest(), rest);
        const Quat& resting = rest[at(owner)].rotation;
        if (glm::dot(turned_along(turned(resting, axis(aim)), forward, turned(resting, axis(up))), level) < -0.5)
          level = -level;
        CHECK(angle_between(turned(bone.rotation, axis(up)), level) < 1e-5);
        const glm::dvec3 x = turned(bone.rotation, {1, 0, 0}), y = turned(bone.rotation, {0, 1, 0}),
                         z = turned(bone.rotation, {0, 0, 1});
        CHECK(glm::dot(glm::cross(x, y), z) == doctest::Approx(1.0));
      }
    }
}

TEST_CASE("a look-at that rests upside down does not turn round") {
  RigBuilder b;
  const auto hips = b.bone(kNoBone, {0, 0, 1}, make_quat(-0.5f, -0.5f, -0.5f, 0.5f));
  const auto thigh = b.bone(hips, {-0.03f, -0.095f, 0}, make_quat(0, 0, 1, 0));
  const auto roll = b.bone(thigh, {0, 0, 0});
  const auto leg = b.bone(thigh, {0.44f, 0, 0});
  b.modifier(roll, MaxLookAtModifier{.up_node = link(hips),
                                     .look_at_bone = link(leg),
                                     .look_at_used_axis = 0,
                                     .up_used_axis = 2,
                                     .up_node_control = 1,
                                     .source_axis = 5});
  CHECK(angle_degrees(solve(b, b.rest()).local[at(roll)].rotation, b.rest()[at(roll)].rotation) < 1e-3f);
  // It still follows the hips: they turn about the thigh, and the roll bone with them.
  auto pose = b.rest();
  pose[at(hips)].rotation = axis_angle({0, 0, 1}, 30) * pose[at(hips)].rotation;
  pose[at(thigh)].rotation = pose[at(thigh)].rotation * axis_angle({1, 0, 0}, 30);
  CHECK(angle_degrees(solve(b, pose).local[at(roll)].rotation, axis_angle({1, 0, 0}, -30)) < 1e-3f);
}

TEST_CASE("a look-at at its own position, or along its up direction, stays a rotation and moves little") {
  RigBuilder b;
  const auto root = b.bone(kNoBone, {0, 0, 0});
  const auto target = b.bone(root, {0, 0, 1});
  const auto owner = b.bone(root, {0, 0, 0});
  b.modifier(owner, MaxLookAtModifier{.look_at_bone = link(target)});
  auto pose = b.rest();
  CHECK(angle_between(turned(solve(b, pose).local[at(owner)].rotation, {1, 0, 0}), {0, 0, 1}) < 1e-5);
  pose[at(target)].translation = {0, 0, 0};
  CHECK(solve(b, pose).local[at(owner)].rotation == make_quat(0, 0, 0, 1));
  // Near the pole the aim is continuous.
  for (const float away : {1e-4f, 1e-3f, 1e-2f}) {
    pose[at(target)].translation = {away, 0, 1};
    CHECK(angle_between(turned(solve(b, pose).local[at(owner)].rotation, {1, 0, 0}),
                        glm::normalize(glm::dvec3(away, 0, 1))) < 1e-5);
  }
}

TEST_CASE("a clamped look-at turns about its axis no further than its limits, which may be degrees") {
  for (const bool degrees : {false, true}) {
    RigBuilder b;
    const auto root = b.bone(kNoBone, {0, 0, 0});
    const auto target = b.bone(root, {1, 0, 0});
    const auto owner = b.bone(root, {0, 0, 0});
    const float unit = degrees ? 1.0f : static_cast<float>(std::numbers::pi / 180);
    b.modifier(
        owner,
        AnvilLookAtModifier{
            .look_at_bone = link(target), .min_angle = -20 * unit, .max_angle = 40 * unit, .clamped_rotation_axis = 2});
    for (const auto& [wanted, expected] : {std::pair(30.f, 30.f), std::pair(70.f, 40.f), std::pair(-50.f, -20.f)}) {
      auto pose = b.rest();
      pose[at(target)].translation = axis_angle({0, 0, 1}, wanted) * Vec3(1, 0, 0);
      CHECK(angle_degrees(solve(b, pose).local[at(owner)].rotation, axis_angle({0, 0, 1}, expected)) < 1e-3f);
    }
  }
}

TEST_CASE("a position constraint is the weighted mean, whatever the scale and order of its list") {
  RigBuilder b;
  const auto root = b.bone(kNoBone, {0, 0, 0}, axis_angle({1, 1, 1}, 33));
  const auto a = b.bone(root, {1, 2, 3}), c = b.bone(root, {-3, 1, 5}), d = b.bone(root, {0, -4, 1});
  const auto owner = b.bone(root, {0, 1, 0});
  const auto result = [&](std::vector<BoneLink> targets, std::vector<float> weights) {
    RigBuilder one = b;
    PositionConstraintModifier constraint;
    constraint.targets = std::move(targets);
    constraint.weights = std::move(weights);
    one.modifier(owner, constraint);
    return solve(one, one.rest()).local[at(owner)].translation;
  };
  CHECK(glm::length(result({link(a), link(c)}, {}) - Vec3(-1, 1.5f, 4)) < 1e-5f);
  CHECK(result({link(a), link(c)}, {80, 40}) == result({link(a), link(c)}, {2, 1}));
  CHECK(result({link(a), link(c), link(d)}, {1, 2, 3}) == result({link(d), link(a), link(c)}, {3, 1, 2}));
  CHECK(result({link(a), link(c), link(d)}, {1, 2, 0}) == result({link(a), link(c)}, {1, 2}));
  CHECK(result({link(a), link(c)}, {0, 0}) == Vec3(0, 1, 0));
}

TEST_CASE("an orientation constraint is the weighted mean of rotations, whatever their signs, scale and order") {
  RigBuilder b;
  const auto root = b.bone(kNoBone, {0, 0, 0}, axis_angle({1, 1, 1}, 33));
  const auto a = b.bone(root, {0, 0, 0}, axis_angle({0, 0, 1}, 20)),
             c = b.bone(root, {0, 0, 0}, -axis_angle({0, 0, 1}, 80));
  const auto d = b.bone(root, {0, 0, 0}, axis_angle({1, 0, 1}, 50));
  const auto owner = b.bone(root, {0, 1, 0});
  const auto result = [&](std::vector<BoneLink> targets, std::vector<float> weights) {
    RigBuilder one = b;
    OrientationConstraintModifier constraint;
    constraint.targets = std::move(targets);
    constraint.weights = std::move(weights);
    one.modifier(owner, constraint);
    return solve(one, one.rest()).local[at(owner)].rotation;
  };
  CHECK(angle_degrees(result({link(a), link(c)}, {}), axis_angle({0, 0, 1}, 50)) < 1e-3f);
  CHECK(angle_degrees(result({link(a), link(c)}, {3, 1}), axis_angle({0, 0, 1}, 35)) < 1e-3f);
  CHECK(result({link(a), link(c), link(d)}, {80, 40, 20}) == result({link(a), link(c), link(d)}, {4, 2, 1}));
  CHECK(result({link(a), link(c), link(d)}, {1, 2, 3}) == result({link(d), link(a), link(c)}, {3, 1, 2}));
  CHECK(result({link(a), link(c), link(d)}, {1, 0, 0}) == result({link(a)}, {5}));
}

TEST_CASE("rest is a fixed point where the law makes it one") {
  const auto fixed = [](const RigBuilder& b, std::int32_t owner, int frames = 30) {
    const auto rest = b.rest();
    for (const auto& pose :
         run(b.rig, 60, frames / 60.0, [](double, auto&, Environment& e) { e.gravity = Vec3(0.0f); })) {
      CHECK(glm::length(pose[at(owner)].translation - rest[at(owner)].translation) < 2e-6f);
      CHECK(angle_degrees(pose[at(owner)].rotation, rest[at(owner)].rotation) < 1e-3f);
    }
  };
  const auto rig = [] {
    RigBuilder b;
    const auto root = b.bone(kNoBone, {0, 0, 1}, axis_angle({1, 0, 0}, 15));
    b.bone(root, {1, 0.2f, 0}, axis_angle({0, 1, 0}, 40));
    b.bone(root, {0.3f, 1, 0.5f}, axis_angle({1, 1, 0}, 70));
    b.bone(root, {0.5f, 0.5f, 0.2f}, axis_angle({0, 1, 1}, -30));
    return b;
  };
  constexpr std::int32_t a = 1, c = 2, owner = 3;
  const auto check = [&](ModifierData data) {
    RigBuilder b = rig();
    b.modifier(owner, std::move(data));
    CAPTURE(class_name(b.rig.modifiers[0]));
    fixed(b, owner);
  };
  check(BallJointModifier{.constraint_angle = 30});
  check(PendulumModifier{});
  HingeModifier hinge{.gravity = Vec4(0.0f)};
  hinge.constraints.resize(1);
  hinge.constraints[0].min_angle = -0.5f;
  hinge.constraints[0].max_angle = 0.5f;
  hinge.constraints[0].constraint_associated_bone = link(a);
  check(hinge);
  check(SpringBoxModifier{
      .stiffness = 100, .damping = 1, .box_min = {0.4f, 0.4f, 0.1f, 0}, .box_max = {0.6f, 0.6f, 0.3f, 0}});
  RotationConstraintModifier rotation{.inertia = 0.1f, .damping = 0.3f};
  rotation.constraint_associated_bone = link(a);
  check(rotation);
  PositionConstraintModifier position;
  position.targets = {link(a), link(c)};
  position.keep_initial_offset = {true};
  check(position);
  OrientationConstraintModifier orientation;
  orientation.targets = {link(a), link(c)};
  orientation.keep_initial_offset = {true, true};
  check(orientation);
  check(RollModifier{.roll_bone_type = 0, .roll_factor = 0.4f, .source_bone = link(a)});
  check(StretchModifier{.target_bone = link(c)});
  check(RotationExpressionModifier{.linked_bone = link(a)});
  check(RotationExpressionModifier{.gravity_bone = link(a)});
  check(FollowModifier{link(owner)});
  check(RotationPasteModifier{link(owner)});
  check(RotationPasteModifier{link(owner), true});
  check(CompressModifier{.position_influence1 = 0.3f,
                         .rotation_influence1 = 0.8f,
                         .offset_bone1 = link(owner),
                         .offset_bone2 = link(owner)});
  // Looking where it looks already, and a curve that it sits on.
  RigBuilder aimed = rig();
  const auto ahead = aimed.bone(owner, {1, 0, 0});
  aimed.modifier(owner, AnvilLookAtModifier{.look_at_bone = link(ahead), .min_angle = -1, .max_angle = 1});
  aimed.modifier(ahead, HingeVectorModifier{.hinge_targets = {link(aimed.bone(ahead, {0, 0, 1}))}});
  const Solved looking = solve(aimed, aimed.rest());
  CHECK(angle_between(turned(looking.local[at(owner)].rotation, {1, 0, 0}),
                      turned(aimed.rest()[at(owner)].rotation, {1, 0, 0})) < 1e-5);
  CHECK(angle_degrees(looking.local[at(ahead)].rotation, make_quat(0, 0, 0, 1)) < 1e-3f);
  RigBuilder curve;
  const auto root = curve.bone(kNoBone, {0, 0, 0}, axis_angle({0, 1, 1}, 25));
  const auto p = curve.bone(root, {0, 0, 0}), q = curve.bone(root, {1, 0, 0}, axis_angle({1, 0, 0}, 30)),
             r = curve.bone(root, {2, 0.5f, 0});
  const auto rider = curve.bone(root, {1, 0, 0}, axis_angle({0, 1, 1}, 50));
  curve.modifier(rider, SplineConstraintModifier{.targets = {link(p), link(q), link(r)}});
  fixed(curve, rider);
}

TEST_CASE("a curve goes through its targets, advances with its share, and bears coincident ones") {
  RigBuilder b;
  const auto root = b.bone(kNoBone, {0, 0, 0});
  std::vector<BoneLink> targets;
  for (const Vec3 p : {Vec3(0, 0, 0), Vec3(1, 1, 0), Vec3(2, 0, 1), Vec3(4, 0, 0)})
    targets.push_back(link(b.bone(root, p)));
  const auto owner = b.bone(root, {0, 0, 0});
  const auto place = [&](float percent, bool coincident = false) {
    RigBuilder one = b;
    one.modifier(owner, SplineConstraintModifier{.targets = targets, .percent = percent});
    auto pose = one.rest();
    if (coincident)
      for (std::size_t i = 1; i <= 4; ++i) pose[i].translation = {1, 1, 1};
    return solve(one, pose).local[at(owner)];
  };
  CHECK(glm::length(place(0).translation) < 1e-6f);
  CHECK(glm::length(place(1).translation - Vec3(4, 0, 0)) < 1e-4f);
  float least = 1e9f, most = 0;
  Vec3 before = place(0).translation;
  for (int i = 1; i <= 50; ++i) {
    const Vec3 now = place(static_cast<float>(i) / 50).translation;
    const float step = glm::length(now - before);
    least = std::min(least, step);
    most = std::max(most, step);
    before = now;
  }
  CHECK(most / least < 1.1f);  // by length, not by parameter
  // The knots are on it.
  for (const Vec3 knot : {Vec3(1, 1, 0), Vec3(2, 0, 1)}) {
    float nearest = 1e9f;
    for (int i = 0; i <= 4000; ++i)
      nearest = std::min(nearest, glm::length(place(static_cast<float>(i) / 4000).translation - knot));
    CHECK(nearest < 2e-3f);
  }
  const Transform stacked = place(0.5f, true);
  CHECK(glm::length(stacked.translation - Vec3(1, 1, 1)) < 1e-6f);
  CHECK(std::isfinite(stacked.rotation.x));
}

TEST_CASE("a counter-roll child keeps its factor of the source's twist, a follower takes it") {
  for (const int type : {0, 1, 2, 3}) {
    RigBuilder b;
    const auto root = b.bone(kNoBone, {0, 0, 0});
    const auto arm = b.bone(root, {1, 0, 0}, axis_angle({0, 1, 0}, 20));
    const auto owner = b.bone(type % 2 == 0 ? arm : root, {0.1f, 0, 0});
    b.modifier(owner, RollModifier{.roll_bone_type = type, .roll_factor = 0.33f, .source_bone = link(arm)});
    for (const float twist : {-170.f, -40.f, 25.f, 90.f, 175.f}) {
      auto pose = b.rest();
      pose[at(arm)].rotation = pose[at(arm)].rotation * axis_angle({1, 0, 0}, twist);
      const Solved s = solve(b, pose);
      const Quat base = type % 2 == 0 ? b.rest()[at(arm)].rotation : make_quat(0, 0, 0, 1);
      CHECK(angle_degrees(s.model[at(owner)].rotation, base * axis_angle({1, 0, 0}, 0.33f * twist)) < 1e-3f);
    }
  }
}

TEST_CASE("at a half turn of swing a roll holds its last angle") {
  RigBuilder b;
  const auto root = b.bone(kNoBone, {0, 0, 0});
  const auto arm = b.bone(root, {1, 0, 0});
  const auto owner = b.bone(root, {0, 1, 0});
  b.modifier(owner, RollModifier{.roll_bone_type = 1, .roll_factor = 1, .source_bone = link(arm)});
  const auto frames = run(b.rig, 60, 2.0 / 60, [&](double t, auto& pose, auto&) {
    pose[at(arm)].rotation = t < 0.02 ? axis_angle({1, 0, 0}, 40) : make_quat(0, 1, 0, 0);
  });
  CHECK(angle_degrees(frames.back()[at(owner)].rotation, axis_angle({1, 0, 0}, 40)) < 1e-3f);
}

TEST_CASE("compress stands between its bones, in the channels it uses") {
  RigBuilder b;
  const auto root = b.bone(kNoBone, {0, 0, 0});
  const auto one = b.bone(root, {1, 0, 0}, axis_angle({0, 0, 1}, 40)),
             two = b.bone(root, {0, 2, 0}, axis_angle({0, 0, 1}, 80));
  const auto owner = b.bone(root, {5, 5, 5});
  CompressModifier compress{.position_influence1 = 0.25f,
                            .rotation_influence1 = 0.75f,
                            .offset_bone1 = link(one),
                            .offset_bone2 = link(two),
                            .rot_offset1 = axis_angle({0, 0, 1}, 8),
                            .pos_offset1 = {0, 0, 4, 0}};
  b.modifier(owner, compress);
  const Transform both = solve(b, b.rest()).local[at(owner)];
  CHECK(glm::length(both.translation - Vec3(0.25f, 1.5f, 1)) < 1e-5f);
  CHECK(angle_degrees(both.rotation, axis_angle({0, 0, 1}, 56)) < 1e-3f);
  compress.use_position = false;
  b.rig.modifiers[0].data = compress;
  CHECK(solve(b, b.rest()).local[at(owner)].translation == Vec3(5, 5, 5));
}

TEST_CASE("compress without offsets keeps a knee where it rests, and moves it by the shares of its bones") {
  RigBuilder b;
  const auto thigh = b.bone(kNoBone, {0, 0, 1}, axis_angle({0, 1, 0}, 90));
  const auto leg = b.bone(thigh, {0.44f, 0, 0.005f}, axis_angle({0, 1, 0}, 2));
  const auto knee = b.bone(thigh, {0.44f, 0, 0.02f});
  b.modifier(knee, CompressModifier{.position_influence1 = 0.5f,
                                    .rotation_influence1 = 0.5f,
                                    .offset_bone1 = link(thigh),
                                    .offset_bone2 = link(leg)});
  const Transform resting = solve(b, b.rest()).local[at(knee)];
  CHECK(glm::length(resting.translation - b.rest()[at(knee)].translation) < 1e-6f);
  CHECK(angle_degrees(resting.rotation, b.rest()[at(knee)].rotation) < 1e-3f);
  // Bent by 80 degrees, the knee makes half of the turn, and its place is in the middle of what both bones make of it.
  auto pose = b.rest();
  pose[at(leg)].rotation = pose[at(leg)].rotation * axis_angle({0, 1, 0}, 80);
  const Transform bent = solve(b, pose).local[at(knee)];
  CHECK(angle_degrees(bent.rotation, axis_angle({0, 1, 0}, 40)) < 1e-3f);
  const Vec3 from_leg = Vec3(0.44f, 0, 0.005f) +
                        axis_angle({0, 1, 0}, 82) * (glm::conjugate(axis_angle({0, 1, 0}, 2)) * Vec3(0, 0, 0.015f));
  CHECK(glm::length(bent.translation - (from_leg + Vec3(0.44f, 0, 0.02f)) * 0.5f) < 1e-5f);
}

TEST_CASE("stretch keeps the volume, its limits and its children's place") {
  RigBuilder b;
  const auto root = b.bone(kNoBone, {0, 0, 0});
  const auto target = b.bone(root, {0, 1, 0});
  const auto owner = b.bone(root, {0, 0, 0});
  b.modifier(owner, StretchModifier{.target_bone = link(target), .min_scale = 0.5f, .max_scale = 2.0f});
  auto pose = b.rest();
  for (const auto& [distance, expected] : {std::pair(1.5f, 1.5f), std::pair(9.0f, 2.0f), std::pair(0.1f, 0.5f)}) {
    pose[at(target)].translation = {0, distance, 0};
    const Solved s = solve(b, pose);
    CHECK(s.stretch[at(owner)].y == doctest::Approx(expected));
    CHECK(s.stretch[at(owner)].x * s.stretch[at(owner)].y * s.stretch[at(owner)].z == doctest::Approx(1));
    CHECK(s.local[at(owner)] == pose[at(owner)]);
  }
}

TEST_CASE("a rotation expression is the sum of its limited terms") {
  RigBuilder b;
  const auto root = b.bone(kNoBone, {0, 0, 0});
  const auto lever = b.bone(root, {1, 0, 0}, axis_angle({0, 0, 1}, 30));
  const auto owner = b.bone(root, {0, 1, 0});
  RotationExpressionModifier expression{.linked_bone = link(lever), .initial_offset = 0.1f, .axis_constraint = 1};
  expression.expressions.push_back({.gain = 2, .bias = 0.05f, .min = -0.4f, .max = 0.4f});
  expression.expressions.push_back({.gain = -0.5f});
  b.modifier(owner, expression);
  for (const float x : {-0.9f, 0.02f, 0.1f, 1.2f}) {
    auto pose = b.rest();
    pose[at(lever)].rotation =
        pose[at(lever)].rotation * axis_angle({0, 1, 0}, x * 180 / static_cast<float>(std::numbers::pi));
    const float y = std::clamp(2 * (x + 0.1f) + 0.05f, -0.4f, 0.4f) - 0.5f * (x + 0.1f);
    CHECK(angle_degrees(solve(b, pose).local[at(owner)].rotation,
                        axis_angle({0, 1, 0}, y * 180 / static_cast<float>(std::numbers::pi))) < 1e-3f);
  }
}

TEST_CASE("a hinge vector turns its Z axis to the mean of its targets, less with angle and distance") {
  RigBuilder b;
  const auto root = b.bone(kNoBone, {0, 0, 0});
  const auto target = b.bone(root, {0, 0, 1});
  const auto owner = b.bone(root, {0, 0, 0});
  HingeVectorModifier hinge{
      .effect_ramp_down_min_angle = 1.0f, .effect_ramp_down_max_angle = 2.0f, .hinge_targets = {link(target)}};
  b.modifier(owner, hinge);
  const auto turn = [&](float degrees) {
    auto pose = b.rest();
    pose[at(target)].translation = axis_angle({1, 0, 0}, degrees) * Vec3(0.3f, 0, 1);
    return solve(b, pose).local[at(owner)].rotation;
  };
  CHECK(angle_degrees(turn(40), axis_angle({1, 0, 0}, 40)) < 1e-3f);
  CHECK(angle_degrees(turn(-50), axis_angle({1, 0, 0}, -50)) < 1e-3f);
  const float ramp = 2.0f - 80 * static_cast<float>(std::numbers::pi) / 180;
  CHECK(angle_degrees(turn(80), axis_angle({1, 0, 0}, 80 * ramp)) < 1e-2f);
  CHECK(angle_degrees(turn(150), make_quat(0, 0, 0, 1)) < 1e-3f);
}
