// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "codec/fit_points.h"

namespace marrow::codec::fit {

/// Everything a change of knots needs: what to follow, how points are stored, how hard to try.
struct KnotFit {
  const Target& target;
  const QuaternionLattice* lattice = nullptr;  ///< null for vectors: their rounding is part of the bound they are given
  Scratch& scratch;
  int rounds = 3;           ///< of `fit_points` a step
  int code_passes = 4;      ///< of the code search a step
  int neighbourhood = 3;    ///< points on either side that move with a changed knot
  double fit_share = 0.85;  ///< of the bound that a fit may use, so that rounding to codes has the rest
};

/// A spline that grew this much larger than the best channel will not be refined below it.
inline constexpr double kHopelessGrowth = 1.6;

/// Fits and rounds the points [first, last); whether all that they touch then decodes within the bound.
bool settle(const KnotFit& fit, Spline& spline, int first, int last);

/// A spline of degree 2 or 3 grown from frame 0: each span as long as the bound allows, knots repeated where one span
/// cannot advance, then repaired until its codes decode within the bound. Nothing where it needs more than
/// `max_points`.
std::optional<Spline> grow_spline(const KnotFit& fit, int degree, int max_points);

/// Adds knots where the decoded curve is worst until it is within the bound.
bool repair_spline(const KnotFit& fit, Spline& spline, int max_points);

/// What `refine_spline` tries. Every step is local and kept only where all that it touches decodes within the bound.
struct RefineOptions {
  int passes = 2;
  int hopeless = 1 << 30;  ///< points that are too many to go on with after the first removals
  bool merge = false;      ///< two neighbouring knots into one between them
  bool slide = false;      ///< a knot by a frame, where that leaves more slack for a later removal
};

/// Removes knots from a spline that is within the bound, and keeps it there.
void refine_spline(const KnotFit& fit, Spline& spline, const RefineOptions& options);

}  // namespace marrow::codec::fit
