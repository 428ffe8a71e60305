// SPDX-License-Identifier: MIT
// Crowds: several characters in the lanes of one register give what each gives alone.
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <random>

#include "marrow/motion/crowd.h"
#include "support/motion_rig.h"

using namespace marrow;
using namespace marrow::motion;
using namespace marrow::motion::support;

namespace {

using Random = std::mt19937;

float between(Random& random, float low, float high) {
  return std::uniform_real_distribution<float>(low, high)(random);
}

Quat any_turn(Random& random, float degrees) {
  return axis_angle({between(random, -1, 1), between(random, -1, 1), between(random, -1, 1) + 0.01f},
                    between(random, -degrees, degrees));
}

// Chains of bones below one root, with modifiers of random types on random bones.
Rig random_rig(Random& random, bool with_colliders) {
  RigBuilder b;
  const auto root = b.bone(kNoBone, {0, 0, 1});
  for (int chain = 0; chain < 4; ++chain) {
    auto parent = root;
    for (int i = 0; i < 5; ++i)
      parent = b.bone(parent, {between(random, 0.1f, 0.3f), between(random, -0.1f, 0.1f), between(random, -0.1f, 0.1f)},
                      any_turn(random, 40));
  }
  const auto types = moving_types();
  for (int i = 0; i < 24; ++i) {
    const ModifierType type = types[random() % types.size()];
    const auto owner = static_cast<std::int32_t>(5 + random() % 16);
    Modifier& modifier = b.modifier(owner, specimen(type).builder.rig.modifiers[0].data);
    modifier.use_modified_bone_matrix = random() % 2 == 0;
    if (random() % 4 == 0) modifier.blend_weight = between(random, 0, 1);
    if (random() % 8 == 0) modifier.limit_lod_level = 1;
  }
  if (with_colliders) b.rig.ground = 0.4f;
  return b.rig;
}

struct Character {
  State state;
  std::vector<Transform> pose, output;
  std::vector<Vec3> stretch;
  std::vector<float> weights;
  Environment environment;
};

// Moves a character on: most go smoothly, some jump, fade, are scaled or stand far away.
void drive(Random& random, const RigBuilder& rest, Character& c, int frame, std::size_t index) {
  c.pose = rest.rest();
  const double t = frame / 60.0 + static_cast<double>(index);
  walk(t, c.pose[0]);
  for (std::size_t i = 1; i < c.pose.size(); ++i)
    c.pose[i].rotation =
        c.pose[i].rotation * axis_angle({0, 1, 0}, static_cast<float>(20 * std::sin(3 * t + static_cast<double>(i))));
  c.environment.wind.velocity = {between(random, -2, 2), 1, 0};
  c.environment.teleported = random() % 40 == 0;
  c.environment.lod = random() % 20 == 0 ? 2 : 0;
  if (random() % 60 == 0) c.pose[0].translation.x += 5;
  if (index == 3) c.pose[2].scale = Vec3(1.5f, 0.5f, 2.0f);
  for (float& weight : c.weights)
    weight = random() % 30 == 0 ? 0.0f : random() % 10 == 0 ? between(random, 0, 1) : 1.0f;
}

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && std::memcmp(static_cast<const void*>(a.data()), b.data(), a.size() * sizeof(T)) == 0;
}

void check_crowd(unsigned seed, std::size_t lanes, std::size_t count, bool with_colliders, const Settings& settings) {
  Random random(seed);
  RigBuilder builder;
  builder.rig = random_rig(random, with_colliders);
  const auto rig = CompiledRig::compile(builder.rig, settings);
  REQUIRE(rig.has_value());
  std::vector<Character> alone, together;
  for (std::size_t i = 0; i < count; ++i)
    alone.push_back({State(*rig),
                     builder.rest(),
                     builder.rest(),
                     std::vector<Vec3>(builder.rest().size()),
                     std::vector<float>(rig->modifier_count(), 1.0f),
                     {}});
  together = alone;
  CrowdMemory memory(*rig);
  memory.use_lanes(lanes);
  for (int frame = 0; frame < 40; ++frame) {
    const double dt = frame == 17 ? 0.0 : frame == 23 ? 0.2 : frame % 9 == 4 ? 1.0 / 24 : 1.0 / 60;
    std::vector<State*> states;
    std::vector<Environment> environments;
    std::vector<std::span<const Transform>> inputs;
    std::vector<std::span<Transform>> outputs;
    std::vector<std::span<const float>> weights;
    std::vector<std::span<Vec3>> stretch;
    for (std::size_t i = 0; i < count; ++i) {
      drive(random, builder, alone[i], frame, i);
      Character &one = alone[i], &other = together[i];
      other.pose = one.pose;
      other.weights = one.weights;
      const EvaluateJob job{.rig = &*rig,
                            .state = &one.state,
                            .environment = one.environment,
                            .delta_seconds = dt,
                            .input = one.pose,
                            .weights = one.weights,
                            .output = one.output,
                            .stretch = one.stretch};
      job.run();
      states.push_back(&other.state);
      environments.push_back(one.environment);
      inputs.push_back(other.pose);
      outputs.push_back(other.output);
      weights.push_back(other.weights);
      stretch.push_back(other.stretch);
    }
    const EvaluateCrowdJob crowd{.rig = &*rig,
                                 .memory = &memory,
                                 .states = states,
                                 .environments = environments,
                                 .delta_seconds = dt,
                                 .inputs = inputs,
                                 .weights = weights,
                                 .outputs = outputs,
                                 .stretch = stretch};
    REQUIRE(crowd.validate().has_value());
    crowd.run();
    for (std::size_t i = 0; i < count; ++i) {
      CAPTURE(seed);
      CAPTURE(lanes);
      CAPTURE(frame);
      CAPTURE(i);
      REQUIRE(same_bits(alone[i].output, together[i].output));
      REQUIRE(same_bits(alone[i].stretch, together[i].stretch));
      REQUIRE(alone[i].state.save() == together[i].state.save());
    }
  }
}

}  // namespace

TEST_CASE("a crowd of any rig does what its characters do alone, to the last bit, in any number of lanes") {
  for (unsigned seed = 1; seed <= 12; ++seed)
    for (const std::size_t lanes : {1u, 2u, 4u, 8u}) check_crowd(seed, lanes, 15, false, {});
}

TEST_CASE("a crowd follows the engine's own laws too, and other steps than the usual one") {
  for (unsigned seed = 21; seed <= 24; ++seed) {
    check_crowd(seed, 8, 8, false, {.native_law = true});
    check_crowd(seed, 4, 6, false, {.substep_seconds = 1.0 / 100});
  }
}

TEST_CASE("a crowd that collides does what its characters do alone") {
  check_crowd(31, 8, 9, true, {});
  check_crowd(32, 8, 9, false, {.self_collision = true});
}

TEST_CASE("a crowd is refused if its parts do not fit") {
  const Specimen s = specimen(ModifierType::Hinge);
  const auto rig = CompiledRig::compile(s.builder.rig),
             other = CompiledRig::compile(specimen(ModifierType::Follow).builder.rig);
  CrowdMemory memory(*rig);
  State state(*rig);
  State* states[] = {&state};
  std::vector<Transform> pose = s.builder.rest(), output = pose;
  const std::span<const Transform> inputs[] = {pose};
  const std::span<Transform> outputs[] = {output};
  const Environment environments[1];
  EvaluateCrowdJob job{.rig = &*rig,
                       .memory = &memory,
                       .states = states,
                       .environments = environments,
                       .delta_seconds = 0.1,
                       .inputs = inputs,
                       .outputs = outputs};
  CHECK(job.validate().has_value());
  job.outputs = {};
  CHECK(!job.validate().has_value());
  job.outputs = outputs;
  job.memory = nullptr;
  CHECK(!job.validate().has_value());
  job.memory = &memory;
  pose[0].translation.x = std::nanf("");
  CHECK(job.validate().error().path == "characters[0]");
}
