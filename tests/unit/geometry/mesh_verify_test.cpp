// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <random>

#include "geometry/mesh/compressed_mesh.h"
#include "unit/geometry/meshes.h"

using namespace marrow;
using namespace marrow::geometry;
using namespace marrow::geometry::test;

namespace {

const CompressedMesh& good_mesh() {
  static const CompressedMesh mesh = [] {
    TriangleMesh source = terrain(24);
    add_box(source, {5, 5, 8}, {1, 2, 1}, 9);
    return build_compressed_mesh(source).value();
  }();
  return mesh;
}

bool reported(const CompressedMesh& mesh) { return !verify_compressed_mesh(mesh).empty(); }

}  // namespace

TEST_CASE("a mesh without sections is reported, not walked") { CHECK(reported(CompressedMesh{})); }

TEST_CASE("wrong counts, keys and bits are each reported") {
  using Damage = void (*)(CompressedMesh&);
  const Damage damages[] = {
      [](CompressedMesh& m) { ++m.primitive_key_count; },
      [](CompressedMesh& m) { ++m.max_key; },
      [](CompressedMesh& m) { --m.bits_per_key; },
      [](CompressedMesh& m) { m.quad_is_flat[0] ^= 4; },
      [](CompressedMesh& m) { m.triangle_is_interior[0] ^= 1; },
      [](CompressedMesh& m) { ++m.quad_is_flat_bits; },
      [](CompressedMesh& m) { m.triangle_is_interior.pop_back(); },
      [](CompressedMesh& m) { m.packed_vertices.push_back(0); },
      [](CompressedMesh& m) { m.shared_vertices.push_back(0); },
      [](CompressedMesh& m) { m.shared_indices.pop_back(); },
      [](CompressedMesh& m) { m.primitives.pop_back(); },
      [](CompressedMesh& m) { m.data_runs[0].count = 0; },
      [](CompressedMesh& m) { m.sections[1].page = 3; },
      [](CompressedMesh& m) { ++m.sections[1].first_primitive; },
      [](CompressedMesh& m) { ++m.sections[1].leaf_index; },
      [](CompressedMesh& m) { m.sections[0].first_packed_vertex = 0xFFFFFFFF; },
      [](CompressedMesh& m) { m.sections[0].nodes.clear(); },
      [](CompressedMesh& m) { m.sections[0].domain.max.x += 100; },
      [](CompressedMesh& m) { m.top_nodes[0].data = 0; },
      [](CompressedMesh& m) { m.top_nodes.pop_back(); },
      [](CompressedMesh& m) { m.top_nodes.back().data = 0x7FFF; },
      [](CompressedMesh& m) { m.domain.max = m.domain.min; },
      [](CompressedMesh& m) { m.primitives[0].corners[1] = m.primitives[0].corners[0]; },
  };
  REQUIRE(!reported(good_mesh()));
  for (std::size_t i = 0; i < std::size(damages); ++i) {
    CompressedMesh mesh = good_mesh();
    damages[i](mesh);
    CAPTURE(i);
    CHECK(reported(mesh));
  }
}

TEST_CASE("nearly every random change to a correct mesh is reported") {
  std::mt19937 random(2);
  const auto below = [&](std::size_t count) { return static_cast<std::size_t>(random()) % count; };
  TriangleMesh source;
  const std::vector<MeshTriangle> triangles = decode_compressed_mesh(good_mesh()).value();
  for (const MeshTriangle& triangle : triangles)
    add_triangle(source, triangle.corners[0], triangle.corners[1], triangle.corners[2], triangle.material);
  int missed = 0;
  int missed_nibbles = 0;
  constexpr int kRounds = 1000;
  for (int round = 0; round < kRounds; ++round) {
    CompressedMesh mesh = good_mesh();
    CompressedMesh::Section& section = mesh.sections[below(mesh.sections.size())];
    CompressedMesh::SectionNode& node = section.nodes[below(section.nodes.size())];
    const int kind = round % 6;
    switch (kind) {
      case 0: node.box[below(3)] ^= static_cast<std::uint8_t>(1u << below(8)); break;
      case 1: node.data ^= static_cast<std::uint8_t>(1u << below(8)); break;
      case 2: {
        // By two steps or more: one step is what quantising may do.
        const std::size_t axis = below(3);
        mesh.packed_vertices[below(mesh.packed_vertices.size())] ^= 1u << (11 * axis + 1 + below(axis == 2 ? 9 : 10));
        break;
      }
      case 3:
        mesh.primitives[below(mesh.primitives.size())].corners[below(4)] ^= static_cast<std::uint8_t>(1u << below(7));
        break;
      case 4:
        mesh.shared_indices[below(mesh.shared_indices.size())] ^= static_cast<std::uint16_t>(1u << below(16));
        break;
      default: {
        CompressedMesh::DataRun& run = mesh.data_runs[below(mesh.data_runs.size())];
        if (below(2) == 0)
          run.value ^= static_cast<std::uint16_t>(1u << below(16));
        else
          run.count ^= static_cast<std::uint8_t>(1u << below(7));
      }
    }
    if (reported(mesh) || !compare_with_source(mesh, source).empty()) continue;
    ++missed;
    missed_nibbles += kind == 0 ? 1 : 0;
  }
  // A box that got larger still contains what it must: nothing else goes unseen.
  CHECK(missed == missed_nibbles);
  CHECK(missed < kRounds / 20);
}

TEST_CASE("decoding damaged meshes fails with a place, never worse") {
  std::mt19937 random(3);
  const auto any = [&] { return static_cast<std::uint8_t>(random()); };
  for (int round = 0; round < 300; ++round) {
    CompressedMesh mesh = good_mesh();
    CompressedMesh::Section& section = mesh.sections[random() % mesh.sections.size()];
    switch (round % 5) {
      case 0: section.first_primitive = static_cast<std::uint32_t>(random()); break;
      case 1: section.shared_index_count = any(); break;
      case 2: mesh.shared_vertices.resize(random() % 100); break;
      case 3: mesh.primitives[random() % mesh.primitives.size()].corners = {any(), any(), any(), any()}; break;
      default: section.page = any();
    }
    const auto decoded = decode_compressed_mesh(mesh);
    if (!decoded) CHECK(!decoded.error().path.empty());
    verify_compressed_mesh(mesh);
    static_cast<void>(decode_boxes(mesh));
    static_cast<void>(compute_mesh_flags(mesh));
  }
  CHECK(!decode_compressed_mesh(good_mesh(), {.max_expanded_bytes = 1000}));
}

TEST_CASE("custom and removed primitives are left out, and told") {
  CompressedMesh mesh = good_mesh();
  mesh.primitives[0].corners = {3, 1, 1, 1};
  mesh.primitives[1].corners = {0xDE, 0xAD, 0xDE, 0xAD};
  std::uint32_t skipped = 0;
  const auto triangles = decode_compressed_mesh(mesh, {}, &skipped).value();
  CHECK(skipped == 1);
  CHECK(triangles.front().key == 4);
}
