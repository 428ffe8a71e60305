// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "codec/fit_knots.h"

namespace marrow::codec::fit {
namespace {

// Points that are still free while a span is added after them.
constexpr int kTrail = 4;
// A first fit worse than this is not worth another round.
constexpr double kGiveUp = 2.5;

// Returns the error ratio that a fit may use; the rest of the bound is left for rounding. 40-bit codes are nearly as
// coarse as the usual bounds; finer codes are not.
double fit_ratio_for(const KnotFit& fit) {
  if (!fit.lattice) return 1.0;
  const double share = fit.lattice->limit > 4096 ? std::max(fit.fit_share, 0.95) : fit.fit_share;
  return share * share;
}

class Grower {
 public:
  Grower(const KnotFit& fit, int degree, int max_points)
      : fit_(fit), degree_(degree), max_points_(max_points), ratio_(fit_ratio_for(fit)) {}

  std::optional<Spline> run() {
    Spline spline{.degree = degree_};
    int end = 0, length = 4;
    while (end < fit_.target.last_frame) {
      if (is_hopeless(spline.point_count(), end)) return std::nullopt;
      const int reached = longest_span(spline, end, length);
      if (reached > end) {
        length = reached - end;
        end = reached;
        if (end < fit_.target.last_frame) interior_.push_back(static_cast<std::int16_t>(end));
      } else if (!repeat_last_knot()) {
        return std::nullopt;
      }
    }
    return spline;
  }

 private:
  // The points needed so far predict the total, once there are enough of them.
  bool is_hopeless(int points, int end) const {
    return points > max_points_ || (points > 16 && points * fit_.target.last_frame > (max_points_ + 8) * end);
  }

  // Returns the furthest end for which the spline still follows the target, by doubling and bisection from a guess.
  // `spline` is the spline up to that end.
  int longest_span(Spline& spline, int end, int guess) {
    const int last = fit_.target.last_frame;
    int good = end, bad = last + 1, next = std::min(end + guess, last);
    Spline best;
    while (good + 1 < bad) {
      Spline candidate = extended(spline, next);
      if (follows(candidate)) {
        good = next;
        best = std::move(candidate);
      } else {
        bad = next;
      }
      next = bad > last ? std::min(end + 2 * (good - end), last) : (good + bad) / 2;
    }
    if (good > end) spline = std::move(best);
    return good;
  }

  bool repeat_last_knot() {
    if (interior_.empty()) return false;
    const auto same = std::ranges::count(interior_, interior_.back());
    if (same >= degree_) return false;
    interior_.push_back(interior_.back());
    return true;
  }

  Spline extended(const Spline& spline, int end) const {
    Spline next{.degree = degree_};
    const auto clamp = static_cast<std::size_t>(degree_ + 1);
    next.knots.assign(clamp, 0);
    next.knots.insert(next.knots.end(), interior_.begin(), interior_.end());
    next.knots.insert(next.knots.end(), clamp, static_cast<std::int16_t>(end));
    next.points = spline.points;
    next.points.resize(interior_.size() + clamp, fit_.target.samples[static_cast<std::size_t>(end * kSamplesPerFrame)]);
    return next;
  }

  // Fitting the whole trail finds the longest spans, but may lose what an earlier fit had reached. Fitting only the new
  // points always succeeds if the knot before them is repeated often enough.
  bool follows(Spline& spline) const {
    const int count = spline.point_count();
    const std::vector<Point> before = spline.points;
    for (const int free : {degree_ + 1 + kTrail, degree_ + 1, degree_}) {
      const int first = std::max(0, count - free);
      spline.points = before;
      const PointFitOptions options{.rounds = fit_.rounds, .good_enough = ratio_};
      if (fit_points(fit_.target, spline, first, count, options, fit_.scratch) <= ratio_) return true;
    }
    if (fit_.target.between.empty() || !is_last_resort(spline)) return false;
    // Where the motion whirls, the first rounds are far off and later ones are not.
    spline.points = before;
    const PointFitOptions options{.rounds = kPatientRounds, .good_enough = ratio_, .give_up = INFINITY};
    return fit_points(fit_.target, spline, count - degree_, count, options, fit_.scratch) <= ratio_;
  }

  // True for a span of one frame that is free of those before it.
  bool is_last_resort(const Spline& spline) const {
    const int start = interior_.empty() ? 0 : interior_.back();
    if (spline.knots.back() - start > 1) return false;
    return interior_.empty() || std::ranges::count(interior_, interior_.back()) >= degree_;
  }

  const KnotFit& fit_;
  int degree_, max_points_;
  double ratio_;
  std::vector<std::int16_t> interior_;
};

// Returns the spline with one more knot and its neighbourhood refitted; nothing if the knot cannot be added.
std::optional<Spline> with_knot(const KnotFit& fit, const Spline& spline, int frame) {
  const auto value = static_cast<std::int16_t>(frame);
  if (frame <= 0 || frame >= fit.target.last_frame || std::ranges::count(spline.knots, value) >= spline.degree)
    return std::nullopt;
  Spline next = spline;
  const int at = static_cast<int>(std::ranges::upper_bound(next.knots, value) - next.knots.begin());
  next.knots.insert(next.knots.begin() + at, value);
  const int middle = at - (spline.degree + 1) / 2;
  next.points.insert(next.points.begin() + middle, spline.points[static_cast<std::size_t>(middle)]);
  if (fit.lattice) next.codes.insert(next.codes.begin() + middle, spline.codes[static_cast<std::size_t>(middle)]);
  return next;
}

}  // namespace

bool settle(const KnotFit& fit, Spline& spline, int first, int last) {
  first = std::max(first, 0);
  last = std::min(last, spline.point_count());
  double ratio = fit_points(fit.target, spline, first, last,
                            {.rounds = fit.rounds, .good_enough = fit_ratio_for(fit), .give_up = kGiveUp}, fit.scratch);
  if (ratio > 1.0) return false;
  if (fit.lattice) ratio = quantise_points(fit.target, *fit.lattice, spline, first, last, fit.code_passes, fit.scratch);
  return ratio <= 1.0;
}

bool repair_spline(const KnotFit& fit, Spline& spline, int max_points) {
  while (true) {
    const Worst worst = worst_error(fit.target, spline, 0, spline.point_count(), fit.scratch.rows);
    if (worst.ratio <= 1.0) return true;
    if (spline.point_count() >= max_points) return false;
    double best = INFINITY;
    Spline best_spline;
    const int frame = worst.sample / kSamplesPerFrame;
    for (int at = frame - 2; at <= frame + 3; ++at) {
      auto next = with_knot(fit, spline, at);
      if (!next) continue;
      const int index =
          static_cast<int>(std::ranges::upper_bound(next->knots, static_cast<std::int16_t>(at)) - next->knots.begin());
      const int first = std::max(0, index - 1 - spline.degree - fit.neighbourhood);
      const int last = std::min(next->point_count(), index + fit.neighbourhood);
      double ratio = fit_points(fit.target, *next, first, last,
                                {.rounds = fit.rounds, .good_enough = 0.5, .give_up = 1e9}, fit.scratch);
      if (fit.lattice)
        ratio = quantise_points(fit.target, *fit.lattice, *next, first, last, fit.code_passes, fit.scratch);
      if (ratio < best) {
        best = ratio;
        best_spline = std::move(*next);
      }
    }
    if (!(best < 1e6)) return false;
    spline = std::move(best_spline);
  }
}

std::optional<Spline> grow_spline(const KnotFit& fit, int degree, int max_points) {
  std::optional<Spline> spline = Grower(fit, degree, max_points).run();
  if (!spline || spline->point_count() > max_points) return std::nullopt;
  if (fit.lattice) {
    spline->codes.resize(spline->points.size());
    fit.scratch.rows.clear();
    append_rows(*spline, 0, spline->point_count(), fit.scratch.rows);
    quantise_points(fit.target, *fit.lattice, *spline, 0, spline->point_count(), fit.code_passes, fit.scratch);
  }
  if (!repair_spline(fit, *spline, max_points)) return std::nullopt;
  return spline;
}

}  // namespace marrow::codec::fit
