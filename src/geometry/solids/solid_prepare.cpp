// SPDX-License-Identifier: MIT
#include "geometry/solids/solid_prepare.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <unordered_map>

namespace marrow::geometry {

namespace {

using Triangle = std::array<std::uint32_t, 3>;
using Edge = Solid::Edge;

/// Corners nearer to each other than this part of the size are joined if the mesh is open otherwise.
constexpr double kWeldDistance = 1e-5;
/// A part is closed if its holes are at most this share of its surface: the missing bottom of a crate, not the mouth of
/// a bowl.
constexpr double kLargestHoles = 0.25;
/// Parts are taken apart up to this number; more of them are cut as one.
constexpr std::size_t kMostParts = 64;

/// An edge of a triangle, by the lower corner first.
struct Side {
  std::uint32_t low = 0;
  std::uint32_t high = 0;
  std::uint32_t triangle = 0;
  bool is_forward = false;  ///< the triangle runs from `low` to `high`

  bool is_same(const Side& other) const { return low == other.low && high == other.high; }
};

std::vector<Side> sides_of(const std::vector<Triangle>& triangles) {
  std::vector<Side> sides;
  sides.reserve(triangles.size() * 3);
  for (std::uint32_t t = 0; t < triangles.size(); ++t)
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t a = triangles[t][k];
      const std::uint32_t b = triangles[t][k == 2 ? 0 : k + 1];
      sides.push_back({std::min(a, b), std::max(a, b), t, a < b});
    }
  std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
    return std::tie(a.low, a.high, a.triangle) < std::tie(b.low, b.high, b.triangle);
  });
  return sides;
}

/// Calls `visit` with the sides that are at the same place.
template <class Visit>
void for_each_edge(std::span<const Side> sides, Visit&& visit) {
  for (std::size_t i = 0; i < sides.size();) {
    std::size_t end = i + 1;
    while (end < sides.size() && sides[end].is_same(sides[i])) ++end;
    visit(sides.subspan(i, end - i));
    i = end;
  }
}

/// The edges that the surface lacks to be closed, each as often as it takes.
std::vector<Edge> missing_edges(const std::vector<Triangle>& triangles) {
  std::vector<Edge> missing;
  for_each_edge(sides_of(triangles), [&](std::span<const Side> sides) {
    int sum = 0;
    for (const Side& side : sides) sum += side.is_forward ? 1 : -1;
    for (int i = 0; i < std::abs(sum); ++i)
      missing.push_back(sum > 0 ? Edge{sides[0].high, sides[0].low} : Edge{sides[0].low, sides[0].high});
  });
  return missing;
}

/// Joins points at one place: each becomes the first one within `distance`.
std::vector<std::uint32_t> weld(std::span<const DVec3> points, double distance) {
  const double cell = std::max(2.0 * distance, 1e-12);
  const auto key = [](std::int64_t x, std::int64_t y, std::int64_t z) {
    return static_cast<std::uint64_t>(x) * 0x9E3779B97F4A7C15u + static_cast<std::uint64_t>(y) * 0xC2B2AE3D27D4EB4Fu +
           static_cast<std::uint64_t>(z) * 0x165667B19E3779F9u;
  };
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> cells;
  std::vector<std::uint32_t> number(points.size());
  for (std::uint32_t i = 0; i < points.size(); ++i) {
    const auto at = [&](int axis, double offset) {
      return static_cast<std::int64_t>(std::floor((points[i][axis] + offset) / cell));
    };
    std::uint32_t found = i;
    // A cell is twice the distance: what is near lies in it or in the next one, towards the nearer side.
    for (int corner = 0; corner < (distance > 0.0 ? 8 : 1); ++corner) {
      const auto offset = [&](int bit) { return (corner >> bit & 1) != 0 ? distance : -distance; };
      const auto cell_at = cells.find(key(at(0, offset(0)), at(1, offset(1)), at(2, offset(2))));
      if (cell_at == cells.end()) continue;
      for (std::uint32_t other : cell_at->second)
        if (other < found && glm::distance(points[other], points[i]) <= distance) found = other;
    }
    number[i] = found;
    if (found == i) cells[key(at(0, 0.0), at(1, 0.0), at(2, 0.0))].push_back(i);
  }
  return number;
}

/// Triangles over welded points: those that collapse are gone, and of equal ones all but the first.
std::vector<Triangle> distinct_triangles(std::span<const Triangle> triangles, std::span<const std::uint32_t> number) {
  std::vector<Triangle> kept;
  for (Triangle triangle : triangles) {
    for (std::uint32_t& corner : triangle) corner = number[corner];
    if (triangle[0] == triangle[1] || triangle[1] == triangle[2] || triangle[2] == triangle[0]) continue;
    std::rotate(triangle.begin(), std::min_element(triangle.begin(), triangle.end()), triangle.end());
    kept.push_back(triangle);
  }
  std::vector<std::uint32_t> order(kept.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return std::tie(kept[a], a) < std::tie(kept[b], b); });
  std::vector<bool> is_repeat(kept.size(), false);
  for (std::size_t i = 1; i < order.size(); ++i) is_repeat[order[i]] = kept[order[i]] == kept[order[i - 1]];
  std::vector<Triangle> result;
  for (std::size_t i = 0; i < kept.size(); ++i)
    if (!is_repeat[i]) result.push_back(kept[i]);
  return result;
}

/// Drops the second side of faces that are there twice, looking both ways, if most of what they touch is such: a
/// surface that is to be seen from both sides is one surface. A face between two solids that touch is there twice too,
/// and stays. Returns how many were dropped.
std::size_t drop_second_sides(std::vector<Triangle>& triangles, std::size_t point_count) {
  const auto corners_of = [](Triangle triangle) {
    std::sort(triangle.begin(), triangle.end());
    return triangle;
  };
  std::vector<std::uint32_t> order(triangles.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::pair(corners_of(triangles[a]), a) < std::pair(corners_of(triangles[b]), b);
  });
  // Equal triangles are gone, so that two with the same corners look opposite ways.
  std::vector<bool> is_second(triangles.size(), false);
  bool has_second = false;
  for (std::size_t i = 1; i < order.size(); ++i)
    if (corners_of(triangles[order[i]]) == corners_of(triangles[order[i - 1]])) is_second[order[i]] = has_second = true;
  if (!has_second) return 0;
  DisjointSets sets(point_count);
  for (const Triangle& triangle : triangles) {
    sets.join(triangle[0], triangle[1]);
    sets.join(triangle[0], triangle[2]);
  }
  std::vector<std::size_t> all(point_count, 0), doubled(point_count, 0);
  for (std::size_t i = 0; i < triangles.size(); ++i) {
    const std::uint32_t part = sets.find(triangles[i][0]);
    ++all[part];
    if (is_second[i]) doubled[part] += 2;
  }
  std::vector<Triangle> kept;
  for (std::size_t i = 0; i < triangles.size(); ++i) {
    const std::uint32_t part = sets.find(triangles[i][0]);
    if (!is_second[i] || 2 * doubled[part] <= all[part]) kept.push_back(triangles[i]);
  }
  const std::size_t dropped = triangles.size() - kept.size();
  triangles = std::move(kept);
  return dropped;
}

/// Turns triangles until neighbours look the same way, as far as they can. Returns how many were turned.
std::size_t orient(std::vector<Triangle>& triangles) {
  struct Neighbour {
    std::uint32_t triangle;
    bool is_opposed;
  };
  std::vector<std::vector<Neighbour>> neighbours(triangles.size());
  for_each_edge(sides_of(triangles), [&](std::span<const Side> sides) {
    if (sides.size() != 2) return;
    const bool is_opposed = sides[0].is_forward == sides[1].is_forward;
    neighbours[sides[0].triangle].push_back({sides[1].triangle, is_opposed});
    neighbours[sides[1].triangle].push_back({sides[0].triangle, is_opposed});
  });
  enum class State : std::uint8_t { New, Kept, Turned };
  std::vector<State> states(triangles.size(), State::New);
  std::size_t total = 0;
  for (std::uint32_t start = 0; start < triangles.size(); ++start) {
    if (states[start] != State::New) continue;
    std::vector<std::uint32_t> patch = {start};
    states[start] = State::Kept;
    std::size_t turned = 0;
    for (std::size_t i = 0; i < patch.size(); ++i)
      for (const Neighbour& next : neighbours[patch[i]]) {
        if (states[next.triangle] != State::New) continue;
        const bool is_turned = (states[patch[i]] == State::Turned) != next.is_opposed;
        states[next.triangle] = is_turned ? State::Turned : State::Kept;
        turned += is_turned ? 1 : 0;
        patch.push_back(next.triangle);
      }
    const bool most_are_turned = 2 * turned > patch.size();
    for (std::uint32_t t : patch)
      if ((states[t] == State::Turned) != most_are_turned) std::swap(triangles[t][1], triangles[t][2]), ++total;
  }
  return total;
}

class Preparer {
 public:
  explicit Preparer(const TriangleMesh& mesh) : mesh_(mesh) {}

  PreparedMesh run() {
    bring_to_unit_size();
    join_corners();
    const std::vector<Edge> missing = missing_edges(triangles_);
    sort_into_parts(missing);
    for (const Solid& part : result_.parts) add_surface(part);
    return std::move(result_);
  }

 private:
  void note(std::string message) { result_.notes.push_back({std::move(message), kNoOffset, {}}); }

  void bring_to_unit_size() {
    std::vector<bool> is_used(mesh_.vertices.size(), false);
    for (const Triangle& triangle : mesh_.triangles)
      for (std::uint32_t corner : triangle) is_used[corner] = true;
    DVec3 low(std::numeric_limits<double>::max());
    DVec3 high(std::numeric_limits<double>::lowest());
    for (std::size_t i = 0; i < is_used.size(); ++i) {
      if (!is_used[i]) continue;
      low = glm::min(low, DVec3(mesh_.vertices[i]));
      high = glm::max(high, DVec3(mesh_.vertices[i]));
    }
    const DVec3 extent = high - low;
    int exponent = 0;
    std::frexp(std::max({extent.x, extent.y, extent.z}), &exponent);
    result_.scale = std::ldexp(1.0, -exponent);
    result_.center = (low + high) * 0.5;
    for (std::size_t i = 0; i < is_used.size(); ++i)  // what no triangle has may be anything, even not a number
      points_.push_back(is_used[i] ? (DVec3(mesh_.vertices[i]) - result_.center) * result_.scale : DVec3(0.0));
  }

  void join_corners() {
    triangles_ = distinct_triangles(mesh_.triangles, weld(points_, 0.0));
    if (const std::size_t dropped = drop_second_sides(triangles_, points_.size()); dropped > 0)
      note("faces that were there for both sides count once: " + std::to_string(dropped));
    std::size_t open = missing_edges(triangles_).size();
    if (open == 0) return;
    std::vector<Triangle> oriented = triangles_;
    std::size_t turned = orient(oriented);
    if (const std::size_t now = missing_edges(oriented).size(); turned > 0 && now < open) {
      triangles_ = std::move(oriented);
      open = now;
      note("triangles were turned to look the same way as their neighbours: " + std::to_string(turned));
    }
    if (open == 0) return;
    std::vector<Triangle> welded = distinct_triangles(triangles_, weld(points_, kWeldDistance));
    if (missing_edges(welded).size() < open) {
      triangles_ = std::move(welded);
      note("corners that nearly touch were joined");
    }
  }

  void add_face(Solid& solid, std::span<const Edge> outline) {
    const DVec3 normal = area_vector(points_, outline);
    const double length = glm::length(normal);
    solid.faces.push_back({length > 0.0 ? normal / length : DVec3(0.0), static_cast<std::uint32_t>(solid.edges.size()),
                           static_cast<std::uint32_t>(outline.size())});
    solid.edges.insert(solid.edges.end(), outline.begin(), outline.end());
  }

  /// Sorts faces into solids and surfaces by whether what they touch can be closed.
  void sort_into_parts(std::span<const Edge> missing) {
    DisjointSets sets(points_.size());
    for (const Triangle& triangle : triangles_) {
      sets.join(triangle[0], triangle[1]);
      sets.join(triangle[0], triangle[2]);
    }
    std::vector<double> areas(points_.size(), 0.0);
    std::vector<double> holes(points_.size(), 0.0);
    for (const auto& [a, b, c] : triangles_)
      areas[sets.find(a)] += glm::length(glm::cross(points_[b] - points_[a], points_[c] - points_[a]));
    const std::vector<std::vector<Edge>> loops = loops_of(missing);
    for (const std::vector<Edge>& loop : loops)
      holes[sets.find(loop[0].from)] += glm::length(area_vector(points_, loop));
    const auto can_close = [&](std::uint32_t point) {
      const std::uint32_t part = sets.find(point);
      return holes[part] <= kLargestHoles * (areas[part] + holes[part]);
    };
    Solid closed;
    Solid open;
    open.is_closed = false;
    closed.points = open.points = points_;
    for (const auto& [a, b, c] : triangles_)
      add_face(can_close(a) ? closed : open, std::array{Edge{a, b}, Edge{b, c}, Edge{c, a}});
    std::size_t filled = 0;
    for (const std::vector<Edge>& loop : loops)
      if (can_close(loop[0].from)) {
        add_face(closed, loop);
        ++filled;
      }
    if (filled > 0) note("holes of the mesh were closed: " + std::to_string(filled));
    if (!open.empty())
      note(closed.empty() ? "the mesh is not closed; its surface is wrapped, not a solid"
                          : "parts of the mesh are not closed; their surface is wrapped, not a solid");
    result_.is_closed = open.empty();
    take_apart(closed);
    take_apart(open);
  }

  void take_apart(const Solid& solid) {
    if (solid.empty()) return;
    std::size_t turned = 0;
    std::vector<Solid> parts = components_of(solid, &turned);
    if (turned > 0) note("parts whose faces looked inwards were turned: " + std::to_string(turned));
    if (parts.size() > kMostParts) {
      Solid all;
      all.is_closed = solid.is_closed;
      for (const Solid& part : parts) append(all, part);
      parts = {std::move(all)};
    }
    for (Solid& part : parts) result_.parts.push_back(std::move(part));
  }

  void add_surface(const Solid& solid) {
    for (const Solid::Face& face : solid.faces) {
      const std::span<const Edge> outline = solid.edges_of(face);
      const std::uint32_t first = outline[0].from;
      for (const Edge& edge : outline)
        if (edge.from != first && edge.to != first)
          result_.surface.push_back({solid.points[first], solid.points[edge.from], solid.points[edge.to]});
    }
  }

  /// The missing edges in sets that touch each other.
  static std::vector<std::vector<Edge>> loops_of(std::span<const Edge> missing) {
    std::vector<std::uint32_t> numbers;
    for (const Edge& edge : missing) numbers.insert(numbers.end(), {edge.from, edge.to});
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    const auto number = [&](std::uint32_t point) {
      return static_cast<std::uint32_t>(std::lower_bound(numbers.begin(), numbers.end(), point) - numbers.begin());
    };
    DisjointSets sets(numbers.size());
    for (const Edge& edge : missing) sets.join(number(edge.from), number(edge.to));
    std::vector<std::vector<Edge>> by_set(numbers.size());
    for (const Edge& edge : missing) by_set[sets.find(number(edge.from))].push_back(edge);
    std::erase_if(by_set, [](const std::vector<Edge>& loop) { return loop.empty(); });
    return by_set;
  }

  const TriangleMesh& mesh_;
  std::vector<DVec3> points_;
  std::vector<Triangle> triangles_;
  PreparedMesh result_;
};

}  // namespace

PreparedMesh prepare(const TriangleMesh& mesh) { return Preparer(mesh).run(); }

}  // namespace marrow::geometry
