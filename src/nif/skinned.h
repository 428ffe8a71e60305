// SPDX-License-Identifier: MIT
// The skin of a shape: bones with their bind transforms, weights, partitions.
#pragma once

#include "marrow/model/body.h"
#include "nif/record.h"

namespace marrow::nif {

/// Adds the skin that `block` states to a shape whose own mesh is read. A skinned shape of Skyrim SE gets its vertices
/// and triangles here: they are in the partitions. `dynamic` are the positions of a dynamic shape. References that lead
/// nowhere leave the skin empty, which `check` names.
Result<void> add_skin(const NifFile& file, std::int32_t block, std::span<const std::byte> dynamic, const Limits& limits,
                      BodyShape& shape);

/// Returns the weights of a vertex that are drawn: the four largest.
VertexWeights strongest(std::vector<std::pair<float, std::uint16_t>> weights);

/// Returns the triangles of strips. Those with two equal corners are left out.
std::vector<std::array<std::uint16_t, 3>> triangles_of_strips(const std::vector<std::uint16_t>& lengths,
                                                              const std::vector<std::uint16_t>& points);

/// Returns the transform of a record with rotation, translation and scale.
BindTransform bind_of(const Record& record);

}  // namespace marrow::nif
