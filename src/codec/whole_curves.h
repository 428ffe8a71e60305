// SPDX-License-Identifier: MIT
#pragma once

#include "codec/spline_encoder.h"

namespace marrow::codec {

/// True if a curve ends before its block does.
bool has_short_curves(const SplineBlob& blob);

/// Returns the motion with curves that reach the ends of their blocks: those that end early are encoded again, as they
/// are continued, at every quarter of a frame within the tolerance. All others keep their codes. `blob` must come from
/// `read_spline_blob`.
SplineBlob with_whole_curves(const SplineBlob& blob, const Tolerance& tolerance);

}  // namespace marrow::codec
