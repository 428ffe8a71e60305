// SPDX-License-Identifier: MIT
// Hulls and their mass against the volume that qhull itself reports for the same points.
#include <doctest/doctest.h>
#include <libqhull_r/qhull_ra.h>

#include <cstdio>
#include <random>

#include "geometry/hull/hull.h"
#include "geometry/solids/mass.h"

using namespace marrow::geometry;

namespace {

double volume_by_qhull(const std::vector<Vec3>& points) {
  std::vector<coordT> coordinates;
  for (const Vec3& point : points)
    for (int axis = 0; axis < 3; ++axis) coordinates.push_back(static_cast<double>(point[axis]));
  qhT state{};
  qh_zero(&state, stderr);
  char command[] = "qhull FA";  // area and volume
  const int failed =
      qh_new_qhull(&state, 3, static_cast<int>(points.size()), coordinates.data(), False, command, nullptr, stderr);
  double volume = 0.0;
  if (failed == 0) {
    qh_getarea(&state, state.facet_list);
    volume = state.totvol;
  }
  qh_freeqhull(&state, !qh_ALL);
  int current_long = 0;
  int total_long = 0;
  qh_memfreeshort(&state, &current_long, &total_long);
  return volume;
}

}  // namespace

TEST_CASE("the volume of a hull is the one that qhull reports") {
  std::mt19937 random(12);
  for (std::size_t count : {5u, 12u, 40u, 150u}) {
    for (int round = 0; round < 10; ++round) {
      std::normal_distribution<float> normal(0.0f, 1.0f + static_cast<float>(round));
      std::vector<Vec3> points;
      for (std::size_t i = 0; i < count; ++i) {
        const float x = normal(random);
        const float y = normal(random);
        points.emplace_back(x, y, 0.2f * normal(random));
      }
      const Hull hull = build_hull(points, {.convex_radius = 0.0f}).value();
      CHECK(mass_of(hull).volume == doctest::Approx(volume_by_qhull(points)).epsilon(2e-4));
    }
  }
}
