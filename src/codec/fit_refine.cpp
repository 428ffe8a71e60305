// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "codec/fit_knots.h"

namespace marrow::codec::fit {
namespace {

// A removal whose quick fit is worse than this has never been seen to settle.
constexpr double kHopeless = 3.0;

class Refiner {
 public:
  Refiner(const KnotFit& fit, Spline& spline) : fit_(fit), spline_(spline) {}

  bool remove_pass() {
    struct Ranked {
      double ratio;
      int frame;
    };
    std::vector<Ranked> order;
    for (int at = spline_.degree + 1; at < spline_.point_count(); ++at) {
      Spline candidate = without(spline_, at);
      const auto [first, last] = window(candidate, at, 1);
      const std::uint64_t key = key_of(candidate, first, last);
      const auto known = removal_.find(key);
      const double ratio = known != removal_.end()
                               ? known->second
                               : fit_points(fit_.target, candidate, first, last,
                                            {.rounds = 1, .good_enough = 0.0, .give_up = kHopeless}, fit_.scratch);
      removal_[key] = ratio;
      if (ratio < kHopeless) order.push_back({ratio, spline_.knot(at)});
    }
    std::ranges::stable_sort(order, {}, &Ranked::ratio);
    bool changed = false;
    for (const Ranked& ranked : order) changed |= try_remove(ranked.frame);
    return changed;
  }

  bool merge_pass() {
    bool changed = false;
    for (int at = spline_.degree + 1; at + 1 < spline_.point_count(); ++at) {
      const int from = spline_.knot(at), to = spline_.knot(at + 1);
      for (const int place : {(from + to) / 2, (3 * from + to) / 4, (from + 3 * to) / 4}) {
        Spline candidate = without(spline_, at);
        candidate.knots[static_cast<std::size_t>(at)] = static_cast<std::int16_t>(place);
        const auto [first, last] = window(candidate, at, fit_.neighbourhood + 1);
        if (!settles(candidate, first, last)) continue;
        spline_ = std::move(candidate);
        changed = true;
        break;
      }
    }
    return changed;
  }

  // Moving knots to where they leave more slack makes later removals possible.
  bool slide_pass() {
    bool changed = false;
    for (int at = spline_.degree + 1; at < spline_.point_count(); ++at) {
      const auto [first, last] = window(spline_, at, fit_.neighbourhood);
      fit_.scratch.rows.clear();
      append_rows(spline_, first, last, fit_.scratch.rows);
      const double before = strain(spline_);
      for (const int step : {-1, 1}) {
        Spline candidate = spline_;
        if (!slide_knot(candidate, at, step)) continue;
        const std::uint64_t key = key_of(candidate, first, last);
        if (failed_.contains(key) || !settles(candidate, first, last)) continue;
        if (strain(candidate) > 0.97 * before) {
          failed_.insert(key);
          continue;
        }
        spline_ = std::move(candidate);
        changed = true;
        break;
      }
    }
    return changed;
  }

 private:
  struct Window {
    int first, last;
  };

  Window window(const Spline& spline, int at, int neighbourhood) const {
    return {std::max(0, at - spline.degree - neighbourhood), std::min(spline.point_count(), at + neighbourhood)};
  }

  Spline without(const Spline& spline, int at) const {
    Spline next = spline;
    const int middle = at - (spline.degree + 1) / 2;
    next.knots.erase(next.knots.begin() + at);
    next.points.erase(next.points.begin() + middle);
    if (fit_.lattice) next.codes.erase(next.codes.begin() + middle);
    return next;
  }

  // A step that failed fails again as long as its window is the same. Most windows are, from one pass to the next.
  bool settles(Spline& candidate, int first, int last) {
    const std::uint64_t key = key_of(candidate, first, last);
    if (failed_.contains(key)) return false;
    if (settle(fit_, candidate, first, last)) return true;
    failed_.insert(key);
    return false;
  }

  // Returns a hash of all that a fit of [first, last) depends on.
  static std::uint64_t key_of(const Spline& spline, int first, int last) {
    std::uint64_t key = 0x9E3779B97F4A7C15u;
    const auto add = [&](std::uint64_t bits) {
      key = (key ^ bits) * 0xFF51AFD7ED558CCDu;
      key ^= key >> 32;
    };
    const int from = std::max(0, first - spline.degree), to = std::min(spline.point_count(), last + spline.degree);
    for (int i = from; i < to; ++i) {
      for (int axis = 0; axis < 4; ++axis)
        add(std::bit_cast<std::uint64_t>(spline.points[static_cast<std::size_t>(i)][axis]));
      add(static_cast<std::uint64_t>(spline.knot(i)));
    }
    for (int i = to; i <= to + spline.degree; ++i) add(static_cast<std::uint64_t>(spline.knot(i)));
    return key;
  }

  bool try_remove(int frame) {
    const auto value = static_cast<std::int16_t>(frame);
    const int at = static_cast<int>(std::ranges::upper_bound(spline_.knots, value) - spline_.knots.begin()) - 1;
    if (spline_.knot(at) != frame) return false;
    Spline candidate = without(spline_, at);
    const auto [first, last] = window(candidate, at, fit_.neighbourhood);
    if (!settles(candidate, first, last)) return false;
    spline_ = std::move(candidate);
    return true;
  }

  bool slide_knot(Spline& spline, int at, int step) const {
    const auto moved = static_cast<std::int16_t>(spline.knot(at) + step);
    if (moved <= 0 || moved >= fit_.target.last_frame || std::ranges::count(spline.knots, moved) >= spline.degree)
      return false;
    spline.knots[static_cast<std::size_t>(at)] = moved;
    std::ranges::sort(spline.knots);
    return true;
  }

  // Returns the sum of (error/bound)^6 over the rows of the last fit.
  double strain(const Spline& spline) const {
    double sum = 0;
    for (const BasisRow& row : fit_.scratch.rows) {
      const double ratio = error_ratio(fit_.target, evaluate(spline, row), row.sample);
      sum += ratio * ratio * ratio;
    }
    return sum;
  }

  const KnotFit& fit_;
  Spline& spline_;
  std::unordered_set<std::uint64_t> failed_;
  std::unordered_map<std::uint64_t, double> removal_;  // the quick fit without a knot
};

}  // namespace

void refine_spline(const KnotFit& fit, Spline& spline, const RefineOptions& options) {
  Refiner refiner(fit, spline);
  for (int pass = 0; pass < options.passes; ++pass) {
    bool changed = refiner.remove_pass();
    if (spline.point_count() > options.hopeless) return;
    if (options.merge) changed |= refiner.merge_pass();
    if (options.slide) changed |= refiner.slide_pass();
    if (!changed) break;
  }
}

}  // namespace marrow::codec::fit
