// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

namespace marrow::codec::fit {

/// Four doubles: a quaternion, or a vector with unused lanes at zero. The bounds that users set are near the resolution
/// of single precision, so everything that is compared with a bound is computed in double.
struct Point {
  // Two 16-byte halves, not one of 32: every 64-bit target has registers of that size, so no call changes its ABI.
  using Half = double __attribute__((vector_size(16)));
  Half low{0, 0}, high{0, 0};

  Point() = default;
  Point(double x, double y, double z, double w) : low{x, y}, high{z, w} {}
  Point(Half low_half, Half high_half) : low(low_half), high(high_half) {}

  double operator[](int axis) const { return axis < 2 ? low[axis] : high[axis - 2]; }
  void set(int axis, double value) { axis < 2 ? low[axis] = value : high[axis - 2] = value; }

  Point& operator+=(const Point& other) {
    low += other.low;
    high += other.high;
    return *this;
  }
};

inline Point operator+(const Point& a, const Point& b) { return {a.low + b.low, a.high + b.high}; }
inline Point operator-(const Point& a, const Point& b) { return {a.low - b.low, a.high - b.high}; }
inline Point operator*(double factor, const Point& a) {
  const Point::Half both{factor, factor};
  return {both * a.low, both * a.high};
}
inline double dot(const Point& a, const Point& b) {
  const Point::Half sum = a.low * b.low + a.high * b.high;
  return sum[0] + sum[1];
}
inline double squared_length(const Point& a) { return dot(a, a); }
inline Point normalised(const Point& a) {
  const double length = std::sqrt(squared_length(a));
  return length > 1e-30 ? (1.0 / length) * a : Point(0, 0, 0, 1);
}

}  // namespace marrow::codec::fit
