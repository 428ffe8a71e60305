// SPDX-License-Identifier: MIT
#pragma once

#include "codec/fit_point.h"
#include "marrow/codec/packed_quaternion.h"

namespace marrow::codec::fit {

/// The unit quaternions that one three-component packing can represent, in double precision.
struct QuaternionLattice {
  QuaternionEncoding encoding;
  int limit;  ///< steps from the middle to sqrt(1/2)
  int bytes;

  Point decode(const ThreeComponentCode& code) const;
  /// Returns the code of the rounded components of a unit quaternion, with the largest one omitted.
  ThreeComponentCode nearest(const Point& unit) const;
  /// Returns the code nearest to a unit quaternion among those around the rounded components. Rounding alone is not the
  /// nearest, since the omitted component errs too: this is within 0.0396 degrees for 40 bits, rounding within 0.0686.
  ThreeComponentCode closest(const Point& unit) const;
  /// True if a code is in range and leaves a fourth component well away from zero.
  bool contains(const ThreeComponentCode& code) const;
  double step() const { return 0.70710678118654752440 / limit; }
};

inline constexpr QuaternionLattice kLattice40{QuaternionEncoding::ThreeComp40, 2047, 5};
inline constexpr QuaternionLattice kLattice48{QuaternionEncoding::ThreeComp48, 16383, 6};

}  // namespace marrow::codec::fit
