// SPDX-License-Identifier: MIT
#include "motion/edit/two_bone.h"

#include "motion/edit/pin.h"
#include "support/rigs.h"

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

TEST_CASE("a leg that is stretched out and stays where it is moves nothing") {
  const Skeleton skeleton = test::make_human();
  Clip clip = test::resting_clip(skeleton, 8);
  const auto legs = motion::find_legs(skeleton);
  REQUIRE(legs.size() == 2);
  // Straight down from the hip: further than soft reach, as legs stand.
  for (int f = 0; f < clip.frame_count; ++f) {
    const auto at = [&](std::int32_t bone) -> Transform& {
      return clip.transforms[static_cast<std::size_t>(f * clip.track_count + bone)];
    };
    for (const motion::Limb& leg : legs) {
      at(leg.lower).translation = {0.0f, 0.5f, -30.0f};
      at(leg.end).translation = {0.0f, -0.5f, -28.0f};
      for (const std::int32_t bone : {leg.upper, leg.lower}) at(bone).rotation = make_quat(0, 0, 0, 1);
    }
  }
  const Clip before = clip;
  std::vector<motion::PinGoal> goals;
  for (const glm::dvec3& place : motion::bone_path(skeleton, clip, legs[1].end)) goals.push_back({place, 1.0});
  const auto outcome = motion::pin_limb(skeleton, legs[1], goals, {}, clip);
  REQUIRE(outcome);
  CHECK(outcome->hips_moved < 1e-6);
  CHECK(outcome->missed.empty());
  for (std::size_t i = 0; i < clip.transforms.size(); ++i) {
    CHECK(glm::length(clip.transforms[i].translation - before.transforms[i].translation) < 1e-5f);
    CHECK(std::abs(glm::dot(clip.transforms[i].rotation, before.transforms[i].rotation)) > 1.0f - 1e-6f);
  }
  // A place that is too far away bends the body, not only the leg.
  for (motion::PinGoal& goal : goals) goal.place += glm::dvec3(0.0, 30.0, 0.0);
  const auto far = motion::pin_limb(skeleton, legs[1], goals, {}, clip);
  REQUIRE(far);
  CHECK(far->hips_moved > 1.0);
}
