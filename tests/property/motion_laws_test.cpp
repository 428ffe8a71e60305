// SPDX-License-Identifier: MIT
// The frame rule, turning the world, means, rolls and aims over random poses and values.
#include "property/motion.h"

using namespace marrow;
using namespace marrow::motion;
using namespace marrow::motion::support;

namespace {

// What a type may change, and whether it adds a change or sets a value.
struct Class {
  bool adds, rotation, position;
};
Class class_of(const Modifier& modifier) {
  switch (modifier.type()) {
    case ModifierType::BallJoint:
    case ModifierType::Hinge:
    case ModifierType::HingeVector:
    case ModifierType::Pendulum:
    case ModifierType::RotationConstraint: return {true, true, false};
    case ModifierType::SpringBox: return {true, false, true};
    case ModifierType::PositionConstraint: return {false, false, true};
    case ModifierType::SplineConstraint:
    case ModifierType::Follow: return {false, true, true};
    case ModifierType::Compress: {
      const auto& compress = std::get<CompressModifier>(modifier.data);
      return {false, compress.use_rotation, compress.use_position};
    }
    case ModifierType::Stretch: return {false, false, false};
    default: return {false, true, false};
  }
}

}  // namespace

TEST_CASE("every modifier starts from where the rule says, and is blended into the bone as the rule says") {
  holds("frame rule", [] {
    const Rig rig = any_rig(kPick, {});
    const Skeleton& skeleton = rig.skeleton;
    const CompiledRig compiled = compile(rig);
    State state(compiled);
    AnyRun run = any_run(rig);
    std::vector<Trace> trace(rig.modifiers.size());
    std::vector<Transform> out = run.pose;
    for (int i = 0; i < 10; ++i) {
      run.next();
      const EvaluateJob job{.rig = &compiled,
                            .state = &state,
                            .environment = run.environment,
                            .delta_seconds = run.seconds,
                            .input = run.pose,
                            .weights = run.weights,
                            .output = out,
                            .trace = trace};
      job.run();
      const Place entity(run.environment.entity);
      std::vector<Place> locals(run.pose.begin(), run.pose.end());
      for (const std::uint32_t index : compiled.schedule()) {
        const Modifier& modifier = rig.modifiers[index];
        const Trace& told = trace[index];
        const auto owner = static_cast<std::int32_t>(modifier.owner.target);
        const auto at = static_cast<std::size_t>(owner);
        const bool past = modifier.limit_lod_level >= 0 && run.environment.lod > modifier.limit_lod_level;
        const double weight = past ? 0.0 : std::clamp<double>(modifier.blend_weight * run.weights[index], 0.0, 1.0);
        RC_ASSERT(told.ran == (weight > 0.0));
        if (!told.ran) continue;
        RC_ASSERT(std::abs(static_cast<double>(told.weight) - weight) < 1e-6);
        const Place parent = global(skeleton, locals, entity, skeleton.bones[at].parent);
        const Place current = parent * locals[at], animated = parent * Place(run.pose[at]);
        const Place input = modifier.use_modified_bone_matrix ? current : animated, target(told.target);
        RC_ASSERT(apart(Place(told.input), input) < 1e-4);
        const auto [adds, rotation, position] = class_of(modifier);
        Place expected = current;
        if (rotation) {
          const glm::dquat goal =
              adds ? current.rotation * (glm::conjugate(input.rotation) * target.rotation) : target.rotation;
          // Half a turn away there are two short ways.
          if (weight < 1.0 && std::abs(glm::dot(current.rotation, goal)) < 1e-2) RC_DISCARD("half a turn");
          expected.rotation = glm::slerp(current.rotation, goal, weight);
        }
        if (position) expected.position += (target.position - (adds ? input.position : current.position)) * weight;
        RC_ASSERT(apart(Place(told.result), expected) < 1e-3);
        locals[at] = expected.under(parent);
      }
      for (std::size_t k = 0; k < out.size(); ++k) RC_ASSERT(apart(Place(out[k]), locals[k]) < 1e-3);
    }
  });
}

namespace {

Quat narrow(const glm::dquat& q) {
  return make_quat(static_cast<float>(q.x), static_cast<float>(q.y), static_cast<float>(q.z), static_cast<float>(q.w));
}

Transform turned(const Transform& entity, const glm::dquat& turn) {
  const glm::dvec3 position = turn * glm::dvec3(entity.translation);
  return {Vec3(position), narrow(turn * wide(entity.rotation)), entity.scale};
}

// The entity a few last bits further, to either side.
Transform nudged(const Transform& entity, const Vec3& way, float sign) {
  const Vec3 by = way * (1e-6f * sign);
  return {entity.translation + by, glm::normalize(entity.rotation * make_quat(by.x, by.y, by.z, 1)), entity.scale};
}

// The same frames twice, once in a world that is turned: bones, which are given out local, do the same in both.
void turn_the_world(Rig rig, const glm::dquat& turn, bool gravity_too) {
  calm(rig);
  const CompiledRig compiled = compile(rig, {.self_collision = kPick(0, 2) == 0});
  State state(compiled), turned_state(compiled);
  std::vector<State> nudged_states(4, State(compiled));
  AnyRun any = any_run(rig);
  int frames_apart = 0;
  for (int i = 0; i < kFrames / 2; ++i) {
    any.next();
    AnyRun run = any;
    // Entities are floats: far from the origin their rounding is a speed that what hangs on them feels.
    run.environment.entity.translation *= 0.02f;
    run.pose[0].translation *= 0.05f;
    AnyRun other = run;
    other.environment.entity = turned(run.environment.entity, turn);
    other.environment.wind.velocity = Vec3(turn * glm::dvec3(run.environment.wind.velocity));
    if (gravity_too) other.environment.gravity = Vec3(turn * glm::dvec3(run.environment.gravity));
    const auto out = evaluate(compiled, state, run), out_turned = evaluate(compiled, turned_state, other);
    // Where a nudge decides, at a half turn or on the edge of a limit, rounding does too: no evidence either way.
    const Vec3 ways[] = {any_vector(any.choose, 1), any_vector(any.choose, 1)};
    for (std::size_t k = 0; k < nudged_states.size(); ++k) {
      AnyRun near = run;
      near.environment.entity = nudged(run.environment.entity, ways[k / 2], k % 2 == 0 ? 1.0f : -1.0f);
      if (apart(out, evaluate(compiled, nudged_states[k], near)) > 1e-3) RC_DISCARD("rounding decides");
    }
    if (apart(out, out_turned) > 1e-2) ++frames_apart;
  }
  // A law that does not turn with the world is off in every frame; one or two may have met a half turn all the same.
  RC_ASSERT(frames_apart <= 2);
}

}  // namespace

TEST_CASE("turning the entity about the vertical, and the wind with it, turns everything") {
  holds("yaw", [] {
    Rig rig = any_rig(kPick, {});
    // What is given in the world does not turn: only its vertical part is the same in both.
    const auto upright = [](Vec4& v) { v = {0, 0, v.z, 0}; };
    change<HingeModifier>(rig, [&](HingeModifier& m) {
      if (m.gravity_associated_bone.is_null()) upright(m.gravity);
    });
    change<RotationConstraintModifier>(rig, [&](RotationConstraintModifier& m) { upright(m.gravity); });
    change<SpringBoxModifier>(rig, [&](SpringBoxModifier& m) { upright(m.force); });
    change<MaxLookAtModifier>(rig, [&](MaxLookAtModifier& m) { m.source_axis = m.source_axis < 3 ? 2 : 5; });
    turn_the_world(rig, glm::angleAxis(kPick(-180, 180) * kPi / 180, glm::dvec3(0, 0, 1)), false);
  });
}

TEST_CASE("turning the whole world, with gravity or under gravity that is the character's own, changes nothing in it") {
  holds("any turn", [] {
    Rig rig = any_rig(kPick, {});
    const bool own = kPick(0, 2) == 0;
    change<BallJointModifier>(rig, [&](BallJointModifier& m) { m.gravity_mode = own ? 1 : m.gravity_mode; });
    change<PendulumModifier>(rig, [&](PendulumModifier& m) {
      m.gravity_axis = own ? 1 : 0;
      m.fake_centrifugal_force = 0.0f;  // is about the vertical
    });
    change<HingeModifier>(rig, [&](HingeModifier& m) {
      if (m.gravity_associated_bone.is_null()) m.gravity_associated_bone = link(0);
    });
    change<RotationConstraintModifier>(rig, [&](RotationConstraintModifier& m) { m.gravity = Vec4(0.0f); });
    change<SpringBoxModifier>(rig, [&](SpringBoxModifier& m) { m.force = Vec4(0.0f); });
    change<MaxLookAtModifier>(rig, [&](MaxLookAtModifier& m) {
      if (m.up_node.is_null()) m.up_node = link(0);
      m.up_node_control = 1;  // toward a node in the same place falls back on the world
    });
    // Compares where gravity is with where it was at rest, in the world.
    change<RotationExpressionModifier>(rig, [&](RotationExpressionModifier& m) { m.gravity_bone = {}; });
    turn_the_world(rig, wide(any_rotation(kPick)), !own);
  });
}

TEST_CASE(
    "a constraint does not depend on the order of its targets, the scale of their weights, or targets without any") {
  holds("means", [] {
    const auto type = *rc::gen::element(ModifierType::PositionConstraint, ModifierType::OrientationConstraint);
    Alone alone(type);
    const auto bones = static_cast<std::int32_t>(alone.rig.skeleton.bones.size());
    std::vector<std::tuple<BoneLink, bool, int>> targets;
    for (int i = kPick(1, 7); i > 0; --i) targets.emplace_back(link(kPick(0, bones)), kPick(0, 2) == 1, kPick(0, 100));
    AnyRun run = any_run(alone.rig);
    for (int i = 0; i < 5; ++i) run.next();
    std::ranges::fill(run.weights, 1.0f);
    const auto result = [&](int scale, bool padded) {
      Rig rig = alone.rig;
      ConstraintTargets list;
      const auto add = [&](const BoneLink& bone, bool keep, int weight) {
        list.targets.push_back(bone);
        list.keep_initial_offset.push_back(keep);
        list.weights.push_back(static_cast<float>(weight * scale));
      };
      for (const auto& [bone, keep, weight] : targets) {
        if (padded) add(link(0), true, 0);
        if (padded) add({}, false, 7);
        if (weight > 0 || padded) add(bone, keep, weight);
      }
      std::visit(
          [&](auto& data) {
            if constexpr (std::is_base_of_v<ConstraintTargets, std::remove_cvref_t<decltype(data)>>)
              static_cast<ConstraintTargets&>(data) = list;
          },
          rig.modifiers[0].data);
      const CompiledRig compiled = compile(rig);
      State state(compiled);
      return evaluate(compiled, state, run);
    };
    const auto once = result(1, false);
    RC_ASSERT(same_bits(result(kPick(1, 1000), false), once));
    RC_ASSERT(same_bits(result(1, true), once));
    auto choose = chooser(*rc::gen::arbitrary<std::uint32_t>());
    for (auto i = static_cast<std::int32_t>(targets.size()) - 1; i > 0; --i)
      std::swap(targets[static_cast<std::size_t>(i)], targets[static_cast<std::size_t>(choose(0, i + 1))]);
    RC_ASSERT(same_bits(result(1, false), once));
  });
}

TEST_CASE("a counter-roll child keeps its factor of the source's twist, however the source swings") {
  holds("roll", [] {
    RigBuilder b;
    const auto root = b.bone(kNoBone, any_vector(kPick, 1), any_rotation(kPick));
    const auto source = b.bone(root, any_vector(kPick, 1), any_rotation(kPick));
    const auto child = b.bone(source, any_vector(kPick, 1));
    const float factor = static_cast<float>(kPick(0, 101)) / 100.0f;
    b.modifier(child,
               RollModifier{.roll_bone_type = kPick(0, 2) * 2, .roll_factor = factor, .source_bone = link(source)});
    AnyRun run(b.rig, kPick);
    run.pose[1].rotation = any_rotation(kPick);
    const CompiledRig compiled = compile(b.rig);
    State state(compiled);
    const auto out = evaluate(compiled, state, run);
    const auto twist = [&](const glm::dquat& q) {
      if (std::hypot(q.x, q.w) < 0.1) RC_DISCARD("no twist to be told");
      return std::remainder(2 * std::atan2(q.x, q.w), 2 * kPi);
    };
    const glm::dquat rest = wide(b.rest()[1].rotation), before = glm::conjugate(rest) * wide(run.pose[1].rotation);
    const double after = twist(before * wide(out[2].rotation));
    RC_ASSERT(std::abs(std::remainder(after - static_cast<double>(factor) * twist(before), 2 * kPi)) < 1e-5);
  });
}

TEST_CASE("a look-at aims within 1e-5 rad and holds up as near as it goes, whatever the axes and the pose") {
  holds("aim", [] {
    Alone alone(ModifierType::MaxLookAt);
    auto& look = alone.data<MaxLookAtModifier>();
    look.up_used_axis = (look.look_at_used_axis + kPick(1, 3)) % 3 + 3 * kPick(0, 2);
    RC_PRE(!look.look_at_bone.is_null());
    const Skeleton& skeleton = alone.rig.skeleton;
    const auto owner = static_cast<std::int32_t>(alone.owner),
               target = static_cast<std::int32_t>(look.look_at_bone.target);
    alone.run([&](const AnyRun& run, const glm::dquat& turn, const Transform&, const Vec3&) {
      const std::vector<Place> locals(run.pose.begin(), run.pose.end());
      const Place entity(run.environment.entity), before = global(skeleton, locals, entity, owner);
      // What is looked at may hang on the bone itself: it is seen where it was.
      const Place seen = global(skeleton, locals, entity, target);
      const glm::dvec3 toward = seen.position + seen.rotation * glm::dvec3(look.look_at_pos_offset) - before.position;
      if (glm::length(toward) < 0.05) return;
      const glm::dvec3 forward = glm::normalize(toward);
      const glm::dquat after = before.rotation * turn;
      RC_ASSERT(angle_between(after * axis(look.look_at_used_axis), forward) < 1e-5);
      if (!look.up_node.is_null() && look.up_node_control != 0) return;
      const glm::dvec3 up = axis(look.source_axis), level = up - forward * glm::dot(up, forward);
      if (glm::length(level) <= 0.05) return;
      // Which way round the rest pose decides: an axis that is down there is held down.
      const double off = angle_between(after * axis(look.up_used_axis), level);
      RC_ASSERT(std::min(off, kPi - off) < 1e-5);
    });
  });
}

TEST_CASE("a look-at of the games without limits aims as exactly, up from its parent") {
  holds("anvil aim", [] {
    Alone alone(*rc::gen::element(ModifierType::AnvilLookAt, ModifierType::LookAt));
    auto& data = alone.rig.modifiers[0].data;
    AnvilLookAtModifier& look = std::holds_alternative<LookAtModifier>(data) ? std::get<LookAtModifier>(data)
                                                                             : std::get<AnvilLookAtModifier>(data);
    RC_PRE(!look.look_at_bone.is_null());
    look.min_angle = look.max_angle = 0.0f;
    const Skeleton& skeleton = alone.rig.skeleton;
    const auto owner = static_cast<std::int32_t>(alone.owner),
               target = static_cast<std::int32_t>(look.look_at_bone.target);
    alone.run([&](const AnyRun& run, const glm::dquat& turn, const Transform&, const Vec3&) {
      const std::vector<Place> locals(run.pose.begin(), run.pose.end());
      const Place entity(run.environment.entity), before = global(skeleton, locals, entity, owner);
      const Place seen = global(skeleton, locals, entity, target);
      const Place parent = global(skeleton, locals, entity, skeleton.bones[alone.owner].parent);
      const glm::dvec3 toward = seen.position + seen.rotation * glm::dvec3(look.look_at_pos_offset) - before.position;
      if (glm::length(toward) < 0.05) return;
      const glm::dvec3 forward = glm::normalize(toward);
      const glm::dquat after = before.rotation * turn;
      RC_ASSERT(angle_between(after * axis(look.look_at_used_axis), forward) < 1e-5);
      if (look.look_at_used_axis % 3 == look.parent_up_axis % 3) return;
      const glm::dvec3 up = parent.rotation * axis(look.parent_up_axis), level = up - forward * glm::dot(up, forward);
      if (glm::length(level) > 0.05) RC_ASSERT(angle_between(after * axis(look.parent_up_axis), level) < 1e-5);
    });
  });
}
