// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>
#include <random>

#include "geometry/mesh/compressed_mesh.h"
#include "unit/geometry/meshes.h"

using namespace marrow;
using namespace marrow::geometry;
using namespace marrow::geometry::test;

namespace {

std::string first(const Notes& notes) { return notes.empty() ? "" : notes[0].path + ": " + notes[0].message; }

/// Builds, and checks all that can be checked without knowing the shape.
CompressedMesh build_checked(const TriangleMesh& source, MeshBuildReport* told = nullptr) {
  MeshBuildReport report;
  const auto built = build_compressed_mesh(source, {}, &report);
  REQUIRE_MESSAGE(built.has_value(), describe(built.error()));
  CHECK(first(verify_compressed_mesh(*built)) == "");
  CHECK(first(compare_with_source(*built, source, report.collapsed_triangles)) == "");
  CHECK(report.depth <= 32);
  CHECK(*build_compressed_mesh(source) == *built);
  if (told != nullptr) *told = report;
  return *built;
}

}  // namespace

TEST_CASE("one triangle is one section with one leaf") {
  TriangleMesh source;
  add_triangle(source, {0, 0, 0}, {1, 0, 0}, {0, 1, 0.5f}, 7);
  const CompressedMesh mesh = build_checked(source);
  CHECK(mesh.sections.size() == 1);
  CHECK(mesh.top_nodes == std::vector<CompressedMesh::TopNode>{{{0, 0, 0}, 0}});
  CHECK(mesh.sections[0].nodes == std::vector<CompressedMesh::SectionNode>{{{0, 0, 0}, 0}});
  CHECK(mesh.data_runs == std::vector<CompressedMesh::DataRun>{{7, 0, 1}});
  CHECK(mesh.max_key == 0);
  CHECK(mesh.bits_per_key == 1);
  CHECK(mesh.primitive_key_count == 1);
  const auto triangles = decode_compressed_mesh(mesh).value();
  REQUIRE(triangles.size() == 1);
  CHECK(triangles[0].corners[1] == Vec3(1, 0, 0));
  CHECK(triangles[0].material == 7);
}

TEST_CASE("a cube is six flat quads of which four hide their edges") {
  TriangleMesh source;
  add_box(source, {1, 2, 3}, {1, 1, 1});
  const CompressedMesh mesh = build_checked(source);
  CHECK(mesh.primitives.size() == 6);
  CHECK(mesh.primitive_key_count == 12);
  CHECK(mesh.quad_is_flat == std::vector<std::uint32_t>{0x3F});
  CHECK(mesh.max_key == 11);
  // Every edge is convex and turns by 90 degrees, more than the 70 that an interior face may.
  CHECK(mesh.triangle_is_interior == std::vector<std::uint32_t>{0});
}

TEST_CASE("inside a flat field every enclosed face is interior") {
  TriangleMesh source = terrain(4);
  source.materials.assign(source.triangles.size(), 0);
  for (Vec3& vertex : source.vertices) vertex.z = 0.0f;
  const CompressedMesh mesh = build_checked(source);
  std::size_t interior = 0;
  for (std::uint32_t word : mesh.triangle_is_interior) interior += static_cast<std::size_t>(std::popcount(word));
  CHECK(interior > 0);
  CHECK(mesh.primitives.size() == 16);
}

TEST_CASE("flat meshes on each axis keep a domain without thickness") {
  for (int axis = 0; axis < 3; ++axis) {
    TriangleMesh source = terrain(20);
    for (Vec3& vertex : source.vertices) {
      vertex.z = 0.5f;
      std::swap(vertex[axis], vertex.z);
    }
    const CompressedMesh mesh = build_checked(source);
    CHECK(mesh.domain.min[axis] == 0.5f);
    CHECK(mesh.domain.max[axis] == 0.5f);
  }
}

TEST_CASE("the two sides of a sheet are not folded into one quad") {
  TriangleMesh source;
  source.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  source.triangles = {{0, 1, 2}, {0, 2, 1}};
  const CompressedMesh mesh = build_checked(source);
  CHECK(mesh.primitives.size() == 2);
}

TEST_CASE("a thousand equal triangles make an even tree") {
  TriangleMesh source;
  for (int i = 0; i < 1000; ++i) add_triangle(source, {0, 0, 0}, {1, 0, 0}, {0, 1, 0});
  MeshBuildReport report;
  const CompressedMesh mesh = build_checked(source, &report);
  CHECK(report.depth == 10);
  CHECK(mesh.sections.size() == 8);
}

TEST_CASE("a fan of five thousand round one edge is held") {
  TriangleMesh source;
  source.vertices = {{0, 0, 0}, {0, 0, 1}};
  for (std::uint32_t i = 0; i < 5000; ++i) {
    const float angle = 0.00125f * static_cast<float>(i);
    source.vertices.emplace_back(std::cos(angle), std::sin(angle), 0.5f);
    if (i % 2 == 0)
      source.triangles.push_back({0, 1, i + 2});
    else
      source.triangles.push_back({1, 0, i + 2});
  }
  build_checked(source);
}

TEST_CASE("twenty thousand slivers round a hub are held, or their loss is reported") {
  TriangleMesh source;
  source.vertices = {{0, 0, 0}};
  constexpr std::uint32_t kCount = 20000;
  for (std::uint32_t i = 0; i < kCount; ++i) {
    const double angle = 6.283185307179586 * i / kCount;
    source.vertices.emplace_back(10.0 * std::cos(angle), 10.0 * std::sin(angle), 0.0);
    source.triangles.push_back({0, i + 1, (i + 1) % kCount + 1});
  }
  MeshBuildReport report;
  const CompressedMesh mesh = build_checked(source, &report);
  CHECK(decode_compressed_mesh(mesh)->size() + report.collapsed_triangles + report.degenerate_triangles == kCount);
  CHECK(report.degenerate_triangles == 0);
}

TEST_CASE("sizes in a geometric row are all kept") {
  TriangleMesh source;
  for (int i = 0; i < 40; ++i) {
    const float size = std::pow(1.4f, static_cast<float>(i - 20));
    add_box(source, {4.0f * size, size, -size}, Vec3(0.5f * size), static_cast<std::uint16_t>(i % 5));
  }
  MeshBuildReport report;
  build_checked(source, &report);
  CHECK(report.collapsed_triangles == 0);
}

TEST_CASE("tiny boxes on a huge ground keep their shape") {
  TriangleMesh source;
  add_triangle(source, {-500, -500, 0}, {500, -500, 0}, {500, 500, 0});
  add_triangle(source, {-500, -500, 0}, {500, 500, 0}, {-500, 500, 0});
  for (int i = 0; i < 5; ++i) add_box(source, {10.0f * static_cast<float>(i) + 0.3f, 3, 0.05f}, Vec3(0.05f));
  MeshBuildReport report;
  const CompressedMesh mesh = build_checked(source, &report);
  CHECK(report.promoted_vertices > 0);
  CHECK(report.collapsed_triangles == 0);
  CHECK(decode_compressed_mesh(mesh)->size() == 62);
}

TEST_CASE("small things are not dropped for being small") {
  TriangleMesh small_box;
  add_box(small_box, {0, 0, 0}, Vec3(0.005f));
  CHECK(decode_compressed_mesh(build_checked(small_box))->size() == 12);
  const TriangleMesh small_ball = ball(70, 70, 0.1f);
  MeshBuildReport report;
  build_checked(small_ball, &report);
  CHECK(report.degenerate_triangles == 0);
}

TEST_CASE("coordinates far from the origin are held as well as floats can") {
  for (float away : {1e5f, 1e6f}) {
    TriangleMesh source = terrain(30);
    for (Vec3& vertex : source.vertices) vertex += Vec3(away, -away, away);
    build_checked(source);
    TriangleMesh wide = soup(2000);
    for (Vec3& vertex : wide.vertices) vertex *= away / 100.0f;
    build_checked(wide);
  }
}

TEST_CASE("many sections share their vertices and cover every triangle") {
  const TriangleMesh source = terrain(100);
  const CompressedMesh mesh = build_checked(source);
  CHECK(mesh.sections.size() > 50);
  CHECK(!mesh.shared_vertices.empty());
  build_checked(soup(20000));
}

TEST_CASE("more shared vertices than one page holds go on in the next, or are refused when asked") {
  // Triangles with corners anywhere: hardly a vertex has all its triangles in one section.
  std::mt19937 random(5);
  std::uniform_int_distribution<std::uint32_t> any(0, 89999);
  std::uniform_real_distribution<float> place(-10.0f, 10.0f);
  TriangleMesh source;
  for (int i = 0; i < 90000; ++i) {
    const float x = place(random);
    const float y = place(random);
    source.vertices.emplace_back(x, y, place(random));
  }
  for (int i = 0; i < 120000; ++i) {
    const std::uint32_t a = any(random);
    const std::uint32_t b = any(random);
    source.triangles.push_back({a, b, any(random)});
  }
  MeshBuildReport report;
  const auto mesh = build_compressed_mesh(source, {.rotation_passes = 1}, &report);
  REQUIRE(mesh.has_value());
  CHECK(report.pages > 1);
  CHECK(first(verify_compressed_mesh(*mesh)) == "");
  CHECK(first(compare_with_source(*mesh, source, report.collapsed_triangles)) == "");
  const auto refused = build_compressed_mesh(source, {.allow_pages = false, .rotation_passes = 1});
  REQUIRE(!refused);
  CHECK(refused.error().message.find("65536") != std::string::npos);
}

TEST_CASE("what cannot be built is refused with the reason") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  TriangleMesh source;
  CHECK(!build_compressed_mesh(source));
  add_triangle(source, {0, 0, 0}, {1, 0, 0}, {nan, 1, 0});
  CHECK(build_compressed_mesh(source).error().path == "vertices[2]");
  source.vertices[2] = {std::numeric_limits<float>::infinity(), 0, 0};
  CHECK(!build_compressed_mesh(source));
  source.vertices[2] = {2, 0, 0};  // on the line of the others
  CHECK(build_compressed_mesh(source).error().message.find("area") != std::string::npos);
  source.triangles[0] = {0, 1, 3};
  CHECK(build_compressed_mesh(source).error().path == "triangles[0]");
  source.triangles[0] = {0, 1, 2};
  source.materials = {1, 2};
  CHECK(!build_compressed_mesh(source));
}

TEST_CASE("equal corners are one vertex, also minus zero and zero") {
  TriangleMesh source;
  add_triangle(source, {0, 0, 0}, {1, 0, 0}, {1, 1, 0});
  add_triangle(source, {-0.0f, 0, -0.0f}, {1, 1, 0}, {0, 1, 0});
  const CompressedMesh mesh = build_checked(source);
  CHECK(mesh.primitives.size() == 1);
  CHECK(mesh.sections[0].packed_vertex_count == 4);
}

TEST_CASE("materials keep neighbours apart and come back") {
  TriangleMesh source;
  add_triangle(source, {0, 0, 0}, {1, 0, 0}, {1, 1, 0}, 65535);
  add_triangle(source, {0, 0, 0}, {1, 1, 0}, {0, 1, 0}, 3);
  const CompressedMesh mesh = build_checked(source);
  CHECK(mesh.primitives.size() == 2);
  CHECK(mesh.data_runs.size() == 2);
}

TEST_CASE("odd inputs are built or refused, and what is built is right") {
  std::mt19937 random(11);
  const auto number = [&](int below) { return static_cast<int>(random() % static_cast<unsigned>(below)); };
  int built = 0;
  for (int round = 0; round < 400; ++round) {
    TriangleMesh source;
    const int grid = 1 + number(6);  // few distinct coordinates: many coincidences
    const float scale = std::pow(10.0f, static_cast<float>(number(9) - 4));
    const int vertex_count = 3 + number(60);
    for (int i = 0; i < vertex_count; ++i)
      source.vertices.push_back(scale *
                                Vec3(number(grid + 1), number(grid + 1), number(2) == 0 ? 0 : number(grid + 1)));
    const int triangle_count = 1 + number(300);
    for (int i = 0; i < triangle_count; ++i) {
      const auto any = [&] { return static_cast<std::uint32_t>(number(vertex_count)); };
      source.triangles.push_back({any(), any(), any()});
      source.materials.push_back(static_cast<std::uint16_t>(number(3)));
    }
    MeshBuildReport report;
    const auto mesh = build_compressed_mesh(source, {}, &report);
    if (!mesh) continue;
    ++built;
    CHECK(first(verify_compressed_mesh(*mesh)) == "");
    CHECK(first(compare_with_source(*mesh, source, report.collapsed_triangles)) == "");
  }
  CHECK(built > 300);
}
