// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "geometry/mesh/compressed_mesh.h"
#include "marrow/core/error.h"

/// Convex solids that are merged into a compressed mesh as custom primitives, as precombined files hold them.
namespace marrow::geometry {

enum class MeshSolidKind : std::uint8_t { Sphere, Capsule, Convex };

/// All points within `radius` of the hull of the vertices: one for a sphere, two for a capsule.
struct MeshSolid {
  MeshSolidKind kind = MeshSolidKind::Convex;
  float radius = 0.0f;  ///< stored as half a float: 8 bits of precision
  std::vector<Vec3> vertices;
  std::uint16_t material = 0;
  std::uint32_t key = 0;  ///< section << 8 | primitive << 1; set by reading

  bool operator==(const MeshSolid&) const = default;
};

Aabb bounds_of(const MeshSolid& solid);

/// The solids of a mesh in key order. Safe for untrusted input. Those whose data do not make sense are left out:
/// `undecoded`, if given, counts them.
std::vector<MeshSolid> read_mesh_solids(const CompressedMesh& mesh, std::uint32_t* undecoded = nullptr);

/// Adds solids to a mesh of triangles whose domain holds them (`MeshBuildOptions::bounds`), or to an empty mesh: in
/// sections of their own behind the others, under a new top tree. Vertices are stored in the high precision. Refuses
/// solids without vertices, with more than 255 or with numbers that are not finite, and what the format cannot hold.
Result<void> add_mesh_solids(CompressedMesh& mesh, std::span<const MeshSolid> solids);

}  // namespace marrow::geometry
