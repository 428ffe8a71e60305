// SPDX-License-Identifier: MIT
// Vertices that are one in a shape. Programs export one vertex per corner of a triangle wherever normals, colours or
// UVs differ, also those that the shape does not have.
#pragma once

#include <array>
#include <cstdint>

#include "marrow/model/body.h"

namespace marrow {

/// What a shape stores of its vertices besides positions, and the mesh has.
struct StoredParts {
  bool uvs = false, normals = false, colors = false, weights = false;
};

/// All that is stored of a vertex, to the bit.
using VertexKey = std::array<std::uint32_t, 20>;
VertexKey vertex_key(const BodyShape& mesh, std::size_t vertex, const StoredParts& parts);

/// Makes vertices with equal keys one, in the order in which they come first, if the mesh has `count` vertices then. It
/// has the vertices of its shape again.
void join_split_corners(BodyShape& mesh, const StoredParts& parts, std::size_t count);

}  // namespace marrow
