// SPDX-License-Identifier: MIT
// Fewer vertices for a convex hull. Taking a vertex away uncovers the solid between it and the hull of its neighbours:
// every vertex of a hull is extreme, so the new faces touch only neighbours. That volume is known without hulling
// again.
#include <algorithm>
#include <cmath>
#include <queue>

#include "geometry/polyhedron.h"

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
  explicit Simplifier(const Polyhedron& hull) : vertices_(hull.vertices), around_(hull.vertices.size()) {
    for (const auto& face : hull.faces)
      for (std::size_t i = 2; i < face.size(); ++i) add({face[0], face[i - 1], face[i]});
  }

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
    const auto push = [&](std::uint32_t vertex) { queue.push({cap_of(vertex).loss, vertex, version[vertex]}); };
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
  }

  void remove_around(std::uint32_t vertex) {
    for (std::uint32_t gone : around_[vertex])
      for (std::uint32_t corner : triangles_[gone])
        if (corner != vertex) std::erase(around_[corner], gone);
    around_[vertex].clear();
  }

  /// The neighbours of a vertex in order, counter-clockwise seen from outside; empty where they form no ring.
  std::vector<std::uint32_t> ring_of(std::uint32_t vertex) const {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> steps;
    for (std::uint32_t t : around_[vertex]) {
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
    std::vector<std::pair<std::size_t, std::size_t>> open = {{0, ring.size() - 1}};
    const auto at = [&](std::size_t i) { return vertices_[ring[i]] - vertices_[vertex]; };
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
      cap.triangles.push_back({ring[first], ring[middle], ring[last]});
      cap.loss += std::abs(glm::dot(at(first), glm::cross(at(middle), at(last)))) / 6.0;
      open.emplace_back(first, middle);
      open.emplace_back(middle, last);
    }
    return cap;
  }

  std::vector<DVec3> vertices_;
  std::vector<Triangle> triangles_;
  std::vector<std::vector<std::uint32_t>> around_;  ///< triangles at each vertex
};

}  // namespace

std::vector<DVec3> simplified_vertices(const Polyhedron& hull, std::size_t max_vertices) {
  if (hull.vertices.size() <= max_vertices) return hull.vertices;
  return Simplifier(hull).run(max_vertices);
}

}  // namespace marrow::geometry
