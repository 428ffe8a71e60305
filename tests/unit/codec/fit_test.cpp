// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <numeric>

#include "codec/bspline.h"
#include "codec/fit_knots.h"
#include "codec/fit_points.h"
#include "codec/fit_polyline.h"
#include "codec/fit_source.h"

using namespace marrow::codec;
using namespace marrow::codec::fit;

namespace {

Spline spline_with(int degree, std::vector<std::int16_t> interior, int last) {
  Spline spline{.degree = degree};
  spline.knots.assign(static_cast<std::size_t>(degree + 1), 0);
  spline.knots.insert(spline.knots.end(), interior.begin(), interior.end());
  spline.knots.insert(spline.knots.end(), static_cast<std::size_t>(degree + 1), static_cast<std::int16_t>(last));
  spline.points.resize(spline.knots.size() - static_cast<std::size_t>(degree + 1));
  return spline;
}

/// A rotation about a turning axis, fast enough that the length of a cubic between unit points matters.
Target turning(int last, double degrees) {
  Target target{.space = Space::Rotation, .last_frame = last};
  for (int s = 0; s <= last * kSamplesPerFrame; ++s) {
    const double t = s * 0.25;
    target.samples.emplace_back(std::sin(0.04 * t), 0.5 * std::sin(0.05 * t), 0.3, 1.0);
  }
  make_continuous(target.samples);
  target.bound = chord_of_degrees(degrees);
  return target;
}

}  // namespace

TEST_CASE("basis rows are the basis functions of the decoder") {
  for (const int degree : {1, 2, 3}) {
    const Spline spline = spline_with(
        degree, degree == 1 ? std::vector<std::int16_t>{3, 4, 9} : std::vector<std::int16_t>{3, 4, 4, 9}, 12);
    const std::vector<std::uint8_t> knots(spline.knots.begin(), spline.knots.end());
    std::vector<BasisRow> rows;
    append_rows(spline, 0, spline.point_count(), rows);
    REQUIRE(rows.size() == 49);
    for (std::size_t s = 0; s < rows.size(); ++s) {
      const double frame = static_cast<double>(s) / 4;
      const std::size_t span = find_span(knots, static_cast<std::size_t>(degree), frame);
      const auto expected = basis(knots, static_cast<std::size_t>(degree), span, frame);
      CHECK(rows[s].sample == static_cast<int>(s));
      CHECK(rows[s].first == static_cast<int>(span) - degree);
      for (std::size_t i = 0; i < 4; ++i) CHECK(rows[s].weight[i] == doctest::Approx(expected[i]));
    }
  }
}

TEST_CASE("rows of some control points are the samples that they touch and no others") {
  const Spline spline = spline_with(3, {2, 5, 7}, 10);
  std::vector<BasisRow> rows;
  append_rows(spline, 1, 2, rows);  // support 0 ... 5
  CHECK(rows.front().sample == 0);
  CHECK(rows.back().sample == 19);
}

TEST_CASE("a spline of the right knots is found by least squares to the last digit") {
  Spline truth = spline_with(3, {4, 4, 9}, 14);
  for (std::size_t i = 0; i < truth.points.size(); ++i)
    truth.points[i] = Point(std::sin(2.0 * static_cast<double>(i)), static_cast<double>(i % 3), 1.5, 0);
  Target target{.space = Space::Vector, .last_frame = 14, .bound = 1e-3};
  std::vector<BasisRow> rows;
  append_rows(truth, 0, truth.point_count(), rows);
  for (const BasisRow& row : rows) target.samples.push_back(evaluate(truth, row));
  Spline found = spline_with(3, {4, 4, 9}, 14);
  Scratch scratch;
  CHECK(fit_points(target, found, 0, found.point_count(), {.good_enough = 0}, scratch) < 1e-8);
  for (std::size_t i = 0; i < truth.points.size(); ++i)
    CHECK(squared_length(truth.points[i] - found.points[i]) < 1e-12);
}

TEST_CASE("control points outside the window stay where they are") {
  const Target target = turning(40, 0.05);
  Spline spline = spline_with(3, {10, 20, 30}, 40);
  Scratch scratch;
  fit_points(target, spline, 0, spline.point_count(), {}, scratch);
  const Spline before = spline;
  fit_points(target, spline, 2, 4, {.good_enough = 0}, scratch);
  for (const std::size_t i : {0u, 1u, 4u, 5u, 6u}) CHECK(squared_length(before.points[i] - spline.points[i]) == 0.0);
}

TEST_CASE("lattice points are those of the packed quaternions") {
  for (const QuaternionLattice& lattice : {kLattice40, kLattice48}) {
    CHECK(lattice.limit == three_component_limit(lattice.encoding));
    const Point unit = normalised(Point(0.3, -0.9, 0.2, 0.1));
    const ThreeComponentCode code = lattice.nearest(unit);
    CHECK(code == quantise(lattice.encoding, {static_cast<float>(unit[0]), static_cast<float>(unit[1]),
                                              static_cast<float>(unit[2]), static_cast<float>(unit[3])}));
    const Quaternion decoded = dequantise(lattice.encoding, code);
    for (int axis = 0; axis < 4; ++axis)
      CHECK(static_cast<double>(decoded[static_cast<std::size_t>(axis)]) ==
            doctest::Approx(lattice.decode(code)[axis]).epsilon(1e-5));
  }
}

TEST_CASE("the code search is better than rounding, and its points are its codes") {
  const Target target = turning(60, 0.02);
  Spline spline = spline_with(3, {15, 30, 45}, 60);
  Scratch scratch;
  fit_points(target, spline, 0, spline.point_count(), {.rounds = 6}, scratch);
  spline.codes.resize(spline.points.size());
  Spline searched = spline;
  const double rounded = quantise_points(target, kLattice40, spline, 0, spline.point_count(), 0, scratch);
  const double best = quantise_points(target, kLattice40, searched, 0, searched.point_count(), 8, scratch);
  CHECK(rounded > 1.0);
  CHECK(best < 0.7 * rounded);
  for (std::size_t i = 0; i < searched.points.size(); ++i)
    CHECK(squared_length(searched.points[i] - kLattice40.decode(searched.codes[i])) == 0.0);
  CHECK(worst_error(target, searched, 0, searched.point_count(), scratch.rows).ratio == doctest::Approx(best));
}

TEST_CASE("grown and refined splines are within the bound, and refining only removes") {
  Scratch scratch;
  for (const double degrees : {0.05, 0.2})
    for (const int degree : {2, 3}) {
      const Target target = turning(120, degrees);
      const KnotFit fit{.target = target, .lattice = &kLattice40, .scratch = scratch};
      auto spline = grow_spline(fit, degree, 1000);
      REQUIRE(spline.has_value());
      const int grown = spline->point_count();
      CHECK(worst_error(target, *spline, 0, grown, scratch.rows).ratio <= 1.0);
      refine_spline(fit, *spline, {.passes = 3, .merge = true, .slide = true});
      CHECK(spline->point_count() <= grown);
      CHECK(worst_error(target, *spline, 0, spline->point_count(), scratch.rows).ratio <= 1.0);
      for (const int frame : spline->knots)
        if (frame > 0 && frame < 120) CHECK(std::ranges::count(spline->knots, frame) <= degree);
    }
}

TEST_CASE("the shortest polyline has as many points as the corners ask for") {
  Target target{.space = Space::Vector, .last_frame = 30, .bound = 0.01};
  for (int s = 0; s <= 30 * kSamplesPerFrame; ++s) {
    const double t = s * 0.25;
    target.samples.emplace_back(t < 10 ? t : t < 22 ? 20 - t : t - 24, 0, 0, 0);
  }
  const auto line = shortest_polyline(target, vector_vertices(target));
  REQUIRE(line.has_value());
  CHECK(line->knots == std::vector<std::int16_t>{0, 0, 10, 22, 30, 30});
}

TEST_CASE("no polyline is found where the source bends between two frames") {
  Target target{.space = Space::Vector, .last_frame = 4, .bound = 0.01};
  for (int s = 0; s <= 4 * kSamplesPerFrame; ++s) target.samples.emplace_back(s == 6 ? 1.0 : 0.0, 0, 0, 0);
  CHECK(!shortest_polyline(target, vector_vertices(target)).has_value());
}

TEST_CASE("a chord and its angle are each other's inverse") {
  for (const double degrees : {1e-3, 0.05, 10.0, 170.0})
    CHECK(degrees_of_chord(chord_of_degrees(degrees)) == doctest::Approx(degrees));
}
