// SPDX-License-Identifier: MIT
// Numbers out of a document whose every index, offset and count may lie.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "gltf/tiny.h"

namespace marrow::gltf {

/// The elements of an accessor as floats: integers that are normalised come as -1 to 1 or 0 to 1, sparse ones filled
/// in.
struct FloatArray {
  std::size_t width = 0;  ///< numbers an element
  std::vector<float> values;

  std::size_t count() const { return width == 0 ? 0 : values.size() / width; }
};

/// Reads accessor `index`. `wanted_width` is what the place that names it needs; 0 takes any.
Result<FloatArray> read_floats(const tinygltf::Model& model, int index, std::size_t wanted_width, const Limits& limits);
/// Reads vertex numbers.
Result<std::vector<std::uint32_t>> read_indices(const tinygltf::Model& model, int index, const Limits& limits);

}  // namespace marrow::gltf
