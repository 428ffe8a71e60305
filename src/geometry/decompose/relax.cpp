// SPDX-License-Identifier: MIT
// Moves the borders between neighbouring hulls: two parts are taken together and cut anew, by the plane that leaves the
// least volume in both hulls. Around curves this evens out what cutting one by one has left uneven.
#include <algorithm>
#include <cmath>
#include <limits>

#include "geometry/decompose/parts.h"

namespace marrow::geometry {

namespace {

constexpr int kRounds = 6;
constexpr std::size_t kManyFacesInAll = 5000;
/// Steps of the search, in parts of the size of the pair, and the smallest.
constexpr double kFirstStep = 0.16;
constexpr double kLastStep = 0.015;
/// How many pairs `tighten` tries to join before it gives up, how many faces it may cut anew in all, and how much more
/// than allowed a pair may add at first.
constexpr std::size_t kTriedPairs = 3;
constexpr std::size_t kTriedFaces = 40000;
constexpr double kHope = 3.0;
/// Hulls that are this far apart have no border.
constexpr double kWideGap = 0.01;
/// A new border must save this share of the excess of both.
constexpr double kWorthIt = 0.003;

class BorderSearch {
 public:
  BorderSearch(const Part& a, const Part& b) : whole_(a.solid) {
    append(whole_, b.solid);
    const DVec3 from = middle_of(a);
    const DVec3 to = middle_of(b);
    center_ = (from + to) * 0.5;
    size_ = glm::length(glm::max(a.wrap.high, b.wrap.high) - glm::min(a.wrap.low, b.wrap.low));
    if (glm::distance(from, to) > 1e-9) {
      const DVec3 normal = glm::normalize(to - from);
      starts_.push_back({normal, -glm::dot(normal, center_)});
    }
    add_separating_plane(a.wrap, b.wrap, 1.0);
    add_separating_plane(b.wrap, a.wrap, -1.0);
  }

  /// The two halves, if together they are smaller than `least`.
  bool run(double least, Part& below, Part& above) {
    if (gap_ > kWideGap || starts_.empty()) return false;
    cost_ = least;
    for (const HalfSpace& plane : starts_) try_plane(plane);
    if (!has_best_) best_ = starts_.back();
    for (double step = kFirstStep; step > kLastStep; step *= 0.5) {
      const HalfSpace from = best_;
      const DVec3 helper = std::abs(from.normal.x) < 0.6 ? DVec3(1, 0, 0) : DVec3(0, 1, 0);
      const DVec3 u = glm::normalize(glm::cross(from.normal, helper));
      const DVec3 v = glm::cross(from.normal, u);
      const DVec3 pivot = center_ - from.normal * from.distance(center_);
      for (const DVec3& turn : {u, -u, v, -v}) {
        const DVec3 normal = glm::normalize(from.normal + turn * (2.0 * step));
        try_plane({normal, -glm::dot(normal, pivot)});
      }
      for (double move : {-0.5, 0.5}) try_plane({from.normal, from.offset + move * step * size_});
    }
    if (!has_best_) return false;
    below = std::move(below_);
    above = std::move(above_);
    return true;
  }

 private:
  static DVec3 middle_of(const Part& part) {
    DVec3 sum{0.0};
    for (const DVec3& point : part.wrap.points) sum += point;
    return sum / static_cast<double>(part.wrap.points.size());
  }

  /// The face of one hull that the other one is farthest beyond: the present border.
  void add_separating_plane(const Wrap& hull, const Wrap& other, double sign) {
    const HalfSpace* best = nullptr;
    double farthest = -0.05;
    for (const HalfSpace& plane : hull.hull.planes) {
      double nearest = 1.0;
      for (const DVec3& point : other.points) nearest = std::min(nearest, plane.distance(point));
      if (nearest > farthest) farthest = nearest, best = &plane;
    }
    if (best != nullptr) starts_.push_back({best->normal * sign, best->offset * sign});
    gap_ = std::max(gap_, farthest);
  }

  void try_plane(const HalfSpace& plane) {
    Solid below;
    Solid above;
    cut(whole_, plane, kCutTolerance, below, above);
    if (below.empty() || above.empty()) return;
    double volume = hull_volume(below.points);
    if (volume < cost_) volume += hull_volume(above.points);
    if (!(volume < cost_)) return;
    cost_ = volume;
    best_ = plane;
    has_best_ = true;
    below_ = make_part(std::move(below));
    above_ = make_part(std::move(above));
  }

  Solid whole_;
  DVec3 center_{0.0};
  double size_ = 1.0;
  std::vector<HalfSpace> starts_;
  double gap_ = 0.0;  ///< between the hulls
  double cost_ = 0.0;
  bool has_best_ = false;
  HalfSpace best_;
  Part below_;
  Part above_;
};

/// A pair that might do with one hull, and what that adds.
struct Pair {
  std::size_t a = 0;
  std::size_t b = 0;
  double added = 0.0;
};

std::vector<Pair> cheapest_pairs(const std::vector<Part>& parts) {
  std::vector<Pair> pairs;
  for (std::size_t a = 0; a < parts.size(); ++a)
    for (std::size_t b = a + 1; b < parts.size(); ++b) {
      if (parts[a].solid.is_closed != parts[b].solid.is_closed) continue;
      const double apart = parts[a].wrap.volume() + parts[b].wrap.volume();
      pairs.push_back({a, b, wrap(parts[a].wrap, parts[b].wrap).volume() - apart});
    }
  std::stable_sort(pairs.begin(), pairs.end(), [](const Pair& x, const Pair& y) { return x.added < y.added; });
  return pairs;
}

std::vector<Part> with_joined(std::vector<Part> parts, const Pair& pair, const ConcavityMeter& meter) {
  append(parts[pair.a].solid, parts[pair.b].solid);
  parts[pair.a] = make_part(std::move(parts[pair.a].solid));
  parts[pair.a].concavity = concavity_of(parts[pair.a], meter, std::numeric_limits<double>::infinity());
  parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(pair.b));
  return parts;
}

double worst_of(const std::vector<Part>& parts) {
  double worst = 0.0;
  for (const Part& part : parts) worst = std::max(worst, part.concavity);
  return worst;
}

}  // namespace

void relax(std::vector<Part>& parts, const ConcavityMeter& meter, double limit, std::size_t around) {
  std::vector<bool> has_changed(parts.size(), around >= parts.size());
  if (around < parts.size()) has_changed[around] = true;
  std::size_t faces = 0;
  for (const Part& part : parts) faces += part.solid.faces.size();
  const int rounds = faces > kManyFacesInAll ? kRounds / 2 : kRounds;
  for (int round = 0; round < rounds; ++round) {
    std::vector<bool> changes(parts.size(), false);
    for (std::size_t i = 0; i < parts.size(); ++i)
      for (std::size_t j = i + 1; j < parts.size(); ++j) {
        if (!has_changed[i] && !has_changed[j] && !changes[i] && !changes[j]) continue;
        if (parts[i].solid.is_closed != parts[j].solid.is_closed || !touch(parts[i].wrap, parts[j].wrap)) continue;
        const double excess = parts[i].excess() + parts[j].excess();
        if (excess < 1e-4 * (parts[i].wrap.volume() + parts[j].wrap.volume())) continue;
        const double now = parts[i].wrap.volume() + parts[j].wrap.volume();
        Part below;
        Part above;
        if (!BorderSearch(parts[i], parts[j]).run(now - kWorthIt * excess, below, above)) continue;
        const double worst = std::max({limit, parts[i].concavity, parts[j].concavity});
        below.concavity = concavity_of(below, meter, worst);
        above.concavity = concavity_of(above, meter, worst);
        if (std::max(below.concavity, above.concavity) > worst) continue;
        parts[i] = std::move(below);
        parts[j] = std::move(above);
        changes[i] = changes[j] = true;
      }
    has_changed = changes;
    if (std::none_of(changes.begin(), changes.end(), [](bool changed) { return changed; })) break;
  }
}

void tighten(std::vector<Part>& parts, const ConcavityMeter& meter, const PartLimits& limits) {
  double volume = 0.0;
  std::size_t faces = 1;
  for (const Part& part : parts) {
    volume += part.volume;
    faces += part.solid.faces.size();
  }
  // What a try takes grows with the faces: fewer are made then.
  std::size_t tries = std::clamp(kTriedFaces / faces, std::size_t{2}, std::size_t{16});
  for (bool has_changed = true; has_changed && parts.size() > 1;) {
    has_changed = false;
    const double excess = excess_of(parts);
    const double allowed =
        parts.size() > limits.hulls_for_volume ? excess + limits.hull_worth * volume : limits.volume_error * volume;
    if (excess > allowed || worst_of(parts) > limits.concavity) return;
    const std::vector<Pair> pairs = cheapest_pairs(parts);
    for (std::size_t i = 0; i < std::min(kTriedPairs, pairs.size()) && tries > 0 && !has_changed; ++i) {
      // Moving borders takes back a part of what joining adds, not the most of it.
      if (excess + pairs[i].added > kHope * allowed) break;
      --tries;
      std::vector<Part> fewer = with_joined(parts, pairs[i], meter);
      relax(fewer, meter, limits.concavity, pairs[i].a);
      if (worst_of(fewer) > limits.concavity || excess_of(fewer) > allowed) continue;
      parts = std::move(fewer);
      has_changed = true;
    }
  }
}

}  // namespace marrow::geometry
