// SPDX-License-Identifier: MIT
#include "marrow/model/skinning.h"

#include <cstddef>

#include "model/skinning_kernel.h"

namespace marrow {
namespace {

static_assert(sizeof(Mat4) == 16 * sizeof(float) && sizeof(Vec3) == 3 * sizeof(float));
static_assert(sizeof(VertexWeights) == kVertexWeightsBytes && offsetof(VertexWeights, weights) == kVertexWeightsOffset);

const float* floats(std::span<const Vec3> values) {
  return values.empty() ? nullptr : reinterpret_cast<const float*>(values.data());
}
float* floats(std::span<Vec3> values) { return values.empty() ? nullptr : reinterpret_cast<float*>(values.data()); }

}  // namespace

SkinningKernel skinning_kernel() {
#if defined(MARROW_HAS_AVX2_KERNEL)
  if (__builtin_cpu_supports("avx2")) return skin_avx2;
#endif
  return skin_portable;
}

Result<void> SkinningJob::validate() const {
  if (weights.size() != positions.size() || moved.size() != positions.size())
    return fail(ErrorCode::InvalidArgument, "positions, weights and results differ in number");
  if (normals.size() != turned.size() || (!normals.empty() && normals.size() != positions.size()))
    return fail(ErrorCode::InvalidArgument, "normals and their results differ in number");
  for (std::size_t i = 0; i < weights.size(); ++i)
    for (std::size_t k = 0; k < 4; ++k)
      if (weights[i].weights[k] > 0.0f && weights[i].bones[k] >= bones.size())
        return fail(ErrorCode::InvalidArgument, "vertex " + std::to_string(i) + " has bone " +
                                                    std::to_string(weights[i].bones[k]) + " of " +
                                                    std::to_string(bones.size()));
  return {};
}

void SkinningJob::run() const {
  static const SkinningKernel kernel = skinning_kernel();
  kernel({.bones = reinterpret_cast<const float*>(bones.data()),
          .positions = floats(positions),
          .normals = floats(normals),
          .weights = reinterpret_cast<const std::byte*>(weights.data()),
          .moved = floats(moved),
          .turned = floats(turned),
          .count = positions.size()});
}

}  // namespace marrow
