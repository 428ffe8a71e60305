// SPDX-License-Identifier: MIT
// Bone modifiers: how far a result depends on the frame rate, and what a frame costs.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <numbers>
#include <string>
#include <string_view>
#include <utility>

#include "marrow/model/modifiers.h"
#include "marrow/model/pose.h"
#include "marrow/motion/crowd.h"
#include "support/motion_rig.h"

using namespace marrow;
using namespace marrow::motion;
using namespace marrow::motion::support;

namespace {

constexpr double kSeconds = 4.0;
constexpr double kReference = 4800.0;

// Root mean square over the frames at 24 fps (or the rate's own times): degrees of the rotation, millimetres of the
// translation.
double difference(const Drive& drive, const Rig& rig, std::int32_t bone, double rate, const Settings& settings,
                  const std::vector<std::vector<Transform>>& reference, bool millimetres) {
  const auto frames = run(rig, rate, kSeconds, drive, settings);
  const auto stride = static_cast<std::size_t>(kReference / rate);
  double sum = 0.0;
  const auto index = static_cast<std::size_t>(bone);
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const Transform &a = frames[i][index], &b = reference[i * stride][index];
    const double e = millimetres ? 1000.0 * glm::length(a.translation - b.translation)
                                 : static_cast<double>(angle_degrees(a.rotation, b.rotation));
    sum += e * e;
  }
  return std::sqrt(sum / static_cast<double>(frames.size()));
}

struct Case {
  std::string name;
  ModifierData data;
  bool native = false;
  bool millimetres = false;
  Drive drive = [](double t, auto& pose, auto&) { walk(t, pose[0]); };
};

// Far enough for a cone of 15 degrees to be hit on both sides, or to be gone round.
void shake(double t, std::vector<Transform>& pose, Environment&) {
  pose[0].translation.x += static_cast<float>(0.3 * std::sin(2.0 * std::numbers::pi * 1.5 * t));
}
void circle(double t, std::vector<Transform>& pose, Environment&) {
  pose[0].translation.x += static_cast<float>(0.1 * std::sin(2.0 * std::numbers::pi * 1.2 * t));
  pose[0].translation.y += static_cast<float>(0.07 * std::sin(2.0 * std::numbers::pi * 0.8 * t));
}

// A bone with the modifier, hanging from a root that is driven, with a child for its length.
Rig hanging(const ModifierData& data, std::int32_t& owner) {
  RigBuilder builder;
  const auto root = builder.bone(kNoBone, {0, 0, 1});
  owner = builder.bone(root, {0.15f, 0, 0.1f}, axis_angle({0, 1, 0}, 90));
  builder.bone(owner, {0.3f, 0, 0});
  builder.modifier(owner, data);
  return builder.rig;
}

void frame_rate_row(const Case& c) {
  std::int32_t owner = 0;
  const Rig rig = hanging(c.data, owner);
  // Each against its own law at a step of 1/4800 s.
  const Settings coarse{.native_law = c.native}, fine{.substep_seconds = 1.0 / kReference, .native_law = c.native};
  const auto reference = run(rig, kReference, kSeconds, c.drive, fine);
  std::printf("%-46s", c.name.c_str());
  for (const double rate : {24.0, 30.0, 60.0, 120.0, 240.0})
    std::printf(" %8.4f", difference(c.drive, rig, owner, rate, coarse, reference, c.millimetres));
  std::printf("\n");
}

double engine_beside_ours(const HingeModifier& hinge) {
  std::int32_t owner = 0;
  const Case c{"", hinge};
  const Rig rig = hanging(hinge, owner);
  const auto ours = run(rig, 60.0, kSeconds, c.drive), engine = run(rig, 60.0, kSeconds, c.drive, {.native_law = true});
  double sum = 0.0;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    const auto index = static_cast<std::size_t>(owner);
    const double e = angle_degrees(ours[i][index].rotation, engine[i][index].rotation);
    sum += e * e;
  }
  return std::sqrt(sum / static_cast<double>(ours.size()));
}

void frame_rates() {
  HingeModifier hinge{.lag_factor = 0.4f,
                      .weight_factor = 0.4f,
                      .gravity = {0, 0, -65, 0},
                      .axis_constraint_type = 1,
                      .axis_look_at_type = 0};
  Hinge stop;
  stop.min_angle = -0.7853982f;
  stop.max_angle = 0.7853982f;
  stop.delta_min_damping = 0.7853982f;
  hinge.constraints = {stop};
  const BallJointModifier free{.mass = 1, .constraint_angle = 180, .mechanical_friction = 1.5f, .air_friction = 0.25f};
  BallJointModifier held = free;
  held.constraint_angle = 15.0f;
  BallJointModifier narrow = held;
  narrow.constraint_angle = 2.0f;
  const PendulumModifier pendulum{.friction = 0.5f, .air_friction = 0.2f, .length = 0.3f};
  const SpringBoxModifier soft{.stiffness = 200, .damping = 10}, stiff{.stiffness = 4000, .damping = 60};
  const RotationConstraintModifier rotation{.inertia = 1.0f / 12.0f, .damping = 0.4f};
  std::printf("rms difference from the same law at %.0f steps per second, walking anchor, %.0f s\n", kReference,
              kSeconds);
  std::printf("%-46s %8s %8s %8s %8s %8s\n", "", "24 fps", "30", "60", "120", "240");
  for (const Case& c :
       {Case{"Hinge, engine's law (deg)", hinge, true}, Case{"Hinge (deg)", hinge}, Case{"BallJoint, free (deg)", free},
        Case{"BallJoint, 15 degree cone, both stops (deg)", held, false, false, shake},
        Case{"BallJoint, 15 degree cone, round its rim (deg)", held, false, false, circle},
        Case{"BallJoint, 2 degree cone, both stops (deg)", narrow, false, false, shake},
        Case{"BallJoint, 2 degree cone, round its rim (deg)", narrow, false, false, circle},
        Case{"BallJoint, 2 degree cone, walking (deg)", narrow}, Case{"Pendulum (deg)", pendulum},
        Case{"SpringBox k=200 c=10, engine's law (mm)", soft, true, true},
        Case{"SpringBox k=200 c=10 (mm)", soft, false, true},
        Case{"SpringBox k=4000 c=60, engine's law (mm)", stiff, true, true},
        Case{"SpringBox k=4000 c=60 (mm)", stiff, false, true},
        Case{"RotationConstraint 12 rad/s, 0.4 (deg)", rotation}})
    frame_rate_row(c);
  std::printf("engine's hinge beside ours, both at 60 fps: %.3f deg rms\n", engine_beside_ours(hinge));
}

// Processor time, so that other programs on the machine do not count.
template <class Work>
double seconds_of(Work&& work) {
  const std::clock_t start = std::clock();
  work();
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

// A character of many frames at 60 fps; returns seconds per frame.
double cost_of(const Rig& rig, int characters, int frames) {
  const auto compiled = CompiledRig::compile(rig);
  std::vector<State> states;
  states.emplace_back(*compiled);
  while (states.size() < static_cast<std::size_t>(characters)) {
    State next(*compiled, states.front());
    states.push_back(std::move(next));
  }
  std::vector<Transform> rest;
  for (const Bone& bone : rig.skeleton.bones) rest.push_back(bone.rest);
  std::vector<Transform> output = rest;
  const auto frame = [&](int i) {
    std::vector<Transform>& pose = rest;
    pose[0].translation.x = 0.1f * std::sin(0.1f * static_cast<float>(i));
    for (State& state : states) {
      const EvaluateJob job{
          .rig = &*compiled, .state = &state, .delta_seconds = 1.0 / 60.0, .input = pose, .output = output};
      job.run();
    }
  };
  for (int i = 0; i < 10; ++i) frame(i);
  return seconds_of([&] {
           for (int i = 10; i < 10 + frames; ++i) frame(i);
         }) /
         frames;
}

// 255 bones in 15 chains, 200 modifiers of all types in equal parts.
Rig crowd_rig(int modifiers) {
  RigBuilder b;
  const auto root = b.bone(kNoBone, {0, 0, 1});
  std::vector<std::int32_t> bones;
  for (int chain = 0; chain < 15; ++chain) {
    std::int32_t parent = root;
    for (int i = 0; i < 17 && b.rig.skeleton.bones.size() < 255; ++i) {
      parent = b.bone(parent, {0.1f, 0.002f * static_cast<float>(chain), 0}, axis_angle({0, 1, 1}, 4));
      bones.push_back(parent);
    }
  }
  for (int i = 0; i < modifiers; ++i) {
    const Modifier pattern = specimen(static_cast<ModifierType>(static_cast<std::size_t>(i) % (kModifierTypeCount - 1)))
                                 .builder.rig.modifiers[0];
    b.modifier(bones[static_cast<std::size_t>(i) % bones.size()], pattern.data);
  }
  return b.rig;
}

// 64 of one type on 64 bones below one root, so that the fixed cost of a frame is shared.
Rig crowd_of(ModifierType type) {
  Specimen s = specimen(type);
  const Modifier pattern = s.builder.rig.modifiers[0];
  for (int i = 0; i < 63; ++i) {
    const auto owner = s.builder.bone(0, {0.2f, 0.01f * static_cast<float>(i), 0}, axis_angle({0, 1, 0}, 70));
    s.builder.bone(owner, {0.25f, 0, 0});
    s.builder.modifier(owner, pattern.data);
  }
  return s.builder.rig;
}

// The same with all characters in one job, in so many lanes.
double crowd_cost_of(const Rig& rig, int characters, int frames, std::size_t lanes) {
  const auto compiled = CompiledRig::compile(rig);
  const auto count = static_cast<std::size_t>(characters);
  std::vector<State> states(count, State(*compiled));
  std::vector<State*> pointers;
  for (State& state : states) pointers.push_back(&state);
  std::vector<Transform> rest;
  for (const Bone& bone : rig.skeleton.bones) rest.push_back(bone.rest);
  std::vector<std::vector<Transform>> poses(count, rest), results(count, rest);
  std::vector<std::span<const Transform>> inputs(poses.begin(), poses.end());
  std::vector<std::span<Transform>> outputs(results.begin(), results.end());
  const std::vector<Environment> environments(1);
  CrowdMemory memory(*compiled);
  memory.use_lanes(lanes);
  const auto frame = [&](int i) {
    for (auto& pose : poses) pose[0].translation.x = 0.1f * std::sin(0.1f * static_cast<float>(i));
    const EvaluateCrowdJob job{.rig = &*compiled,
                               .memory = &memory,
                               .states = pointers,
                               .environments = environments,
                               .delta_seconds = 1.0 / 60.0,
                               .inputs = inputs,
                               .outputs = outputs};
    job.run();
  };
  int now = 0;  // goes on from round to round: a character that jumps back is another task
  while (now < 10) frame(now++);
  double best = 1e9;
  for (int round = 0; round < 15; ++round)
    best = std::min(best, seconds_of([&] {
                            for (int i = 0; i < frames; ++i) frame(now++);
                          }) / frames);
  return best;
}

void side_by_side() {
  const Rig rig = crowd_rig(200);
  std::printf("\n100 characters of %zu bones and 200 modifiers in one job, 60 fps, one core\n",
              rig.skeleton.bones.size());
  std::printf("%10s %14s %16s %18s\n", "lanes", "ms per frame", "us per character", "times real time");
  for (const std::size_t lanes : {1u, 2u, 4u, 8u}) {
    const double cost = crowd_cost_of(rig, 100, 20, lanes);
    std::printf("%10zu %14.3f %16.1f %18.1f\n", lanes, cost * 1e3, cost * 1e6 / 100, 1.0 / 60.0 / cost);
  }
  std::printf("\nnanoseconds a modifier and frame by type, by lanes\n%-36s %8s %8s %8s %8s\n", "", "1", "2", "4", "8");
  for (const ModifierType type : moving_types()) {
    Rig many = crowd_of(type), bare = many;
    bare.modifiers.clear();
    std::printf("%-36s", std::string(class_name(type)).c_str());
    for (const std::size_t lanes : {1u, 2u, 4u, 8u})
      std::printf(" %8.0f", (crowd_cost_of(many, 8, 40, lanes) - crowd_cost_of(bare, 8, 40, lanes)) * 1e9 / (64.0 * 8));
    std::printf("\n");
  }
}

void by_type() {
  std::printf("\nnanoseconds a modifier and frame at 60 fps, beside the cost of the pose without modifiers\n");
  for (const ModifierType type : moving_types()) {
    const Rig rig = crowd_of(type);
    Rig bare = rig;
    bare.modifiers.clear();
    const double with = cost_of(rig, 1, 4000), without = cost_of(bare, 1, 4000);
    std::printf("%-36s %8.0f\n", std::string(class_name(type)).c_str(), (with - without) * 1e9 / 64.0);
  }
}

void crowd() {
  const Rig rig = crowd_rig(200), bare = crowd_rig(0);
  Skeleton skeleton = bare.skeleton;
  std::vector<Transform> local, model(skeleton.bones.size());
  for (const Bone& bone : skeleton.bones) local.push_back(bone.rest);
  constexpr int kRepeats = 2000;
  const double hierarchy = seconds_of([&] {
                             for (int i = 0; i < kRepeats; ++i) {
                               local[0].translation.x = static_cast<float>(i);
                               local_to_model(skeleton, local, model);
                             }
                           }) /
                           kRepeats;
  std::printf("\ncharacters of %zu bones and 200 modifiers (all types in equal parts), 60 fps, one core\n",
              rig.skeleton.bones.size());
  std::printf("%10s %14s %16s %18s\n", "characters", "ms per frame", "us per character", "times real time");
  for (const int count : {1, 10, 100, 200}) {
    const double cost = cost_of(rig, count, count >= 100 ? 60 : 400);
    std::printf("%10d %14.3f %16.1f %18.1f\n", count, cost * 1e3, cost * 1e6 / count, 1.0 / 60.0 / cost);
  }
  const double one = cost_of(rig, 1, 2000), none = cost_of(bare, 1, 2000);
  std::printf(
      "one character: %.1f us; without modifiers %.1f us; local_to_model alone %.1f us: %.1f times the hierarchy\n",
      one * 1e6, none * 1e6, hierarchy * 1e6, one / hierarchy);
}

void long_chain() {
  std::printf("\nball joints in one chain, 60 fps\n%10s %14s %16s\n", "links", "us per frame", "ns per link");
  for (const int links : {125, 250, 500, 1000}) {
    RigBuilder b;
    auto parent = b.bone(kNoBone, {0, 0, 1});
    for (int i = 0; i < links; ++i) {
      parent = b.bone(parent, {0.05f, 0, 0});
      b.modifier(parent, BallJointModifier{.constraint_angle = 20, .mechanical_friction = 5, .air_friction = 0.25f});
    }
    const double cost = cost_of(b.rig, 1, 300);
    std::printf("%10d %14.1f %16.0f\n", links, cost * 1e6, cost * 1e9 / links);
  }
}

}  // namespace

// All parts, or the one that is named.
int main(int argc, char** argv) {
  const std::string_view wanted = argc > 1 ? argv[1] : "";
  const std::pair<std::string_view, void (*)()> parts[] = {
      {"rates", frame_rates}, {"types", by_type}, {"crowd", crowd}, {"lanes", side_by_side}, {"chain", long_chain}};
  for (const auto& [name, part] : parts)
    if (wanted.empty() || wanted == name) part();
}
