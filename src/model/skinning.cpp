// SPDX-License-Identifier: MIT
#include "model/skinning.h"

#include <array>
#include <cstring>

namespace marrow {
namespace {

// The four columns of a matrix one after another: sums over them are loops that compilers turn into vector code.
using Columns = std::array<float, 16>;
static_assert(sizeof(Mat4) == sizeof(Columns));

Vec3 transformed(const Columns& m, const Vec3& p) {
  return {m[0] * p.x + m[4] * p.y + m[8] * p.z + m[12], m[1] * p.x + m[5] * p.y + m[9] * p.z + m[13],
          m[2] * p.x + m[6] * p.y + m[10] * p.z + m[14]};
}

Vec3 turned_by(const Columns& m, const Vec3& n) {
  return {m[0] * n.x + m[4] * n.y + m[8] * n.z, m[1] * n.x + m[5] * n.y + m[9] * n.z,
          m[2] * n.x + m[6] * n.y + m[10] * n.z};
}

// The weighted mean of the bones of one vertex. False if it has no weight.
bool blend(std::span<const Mat4> bones, const VertexWeights& weights, Columns& mean) {
  const float sum = weights.weights[0] + weights.weights[1] + weights.weights[2] + weights.weights[3];
  if (!(sum > 0.0f)) return false;
  mean = {};
  for (std::size_t k = 0; k < 4; ++k) {
    const float share = weights.weights[k] / sum;
    if (!(share > 0.0f)) continue;
    Columns bone;
    std::memcpy(bone.data(), &bones[weights.bones[k]], sizeof bone);
    for (std::size_t i = 0; i < bone.size(); ++i) mean[i] += share * bone[i];
  }
  return true;
}

}  // namespace

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
  Columns mean;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const bool is_moved = blend(bones, weights[i], mean);
    moved[i] = is_moved ? transformed(mean, positions[i]) : positions[i];
    if (!turned.empty()) turned[i] = is_moved ? turned_by(mean, normals[i]) : normals[i];
  }
}

}  // namespace marrow
