// SPDX-License-Identifier: MIT
#include "codec/fit_polyline.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace marrow::codec::fit {
namespace {

// More candidates per frame than this gave the same sizes.
constexpr std::size_t kMaxCandidates = 12;
constexpr std::size_t kMaxGridCandidates = 33;
// The reach of a vertex is nearly always one run of frames; this many misses in a row end the search.
constexpr int kMissesThatEndReach = 3;
constexpr int kUnreached = std::numeric_limits<int>::max();

struct Candidate {
  double error;
  Point point;
  ThreeComponentCode code;
};

void keep_nearest(std::vector<Candidate>& candidates, std::size_t count, bool with_codes, Vertices& vertices) {
  std::ranges::stable_sort(candidates, {}, &Candidate::error);
  if (candidates.size() > count) candidates.resize(count);
  for (const Candidate& candidate : candidates) {
    vertices.points.push_back(candidate.point);
    if (with_codes) vertices.codes.push_back(candidate.code);
  }
  vertices.first.push_back(static_cast<int>(vertices.points.size()));
}

// Visits the offsets -2 ... 2 in three directions.
template <class Visit>
void visit_grid(Visit visit) {
  for (int x = -2; x <= 2; ++x)
    for (int y = -2; y <= 2; ++y)
      for (int z = -2; z <= 2; ++z) visit(x, y, z);
}

class ShortestPath {
 public:
  ShortestPath(const Target& target, const Vertices& vertices)
      : target_(target),
        vertices_(vertices),
        cost_(vertices.points.size(), kUnreached),
        previous_(vertices.points.size(), -1),
        bound_square_(target.bound * target.bound),
        cosine_square_((1.0 - 0.5 * bound_square_) * (1.0 - 0.5 * bound_square_)) {}

  bool run() {
    const int last = vertices_.frame_count() - 1;
    for (int v = begin_of(0); v < begin_of(1); ++v) cost_[index(v)] = 1;
    for (int frame = 0; frame < last; ++frame) extend_from(frame, last);
    return end_vertex() >= 0;
  }

  // Returns the vertices of the path, first to last.
  std::vector<int> path() const {
    std::vector<int> path;
    for (int v = end_vertex(); v >= 0; v = previous_[index(v)]) path.push_back(v);
    std::ranges::reverse(path);
    return path;
  }

  int frame_of(int vertex) const {
    return static_cast<int>(std::ranges::upper_bound(vertices_.first, vertex) - vertices_.first.begin()) - 1;
  }

 private:
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  int begin_of(int frame) const { return vertices_.first[index(frame)]; }

  int end_vertex() const {
    int best = -1;
    for (int v = begin_of(vertices_.frame_count() - 1); v < begin_of(vertices_.frame_count()); ++v)
      if (cost_[index(v)] != kUnreached && (best < 0 || cost_[index(v)] < cost_[index(best)])) best = v;
    return best;
  }

  void extend_from(int frame, int last) {
    starts_.clear();
    for (int v = begin_of(frame); v < begin_of(frame + 1); ++v)
      if (cost_[index(v)] != kUnreached) starts_.push_back(v);
    if (starts_.empty()) return;
    std::ranges::stable_sort(starts_, {}, [this](int v) { return cost_[index(v)]; });
    const int cheapest = cost_[index(starts_.front())] + 1;
    int misses = 0;
    for (int to = frame + 1; to <= last && misses < kMissesThatEndReach; ++to) {
      bool tried = false, reached = false;
      for (int v = begin_of(to); v < begin_of(to + 1); ++v) {
        if (cost_[index(v)] <= cheapest) continue;
        if (!tried && !straight_enough(frame, to)) {
          tried = true;
          break;
        }
        tried = true;
        reached |= reach(frame, to, v);
      }
      if (tried) misses = reached ? 0 : misses + 1;
    }
  }

  bool reach(int frame, int to, int vertex) {
    for (const int start : starts_) {
      const int cost = cost_[index(start)] + 1;
      if (cost >= cost_[index(vertex)]) return false;
      if (!is_edge(vertices_.points[index(start)], frame, vertices_.points[index(vertex)], to, 1.0)) continue;
      cost_[index(vertex)] = cost;
      previous_[index(vertex)] = start;
      return true;
    }
    return false;
  }

  // Vertices are at most one bound away from the target, so a line between two of them is at most one bound away from
  // the line between the targets. If the latter is more than two bounds off, no pair of vertices works.
  bool straight_enough(int from, int to) const {
    return is_edge(target_.samples[index(from * kSamplesPerFrame)], from, target_.samples[index(to * kSamplesPerFrame)],
                   to, 2.05);
  }

  bool is_edge(const Point& a, int from, const Point& b, int to, double slack) const {
    const int first = from * kSamplesPerFrame, count = (to - from) * kSamplesPerFrame;
    const double inverse = 1.0 / count;
    // Tests each sample; the widest gaps are the likeliest to fail and are tested first.
    const auto passes = [&](int step) { return near(a, b, step * inverse, first + step, slack); };
    if (!passes(count / 2) || !passes(count / 4) || !passes(count - count / 4)) return false;
    for (int step = 1; step < count; ++step)
      if (!passes(step)) return false;
    return true;
  }

  bool near(const Point& a, const Point& b, double t, int sample, double slack) const {
    const Point value = a + t * (b - a);
    const Point& want = target_.samples[index(sample)];
    if (sample % kSamplesPerFrame != 0) slack *= target_.between_at(sample);
    if (target_.space == Space::Vector) return squared_length(value - want) <= slack * slack * bound_square_;
    const double along = dot(value, want);
    if (slack * slack * bound_square_ >= 2.0) return along > 0;
    if (slack == 1.0) return along > 0 && along * along >= cosine_square_ * squared_length(value);
    const double cosine = 1.0 - 0.5 * slack * slack * bound_square_;
    return along > 0 && along * along >= cosine * cosine * squared_length(value);
  }

  const Target& target_;
  const Vertices& vertices_;
  std::vector<int> cost_, previous_, starts_;
  double bound_square_, cosine_square_;
};

}  // namespace

Vertices rotation_vertices(const Target& target, const QuaternionLattice& lattice) {
  Vertices vertices{.first = {0}};
  // If codes lie much closer than the bound, a coarser grid of them covers the ball as well.
  const int stride = std::max(1, static_cast<int>(std::nearbyint(0.5 * target.bound / lattice.step())));
  std::vector<Candidate> candidates;
  for (int frame = 0; frame <= target.last_frame; ++frame) {
    candidates.clear();
    const Point& want = target.samples[static_cast<std::size_t>(frame * kSamplesPerFrame)];
    const ThreeComponentCode centre = lattice.nearest(want);
    visit_grid([&](int x, int y, int z) {
      ThreeComponentCode code = centre;
      code.parts[0] += x * stride;
      code.parts[1] += y * stride;
      code.parts[2] += z * stride;
      if (!lattice.contains(code)) return;
      const Point point = lattice.decode(code);
      const double error = squared_length(point - want);
      if (error <= target.bound * target.bound) candidates.push_back({error, point, code});
    });
    keep_nearest(candidates, stride > 1 ? kMaxGridCandidates : kMaxCandidates, true, vertices);
  }
  return vertices;
}

Vertices vector_vertices(const Target& target) {
  Vertices vertices{.first = {0}};
  const double spacing = 0.5 * target.bound;
  std::vector<Candidate> candidates;
  for (int frame = 0; frame <= target.last_frame; ++frame) {
    candidates.clear();
    const Point& want = target.samples[static_cast<std::size_t>(frame * kSamplesPerFrame)];
    visit_grid([&](int x, int y, int z) {
      const std::array<int, 3> offset{x, y, z};
      Point point = want;
      for (int axis = 0; axis < 3; ++axis) {
        const auto a = static_cast<std::size_t>(axis);
        if (target.fixed[a] && offset[a] != 0) return;
        point.set(axis, target.fixed[a] ? target.fixed_value[axis] : want[axis] + spacing * offset[a]);
      }
      const double error = squared_length(point - want);
      if (error <= target.bound * target.bound) candidates.push_back({error, point, {}});
    });
    keep_nearest(candidates, kMaxGridCandidates, false, vertices);
  }
  return vertices;
}

std::optional<Spline> shortest_polyline(const Target& target, const Vertices& vertices) {
  ShortestPath search(target, vertices);
  if (!search.run()) return std::nullopt;
  Spline spline{.degree = 1, .knots = {0}};
  for (const int vertex : search.path()) {
    spline.knots.push_back(static_cast<std::int16_t>(search.frame_of(vertex)));
    spline.points.push_back(vertices.points[static_cast<std::size_t>(vertex)]);
    if (!vertices.codes.empty()) spline.codes.push_back(vertices.codes[static_cast<std::size_t>(vertex)]);
  }
  spline.knots.push_back(static_cast<std::int16_t>(target.last_frame));
  return spline;
}

}  // namespace marrow::codec::fit
