// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "marrow/core/error.h"
#include "marrow/geometry/solids/shapes.h"

/// Skyrim's compressed mesh as values: chunks of triangles on a grid. docs/formats/bhk.md describes it.
namespace marrow::geometry {

/// One step of the grid, in Havok units.
inline constexpr float kChunkStep = 0.001f;

struct MeshChunk {
  Vec3 origin{0.0f};
  std::uint16_t material = 0;
  std::vector<std::uint16_t> vertices;  ///< three numbers each, in steps from the origin
  std::vector<std::uint16_t> indices;   ///< strips, then triples
  std::vector<std::uint16_t> strips;    ///< their lengths
  std::vector<std::uint16_t> welding;   ///< one per index

  bool operator==(const MeshChunk&) const = default;
};

/// A triangle that is too long for a chunk.
struct BigMeshTriangle {
  std::array<std::uint16_t, 3> corners{};
  std::uint16_t material = 0;
  std::uint16_t welding = 0;

  bool operator==(const BigMeshTriangle&) const = default;
};

struct ChunkMesh {
  Vec3 min{0.0f}, max{0.0f};
  std::vector<Vec3> big_vertices;
  std::vector<BigMeshTriangle> big_triangles;
  std::vector<MeshChunk> chunks;
  std::size_t dropped = 0;  ///< triangles that have no area on the grid

  bool operator==(const ChunkMesh&) const = default;
};

/// Compresses a mesh: vertices on one grid, chunks of one material and up to 255 vertices each, strips, and the angles
/// at edges. Fails if a number is not finite, if nothing is left, or if the mesh is larger than the format can hold.
Result<ChunkMesh> build_chunk_mesh(const TriangleMesh& mesh);

}  // namespace marrow::geometry
