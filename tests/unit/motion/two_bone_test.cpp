// SPDX-License-Identifier: MIT
#include "motion/edit/two_bone.h"

#include <doctest/doctest.h>

#include <glm/geometric.hpp>

using namespace marrow;

TEST_CASE("two bones reach a place and keep their lengths") {
  const glm::dvec3 a(0, 0, 0), b(0, 4, -30), c(0, 0, -60), target(10, 6, -52);
  const motion::LimbTurns turns = motion::solve_two_bones(a, b, c, target, glm::cross(b - a, c - b));
  CHECK(turns.lower.x == doctest::Approx(-0.353709).epsilon(1e-5));
  CHECK(turns.lower.w == doctest::Approx(0.935355).epsilon(1e-5));
  CHECK(turns.upper.x == doctest::Approx(0.232742).epsilon(1e-5));
  CHECK(turns.upper.y == doctest::Approx(-0.090688).epsilon(1e-5));
  CHECK(turns.upper.z == doctest::Approx(0.034294).epsilon(1e-5));
  CHECK(turns.upper.w == doctest::Approx(0.967694).epsilon(1e-5));
  const glm::dvec3 knee = turns.upper * b, end = knee + turns.upper * (turns.lower * (c - b));
  CHECK(glm::length(knee - glm::dvec3(4.352244, 17.257226, -24.479504)) < 1e-4);
  CHECK(glm::length(end - target) < 1e-9);
}

TEST_CASE("a reach gets soft near its end") {
  const double reaches[][2] = {{50, 50}, {58.2, 58.2}, {59, 58.8459}, {60, 59.3378}, {62, 59.7820}, {70, 59.9974}};
  for (const auto& [distance, reached] : reaches)
    CHECK(motion::soft_reach(distance, 60) == doctest::Approx(reached).epsilon(1e-6));
}
