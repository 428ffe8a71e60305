// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include "marrow/codec/spline_blob.h"

namespace marrow::codec {

/// A linear map of quaternions as vectors (x, y, z, w), by rows. Products with constant rotations and reflections are
/// such maps.
using QuaternionMap = std::array<std::array<double, 4>, 4>;

/// An affine map of vectors: `linear` by rows, then `shift`.
struct VectorMap {
  std::array<std::array<double, 3>, 3> linear{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  std::array<double, 3> shift{};
};

/// Returns a channel whose curve is the image of another: degree, knots and encoding stay, the control points are
/// mapped. A curve is a weighted sum of its control points, so it is exact between frames as at them; only the rounding
/// to codes differs. `map` must keep lengths.
RotationChannel mapped(const RotationChannel& channel, const QuaternionMap& map);
/// Does the same for translations (`identity` 0) and scales (1). Axes that do not move any more become constant.
VectorChannel mapped(const VectorChannel& channel, const VectorMap& map, float identity);

}  // namespace marrow::codec
