// SPDX-License-Identifier: MIT
#include <array>
#include <cmath>
#include <optional>
#include <span>

#include "codec/fit_channel.h"
#include "codec/fit_knots.h"
#include "codec/fit_polyline.h"
#include "codec/fit_source.h"

namespace marrow::codec::fit {
namespace {

// Below this chord (0.03 degrees) 40-bit codes are too sparse to be worth the search if 48-bit codes are allowed.
const double kFineBound = chord_of_degrees(0.03);
// Shares of the bound to grow with, the best first: different spans give different knots to refine.
constexpr std::array<double, 4> kGrowthShares{0.92, 0.7, 0.85, 0.6};
// Factor by which the bound is loosened if no code is within it.
constexpr double kRotationLoosening = 1.15;

std::uint8_t component_flags(const std::vector<Point>& points, const QuaternionLattice& lattice, bool spline) {
  unsigned varying = 0, set = 0;
  for (int axis = 0; axis < 4; ++axis) {
    const double identity = axis == 3 ? 1.0 : 0.0;
    double low = points.front()[axis], high = low;
    for (const Point& point : points) {
      low = std::min(low, point[axis]);
      high = std::max(high, point[axis]);
    }
    if (high - low > lattice.step())
      varying |= 1u << axis;
    else if (std::abs(low - identity) > lattice.step())
      set |= 1u << axis;
  }
  if (spline && varying == 0) varying = 0xF;
  if (!spline && set == 0) set = 0xF;
  return static_cast<std::uint8_t>(spline ? varying << 4 | set : set);
}

RotationChannel channel_of(const std::vector<Point>& points, const std::vector<ThreeComponentCode>& codes,
                           const QuaternionLattice& lattice, SplineShape shape) {
  RotationChannel channel{.flags = component_flags(points, lattice, !shape.knots.empty()),
                          .encoding = lattice.encoding,
                          .shape = std::move(shape)};
  const auto bytes = static_cast<std::size_t>(lattice.bytes);
  channel.codes.resize(codes.size() * bytes);
  for (std::size_t i = 0; i < codes.size(); ++i)
    pack_code(lattice.encoding, codes[i], std::span(channel.codes).subspan(i * bytes, bytes));
  return channel;
}

double worst_from(const Target& target, const Point& unit) {
  double worst = 0;
  for (int s = 0; s < target.sample_count(); ++s) worst = std::max(worst, error_ratio(target, unit, s));
  return worst;
}

// Returns the centre of all samples with the smallest largest error, by means weighted with the errors they leave.
Point centre_of(const Target& target) {
  std::vector<double> weight(target.samples.size(), 1.0);
  Point best = target.samples.front();
  double best_worst = INFINITY;
  for (int round = 0; round < 6; ++round) {
    Point sum;
    for (std::size_t s = 0; s < weight.size(); ++s) sum += weight[s] * target.samples[s];
    const Point mean = normalised(sum);
    const double worst = worst_from(target, mean);
    if (worst < best_worst) {
      best_worst = worst;
      best = mean;
    }
    if (worst <= 1e-12) break;
    for (int s = 0; s < target.sample_count(); ++s)
      weight[static_cast<std::size_t>(s)] *= 0.15 + std::sqrt(error_ratio(target, mean, s) / worst);
  }
  return best;
}

class RotationFit {
 public:
  RotationFit(Target target, const EncodeOptions& options, const RotationChannel* source, Scratch& scratch)
      : target_(std::move(target)),
        plan_(plan_for(options.effort)),
        all_(options.encodings == EncodingSet::All),
        source_(source),
        scratch_(scratch) {}

  RotationChannel run() {
    for (const double w : {1.0, -1.0})
      if (worst_from(target_, Point(0, 0, 0, w)) <= 1.0) return {};
    if (source_) {
      best_ = *source_;
      bytes_ = channel_bytes(best_);
    }
    if (try_static()) return std::move(best_);
    while (!search()) loosen();
    return std::move(best_);
  }

 private:
  bool search() {
    const bool fine = target_.bound < kFineBound;
    const bool is_static_source = source_ && source_->shape.knots.empty();
    if (is_static_source) return true;
    try_polyline(kLattice40);
    if (all_ && (fine || plan_.growths > 1)) try_polyline(kLattice48);
    if (plan_.smooth) {
      try_smooth(kLattice40, 3);
      if (all_) try_smooth(kLattice40, 2);
      if (all_ && fine) {
        try_smooth(kLattice48, 3);
        try_smooth(kLattice48, 2);
      }
      refine_source();
    }
    return bytes_ < kNone;
  }

  // Frames keep their bound as long as codes can hold it there; the curve between them gives way first.
  void loosen() {
    const QuaternionLattice& lattice = all_ ? kLattice48 : kLattice40;
    bool holds_frames = true;
    for (int s = 0; s < target_.sample_count() && holds_frames; s += kSamplesPerFrame) {
      const Point& want = target_.samples[static_cast<std::size_t>(s)];
      holds_frames = error_ratio(target_, lattice.decode(lattice.closest(want)), s) <= 1.0;
    }
    if (!holds_frames || !loosen_between(target_, kGrowthShares.front(), scratch_)) target_.bound *= kRotationLoosening;
  }

  bool try_static() {
    const bool single = target_.last_frame == 0;
    if (source_ && source_->shape.knots.empty()) return true;
    const Point centre = centre_of(target_);
    if (!single && worst_from(target_, centre) > 1.0) return false;
    // A static code takes 8 bytes either way, so the finer one is free if it is allowed.
    const QuaternionLattice& lattice = all_ ? kLattice48 : kLattice40;
    const ThreeComponentCode nearest = lattice.nearest(centre);
    ThreeComponentCode best = nearest;
    double best_worst = INFINITY;
    for (int cell = 0; cell < 27; ++cell) {
      ThreeComponentCode code = nearest;
      code.parts[0] += cell % 3 - 1;
      code.parts[1] += cell / 3 % 3 - 1;
      code.parts[2] += cell / 9 - 1;
      if (code != nearest && !lattice.contains(code)) continue;
      const double worst = worst_from(target_, lattice.decode(code));
      if (worst < best_worst) {
        best_worst = worst;
        best = code;
      }
    }
    if (!single && best_worst > 1.0) return false;
    offer(channel_of({lattice.decode(best)}, {best}, lattice, {}));
    return true;
  }

  void try_polyline(const QuaternionLattice& lattice) {
    if (const auto spline = shortest_polyline(target_, rotation_vertices(target_, lattice))) offer(*spline, lattice);
  }

  KnotFit knot_fit(const QuaternionLattice& lattice) const {
    return {.target = target_,
            .lattice = &lattice,
            .scratch = scratch_,
            .rounds = plan_.rounds,
            .code_passes = plan_.code_passes,
            .neighbourhood = plan_.neighbourhood};
  }

  void try_smooth(const QuaternionLattice& lattice, int degree) {
    if (target_.last_frame < 1) return;
    const double budget = bytes_ < kNone ? bytes_ : rotation_bytes(degree, 4 * target_.last_frame, lattice.bytes);
    const int max_points = static_cast<int>(plan_.hopeless_growth * budget / (lattice.bytes + 1));
    KnotFit fit = knot_fit(lattice);
    for (const double share : std::span(kGrowthShares).first(plan_.growths)) {
      fit.fit_share = share;
      auto spline = grow_spline(fit, degree, max_points);
      fit.fit_share = kGrowthShares[0];
      if (spline) refine_and_offer(fit, *spline, lattice);
    }
  }

  void refine_source() {
    if (!source_) return;
    auto spline = spline_of(*source_, target_.last_frame);
    if (!spline || spline->degree == 1) return;
    const QuaternionLattice& lattice = source_->encoding == QuaternionEncoding::ThreeComp48 ? kLattice48 : kLattice40;
    refine_and_offer(knot_fit(lattice), *spline, lattice);
  }

  void refine_and_offer(const KnotFit& fit, Spline& spline, const QuaternionLattice& lattice) {
    const int hopeless = static_cast<int>(plan_.hopeless_refined * bytes_ / (lattice.bytes + 1));
    refine_spline(fit, spline,
                  {.passes = plan_.refine_passes, .hopeless = hopeless, .merge = plan_.merge, .slide = plan_.slide});
    offer(spline, lattice);
  }

  void offer(const Spline& spline, const QuaternionLattice& lattice) {
    if (rotation_bytes(spline.degree, spline.point_count(), lattice.bytes) < bytes_)
      offer(channel_of(spline.points, spline.codes, lattice, shape_of(spline)));
  }

  // The only place that accepts a channel: it must decode from its bytes to within the bound.
  void offer(RotationChannel channel) {
    const int bytes = channel_bytes(channel);
    if (bytes >= bytes_) return;
    const bool single = target_.last_frame == 0;
    if (!single && decoded_error(target_, sample_channel(channel, target_.last_frame)) > target_.bound) return;
    bytes_ = bytes;
    best_ = std::move(channel);
  }

  static constexpr int kNone = 1 << 30;
  Target target_;
  EffortPlan plan_;
  bool all_;
  const RotationChannel* source_;
  Scratch& scratch_;
  RotationChannel best_;
  int bytes_ = kNone;
};

}  // namespace

double decoded_error(const Target& target, const std::vector<Point>& decoded) {
  double worst = 0;
  for (int s = 0; s < target.sample_count(); ++s)
    worst = std::max(worst, error_ratio(target, decoded[static_cast<std::size_t>(s)], s));
  return std::sqrt(worst) * target.bound;
}

SplineShape shape_of(const Spline& spline) {
  SplineShape shape{.degree = static_cast<std::uint8_t>(spline.degree)};
  for (const int knot : spline.knots) shape.knots.push_back(static_cast<std::uint8_t>(knot));
  return shape;
}

EffortPlan plan_for(Effort effort) {
  switch (effort) {
    case Effort::Fast: return {};
    case Effort::Normal: return {.smooth = true, .refine_passes = 4, .merge = true, .slide = true};
    case Effort::Best: break;
  }
  return {.smooth = true,
          .rounds = 4,
          .code_passes = 6,
          .neighbourhood = 3,
          .refine_passes = 10,
          .growths = 4,
          .hopeless_growth = 1.6,
          .hopeless_refined = 1.3,
          .merge = true,
          .slide = true};
}

RotationChannel fit_rotation(Target target, const EncodeOptions& options, const RotationChannel* source,
                             Scratch& scratch) {
  return RotationFit(std::move(target), options, source, scratch).run();
}

}  // namespace marrow::codec::fit
