// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "codec/fit_point.h"
#include "codec/fit_target.h"
#include "codec/quaternion_lattice.h"

namespace marrow::codec::fit {

inline constexpr int kMaxDegree = 3;

/// A clamped B-spline under construction. Knots are whole frames. Once a step is accepted, control points of rotations
/// always equal the decoded `codes`: moved points with old codes would pass every check on the fit and decode degrees
/// away.
struct Spline {
  int degree = 1;
  std::vector<std::int16_t> knots = {};  ///< point_count + degree + 1, the first and last degree + 1 equal
  std::vector<Point> points = {};
  std::vector<ThreeComponentCode> codes = {};  ///< rotations only: the codes of `points`

  int point_count() const { return static_cast<int>(points.size()); }
  int knot(int index) const { return knots[static_cast<std::size_t>(index)]; }
};

/// The nonzero basis functions at one sample: weights of points `first` ... `first + degree`.
struct BasisRow {
  int sample;
  int first;
  std::array<double, kMaxDegree + 1> weight;
};

/// Appends one row for every sample that a point of [first, last) influences, in order of sample.
void append_rows(const Spline& spline, int first, int last, std::vector<BasisRow>& rows);

inline Point evaluate(const Spline& spline, const BasisRow& row) {
  Point sum;
  for (int i = 0; i <= spline.degree; ++i)
    sum += row.weight[static_cast<std::size_t>(i)] * spline.points[static_cast<std::size_t>(row.first + i)];
  return sum;
}

/// The largest `error_ratio` over the samples that points of [first, last) touch, and its sample.
struct Worst {
  double ratio = 0;
  int sample = 0;
};
Worst worst_error(const Target& target, const Spline& spline, int first, int last, std::vector<BasisRow>& scratch);

/// Returns the bytes of a rotation or vector channel in the file, with the padding of the format.
int rotation_bytes(int degree, int points, int bytes_per_code);
int vector_bytes(int degree, int points, int spline_axes, int static_axes, int bytes_per_value);

}  // namespace marrow::codec::fit
