// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "codec/compiled_layout.h"
#include "codec/spline_parser.h"
#include "codec/vector4.h"

// Converts packed control points to the pieces of a curve in power form.

namespace marrow::codec {
namespace {

/// 1/n for a distance n between two knots; 0 for an empty span.
struct Reciprocals {
  float of[256];
  constexpr Reciprocals() : of{} {
    for (int i = 1; i < 256; ++i) of[i] = 1.0f / static_cast<float>(i);
  }
};
constexpr Reciprocals kReciprocals;

inline Float4 scaled_difference(Float4 from, Float4 to, float factor) { return (to - from) * splat(factor); }

/// Calls `step` with 0 to Count - 1 as constants: a loop that every compiler unrolls.
template <int Count, class Step>
inline void unrolled(Step&& step) {
  [&]<int... I>(std::integer_sequence<int, I...>) {
    (step(std::integral_constant<int, I>{}), ...);
  }(std::make_integer_sequence<int, Count>{});
}

/// Visits the pieces of a curve that begin before the block ends.
template <class Visit>
void for_each_piece(const ShapeView& shape, std::uint32_t frames, Visit&& visit) {
  for (std::size_t span = shape.degree; span < shape.control_count() && shape.knots[span] < frames; ++span)
    if (shape.knots[span] < shape.knots[span + 1]) visit(span);
}

/// Returns the value of a spline at the start of its piece: de Boor's triangle at t[0], where its last column has
/// weight 0 and is left out. `controls` is overwritten.
template <int Degree>
inline Float4 start_of_piece(const std::uint8_t* t, Float4* controls) {
  if constexpr (Degree > 1)
    unrolled<Degree - 1>([&](auto row) {
      constexpr int r = row + 1;
      unrolled<Degree - r>([&](auto i) {
        const int left = t[r + i - Degree];
        controls[i] += scaled_difference(controls[i], controls[i + 1],
                                         static_cast<float>(t[0] - left) * kReciprocals.of[t[1 + i] - left]);
      });
    });
  return controls[0];
}

/// Writes the piece of `span` as coefficients of powers of s = frame - knots[span]. `controls` points at the first of
/// the Degree + 1 control points that contribute.
///
/// Coefficient k is the k-th derivative at the start of the piece over k!. The derivative of a spline is a spline of
/// one degree less over the differences of its control points (de Boor, X.16). Differences are taken first, so rounding
/// errors are proportional to the movement within the piece, not to the distance from the origin.
template <int Degree>
inline void write_piece(const std::uint8_t* knots, std::size_t span, const Float4* controls, Float4* coefficients) {
  constexpr float kInverseFactorial[] = {1.0f, 1.0f, 1.0f / 2, 1.0f / 6};
  constexpr std::size_t kControls = std::size_t{Degree} + 1;
  const std::uint8_t* t = knots + span;  // t[0] is the start of the piece
  Float4 derivative[kControls], scratch[kControls];
  unrolled<Degree + 1>([&](auto i) { derivative[i] = controls[i]; });
  unrolled<Degree + 1>([&](auto k) {
    constexpr int degree = Degree - k;
    if constexpr (k > 0)
      unrolled<degree + 1>([&](auto i) {
        derivative[i] = scaled_difference(derivative[i], derivative[i + 1],
                                          static_cast<float>(degree + 1) * kReciprocals.of[t[1 + i] - t[i - degree]]);
      });
    unrolled<degree + 1>([&](auto i) { scratch[i] = derivative[i]; });
    coefficients[k] = start_of_piece<degree>(t, scratch) * splat(kInverseFactorial[k]);
  });
}

/// Does the same for a degree known only at run time; the higher coefficients are 0.
inline void write_cubic(const ShapeView& shape, std::size_t span, const Float4* controls, Float4* coefficients) {
  for (std::size_t k = shape.degree + 1; k < 4; ++k) coefficients[k] = Float4{};
  const Float4* first = controls + (span - shape.degree);
  switch (shape.degree) {
    case 0: return write_piece<0>(shape.knots.data(), span, first, coefficients);
    case 1: return write_piece<1>(shape.knots.data(), span, first, coefficients);
    case 2: return write_piece<2>(shape.knots.data(), span, first, coefficients);
    default: return write_piece<3>(shape.knots.data(), span, first, coefficients);
  }
}

}  // namespace
}  // namespace marrow::codec
