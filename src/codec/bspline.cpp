// SPDX-License-Identifier: MIT
#include "codec/bspline.h"

#include <algorithm>
#include <cassert>

namespace marrow::codec {

bool knots_are_valid(std::span<const std::uint8_t> knots, std::size_t degree, std::uint32_t last_frame) {
  if (degree > kMaxDegree || knots.size() < 2 * (degree + 1)) return false;
  const std::size_t controls = control_count(knots, degree);
  return std::ranges::is_sorted(knots) && knots[degree] == 0 && knots[controls] + kMostFramesShort >= last_frame;
}

std::uint32_t frames_short(std::span<const std::uint8_t> knots, std::size_t degree, std::uint32_t last_frame) {
  const std::uint32_t last_knot = knots[control_count(knots, degree)];
  return last_knot < last_frame ? last_frame - last_knot : 0;
}

std::size_t find_span(std::span<const std::uint8_t> knots, std::size_t degree, double frame) {
  const std::size_t controls = control_count(knots, degree);
  // The first knot after `frame` among those that end a piece; if there is none, the first knot of the last value.
  const auto first = knots.begin() + static_cast<std::ptrdiff_t>(degree);
  const auto last = knots.begin() + static_cast<std::ptrdiff_t>(controls);
  auto end = std::upper_bound(first, last, frame, [](double f, std::uint8_t knot) { return f < knot; });
  if (end == last) end = std::lower_bound(first, last, *last);
  if (end == first) return degree;  // every knot is 0: a curve with one frame
  return static_cast<std::size_t>(end - knots.begin()) - 1;
}

std::array<double, kMaxDegree + 1> basis(std::span<const std::uint8_t> knots, std::size_t degree, std::size_t span,
                                         double frame) {
  std::array<double, kMaxDegree + 1> weights{1.0};
  for (std::size_t p = 1; p <= degree; ++p) {
    double carried = 0.0;
    for (std::size_t j = 0; j < p; ++j) {
      const double left = knots[span + 1 + j - p], right = knots[span + 1 + j];
      const double share = right > left ? weights[j] / (right - left) : 0.0;
      weights[j] = carried + (right - frame) * share;
      carried = (frame - left) * share;
    }
    weights[p] = carried;
  }
  return weights;
}

BasisPolynomials basis_polynomials(std::span<const std::uint8_t> knots, std::size_t degree, std::size_t span) {
  assert(knots[span] < knots[span + 1]);
  // The recurrence of `basis`, on polynomials in s = frame - knots[span]: a factor (c + d s) scales and shifts.
  const double start = knots[span];
  BasisPolynomials weights{};
  weights[0][0] = 1.0;
  const auto add_product = [](std::array<double, kMaxDegree + 1>& sum,
                              const std::array<double, kMaxDegree + 1>& polynomial, double c, double d) {
    for (std::size_t k = 0; k <= kMaxDegree; ++k) sum[k] += c * polynomial[k] + (k > 0 ? d * polynomial[k - 1] : 0.0);
  };
  for (std::size_t p = 1; p <= degree; ++p) {
    BasisPolynomials next{};
    for (std::size_t j = 0; j < p; ++j) {
      const double left = knots[span + 1 + j - p], right = knots[span + 1 + j];
      const double inverse = right > left ? 1.0 / (right - left) : 0.0;
      add_product(next[j], weights[j], (right - start) * inverse, -inverse);
      add_product(next[j + 1], weights[j], (start - left) * inverse, inverse);
    }
    weights = next;
  }
  return weights;
}

void evaluate_spline(std::span<const std::uint8_t> knots, std::size_t degree, std::span<const float> controls,
                     double frame, std::span<float> point) {
  const std::size_t dimensions = point.size();
  assert(controls.size() == control_count(knots, degree) * dimensions);
  const double last = knots[control_count(knots, degree)];
  if (last == 0.0) {  // a curve with one frame has no piece; use its first control point
    std::ranges::copy(controls.first(dimensions), point.begin());
    return;
  }
  const double inside = frame > 0.0 ? frame : 0.0;
  const std::size_t span = find_span(knots, degree, inside);
  const auto weights = basis(knots, degree, span, inside);
  for (std::size_t d = 0; d < dimensions; ++d) {
    double sum = 0.0;
    for (std::size_t j = 0; j <= degree; ++j) sum += weights[j] * controls[(span - degree + j) * dimensions + d];
    point[d] = static_cast<float>(sum);
  }
}

}  // namespace marrow::codec
