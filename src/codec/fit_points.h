// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "codec/fit_spline.h"

namespace marrow::codec::fit {

/// Buffers that fitting reuses from step to step; one per thread.
struct Scratch {
  std::vector<BasisRow> rows;
  std::vector<double> row_weight, row_length, row_error, matrix;
  std::vector<Point> right_side, best_points, values;
  std::vector<float> search;
};

/// How hard `fit_points` tries.
struct PointFitOptions {
  int rounds = 3;            ///< rounds of least squares, each with more weight where the last one was worst
  double good_enough = 1.0;  ///< error ratio that ends the rounds
  double give_up = 16.0;     ///< error ratio after the first round that is not worth another
};

/// Moves the control points [first, last) to minimise the largest error on the samples they touch; the other points are
/// fixed. Rotations get unit points, not yet rounded to codes. Returns the `error_ratio` reached.
double fit_points(const Target& target, Spline& spline, int first, int last, const PointFitOptions& options,
                  Scratch& scratch);

/// Rounds the points [first, last) of a rotation to codes, then searches neighbouring codes until the samples they
/// touch are within the bound or nothing improves. `scratch.rows` must hold the rows of those samples, as `fit_points`
/// of the same points leaves them. Returns the `error_ratio` of the decoded codes.
double quantise_points(const Target& target, const QuaternionLattice& lattice, Spline& spline, int first, int last,
                       int passes, Scratch& scratch);

/// Rounds of `fit_points` for a span that nothing else can replace.
inline constexpr int kPatientRounds = 8;

/// Loosens the bound between frames where no curve of the format holds it. The first time nothing is loosened, but fits
/// become patient (`Target::between` has entries); then it is in the intervals that a span of their own cannot follow
/// with `share` of the bound; then in all intervals that lines from frame to frame do not follow. False if lines are
/// within the bound everywhere already.
bool loosen_between(Target& target, double share, Scratch& scratch);

}  // namespace marrow::codec::fit
