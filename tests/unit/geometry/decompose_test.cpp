// SPDX-License-Identifier: MIT
#include "geometry/decompose/decompose.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>
#include <random>

#include "geometry/decompose/parts.h"
#include "geometry/solids/mass.h"
#include "support/concave_shapes.h"
#include "support/processor_time.h"
#include "unit/geometry/meshes.h"

using namespace marrow;
using namespace marrow::geometry;

namespace {

/// How far a place is outside of a hull with its margin, by its planes.
double outside_of(const Hull& hull, const glm::dvec3& place) {
  double farthest = -1e30;
  for (const Plane& plane : hull.planes)
    farthest = std::max(farthest, glm::dot(glm::dvec3(plane.normal), place) + static_cast<double>(plane.offset));
  return farthest - static_cast<double>(hull.convex_radius);
}

double outside_of(const Decomposition& parts, const glm::dvec3& place) {
  double nearest = 1e30;
  for (const Hull& hull : parts.hulls) nearest = std::min(nearest, outside_of(hull, place));
  return nearest;
}

/// How far a corner or a place inside a triangle of the mesh is outside of all hulls, at worst.
double uncovered(const TriangleMesh& mesh, const Decomposition& parts) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  double worst = -1e30;
  for (const auto& [a, b, c] : mesh.triangles)
    for (int i = 0; i < 4; ++i) {
      const double u = i == 0 ? 0.0 : unit(random);
      const double v = i == 0 ? 0.0 : unit(random) * (1.0 - u);
      const glm::dvec3 place = glm::dvec3(mesh.vertices[a]) * (1.0 - u - v) + glm::dvec3(mesh.vertices[b]) * u +
                               glm::dvec3(mesh.vertices[c]) * v;
      worst = std::max(worst, outside_of(parts, place));
    }
  return worst;
}

Decomposition check_shape(const test::NamedShape& shape, const TriangleMesh& mesh) {
  CAPTURE(shape.name);
  const DecomposeOptions options;
  const Decomposition parts = decompose(mesh, options).value();
  CHECK(parts.hulls.size() <= shape.most_hulls);
  CHECK(parts.report.hulls == parts.hulls.size());
  CHECK(parts.report.notes.empty());
  CHECK(parts.report.mesh_volume == doctest::Approx(mass_of(mesh).volume).epsilon(1e-5));
  CHECK(parts.report.volume_error > -0.005);
  if (shape.is_polyhedral) CHECK(parts.report.volume_error < 0.02);
  CHECK(parts.report.coverage > 0.9995);
  CHECK(parts.report.left_out <= static_cast<double>(options.hull.convex_radius));
  CHECK(uncovered(mesh, parts) <= 1e-3);
  for (const Hull& hull : parts.hulls) CHECK(validate(hull, 1e-4f).has_value());
  return parts;
}

const test::NamedShape& shape_named(std::string_view name) {
  static const std::vector<test::NamedShape> shapes = test::concave_shapes();
  return *std::find_if(shapes.begin(), shapes.end(), [&](const test::NamedShape& s) { return s.name == name; });
}

Decomposition check_shape(std::string_view name) { return check_shape(shape_named(name), shape_named(name).mesh); }

}  // namespace

TEST_CASE("a letter L becomes its two strokes") { check_shape("L"); }
TEST_CASE("crossed bars become three boxes") { check_shape("X"); }
TEST_CASE("stairs become a box for each step") {
  check_shape("stairs 4");
  check_shape("stairs 8");
}
TEST_CASE("a chair becomes its members") { check_shape("chair"); }
TEST_CASE("a table becomes a top and four legs") { check_shape("table"); }
TEST_CASE("an arch keeps its opening with ten hulls") { check_shape("arch"); }
TEST_CASE("a throne becomes its blocks") { check_shape("throne"); }
TEST_CASE("a room becomes its walls") { check_shape("room"); }

TEST_CASE("a torus takes twelve hulls and gains little volume") {
  CHECK(check_shape("torus").report.volume_error < 0.05);
}

TEST_CASE("a mug keeps its inside and its handle") {
  const Decomposition parts = check_shape("mug");
  CHECK(parts.report.volume_error < 0.12);
  CHECK(outside_of(parts, {0, 0, 1.2}) > 0.5);
  CHECK(outside_of(parts, {1.2, 0.16, 1.15}) > 0.05);  // within the handle
}

TEST_CASE("a bowl stays open") {
  const Decomposition parts = check_shape("bowl");
  CHECK(parts.report.volume_error < 0.18);
  CHECK(outside_of(parts, {0, 0, -0.3}) > 0.3);
}

TEST_CASE("shapes are decomposed as well however they lie") {
  std::mt19937 random(7);
  std::normal_distribution<float> normal;
  for (std::string_view name : {"L", "X", "stairs 4", "chair", "table", "throne", "room", "arch"}) {
    const test::NamedShape& shape = shape_named(name);
    TriangleMesh mesh = shape.mesh;
    const float x = normal(random);
    const float y = normal(random);
    const float z = normal(random);
    const Quat turn = glm::normalize(Quat(normal(random), x, y, z));
    for (Vec3& vertex : mesh.vertices) vertex = turn * (vertex * 1.7f) + Vec3(20, -30, 4);
    check_shape(shape, mesh);
  }
}

TEST_CASE("shapes of any size are decomposed alike, and margins follow the size") {
  for (const float size : {0.03f, 0.06f, 0.5f, 30.0f})
    for (TriangleMesh mesh : {test::stairs(20), test::arch(48), test::arch()}) {
      CAPTURE(size);
      CAPTURE(mesh.triangles.size());
      const Aabb box = bounds_of(mesh.vertices);
      for (Vec3& vertex : mesh.vertices) vertex *= size / glm::distance(box.min, box.max);
      const Decomposition parts = decompose(mesh).value();
      CHECK(parts.hulls.size() <= 22);
      CHECK(std::abs(parts.report.volume_error) < 0.02);
      CHECK(parts.report.left_out <= static_cast<double>(std::min(0.01f, 0.015f * size)) + 1e-6);
    }
}

TEST_CASE("what is convex stays one hull") {
  TriangleMesh mesh;
  test::add_box(mesh, {1, 2, 3}, {1, 2, 3});
  const Decomposition parts = decompose(mesh).value();
  CHECK(parts.hulls.size() == 1);
  CHECK(parts.within_limit);
  CHECK(parts.report.union_volume == doctest::Approx(48.0).epsilon(1e-3));
  CHECK(parts.report.overhang < 1e-5);
  CHECK(decompose(test::ball(20, 20, 1.0f))->hulls.size() == 1);
}

TEST_CASE("a closed room stays hollow") {
  for (const bool with_door : {false, true}) {
    const Decomposition parts = decompose(test::room(with_door)).value();
    CHECK(outside_of(parts, {2, 1.5, 1.3}) > 0.9);
    CHECK(std::abs(parts.report.volume_error) < 1e-3);
    CHECK(parts.report.overhang < 1e-3);
  }
  // A box with a smaller box turned inside out in it is the same thing from elsewhere.
  TriangleMesh mesh;
  test::add_box(mesh, {0, 0, 0}, {3, 3, 3});
  test::add_box(mesh, {0.5f, 0.5f, 0}, {2, 2, 2});
  for (std::size_t i = 12; i < 24; ++i) std::swap(mesh.triangles[i][1], mesh.triangles[i][2]);
  const Decomposition parts = decompose(mesh).value();
  CHECK(outside_of(parts, {0.5, 0.5, 0}) > 1.5);
  CHECK(parts.report.mesh_volume == doctest::Approx(216.0 - 64.0));
  CHECK(parts.report.union_volume == doctest::Approx(216.0 - 64.0).epsilon(0.02));
}

TEST_CASE("no place in a hull is farther from the mesh than reported") {
  const TriangleMesh mesh = test::torus();
  const Decomposition parts = decompose(mesh, {.max_hulls = 8}).value();
  CHECK(parts.hulls.size() <= 8);
  std::mt19937 random(1);
  std::uniform_real_distribution<double> place(-2.6, 2.6);
  double farthest = 0.0;
  for (int i = 0; i < 300000; ++i) {
    const double x = place(random);
    const double y = place(random);
    const double z = 0.2 * place(random);
    if (outside_of(parts, {x, y, z}) > 0.0) continue;
    // The distance to a torus is known exactly; the mesh is at most 0.02 inside of it.
    farthest = std::max(farthest, std::hypot(std::hypot(x, y) - 2.0, z) - 0.5);
  }
  CHECK(farthest > 0.0);
  CHECK(farthest <= parts.report.overhang + 0.03);
  CHECK(farthest <= static_cast<double>(parts.concavity) + 0.03);
}

TEST_CASE("when hulls run out, the error is reported") {
  const Decomposition parts = decompose(test::torus(24, 10), {.max_hulls = 2, .max_concavity = 0.05f}).value();
  CHECK(parts.hulls.size() <= 2);
  CHECK(!parts.within_limit);
  CHECK(parts.concavity > 0.5f);
  CHECK(parts.report.volume_error > 0.3);
  CHECK(decompose(test::torus(24, 10), {.max_hulls = 1})->hulls.size() == 1);
}

TEST_CASE("a smaller concavity gives more hulls and less volume") {
  const Decomposition coarse = decompose(test::bowl(16, 6), {.max_hulls = 100, .max_concavity = 0.3f}).value();
  const Decomposition fine = decompose(test::bowl(16, 6), {.max_hulls = 100, .max_concavity = 0.06f}).value();
  CHECK(coarse.within_limit);
  CHECK(fine.within_limit);
  CHECK(coarse.hulls.size() < fine.hulls.size());
  CHECK(coarse.report.volume_error > fine.report.volume_error);
  CHECK(fine.report.overhang < 0.07);
}

TEST_CASE("hulls keep their limit of vertices") {
  const Decomposition parts = decompose(test::torus(40, 20), {.max_vertices_per_hull = 24}).value();
  for (const Hull& hull : parts.hulls) CHECK(hull.vertices.size() <= 24);
  CHECK(!decompose(test::letter_l(), {.max_vertices_per_hull = 3}));
  CHECK(!decompose(test::letter_l(), {.max_vertices_per_hull = 300, .hull = {.max_vertices = 300}}));
}

TEST_CASE("members that were modelled apart stay apart, and those that overlap are counted once") {
  TriangleMesh mesh;  // a stool of boxes that reach into each other
  test::add_box(mesh, {0, 0, 1}, {1, 1, 0.1f});
  for (float x : {-0.8f, 0.8f})
    for (float y : {-0.8f, 0.8f}) test::add_box(mesh, {x, y, 0.525f}, {0.1f, 0.1f, 0.525f});
  const Decomposition parts = decompose(mesh).value();
  CHECK(parts.hulls.size() == 5);
  const double volume = 0.8 + 4 * 0.04 * 0.9;
  CHECK(parts.report.mesh_volume == doctest::Approx(volume).epsilon(0.01));
  CHECK(parts.report.union_volume == doctest::Approx(volume).epsilon(0.01));
  REQUIRE(parts.report.notes.size() == 1);
  CHECK(parts.report.notes[0].message.find("passes through itself") != std::string::npos);
}

TEST_CASE("a crate without a bottom is a crate, and the report notes the hole") {
  TriangleMesh mesh;
  test::add_box(mesh, {0, 0, 0}, {1, 1, 1});
  mesh.triangles.resize(10);
  const Decomposition parts = decompose(mesh).value();
  CHECK(parts.hulls.size() == 1);
  REQUIRE(parts.report.notes.size() == 1);
  CHECK(parts.report.notes[0].message.find("holes") != std::string::npos);
}

TEST_CASE("faces that are there for both sides count once") {
  TriangleMesh mesh;
  test::add_box(mesh, {0, 0, 0}, {1, 1, 1});
  const TriangleMesh once = mesh;
  for (const auto& [a, b, c] : once.triangles) mesh.triangles.push_back({a, c, b});
  const Decomposition parts = decompose(mesh).value();
  CHECK(parts.hulls.size() == 1);
  CHECK(parts.report.mesh_volume == doctest::Approx(8.0));
  CHECK(parts.report.coverage == doctest::Approx(1.0).epsilon(1e-3));
  CHECK(std::abs(parts.report.volume_error) < 0.01);
  REQUIRE(parts.report.notes.size() == 1);
  CHECK(parts.report.notes[0].message.find("both sides") != std::string::npos);
  // With vertices of their own for the inner side, as programs write them, and with a second box that is seen from
  // outside only.
  TriangleMesh apart = once;
  const auto first = static_cast<std::uint32_t>(once.vertices.size());
  apart.vertices.insert(apart.vertices.end(), once.vertices.begin(), once.vertices.end());
  for (const auto& [a, b, c] : once.triangles) apart.triangles.push_back({first + a, first + c, first + b});
  test::add_box(apart, {5, 0, 0}, {1, 1, 1});
  const Decomposition two = decompose(apart).value();
  CHECK(two.hulls.size() == 2);
  CHECK(two.report.mesh_volume == doctest::Approx(16.0));
}

TEST_CASE("a surface without an inside is wrapped as thinly as the limit asks") {
  TriangleMesh mesh;  // half a pipe: open, and nothing in it
  for (int i = 0; i <= 16; ++i)
    for (float y : {0.0f, 4.0f}) {
      const double angle = 3.141592653589793 * i / 16;
      mesh.vertices.emplace_back(std::cos(angle), y, std::sin(angle));
    }
  for (std::uint32_t i = 0; i < 16; ++i) test::add_quad(mesh, 2 * i, 2 * i + 1, 2 * i + 3, 2 * i + 2);
  const Decomposition parts = decompose(mesh, {.max_concavity = 0.1f}).value();
  CHECK(parts.hulls.size() > 2);
  CHECK(parts.hulls.size() <= 8);
  CHECK(parts.within_limit);
  CHECK(outside_of(parts, {0, 2, 0.4}) > 0.3);
  CHECK(uncovered(mesh, parts) <= 0.02);
  REQUIRE(parts.report.notes.size() == 1);
  CHECK(parts.report.notes[0].message.find("not closed") != std::string::npos);
  CHECK(parts.report.mesh_volume == 0.0);
  CHECK(parts.report.volume_error == 0.0);
}

TEST_CASE("loose triangles give no more hulls than allowed") {
  const TriangleMesh mesh = test::soup(500);
  const Decomposition parts = decompose(mesh, {.max_hulls = 10}).value();
  CHECK(parts.hulls.size() <= 10);
  CHECK(uncovered(mesh, parts) <= 0.05);
}

TEST_CASE("the same mesh is cut the same way every time") {
  for (const TriangleMesh& mesh : {test::torus(24, 10), test::chair(), test::soup(60)}) {
    const Decomposition once = decompose(mesh).value();
    const Decomposition again = decompose(mesh).value();
    CHECK(once.hulls == again.hulls);
    CHECK(once.report == again.report);
  }
}

TEST_CASE("the time of a decomposition grows with the triangles, not with their square") {
  const auto seconds = [](std::uint32_t around) {
    const TriangleMesh mesh = test::torus(around, around / 2);
    const double start = timing::processor_seconds();
    CHECK(decompose(mesh)->hulls.size() <= 12);
    return timing::processor_seconds() - start;
  };
  const double small = seconds(40);
  const double large = seconds(80);  // four times the triangles; their square would be sixteen times as long
  CHECK(large < 11.0 * small);
}

TEST_CASE("a very fine mesh is simplified before it is decomposed, and says so") {
  // A torus of 40,000 vertices. Work grows with what is cut, which has a bound.
  constexpr std::uint32_t kAround = 400, kTube = 100;
  TriangleMesh torus;
  for (std::uint32_t i = 0; i < kAround; ++i)
    for (std::uint32_t k = 0; k < kTube; ++k) {
      const double a = 6.283185307179586 * i / kAround, b = 6.283185307179586 * k / kTube;
      torus.vertices.emplace_back((3.0 + std::cos(b)) * std::cos(a), (3.0 + std::cos(b)) * std::sin(a), std::sin(b));
      const std::uint32_t next = (i + 1) % kAround, up = (k + 1) % kTube;
      torus.triangles.push_back({i * kTube + k, next * kTube + k, next * kTube + up});
      torus.triangles.push_back({i * kTube + k, next * kTube + up, i * kTube + up});
    }
  const TriangleMesh coarse = coarsened(torus, 8000);
  CHECK(coarse.vertices.size() <= 8000);
  CHECK(coarse.vertices.size() > 1000);
  CHECK(coarsened(coarse, 8000) == coarse);
  for (const auto& triangle : coarse.triangles)
    for (const std::uint32_t corner : triangle) REQUIRE(corner < coarse.vertices.size());
  for (const Vec3& vertex : coarse.vertices) {
    const double ring = std::hypot(static_cast<double>(vertex.x), static_cast<double>(vertex.y)) - 3.0;
    CHECK(std::abs(std::hypot(ring, static_cast<double>(vertex.z)) - 1.0) < 0.05);
  }
}

TEST_CASE("a mesh with far more triangles than vertices is simplified too") {
  TriangleMesh fan;
  fan.vertices = {Vec3(0.0f), Vec3(0.0f, 0.0f, 1.0f)};
  for (std::uint32_t i = 0; i < 400; ++i) {
    const double a = 6.283185307179586 * i / 400;
    fan.vertices.emplace_back(std::cos(a), std::sin(a), 0.1 * std::sin(7.0 * a));
  }
  // Each triangle a hundred times, at a corner of its own each time.
  for (std::uint32_t copy = 0; copy < 100; ++copy)
    for (std::uint32_t i = 0; i < 400; ++i)
      fan.triangles.push_back(copy % 2 == 0 ? std::array{0u, 2 + i, 2 + (i + 1) % 400}
                                            : std::array{2 + i, 2 + (i + 1) % 400, 0u});
  const TriangleMesh once = coarsened(fan, 402);
  CHECK(once.vertices == fan.vertices);
  CHECK(once.triangles.size() == 400);
  // All pairs of vertices with one edge: no two are the same.
  TriangleMesh crowd;
  for (std::uint32_t i = 0; i < 100; ++i) crowd.vertices.emplace_back(i % 5, i / 5 % 5, i / 25);
  for (std::uint32_t i = 0; i < 100; ++i)
    for (std::uint32_t k = i + 1; k < 100; ++k)
      for (std::uint32_t m = k + 1; m < 100; m += 7) crowd.triangles.push_back({i, k, m});
  const TriangleMesh coarse = coarsened(crowd, 100);
  CHECK(coarse.triangles.size() <= 300);
  CHECK(coarse.vertices.size() < 100);
}
