// SPDX-License-Identifier: MIT
#pragma once

#include <unordered_map>

#include "marrow/geometry/solids/shapes.h"
#include "nif/bhk.h"
#include "nif/record.h"

namespace marrow::bhk {

/// Reads shape blocks into a system, each block once.
class ShapeReader {
 public:
  ShapeReader(const NifFile& file, CollisionSystem& system, const Limits& limits)
      : file_(file), system_(system), limits_(limits) {}

  /// Returns the shape of a block; `None` if there is none.
  Result<ShapeId> read(std::int32_t block);

 private:
  struct Resolved {
    std::int32_t block = kNoBlock;
    Frame frame = {};
    bool is_moved = false;
  };

  Result<Resolved> resolve(std::int32_t block);
  Result<ShapeId> read(std::int32_t block, std::uint32_t depth);
  Result<Shape> read_shape(std::int32_t block, std::uint32_t depth);
  Result<Shape> list(const nif::Record& record, std::uint32_t depth);

  const NifFile& file_;
  CollisionSystem& system_;
  const Limits& limits_;
  std::unordered_map<std::int32_t, ShapeId> known_;  ///< `None` while a shape is being read
};

/// Returns the frame of a transform of 16 numbers: three axes and a position, four numbers each.
Frame frame_of(const std::array<float, 16>& columns);
std::array<float, 16> columns_of(const Frame& frame);

/// Returns the triangles of a compressed mesh: the block of its data.
Result<MeshShape> decode_mesh(const nif::Record& data);

/// Returns a convex shape of points and outer planes. Its faces are those of the hull of the points.
Polytope polytope_of(std::vector<Vec3> vertices, std::vector<Vec4> outer_planes);

/// Computes the box of a shape in the space of `frame`, with convex radii. Empty if it is not known.
geometry::Aabb bounds_of(const CollisionSystem& system, const Shape& shape, const Frame& frame = {});

}  // namespace marrow::bhk
