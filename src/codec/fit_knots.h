// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "codec/fit_points.h"

namespace marrow::codec::fit {

/// Everything that a change of knots needs: the target, the storage of points, and the effort.
struct KnotFit {
  const Target& target;
  const QuaternionLattice* lattice = nullptr;  ///< null for vectors: their bound already accounts for rounding
  Scratch& scratch;
  int rounds = 3;           ///< rounds of `fit_points` per step
  int code_passes = 4;      ///< passes of the code search per step
  int neighbourhood = 3;    ///< points on either side that move with a changed knot
  double fit_share = 0.85;  ///< share of the bound that a fit may use; rounding to codes has the rest
};

/// Fits and rounds the points [first, last). True if everything that they touch then decodes within the bound.
bool settle(const KnotFit& fit, Spline& spline, int first, int last);

/// Grows a spline of degree 2 or 3 from frame 0: each span is as long as the bound allows, knots are repeated if one
/// span cannot advance, and the result is repaired until its codes decode within the bound. Returns nothing if it needs
/// more than `max_points`.
std::optional<Spline> grow_spline(const KnotFit& fit, int degree, int max_points);

/// Adds knots where the decoded curve is worst until it is within the bound. False if that fails.
bool repair_spline(const KnotFit& fit, Spline& spline, int max_points);

/// What `refine_spline` tries. Every step is local and is kept only if everything that it touches decodes within the
/// bound.
struct RefineOptions {
  int passes = 2;
  int hopeless = 1 << 30;  ///< stop after the first removals if there are this many points
  bool merge = false;      ///< merge two neighbouring knots into one between them
  bool slide = false;      ///< move a knot by a frame if that leaves more slack for a later removal
};

/// Removes knots from a spline that is within the bound, and keeps it there.
void refine_spline(const KnotFit& fit, Spline& spline, const RefineOptions& options);

}  // namespace marrow::codec::fit
