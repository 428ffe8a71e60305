// SPDX-License-Identifier: MIT
#include "geometry/solids/mesh_solids.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <glm/geometric.hpp>

using namespace marrow;
using namespace marrow::geometry;

namespace {

// One section with one custom primitive, laid out by hand.
CompressedMesh one_solid(std::uint16_t header, std::vector<std::uint64_t> vertices, std::uint16_t radius) {
  CompressedMesh mesh;
  mesh.domain = {{0, 0, 0}, {2047, 2047, 1023}};
  CompressedMesh::Section section;
  section.domain = mesh.domain;
  section.nodes = {{{0, 0, 0}, 0}};
  section.primitive_count = 1;
  section.shared_index_count = 3;
  section.data_run_count = 1;
  section.flags = 1;
  mesh.sections = {section};
  mesh.top_nodes = {{{0, 0, 0}, 0}};
  mesh.primitives = {{{0, 0, 0, 0}}};
  mesh.shared_indices = {header, 0, radius};
  mesh.shared_vertices = std::move(vertices);
  mesh.data_runs = {{5, 0, 1}};
  return mesh;
}

std::uint64_t packed(std::uint64_t x, std::uint64_t y, std::uint64_t z) { return x | y << 11 | z << 22; }

std::vector<MeshSolid> row_of_boxes(std::size_t count) {
  std::vector<MeshSolid> solids;
  for (std::size_t i = 0; i < count; ++i) {
    MeshSolid solid;
    solid.radius = 0.125f;
    solid.material = static_cast<std::uint16_t>(i % 3);
    for (int corner = 0; corner < 8; ++corner)
      solid.vertices.emplace_back(3.0f * static_cast<float>(i) + static_cast<float>(corner & 1),
                                  static_cast<float>(corner >> 1 & 1), static_cast<float>(corner >> 2));
    solids.push_back(solid);
  }
  return solids;
}

}  // namespace

TEST_CASE("vertices of a solid are read in each of the three precisions") {
  // Kind 2, one tag, the number of vertices in the upper byte.
  const auto header = [](std::uint32_t mode, std::uint32_t count) {
    return static_cast<std::uint16_t>(2 | mode << 4 | 1 << 6 | count << 8);
  };
  const std::uint16_t radius = std::bit_cast<std::uint32_t>(0.5f) >> 16;
  SUBCASE("21, 21 and 22 bits against the domain") {
    const std::uint64_t word = std::uint64_t{0x1FFFFF} | std::uint64_t{0x3FFFFF} << 42;
    const auto solids = read_mesh_solids(one_solid(header(0, 1), {word}, radius));
    REQUIRE(solids.size() == 1);
    CHECK(glm::distance(solids[0].vertices[0], Vec3(2047, 0, 1023)) < 1e-3f);
    CHECK(solids[0].radius == 0.5f);
    CHECK(solids[0].material == 5);
    CHECK(solids[0].kind == MeshSolidKind::Convex);
  }
  SUBCASE("11, 11 and 10 bits, two in a word, the first in its upper half") {
    const std::uint64_t first = packed(1, 2, 3), second = packed(4, 5, 6), third = packed(7, 8, 9);
    const auto solids = read_mesh_solids(one_solid(header(1, 3), {first << 32 | second, third << 32}, radius));
    REQUIRE(solids.size() == 1);
    CHECK(solids[0].vertices == std::vector<Vec3>{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}});
  }
  SUBCASE("5, 5 and 6 bits, four in a word") {
    const std::uint64_t corner = 31 | 31 << 5 | 63 << 10;
    const auto solids = read_mesh_solids(one_solid(header(2, 2), {corner << 48}, radius));
    REQUIRE(solids.size() == 1);
    CHECK(glm::distance(solids[0].vertices[0], Vec3(2047, 2047, 1023)) < 1e-3f);
    CHECK(solids[0].vertices[1] == Vec3(0, 0, 0));
  }
}

TEST_CASE("a solid whose data lie outside the mesh is counted and left out") {
  std::uint32_t undecoded = 0;
  CHECK(read_mesh_solids(one_solid(2 | 1 << 6 | 9 << 8, {0}, 0), &undecoded).empty());
  CHECK(undecoded == 1);
  CompressedMesh mesh = one_solid(2 | 1 << 6 | 1 << 8, {0}, 0);
  mesh.primitives[0].corners[0] = 200;
  CHECK(read_mesh_solids(mesh, &undecoded).empty());
  CHECK(undecoded == 1);
  mesh.primitives[0].corners[0] = 0;
  mesh.shared_indices[0] = 7;
  CHECK(read_mesh_solids(mesh, &undecoded).empty());
}

TEST_CASE("solids that are added to triangles come back, and the mesh is right") {
  TriangleMesh triangles;
  triangles.vertices = {{0, 0, -1}, {9, 0, -1}, {9, 9, -1}, {0, 9, -1}};
  triangles.triangles = {{0, 1, 2}, {0, 2, 3}};
  const std::vector<MeshSolid> solids = row_of_boxes(200);
  MeshBuildOptions options;
  for (const MeshSolid& solid : solids) include(options.bounds, bounds_of(solid));
  auto mesh = build_compressed_mesh(triangles, options);
  REQUIRE(mesh);
  REQUIRE(add_mesh_solids(*mesh, solids));
  CHECK(mesh->sections.size() == 1 + 3);
  for (const Note& note : verify_compressed_mesh(*mesh)) CHECK_MESSAGE(false, note.path << ": " << note.message);
  std::uint32_t skipped = 0;
  const auto decoded = decode_compressed_mesh(*mesh, {}, &skipped);
  REQUIRE(decoded);
  CHECK(decoded->size() == 2);
  CHECK(skipped == 200);
  std::vector<MeshSolid> back = read_mesh_solids(*mesh);
  REQUIRE(back.size() == 200);
  std::ranges::sort(back, {}, [](const MeshSolid& s) { return s.vertices[0].x; });
  const auto boxes = decode_boxes(*mesh);
  REQUIRE(boxes);
  for (std::size_t i = 0; i < back.size(); ++i) {
    CHECK(back[i].radius == solids[i].radius);
    CHECK(back[i].material == solids[i].material);
    REQUIRE(back[i].vertices.size() == 8);
    for (std::size_t v = 0; v < 8; ++v) CHECK(glm::distance(back[i].vertices[v], solids[i].vertices[v]) < 1e-3f);
    // The primitive names the leaf that holds it.
    const CompressedMesh::Section& section = mesh->sections[back[i].key >> 8];
    const auto& primitive = mesh->primitives[section.first_primitive + (back[i].key >> 1 & 0x7F)];
    const Aabb& leaf = boxes->sections[back[i].key >> 8][primitive.corners[1]];
    for (const Vec3& v : back[i].vertices) CHECK(contains(leaf, {v, v}));
    CHECK(section.nodes[primitive.corners[1]].data == (back[i].key & 0xFE));
  }
}

TEST_CASE("a mesh of solids alone can be made, and what does not fit is refused") {
  CompressedMesh mesh;
  const std::vector<MeshSolid> solids = row_of_boxes(2);
  REQUIRE(add_mesh_solids(mesh, solids));
  CHECK(verify_compressed_mesh(mesh).empty());
  CHECK(read_mesh_solids(mesh).size() == 2);
  const CompressedMesh before = mesh;
  std::vector<MeshSolid> wrong = row_of_boxes(1);
  SUBCASE("outside the domain") { wrong[0].vertices[0].x = 1e6f; }
  SUBCASE("without vertices") { wrong[0].vertices.clear(); }
  SUBCASE("too many vertices") { wrong[0].vertices.resize(256); }
  SUBCASE("not a number") { wrong[0].radius = std::bit_cast<float>(0x7FC00000u); }
  CHECK_FALSE(add_mesh_solids(mesh, wrong));
  CHECK(mesh == before);
}
