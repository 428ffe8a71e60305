// SPDX-License-Identifier: MIT
// Sines and arc tangents of our own: near to those of long doubles, and the same in lanes as alone.
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <random>

#include "motion/trig.h"

using namespace marrow::motion;

namespace {

// The distance to what is true, in units of the last place of a double.
[[maybe_unused]] double error_of(double found, long double truth) {
  const double nearest = static_cast<double>(truth);
  const double unit = std::nextafter(std::abs(nearest), HUGE_VAL) - std::abs(nearest);
  return static_cast<double>(std::abs(static_cast<long double>(found) - truth) / static_cast<long double>(unit));
}

constexpr int kTries = 200'000;

}  // namespace

#ifndef _WIN32  // whose long doubles are no measure: mingw-w64 leaves their sines to the processor
TEST_CASE("sines and cosines are right to one unit in the last place") {
  std::mt19937_64 random(7);
  for (const double range : {0.1, 1.0, 7.0, 1000.0, 1e6, 1e9}) {
    std::uniform_real_distribution<double> any(-range, range);
    double worst = 0.0;
    for (int i = 0; i < kTries; ++i) {
      const double angle = any(random);
      const auto [sine, cosine] = sine_cosine(angle);
      worst = std::max(worst, error_of(sine, std::sin(static_cast<long double>(angle))));
      worst = std::max(worst, error_of(cosine, std::cos(static_cast<long double>(angle))));
    }
    CAPTURE(range);
    CHECK(worst < 1.0);
  }
}

TEST_CASE("arc tangents are right to two units in the last place, in every direction") {
  std::mt19937_64 random(8);
  std::uniform_real_distribution<double> any(-1.0, 1.0), exponent(-30.0, 30.0);
  double worst = 0.0;
  for (int i = 0; i < kTries; ++i) {
    const double sine = any(random) * std::exp2(exponent(random)), cosine = any(random);
    worst = std::max(worst, error_of(arc_tangent(sine, cosine),
                                     std::atan2(static_cast<long double>(sine), static_cast<long double>(cosine))));
  }
  CHECK(worst < 2.0);
}

#endif

TEST_CASE("arc tangents of axes are exact") {
  CHECK(arc_tangent(0.0, 0.0) == 0.0);
  CHECK(arc_tangent(0.0, 2.0) == 0.0);
  CHECK(arc_tangent(0.0, -2.0) == std::atan2(0.0, -2.0));
  CHECK(arc_tangent(-0.0, -2.0) == std::atan2(-0.0, -2.0));
  CHECK(arc_tangent(3.0, 0.0) == std::atan2(3.0, 0.0));
  CHECK(arc_tangent(-3.0, 0.0) == std::atan2(-3.0, 0.0));
  CHECK(arc_tangent(1.0, 1.0) == std::atan2(1.0, 1.0));
  CHECK(arc_tangent(1.0, -1.0) == std::atan2(1.0, -1.0));
}

TEST_CASE("lanes give the bits of single numbers") {
  std::mt19937_64 random(9);
  std::uniform_real_distribution<double> any(-1.0, 1.0), exponent(-20.0, 34.0);
  for (int i = 0; i < 10'000; ++i) {
    Lanes<2> a, b;
    for (int k = 0; k < 2; ++k) {
      a.set(k, any(random) * std::exp2(exponent(random)));
      b.set(k, any(random) * std::exp2(exponent(random)));
    }
    const auto turned = sine_cosine(a);
    const auto angle = arc_tangent(a, b);
    for (int k = 0; k < 2; ++k) {
      const auto [sine, cosine] = sine_cosine(a[k]);
      REQUIRE(std::bit_cast<std::uint64_t>(turned.sine[k]) == std::bit_cast<std::uint64_t>(sine));
      REQUIRE(std::bit_cast<std::uint64_t>(turned.cosine[k]) == std::bit_cast<std::uint64_t>(cosine));
      REQUIRE(std::bit_cast<std::uint64_t>(angle[k]) == std::bit_cast<std::uint64_t>(arc_tangent(a[k], b[k])));
    }
  }
}
