// SPDX-License-Identifier: MIT
#include <algorithm>
#include <tuple>

#include "motion/solvers/stateless.h"

namespace marrow::motion {

std::vector<WeightedBone> weighted_bones(std::span<const BoneLink> targets, std::span<const float> weights,
                                         const std::vector<bool>& keep_offset) {
  std::vector<WeightedBone> bones;
  double sum = 0.0;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const double weight = weights.empty() ? 1.0 : i < weights.size() ? static_cast<double>(weights[i]) : 0.0;
    if (targets[i].is_null() || weight <= 0.0) continue;
    // One flag may stand for all targets.
    const bool keep = !keep_offset.empty() && keep_offset[std::min(i, keep_offset.size() - 1)];
    bones.push_back({bone_index(targets[i]), weight, keep});
  }
  std::ranges::sort(bones, {}, [](const WeightedBone& b) { return std::tuple(b.bone, b.keep_offset, b.weight); });
  for (const WeightedBone& bone : bones) sum += bone.weight;
  for (WeightedBone& bone : bones) bone.weight /= sum;
  return bones;
}

}  // namespace marrow::motion
