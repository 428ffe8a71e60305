// SPDX-License-Identifier: MIT
#include "geometry/solids/solid.h"

#include <doctest/doctest.h>

#include <cmath>
#include <glm/gtc/quaternion.hpp>
#include <map>
#include <random>

#include "geometry/decompose/report.h"
#include "geometry/hull/quick_hull.h"
#include "geometry/mesh/surface_query.h"
#include "geometry/solids/mass.h"
#include "geometry/solids/solid_prepare.h"
#include "support/concave_shapes.h"
#include "unit/geometry/meshes.h"

using namespace marrow;
using namespace marrow::geometry;

namespace {

Solid solid_of(const TriangleMesh& mesh) {
  PreparedMesh prepared = prepare(mesh);
  REQUIRE(prepared.parts.size() == 1);
  return std::move(prepared.parts[0]);
}

/// How many edges lack one in the other direction.
std::size_t loose_edges(const Solid& solid) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> sums;
  for (const Solid::Face& face : solid.faces)
    for (const Solid::Edge& edge : solid.edges_of(face)) ++sums[{edge.from, edge.to}], --sums[{edge.to, edge.from}];
  std::size_t loose = 0;
  for (const auto& [edge, sum] : sums) loose += sum > 0 ? 1 : 0;
  return loose;
}

HalfSpace random_plane(std::mt19937& random) {
  std::normal_distribution<double> normal;
  const double x = normal(random);
  const double y = normal(random);
  const DVec3 direction = glm::normalize(DVec3(x, y, normal(random)));
  return {direction, 0.2 * normal(random)};
}

/// Planes that real searches try: along faces, through corners.
HalfSpace face_plane(const Solid& solid, std::size_t face) {
  const Solid::Face& chosen = solid.faces[face % solid.faces.size()];
  return {chosen.normal, -glm::dot(chosen.normal, solid.points[solid.edges[chosen.first_edge].from])};
}

}  // namespace

TEST_CASE("cutting a solid keeps its volume and leaves two closed solids") {
  std::mt19937 random(1);
  for (const test::NamedShape& shape : test::concave_shapes()) {
    CAPTURE(shape.name);
    const Solid whole = solid_of(shape.mesh);
    const double volume = volume_of(whole);
    CHECK(loose_edges(whole) == 0);
    std::vector<Solid> pieces = {whole};
    for (std::size_t i = 0; i < 12; ++i) {
      std::vector<Solid> next;
      for (const Solid& piece : pieces) {
        Solid below;
        Solid above;
        cut(piece, i % 2 == 0 ? random_plane(random) : face_plane(whole, 7 * i), 1e-5, below, above);
        CHECK(volume_of(below) + volume_of(above) == doctest::Approx(volume_of(piece)).epsilon(1e-9));
        for (const Solid* half : {&below, &above}) {
          CHECK(loose_edges(*half) == 0);
          CHECK(volume_of(*half) >= -1e-9);
          if (!half->empty()) next.push_back(*half);
        }
      }
      pieces = std::move(next);
    }
    double sum = 0.0;
    for (const Solid& piece : pieces) sum += volume_of(piece);
    CHECK(sum == doctest::Approx(volume).epsilon(1e-9));
  }
}

TEST_CASE("a cut through a hollow makes a face with a hole, and no part of it fills the hollow") {
  const Solid whole = solid_of(test::room(false));
  Solid below;
  Solid above;
  cut(whole, {{1, 0, 0}, 0.0}, 1e-5, below, above);
  CHECK(components_of(below).size() == 1);  // outside and inside hang together by the new face
  CHECK(volume_of(below) == doctest::Approx(volume_of(above)).epsilon(1e-9));
  // The half without its inside: outer half minus inner half.
  CHECK(volume_of(below) == doctest::Approx(0.5 * volume_of(whole)).epsilon(1e-9));
}

TEST_CASE("parts that a cut leaves apart are found") {
  Solid below;
  Solid above;
  const PreparedMesh prepared = prepare(test::table());
  const Solid& whole = prepared.parts[0];
  const double under_top = (0.9 - prepared.center.z) * prepared.scale;
  cut(whole, {{0, 0, 1}, -under_top}, 1e-5, below, above);
  CHECK(components_of(below).size() == 4);
  CHECK(components_of(above).size() == 1);
}

TEST_CASE("a cavity stays with what is around it, and a part that looks inwards is turned") {
  TriangleMesh mesh;
  test::add_box(mesh, {0, 0, 0}, {2, 2, 2});
  TriangleMesh inner;
  test::add_box(inner, {0, 0, 0}, {1, 1, 1});
  const std::uint32_t first = static_cast<std::uint32_t>(mesh.vertices.size());
  mesh.vertices.insert(mesh.vertices.end(), inner.vertices.begin(), inner.vertices.end());
  for (const auto& [a, b, c] : inner.triangles) mesh.triangles.push_back({first + a, first + c, first + b});
  PreparedMesh prepared = prepare(mesh);
  REQUIRE(prepared.parts.size() == 1);
  CHECK(volume_of(prepared.parts[0]) / std::pow(prepared.scale, 3) == doctest::Approx(56.0));

  for (Vec3& vertex : mesh.vertices)
    if (&vertex - mesh.vertices.data() >= 8) vertex.x += 10.0f;
  prepared = prepare(mesh);
  CHECK(prepared.parts.size() == 2);
  REQUIRE(prepared.notes.size() == 1);
  CHECK(prepared.notes[0].message.find("inwards") != std::string::npos);
}

TEST_CASE("what is nearly closed is closed, and what is open stays a surface") {
  TriangleMesh crate;
  test::add_box(crate, {0, 0, 0}, {1, 1, 1});
  crate.triangles.resize(10);  // the last two are the bottom
  PreparedMesh prepared = prepare(crate);
  CHECK(prepared.is_closed);
  CHECK(prepared.notes.size() == 1);
  CHECK(volume_of(prepared.parts[0]) / std::pow(prepared.scale, 3) == doctest::Approx(8.0));

  prepared = prepare(test::terrain(8));
  CHECK(!prepared.is_closed);
  CHECK(!prepared.parts[0].is_closed);
  CHECK(volume_of(prepared.parts[0]) == 0.0);

  TriangleMesh mixed;  // every other triangle turned
  test::add_box(mixed, {0, 0, 0}, {1, 1, 1});
  for (std::size_t i = 0; i < mixed.triangles.size(); i += 2) std::swap(mixed.triangles[i][1], mixed.triangles[i][2]);
  prepared = prepare(mixed);
  CHECK(prepared.is_closed);
  CHECK(volume_of(prepared.parts[0]) / std::pow(prepared.scale, 3) == doctest::Approx(8.0));
}

TEST_CASE("triangles with corners of their own are joined") {
  TriangleMesh loose;
  const TriangleMesh mesh = test::letter_l();
  for (const auto& [a, b, c] : mesh.triangles)
    test::add_triangle(loose, mesh.vertices[a], mesh.vertices[b], mesh.vertices[c]);
  const PreparedMesh prepared = prepare(loose);
  CHECK(prepared.is_closed);
  CHECK(prepared.notes.empty());
  CHECK(prepared.parts.size() == 1);
}

TEST_CASE("the quick hull has the volume of the careful one") {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  for (int round = 0; round < 40; ++round) {
    std::vector<DVec3> points;
    for (int i = 0; i < 4 + 8 * round; ++i) {
      const double x = normal(random);
      const double y = normal(random);
      points.emplace_back(0.2 * DVec3(x, y, normal(random)));
      if (round % 3 == 0) points.back() = glm::round(points.back() * 5.0) / 5.0;  // many in one plane
      if (round % 3 == 1) points.back() = glm::normalize(points.back());          // all of them corners
    }
    const QuickHull quick = quick_hull(points, 1e-9);
    const auto careful = convex_hull(points, 0.0);
    if (!careful) {
      CHECK(quick.is_flat());
      continue;
    }
    double volume = 0.0;
    for (const auto& face : careful->faces)
      for (std::size_t i = 2; i < face.size(); ++i)
        volume += glm::dot(careful->vertices[face[0]],
                           glm::cross(careful->vertices[face[i - 1]], careful->vertices[face[i]])) /
                  6.0;
    CHECK(quick.volume == doctest::Approx(volume).epsilon(1e-6));
    for (const HalfSpace& plane : quick.planes)
      for (const DVec3& point : points) CHECK(plane.distance(point) < 1e-6);
  }
}

TEST_CASE("flat, straight and single points have a flat quick hull") {
  CHECK(quick_hull(std::vector<DVec3>(9, DVec3(1.0)), 1e-9).is_flat());
  CHECK(quick_hull(std::vector<DVec3>{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {4, 0, 0}}, 1e-9).is_flat());
  CHECK(quick_hull(std::vector<DVec3>{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {2, 2, 0}}, 1e-9).is_flat());
  CHECK(quick_hull({}, 1e-9).is_flat());
}

TEST_CASE("distances to a surface and what is inside it are those of the shape") {
  const double radius = 1.0;
  const PreparedMesh prepared = prepare(test::torus(60, 30, 2.0, 0.5));
  const SurfaceQuery surface(prepared.surface, true);
  std::mt19937 random(5);
  std::uniform_real_distribution<double> place(-3.0, 3.0);
  for (int i = 0; i < 2000; ++i) {
    const double x = place(random);
    const double y = place(random);
    const double z = 0.4 * place(random);
    const double ring = std::hypot(std::hypot(x, y) - 2.0, z) - 0.5;
    const DVec3 at = (DVec3(x, y, z) - prepared.center) * prepared.scale;
    CHECK(surface.distance(at, 10.0) / prepared.scale == doctest::Approx(std::abs(ring)).epsilon(0.05).scale(radius));
    if (std::abs(ring) > 0.02) CHECK(surface.is_inside(at) == (ring < 0.0));
  }
  CHECK(!surface.crosses_itself());
  CHECK(surface.wound_volume(20000) / std::pow(prepared.scale, 3) ==
        doctest::Approx(mass_of(test::torus(60, 30, 2.0, 0.5)).volume).epsilon(0.01));
}

TEST_CASE("boxes that pass through each other are noticed, and counted once") {
  TriangleMesh mesh;
  test::add_box(mesh, {0, 0, 0}, {2, 0.5f, 0.5f});
  test::add_box(mesh, {0.1f, 0.2f, 0.1f}, {0.5f, 2, 0.3f});
  const PreparedMesh prepared = prepare(mesh);
  CHECK(prepared.parts.size() == 2);
  const SurfaceQuery surface(prepared.surface, true);
  CHECK(surface.crosses_itself());
  const double both = 4.0 + 2.4 - 1.0 * 1.0 * 0.6;
  CHECK(surface.wound_volume(30000) / std::pow(prepared.scale, 3) == doctest::Approx(both).epsilon(0.01));
}

TEST_CASE("the volume of overlapping solids counts every place once") {
  const auto box = [](const DVec3& center, const DVec3& half, const glm::dquat& turn = {1, 0, 0, 0}) {
    std::vector<DVec3> corners;
    for (int i = 0; i < 8; ++i)
      corners.push_back(center + turn * (half * DVec3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1)));
    return convex_hull(corners, 1e-7).value();
  };
  const Polyhedron a = box({0, 0, 0}, {1, 1, 1});
  const Polyhedron b = box({1, 1, 1}, {1, 1, 1});
  CHECK(union_volume(std::vector{a}) == doctest::Approx(8.0));
  CHECK(union_volume(std::vector{a, a}) == doctest::Approx(8.0));
  CHECK(union_volume(std::vector{a, b}) == doctest::Approx(15.0));
  CHECK(union_volume(std::vector{a, b, box({2, 0, 0}, {1, 1, 1})}) == doctest::Approx(22.0));  // touches a, overlaps b
  CHECK(union_volume(std::vector{a, box({0, 0, 0}, {0.5, 0.5, 3})}) == doctest::Approx(12.0));
  // Turned and many: against the share of random places.
  std::mt19937 random(8);
  std::normal_distribution<double> normal;
  std::vector<Polyhedron> many;
  for (int i = 0; i < 8; ++i) {
    const double x = normal(random);
    const double y = normal(random);
    const double z = normal(random);
    many.push_back(box(0.6 * DVec3(x, y, z), {1.0, 0.4, 0.6}, glm::normalize(glm::dquat(x, y, z, 0.3))));
  }
  std::uniform_real_distribution<double> place(-4.0, 4.0);
  int hits = 0;
  constexpr int kPlaces = 200000;
  for (int i = 0; i < kPlaces; ++i) {
    const double x = place(random);
    const double y = place(random);
    const DVec3 at(x, y, place(random));
    hits += std::any_of(many.begin(), many.end(), [&](const Polyhedron& solid) {
      return std::all_of(solid.planes.begin(), solid.planes.end(),
                         [&](const HalfSpace& plane) { return plane.distance(at) <= 0.0; });
    });
  }
  CHECK(union_volume(many) == doctest::Approx(512.0 * hits / kPlaces).epsilon(0.03));
}
