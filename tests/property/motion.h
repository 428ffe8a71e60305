// SPDX-License-Identifier: MIT
#pragma once

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

#include "support/any_rig.h"
#include "support/motion_rig.h"

// What the properties of modifiers share.
namespace marrow::motion::support {

inline constexpr double kPi = std::numbers::pi;
inline constexpr int kFrames = 40;

// Choices that rapidcheck makes, from the whole range at once, and makes smaller where a law fails.
inline const Choose kPick = [](std::int32_t low, std::int32_t high) {
  return high <= low + 1 ? low : *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(low, high));
};

inline void holds(const char* law, const std::function<void()>& property) { CHECK(rc::check(law, property)); }

inline CompiledRig compile(const Rig& rig, const Settings& settings = {}) {
  // Of a failure rapidcheck reports its choices: this shows what they made.
  for (const Modifier& m : rig.modifiers)
    RC_LOG() << class_name(m) << " on " << rig.skeleton.bones[m.owner.target].name << ", BlendWeight " << m.blend_weight
             << ", UseModifiedBoneMatrix " << m.use_modified_bone_matrix << std::endl;
  auto compiled = CompiledRig::compile(rig, settings);
  RC_PRE(compiled.has_value());
  return std::move(*compiled);
}

inline AnyRun any_run(const Rig& rig, Values values = Values::Lively) {
  return AnyRun(rig, chooser(*rc::gen::arbitrary<std::uint32_t>()), values);
}

inline glm::dquat wide(const Quat& q) { return glm::normalize(glm::dquat(q.w, q.x, q.y, q.z)); }

template <class Data, class Change>
void change(Rig& rig, Change&& by) {
  for (Modifier& modifier : rig.modifiers)
    if (auto* data = std::get_if<Data>(&modifier.data)) by(*data);
}

// Leaves out what makes a whole motion hang on the last bit of one frame: rods that point straight back from their
// cone or are thrown about in it like a billiard ball, and soft zones that begin where a limit has just put the angle.
inline void calm(Rig& rig) {
  change<BallJointModifier>(rig, [](BallJointModifier& m) {
    m.constraint_angle = 4.0f + 0.3f * m.constraint_angle;
    m.mechanical_friction += 3.0f;
    m.mass = std::max(m.mass, 0.3f);
  });
  change<PendulumModifier>(rig, [](PendulumModifier& m) { m.friction += 2.0f; });
  change<RotationConstraintModifier>(rig, [](RotationConstraintModifier& m) {
    for (Hinge& range : m.constraints) range.delta_min_damping = range.delta_max_damping = 0.0f;
  });
}

// A place in the world as the laws of section "one frame" have it, without anything that makes it fast.
struct Place {
  glm::dvec3 position{0.0};
  glm::dquat rotation{1, 0, 0, 0};

  explicit Place(const Transform& t) : position(t.translation), rotation(wide(t.rotation)) {}
  Place(const glm::dvec3& p, const glm::dquat& r) : position(p), rotation(r) {}
  Place operator*(const Place& child) const {
    return {position + rotation * child.position, rotation * child.rotation};
  }
  Place under(const Place& parent) const {
    const glm::dquat back = glm::conjugate(parent.rotation);
    return {back * (position - parent.position), back * rotation};
  }
};

inline double apart(const Place& a, const Place& b) {
  const glm::dquat q = glm::conjugate(a.rotation) * b.rotation;
  const double turned = 2 * std::atan2(glm::length(glm::dvec3(q.x, q.y, q.z)), std::abs(q.w));
  return std::max(turned, glm::length(a.position - b.position) / std::max(1.0, glm::length(a.position)));
}

inline Place global(const Skeleton& skeleton, const std::vector<Place>& locals, const Place& entity,
                    std::int32_t bone) {
  if (bone == kNoBone) return entity;
  const auto index = static_cast<std::size_t>(bone);
  return global(skeleton, locals, entity, skeleton.bones[index].parent) * locals[index];
}

inline glm::dvec3 axis(int index) {
  glm::dvec3 v(0.0);
  v[index % 3] = index >= 3 ? -1.0 : 1.0;
  return v;
}

inline double angle_between(const glm::dvec3& a, const glm::dvec3& b) {
  return std::atan2(glm::length(glm::cross(a, b)), glm::dot(a, b));
}

// One modifier at full weight on some bone of a random tree, and a run of it.
struct Alone {
  Rig rig;
  std::size_t owner;

  explicit Alone(ModifierType type) : rig(any_rig(kPick, {.most_modifiers = 0})) {
    const auto bones = static_cast<std::int32_t>(rig.skeleton.bones.size());
    Modifier modifier = any_modifier(kPick, type, bones);
    modifier.owner = link(kPick(0, bones));
    owner = modifier.owner.target;
    rig.modifiers = {std::move(modifier)};
  }
  template <class Data>
  Data& data() {
    return std::get<Data>(rig.modifiers[0].data);
  }
  // Calls `measure(run, turn, out)` after every frame in which time passed; `turn` is what the modifier added.
  template <class Measure>
  void run(Measure&& measure) const {
    // Long steps that are computed, not only those that reset.
    const CompiledRig compiled =
        compile(rig, {.reset_seconds = *rc::gen::element(0.1, 10.0), .reset_distance = *rc::gen::element(2.0, 1e9)});
    RC_PRE(!compiled.schedule().empty());
    State state(compiled);
    AnyRun run = any_run(rig);
    std::vector<Vec3> stretch(run.pose.size());
    for (int i = 0; i < kFrames; ++i) {
      run.next();
      std::ranges::fill(run.weights, 1.0f);
      const auto out = evaluate(compiled, state, run, stretch);
      if (run.seconds > 0.0)
        measure(run, glm::conjugate(wide(run.pose[owner].rotation)) * wide(out[owner].rotation), out[owner],
                stretch[owner]);
    }
  }
};

}  // namespace marrow::motion::support
