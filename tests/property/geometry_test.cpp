// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <rapidcheck.h>
#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "geometry/hull/fit.h"
#include "geometry/hull/hull.h"
#include "geometry/hull/polyhedron.h"
#include "geometry/mesh/compressed_mesh.h"
#include "geometry/solids/mass.h"

using namespace marrow;
using namespace marrow::geometry;

namespace {

/// A coordinate on a coarse lattice or anywhere: coincidences and flat sets come up as often as general places.
rc::Gen<float> coordinate() {
  return rc::gen::oneOf(
      rc::gen::map(rc::gen::inRange(-4, 5), [](int i) { return 0.5f * static_cast<float>(i); }),
      rc::gen::map(rc::gen::inRange(-100000, 100001), [](int i) { return 4e-5f * static_cast<float>(i); }));
}

rc::Gen<Vec3> point() {
  return rc::gen::map(
      rc::gen::tuple(coordinate(), coordinate(), coordinate()),
      [](const std::tuple<float, float, float>& c) { return std::apply([](auto... v) { return Vec3(v...); }, c); });
}

rc::Gen<std::vector<Vec3>> points(std::size_t count) { return rc::gen::container<std::vector<Vec3>>(count, point()); }

double outermost(const Hull& hull, const Vec3& place) {
  double farthest = -1e30;
  for (const Plane& plane : hull.planes)
    farthest = std::max(farthest, glm::dot(DVec3(plane.normal), DVec3(place)) + static_cast<double>(plane.offset));
  return farthest;
}

/// Planes through three points with all others on one side, tried one by one.
double volume_by_brute_force(const std::vector<Vec3>& cloud) {
  std::vector<HalfSpace> planes;
  for (std::size_t i = 0; i < cloud.size(); ++i)
    for (std::size_t j = i + 1; j < cloud.size(); ++j)
      for (std::size_t k = j + 1; k < cloud.size(); ++k) {
        DVec3 normal = glm::cross(DVec3(cloud[j]) - DVec3(cloud[i]), DVec3(cloud[k]) - DVec3(cloud[i]));
        if (glm::length(normal) < 1e-9) continue;
        normal = glm::normalize(normal);
        for (double sign : {-1.0, 1.0}) {
          const HalfSpace plane{normal * sign, -glm::dot(normal * sign, DVec3(cloud[i]))};
          const bool holds =
              std::all_of(cloud.begin(), cloud.end(), [&](const Vec3& p) { return plane.distance(DVec3(p)) < 1e-9; });
          if (holds) planes.push_back(plane);
        }
      }
  double volume = 0.0;
  const DVec3 origin(cloud[0]);
  for (const auto& face : intersection_faces(planes, origin, 100.0))
    for (std::size_t i = 2; i < face.size(); ++i)
      volume += glm::dot(face[0] - origin, glm::cross(face[i - 1] - origin, face[i] - origin)) / 6.0;
  return volume;
}

}  // namespace

TEST_CASE("a hull contains its points, is closed, and has the volume that brute force finds") {
  CHECK(rc::check([] {
    const std::vector<Vec3> cloud = *points(*rc::gen::inRange<std::size_t>(4, 14));
    const auto hull = build_hull(cloud, {.convex_radius = 0.0f, .flat_thickness = 0.0f});
    if (!hull) {
      RC_ASSERT(volume_by_brute_force(cloud) < 1e-4);
      return;
    }
    // Merging faces may move a plane by the merge distance, a hundred-thousandth of the diagonal.
    RC_ASSERT(validate(*hull, 1e-3f).has_value());
    for (const Vec3& place : cloud) RC_ASSERT(outermost(*hull, place) < 1e-3);
    const double expected = volume_by_brute_force(cloud);
    // What has next to no volume weighs as much as its box.
    if (expected < 1e-4 * mass_of(bounds_of(cloud)).volume) return;
    RC_ASSERT(std::abs(mass_of(*hull).volume - expected) <= 2e-3 * std::max(1.0, expected));
  }));
}

TEST_CASE("the core of a hull with a margin stays inside the hull without one") {
  CHECK(rc::check([] {
    const std::vector<Vec3> cloud = *points(*rc::gen::inRange<std::size_t>(8, 40));
    const auto plain = build_hull(cloud, {.convex_radius = 0.0f, .flat_thickness = 0.0f});
    const bool is_solid = plain.has_value() && mass_of(*plain).volume > 1e-2;
    RC_PRE(is_solid);
    const auto hull = build_hull(cloud, {.convex_radius = 0.02f});
    RC_ASSERT(hull.has_value());
    RC_ASSERT(hull->convex_radius <= 0.02f);
    for (const Vec3& vertex : hull->vertices) RC_ASSERT(outermost(*plain, vertex) < 1e-3);
  }));
}

TEST_CASE("a fitted sphere, box and capsule hold every point") {
  CHECK(rc::check([] {
    const std::vector<Vec3> cloud = *points(*rc::gen::inRange<std::size_t>(1, 30));
    const Sphere sphere = fit_sphere(cloud).value();
    const Box box = fit_box(cloud).value();
    const Capsule capsule = fit_capsule(cloud).value();
    const DVec3 along = DVec3(capsule.b) - DVec3(capsule.a);
    for (const Vec3& place : cloud) {
      RC_ASSERT(glm::distance(DVec3(place), DVec3(sphere.center)) <= static_cast<double>(sphere.radius));
      const Vec3 local = glm::abs(glm::conjugate(box.rotation) * (place - box.center)) - box.half_extents;
      RC_ASSERT(std::max({local.x, local.y, local.z}) < 1e-5f);
      const double length = glm::dot(along, along);
      const double t =
          length > 0.0 ? std::clamp(glm::dot(DVec3(place) - DVec3(capsule.a), along) / length, 0.0, 1.0) : 0.0;
      RC_ASSERT(glm::distance(DVec3(place), DVec3(capsule.a) + along * t) <=
                static_cast<double>(capsule.radius) + 1e-5);
    }
  }));
}

TEST_CASE("every triangle of a built mesh comes back, or its loss is reported") {
  CHECK(rc::check([] {
    TriangleMesh source;
    source.vertices = *points(*rc::gen::inRange<std::size_t>(3, 80));
    const int last = static_cast<int>(source.vertices.size());
    const auto corner = rc::gen::map(rc::gen::inRange(0, last), [](int i) { return static_cast<std::uint32_t>(i); });
    const std::size_t count = *rc::gen::inRange<std::size_t>(1, 400);
    for (std::size_t i = 0; i < count; ++i) source.triangles.push_back({*corner, *corner, *corner});
    MeshBuildReport report;
    const auto mesh = build_compressed_mesh(source, {}, &report);
    if (!mesh) {
      RC_ASSERT(report.degenerate_triangles + report.collapsed_triangles == count);
      return;
    }
    RC_ASSERT(verify_compressed_mesh(*mesh).empty());
    RC_ASSERT(compare_with_source(*mesh, source, report.collapsed_triangles).empty());
    RC_ASSERT(decode_compressed_mesh(*mesh)->size() + report.degenerate_triangles + report.collapsed_triangles ==
              count);
  }));
}
