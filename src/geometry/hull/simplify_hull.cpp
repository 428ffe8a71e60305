// SPDX-License-Identifier: MIT
// Fewer vertices for a convex hull. Taking a vertex away uncovers the solid between it and the hull of its neighbours:
// every vertex of a hull is extreme, so the new faces touch only neighbours. That volume is known without hulling
// again. A vertex with very many neighbours (the tip of a fine cone) is looked at again only when it has lost a part of
// them, and the hole that it would leave is closed without wrapping: the whole takes n log n.
#include <algorithm>
#include <cmath>
#include <queue>

#include "geometry/hull/polyhedron.h"
#include "geometry/hull/quick_hull.h"

namespace marrow::geometry {

namespace {

using Triangle = std::array<std::uint32_t, 3>;

/// The faces that close the hole of a removed vertex, and the volume lost.
struct Cap {
  std::vector<Triangle> triangles;
  double loss = 0.0;
};

class Simplifier {
 public:
  explicit Simplifier(const Polyhedron& hull)
      : vertices_(hull.vertices), around_(hull.vertices.size()), gone_around_(hull.vertices.size()) {
    for (const auto& face : hull.faces) {
      if (face.size() > kLarge) {
        // A fan would make a corner of a fine plate the neighbour of all others.
        for_each_half(0, face.size() - 1, [&](std::size_t first, std::size_t middle, std::size_t last) {
          add({face[first], face[middle], face[last]});
        });
        continue;
      }
      for (std::size_t i = 2; i < face.size(); ++i) add({face[0], face[i - 1], face[i]});
    }
  }

  /// Returns how many neighbours were looked at so far.
  std::uint64_t steps() const { return steps_; }

  std::vector<DVec3> run(std::size_t max_vertices) {
    std::vector<std::uint32_t> version(vertices_.size(), 0);
    std::vector<bool> alive(vertices_.size(), true);
    struct Entry {
      double loss;
      std::uint32_t vertex;
      std::uint32_t version;
      bool operator>(const Entry& o) const { return loss != o.loss ? loss > o.loss : vertex > o.vertex; }
    };
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    std::vector<std::size_t> known_degree(vertices_.size(), 0);  // when it was last looked at
    const auto push = [&](std::uint32_t vertex) {
      known_degree[vertex] = degree_of(vertex);
      queue.push({cap_of(vertex).loss, vertex, version[vertex]});
    };
    const auto has_changed = [&](std::uint32_t vertex) {
      const std::size_t degree = degree_of(vertex);
      return degree <= kLarge || degree + degree / 8 < known_degree[vertex] || degree > known_degree[vertex] * 9 / 8;
    };
    for (std::uint32_t i = 0; i < vertices_.size(); ++i) push(i);
    for (std::size_t left = vertices_.size(); left > max_vertices && !queue.empty();) {
      const Entry best = queue.top();
      queue.pop();
      if (!alive[best.vertex] || version[best.vertex] != best.version) continue;
      if (!std::isfinite(best.loss)) break;
      const std::vector<std::uint32_t> ring = ring_of(best.vertex);
      const Cap cap = cap_of(best.vertex);
      remove_around(best.vertex);
      for (const Triangle& triangle : cap.triangles) add(triangle);
      alive[best.vertex] = false;
      --left;
      for (std::uint32_t neighbour : ring) {
        if (!has_changed(neighbour)) continue;
        ++version[neighbour];
        push(neighbour);
      }
    }
    std::vector<DVec3> kept;
    for (std::size_t i = 0; i < vertices_.size(); ++i)
      if (alive[i]) kept.push_back(vertices_[i]);
    return kept;
  }

 private:
  void add(const Triangle& triangle) {
    for (std::uint32_t corner : triangle) around_[corner].push_back(static_cast<std::uint32_t>(triangles_.size()));
    triangles_.push_back(triangle);
    is_gone_.push_back(false);
  }

  std::size_t degree_of(std::uint32_t vertex) const { return around_[vertex].size() - gone_around_[vertex]; }

  /// Calls `use(first, middle, last)` for the triangles of a ring, each over the middle of its part.
  template <class Use>
  static void for_each_half(std::size_t from, std::size_t to, const Use& use) {
    std::vector<std::pair<std::size_t, std::size_t>> open = {{from, to}};
    while (!open.empty()) {
      const auto [first, last] = open.back();
      open.pop_back();
      if (last - first < 2) continue;
      const std::size_t middle = (first + last) / 2;
      use(first, middle, last);
      open.emplace_back(first, middle);
      open.emplace_back(middle, last);
    }
  }

  void remove_around(std::uint32_t vertex) {
    for (std::uint32_t gone : around_[vertex]) {
      if (is_gone_[gone]) continue;
      is_gone_[gone] = true;
      for (std::uint32_t corner : triangles_[gone])
        if (corner != vertex) forget_one(corner);
    }
    around_[vertex].clear();
    gone_around_[vertex] = 0;
  }

  // What is gone leaves the list of a vertex when it is half of it.
  void forget_one(std::uint32_t vertex) {
    if (2 * ++gone_around_[vertex] < around_[vertex].size()) return;
    std::erase_if(around_[vertex], [&](std::uint32_t triangle) { return is_gone_[triangle]; });
    gone_around_[vertex] = 0;
  }

  /// The neighbours of a vertex in order, counter-clockwise seen from outside; empty where they form no ring.
  std::vector<std::uint32_t> ring_of(std::uint32_t vertex) const {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> steps;
    for (std::uint32_t t : around_[vertex]) {
      if (is_gone_[t]) continue;
      const Triangle& triangle = triangles_[t];
      for (std::size_t i = 0; i < 3; ++i)
        if (triangle[i] == vertex) steps.emplace_back(triangle[(i + 1) % 3], triangle[(i + 2) % 3]);
    }
    if (steps.empty()) return {};
    std::sort(steps.begin(), steps.end());
    std::vector<std::uint32_t> ring;
    for (std::uint32_t at = steps[0].first; ring.size() < steps.size();) {
      ring.push_back(at);
      const auto next = std::lower_bound(steps.begin(), steps.end(), std::pair{at, std::uint32_t{0}});
      if (next == steps.end() || next->first != at) return {};
      at = next->second;
      if (at == ring[0]) break;
    }
    return ring.size() == steps.size() ? ring : std::vector<std::uint32_t>{};
  }

  Cap cap_of(std::uint32_t vertex) const {
    Cap cap;
    const std::vector<std::uint32_t> ring = ring_of(vertex);
    if (ring.size() < 3) {
      cap.loss = std::numeric_limits<double>::infinity();
      return cap;
    }
    const auto at = [&](std::size_t i) { return vertices_[ring[i]] - vertices_[vertex]; };
    const auto close = [&](std::size_t first, std::size_t middle, std::size_t last) {
      cap.triangles.push_back({ring[first], ring[middle], ring[last]});
      cap.loss += std::abs(glm::dot(at(first), glm::cross(at(middle), at(last)))) / 6.0;
    };
    steps_ += ring.size();
    if (ring.size() > kLarge) {
      for_each_half(0, ring.size() - 1, close);
      return cap;
    }
    std::vector<std::pair<std::size_t, std::size_t>> open = {{0, ring.size() - 1}};
    while (!open.empty()) {
      const auto [first, last] = open.back();
      open.pop_back();
      if (last - first < 2) continue;
      // Gift wrapping: turn about the edge until no neighbour is outside.
      std::size_t middle = first + 1;
      for (std::size_t i = first + 2; i < last; ++i) {
        const DVec3 normal = glm::cross(at(middle) - at(first), at(last) - at(first));
        if (glm::dot(normal, at(i) - at(first)) > 0.0) middle = i;
      }
      close(first, middle, last);
      open.emplace_back(first, middle);
      open.emplace_back(middle, last);
    }
    return cap;
  }

  std::vector<DVec3> vertices_;
  std::vector<Triangle> triangles_;
  /// More corners of a face and more neighbours than a hull of the games has vertices.
  static constexpr std::size_t kLarge = 64;

  std::vector<bool> is_gone_;                       ///< by triangle
  std::vector<std::vector<std::uint32_t>> around_;  ///< triangles at each vertex, and some that are gone
  std::vector<std::size_t> gone_around_;            ///< how many of them are
  mutable std::uint64_t steps_ = 0;
};

}  // namespace

std::vector<DVec3> simplified_vertices(const Polyhedron& hull, std::size_t max_vertices, std::uint64_t* steps) {
  if (hull.vertices.size() <= max_vertices) return hull.vertices;
  Simplifier simplifier(hull);
  std::vector<DVec3> kept = simplifier.run(max_vertices);
  if (steps) *steps = simplifier.steps();
  return kept;
}

std::vector<DVec3> fewer_corners(std::vector<DVec3> points, double reach) {
  constexpr std::size_t kFineHull = 1000;
  constexpr double kTolerance = 1e-9;  // of points that are about 1 apart
  if (points.size() <= kFineHull) return points;
  DVec3 center(0.0);
  for (const DVec3& point : points) center += point;
  center /= static_cast<double>(points.size());
  std::vector<DVec3> scaled;
  scaled.reserve(points.size());
  for (const DVec3& point : points) scaled.push_back((point - center) / reach);
  const QuickHull quick = quick_hull(scaled, kTolerance);
  if (quick.is_flat()) return points;
  Polyhedron hull;
  std::vector<std::uint32_t> number(points.size());
  for (const std::uint32_t corner : quick.corners) {
    number[corner] = static_cast<std::uint32_t>(hull.vertices.size());
    hull.vertices.push_back(points[corner]);
  }
  for (const auto& [a, b, c] : quick.triangles) hull.faces.push_back({number[a], number[b], number[c]});
  return simplified_vertices(hull, kFineHull);
}

}  // namespace marrow::geometry
