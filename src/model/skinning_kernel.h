// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

// The loop over the vertices, compiled once per instruction set; skinning.cpp chooses one when the program starts.

namespace marrow {

/// A valid `SkinningJob` as plain memory: nothing here may be code that units for different processors share.
struct SkinningArrays {
  const float* bones = nullptr;      ///< 16 per bone, by columns
  const float* positions = nullptr;  ///< 3 per vertex
  const float* normals = nullptr;    ///< 3 per vertex, or null
  const std::byte* weights = nullptr;
  float* moved = nullptr;
  float* turned = nullptr;  ///< null if there are no normals
  std::size_t count = 0;
};
/// Of one vertex in `weights`: four bones of 16 bits, then four floats.
inline constexpr std::size_t kVertexWeightsBytes = 24, kVertexWeightsOffset = 8;

using SkinningKernel = void (*)(const SkinningArrays& arrays);
void skin_portable(const SkinningArrays& arrays);
void skin_avx2(const SkinningArrays& arrays);

/// Returns the kernel that is best for this processor.
SkinningKernel skinning_kernel();

}  // namespace marrow
