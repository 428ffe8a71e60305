// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "codec/fit_channel.h"
#include "codec/fit_knots.h"
#include "codec/fit_polyline.h"
#include "codec/fit_source.h"

namespace marrow::codec::fit {
namespace {

// An axis that moves less than one of these shares of the bound is tried as a constant.
constexpr std::array<double, 4> kStillShares{0.0, 0.02, 0.3, 0.6};
// Fits that rounding to codes moved out of the bound are repeated at this share of it.
constexpr double kTightening = 0.9;
constexpr int kTightenings = 4;
constexpr double kVectorLoosening = 1.5;
// Rounding to codes may take this share of the bound; `fit_degree` needs the rest.
constexpr double kMostRounding = 0.8;

class VectorFit {
 public:
  VectorFit(Target target, double identity, int axes, const EncodeOptions& options, const VectorChannel* source,
            Scratch& scratch)
      : target_(std::move(target)),
        identity_(identity),
        axes_(axes),
        plan_(plan_for(options.effort)),
        all_(options.encodings == EncodingSet::All),
        source_(source),
        scratch_(scratch) {
    for (int axis = 0; axis < 3; ++axis) measure(axis);
  }

  VectorChannel run() {
    if (source_) {
      best_ = *source_;
      bytes_ = channel_bytes(best_);
    }
    if (try_static()) return std::move(best_);
    while (!search()) {
      loosen();
      if (try_static()) break;
    }
    return std::move(best_);
  }

 private:
  struct Axis {
    double low, high;
    double middle() const { return static_cast<double>(static_cast<float>(0.5 * (low + high))); }
    double half_range() const { return 0.5 * (high - low); }
    double from_identity(double identity) const {
      return std::max(std::abs(high - identity), std::abs(low - identity));
    }
  };

  // Frames keep their bound as long as codes can hold it there; the curve between them gives way first.
  void loosen() {
    const bool holds_frames = rounding_error(target_, ScalarEncoding::Bits16) < kMostRounding * target_.bound;
    if (!holds_frames || !loosen_between(target_, 1.0, scratch_)) target_.bound *= kVectorLoosening;
  }

  void measure(int axis) {
    Axis& range = range_[static_cast<std::size_t>(axis)];
    range = {INFINITY, -INFINITY};
    for (const Point& sample : target_.samples) {
      range.low = std::min(range.low, sample[axis]);
      range.high = std::max(range.high, sample[axis]);
    }
  }

  // Fixes an axis at its middle, or at identity if that is almost as good.
  void hold(Target& target, int axis, double share) const {
    const Axis& range = range_[static_cast<std::size_t>(axis)];
    target.fixed[static_cast<std::size_t>(axis)] = true;
    const bool at_identity = range.from_identity(identity_) <= std::max(share, 1e-6) * target.bound;
    target.fixed_value.set(axis, at_identity ? identity_ : range.middle());
  }

  bool try_static() {
    Target still = target_;
    for (int axis = 0; axis < 3; ++axis) hold(still, axis, 0.0);
    still.fixed_value.set(3, 0.0);
    if (!holds(still.fixed_value)) return false;
    // Each axis that can also be omitted saves four bytes.
    for (int axis = 0; axis < 3; ++axis) {
      const Point before = still.fixed_value;
      still.fixed_value.set(axis, identity_);
      if (!holds(still.fixed_value)) still.fixed_value = before;
    }
    offer(channel_of(still, nullptr, ScalarEncoding::Bits16));
    return true;
  }

  bool holds(const Point& value) const {
    const double limit = target_.bound * target_.bound;
    return std::ranges::all_of(target_.samples,
                               [&](const Point& sample) { return squared_length(sample - value) <= limit; });
  }

  bool search() {
    std::optional<std::array<bool, 4>> last;
    for (const double share : kStillShares) {
      Target target = target_;
      for (int axis = 0; axis < 3; ++axis)
        if (axis >= axes_ || range_[static_cast<std::size_t>(axis)].half_range() <= share * target.bound)
          hold(target, axis, share);
      if (last == target.fixed || (target.fixed[0] && target.fixed[1] && target.fixed[2])) continue;
      last = target.fixed;
      search_with(target);
    }
    refine_source();
    return bytes_ < kNone;
  }

  void search_with(const Target& target) {
    for (const ScalarEncoding encoding : {ScalarEncoding::Bits16, ScalarEncoding::Bits8}) {
      if (encoding == ScalarEncoding::Bits8 && !all_) continue;
      for (const int degree : {1, 3, 2}) {
        if (degree == 2 && !all_) continue;
        if (degree > 1 && !plan_.smooth) continue;
        fit_degree(target, encoding, degree);
      }
    }
  }

  // Returns what rounding to codes can add to the error, from the range of the target; points may overshoot it a
  // little.
  double rounding_error(const Target& target, ScalarEncoding encoding) const {
    double square = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (target.fixed[axis]) continue;
      const double half_step = range_[axis].half_range() / code_limit(encoding);
      square += half_step * half_step;
    }
    return std::sqrt(square);
  }

  void fit_degree(const Target& target, ScalarEncoding encoding, int degree) {
    Target tightened = target;
    tightened.bound -= rounding_error(target, encoding);
    for (int attempt = 0; attempt < kTightenings && tightened.bound > (1.0 - kMostRounding) * target.bound; ++attempt) {
      const std::optional<Spline> spline = fit_spline(tightened, encoding, degree);
      if (!spline || vector_bytes_of(*spline, target, encoding) >= bytes_) return;
      if (offer(channel_of(target, &*spline, encoding))) return;
      tightened.bound *= kTightening;
    }
  }

  std::optional<Spline> fit_spline(const Target& target, ScalarEncoding encoding, int degree) {
    if (degree == 1) return shortest_polyline(target, vector_vertices(target));
    const auto moving = static_cast<double>(std::ranges::count(target.fixed, false) - 1);
    const double per_point = 1.0 + moving * static_cast<double>(code_bytes(encoding));
    const int max_points = bytes_ < kNone ? static_cast<int>(plan_.hopeless_growth * bytes_ / per_point) : 4096;
    const KnotFit fit = knot_fit(target);
    std::optional<Spline> spline = grow_spline(fit, degree, max_points);
    if (spline) refine(fit, *spline);
    return spline;
  }

  void refine_source() {
    if (!source_ || !plan_.smooth) return;
    auto spline = spline_of(*source_, target_.last_frame, identity_);
    if (!spline || spline->degree == 1) return;
    Target target = target_;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      target.fixed[axis] = !source_->is_spline(axis);
      target.fixed_value.set(static_cast<int>(axis), spline->points.front()[static_cast<int>(axis)]);
    }
    Target tightened = target;
    tightened.bound -= 2.0 * rounding_error(target, source_->encoding);
    if (tightened.bound <= 0) return;
    refine(knot_fit(tightened), *spline);
    offer(channel_of(target, &*spline, source_->encoding));
  }

  KnotFit knot_fit(const Target& target) const {
    return {.target = target,
            .scratch = scratch_,
            .rounds = plan_.rounds,
            .code_passes = plan_.code_passes,
            .neighbourhood = plan_.neighbourhood};
  }

  void refine(const KnotFit& fit, Spline& spline) const {
    refine_spline(fit, spline, {.passes = plan_.refine_passes, .merge = plan_.merge, .slide = plan_.slide});
  }

  int vector_bytes_of(const Spline& spline, const Target& target, ScalarEncoding encoding) const {
    const int moving = static_cast<int>(std::count(target.fixed.begin(), target.fixed.begin() + 3, false));
    return vector_bytes(spline.degree, spline.point_count(), moving, 0, static_cast<int>(code_bytes(encoding)));
  }

  // Returns a channel of constants and, if there is a spline, of the codes of its points. An axis whose points are all
  // equal has no range to divide and becomes a constant too.
  VectorChannel channel_of(const Target& target, const Spline* spline, ScalarEncoding encoding) const {
    VectorChannel channel{.encoding = encoding};
    for (std::size_t a = 0; a < 3; ++a) {
      const int axis = static_cast<int>(a);
      ScalarRange& range = channel.range[a];
      if (spline && !target.fixed[a]) {
        range = {std::numeric_limits<float>::max(), std::numeric_limits<float>::lowest()};
        for (const Point& point : spline->points) {
          range.low = std::min(range.low, static_cast<float>(point[axis]));
          range.high = std::max(range.high, static_cast<float>(point[axis]));
        }
        channel.flags |= static_cast<std::uint8_t>((range.low < range.high ? kSplineAxis : kStaticAxis) << axis);
      } else if (target.fixed_value[axis] != identity_) {
        range.low = range.high = static_cast<float>(target.fixed_value[axis]);
        channel.flags |= static_cast<std::uint8_t>(kStaticAxis << axis);
      }
    }
    if (!(channel.flags & kSplineAxes)) return channel;
    channel.shape = shape_of(*spline);
    for (const Point& point : spline->points)
      for (std::size_t a = 0; a < 3; ++a)
        if (channel.is_spline(a))
          channel.codes.push_back(
              encode_scalar(channel.range[a], encoding, static_cast<float>(point[static_cast<int>(a)])));
    return channel;
  }

  // The only place that accepts a channel: it must decode from its codes to within the bound. True if it does, even if
  // it is not smaller.
  bool offer(VectorChannel channel) {
    if (decoded_error(target_, sample_channel(channel, target_.last_frame, identity_)) > target_.bound) return false;
    const int bytes = channel_bytes(channel);
    if (bytes < bytes_) {
      bytes_ = bytes;
      best_ = std::move(channel);
    }
    return true;
  }

  static constexpr int kNone = 1 << 30;
  Target target_;
  double identity_;
  int axes_;
  EffortPlan plan_;
  bool all_;
  const VectorChannel* source_;
  Scratch& scratch_;
  std::array<Axis, 3> range_{};
  VectorChannel best_;
  int bytes_ = kNone;
};

}  // namespace

VectorChannel fit_vector(Target target, double identity, int axes, const EncodeOptions& options,
                         const VectorChannel* source, Scratch& scratch) {
  return VectorFit(std::move(target), identity, axes, options, source, scratch).run();
}

}  // namespace marrow::codec::fit
