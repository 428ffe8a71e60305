// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "geometry/mesh/bvh.h"
#include "geometry/mesh/compressed_mesh.h"
#include "marrow/core/error.h"

/// The steps from triangles to a compressed mesh, in the order in which they are done.
namespace marrow::geometry {

/// A triangle, or two that share an edge, over the welded vertices.
struct MeshPrimitive {
  std::array<std::uint32_t, 4> corners{};    ///< as in `CompressedMesh::Primitive`
  std::array<std::uint32_t, 2> triangles{};  ///< of the prepared mesh; the second only for quads
  std::uint16_t material = 0;

  bool is_quad() const { return corners[2] != corners[3]; }
};

/// Checks the input, joins vertices of equal coordinates and leaves out triangles without area.
Result<TriangleMesh> prepare_mesh(const TriangleMesh& mesh, MeshBuildReport& report);

/// Whether a triangle is too thin to have a side: c is the squared cross product, L the squared longest edge.
/// c < 1e-14, or c < 1e-7 and c < 1e-6 * L * L. (c < 1e-7 alone would drop everything smaller than 0.018 units.)
bool is_degenerate(const Vec3& a, const Vec3& b, const Vec3& c);

/// Joins neighbours of the same material, cheapest union first.
std::vector<MeshPrimitive> pair_triangles(const TriangleMesh& prepared, bool pair_quads);

/// One section while it is planned: which primitives and vertices, and how they are stored.
struct SectionPlan {
  std::uint32_t root = 0;                 ///< node of the tree over primitives
  std::vector<std::uint32_t> primitives;  ///< in stored order: by material, then leaves from left to right
  std::vector<std::uint32_t> packed;      ///< vertices of this section alone, in order of first use
  std::vector<std::uint32_t> shared;      ///< all others
  Vec3 base{0.0f};
  Vec3 scale{0.0f};
};

/// The whole mesh, planned.
struct MeshPlan {
  Bvh tree;
  Aabb domain;
  std::vector<SectionPlan> sections;           ///< in the order of leaves from left to right
  std::vector<std::uint32_t> section_of_node;  ///< for nodes of the tree that are roots of sections, else `kNoSection`
  std::vector<std::uint8_t> local_number;      ///< of each primitive in its section
  std::vector<std::uint32_t> collapsed;        ///< triangles that lose their area when stored
  std::uint32_t promoted_vertices = 0;

  static constexpr std::uint32_t kNoSection = 0xFFFFFFFF;
};

/// Cuts the tree into sections and decides where each vertex is stored. The domain holds `bounds` too.
Result<MeshPlan> plan_sections(const TriangleMesh& prepared, const std::vector<MeshPrimitive>& primitives, Bvh tree,
                               const Aabb& bounds);

/// Chooses base and scale for the packed vertices of each section. A triangle that would lose its shape gets its
/// vertices stored as shared ones; those that do not have an area even then are added to `plan.collapsed`.
void quantise_sections(const TriangleMesh& prepared, const std::vector<MeshPrimitive>& primitives, MeshPlan& plan);

/// Integers of vertices as they are stored, and the positions that they stand for.
std::uint32_t quantise_packed(const Vec3& position, const SectionPlan& section, const Aabb& range);
std::uint64_t quantise_shared(const Vec3& position, const Aabb& domain);
Vec3 packed_position(std::uint32_t packed, const SectionPlan& section);
Vec3 shared_position(std::uint64_t shared, const Aabb& domain);
/// The box of the section's packed vertices, against which they are quantised.
Aabb packed_range(const TriangleMesh& prepared, const SectionPlan& section);

/// Numbers shared vertices, page by page, and writes every array but the trees and flags.
Result<CompressedMesh> store_sections(const TriangleMesh& prepared, const std::vector<MeshPrimitive>& primitives,
                                      const MeshPlan& plan, const MeshBuildOptions& options, MeshBuildReport& report);

/// Sets the number of keys, the largest one and its bits from the primitives.
void count_keys(CompressedMesh& mesh);

/// Fits the boxes of the plan's tree around original and stored vertices, and writes the nodes of both levels.
void store_trees(const TriangleMesh& prepared, const std::vector<MeshPrimitive>& primitives, MeshPlan& plan,
                 CompressedMesh& mesh);

}  // namespace marrow::geometry
