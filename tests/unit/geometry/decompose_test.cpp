// SPDX-License-Identifier: MIT
#include "marrow/geometry/decompose.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>
#include <random>

#include "marrow/geometry/mass.h"
#include "unit/geometry/meshes.h"

using namespace marrow;
using namespace marrow::geometry;

namespace {

/// A prism of a polygon in the xy plane, counter-clockwise, of unit height.
TriangleMesh prism(const std::vector<glm::vec2>& outline, const std::vector<std::array<std::uint32_t, 3>>& top) {
  TriangleMesh mesh;
  const std::uint32_t n = static_cast<std::uint32_t>(outline.size());
  for (float z : {0.0f, 1.0f})
    for (const glm::vec2& p : outline) mesh.vertices.emplace_back(p.x, p.y, z);
  for (const auto& [a, b, c] : top) {
    mesh.triangles.push_back({n + a, n + b, n + c});
    mesh.triangles.push_back({a, c, b});
  }
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t j = (i + 1) % n;
    mesh.triangles.push_back({i, j, n + j});
    mesh.triangles.push_back({i, n + j, n + i});
  }
  return mesh;
}

TriangleMesh letter_l() {
  return prism({{0, 0}, {3, 0}, {3, 1}, {1, 1}, {1, 3}, {0, 3}}, {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}});
}

TriangleMesh torus(std::uint32_t around, std::uint32_t across) {
  TriangleMesh mesh;
  for (std::uint32_t i = 0; i < around; ++i)
    for (std::uint32_t j = 0; j < across; ++j) {
      const double u = 6.283185307 * i / around;
      const double v = 6.283185307 * j / across;
      const double r = 2.0 + 0.5 * std::cos(v);
      mesh.vertices.emplace_back(r * std::cos(u), r * std::sin(u), 0.5 * std::sin(v));
    }
  const auto at = [&](std::uint32_t i, std::uint32_t j) { return i % around * across + j % across; };
  for (std::uint32_t i = 0; i < around; ++i)
    for (std::uint32_t j = 0; j < across; ++j) {
      mesh.triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      mesh.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  return mesh;
}

double outside_of(const Hull& hull, const Vec3& point) {
  double farthest = -1e30;
  for (const Plane& plane : hull.planes)
    farthest = std::max(farthest, static_cast<double>(glm::dot(plane.normal, point) + plane.offset));
  return farthest - static_cast<double>(hull.convex_radius);
}

/// How far a vertex of the mesh is outside of all hulls, at worst.
double uncovered(const TriangleMesh& mesh, const Decomposition& parts) {
  double worst = -1e30;
  for (const Vec3& vertex : mesh.vertices) {
    double nearest = 1e30;
    for (const Hull& hull : parts.hulls) nearest = std::min(nearest, outside_of(hull, vertex));
    worst = std::max(worst, nearest);
  }
  return worst;
}

double volume_of(const Decomposition& parts) {
  double volume = 0.0;
  for (const Hull& hull : parts.hulls) volume += mass_of(hull).volume;
  return volume;
}

}  // namespace

TEST_CASE("what is convex stays one piece") {
  TriangleMesh mesh;
  test::add_box(mesh, {1, 2, 3}, {1, 2, 3});
  const Decomposition parts = decompose(mesh).value();
  CHECK(parts.hulls.size() == 1);
  CHECK(parts.within_limit);
  CHECK(mass_of(parts.hulls[0]).volume == doctest::Approx(48.0).epsilon(1e-3));
  CHECK(decompose(test::ball(20, 20, 1.0f))->hulls.size() == 1);
}

TEST_CASE("a letter becomes its strokes, however it lies") {
  for (const Quat& turn : {Quat(1, 0, 0, 0), glm::normalize(Quat(0.8f, 0.3f, 0.1f, 0.5f))}) {
    TriangleMesh mesh = letter_l();
    for (Vec3& vertex : mesh.vertices) vertex = turn * vertex;
    const Decomposition parts = decompose(mesh).value();
    CHECK(parts.within_limit);
    CHECK(parts.hulls.size() == 2);
    CHECK(volume_of(parts) == doctest::Approx(5.0).epsilon(0.12));
    CHECK(uncovered(mesh, parts) < 1e-3);
  }
}

TEST_CASE("a ring is held within the limit by no more pieces than allowed") {
  const TriangleMesh mesh = torus(40, 16);
  const Decomposition parts = decompose(mesh, {.max_concavity = 0.25f, .max_pieces = 16}).value();
  CHECK(parts.hulls.size() > 3);
  CHECK(parts.hulls.size() <= 16);
  CHECK(parts.within_limit);
  CHECK(uncovered(mesh, parts) < 1e-3);
  // By its own measure no point in a hull is far from the ring: the distance to a torus is known exactly.
  std::mt19937 random(1);
  std::uniform_real_distribution<float> place(-2.6f, 2.6f);
  double farthest = 0.0;
  for (int i = 0; i < 200000; ++i) {
    const float x = place(random);
    const float y = place(random);
    const Vec3 point(x, y, 0.2f * place(random));
    for (const Hull& hull : parts.hulls) {
      if (outside_of(hull, point) > 0.0) continue;
      const double ring = std::hypot(std::hypot(x, y) - 2.0f, point.z) - 0.5;
      farthest = std::max(farthest, ring);
    }
  }
  const double cell = 5.0 / 80.0;
  CHECK(farthest <= static_cast<double>(parts.concavity) + 1.8 * cell);
  CHECK(farthest > 0.0);
}

TEST_CASE("when pieces run out, the error is told") {
  const Decomposition parts = decompose(torus(40, 16), {.max_concavity = 0.05f, .max_pieces = 2}).value();
  CHECK(parts.hulls.size() <= 2);
  CHECK(!parts.within_limit);
  CHECK(parts.concavity > 0.5f);
}

TEST_CASE("a room with a door is not taken for a block") {
  TriangleMesh mesh;  // four walls and a floor; a gap in the front
  test::add_box(mesh, {0, 0, -0.1f}, {4, 4, 0.1f});
  test::add_box(mesh, {-3.9f, 0, 1.5f}, {0.1f, 4, 1.5f});
  test::add_box(mesh, {3.9f, 0, 1.5f}, {0.1f, 4, 1.5f});
  test::add_box(mesh, {0, 3.9f, 1.5f}, {3.8f, 0.1f, 1.5f});
  test::add_box(mesh, {-2.5f, -3.9f, 1.5f}, {1.3f, 0.1f, 1.5f});
  test::add_box(mesh, {2.5f, -3.9f, 1.5f}, {1.3f, 0.1f, 1.5f});
  const Decomposition parts = decompose(mesh, {.max_concavity = 0.4f}).value();
  CHECK(parts.within_limit);
  CHECK(parts.hulls.size() > 1);
  bool middle_is_free = true;
  for (const Hull& hull : parts.hulls) middle_is_free &= outside_of(hull, {0, 0, 1.5f}) > 0.0;
  CHECK(middle_is_free);
  CHECK(uncovered(mesh, parts) < 2e-2);
}

TEST_CASE("flat and broken meshes are held or refused") {
  TriangleMesh flat = test::terrain(3);
  for (Vec3& vertex : flat.vertices) vertex.z = 0.0f;
  CHECK(decompose(flat)->hulls.size() == 1);
  CHECK(!decompose({}));
  TriangleMesh point;
  test::add_triangle(point, {1, 1, 1}, {1, 1, 1}, {1, 1, 1});
  CHECK(!decompose(point));
  CHECK(!decompose(flat, {.max_pieces = 0}));
  flat.triangles[0][0] = 999;
  CHECK(!decompose(flat));
}

TEST_CASE("the same mesh is cut the same way every time") {
  const TriangleMesh mesh = torus(24, 10);
  CHECK(decompose(mesh)->hulls == decompose(mesh)->hulls);
}
