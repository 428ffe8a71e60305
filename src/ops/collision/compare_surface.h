// SPDX-License-Identifier: MIT
// Whether a surface that comes back from another program is still the one that went out.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "ops/collision/mesh.h"

namespace marrow {

/// A surface that comes back, in the space and unit of the one that it is compared with.
struct ReturnedSurface {
  std::vector<Vec3> vertices;
  std::vector<std::array<std::uint32_t, 3>> triangles;
  std::vector<std::uint32_t> materials;  ///< CRC, one per triangle
  bool is_in_place = true;               ///< its numbers are the file's own, not brought from another space
};

struct SurfaceMatch {
  /// By vertex of the returned surface: the vertex of the old one that it still is.
  std::vector<std::optional<std::uint32_t>> vertices;
  bool same_points = false;     ///< the vertices that triangles use are the same set
  bool same_triangles = false;  ///< with their materials; order, doubles and triangles without area do not count
};

/// Compares regardless of order, since programs sort and split vertices. If it is in place and half of the vertices or
/// more are the same to the bit, every other difference counts; else vertices within `tolerance` are the same.
SurfaceMatch match_surface(const CollisionMesh& old, const ReturnedSurface& now, float tolerance);

/// Which triangles of a surface are those of another, with the same side out. Materials do not count.
struct OldTriangles {
  std::vector<bool> is_old;  ///< by triangle of the returned surface; true also for those without area
  bool has_all = false;      ///< every triangle of the old surface is there
};
OldTriangles find_old_triangles(const CollisionMesh& old, const ReturnedSurface& now, float tolerance);

}  // namespace marrow
