// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "marrow/core/error.h"
#include "marrow/core/limits.h"
#include "marrow/geometry/solids/shapes.h"

namespace marrow::geometry {

/// A triangle mesh as Havok's static mesh tree holds it: quantised vertices in sections of at most 127 primitives, and
/// two levels of byte-sized bounding boxes. Fields mirror the file and have Havok's name if it is a plain word;
/// `docs/formats/compressed-mesh.md` describes each.
struct CompressedMesh {
  /// A node of the tree over sections. Boxes are nibbles relative to the decoded parent, see `decode_boxes`.
  struct TopNode {
    std::array<std::uint8_t, 3> box{};
    std::uint16_t data = 0;  ///< big endian in files: 0x8000 | (right - own index) / 2, or the section of a leaf

    bool operator==(const TopNode&) const = default;
  };

  /// A node of the tree over the primitives of one section.
  struct SectionNode {
    std::array<std::uint8_t, 3> box{};
    std::uint8_t data = 0;  ///< odd: (right - own index) | 1; even: primitive of a leaf, times two

    bool operator==(const SectionNode&) const = default;
  };

  struct Section {
    std::vector<SectionNode> nodes;
    Aabb domain;
    Vec3 base{0.0f};  ///< of packed vertices: position = base + integer * scale
    Vec3 scale{0.0f};
    std::uint32_t first_packed_vertex = 0;
    std::uint32_t first_shared_index = 0;
    std::uint32_t first_primitive = 0;
    std::uint32_t first_data_run = 0;
    std::uint8_t primitive_count = 0;
    std::uint8_t data_run_count = 0;
    std::uint8_t packed_vertex_count = 0;
    std::uint8_t shared_index_count = 0;
    std::uint16_t leaf_index = 0;  ///< node of the top tree that is this section's leaf
    std::uint8_t page = 0;         ///< upper byte of its shared vertex numbers
    std::uint8_t flags = 0;

    bool operator==(const Section&) const = default;
  };

  /// Corners a, b, c, d: triangles (a, b, c) and (a, c, d), or only the first if c == d. Corners below
  /// `packed_vertex_count` are packed vertices of the section, the others entries of `shared_indices`.
  struct Primitive {
    std::array<std::uint8_t, 4> corners{};

    bool is_quad() const { return corners[2] != corners[3]; }
    bool operator==(const Primitive&) const = default;
  };

  /// Primitives of a section that have the same material.
  struct DataRun {
    std::uint16_t value = 0;  ///< material
    std::uint8_t first = 0;   ///< primitive, counted from the section's first
    std::uint8_t count = 0;

    bool operator==(const DataRun&) const = default;
  };

  Aabb domain;
  std::vector<TopNode> top_nodes;
  std::vector<Section> sections;
  std::vector<Primitive> primitives;
  std::vector<std::uint16_t> shared_indices;
  std::vector<std::uint32_t> packed_vertices;  ///< x 11 bits, y 11, z 10, from the low end
  std::vector<std::uint64_t> shared_vertices;  ///< x 21 bits, y 21, z 22, against `domain`
  std::vector<DataRun> data_runs;
  std::vector<std::uint32_t> quad_is_flat;          ///< bits by section << 7 | primitive
  std::vector<std::uint32_t> triangle_is_interior;  ///< bits by key
  std::uint32_t quad_is_flat_bits = 0;
  std::uint32_t triangle_is_interior_bits = 0;
  std::uint32_t primitive_key_count = 0;  ///< lone triangles + 2 * quads
  std::uint32_t bits_per_key = 0;
  std::uint32_t max_key = 0;

  bool operator==(const CompressedMesh&) const = default;
};

/// A triangle's key: section << 8 | primitive << 1 | (1 for the second triangle of a quad).
inline constexpr std::uint32_t kMaxSections = 32768;
inline constexpr std::uint32_t kMaxSectionPrimitives = 127;
inline constexpr std::uint32_t kMaxSectionVertices = 255;

struct MeshBuildOptions {
  /// Join neighbouring triangles of one material into quads. If off, every triangle is a primitive of its own.
  bool pair_quads = true;
  /// Allow more than 65536 shared vertices (several pages). The layout supports them; no shipped file uses them.
  bool allow_pages = true;
  /// Passes of tree rotations; 0 leaves the tree as the sweep built it.
  std::uint32_t rotation_passes = 8;
  /// What the domain contains besides the triangles: solids that are added later. Empty: nothing.
  Aabb bounds = {};
};

/// Statistics and omissions of a build, for messages.
struct MeshBuildReport {
  std::uint32_t input_triangles = 0;
  std::uint32_t degenerate_triangles = 0;  ///< left out: no area before quantisation
  std::uint32_t collapsed_triangles = 0;   ///< left out: no area after it
  std::uint32_t promoted_vertices = 0;     ///< stored in high precision to keep a triangle's shape
  std::uint32_t pages = 1;
  std::uint32_t depth = 0;  ///< of the deepest leaf, both levels together
};

/// Builds a compressed mesh. Fails on indices out of range, coordinates that are not finite, a mesh with no triangle
/// left, and a mesh that exceeds a limit of the format, which the message names. The same input gives the same bytes.
Result<CompressedMesh> build_compressed_mesh(const TriangleMesh& mesh, const MeshBuildOptions& options = {},
                                             MeshBuildReport* report = nullptr);

/// A decoded triangle and its origin.
struct MeshTriangle {
  std::array<Vec3, 3> corners{};
  std::uint16_t material = 0;
  std::uint32_t key = 0;

  bool operator==(const MeshTriangle&) const = default;
};

/// Returns all triangles in key order. Safe for untrusted input: ranges are checked before they are used. Skips removed
/// primitives and custom ones (convex shapes merged into a mesh); `skipped`, if given, receives the number of custom
/// ones.
Result<std::vector<MeshTriangle>> decode_compressed_mesh(const CompressedMesh& mesh, const Limits& limits = {},
                                                         std::uint32_t* skipped = nullptr);

/// The decoded boxes of both trees, in node order.
struct MeshBoxes {
  std::vector<Aabb> top;
  std::vector<std::vector<Aabb>> sections;  ///< for each section, one box per node
};
Result<MeshBoxes> decode_boxes(const CompressedMesh& mesh);

/// Returns the sum of half areas of all decoded boxes of both levels, divided by that of the root: the cost of a query.
/// 0 for an empty domain.
Result<double> tree_cost(const CompressedMesh& mesh);

struct MeshVerifyOptions {
  /// For boxes and domains: 0 for what this library writes; for the game's own files 4e-7 of the largest coordinate.
  float tolerance = 0.0f;
  bool check_flags = true;     ///< compare the flat and interior bits with the rules
  std::size_t max_notes = 64;  ///< stop after this many
};

/// Returns everything that is wrong with a compressed mesh, as sentences with the place in `Note::path`: containment of
/// every vertex and box, one leaf per primitive and section, cumulative counts, runs, unused vertices, keys, bits,
/// limits. Safe for untrusted input.
Notes verify_compressed_mesh(const CompressedMesh& mesh, const MeshVerifyOptions& options = {});

/// Checks that every triangle of `source` that has an area is in `mesh` exactly once, and nothing else is. Material and
/// winding must be equal, and each corner within one quantisation step and one unit in the last place. `left_out` is
/// the number of triangles that building reported as collapsed.
Notes compare_with_source(const CompressedMesh& mesh, const TriangleMesh& source, std::uint32_t left_out = 0);

/// Recomputes `quad_is_flat` and `triangle_is_interior` with their bit counts from the decoded vertices.
Result<void> compute_mesh_flags(CompressedMesh& mesh);

}  // namespace marrow::geometry
