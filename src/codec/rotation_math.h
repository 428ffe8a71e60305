// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>

#include "codec/fit_point.h"

// Quaternions in double precision, as points x, y, z, w. `product(a, b)` turns by b first.

namespace marrow::codec::edit {

inline fit::Point product(const fit::Point& a, const fit::Point& b) {
  return {a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1], a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
          a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3], a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]};
}

inline fit::Point conjugate(const fit::Point& q) { return {-q[0], -q[1], -q[2], q[3]}; }

/// Returns the rotation vector of the shorter way, in radians; w is 0.
inline fit::Point rotation_vector(fit::Point q) {
  if (q[3] < 0) q = -1.0 * q;
  const double length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
  const double factor = length > 1e-12 ? 2.0 * std::atan2(length, q[3]) / length : 2.0;
  return {factor * q[0], factor * q[1], factor * q[2], 0};
}

inline fit::Point rotation_of(const fit::Point& vector) {
  const double angle = std::sqrt(squared_length(vector));
  const double factor = angle > 1e-12 ? std::sin(angle / 2) / angle : 0.5;
  return {factor * vector[0], factor * vector[1], factor * vector[2], std::cos(angle / 2)};
}

}  // namespace marrow::codec::edit
