// SPDX-License-Identifier: MIT
#include "codec/bspline.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

using namespace marrow::codec;

namespace {
using Knots = std::vector<std::uint8_t>;

float at(const Knots& knots, std::size_t degree, const std::vector<float>& controls, double frame) {
  float value = 0;
  evaluate_spline(knots, degree, controls, frame, {&value, 1});
  return value;
}
}  // namespace

TEST_CASE("a line between its two control points") {
  const Knots knots{0, 0, 10, 10};
  CHECK(at(knots, 1, {2, 4}, 0) == 2.0f);
  CHECK(at(knots, 1, {2, 4}, 5) == 3.0f);
  CHECK(at(knots, 1, {2, 4}, 10) == 4.0f);
  CHECK(at(knots, 1, {2, 4}, 11) == 4.2f);  // the line goes on
  CHECK(at(knots, 1, {2, 4}, -1) == 2.0f);
  CHECK(at(knots, 1, {2, 4}, NAN) == 2.0f);
}

TEST_CASE("a cubic without interior knots is a Bezier curve") {
  const Knots knots{0, 0, 0, 0, 4, 4, 4, 4};
  const auto bezier = [](double t) { return 3 * t * (1 - t) * (1 - t) * 1 + 3 * t * t * (1 - t) * 5 + t * t * t * 2; };
  for (double f = 0; f <= 4; f += 0.25) CHECK(at(knots, 3, {0, 1, 5, 2}, f) == doctest::Approx(bezier(f / 4)));
}

TEST_CASE("at a repeated knot the curve passes the control point, from both sides") {
  const Knots knots{0, 0, 0, 0, 3, 3, 3, 8, 8, 8, 8};
  const std::vector<float> controls{0, 1, 2, 9, 4, 5, 6};
  CHECK(at(knots, 3, controls, 3) == doctest::Approx(9));
  CHECK(at(knots, 3, controls, 2.9999999) == doctest::Approx(9));
  CHECK(at(knots, 3, controls, 8) == doctest::Approx(6));
}

TEST_CASE("a line with a repeated interior knot jumps there, and the later piece counts") {
  const Knots knots{0, 0, 5, 5, 9, 9};
  CHECK(at(knots, 1, {0, 10, 20, 30}, 4.999999) == doctest::Approx(10).epsilon(1e-5));
  CHECK(at(knots, 1, {0, 10, 20, 30}, 5) == 20.0f);
}

TEST_CASE("degree 0 holds its values and degree 2 is smooth") {
  CHECK(at({0, 4, 9}, 0, {1, 2}, 3.9) == 1.0f);
  CHECK(at({0, 4, 9}, 0, {1, 2}, 4) == 2.0f);
  CHECK(at({0, 4, 9}, 0, {1, 2}, 9) == 2.0f);
  CHECK(at({0, 0, 0, 2, 2, 2}, 2, {0, 1, 0}, 1) == doctest::Approx(0.5));
}

TEST_CASE("the last piece that is not empty is found at the end") {
  const Knots knots{0, 0, 0, 0, 7, 9, 9, 9, 9};
  CHECK(find_span(knots, 3, 9) == 4);
  CHECK(find_span(knots, 3, 7) == 4);
  CHECK(find_span(knots, 3, 6.9) == 3);
  CHECK(find_span(knots, 3, 0) == 3);
  const Knots repeated_before_the_end{0, 0, 9, 9, 9};
  CHECK(find_span(repeated_before_the_end, 1, 9) == 1);
}

TEST_CASE("a curve of one frame is its first control point") { CHECK(at({0, 0, 0, 0}, 1, {3, 4}, 0) == 3.0f); }

TEST_CASE("the weights as polynomials are the weights") {
  const Knots knots{0, 0, 0, 0, 2, 5, 5, 6, 11, 11, 11, 11};
  for (std::size_t degree = 3; degree <= 3; ++degree)
    for (double f = 0; f <= 11; f += 0.125) {
      const std::size_t span = find_span(knots, degree, f);
      const auto weights = basis(knots, degree, span, f);
      const auto polynomials = basis_polynomials(knots, degree, span);
      const double s = f - knots[span];
      double sum = 0;
      for (std::size_t j = 0; j <= degree; ++j) {
        const auto& p = polynomials[j];
        CHECK(((p[3] * s + p[2]) * s + p[1]) * s + p[0] == doctest::Approx(weights[j]));
        sum += weights[j];
      }
      CHECK(sum == doctest::Approx(1));
    }
}

TEST_CASE("knots that cannot be evaluated are told from those that can") {
  CHECK(knots_are_valid(Knots{0, 0, 9, 9}, 1, 9));
  CHECK(knots_are_valid(Knots{0, 0, 9, 9}, 1, 8));
  CHECK(knots_are_valid(Knots{0, 0, 9, 9}, 1, 9 + kMostFramesShort));
  CHECK_FALSE(knots_are_valid(Knots{0, 0, 9, 9}, 1, 10 + kMostFramesShort));
  CHECK_FALSE(knots_are_valid(Knots{0, 1, 9, 9}, 1, 9));
  CHECK_FALSE(knots_are_valid(Knots{0, 0, 9, 8}, 1, 8));
  CHECK_FALSE(knots_are_valid(Knots{0, 0, 9}, 1, 9));
  CHECK_FALSE(knots_are_valid(Knots{}, 0, 0));
  CHECK_FALSE(knots_are_valid(Knots(20, 0), 4, 0));
}

TEST_CASE("past the last knot the last piece goes on, as de Boor's formula gives it") {
  CHECK(frames_short(Knots{0, 0, 9, 9}, 1, 10) == 1);
  CHECK(frames_short(Knots{0, 0, 9, 9}, 1, 9) == 0);
  CHECK(frames_short(Knots{0, 0, 9, 9}, 1, 8) == 0);
  // A line goes on as a line, a parabola as that parabola: t^2 over one span of four frames is 0, 0, 16.
  CHECK(at({0, 0, 4, 4}, 1, {0, 8}, 5) == doctest::Approx(10));
  CHECK(at({0, 0, 2, 4, 4}, 1, {0, 2, 8}, 5) == doctest::Approx(11));
  CHECK(at({0, 0, 0, 4, 4, 4}, 2, {0, 0, 16}, 5) == doctest::Approx(25));
  CHECK(at({0, 0, 0, 4, 4, 4}, 2, {0, 0, 16}, -1) == 0.0f);
}
