// SPDX-License-Identifier: MIT
#include "geometry/solids/solid.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <tuple>

namespace marrow::geometry {

namespace {

constexpr std::uint32_t kUnused = std::numeric_limits<std::uint32_t>::max();

struct Bounds {
  DVec3 low{std::numeric_limits<double>::max()};
  DVec3 high{std::numeric_limits<double>::lowest()};

  bool holds(const Bounds& other) const {
    return glm::all(glm::lessThanEqual(low, other.low)) && glm::all(glm::greaterThanEqual(high, other.high));
  }
  double size() const { return glm::length(high - low); }
};

Bounds bounds_of(const Solid& solid) {
  Bounds bounds;
  for (const DVec3& point : solid.points) {
    bounds.low = glm::min(bounds.low, point);
    bounds.high = glm::max(bounds.high, point);
  }
  return bounds;
}

/// Copies faces with the points that they use.
class FaceCopier {
 public:
  explicit FaceCopier(const Solid& source) : source_(source), number_(source.points.size(), kUnused) {}

  void copy(const Solid::Face& face, Solid& to) {
    Solid::Face copied = face;
    copied.first_edge = static_cast<std::uint32_t>(to.edges.size());
    for (const Solid::Edge& edge : source_.edges_of(face))
      to.edges.push_back({point(edge.from, to), point(edge.to, to)});
    to.faces.push_back(copied);
  }

 private:
  std::uint32_t point(std::uint32_t i, Solid& to) {
    if (number_[i] == kUnused) {
      number_[i] = static_cast<std::uint32_t>(to.points.size());
      to.points.push_back(source_.points[i]);
    }
    return number_[i];
  }

  const Solid& source_;
  std::vector<std::uint32_t> number_;  ///< points belong to one component each, so one table serves all
};

/// True if a closed solid winds around a point: the solid angles that its faces fill, seen from there, add up to a
/// sphere (A. van Oosterom, J. Strackee, "The Solid Angle of a Plane Triangle", 1983).
bool surrounds(const Solid& solid, const DVec3& place) {
  double sum = 0.0;
  for (const Solid::Face& face : solid.faces) {
    const std::span<const Solid::Edge> outline = solid.edges_of(face);
    const DVec3 a = solid.points[outline[0].from] - place;
    for (const Solid::Edge& edge : outline) {
      const DVec3 b = solid.points[edge.from] - place;
      const DVec3 c = solid.points[edge.to] - place;
      const double la = glm::length(a);
      const double lb = glm::length(b);
      const double lc = glm::length(c);
      sum += 2.0 * std::atan2(glm::dot(a, glm::cross(b, c)),
                              la * lb * lc + glm::dot(a, b) * lc + glm::dot(b, c) * la + glm::dot(c, a) * lb);
    }
  }
  return std::abs(sum) > 2.0 * std::numbers::pi;
}

void turn_inside_out(Solid& solid) {
  for (Solid::Edge& edge : solid.edges) std::swap(edge.from, edge.to);
  for (Solid::Face& face : solid.faces) face.normal = -face.normal;
}

/// Puts each cavity into the smallest part around it. A cavity of no part is a part that looks the wrong way.
std::size_t place_cavities(std::vector<Solid>& parts) {
  std::vector<Solid> kept;
  std::vector<Solid> cavities;
  for (Solid& part : parts) (part.is_closed && volume_of(part) < 0.0 ? cavities : kept).push_back(std::move(part));
  std::vector<Bounds> bounds;
  for (const Solid& part : kept) bounds.push_back(bounds_of(part));
  const std::size_t count = kept.size();
  std::size_t turned = 0;
  for (Solid& cavity : cavities) {
    const Bounds inner = bounds_of(cavity);
    std::size_t home = count;
    for (std::size_t i = 0; i < count; ++i)
      if (kept[i].is_closed && bounds[i].holds(inner) && (home == count || bounds[i].size() < bounds[home].size()) &&
          surrounds(kept[i], cavity.points[0]))
        home = i;
    if (home < count) {
      append(kept[home], cavity);
    } else {
      turn_inside_out(cavity);
      kept.push_back(std::move(cavity));
      ++turned;
    }
  }
  parts = std::move(kept);
  return turned;
}

}  // namespace

DVec3 area_vector(std::span<const DVec3> points, std::span<const Solid::Edge> outline) {
  DVec3 sum{0.0};
  if (outline.empty()) return sum;
  const DVec3& origin = points[outline[0].from];
  for (const Solid::Edge& edge : outline) sum += glm::cross(points[edge.from] - origin, points[edge.to] - origin);
  return sum;
}

double volume_of(const Solid& solid) {
  if (!solid.is_closed || solid.points.empty()) return 0.0;
  const DVec3& origin = solid.points[0];
  double sum = 0.0;
  for (const Solid::Face& face : solid.faces) {
    const std::span<const Solid::Edge> outline = solid.edges_of(face);
    if (!outline.empty()) sum += glm::dot(solid.points[outline[0].from] - origin, area_vector(solid.points, outline));
  }
  return sum / 6.0;
}

std::vector<SharedEdge> shared_edges(const Solid& solid) {
  struct Side {
    std::uint32_t low, high, face;
    bool is_forward;
  };
  std::vector<Side> sides;
  sides.reserve(solid.edges.size());
  for (std::uint32_t f = 0; f < solid.faces.size(); ++f)
    for (const Solid::Edge& edge : solid.edges_of(solid.faces[f]))
      sides.push_back({std::min(edge.from, edge.to), std::max(edge.from, edge.to), f, edge.from < edge.to});
  std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
    return std::tie(a.low, a.high, a.is_forward, a.face) < std::tie(b.low, b.high, b.is_forward, b.face);
  });
  std::vector<SharedEdge> edges;
  for (std::size_t i = 0; i + 1 < sides.size(); ++i) {
    const Side& back = sides[i];
    const Side& forth = sides[i + 1];
    if (back.low == forth.low && back.high == forth.high && !back.is_forward && forth.is_forward)
      edges.push_back({forth.low, forth.high, forth.face, back.face});
  }
  return edges;
}

void append(Solid& solid, const Solid& other) {
  const std::uint32_t first_point = static_cast<std::uint32_t>(solid.points.size());
  const std::uint32_t first_edge = static_cast<std::uint32_t>(solid.edges.size());
  solid.points.insert(solid.points.end(), other.points.begin(), other.points.end());
  for (const Solid::Edge& edge : other.edges) solid.edges.push_back({edge.from + first_point, edge.to + first_point});
  for (Solid::Face face : other.faces) {
    face.first_edge += first_edge;
    solid.faces.push_back(face);
  }
  solid.is_closed = solid.is_closed && other.is_closed;
}

std::vector<Solid> components_of(Solid solid, std::size_t* turned) {
  DisjointSets sets(solid.points.size());
  for (const Solid::Face& face : solid.faces) {
    const std::span<const Solid::Edge> outline = solid.edges_of(face);
    for (const Solid::Edge& edge : outline) {
      sets.join(outline[0].from, edge.from);
      sets.join(outline[0].from, edge.to);
    }
  }
  std::vector<std::uint32_t> number(solid.points.size(), kUnused);
  std::vector<Solid> parts;
  const std::uint32_t first = solid.edges.empty() ? 0 : sets.find(solid.edges[0].from);
  if (std::all_of(solid.faces.begin(), solid.faces.end(), [&](const Solid::Face& face) {
        return face.edge_count == 0 || sets.find(solid.edges[face.first_edge].from) == first;
      })) {
    parts.push_back(std::move(solid));
    const std::size_t count = place_cavities(parts);
    if (turned != nullptr) *turned = count;
    return parts;
  }
  FaceCopier copier(solid);
  for (const Solid::Face& face : solid.faces) {
    if (face.edge_count == 0) continue;
    std::uint32_t& part = number[sets.find(solid.edges[face.first_edge].from)];
    if (part == kUnused) {
      part = static_cast<std::uint32_t>(parts.size());
      parts.emplace_back().is_closed = solid.is_closed;
    }
    copier.copy(face, parts[part]);
  }
  const std::size_t count = place_cavities(parts);
  if (turned != nullptr) *turned = count;
  return parts;
}

}  // namespace marrow::geometry
