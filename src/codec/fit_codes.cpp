// SPDX-License-Identifier: MIT
//
// Rounding control points one by one wastes half of a tight bound: the error of a curve value is a sum over a few
// control points, whose rounding errors can be chosen to cancel. This file searches for such codes by coordinate
// descent.
#include <array>
#include <cmath>

#include "codec/fit_points.h"

namespace marrow::codec::fit {
namespace {

constexpr int kNeighbours = 26;

// The search data of the samples under one control point, as columns of floats so that four are processed at a time.
// Moving the point by d changes the tangential error t of a sample to t + w d. Its square, without the part along the
// target y that normalising removes, becomes |t|^2 + 2 w t.d + w^2 (|d|^2 - (y.d)^2).
class Columns {
 public:
  explicit Columns(std::vector<float>& buffer) : buffer_(buffer) {}

  void resize(std::size_t rows) {
    rows_ = rows;
    stride_ = (rows + 3) & ~std::size_t{3};
    buffer_.assign(stride_ * kColumns, 0.0f);
  }

  void set(std::size_t row, const Point& tangent, const Point& want, double weight, double inverse_bound) {
    const double scale = inverse_bound * inverse_bound;
    column(0)[row] = static_cast<float>(squared_length(tangent) * scale);
    column(1)[row] = static_cast<float>(weight * weight * scale);
    for (int axis = 0; axis < 4; ++axis) {
      column(2 + axis)[row] = static_cast<float>(2.0 * weight * scale * tangent[axis]);
      column(6 + axis)[row] = static_cast<float>(want[axis]);
    }
  }

  // Returns the sum of (error/bound)^8 after the move: close to the largest error, but every sample counts.
  float cost(const Point& move) const {
    const float length = static_cast<float>(squared_length(move));
    const std::array<float, 4> d{static_cast<float>(move[0]), static_cast<float>(move[1]), static_cast<float>(move[2]),
                                 static_cast<float>(move[3])};
    using Lane = float __attribute__((vector_size(16)));
    Lane sum{0, 0, 0, 0};
    for (std::size_t row = 0; row < stride_; row += 4) {
      const auto load = [&](int index) {
        Lane lane;
        __builtin_memcpy(&lane, column(index) + row, sizeof lane);
        return lane;
      };
      const Lane along = load(6) * d[0] + load(7) * d[1] + load(8) * d[2] + load(9) * d[3];
      Lane square = load(0) + load(2) * d[0] + load(3) * d[1] + load(4) * d[2] + load(5) * d[3] +
                    load(1) * (length - along * along);
      square *= square;
      sum += square * square;
    }
    return sum[0] + sum[1] + sum[2] + sum[3];
  }

 private:
  static constexpr std::size_t kColumns = 10;
  float* column(int index) { return buffer_.data() + static_cast<std::size_t>(index) * stride_; }
  const float* column(int index) const { return buffer_.data() + static_cast<std::size_t>(index) * stride_; }

  std::vector<float>& buffer_;
  std::size_t rows_ = 0, stride_ = 0;
};

class CodeSearch {
 public:
  CodeSearch(const Target& target, const QuaternionLattice& lattice, Spline& spline, Scratch& scratch)
      : target_(target), lattice_(lattice), spline_(spline), scratch_(scratch), columns_(scratch.search) {}

  double run(int first, int last, int passes) {
    scratch_.values.resize(scratch_.rows.size());
    double worst = evaluate_all();
    for (int pass = 0; pass < passes && worst > 1.0; ++pass) {
      bool changed = false;
      for (int point = first; point < last; ++point) changed |= improve(point);
      if (!changed) break;
      worst = evaluate_all();
    }
    return worst;
  }

 private:
  double evaluate_all() {
    double worst = 0;
    for (std::size_t r = 0; r < scratch_.rows.size(); ++r) {
      scratch_.values[r] = evaluate(spline_, scratch_.rows[r]);
      worst = std::max(worst, error_ratio(target_, scratch_.values[r], scratch_.rows[r].sample));
    }
    return worst;
  }

  bool improve(int point) {
    const auto& rows = scratch_.rows;
    std::size_t begin = 0;
    while (begin < rows.size() && rows[begin].first + spline_.degree < point) ++begin;
    std::size_t end = begin;
    while (end < rows.size() && rows[end].first <= point) ++end;
    columns_.resize(end - begin);
    for (std::size_t r = begin; r < end; ++r) {
      const Point& want = target_.samples[static_cast<std::size_t>(rows[r].sample)];
      const double inverse_length = 1.0 / std::sqrt(squared_length(scratch_.values[r]));
      const Point unit = inverse_length * scratch_.values[r];
      const Point off = unit - want;
      columns_.set(r - begin, off + -dot(off, want) * want, want, weight_of(rows[r], point) * inverse_length,
                   1.0 / bound_at(target_, rows[r].sample));
    }
    const auto index = static_cast<std::size_t>(point);
    const Point current = spline_.points[index];
    float best = columns_.cost(Point()) * 0.999f;
    ThreeComponentCode best_code = spline_.codes[index];
    Point best_point = current;
    for (int n = 0; n < kNeighbours; ++n) {
      const int cell = n < kNeighbours / 2 ? n : n + 1;  // the middle of the 27 is the point itself
      ThreeComponentCode code = spline_.codes[index];
      code.parts[0] += cell % 3 - 1;
      code.parts[1] += cell / 3 % 3 - 1;
      code.parts[2] += cell / 9 - 1;
      if (!lattice_.contains(code)) continue;
      const Point moved = lattice_.decode(code);
      const float cost = columns_.cost(moved - current);
      if (cost < best) {
        best = cost;
        best_code = code;
        best_point = moved;
      }
    }
    if (best_code == spline_.codes[index]) return false;
    for (std::size_t r = begin; r < end; ++r) scratch_.values[r] += weight_of(rows[r], point) * (best_point - current);
    spline_.codes[index] = best_code;
    spline_.points[index] = best_point;
    return true;
  }

  double weight_of(const BasisRow& row, int point) const {
    return row.weight[static_cast<std::size_t>(point - row.first)];
  }

  const Target& target_;
  const QuaternionLattice& lattice_;
  Spline& spline_;
  Scratch& scratch_;
  Columns columns_;
};

}  // namespace

double quantise_points(const Target& target, const QuaternionLattice& lattice, Spline& spline, int first, int last,
                       int passes, Scratch& scratch) {
  for (int i = first; i < last; ++i) {
    const auto index = static_cast<std::size_t>(i);
    spline.codes[index] = lattice.nearest(spline.points[index]);
    spline.points[index] = lattice.decode(spline.codes[index]);
  }
  return CodeSearch(target, lattice, spline, scratch).run(first, last, passes);
}

}  // namespace marrow::codec::fit
