// SPDX-License-Identifier: MIT
#include "support/any_rig.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "model/modifiers_fields.h"

namespace marrow::motion::support {
namespace {

float between(const Choose& choose, float low, float high) {
  return low + (high - low) * (static_cast<float>(choose(0, 10'001)) / 10'000.0f);
}

struct Range {
  std::string_view field;
  float low, high;
};
// What an author could have meant; any other field is between -1 and 1.
constexpr Range kLively[] = {{"Mass", 0.05f, 3},
                             {"CollisionRadius", 0, 0.1f},
                             {"ConstraintAngle", 2, 170},
                             {"ConstraintScaleY", 0, 1},
                             {"ConstraintScaleZ", 0, 1},
                             {"MechanicalFriction", 0, 6},
                             {"AirFriction", 0, 3},
                             {"Friction", 0, 6},
                             {"WindRandomFactor", 0, 1},
                             {"LocalYawOft", -180, 180},
                             {"LocalPitchOft", -180, 180},
                             {"LocalRollOft", -180, 180},
                             {"LagFactor", 0, 0.6f},
                             {"WeightFactor", 0, 0.9f},
                             {"DeltaMinDamping", 0, 0.5f},
                             {"DeltaMaxDamping", 0, 0.5f},
                             {"EffectRampDownMaxAngle", 0, 3},
                             {"EffectRampDownMaxDistance", 0, 4},
                             {"GravityScale", 0, 2},
                             {"Length", 0.05f, 1},
                             {"Stiffness", 0, 500},
                             {"Damping", 0, 3},
                             {"Inertia", 0, 0.3f},
                             {"PositionInfluence1", 0, 1},
                             {"RotationInfluence1", 0, 1},
                             {"RollFactor", 0, 1},
                             {"MinScale", 0.1f, 1},
                             {"MaxScale", 1, 4},
                             {"Weights", 0, 3},
                             {"HingeTargetWeights", 0, 3}};

constexpr float kExtreme[] = {0.0f,   -0.0f,  1.0f,   -1.0f,   0.5f,   1e-6f,
                              -1e-6f, 1e-3f,  89.0f,  -300.0f, 1e6f,   -1e6f,
                              1e12f,  1e-30f, 3e-42f, 1e30f,   -1e30f, std::numeric_limits<float>::max()};

float any_number(const Choose& choose, Values values, const Range& lively) {
  const std::int32_t kind = values == Values::Lively ? 0 : choose(0, 4);
  if (kind == 1) return kExtreme[choose(0, static_cast<std::int32_t>(std::size(kExtreme)))];
  if (kind == 2) {
    const auto high = static_cast<std::uint32_t>(choose(0, 0x10000)),
               low = static_cast<std::uint32_t>(choose(0, 0x10000));
    const auto number = std::bit_cast<float>(high << 16 | low);
    if (values == Values::Any || std::isfinite(number)) return number;
  }
  return between(choose, lively.low, lively.high);
}

// Fills every field of a modifier.
struct Filler {
  const Choose& choose;
  Values values;
  std::int32_t bones;

  float number(const Field& field) const {
    for (const Range& range : kLively)
      if (range.field == field.name) return any_number(choose, values, range);
    return any_number(choose, values, {"", -1, 1});
  }

  void operator()(const Field& field, float& value) const { value = number(field); }
  void operator()(const Field&, bool& value) const { value = choose(0, 2) == 1; }
  void operator()(const Field&, std::uint8_t& value) const { value = static_cast<std::uint8_t>(choose(0, 256)); }
  void operator()(const Field& field, std::int32_t& value) const {
    const auto words = field.words ? static_cast<std::int32_t>(field.words->words.size()) : 3;
    value = values == Values::Lively ? choose(0, words) : choose(-2, words + 2);
  }
  void operator()(const Field&, std::uint32_t& value) const { value = static_cast<std::uint32_t>(choose(0, 1000)); }
  void operator()(const Field& field, Vec4& value) const {
    const float reach = field.name.find("ravity") != std::string_view::npos ? 40.0f : 1.0f;
    for (int i = 0; i < 4; ++i) value[i] = any_number(choose, values, {"", -reach, reach});
  }
  void operator()(const Field&, Quat& value) const {
    value = any_rotation(choose);
    if (values != Values::Lively && choose(0, 3) == 0)
      for (int i = 0; i < 4; ++i) value[i] = any_number(choose, values, {"", -1, 1});
  }
  void operator()(const Field&, BoneLink& value) const {
    // Index `bones` would lie outside the skeleton.
    const std::int32_t bone = choose(-1, values == Values::Any && choose(0, 64) == 0 ? bones + 1 : bones);
    value = bone < 0 ? BoneLink{} : BoneLink{static_cast<std::uint64_t>(bone)};
  }
  void operator()(const Field&, FileReference& value) const { value.id = static_cast<std::uint64_t>(choose(0, 3)); }
  template <class Item>
  void operator()(const Field& field, std::vector<Item>& list) const {
    list.clear();
    for (std::int32_t i = choose(0, 5); i > 0; --i) {
      Item item{};
      if constexpr (std::is_same_v<Item, Hinge>)
        walk_fields(hinge_fields(), item, *this);
      else if constexpr (std::is_same_v<Item, RotationExpression>)
        walk_fields(rotation_expression_fields(), item, *this);
      else
        (*this)(field, item);
      list.push_back(std::move(item));
    }
  }
};

}  // namespace

Choose chooser(std::uint32_t seed) {
  return [random = std::mt19937(seed)](std::int32_t low, std::int32_t high) mutable {
    return high <= low ? low : low + static_cast<std::int32_t>(random() % static_cast<std::uint32_t>(high - low));
  };
}

Vec3 any_vector(const Choose& choose, float reach) {
  const float x = between(choose, -reach, reach), y = between(choose, -reach, reach);
  return {x, y, between(choose, -reach, reach)};
}

Quat any_rotation(const Choose& choose) {
  const Vec3 v = any_vector(choose, 1.0f);
  const Quat q = make_quat(v.x, v.y, v.z, between(choose, -1.0f, 1.0f));
  const float length = std::sqrt(glm::dot(q, q));
  return length > 1e-3f ? q / length : make_quat(0, 0, 0, 1);
}

Modifier any_modifier(const Choose& choose, ModifierType type, std::int32_t bones, Values values) {
  Modifier modifier = make_modifier(type);
  const Filler filler{choose, values, bones};
  std::visit([&](auto& data) { walk_fields(modifier_fields(type), data, filler); }, modifier.data);
  return modifier;
}

Rig any_rig(const Choose& choose, const AnyRigOptions& options) {
  Rig rig;
  const std::int32_t bones = choose(1, options.most_bones + 1);
  for (std::int32_t i = 0; i < bones; ++i) {
    Bone bone;
    bone.name = "Bone" + std::to_string(i);
    bone.parent = i == 0 ? kNoBone : choose(i > 1 && choose(0, 8) == 0 ? kNoBone : 0, i);
    // Some bones sit on their parent.
    if (choose(0, 8) != 0) bone.rest.translation = any_vector(choose, 0.6f);
    bone.rest.rotation = any_rotation(choose);
    if (options.values != Values::Lively && choose(0, 8) == 0) {
      const auto axis = choose(0, 3);
      bone.rest.translation[axis] = any_number(choose, options.values, {"", -1, 1});
      bone.rest.scale[axis] = any_number(choose, options.values, {"", -1, 1});
    }
    rig.skeleton.bones.push_back(std::move(bone));
    rig.solving_priority.push_back(static_cast<std::uint8_t>(choose(0, 3)));
  }
  if (choose(0, 4) == 0) rig.solving_priority.clear();
  if (choose(0, 4) == 0) rig.along_bone = directions_along_bones(rig.skeleton);
  const std::int32_t count = choose(0, options.most_modifiers + 1);
  for (std::int32_t i = 0; i < count; ++i) {
    const auto type = static_cast<ModifierType>(choose(0, static_cast<std::int32_t>(kModifierTypeCount) - 1));
    Modifier modifier = any_modifier(choose, type, bones, options.values);
    modifier.id = 100 + static_cast<std::uint64_t>(i);
    modifier.owner = {static_cast<std::uint64_t>(choose(0, bones))};
    modifier.blend_weight = choose(0, 2) == 0 ? 1.0f : any_number(choose, options.values, {"", 0, 1});
    modifier.use_modified_bone_matrix = choose(0, 2) == 1;
    modifier.limit_lod_level = choose(-1, 3);
    rig.modifiers.push_back(std::move(modifier));
  }
  return rig;
}

AnyRun::AnyRun(const Rig& rig, Choose choices, Values kind)
    : choose(std::move(choices)), values(kind), weights(rig.modifiers.size(), 1.0f) {
  for (const Bone& bone : rig.skeleton.bones) pose.push_back(bone.rest);
  environment.wind = {.gust_share = 0.5f, .gusts_per_second = 2.0f, .gust_seed = 7};
}

void AnyRun::next() {
  const std::int32_t event = choose(0, 100);
  const auto turn = [&](Quat& rotation, float reach) {
    const Vec3 v = any_vector(choose, reach);
    rotation = glm::normalize(rotation * make_quat(v.x, v.y, v.z, 1.0f));
  };
  const float reach = event < 3 ? 5.0f : 0.05f;
  pose[0].translation = glm::clamp(pose[0].translation + any_vector(choose, reach), Vec3(-20.0f), Vec3(20.0f));
  environment.entity.translation =
      glm::clamp(environment.entity.translation + any_vector(choose, reach), Vec3(-50.0f), Vec3(50.0f));
  turn(pose[0].rotation, event < 6 ? 3.0f : 0.05f);
  turn(environment.entity.rotation, event == 6 ? 3.0f : 0.03f);
  const auto bone = static_cast<std::size_t>(choose(0, static_cast<std::int32_t>(pose.size())));
  turn(pose[bone].rotation, event == 7 ? 3.0f : 0.1f);
  pose[bone].translation += any_vector(choose, 0.02f);
  if (values != Values::Lively && event == 8) {
    const auto axis = choose(0, 3);
    pose[bone].translation[axis] = any_number(choose, Values::Extreme, {"", -1, 1});
    pose[bone].scale[axis] = any_number(choose, Values::Extreme, {"", -1, 1});
  }
  environment.teleported = event == 9;
  environment.wind.velocity = any_vector(choose, 9.0f);
  environment.lod = event < 20 ? choose(0, 4) : 0;
  if (event < 30)
    for (float& weight : weights) weight = choose(0, 3) == 0 ? 0.0f : between(choose, 0.0f, 1.0f);
  // Poses jump from frame to frame: in next to no time they would do so at speeds where rounding decides.
  const float least = values == Values::Lively ? 0.004f : 0.0f;
  seconds = event < 12 ? between(choose, least, 0.5f) : event < 16 ? 0.0 : between(choose, least, 0.05f);
}

std::vector<Transform> evaluate(const CompiledRig& compiled, State& state, const AnyRun& run, std::span<Vec3> stretch) {
  std::vector<Transform> output(run.pose.size());
  const EvaluateJob job{.rig = &compiled,
                        .state = &state,
                        .environment = run.environment,
                        .delta_seconds = run.seconds,
                        .input = run.pose,
                        .weights = run.weights,
                        .output = output,
                        .stretch = stretch};
  // A pose that is refused stays as it is.
  if (!job.validate()) return run.pose;
  job.run();
  return output;
}

bool same_bits(const std::vector<Transform>& a, const std::vector<Transform>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(Transform)) == 0;
}

bool all_finite(const std::vector<Transform>& pose) {
  for (const Transform& t : pose)
    for (int i = 0; i < 10; ++i) {
      float number = 0.0f;
      std::memcpy(&number, reinterpret_cast<const std::byte*>(&t) + sizeof(float) * static_cast<std::size_t>(i),
                  sizeof(float));
      if (!std::isfinite(number)) return false;
    }
  return true;
}

double apart(const std::vector<Transform>& a, const std::vector<Transform>& b) {
  double most = a.size() == b.size() ? 0.0 : std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    const double turned = static_cast<double>(angle_degrees(a[i].rotation, b[i].rotation)) / 57.29577951;
    const glm::dvec3 p(a[i].translation), q(b[i].translation);
    most = std::max({most, turned, glm::length(p - q) / std::max({1.0, glm::length(p), glm::length(q)})});
  }
  return most;
}

}  // namespace marrow::motion::support
