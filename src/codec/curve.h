// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "codec/fit_point.h"

namespace marrow::codec::edit {

using fit::Point;

/// A control point, with its code if the file stores it.
struct ControlPoint {
  Point value{};
  std::array<std::byte, 16> code{};  ///< of a rotation its packed bytes, of a vector three 16-bit codes
  bool is_stored = false;            ///< `code` is valid and decodes to `value`
};

/// A clamped B-spline over frames of a whole clip, of degree 0 to 3. Degree 0 is a constant, one point and two knots,
/// or steps, which the games do not write. All edits are exact: points that an edit does not compute anew keep their
/// codes. After Piegl and Tiller, "The NURBS Book", A5.1 (knot insertion) and A5.9 (degree elevation), and Boehm,
/// "Inserting new knots into B-spline curves".
struct Curve {
  int degree = 0;
  std::vector<std::int32_t> knots{};
  std::vector<ControlPoint> points{};

  std::int32_t first() const { return knots.front(); }
  std::int32_t last() const { return knots.back(); }
  bool is_constant() const { return degree == 0 && points.size() == 1; }
};

/// Returns a curve that has the same value from `first` to `last`.
Curve constant_curve(std::int32_t first, std::int32_t last, const ControlPoint& point);

/// Returns the value at a frame of the curve. At a knot the piece that begins there is used.
Point evaluate(const Curve& curve, double frame);
/// Returns the change per frame at the first and at the last frame.
Point first_slope(const Curve& curve);
Point last_slope(const Curve& curve);

/// Inserts a knot until it occurs `degree` times, so that the curve passes through a control point there.
void insert_full_knot(Curve& curve, std::int32_t frame);
/// Inserts a knot once, unless it occurs `degree` times already.
void insert_knot(Curve& curve, std::int32_t frame);

/// Returns the part from `first` to `last`, which must lie in the curve, `first` before `last`.
Curve window(Curve curve, std::int32_t first, std::int32_t last);
/// Returns the curve backwards: frame f becomes `sum - f`.
Curve reversed(Curve curve, std::int32_t sum);
/// Returns the curve with frame f at `f * stretch + shift`.
Curve moved(Curve curve, std::int32_t shift, std::int32_t stretch = 1);
/// Returns the same curve in a higher degree; a constant gets equal points, and a step the frame before it to change.
Curve raised(Curve curve, int degree);
/// Appends a curve of the same degree that begins where `left` ends, in frame and value. The shared point is stored
/// once.
void append(Curve& left, const Curve& right);
/// Makes the last frame interval of a curve the straight way to `end`. Nothing before the last but one frame changes.
void straighten_end(Curve& curve, const Point& end);
/// Moves the end of a curve and nothing before the last but one frame. No value of the last frame interval moves
/// further than the end.
void bend_end(Curve& curve, const Point& end);

/// True if the curve passes through control point `index`, wherever the others are.
bool is_on_curve(const Curve& curve, std::size_t index);

}  // namespace marrow::codec::edit
