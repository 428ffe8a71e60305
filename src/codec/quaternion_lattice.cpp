// SPDX-License-Identifier: MIT
#include "codec/quaternion_lattice.h"

#include <algorithm>
#include <cmath>

namespace marrow::codec::fit {

Point QuaternionLattice::decode(const ThreeComponentCode& code) const {
  Point quaternion;
  double rest = 1.0;
  std::size_t stored = 0;
  for (int axis = 0; axis < 4; ++axis) {
    if (axis == code.omitted) continue;
    const double value = code.parts[stored++] * step();
    quaternion.set(axis, value);
    rest -= value * value;
  }
  const double last = std::sqrt(std::max(rest, 0.0));
  quaternion.set(code.omitted, code.negative ? -last : last);
  return quaternion;
}

ThreeComponentCode QuaternionLattice::nearest(const Point& unit) const {
  ThreeComponentCode code{.omitted = 0};
  for (int axis = 1; axis < 4; ++axis)
    if (std::abs(unit[axis]) > std::abs(unit[code.omitted])) code.omitted = static_cast<std::uint8_t>(axis);
  code.negative = unit[code.omitted] < 0;
  std::size_t stored = 0;
  for (int axis = 0; axis < 4; ++axis)
    if (axis != code.omitted)
      code.parts[stored++] =
          static_cast<std::int32_t>(std::clamp<double>(std::nearbyint(unit[axis] / step()), -limit, limit));
  return code;
}

// The bound: around (1/2, 1/2, 1/2, 1/2) the codes form a face-centred lattice whose covering radius is one step,
// around (r, r, 0, 0) a rectangular one with the same radius, and a rotation turns by twice the way of its quaternion.
// Two steps of sqrt(1/2)/2047 are 0.0396 degrees, of sqrt(1/2)/16383 0.0050.
ThreeComponentCode QuaternionLattice::closest(const Point& unit) const {
  const ThreeComponentCode middle = nearest(unit);
  ThreeComponentCode best = middle;
  double least = squared_length(decode(middle) - unit);
  for (int cell = 0; cell < 27; ++cell) {
    ThreeComponentCode code = middle;
    code.parts[0] += cell % 3 - 1;
    code.parts[1] += cell / 3 % 3 - 1;
    code.parts[2] += cell / 9 - 1;
    if (std::ranges::any_of(code.parts, [&](std::int32_t part) { return std::abs(part) > limit; })) continue;
    const double distance = squared_length(decode(code) - unit);
    if (distance < least) {
      least = distance;
      best = code;
    }
  }
  return best;
}

bool QuaternionLattice::contains(const ThreeComponentCode& code) const {
  int squares = 0;
  for (const int part : code.parts) {
    if (std::abs(part) > limit) return false;
    squares += part * part;
  }
  // The squares sum to 2 * limit^2 in total; a sixteenth of it left over is a fourth component of 1/4.
  return squares < 2 * limit * limit - limit * limit / 8;
}

}  // namespace marrow::codec::fit
