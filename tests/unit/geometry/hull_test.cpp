// SPDX-License-Identifier: MIT
#include "geometry/hull/hull.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>
#include <numbers>
#include <random>
#include <set>

#include "geometry/hull/polyhedron.h"
#include "geometry/solids/mass.h"

using namespace marrow;
using namespace marrow::geometry;

namespace {

std::vector<Vec3> cube(float half) {
  std::vector<Vec3> points;
  for (int i = 0; i < 8; ++i) points.emplace_back(i & 1 ? half : -half, i & 2 ? half : -half, i & 4 ? half : -half);
  return points;
}

std::vector<Vec3> on_sphere(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::vector<Vec3> points;
  while (points.size() < count) {
    const Vec3 p(normal(random), normal(random), normal(random));
    if (glm::length(p) > 0.1f) points.push_back(glm::normalize(p));
  }
  return points;
}

double outermost(const Hull& hull, const Vec3& point) {
  double farthest = -1e30;
  for (const Plane& plane : hull.planes)
    farthest =
        std::max(farthest, static_cast<double>(glm::dot(plane.normal, point)) + static_cast<double>(plane.offset));
  return farthest;
}

}  // namespace

TEST_CASE("a cube becomes six quads, shrunk by its convex radius") {
  std::vector<Vec3> points = cube(1.0f);
  points.emplace_back(0.0f, 0.0f, 0.0f);     // inside
  points.emplace_back(1.0f, 0.25f, 0.125f);  // on a face
  const Hull hull = build_hull(points).value();
  CHECK(hull.vertices.size() == 8);
  CHECK(hull.faces.size() == 6);
  CHECK(hull.convex_radius == 0.01f);
  for (const HullFace& face : hull.faces) {
    CHECK(face.index_count == 4);
    CHECK(face.min_half_angle == 128);  // 45 degrees of 90, 127.5, rounded
  }
  for (const Vec3& vertex : hull.vertices) CHECK(std::abs(vertex.x) == doctest::Approx(0.99f));
  CHECK(validate(hull, 1e-6f).has_value());
}

TEST_CASE("a thin box keeps at least half of its thickness as core") {
  const Hull direct = box_hull({.half_extents = {1.0f, 0.5f, 0.004f}}).value();
  CHECK(direct.convex_radius == doctest::Approx(0.002f));
  CHECK(validate(direct, 1e-6f).has_value());
  const Hull fitted = build_hull(std::vector<Vec3>{{-1, -1, 0},
                                                   {1, -1, 0},
                                                   {1, 1, 0},
                                                   {-1, 1, 0},
                                                   {-1, -1, .008f},
                                                   {1, -1, .008f},
                                                   {1, 1, .008f},
                                                   {-1, 1, .008f}})
                          .value();
  CHECK(fitted.convex_radius == doctest::Approx(0.002f).epsilon(1e-4));
  CHECK(fitted.faces.size() == 6);
}

TEST_CASE("flat points get a thickness, or are refused when none is allowed") {
  const std::vector<Vec3> flat = {{0, 0, 1}, {2, 0, 1}, {2, 1, 1}, {0, 1, 1}, {1, 0.5f, 1}};
  const Hull hull = build_hull(flat).value();
  CHECK(hull.faces.size() == 6);
  CHECK(mass_of(hull).volume == doctest::Approx(2 * 0.02).epsilon(1e-4));
  const auto refused = build_hull(flat, {.flat_thickness = 0.0f});
  REQUIRE(!refused);
  CHECK(refused.error().message.find("plane") != std::string::npos);
}

TEST_CASE("what has no hull is refused by name") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  CHECK(!build_hull({}));
  CHECK(!build_hull(std::vector<Vec3>{{0, 0, 0}, {nan, 0, 0}}));
  CHECK(build_hull(std::vector<Vec3>(5, Vec3(1, 2, 3))).error().message.find("one point") != std::string::npos);
  const std::vector<Vec3> line = {{0, 0, 0}, {1, 1, 1}, {3, 3, 3}, {2, 2, 2}};
  CHECK(build_hull(line).error().message.find("one line") != std::string::npos);
  CHECK(!build_hull(cube(1), {.max_vertices = 3}));
  CHECK(!build_hull(cube(1), {.convex_radius = -1.0f}));
  CHECK(!box_hull({.half_extents = {1, 0, 0}}));
  CHECK(!box_hull({.half_extents = {0, 0, 0}}));
  CHECK(!box_hull({.half_extents = {1, -1, 1}}));
  CHECK(!box_hull({.half_extents = {1, nan, 1}}));
}

TEST_CASE("the vertex limit is kept and the best vertices stay") {
  const std::vector<Vec3> sphere = on_sphere(2000, 1);
  double last_volume = 0.0;
  for (std::uint32_t limit : {8u, 32u, 128u, 252u}) {
    const Hull hull = build_hull(sphere, {.convex_radius = 0.0f, .max_vertices = limit}).value();
    CHECK(hull.vertices.size() <= limit);
    CHECK(hull.vertices.size() >= limit - 1);
    CHECK(validate(hull, 1e-5f).has_value());
    const double volume = mass_of(hull).volume;
    CHECK(volume > last_volume);
    last_volume = volume;
  }
  // 252 points spread evenly over a sphere hold 98 % of its ball.
  CHECK(last_volume > 0.97 * 4.0 / 3.0 * std::numbers::pi);
  CHECK(last_volume < 4.0 / 3.0 * std::numbers::pi);
}

TEST_CASE("removing a vertex costs what two hulls say it costs") {
  const std::vector<Vec3> points = on_sphere(24, 9);
  std::vector<DVec3> cloud = to_double(points);
  const Polyhedron full = convex_hull(cloud, 0.0).value();
  const std::vector<DVec3> kept = simplified_vertices(full, 23);
  const auto volume = [](std::span<const DVec3> corners) {
    std::vector<Vec3> as_float(corners.begin(), corners.end());
    return mass_of(build_hull(as_float, {.convex_radius = 0.0f}).value()).volume;
  };
  double best = 0.0;  // by brute force over which vertex goes
  for (std::size_t gone = 0; gone < cloud.size(); ++gone) {
    std::vector<DVec3> rest = cloud;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(gone));
    best = std::max(best, volume(rest));
  }
  CHECK(volume(kept) == doctest::Approx(best).epsilon(1e-9));
}

TEST_CASE("core and radius together have the size of the input") {
  const std::vector<Vec3> points = on_sphere(60, 3);
  const Hull plain = build_hull(points, {.convex_radius = 0.0f}).value();
  const Hull shrunk = build_hull(points, {.convex_radius = 0.05f}).value();
  CHECK(shrunk.convex_radius == 0.05f);
  CHECK(validate(shrunk, 1e-4f).has_value());
  for (const Vec3& point : shrunk.vertices) CHECK(outermost(plain, point) < -0.05f + 1e-5f);
  CHECK(mass_of(shrunk).volume == doctest::Approx(mass_of(plain).volume).epsilon(2e-3));
}

TEST_CASE("the order of the points does not change the hull") {
  std::vector<Vec3> points = on_sphere(300, 5);
  const Hull first = build_hull(points).value();
  std::shuffle(points.begin(), points.end(), std::mt19937(1));
  points.push_back(points.front());
  CHECK(build_hull(points).value() == first);
}

TEST_CASE("a capsule has the eight vertices and six faces that files have") {
  const Hull hull = capsule_hull({{0, 0, 1}, {0, 0, 3}, 0.5f});
  CHECK(hull.vertices.size() == 8);
  CHECK(hull.convex_radius == doctest::Approx(0.495f));
  CHECK(validate(hull, 1e-6f).has_value());
  // d = z; x and y tie for the smallest, the later (y) is dropped: u = (-z, 0, x) = -x, v = d x u = -y.
  CHECK(hull.vertices[0].x == doctest::Approx(-0.005f));
  CHECK(hull.vertices[0].y == doctest::Approx(-0.005f));
  CHECK(hull.vertices[0].z == doctest::Approx(3.005f));
  CHECK(hull.vertices[1].z == doctest::Approx(0.995f));
  CHECK(hull.vertices[2].x == doctest::Approx(0.005f));
  for (const HullFace& face : hull.faces) CHECK(face.min_half_angle == 4);
  for (Vec3 b : {Vec3(1, 2, 3), Vec3(-3, 0, 0), Vec3(0, 2, 0), Vec3(1, 1, 1), Vec3(-2, 1, -1), Vec3(0, 0, 0)})
    CHECK(validate(capsule_hull({{0, 0, 0}, b, 0.1f}), 1e-6f).has_value());
}

TEST_CASE("padding repeats the last vertex and adds planes that are never in the way") {
  const Hull hull = build_hull(std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}}).value();
  CHECK(padded_vertices(hull).size() % 4 == 0);
  CHECK(padded_vertices(hull).back() == hull.vertices.back());
  CHECK(padded_planes(hull).size() % 4 == 0);
  const Plane pad = padded_planes(capsule_hull({{0, 0, 0}, {1, 0, 0}, 1})).back();
  CHECK(pad.normal == Vec3(0.0f));
  CHECK(std::bit_cast<std::uint32_t>(pad.offset) == 0xFF7FFFEE);
}

TEST_CASE("a damaged hull is noticed") {
  const Hull good = build_hull(cube(1.0f)).value();
  Hull bad = good;
  bad.indices[3] = 200;
  CHECK(!validate(bad, 1e-6f));
  bad = good;
  std::swap(bad.indices[0], bad.indices[1]);
  CHECK(!validate(bad, 1e-6f));
  bad = good;
  bad.planes[2].offset += 0.1f;
  CHECK(!validate(bad, 1e-6f));
  bad = good;
  bad.planes.pop_back();
  CHECK(!validate(bad, 1e-6f));
}

// Work is counted, not timed: twice the vertices may take little more than twice the steps.
TEST_CASE("simplifying a fine cone, plate or ball takes n log n") {
  const auto steps_of = [](const auto& point_of, std::size_t count) {
    std::vector<DVec3> points;
    for (std::size_t i = 0; i < count; ++i) points.push_back(point_of(i, count));
    points.push_back({0.0, 0.0, 1.0});
    const auto hull = convex_hull(points, 0.0);
    REQUIRE(hull);
    std::uint64_t steps = 0;
    CHECK(simplified_vertices(*hull, 64, &steps).size() == 64);
    return static_cast<double>(steps);
  };
  const auto cone = [](std::size_t i, std::size_t count) {
    const double turn = 2.0 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(count);
    return DVec3(std::cos(turn), std::sin(turn), 0.0);
  };
  const auto plate = [&](std::size_t i, std::size_t count) {
    return cone(i / 2, count / 2) + DVec3(0.0, 0.0, i % 2 == 0 ? 0.0 : 0.1);
  };
  const auto ball = [](std::size_t i, std::size_t count) {
    const double z = 1.0 - 2.0 * (static_cast<double>(i) + 0.5) / static_cast<double>(count);
    const double turn = 2.39996322972865332 * static_cast<double>(i);
    return DVec3(std::sqrt(1.0 - z * z) * std::cos(turn), std::sqrt(1.0 - z * z) * std::sin(turn), z);
  };
  CHECK(steps_of(cone, 1200) < 2.6 * steps_of(cone, 600));
  CHECK(steps_of(plate, 1200) < 2.6 * steps_of(plate, 600));
  CHECK(steps_of(ball, 1200) < 2.6 * steps_of(ball, 600));
}

TEST_CASE("of very many points, a thousand corners of their hull are left") {
  // Two rims of a round plate: all points are corners.
  std::vector<DVec3> plate;
  for (int i = 0; i < 20000; ++i)
    for (const double z : {0.0, 0.1})
      plate.emplace_back(std::cos(3.14159265358979 * i / 1e4), std::sin(3.14159265358979 * i / 1e4), z);
  const std::vector<DVec3> fewer = fewer_corners(plate, 4.0);
  CHECK(fewer.size() <= 1000);
  CHECK(fewer.size() > 500);
  for (const DVec3& corner : fewer) CHECK(std::abs(std::hypot(corner.x, corner.y) - 1.0) < 1e-12);
  const std::vector<DVec3> few(plate.begin(), plate.begin() + 1000);
  CHECK(fewer_corners(few, 4.0) == few);
}
