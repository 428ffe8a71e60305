// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace marrow::codec {

/// B-splines over whole-frame knots that fit in a byte, clamped at both ends, of degree 0 to 3.
///
/// A spline of `n` control points and degree `p` has n + p + 1 knots. Interior knots may repeat. An empty span has no
/// piece of the curve. At a knot the piece that starts there is used; at the last knot, the last piece that is not
/// empty. After de Boor, "A Practical Guide to Splines"; Piegl and Tiller, "The NURBS Book", A2.1 and A2.2.

inline constexpr std::size_t kMaxDegree = 3;

/// The most frames that a curve may end before its block. Some tools write clips of several blocks whose last curves
/// end one frame early per block before; the games play them. The bound keeps continued curves within finite numbers.
inline constexpr std::uint32_t kMostFramesShort = 64;

/// True if a curve over frames 0 to `last_frame` can be evaluated: the degree is at most 3, there are more control
/// points than the degree, and the knots never decrease, start with degree + 1 zeros and end at most
/// `kMostFramesShort` before `last_frame`. All functions below require such knots.
bool knots_are_valid(std::span<const std::uint8_t> knots, std::size_t degree, std::uint32_t last_frame);

/// Returns how many frames before `last_frame` a curve ends; 0 for curves that the games' own tools write.
std::uint32_t frames_short(std::span<const std::uint8_t> knots, std::size_t degree, std::uint32_t last_frame);

/// Returns the number of control points that these knots belong to.
constexpr std::size_t control_count(std::span<const std::uint8_t> knots, std::size_t degree) {
  return knots.size() - degree - 1;
}

/// Returns the index i of the piece at `frame`: knots[i] <= frame < knots[i + 1], or the last piece that is not empty
/// if `frame` is at or past the end. Control points i - degree to i contribute.
std::size_t find_span(std::span<const std::uint8_t> knots, std::size_t degree, double frame);

/// Returns the weights of control points span - degree to span at `frame`. Entries beyond the degree are 0. The weights
/// sum to 1.
std::array<double, kMaxDegree + 1> basis(std::span<const std::uint8_t> knots, std::size_t degree, std::size_t span,
                                         double frame);

/// The same weights as polynomials: the weight of control point span - degree + j is the sum of [j][p] * s^p, where s
/// is in frames since knots[span]. The span must not be empty.
using BasisPolynomials = std::array<std::array<double, kMaxDegree + 1>, kMaxDegree + 1>;
BasisPolynomials basis_polynomials(std::span<const std::uint8_t> knots, std::size_t degree, std::size_t span);

/// Evaluates a curve at any frame. Frames before it give its start; past the last knot the last piece is continued, as
/// de Boor's formula gives it and the games play it. The curve has as many dimensions as `point`.
/// `controls` holds the control points one after another.
void evaluate_spline(std::span<const std::uint8_t> knots, std::size_t degree, std::span<const float> controls,
                     double frame, std::span<float> point);

}  // namespace marrow::codec
