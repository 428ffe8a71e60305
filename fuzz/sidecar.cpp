// SPDX-License-Identifier: MIT
// Modifiers and shared data from any bytes: what is accepted compiles and runs.
#include <cstdint>

#include "marrow/motion/evaluate.h"
#include "marrow/motion/sidecar.h"

using namespace marrow;
using namespace marrow::motion;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span bytes(reinterpret_cast<const std::byte*>(data), size);
  Rig rig;
  for (int i = 0; i < 4; ++i) {
    Bone bone;
    bone.name = "Bone" + std::to_string(i);
    bone.parent = i - 1;
    bone.rest.translation = {0.1f, 0, 0};
    rig.skeleton.bones.push_back(bone);
  }
  (void)apply_common_data(bytes, rig);
  const std::string bones[] = {"Bone1", "Bone3*"};
  if (!apply_sidecar(bytes, rig, bones) || rig.modifiers.size() > 64) return 0;
  (void)apply_common_data(bytes, rig);
  const auto compiled = CompiledRig::compile(rig, {.self_collision = true});
  if (!compiled) return 0;
  State state(*compiled);
  std::vector<Transform> pose;
  for (const Bone& bone : rig.skeleton.bones) pose.push_back(bone.rest);
  for (int i = 0; i < 8; ++i) {
    pose[0].translation.x = 0.1f * static_cast<float>(i);
    const EvaluateJob job{
        .rig = &*compiled, .state = &state, .delta_seconds = 1.0 / 60.0, .input = pose, .output = pose};
    if (job.validate()) job.run();
  }
  const auto saved = state.save();
  if (!state.restore(saved)) __builtin_trap();
  (void)state.restore(bytes);
  return 0;
}
