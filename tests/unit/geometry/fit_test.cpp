// SPDX-License-Identifier: MIT
#include "geometry/hull/fit.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <glm/gtc/quaternion.hpp>
#include <limits>
#include <random>
#include <string>

#include "unit/geometry/meshes.h"

using namespace marrow;
using namespace marrow::geometry;

namespace {

std::vector<Vec3> in_box(const Box& box, std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> unit(-1.0f, 1.0f);
  std::vector<Vec3> points;
  for (int i = 0; i < 8; ++i)
    points.push_back(box.center +
                     box.rotation * (box.half_extents * Vec3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1)));
  while (points.size() < count) {
    const float x = unit(random);
    const float y = unit(random);
    points.push_back(box.center + box.rotation * (box.half_extents * Vec3(x, y, unit(random))));
  }
  return points;
}

double outside(const Box& box, const Vec3& point) {
  const Vec3 local = glm::conjugate(box.rotation) * (point - box.center);
  double farthest = -1e30;
  for (int axis = 0; axis < 3; ++axis)
    farthest = std::max(farthest, static_cast<double>(std::abs(local[axis]) - box.half_extents[axis]));
  return farthest;
}

double distance_to_segment(const Capsule& capsule, const Vec3& point) {
  const glm::dvec3 a(capsule.a);
  const glm::dvec3 along = glm::dvec3(capsule.b) - a;
  const double length = glm::dot(along, along);
  const double t = length > 0.0 ? std::clamp(glm::dot(glm::dvec3(point) - a, along) / length, 0.0, 1.0) : 0.0;
  return glm::distance(glm::dvec3(point), a + along * t);
}

}  // namespace

TEST_CASE("a turned box is found again") {
  const Box box{{3, -1, 2}, glm::normalize(Quat(0.9f, 0.2f, 0.3f, -0.1f)), {1.0f, 2.0f, 0.25f}};
  const std::vector<Vec3> points = in_box(box, 500, 1);
  const Box found = fit_box(points).value();
  const Vec3 half = found.half_extents;
  CHECK(half.x * half.y * half.z == doctest::Approx(0.5f).epsilon(1e-4));
  CHECK(glm::distance(found.center, box.center) < 1e-4f);
  for (const Vec3& point : points) CHECK(outside(found, point) < 1e-5);
  CHECK(std::abs(glm::dot(found.rotation, box.rotation)) > 0.9999f);  // named as it was, being turned by little
}

TEST_CASE("a box along the axes stays along the axes") {
  const Box box{{1, 2, 3}, Quat(1, 0, 0, 0), {3, 1, 2}};
  const Box found = fit_box(in_box(box, 100, 2)).value();
  CHECK(found.rotation == Quat(1, 0, 0, 0));
  CHECK(found.half_extents.x == doctest::Approx(3));
}

TEST_CASE("flat, straight and single points have boxes too") {
  const Box flat = fit_box(std::vector<Vec3>{{0, 0, 1}, {1, 1, 1}, {2, 0, 1}, {1, -1, 1}}).value();
  CHECK(std::min({flat.half_extents.x, flat.half_extents.y, flat.half_extents.z}) < 1e-6f);
  CHECK(flat.half_extents.x * flat.half_extents.y == doctest::Approx(0.5f).epsilon(1e-4));
  CHECK(fit_box(std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}})->half_extents == Vec3(0.5f, 0, 0));
  CHECK(fit_box(std::vector<Vec3>{{4, 5, 6}})->center == Vec3(4, 5, 6));
  CHECK(!fit_box({}));
  CHECK(!fit_sphere(std::vector<Vec3>{{std::numeric_limits<float>::infinity(), 0, 0}}));
  CHECK(!fit_capsule({}));
}

TEST_CASE("the smallest sphere is found, and nothing smaller holds the points") {
  const Sphere known = fit_sphere(test::ball(20, 20, 2.5f).vertices).value();
  CHECK(known.radius == doctest::Approx(2.5f).epsilon(1e-5));
  CHECK(glm::length(known.center) < 1e-4f);
  CHECK(fit_sphere(std::vector<Vec3>{{0, 0, 0}, {2, 0, 0}})->center == Vec3(1, 0, 0));
  CHECK(fit_sphere(std::vector<Vec3>(7, Vec3(1, 1, 1)))->radius == 0.0f);
  std::mt19937 random(4);
  std::normal_distribution<float> normal;
  for (int round = 0; round < 50; ++round) {
    std::vector<Vec3> points;
    for (int i = 0; i < 4 + round; ++i) {
      const float x = normal(random);
      const float y = normal(random);
      points.emplace_back(x, y, normal(random));
    }
    const Sphere sphere = fit_sphere(points).value();
    const auto radius_at = [&](const Vec3& center) {
      double radius = 0.0;
      for (const Vec3& point : points) radius = std::max(radius, glm::distance(glm::dvec3(point), glm::dvec3(center)));
      return radius;
    };
    CHECK(radius_at(sphere.center) <= static_cast<double>(sphere.radius));
    // The function is convex: where no small step helps, nothing does.
    for (int axis = 0; axis < 3; ++axis)
      for (float step : {-1e-3f, 1e-3f}) {
        Vec3 center = sphere.center;
        center[axis] += step;
        CHECK(radius_at(center) >= static_cast<double>(sphere.radius) - 1e-6);
      }
  }
}

TEST_CASE("a capsule is found again, and holds its points") {
  TriangleMesh mesh = test::ball(40, 40, 0.5f);
  for (Vec3& vertex : mesh.vertices) vertex.z += vertex.z > 0.0f ? 2.0f : -2.0f;
  const Capsule capsule = fit_capsule(mesh.vertices).value();
  CHECK(capsule.radius == doctest::Approx(0.5f).epsilon(1e-3));
  CHECK(glm::distance(capsule.a, capsule.b) == doctest::Approx(4.0f).epsilon(2e-2));
  for (const Vec3& vertex : mesh.vertices) CHECK(distance_to_segment(capsule, vertex) <= capsule.radius + 1e-5);
  const Capsule round = fit_capsule(test::ball(30, 30, 1.0f).vertices).value();
  CHECK(round.radius == doctest::Approx(1.0f).epsilon(1e-2));
  CHECK(glm::distance(round.a, round.b) < 0.05f);
}

TEST_CASE("points are known to be one, on a line, flat or solid") {
  CHECK(extent_of(std::vector<Vec3>(5, Vec3(1, 2, 3))).value() == Extent::Point);
  CHECK(extent_of(std::vector<Vec3>{{0, 0, 0}, {1, 1, 1}, {5, 5, 5}}).value() == Extent::Line);
  CHECK(extent_of(std::vector<Vec3>{{0, 0, 1}, {1, 1, 1}, {2, 0, 1}, {1, -1, 1}}).value() == Extent::Flat);
  CHECK(extent_of(test::ball(8, 8, 1.0f).vertices).value() == Extent::Solid);
  CHECK(!extent_of({}));
}

TEST_CASE("a turned cylinder is found again, and its prism holds its points or is held by it") {
  const Quat turn = glm::normalize(Quat(0.8f, 0.3f, -0.4f, 0.2f));
  std::vector<Vec3> points;
  for (int i = 0; i < 48; ++i)
    for (float z : {-2.0f, 2.0f}) {
      const double angle = 6.283185307179586 * i / 48;
      points.push_back(Vec3(7, -3, 1) + turn * Vec3(0.5 * std::cos(angle), 0.5 * std::sin(angle), z));
    }
  const Cylinder around = fit_cylinder(points).value();
  CHECK(around.radius == doctest::Approx(0.5f).epsilon(1e-2));
  CHECK(glm::distance(around.a, around.b) == doctest::Approx(4.0f).epsilon(1e-2));
  const Hull outer = cylinder_hull(around, Roundness::Outside, {.convex_radius = 0.0f}).value();
  for (const Vec3& point : points)
    for (const Plane& plane : outer.planes) CHECK(glm::dot(plane.normal, point) + plane.offset < 1e-4f);
  const Hull inner = cylinder_hull(around, Roundness::Inside, {.convex_radius = 0.0f}).value();
  CHECK(inner.vertices.size() == 48);
  for (const Vec3& vertex : inner.vertices) CHECK(distance_to_segment({around.a, around.b, 0}, vertex) < 0.51);
  CHECK(!cylinder_hull({{1, 1, 1}, {1, 1, 1}, 1.0f}, Roundness::Outside));
}

TEST_CASE("what is inscribed lies inside, and touches") {
  const Box box{{3, -1, 2}, glm::normalize(Quat(0.9f, 0.2f, 0.3f, -0.1f)), {3.0f, 2.0f, 1.0f}};
  const std::vector<Vec3> points = in_box(box, 200, 3);
  const Sphere sphere = inscribed_sphere(points).value();
  CHECK(sphere.radius == doctest::Approx(1.0f).epsilon(1e-4));
  const auto room_at = [&](const Vec3& place) { return -outside(box, place); };
  CHECK(room_at(sphere.center) == doctest::Approx(1.0).epsilon(1e-4));

  const Capsule capsule = inscribed_capsule(points).value();
  CHECK(capsule.radius == doctest::Approx(1.0f).epsilon(1e-2));
  CHECK(glm::distance(capsule.a, capsule.b) == doctest::Approx(4.0f).epsilon(2e-2));
  for (const Vec3& end : {capsule.a, capsule.b}) CHECK(room_at(end) >= capsule.radius - 1e-4);

  // Along the shortest side: 4 pi * 2, more than 1 pi * 6 along the longest.
  const Cylinder cylinder = inscribed_cylinder(points).value();
  CHECK(cylinder.radius == doctest::Approx(2.0f).epsilon(1e-2));
  CHECK(glm::distance(cylinder.a, cylinder.b) == doctest::Approx(2.0f).epsilon(2e-2));
  const Hull prism = cylinder_hull(cylinder, Roundness::Inside, {.convex_radius = 0.0f}).value();
  for (const Vec3& vertex : prism.vertices) CHECK(room_at(vertex) >= -1e-3);

  // In a tetrahedron: the radius is known.
  const std::vector<Vec3> corners = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
  const Sphere inner = inscribed_sphere(corners).value();
  CHECK(inner.radius == doctest::Approx(1.0 / std::sqrt(3.0)).epsilon(1e-5));
  CHECK(glm::length(inner.center) < 1e-5f);
}

TEST_CASE("no sphere inside points is larger than the inscribed one") {
  std::mt19937 random(9);
  std::normal_distribution<float> normal;
  for (int round = 0; round < 40; ++round) {
    std::vector<Vec3> points;
    for (int i = 0; i < 5 + 4 * round; ++i) {
      const float x = normal(random);
      const float y = normal(random);
      points.emplace_back(x, 0.3f * y, 5.0f * normal(random));
      if (round % 2 == 0) points.back() = glm::round(points.back() * 4.0f);  // many in one plane
    }
    if (extent_of(points).value() != Extent::Solid) continue;
    const Hull hull = build_hull(points, {.convex_radius = 0.0f}).value();
    const auto room_at = [&](const Vec3& place) {
      double room = 1e30;
      for (const Plane& plane : hull.planes)
        room =
            std::min(room, -glm::dot(glm::dvec3(plane.normal), glm::dvec3(place)) - static_cast<double>(plane.offset));
      return room;
    };
    const Sphere sphere = inscribed_sphere(points).value();
    CHECK(room_at(sphere.center) == doctest::Approx(sphere.radius).epsilon(1e-3));
    // The room is a concave function: where no small step helps, nothing does.
    for (int axis = 0; axis < 3; ++axis)
      for (float step : {-1e-2f, 1e-2f}) {
        Vec3 center = sphere.center;
        center[axis] += step;
        CHECK(room_at(center) <= static_cast<double>(sphere.radius) + 1e-3);
      }
    const Capsule capsule = inscribed_capsule(points).value();
    for (const Vec3& end : {capsule.a, capsule.b}) CHECK(room_at(end) >= static_cast<double>(capsule.radius) - 1e-3);
    CHECK(inscribed_cylinder(points).has_value());
  }
}

TEST_CASE("nothing is inscribed in what is flat") {
  const std::vector<Vec3> flat = {{0, 0, 1}, {1, 1, 1}, {2, 0, 1}, {1, -1, 1}};
  for (const std::string& message : {inscribed_sphere(flat).error().message, inscribed_capsule(flat).error().message,
                                     inscribed_cylinder(flat).error().message})
    CHECK(message.find("one plane") != std::string::npos);
  const Cylinder disc = fit_cylinder(flat).value();
  CHECK(disc.radius == doctest::Approx(1.0f).epsilon(1e-4));
  CHECK(glm::distance(disc.a, disc.b) < 1e-5f);
}
