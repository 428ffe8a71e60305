// SPDX-License-Identifier: MIT
// The schedule, the frame rule, weights, levels of detail, state.
#include <doctest/doctest.h>

#include <cstring>
#include <limits>
#include <thread>

#include "support/any_rig.h"
#include "support/motion_rig.h"

using namespace marrow;
using namespace marrow::motion;
using namespace marrow::motion::support;

namespace {

std::vector<Transform> frame(const CompiledRig& compiled, State& state, const std::vector<Transform>& pose, double dt,
                             const Environment& environment = {}, std::span<const float> weights = {}) {
  std::vector<Transform> out(pose.size());
  const EvaluateJob job{.rig = &compiled,
                        .state = &state,
                        .environment = environment,
                        .delta_seconds = dt,
                        .input = pose,
                        .weights = weights,
                        .output = out};
  REQUIRE(job.validate());
  job.run();
  return out;
}

}  // namespace

TEST_CASE("modifiers are solved by priority, then depth, then bone, then list") {
  RigBuilder b;
  const auto root = b.bone(kNoBone, {0, 0, 0});
  const auto deep = b.bone(b.bone(root, {1, 0, 0}), {1, 0, 0});
  const auto shallow = b.bone(root, {0, 1, 0});
  const auto early = b.bone(deep, {0, 0, 1});
  for (const auto owner : {deep, shallow, deep, early}) b.modifier(owner, RotationPasteModifier{link(root)});
  b.rig.solving_priority = {0, 0, 3, 3, 1};
  const auto compiled = CompiledRig::compile(b.rig);
  REQUIRE(compiled);
  CHECK(std::vector(compiled->schedule().begin(), compiled->schedule().end()) ==
        std::vector<std::uint32_t>{3, 1, 0, 2});
}

TEST_CASE("a weight of 0 leaves every bone with the bits it came with, whatever the type") {
  for (const ModifierType type : moving_types()) {
    CAPTURE(class_name(type));
    const Specimen s = specimen(type);
    const auto compiled = CompiledRig::compile(s.builder.rig);
    REQUIRE(compiled);
    State state(*compiled);
    auto pose = s.builder.rest();
    const float off[] = {0.0f};
    for (int i = 0; i < 20; ++i) {
      walk(0.7 + i / 60.0, pose[0]);
      pose[1].rotation = axis_angle({1, 0, 0}, 3.0f * static_cast<float>(i));
      CHECK(same_bits(frame(*compiled, state, pose, 1.0 / 60.0, {}, off), pose));
    }
  }
}

TEST_CASE("bones that no modifier owns leave with the bits they came with") {
  for (const ModifierType type : moving_types()) {
    const Specimen s = specimen(type);
    const auto compiled = CompiledRig::compile(s.builder.rig);
    State state(*compiled);
    auto pose = s.builder.rest();
    for (int i = 0; i < 10; ++i) {
      walk(0.7 + i / 60.0, pose[0]);
      const auto out = frame(*compiled, state, pose, 1.0 / 60.0);
      for (std::size_t k = 0; k < pose.size(); ++k)
        if (k != static_cast<std::size_t>(s.owner)) CHECK(std::memcmp(&out[k], &pose[k], sizeof(Transform)) == 0);
    }
  }
}

TEST_CASE("a modifier past its level of detail rests, and is reset when it is back") {
  Specimen s = specimen(ModifierType::Pendulum);
  s.builder.rig.modifiers[0].limit_lod_level = 1;
  const auto compiled = CompiledRig::compile(s.builder.rig);
  State state(*compiled);
  const auto pose = s.builder.rest();
  Environment near{.lod = 1}, far{.lod = 2};
  for (int i = 0; i < 30; ++i) frame(*compiled, state, pose, 1.0 / 60.0, near);
  CHECK_FALSE(same_bits(frame(*compiled, state, pose, 1.0 / 60.0, near), pose));
  CHECK(same_bits(frame(*compiled, state, pose, 1.0 / 60.0, far), pose));
  const auto again = frame(*compiled, state, pose, 1.0 / 60.0, near);
  CHECK(angle_degrees(again[static_cast<std::size_t>(s.owner)].rotation,
                      pose[static_cast<std::size_t>(s.owner)].rotation) < 1e-4f);
}

TEST_CASE("half the weight is half the way") {
  RigBuilder b;
  const auto root = b.bone(kNoBone, {0, 0, 0});
  const auto other = b.bone(root, {1, 2, 3}, axis_angle({0, 0, 1}, 80));
  const auto owner = b.bone(root, {1, 0, 0});
  b.modifier(owner, FollowModifier{link(other)}).blend_weight = 0.5f;
  const auto compiled = CompiledRig::compile(b.rig);
  State state(*compiled);
  const auto out = frame(*compiled, state, b.rest(), 0.0);
  const Transform& bone = out[static_cast<std::size_t>(owner)];
  CHECK(bone.translation.x == doctest::Approx(1));
  CHECK(bone.translation.y == doctest::Approx(1));
  CHECK(bone.translation.z == doctest::Approx(1.5));
  CHECK(angle_degrees(bone.rotation, axis_angle({0, 0, 1}, 40)) < 1e-3f);
}

TEST_CASE("blending takes the short arc, whichever sign the rotations have") {
  RigBuilder b;
  const auto root = b.bone(kNoBone, {0, 0, 0});
  const auto other = b.bone(root, {0, 0, 0}, -axis_angle({0, 0, 1}, 90));
  const auto owner = b.bone(root, {0, 0, 0});
  b.modifier(owner, RotationPasteModifier{link(other)}).blend_weight = 0.5f;
  const auto compiled = CompiledRig::compile(b.rig);
  State state(*compiled);
  const auto out = frame(*compiled, state, b.rest(), 0.0);
  CHECK(angle_degrees(out[static_cast<std::size_t>(owner)].rotation, axis_angle({0, 0, 1}, 45)) < 1e-3f);
}

TEST_CASE("UseModifiedBoneMatrix decides whether a modifier starts from the animation or from those before it") {
  for (const bool use_modified : {false, true}) {
    RigBuilder b;
    const auto root = b.bone(kNoBone, {0, 0, 0});
    const auto turned = b.bone(root, {0, 0, 0}, axis_angle({0, 0, 1}, 90));
    const auto owner = b.bone(root, {0, 0, 0});
    b.modifier(owner, RotationPasteModifier{link(turned)});
    // Gravity along Y: the hinge about X, looking along Z, is carried to its limit of 30 degrees and stays.
    HingeModifier hinge{.gravity = {0, -50, 0, 0}, .axis_constraint_type = 0, .axis_look_at_type = 2};
    hinge.constraints.resize(1);
    hinge.constraints[0].min_angle = hinge.constraints[0].max_angle = 0.5235988f;
    b.modifier(owner, hinge).use_modified_bone_matrix = use_modified;
    const auto compiled = CompiledRig::compile(b.rig);
    State state(*compiled);
    auto out = frame(*compiled, state, b.rest(), 0.0);
    // Both ways the hinge's turn comes on top of the paste: C * (I^-1 T).
    const Quat expected = axis_angle({0, 0, 1}, 90) * axis_angle({1, 0, 0}, 30);
    CHECK(angle_degrees(out[static_cast<std::size_t>(owner)].rotation, expected) < 1e-3f);
  }
}

TEST_CASE("position and orientation constraints on one bone commute") {
  const auto build = [](bool swapped) {
    RigBuilder b;
    const auto root = b.bone(kNoBone, {0, 0, 0});
    const auto a = b.bone(root, {1, 2, 3}, axis_angle({1, 1, 0}, 50)),
               c = b.bone(root, {-1, 0, 2}, axis_angle({0, 1, 0}, 20));
    const auto owner = b.bone(root, {0, 1, 0});
    PositionConstraintModifier position;
    position.targets = {link(a), link(c)};
    OrientationConstraintModifier orientation;
    orientation.targets = {link(a), link(c)};
    if (swapped) {
      b.modifier(owner, orientation);
      b.modifier(owner, position);
    } else {
      b.modifier(owner, position);
      b.modifier(owner, orientation);
    }
    return b;
  };
  std::vector<std::vector<Transform>> results;
  for (const bool swapped : {false, true}) {
    const RigBuilder b = build(swapped);
    const auto compiled = CompiledRig::compile(b.rig);
    State state(*compiled);
    results.push_back(frame(*compiled, state, b.rest(), 0.0));
  }
  CHECK(same_bits(results[0], results[1]));
}

TEST_CASE("children follow a bone that a modifier moved, and read it where it is now") {
  RigBuilder b;
  const auto root = b.bone(kNoBone, {0, 0, 0});
  const auto target = b.bone(root, {0, 0, 5}, axis_angle({0, 1, 0}, 30));
  const auto owner = b.bone(root, {1, 0, 0});
  const auto child = b.bone(owner, {1, 0, 0});
  const auto reader = b.bone(child, {0, 0, 0});
  b.modifier(owner, FollowModifier{link(target)});
  b.modifier(reader, FollowModifier{link(child)});
  const auto compiled = CompiledRig::compile(b.rig);
  State state(*compiled);
  const auto out = frame(*compiled, state, b.rest(), 0.0);
  // The reader sits on its parent, which went along: nothing is left to do.
  CHECK(glm::length(out[static_cast<std::size_t>(reader)].translation) < 1e-6f);
  CHECK(out[static_cast<std::size_t>(child)].translation == Vec3(1, 0, 0));
}

TEST_CASE("no time leaves the state as it is and gives the last result again") {
  for (const ModifierType type : moving_types()) {
    CAPTURE(class_name(type));
    const Specimen s = specimen(type);
    const auto compiled = CompiledRig::compile(s.builder.rig);
    State state(*compiled);
    auto pose = s.builder.rest();
    std::vector<Transform> last;
    for (int i = 0; i < 15; ++i) {
      pose = s.builder.rest();
      walk(0.6 + i / 60.0, pose[0]);
      last = frame(*compiled, state, pose, 1.0 / 60.0);
    }
    const auto saved = state.save();
    CHECK(same_bits(frame(*compiled, state, pose, 0.0), last));
    CHECK(same_bits(frame(*compiled, state, pose, -1.0), last));
    CHECK(state.save() == saved);
  }
}

TEST_CASE("a saved state goes on with the same bits") {
  for (const ModifierType type : moving_types()) {
    CAPTURE(class_name(type));
    const Specimen s = specimen(type);
    const auto compiled = CompiledRig::compile(s.builder.rig, {.self_collision = true});
    State state(*compiled), other(*compiled);
    Environment environment;
    environment.wind = {.velocity = {2, 1, 0}, .gust_share = 0.5f};
    std::vector<std::byte> saved;
    std::vector<std::vector<Transform>> after;
    for (int i = 0; i < 60; ++i) {
      auto pose = s.builder.rest();
      walk(0.2 + i / 60.0, pose[0]);
      if (i == 30) saved = state.save();
      auto out = frame(*compiled, state, pose, 1.0 / 60.0, environment);
      if (i >= 30) after.push_back(std::move(out));
    }
    REQUIRE(other.restore(saved));
    for (int i = 30; i < 60; ++i) {
      auto pose = s.builder.rest();
      walk(0.2 + i / 60.0, pose[0]);
      CHECK(same_bits(frame(*compiled, other, pose, 1.0 / 60.0, environment), after[static_cast<std::size_t>(i) - 30]));
    }
  }
}

TEST_CASE("what is no saved state of the rig is refused, and changes nothing") {
  const Specimen s = specimen(ModifierType::BallJoint), t = specimen(ModifierType::Roll);
  const auto compiled = CompiledRig::compile(s.builder.rig), another = CompiledRig::compile(t.builder.rig);
  State state(*compiled);
  frame(*compiled, state, s.builder.rest(), 1.0 / 60.0);
  const auto good = state.save();
  for (std::size_t cut = 0; cut < good.size(); ++cut) {
    const std::vector<std::byte> prefix(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(cut));
    CHECK_FALSE(state.restore(prefix));
  }
  auto longer = good;
  longer.push_back({});
  CHECK_FALSE(state.restore(longer));
  auto wrong = good;
  wrong[0] = std::byte{0};
  CHECK(state.restore(wrong).error().code == ErrorCode::BadMagic);
  auto not_finite = good;
  std::memset(not_finite.data() + 24, 0xFF, 8);
  CHECK(state.restore(not_finite).error().code == ErrorCode::Malformed);
  CHECK_FALSE(State(*another).restore(good));
  CHECK(state.save() == good);
}

TEST_CASE("characters in threads give the bits they give alone") {
  RigBuilder b = specimen(ModifierType::BallJoint).builder;
  b.modifier(2, specimen(ModifierType::Pendulum).builder.rig.modifiers[0].data);
  b.modifier(3, specimen(ModifierType::SpringBox).builder.rig.modifiers[0].data);
  const auto compiled = CompiledRig::compile(b.rig);
  const auto character = [&](int number) {
    State state(*compiled);
    std::vector<Transform> out;
    for (int i = 0; i < 120; ++i) {
      auto pose = b.rest();
      walk(0.1 * number + i / 60.0, pose[0]);
      out = frame(*compiled, state, pose, 1.0 / 60.0);
    }
    return out;
  };
  std::vector<std::vector<Transform>> alone, together(8);
  for (int i = 0; i < 8; ++i) alone.push_back(character(i));
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 8; ++i) threads.emplace_back([&, i] { together[static_cast<std::size_t>(i)] = character(i); });
  }
  for (std::size_t i = 0; i < 8; ++i) CHECK(same_bits(alone[i], together[i]));
}

TEST_CASE("turning the entity turns the result") {
  for (const ModifierType type : {ModifierType::BallJoint, ModifierType::Pendulum, ModifierType::SpringBox,
                                  ModifierType::RotationConstraint, ModifierType::Hinge}) {
    CAPTURE(class_name(type));
    Specimen s = specimen(type);
    // World forces other than gravity do not turn with the entity.
    if (auto* box = std::get_if<SpringBoxModifier>(&s.builder.rig.modifiers[0].data)) box->force = Vec4(0.0f);
    const auto compiled = CompiledRig::compile(s.builder.rig);
    State still(*compiled), turned(*compiled);
    Environment yawed;
    yawed.entity.rotation = axis_angle({0, 0, 1}, 137);
    yawed.entity.translation = {3, -2, 0};
    for (int i = 0; i < 90; ++i) {
      auto pose = s.builder.rest();
      walk(i / 60.0, pose[0]);
      const auto a = frame(*compiled, still, pose, 1.0 / 60.0), b = frame(*compiled, turned, pose, 1.0 / 60.0, yawed);
      const auto owner = static_cast<std::size_t>(s.owner);
      CHECK(angle_degrees(a[owner].rotation, b[owner].rotation) < 1e-3f);
      CHECK(glm::length(a[owner].translation - b[owner].translation) < 1e-5f);
    }
  }
}

TEST_CASE("a teleport, a long frame and a far jump start physics anew from the pose") {
  Specimen s = specimen(ModifierType::Pendulum);
  const auto compiled = CompiledRig::compile(s.builder.rig);
  const auto owner = static_cast<std::size_t>(s.owner);
  const auto pose = s.builder.rest();
  const auto reset_by = [&](Environment environment, double dt) {
    State state(*compiled);
    for (int i = 0; i < 40; ++i) frame(*compiled, state, pose, 1.0 / 60.0);
    const auto out = frame(*compiled, state, pose, dt, environment);
    return angle_degrees(out[owner].rotation, pose[owner].rotation) < 1e-4f;
  };
  Environment far;
  far.entity.translation = {2.5f, 0, 0};
  Environment near;
  near.entity.translation = {1.5f, 0, 0};
  CHECK(reset_by({.teleported = true}, 1.0 / 60.0));
  CHECK(reset_by({}, 0.11));
  CHECK(reset_by(far, 1.0 / 60.0));
  CHECK_FALSE(reset_by({}, 0.09));
  CHECK_FALSE(reset_by(near, 1.0 / 60.0));
}

TEST_CASE("what cannot be is refused, what does nothing is reported") {
  RigBuilder b;
  const auto root = b.bone(kNoBone, {0, 0, 0});
  Notes notes;
  b.modifier(root, UnknownModifier{"ReflexBoneModifier"});
  b.modifier(root, MaxLookAtModifier{.look_at_bone = link(root), .look_at_used_axis = 2, .up_used_axis = 5});
  b.modifier(root, HingeModifier{.axis_constraint_type = 1, .axis_look_at_type = 1});
  b.modifier(root, PositionConstraintModifier{});
  b.modifier(root, FxModifier{});
  const auto compiled = CompiledRig::compile(b.rig, {}, &notes);
  REQUIRE(compiled);
  CHECK(notes.size() == 4);
  CHECK(compiled->schedule().empty());
  CHECK(std::vector(compiled->fx_bones().begin(), compiled->fx_bones().end()) == std::vector<std::int32_t>{root});

  b.modifier(root, FollowModifier{link(7)});
  CHECK(CompiledRig::compile(b.rig).error().code == ErrorCode::Malformed);
  b.rig.modifiers.back().data = PendulumModifier{.length = std::numeric_limits<float>::quiet_NaN()};
  CHECK(CompiledRig::compile(b.rig).error().code == ErrorCode::Malformed);
}

TEST_CASE("wrinkles are handed out beside the pose") {
  RigBuilder b;
  const auto root = b.bone(kNoBone, {0, 0, 0});
  b.rig.wrinkles = {{root, 3, 0.5f}};
  const auto compiled = CompiledRig::compile(b.rig);
  REQUIRE(compiled->wrinkles().size() == 1);
  CHECK(compiled->wrinkles()[0] == Wrinkle{root, 3, 0.5f});
}

TEST_CASE("no time leaves what a roll remembers, whatever the pose") {
  const Specimen s = specimen(ModifierType::Roll);
  const auto compiled = CompiledRig::compile(s.builder.rig);
  State state(*compiled);
  auto pose = s.builder.rest();
  frame(*compiled, state, pose, 1.0 / 60);
  const auto saved = state.save();
  pose[1].rotation = pose[1].rotation * axis_angle({1, 0, 0}, 40);
  frame(*compiled, state, pose, 0.0);
  CHECK(state.save() == saved);
}

TEST_CASE("gusts are a pure function of time within their share") {
  const Wind wind{.velocity = {4, 0, 0}, .gust_share = 0.25f, .gusts_per_second = 1.0f, .gust_seed = 7};
  double low = 1e9, high = -1e9;
  for (int i = 0; i < 2000; ++i) {
    const auto w = wind.at(i * 0.05);
    low = std::min(low, w.x);
    high = std::max(high, w.x);
    CHECK(w == wind.at(i * 0.05));
  }
  CHECK(low >= 3.0);
  CHECK(high <= 5.0);
  CHECK(high - low > 0.8);
}
