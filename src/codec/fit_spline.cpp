// SPDX-License-Identifier: MIT
#include "codec/fit_spline.h"

namespace marrow::codec::fit {
namespace {

constexpr int align4(int bytes) { return (bytes + 3) & ~3; }

// Basis functions of one knot span by the Cox-de Boor recurrence. The denominators belong to the span, so their
// reciprocals are computed once and not at every sample.
class SpanBasis {
 public:
  SpanBasis(const Spline& spline, int span) : degree_(spline.degree), span_(span) {
    for (int j = 1; j <= degree_; ++j) {
      left_[j] = spline.knot(span + 1 - j);
      right_[j] = spline.knot(span + j);
      for (int r = 0; r < j; ++r) inverse_[j][r] = 1.0 / (spline.knot(span + r + 1) - spline.knot(span + 1 - j + r));
    }
  }

  BasisRow row(int sample) const {
    BasisRow row{sample, span_ - degree_, {1.0, 0, 0, 0}};
    const double at = sample * (1.0 / kSamplesPerFrame);
    for (int j = 1; j <= degree_; ++j) {
      double carried = 0;
      for (int r = 0; r < j; ++r) {
        const double share = row.weight[static_cast<std::size_t>(r)] * inverse_[j][r];
        row.weight[static_cast<std::size_t>(r)] = carried + (right_[r + 1] - at) * share;
        carried = (at - left_[j - r]) * share;
      }
      row.weight[static_cast<std::size_t>(j)] = carried;
    }
    return row;
  }

 private:
  int degree_, span_;
  double left_[kMaxDegree + 1]{}, right_[kMaxDegree + 1]{}, inverse_[kMaxDegree + 1][kMaxDegree]{};
};

}  // namespace

void append_rows(const Spline& spline, int first, int last, std::vector<BasisRow>& rows) {
  const int count = spline.point_count();
  const int end = spline.knot(count);
  const int span_end = std::min(last + spline.degree, count);
  for (int span = std::max(first, spline.degree); span < span_end; ++span) {
    const int from = spline.knot(span), to = spline.knot(span + 1);
    if (from == to) continue;
    const SpanBasis basis(spline, span);
    // A span owns its left end; the last one owns its right end too.
    const int past = kSamplesPerFrame * to + (to == end ? 1 : 0);
    for (int sample = kSamplesPerFrame * from; sample < past; ++sample) rows.push_back(basis.row(sample));
  }
}

Worst worst_error(const Target& target, const Spline& spline, int first, int last, std::vector<BasisRow>& scratch) {
  scratch.clear();
  append_rows(spline, first, last, scratch);
  Worst worst;
  for (const BasisRow& row : scratch) {
    const double ratio = error_ratio(target, evaluate(spline, row), row.sample);
    if (ratio > worst.ratio) worst = {ratio, row.sample};
  }
  return worst;
}

void make_continuous(std::vector<Point>& quaternions) {
  Point previous(0, 0, 0, 1);
  bool started = false;
  for (Point& quaternion : quaternions) {
    quaternion = normalised(quaternion);
    if (started && dot(previous, quaternion) < 0) quaternion = -1.0 * quaternion;
    previous = quaternion;
    started = true;
  }
}

int rotation_bytes(int degree, int points, int bytes_per_code) {
  int bytes = 3 + points + degree + 1;
  if (bytes_per_code % 2 == 0) bytes = (bytes + 1) & ~1;
  return align4(bytes + points * bytes_per_code);
}

int vector_bytes(int degree, int points, int spline_axes, int static_axes, int bytes_per_value) {
  if (spline_axes == 0) return 4 * static_axes;
  return align4(3 + points + degree + 1) + 8 * spline_axes + 4 * static_axes +
         align4(points * spline_axes * bytes_per_value);
}

}  // namespace marrow::codec::fit
