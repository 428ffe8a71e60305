// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "nif/bhk.h"
#include "nif/record.h"

namespace marrow::bhk {

/// Returns the blocks that a shape is made of, children before what has them. Each block once.
std::vector<std::int32_t> shape_blocks(const NifFile& file, std::int32_t top);

/// True if two shapes and all below them are equal and from the same blocks.
bool same_shape(const CollisionSystem& a, ShapeId a_shape, const CollisionSystem& b, ShapeId b_shape);

/// Writes the shape of a body. Old blocks of the same type are used again and keep what the model does not hold; those
/// of shapes that have not changed are not touched.
class ShapeWriter {
 public:
  /// `old_top` is the shape that the body has in the file, `before` the system that it was read as.
  ShapeWriter(NifFile& file, const CollisionSystem& system, std::uint32_t filter, Notes& notes)
      : file_(file), system_(system), filter_(filter), notes_(notes) {}
  void reuse(std::int32_t old_top, const CollisionSystem& before);

  /// Returns the block of the shape.
  Result<std::int32_t> write(ShapeId shape);
  /// Old blocks that the new shape does not have.
  std::vector<std::int32_t> left_over() const { return pool_; }
  bool has_added() const { return has_added_; }

 private:
  Result<std::int32_t> put(ShapeId shape);
  Result<std::int32_t> put_convex(const Shape& shape);
  Result<std::int32_t> put_moved(ShapeId shape, const Frame& frame);
  Result<std::int32_t> put_mesh(const Shape& shape);
  Result<std::int32_t> put_list(const Shape& shape);
  Result<std::int32_t> put_code(std::int32_t child, const std::vector<struct KeyedPoints>& items, float margin);
  Result<nif::Record> take(std::string_view type, std::int32_t& block, std::int32_t wanted = kNoBlock);
  Result<std::int32_t> store(const nif::Record& record, std::int32_t block);
  /// Returns the block above a shape that has not changed, a transform with the same frame included. A mesh of which
  /// only the materials have changed keeps all else.
  Result<std::int32_t> unchanged(ShapeId shape, const Frame& frame);
  Result<void> set_materials(std::int32_t block, const MeshShape& mesh);

  NifFile& file_;
  const CollisionSystem& system_;
  std::uint32_t filter_;
  Notes& notes_;
  const CollisionSystem* before_ = nullptr;
  std::vector<std::int32_t> pool_;  ///< old blocks that are free
  std::vector<std::int32_t> old_;   ///< all old blocks
  bool has_added_ = false;
};

}  // namespace marrow::bhk
