// SPDX-License-Identifier: MIT
// Reads numbers from a document. Its indices, offsets and counts are untrusted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "exchange/gltf/tiny.h"

namespace marrow::gltf {

/// The elements of an accessor as floats. Normalised integers become -1 to 1 or 0 to 1; sparse accessors are filled in.
struct FloatArray {
  std::size_t width = 0;  ///< numbers per element
  std::vector<float> values;

  std::size_t count() const { return width == 0 ? 0 : values.size() / width; }
};

/// Reads accessor `index`. `wanted_width` is the required number of components; 0 accepts any.
Result<FloatArray> read_floats(const tinygltf::Model& model, int index, std::size_t wanted_width, const Limits& limits);
/// Reads vertex indices.
Result<std::vector<std::uint32_t>> read_indices(const tinygltf::Model& model, int index, const Limits& limits);

}  // namespace marrow::gltf
