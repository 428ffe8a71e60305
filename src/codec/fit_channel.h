// SPDX-License-Identifier: MIT
#pragma once

#include "codec/fit_points.h"
#include "codec/spline_encoder.h"
#include "marrow/codec/spline_blob.h"

namespace marrow::codec::fit {

/// A fraction of every bound is reserved for decoders in single precision.
inline constexpr double kBoundShare = 0.999;

/// Returns the smallest channel that follows `target` within its bound. `source`, if given, is one of the candidates.
/// Without a source, and if the allowed encodings are too coarse for the bound, returns the nearest channel that they
/// allow.
RotationChannel fit_rotation(Target target, const EncodeOptions& options, const RotationChannel* source,
                             Scratch& scratch);
/// `identity` is the value of an axis that is not stored. Only the first `axes` lanes of the samples are used.
VectorChannel fit_vector(Target target, double identity, int axes, const EncodeOptions& options,
                         const VectorChannel* source, Scratch& scratch);

/// Returns the worst error of the decoded channel: a chord, or a distance.
double decoded_error(const Target& target, const std::vector<Point>& decoded);

/// Returns the knots as stored in files.
SplineShape shape_of(const Spline& spline);

/// The search steps of an effort.
struct EffortPlan {
  bool smooth = false;  ///< use degrees above 1
  int rounds = 3;
  int code_passes = 4;
  int neighbourhood = 2;
  int refine_passes = 0;
  std::size_t growths = 1;  ///< starts to refine from
  /// A spline that is larger than the best channel by these factors, as grown and after the first removals, will not be
  /// refined below it.
  double hopeless_growth = 1.4, hopeless_refined = 1.2;
  bool merge = false, slide = false;
};
EffortPlan plan_for(Effort effort);

}  // namespace marrow::codec::fit
