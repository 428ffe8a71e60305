// SPDX-License-Identifier: MIT
#pragma once

#include "codec/bspline.h"
#include "marrow/codec/spline_blob.h"

namespace marrow::codec {

/// True if a curve ends before its block does.
inline bool is_short(const SplineShape& shape, std::uint32_t last_frame) {
  return !shape.knots.empty() && frames_short(shape.knots, shape.degree, last_frame) > 0;
}

}  // namespace marrow::codec
