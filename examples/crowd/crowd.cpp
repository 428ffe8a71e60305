// SPDX-License-Identifier: MIT
// A crowd of characters with swinging braids, evaluated side by side and one by one. Fails if they differ.
//
//     crowd [CHARACTERS]
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "marrow/motion/crowd.h"

using namespace marrow;

namespace {

// A head with a braid of ball joints.
Rig make_rig() {
  Rig rig;
  for (int i = 0; i < 7; ++i) {
    Bone bone;
    bone.name = i == 0 ? "Head" : "Braid" + std::to_string(i);
    bone.parent = i - 1;
    bone.rest.translation = i == 0 ? Vec3(0, 0, 1.7f) : Vec3(0.08f, 0, 0);
    rig.skeleton.bones.push_back(bone);
    if (i == 0) continue;
    BallJointModifier joint;
    joint.constraint_angle = 25;
    joint.mechanical_friction = 5;
    joint.air_friction = 0.25f;
    Modifier modifier;
    modifier.owner.target = static_cast<std::uint64_t>(i);
    modifier.data = joint;
    rig.modifiers.push_back(modifier);
  }
  return rig;
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t count = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 20;
  const Rig rig = make_rig();
  const auto compiled = motion::CompiledRig::compile(rig);
  if (!compiled) return std::printf("%s\n", compiled.error().message.c_str()), 1;

  std::vector<Transform> rest;
  for (const Bone& bone : rig.skeleton.bones) rest.push_back(bone.rest);
  std::vector<std::vector<Transform>> poses(count, rest), results(count, rest);
  std::vector<motion::State> states(count, motion::State(*compiled)), states_alone = states;
  std::vector<motion::State*> pointers;
  for (motion::State& state : states) pointers.push_back(&state);
  const std::vector<std::span<const Transform>> inputs(poses.begin(), poses.end());
  const std::vector<std::span<Transform>> outputs(results.begin(), results.end());
  const std::vector<motion::Environment> world(1);
  motion::CrowdMemory memory(*compiled);

  for (int frame = 0; frame < 120; ++frame) {
    for (std::size_t i = 0; i < count; ++i)  // each nods in its own time
      poses[i][0].translation.z = 1.7f + 0.05f * std::sin(0.1f * static_cast<float>(frame) + static_cast<float>(i));
    const motion::EvaluateCrowdJob crowd{.rig = &*compiled,
                                         .memory = &memory,
                                         .states = pointers,
                                         .environments = world,
                                         .delta_seconds = 1.0 / 60.0,
                                         .inputs = inputs,
                                         .outputs = outputs};
    if (const auto valid = crowd.validate(); !valid) return std::printf("%s\n", valid.error().message.c_str()), 1;
    crowd.run();
    for (std::size_t i = 0; i < count; ++i) {
      std::vector<Transform> alone = rest;
      const motion::EvaluateJob job{.rig = &*compiled,
                                    .state = &states_alone[i],
                                    .delta_seconds = 1.0 / 60.0,
                                    .input = poses[i],
                                    .output = alone};
      job.run();
      if (alone != results[i]) return std::printf("character %zu differs in frame %d\n", i, frame), 1;
    }
  }
  std::printf("%zu characters, 120 frames: the same side by side and one by one\n", count);
}
