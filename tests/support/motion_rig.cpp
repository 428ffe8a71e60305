// SPDX-License-Identifier: MIT
#include "support/motion_rig.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numbers>
#include <utility>

namespace marrow::motion::support {

std::int32_t RigBuilder::bone(std::int32_t parent, Vec3 translation, Quat rotation) {
  const auto index = static_cast<std::int32_t>(rig.skeleton.bones.size());
  Bone bone;
  bone.name = "Bone" + std::to_string(index);
  bone.parent = parent;
  bone.rest.translation = translation;
  bone.rest.rotation = rotation;
  rig.skeleton.bones.push_back(std::move(bone));
  return index;
}

Modifier& RigBuilder::modifier(std::int32_t owner, ModifierData data) {
  Modifier modifier;
  modifier.id = 1000 + rig.modifiers.size();
  modifier.owner = link(owner);
  modifier.data = std::move(data);
  rig.modifiers.push_back(std::move(modifier));
  return rig.modifiers.back();
}

std::vector<Transform> RigBuilder::rest() const {
  std::vector<Transform> pose;
  for (const Bone& bone : rig.skeleton.bones) pose.push_back(bone.rest);
  return pose;
}

Quat axis_angle(Vec3 axis, float degrees) {
  const float half = degrees * std::numbers::pi_v<float> / 360.0f;
  const float length = std::sqrt(axis.x * axis.x + axis.y * axis.y + axis.z * axis.z);
  const Vec3 v = axis * (std::sin(half) / length);
  return make_quat(v.x, v.y, v.z, std::cos(half));
}

namespace {

CompiledRig compile_or_abort(const Rig& rig, const Settings& settings) {
  auto compiled = CompiledRig::compile(rig, settings);
  if (!compiled) {
    std::fprintf(stderr, "%s\n", describe(compiled.error()).c_str());
    std::abort();
  }
  return std::move(*compiled);
}

}  // namespace

std::vector<std::vector<Transform>> run(const Rig& rig, double frames_per_second, double seconds, const Drive& drive,
                                        const Settings& settings) {
  const CompiledRig compiled = compile_or_abort(rig, settings);
  State state(compiled);
  std::vector<std::vector<Transform>> frames;
  const auto count = static_cast<std::int64_t>(std::llround(seconds * frames_per_second));
  for (std::int64_t i = 0; i <= count; ++i) {
    std::vector<Transform> pose;
    for (const Bone& bone : rig.skeleton.bones) pose.push_back(bone.rest);
    Environment environment;
    if (drive) drive(static_cast<double>(i) / frames_per_second, pose, environment);
    std::vector<Transform> output = pose;
    const EvaluateJob job{.rig = &compiled,
                          .state = &state,
                          .environment = environment,
                          .delta_seconds = i == 0 ? 0.0 : 1.0 / frames_per_second,
                          .input = pose,
                          .output = output};
    job.run();
    frames.push_back(i == 0 ? pose : output);
  }
  return frames;
}

std::vector<Transform> solved(const RigBuilder& builder, const std::vector<Transform>& pose, const Settings& settings) {
  const CompiledRig compiled = compile_or_abort(builder.rig, settings);
  State state(compiled);
  std::vector<Transform> output = pose;
  const EvaluateJob job{.rig = &compiled, .state = &state, .input = pose, .output = output};
  job.run();
  return output;
}

HingeModifier sword_hinge(int axis) {
  HingeModifier hinge{.lag_factor = 0.4f,
                      .weight_factor = 0.4f,
                      .gravity = {0, 0, -65, 0},
                      .axis_constraint_type = axis,
                      .axis_look_at_type = 2};
  hinge.constraints.resize(1);
  hinge.constraints[0].min_angle = axis == 0 ? -0.7853982f : 0.0f;
  hinge.constraints[0].max_angle = axis == 0 ? 0.7853982f : 0.1745329f;
  return hinge;
}

void walk(double seconds, Transform& root) {
  const double stride = 2.0 * std::numbers::pi * 0.9 * seconds;
  // The walk sets in over half a second, so that no rate sees another first step.
  const double ease = seconds < 0.5 ? seconds * seconds * (3.0 - 4.0 * seconds) * 4.0 : 1.0;
  const double forward = 1.4 * (seconds < 0.5 ? 4.0 * seconds * seconds * seconds * (1.0 - seconds) : seconds - 0.25);
  root.translation += Vec3(static_cast<float>(ease * 0.02 * std::sin(stride)),
                           static_cast<float>(forward + ease * 0.015 * std::sin(2.0 * stride)),
                           static_cast<float>(ease * 0.025 * std::sin(2.0 * stride + 0.7)));
  const auto degrees = [&](double amplitude, double phase) {
    return static_cast<float>(ease * amplitude * std::sin(stride + phase));
  };
  root.rotation = root.rotation * axis_angle({0, 0, 1}, degrees(8.0, 0.3)) * axis_angle({0, 1, 0}, degrees(4.0, 1.1));
}

namespace {

Hinge range(float low, float high) {
  Hinge hinge;
  hinge.min_angle = low;
  hinge.max_angle = high;
  return hinge;
}

ModifierData lively(ModifierType type, std::int32_t a, std::int32_t b, std::int32_t c) {
  switch (type) {
    case ModifierType::BallJoint:
      return BallJointModifier{.mass = 0.8f,
                               .collision_radius = 0.02f,
                               .constraint_angle = 40.0f,
                               .constraint_scale_y = 0.7f,
                               .mechanical_friction = 1.5f,
                               .air_friction = 0.25f,
                               .wind_scale = 0.35f,
                               .wind_random_factor = 1.0f};
    case ModifierType::Hinge: {
      HingeModifier hinge{.lag_factor = 0.4f,
                          .weight_factor = 0.2f,
                          .gravity = {0, 0, -40, 0},
                          .wind_scale = 0.1f,
                          .axis_constraint_type = 1,
                          .axis_look_at_type = 0};
      hinge.constraints = {range(-0.8f, 0.6f)};
      hinge.constraints[0].delta_min_damping = 0.2f;
      return hinge;
    }
    case ModifierType::HingeVector:
      return HingeVectorModifier{.effect_ramp_down_min_angle = 1.0f,
                                 .effect_ramp_down_max_angle = 3.0f,
                                 .hinge_targets = {link(a), link(b)},
                                 .hinge_target_weights = {2.0f, 1.0f}};
    case ModifierType::Pendulum:
      return PendulumModifier{
          .mass = 1.2f, .friction = 0.4f, .air_friction = 0.2f, .length = 0.4f, .fake_centrifugal_force = 0.5f};
    case ModifierType::SpringBox:
      return SpringBoxModifier{.stiffness = 200.0f,
                               .damping = 6.0f,
                               .wind_share = 0.5f,
                               .force = {0, 0, -1, 0},
                               .box_min = {0.1f, -0.1f, -0.1f, 0},
                               .box_max = {0.3f, 0.1f, 0.1f, 0}};
    case ModifierType::PositionConstraint: {
      PositionConstraintModifier constraint;
      constraint.targets = {link(a), link(b), link(c)};
      constraint.keep_initial_offset = {true, false, true};
      constraint.weights = {2.0f, 1.0f, 1.0f};
      return constraint;
    }
    case ModifierType::OrientationConstraint: {
      OrientationConstraintModifier constraint;
      constraint.targets = {link(a), link(b), link(c)};
      constraint.keep_initial_offset = {true, false, true};
      constraint.weights = {2.0f, 1.0f, 1.0f};
      return constraint;
    }
    case ModifierType::RotationConstraint: {
      RotationConstraintModifier constraint{.inertia = 1.0f / 12.0f, .damping = 0.4f, .gravity = {0, 0, -2, 0}};
      constraint.constraint_associated_bone = link(a);
      constraint.constraints = {range(-0.5f, 0.5f), range(-0.4f, 0.3f), range(-0.2f, 0.6f)};
      return constraint;
    }
    case ModifierType::SplineConstraint: return SplineConstraintModifier{.targets = {link(a), link(b), link(c)}};
    case ModifierType::MaxLookAt:
      return MaxLookAtModifier{.up_node = link(b), .look_at_bone = link(a), .up_node_control = 1};
    case ModifierType::AnvilLookAt:
      return AnvilLookAtModifier{
          .look_at_bone = link(a), .min_angle = -0.4f, .max_angle = 0.5f, .clamped_rotation_axis = 2};
    case ModifierType::LookAt: {
      LookAtModifier look;
      look.look_at_bone = link(b);
      return look;
    }
    case ModifierType::Follow: return FollowModifier{.associated_bone = link(c)};
    case ModifierType::Roll: return RollModifier{.roll_bone_type = 0, .roll_factor = 0.33f, .source_bone = link(a)};
    case ModifierType::Compress:
      return CompressModifier{
          .position_influence1 = 0.4f, .rotation_influence1 = 0.6f, .offset_bone1 = link(a), .offset_bone2 = link(c)};
    case ModifierType::Stretch: return StretchModifier{.target_bone = link(b), .min_scale = 0.7f, .max_scale = 1.4f};
    case ModifierType::RotationExpression: {
      RotationExpressionModifier expression{.linked_bone = link(a), .axis_constraint = 1};
      expression.expressions.push_back({.gain = 0.5f, .bias = 0.1f, .min = -0.4f, .max = 0.4f});
      return expression;
    }
    case ModifierType::RotationPaste: return RotationPasteModifier{.linked_bone = link(b)};
    case ModifierType::Fx: return FxModifier{};
    case ModifierType::Unknown: return UnknownModifier{"SomeBoneModifier"};
  }
  return UnknownModifier{};
}

}  // namespace

std::vector<ModifierType> moving_types() {
  std::vector<ModifierType> types;
  for (const ModifierRow& row : known_modifiers())
    if (row.type != ModifierType::Fx) types.push_back(row.type);
  return types;
}

Specimen specimen(ModifierType type) {
  Specimen s;
  RigBuilder& b = s.builder;
  const auto root = b.bone(kNoBone, {0, 0, 1});
  const auto arm = b.bone(root, {0.1f, 0, 0.3f}, axis_angle({1, 2, 0}, 25));
  const auto hand = b.bone(arm, {0.3f, 0.05f, 0}, axis_angle({0, 1, 1}, -20));
  const auto other = b.bone(root, {-0.1f, 0.4f, 0.1f}, axis_angle({0, 0, 1}, 60));
  s.owner = b.bone(root, {0.2f, 0, 0}, axis_angle({0, 1, 0}, 70));
  b.bone(s.owner, {0.25f, 0, 0});
  b.modifier(s.owner, lively(type, arm, hand, other));
  return s;
}

}  // namespace marrow::motion::support
