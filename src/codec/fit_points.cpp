// SPDX-License-Identifier: MIT
//
// Least squares on a window of control points, iterated to minimise the largest error. Lawson's method: repeat the fit
// with sample weights multiplied by the error that the last fit left (C. L. Lawson, 1961).
#include "codec/fit_points.h"

#include <algorithm>
#include <cmath>

namespace marrow::codec::fit {
namespace {

// Points that no sample can move, e.g. between repeated knots one frame apart, stay where they are.
constexpr double kRidge = 1e-10;
// Rows per point from which every second one is used.
constexpr std::size_t kDenseRows = 6;

// The window's normal equations, symmetric with half-bandwidth `Degree`, one matrix for four right-hand sides.
template <int Degree>
class NormalEquations {
 public:
  NormalEquations(Spline& spline, int first, int last, Scratch& scratch)
      : points_(spline.points.data()), first_(first), size_(last - first), scratch_(scratch) {}

  // `row_length` is the length that the curve should have at each row. Stored quaternions are unit, so the length of a
  // fitted control point is lost. Asking for the length that unit points give removes the bias that this would cause.
  void assemble(const Target& target) {
    const auto size = static_cast<std::size_t>(size_);
    scratch_.matrix.assign(size * kWidth, 0.0);
    scratch_.right_side.resize(size);
    for (int i = 0; i < size_; ++i) {
      at(i)[0] = kRidge;
      side(i) = kRidge * points_[first_ + i];
    }
    // Neighbouring samples say much the same. Half of them is enough if each point still has several of its own; the
    // errors are measured at all of them.
    const std::size_t step = scratch_.rows.size() >= kDenseRows * size ? 2 : 1;
    for (std::size_t r = 0; r < scratch_.rows.size(); r += step) add_row(target, r);
    if (scratch_.rows.size() % 2 == 0 && step == 2) add_row(target, scratch_.rows.size() - 1);
  }

  // LDL^T in place; the ridge keeps every pivot positive.
  void solve() {
    for (int i = 0; i < size_; ++i) {
      const double inverse = 1.0 / at(i)[0];
      const int reach = std::min(kWidth, size_ - i);
      for (int j = 1; j < reach; ++j) {
        const double factor = at(i)[j] * inverse;
        for (int k = j; k < reach; ++k) at(i + j)[k - j] -= factor * at(i)[k];
        side(i + j) += -factor * side(i);
      }
    }
    for (int i = size_ - 1; i >= 0; --i) {
      const int reach = std::min(kWidth, size_ - i);
      for (int j = 1; j < reach; ++j) side(i) += -at(i)[j] * side(i + j);
      side(i) = (1.0 / at(i)[0]) * side(i);
    }
  }

  void store(const Target& target) {
    for (int i = 0; i < size_; ++i) {
      Point point = side(i);
      if (target.space == Space::Rotation) {
        point = normalised(point);
      } else {
        for (int axis = 0; axis < 4; ++axis)
          if (target.fixed[static_cast<std::size_t>(axis)]) point.set(axis, target.fixed_value[axis]);
      }
      points_[first_ + i] = point;
    }
  }

  Point value(const BasisRow& row) const {
    Point sum = row.weight[0] * points_[row.first];
    for (int i = 1; i < kWidth; ++i) sum += row.weight[static_cast<std::size_t>(i)] * points_[row.first + i];
    return sum;
  }

 private:
  static constexpr int kWidth = Degree + 1;

  double* at(int row) { return scratch_.matrix.data() + row * kWidth; }
  Point& side(int row) { return scratch_.right_side[static_cast<std::size_t>(row)]; }

  void add_row(const Target& target, std::size_t index) {
    const BasisRow& row = scratch_.rows[index];
    const double strength = scratch_.row_weight[index];
    Point want = scratch_.row_length[index] * target.samples[static_cast<std::size_t>(row.sample)];
    const int begin = std::max(row.first, first_) - row.first;
    const int end = std::min(row.first + kWidth, first_ + size_) - row.first;
    if (begin == 0 && end == kWidth) return add_terms(row, strength, want, 0, kWidth);
    for (int i = 0; i < kWidth; ++i)
      if (i < begin || i >= end) want += -row.weight[static_cast<std::size_t>(i)] * points_[row.first + i];
    add_terms(row, strength, want, begin, end);
  }

  // Inlined with constant ends for rows whose points all move, which are most rows.
  [[gnu::always_inline]] inline void add_terms(const BasisRow& row, double strength, const Point& want, int begin,
                                               int end) {
    for (int i = begin; i < end; ++i) {
      const double weight = strength * row.weight[static_cast<std::size_t>(i)];
      const int unknown = row.first + i - first_;
      double* terms = at(unknown);
      for (int j = i; j < end; ++j) terms[j - i] += weight * row.weight[static_cast<std::size_t>(j)];
      side(unknown) += weight * want;
    }
  }

  Point* points_;
  int first_, size_;
  Scratch& scratch_;
};

template <int Degree>
double fit_points_of(const Target& target, Spline& spline, int first, int last, const PointFitOptions& options,
                     Scratch& scratch) {
  scratch.rows.clear();
  append_rows(spline, first, last, scratch.rows);
  const auto weight_at = [&](const BasisRow& row) {
    if (target.between.empty() || row.sample % kSamplesPerFrame == 0) return 1.0;
    const double between = target.between_at(row.sample);
    return 1.0 / (between * between);
  };
  scratch.row_weight.resize(scratch.rows.size());
  for (std::size_t r = 0; r < scratch.rows.size(); ++r) scratch.row_weight[r] = weight_at(scratch.rows[r]);
  scratch.row_length.assign(scratch.rows.size(), 1.0);
  scratch.row_error.resize(scratch.rows.size());
  NormalEquations<Degree> equations(spline, first, last, scratch);
  // The points as they are give nearly the length that the fitted ones will have, unless they are still far apart.
  if (target.space == Space::Rotation)
    for (std::size_t r = 0; r < scratch.rows.size(); ++r) {
      const double length = std::sqrt(squared_length(equations.value(scratch.rows[r])));
      if (length > 0.5) scratch.row_length[r] = length;
    }
  const double inverse_bound = 1.0 / (target.bound * target.bound);
  double best = INFINITY;
  for (int round = 0; round < options.rounds; ++round) {
    equations.assemble(target);
    equations.solve();
    equations.store(target);
    double worst = 0;
    const double hopeless = round < 2 ? options.give_up * target.bound * target.bound : INFINITY;
    for (std::size_t r = 0; r < scratch.rows.size() && worst <= hopeless; ++r) {
      const BasisRow& row = scratch.rows[r];
      const Point& want = target.samples[static_cast<std::size_t>(row.sample)];
      Point value = equations.value(row);
      if (target.space == Space::Rotation) {
        const double length = std::sqrt(squared_length(value));
        scratch.row_length[r] = length;
        value = (1.0 / std::max(length, 1e-30)) * value;
      }
      scratch.row_error[r] = weight_at(row) * squared_length(value - want);
      worst = std::max(worst, scratch.row_error[r]);
    }
    const double ratio = worst * inverse_bound;
    if (ratio < best) {
      best = ratio;
      scratch.best_points.assign(spline.points.begin() + first, spline.points.begin() + last);
    }
    if (ratio <= options.good_enough || worst > hopeless) break;
    const double inverse_worst = 1.0 / std::max(worst, 1e-300);
    for (std::size_t r = 0; r < scratch.rows.size(); ++r)
      scratch.row_weight[r] *= 0.15 + std::sqrt(scratch.row_error[r] * inverse_worst);
  }
  std::copy(scratch.best_points.begin(), scratch.best_points.end(), spline.points.begin() + first);
  return best;
}

}  // namespace

double fit_points(const Target& target, Spline& spline, int first, int last, const PointFitOptions& options,
                  Scratch& scratch) {
  switch (spline.degree) {
    case 1: return fit_points_of<1>(target, spline, first, last, options, scratch);
    case 2: return fit_points_of<2>(target, spline, first, last, options, scratch);
    default: return fit_points_of<3>(target, spline, first, last, options, scratch);
  }
}

namespace {

// Factor of one step.
constexpr double kLoosening = 1.25;

// Returns the factor at which the line from a frame to the next is within the bound.
double factor_of_line(const Target& target, int frame) {
  const auto first = static_cast<std::size_t>(frame * kSamplesPerFrame);
  const Point &from = target.samples[first], &to = target.samples[first + kSamplesPerFrame];
  double worst = 0;
  for (std::size_t step = 1; step < kSamplesPerFrame; ++step) {
    Point line = from + (static_cast<double>(step) / kSamplesPerFrame) * (to - from);
    if (target.space == Space::Rotation) line = normalised(line);
    worst = std::max(worst, squared_length(line - target.samples[first + step]));
  }
  // The ends of a line are codes, each up to a bound away.
  return 2.0 + 1.1 * std::sqrt(worst) / target.bound;
}

// Returns how far from one interval the best cubic between its ends stays, as a factor of the bound.
double factor_of_span(const Target& target, int frame, Scratch& scratch) {
  const auto first = target.samples.begin() + frame * kSamplesPerFrame;
  Target span{.space = target.space, .last_frame = 1, .bound = target.bound, .fixed = target.fixed};
  span.fixed_value = target.fixed_value;
  span.samples.assign(first, first + kSamplesPerFrame + 1);
  // As a span is grown: its points begin at its end.
  Spline spline{.degree = 3, .knots = {0, 0, 0, 0, 1, 1, 1, 1}};
  spline.points.assign(4, span.samples.back());
  spline.points.front() = span.samples.front();
  const PointFitOptions options{.rounds = kPatientRounds, .good_enough = 0.0, .give_up = INFINITY};
  return std::sqrt(fit_points(span, spline, 1, 3, options, scratch));
}

}  // namespace

bool loosen_between(Target& target, double share, Scratch& scratch) {
  const auto intervals = static_cast<std::size_t>(std::max(target.last_frame, 0));
  std::vector<double> most(intervals);
  for (std::size_t i = 0; i < intervals; ++i) most[i] = factor_of_line(target, static_cast<int>(i));
  if (target.between.empty()) {
    target.between.assign(intervals, 1.0);
    return intervals > 0;
  }
  bool is_loosened = false;
  if (std::ranges::all_of(target.between, [](double factor) { return factor == 1.0; }))
    for (std::size_t i = 0; i < intervals; ++i) {
      const double needed = factor_of_span(target, static_cast<int>(i), scratch) / share;
      while (target.between[i] < std::min(needed, most[i])) {
        target.between[i] *= kLoosening;
        is_loosened = true;
      }
    }
  if (is_loosened) return true;
  for (std::size_t i = 0; i < intervals; ++i)
    if (target.between[i] < most[i]) {
      target.between[i] *= kLoosening;
      is_loosened = true;
    }
  return is_loosened;
}

}  // namespace marrow::codec::fit
