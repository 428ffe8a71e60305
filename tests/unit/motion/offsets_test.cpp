// SPDX-License-Identifier: MIT
// Offsets, ramps and curves of the modifiers that follow from the pose alone.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "marrow/model/pose.h"
#include "support/motion_rig.h"

using namespace marrow;
using namespace marrow::motion;
using namespace marrow::motion::support;

TEST_CASE("offsets of constraints come after the mean: positions in the parent's space, rotations on the right") {
  RigBuilder b;
  const auto root = b.bone(kNoBone, {0, 0, 0}, axis_angle({0, 0, 1}, 90));
  const auto a = b.bone(root, {1, 2, 3}, axis_angle({1, 0, 0}, 40)),
             c = b.bone(root, {3, 0, 1}, axis_angle({1, 0, 0}, 80));
  const auto owner = b.bone(root, {0, 1, 0});
  PositionConstraintModifier position;
  position.targets = {link(a), link(c)};
  position.offset = {0.5f, 0, -0.25f, 0};
  b.modifier(owner, position);
  OrientationConstraintModifier orientation;
  orientation.targets = {link(a), link(c)};
  orientation.offset = axis_angle({0, 0, 1}, 30);
  b.modifier(owner, orientation);
  const Transform out = solved(b, b.rest())[at(owner)];
  CHECK(glm::length(out.translation - Vec3(2.5f, 1, 1.75f)) < 1e-5f);
  CHECK(angle_degrees(out.rotation, axis_angle({1, 0, 0}, 60) * axis_angle({0, 0, 1}, 30)) < 1e-3f);
}

TEST_CASE("one flag keeps the offsets of all targets, a list of flags each its own") {
  const auto result = [](std::vector<bool> keep) {
    RigBuilder b;
    const auto root = b.bone(kNoBone, {0, 0, 0});
    const auto a = b.bone(root, {1, 0, 0}), c = b.bone(root, {0, 2, 0});
    const auto owner = b.bone(root, {0, 0, 4});
    PositionConstraintModifier position;
    position.targets = {link(a), link(c)};
    position.keep_initial_offset = std::move(keep);
    b.modifier(owner, position);
    auto pose = b.rest();
    pose[at(a)].translation.x += 1;
    return solved(b, pose)[at(owner)].translation;
  };
  CHECK(glm::length(result({true}) - Vec3(0.5f, 0, 4)) < 1e-6f);
  CHECK(glm::length(result({true, true}) - Vec3(0.5f, 0, 4)) < 1e-6f);
  CHECK(glm::length(result({true, false}) - Vec3(0.5f, 1, 2)) < 1e-6f);
  CHECK(glm::length(result({}) - Vec3(1, 1, 0)) < 1e-6f);
}

TEST_CASE("a hinge vector turns about X of its offset frame, toward the weighted mean, less with distance") {
  const auto turn = [](HingeVectorModifier hinge, Vec3 first, Vec3 second) {
    RigBuilder b;
    const auto root = b.bone(kNoBone, {0, 0, 0});
    const auto a = b.bone(root, first), c = b.bone(root, second);
    const auto owner = b.bone(root, {0, 0, 0});
    hinge.hinge_targets = {link(a), link(c)};
    b.modifier(owner, hinge);
    return solved(b, b.rest())[at(owner)].rotation;
  };
  // Three parts of (0, 0, 1), one of (0, 4, 1): the mean is at (0, 1, 1).
  CHECK(angle_degrees(turn({.hinge_target_weights = {3, 1}}, {0, 0, 1}, {0, 4, 1}), axis_angle({1, 0, 0}, -45)) <
        1e-3f);
  // X of the hinge along Y of the bone: it turns about Y.
  CHECK(angle_degrees(turn({.hinge_local_offset_rotation = axis_angle({0, 0, 1}, 90)}, {1, 0, 1}, {1, 0, 1}),
                      axis_angle({0, 1, 0}, 45)) < 1e-3f);
  CHECK(angle_degrees(turn({.hinge_local_offset_position = {0, 1, 0, 0}}, {0, 2, 1}, {0, 2, 1}),
                      axis_angle({1, 0, 0}, -45)) < 1e-3f);
  for (const auto& [distance, share] : {std::pair(0.5f, 1.0f), std::pair(2.0f, 0.5f), std::pair(3.5f, 0.0f)}) {
    const Vec3 target = Vec3(0, -std::sin(0.6f), std::cos(0.6f)) * distance;
    CHECK(angle_degrees(turn({.effect_ramp_down_min_distance = 1, .effect_ramp_down_max_distance = 3}, target, target),
                        axis_angle({1, 0, 0}, 0.6f * share * kDegreesPerRadian)) < 1e-3f);
  }
}

TEST_CASE("compress turns each bone by its offset first, and leaves rotation alone where it is not used") {
  RigBuilder b;
  const auto root = b.bone(kNoBone, {0, 0, 0});
  const auto one = b.bone(root, {1, 0, 0}, axis_angle({0, 0, 1}, 90)), two = b.bone(root, {0, 2, 0});
  const auto owner = b.bone(root, {5, 5, 5}, axis_angle({1, 0, 0}, 10));
  CompressModifier compress{.position_influence1 = 0.5f,
                            .rotation_influence1 = 0.5f,
                            .offset_bone1 = link(one),
                            .offset_bone2 = link(two),
                            .rot_offset1 = axis_angle({0, 0, 1}, -50),
                            .rot_offset2 = axis_angle({0, 0, 1}, 20),
                            .pos_offset1 = {1, 0, 0, 0},
                            .pos_offset2 = {0, 0, 6, 0}};
  b.modifier(owner, compress);
  const Transform both = solved(b, b.rest())[at(owner)];
  CHECK(angle_degrees(both.rotation, axis_angle({0, 0, 1}, 30)) < 1e-3f);
  CHECK(glm::length(both.translation - Vec3(0.5f, 1.5f, 3)) < 1e-5f);  // (1, 1, 0) and (0, 2, 6)
  compress.use_rotation = false;
  b.rig.modifiers[0].data = compress;
  CHECK(angle_degrees(solved(b, b.rest())[at(owner)].rotation, axis_angle({1, 0, 0}, 10)) < 1e-4f);
}

TEST_CASE("compress owns the channels it uses alone: what others made of the other one stays") {
  for (const bool position : {false, true}) {
    RigBuilder b;
    const auto root = b.bone(kNoBone, {0, 0, 0});
    const auto one = b.bone(root, {1, 0, 0}, axis_angle({0, 0, 1}, 40)), two = b.bone(root, {0, 2, 0});
    const auto owner = b.bone(root, {5, 5, 5});
    b.modifier(owner, FollowModifier{link(one)});
    b.modifier(owner, CompressModifier{.offset_bone1 = link(one),
                                       .offset_bone2 = link(two),
                                       .rot_offset2 = axis_angle({0, 0, 1}, 10),
                                       .pos_offset2 = {0, 0, 3, 0},
                                       .use_rotation = !position,
                                       .use_position = position});
    const Transform out = solved(b, b.rest())[at(owner)];
    CHECK(glm::length(out.translation - (position ? Vec3(0, 2, 3) : Vec3(1, 0, 0))) < 1e-6f);
    CHECK(angle_degrees(out.rotation, axis_angle({0, 0, 1}, position ? 40.0f : 10.0f)) < 1e-3f);
  }
}

TEST_CASE("a rotation is pasted as it is in the world, or as it is under the parent") {
  RigBuilder b;
  const auto root = b.bone(kNoBone, {0, 0, 0}, axis_angle({0, 0, 1}, 30));
  const auto arm = b.bone(root, {1, 0, 0}, axis_angle({0, 1, 0}, 50));
  const auto source = b.bone(arm, {1, 0, 0}, axis_angle({1, 0, 0}, 70));
  const auto owner = b.bone(root, {0, 1, 0}, axis_angle({0, 0, 1}, 5));
  for (const bool local : {false, true}) {
    RigBuilder one = b;
    one.modifier(owner, RotationPasteModifier{link(source), local});
    const Transform out = solved(one, one.rest())[at(owner)];
    const Quat expected = local ? axis_angle({1, 0, 0}, 70) : axis_angle({0, 1, 0}, 50) * axis_angle({1, 0, 0}, 70);
    CHECK(angle_degrees(out.rotation, expected) < 1e-3f);
    CHECK(out.translation == Vec3(0, 1, 0));
  }
}

TEST_CASE("a rotation expression of a gravity bone reads how far gravity has turned in it since rest") {
  RigBuilder b;
  const auto root = b.bone(kNoBone, {0, 0, 0});
  const auto lever = b.bone(root, {1, 0, 0}, axis_angle({0, 1, 0}, 20));
  const auto owner = b.bone(root, {0, 1, 0});
  RotationExpressionModifier expression{.axis_constraint = 1, .gravity_bone = link(lever)};
  expression.expressions.push_back({.gain = 0.5f});
  b.modifier(owner, expression);
  for (const float tilt : {-70.0f, 10.0f, 120.0f}) {
    auto pose = b.rest();
    pose[at(lever)].rotation = axis_angle({0, 1, 0}, 20 + tilt);
    // What stands still in the world turns the other way in the bone.
    CHECK(angle_degrees(solved(b, pose)[at(owner)].rotation, axis_angle({0, 1, 0}, -0.5f * tilt)) < 1e-3f);
  }
}

TEST_CASE("bones that rest along a curve keep their order on it, however it is bent") {
  RigBuilder b;
  const auto root = b.bone(kNoBone, {0, 0, 0});
  std::vector<BoneLink> targets;
  for (int i = 0; i < 5; ++i) targets.push_back(link(b.bone(root, {static_cast<float>(i), 0, 0})));
  std::vector<std::int32_t> riders;
  for (int i = 0; i <= 8; ++i) riders.push_back(b.bone(root, {0.5f * static_cast<float>(i), 0.05f, 0}));
  for (const auto rider : riders) b.modifier(rider, SplineConstraintModifier{.targets = targets});
  const auto resting = solved(b, b.rest());
  for (std::size_t i = 0; i < riders.size(); ++i)  // each at the nearest point of the straight curve
    CHECK(glm::length(resting[at(riders[i])].translation - Vec3(0.5f * static_cast<float>(i), 0, 0)) < 1e-4f);
  auto bent = b.rest();
  // Knots on a half circle: the angle about its centre tells how far along a bone is.
  for (int i = 0; i < 5; ++i) {
    const float angle = static_cast<float>(i) * std::numbers::pi_v<float> / 4;
    bent[at(static_cast<std::int32_t>(targets[static_cast<std::size_t>(i)].target))].translation = {-std::cos(angle),
                                                                                                    std::sin(angle), 0};
  }
  const auto out = solved(b, bent);
  float before = -1;
  for (std::size_t i = 0; i < riders.size(); ++i) {
    const Vec3 p = out[at(riders[i])].translation;
    const float along = std::atan2(p.y + 1e-6f, -p.x);
    CHECK(along > before);
    CHECK(glm::length(p) == doctest::Approx(1.0).epsilon(0.05));
    before = along;
    // Every second one rests on a knot.
    if (i % 2 == 0)
      CHECK(glm::length(p - bent[at(static_cast<std::int32_t>(targets[i / 2].target))].translation) < 0.01f);
    // X runs along the curve, which leaves its ends straight toward the next knot, and nothing turns about it.
    const Vec3 tangent = out[at(riders[i])].rotation * Vec3(1, 0, 0);
    if (i >= 2 && i <= 6) CHECK(std::abs(glm::dot(tangent, p)) < 0.02f);
    if (i == 0) CHECK(glm::length(tangent - glm::normalize(bent[2].translation - bent[1].translation)) < 1e-4f);
    CHECK(glm::length(out[at(riders[i])].rotation * Vec3(0, 0, 1) - Vec3(0, 0, 1)) < 1e-4f);
  }
}

TEST_CASE("between unevenly spaced knots a curve is the centripetal one") {
  RigBuilder b;
  const auto root = b.bone(kNoBone, {0, 0, 0});
  const Vec3 knots[] = {{0, 0, 0}, {1, 0, 0}, {1.2f, 1, 0}, {4, 1, 0.5f}};
  std::vector<BoneLink> targets;
  for (const Vec3& knot : knots) targets.push_back(link(b.bone(root, knot)));
  const auto owner = b.bone(root, {0, 0, 0});
  // The pyramid of Barry and Goldman, with knots apart by the square root of the distance.
  double t[4] = {};
  for (int i = 1; i < 4; ++i) t[i] = t[i - 1] + std::sqrt(static_cast<double>(glm::length(knots[i] - knots[i - 1])));
  const auto mix = [&](const glm::dvec3& a, const glm::dvec3& c, double from, double to, double at) {
    return a * ((to - at) / (to - from)) + c * ((at - from) / (to - from));
  };
  for (const double share : {0.25, 0.5, 0.75}) {
    const double u = t[1] + (t[2] - t[1]) * share;
    glm::dvec3 p[4] = {knots[0], knots[1], knots[2], knots[3]};
    for (int level = 1; level <= 2; ++level)
      for (int i = 0; i < 4 - level; ++i) p[i] = mix(p[i], p[i + 1], t[i], t[i + level], u);
    const glm::dvec3 expected = mix(p[0], p[1], t[1], t[2], u);
    double nearest = 1e9;
    for (int i = 0; i <= 2000; ++i) {
      RigBuilder one = b;
      one.modifier(owner, SplineConstraintModifier{.targets = targets, .percent = static_cast<float>(i) / 2000});
      nearest = std::min(nearest, glm::length(glm::dvec3(solved(one, one.rest())[at(owner)].translation) - expected));
    }
    CHECK(nearest < 2e-3);
  }
}

TEST_CASE("curves whose controls coincide at rest, all or two of them, give numbers") {
  for (const int coincident : {2, 3, 4}) {
    RigBuilder b;
    const auto root = b.bone(kNoBone, {0, 0, 0});
    std::vector<BoneLink> targets;
    for (int i = 0; i < 4; ++i)
      targets.push_back(link(b.bone(root, {i < coincident ? 0.0f : static_cast<float>(i), 0, 0})));
    const auto owner = b.bone(root, {0.2f, 0.1f, 0}, axis_angle({0, 1, 0}, 30));
    b.modifier(owner, SplineConstraintModifier{.targets = targets});
    auto pose = b.rest();
    for (const bool bent : {false, true}) {
      if (bent) pose[2].translation = {1, 2, 3};
      const Transform out = solved(b, pose)[at(owner)];
      CHECK(std::isfinite(glm::length(out.translation)));
      CHECK(glm::length(out.rotation) == doctest::Approx(1));
    }
  }
}

TEST_CASE("the engine's roll adds a quarter turn to followers, and folds back past one") {
  for (const int type : {0, 1, 3}) {
    RigBuilder b;
    const auto root = b.bone(kNoBone, {0, 0, 0});
    const auto arm = b.bone(root, {1, 0, 0});
    const auto owner = b.bone(root, {0, 1, 0});
    b.modifier(owner, RollModifier{.roll_bone_type = type, .roll_factor = 0.25f, .source_bone = link(arm)});
    for (const auto& [twist, folded] :
         {std::pair(40.0f, 40.0f), std::pair(100.0f, 80.0f), std::pair(-120.0f, -60.0f)}) {
      auto pose = b.rest();
      pose[at(arm)].rotation = axis_angle({1, 0, 0}, twist);
      const float expected = type == 0 ? -0.75f * folded : 0.25f * folded + (type == 1 ? 90.0f : -90.0f);
      CHECK(angle_degrees(solved(b, pose, {.native_law = true})[at(owner)].rotation, axis_angle({1, 0, 0}, expected)) <
            1e-3f);
    }
  }
}
