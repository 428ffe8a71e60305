// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "marrow/core/error.h"
#include "marrow/model/body.h"
#include "nif/nif_file.h"

namespace marrow {

/// One vertex of an edited shape. What is not set keeps the bits that it has in the file.
struct VertexEdit {
  std::uint16_t source = 0;  ///< the vertex of the file that it is, or whose other data a new vertex takes
  std::optional<Vec3> position = {};
  std::optional<Vec3> normal = {};
  std::optional<std::array<Vec3, 2>> tangents = {};  ///< along +V and along +U
  std::optional<Vec2> uv = {};
  std::optional<Vec4> color = {};
  std::optional<VertexWeights> weights = {};
};

/// What becomes of a shape.
struct ShapeEdit {
  std::vector<VertexEdit> vertices;
  std::vector<std::array<std::uint16_t, 3>> triangles;  ///< of the new vertices
  /// By triangle: the partition, part of a segment or level of detail it belongs to, as `triangle_groups` counts them.
  std::vector<std::uint32_t> groups;
  bool has_new_numbers = false;    ///< vertices are added, removed or moved in the list
  bool has_new_triangles = false;  ///< triangles are added or removed
};

/// Returns the group of each triangle of a shape, as it is read: the partition in Skyrim, the smallest segment in
/// Fallout 4, the level of detail; 0 for shapes without.
Result<std::vector<std::uint32_t>> triangle_groups(const NifFile& file, const BodyShape& shape);

/// Writes an edit over a shape that `read_shapes` gave. Vertices, triangles, weights, bounds, partitions and segments
/// follow; all other blocks and fields stay. `worst_rounding`, if given, becomes at least the largest distance that a
/// position is off by because the format stores halves. Fails with `Unrepresentable` if the format cannot hold the
/// edit.
Result<void> edit_shape(NifFile& file, const BodyShape& shape, const ShapeEdit& edit, float* worst_rounding = nullptr);

}  // namespace marrow
