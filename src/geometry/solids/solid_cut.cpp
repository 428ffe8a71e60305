// SPDX-License-Identifier: MIT
// Cuts solids with planes. A face is clipped by keeping what is strictly on one side and closing it along the line
// where it meets the plane; a sum of steps along a line is fixed by where it begins and ends, so there is no case to
// decide. The faces in the plane that close a half are the edges that the half has left over.
#include <algorithm>
#include <cmath>
#include <limits>

#include "geometry/solids/solid.h"

namespace marrow::geometry {

namespace {

constexpr std::uint32_t kNowhere = std::numeric_limits<std::uint32_t>::max();

using Edge = Solid::Edge;

/// Parts of an outline that hang together, each with the holes that lie in it.
class Regions {
 public:
  /// Splits `outline` and calls `visit` with each region's edges.
  template <class Visit>
  void split(std::span<const DVec3> points, std::vector<Edge>& outline, const DVec3& normal, Visit&& visit) {
    find_contours(points.size(), outline);
    if (contours_.size() < 2) return visit(std::span<const Edge>(outline));
    for (Contour& contour : contours_) contour.area = glm::dot(area_vector(points, edges_of(contour, outline)), normal);
    // Large outlines first: a hole goes to the last, smallest one around it.
    std::vector<std::size_t> outer;
    std::vector<std::size_t> holes;
    for (std::size_t i = 0; i < contours_.size(); ++i) (contours_[i].area >= 0.0 ? outer : holes).push_back(i);
    std::stable_sort(outer.begin(), outer.end(),
                     [&](std::size_t a, std::size_t b) { return contours_[a].area > contours_[b].area; });
    std::vector<std::vector<Edge>> regions(outer.size());
    for (std::size_t i = 0; i < outer.size(); ++i) {
      const auto edges = edges_of(contours_[outer[i]], outline);
      regions[i].assign(edges.begin(), edges.end());
    }
    for (std::size_t hole : holes) {
      const auto edges = edges_of(contours_[hole], outline);
      std::size_t home = outer.size();
      for (std::size_t i = outer.size(); i-- > 0 && home == outer.size();)
        if (surrounds(points, edges_of(contours_[outer[i]], outline), points[edges[0].from], normal)) home = i;
      if (home == outer.size()) regions.emplace_back(), home = regions.size() - 1;
      regions[home].insert(regions[home].end(), edges.begin(), edges.end());
    }
    for (const std::vector<Edge>& region : regions) visit(std::span<const Edge>(region));
  }

 private:
  struct Contour {
    std::size_t first = 0;
    std::size_t count = 0;
    double area = 0.0;
  };

  static std::span<const Edge> edges_of(const Contour& contour, const std::vector<Edge>& outline) {
    return std::span(outline).subspan(contour.first, contour.count);
  }

  /// Sorts the edges so that those which share points, directly or through others, follow each other.
  void find_contours(std::size_t point_count, std::vector<Edge>& outline) {
    contours_.clear();
    if (number_.size() < point_count) number_.resize(point_count, kNowhere);
    std::uint32_t count = 0;
    const auto number = [&](std::uint32_t point) {
      if (number_[point] == kNowhere) number_[point] = count++;
      return number_[point];
    };
    DisjointSets sets(2 * outline.size());
    for (const Edge& edge : outline) {
      const std::uint32_t from = number(edge.from);
      sets.join(from, number(edge.to));
    }
    std::uint32_t joined = 0;
    for (std::uint32_t i = 0; i < count; ++i) joined += sets.find(i) == 0 ? 1u : 0u;
    if (joined == count) {
      contours_.push_back({0, outline.size(), 0.0});
    } else {
      std::stable_sort(outline.begin(), outline.end(), [&](const Edge& a, const Edge& b) {
        return sets.find(number_[a.from]) < sets.find(number_[b.from]);
      });
      std::uint32_t last = kNowhere;
      for (std::size_t i = 0; i < outline.size(); ++i) {
        const std::uint32_t set = sets.find(number_[outline[i].from]);
        if (set != last) contours_.push_back({i, 0, 0.0});
        ++contours_.back().count;
        last = set;
      }
    }
    for (const Edge& edge : outline) number_[edge.from] = number_[edge.to] = kNowhere;
  }

  /// True if the outline winds around a point of its plane: a ray towards +u crosses it more often one way.
  static bool surrounds(std::span<const DVec3> points, std::span<const Edge> outline, const DVec3& place,
                        const DVec3& normal) {
    const DVec3 helper = std::abs(normal.x) < 0.6 ? DVec3(1, 0, 0) : DVec3(0, 1, 0);
    const DVec3 u = glm::normalize(glm::cross(normal, helper));
    const DVec3 v = glm::cross(normal, u);
    int winding = 0;
    for (const Edge& edge : outline) {
      const DVec3 a = points[edge.from] - place;
      const DVec3 b = points[edge.to] - place;
      const double av = glm::dot(a, v);
      const double bv = glm::dot(b, v);
      if ((av <= 0.0) == (bv <= 0.0)) continue;
      const double at = glm::dot(a, u) + (glm::dot(b, u) - glm::dot(a, u)) * (av / (av - bv));
      if (at > 0.0) winding += av <= 0.0 ? 1 : -1;
    }
    return winding != 0;
  }

  std::vector<Contour> contours_;
  std::vector<std::uint32_t> number_;  ///< of the points of an outline; `kNowhere` between calls
};

class Cutter {
 public:
  Cutter(const Solid& solid, const HalfSpace& plane, double tolerance) : solid_(solid), plane_(plane) {
    sides_.reserve(solid.points.size());
    for (const DVec3& point : solid.points) {
      const double distance = plane.distance(point);
      sides_.push_back(distance > tolerance ? 1 : distance < -tolerance ? -1 : 0);
    }
    find_crossings();
  }

  /// The half on one side: -1 is below, 1 above.
  Solid half(int side) {
    Solid half;
    half.is_closed = solid_.is_closed;
    number_.assign(sides_.size() + crossings_.size(), kNowhere);
    leftover_.clear();
    for (const Solid::Face& face : solid_.faces) add_face(face, side, half);
    if (half.is_closed && !half.faces.empty()) close(side, half);
    return half;
  }

 private:
  /// An edge that passes through the plane.
  struct Crossing {
    std::uint32_t low = 0;
    std::uint32_t high = 0;

    auto operator<=>(const Crossing&) const = default;
  };

  void find_crossings() {
    for (const Edge& edge : solid_.edges)
      if (sides_[edge.from] * sides_[edge.to] < 0)
        crossings_.push_back({std::min(edge.from, edge.to), std::max(edge.from, edge.to)});
    std::sort(crossings_.begin(), crossings_.end());
    crossings_.erase(std::unique(crossings_.begin(), crossings_.end()), crossings_.end());
    places_ = solid_.points;
    for (const Crossing& crossing : crossings_) {
      const DVec3& a = solid_.points[crossing.low];
      const DVec3& b = solid_.points[crossing.high];
      const double from = plane_.distance(a);
      places_.push_back(a + (b - a) * (from / (from - plane_.distance(b))));
    }
  }

  /// Points of the solid keep their numbers, crossings follow.
  std::uint32_t crossing_of(const Edge& edge) const {
    const Crossing key{std::min(edge.from, edge.to), std::max(edge.from, edge.to)};
    const auto found = std::lower_bound(crossings_.begin(), crossings_.end(), key);
    return static_cast<std::uint32_t>(sides_.size() + static_cast<std::size_t>(found - crossings_.begin()));
  }
  bool is_on_plane(std::uint32_t point) const { return point >= sides_.size() || sides_[point] == 0; }

  void add_face(const Solid::Face& face, int side, Solid& half) {
    const std::span<const Edge> outline = solid_.edges_of(face);
    bool has_this = false;
    bool has_other = false;
    for (const Edge& edge : outline) {
      has_this |= sides_[edge.from] == side;
      has_other |= sides_[edge.from] == -side;
    }
    // A face in the plane bounds the side that it looks away from.
    if (!has_this && (has_other || side_of_flat(face) != side)) return;
    if (has_this && has_other) return clip(face, side, half);
    store(outline, face.normal, half);
  }

  int side_of_flat(const Solid::Face& face) const { return glm::dot(face.normal, plane_.normal) > 0.0 ? -1 : 1; }

  void store(std::span<const Edge> outline, const DVec3& normal, Solid& half) {
    half.faces.push_back(
        {normal, static_cast<std::uint32_t>(half.edges.size()), static_cast<std::uint32_t>(outline.size())});
    for (const Edge& edge : outline) {
      half.edges.push_back({number_in(edge.from, half), number_in(edge.to, half)});
      if (is_on_plane(edge.from) && is_on_plane(edge.to)) leftover_.push_back(edge);
    }
  }

  std::uint32_t number_in(std::uint32_t point, Solid& half) {
    if (number_[point] == kNowhere) {
      number_[point] = static_cast<std::uint32_t>(half.points.size());
      half.points.push_back(places_[point]);
    }
    return number_[point];
  }

  void clip(const Solid::Face& face, int side, Solid& half) {
    outline_.clear();
    ends_.clear();
    for (const Edge& edge : solid_.edges_of(face)) {
      const int from = sides_[edge.from] * side;
      const int to = sides_[edge.to] * side;
      if (from <= 0 && to <= 0) continue;
      Edge kept = edge;
      if (from < 0) kept.from = crossing_of(edge);
      if (to < 0) kept.to = crossing_of(edge);
      outline_.push_back(kept);
      if (from <= 0) ends_.push_back({kept.from, -1, 0.0});
      if (to <= 0) ends_.push_back({kept.to, 1, 0.0});
    }
    close_along_line(glm::cross(face.normal, plane_.normal));
    // A line that passes through a region once leaves one region on each side.
    if (ends_.size() == 2) return store(outline_, face.normal, half);
    store_regions(face.normal, half);
  }

  /// Steps between the places where the outline meets the plane: as many as it takes to close it.
  void close_along_line(const DVec3& line) {
    if (ends_.size() == 2 && ends_[0].weight + ends_[1].weight == 0) {  // nearly always
      if (ends_[0].point == ends_[1].point) return;
      const std::size_t begin = ends_[0].weight > 0 ? 0 : 1;
      outline_.push_back({ends_[begin].point, ends_[1 - begin].point});
      return;
    }
    for (End& end : ends_) end.along = glm::dot(places_[end.point], line);
    std::sort(ends_.begin(), ends_.end(),
              [](const End& a, const End& b) { return a.along != b.along ? a.along < b.along : a.point < b.point; });
    int sum = 0;
    for (std::size_t i = 0; i + 1 < ends_.size(); ++i) {
      sum += ends_[i].weight;
      const std::uint32_t a = ends_[i].point;
      const std::uint32_t b = ends_[i + 1].point;
      if (a == b) continue;
      for (int k = 0; k < std::abs(sum); ++k) outline_.push_back(sum > 0 ? Edge{a, b} : Edge{b, a});
    }
  }

  /// Adds the faces in the plane: what is left over, the other way round.
  void close(int side, Solid& half) {
    const auto key = [](const Edge& edge) {
      return std::pair(std::min(edge.from, edge.to), std::max(edge.from, edge.to));
    };
    std::sort(leftover_.begin(), leftover_.end(),
              [&](const Edge& a, const Edge& b) { return key(a) != key(b) ? key(a) < key(b) : a.from < b.from; });
    outline_.clear();
    for (std::size_t i = 0; i < leftover_.size();) {
      const auto [low, high] = key(leftover_[i]);
      int sum = 0;
      for (; i < leftover_.size() && key(leftover_[i]) == std::pair(low, high); ++i)
        sum += leftover_[i].from == low ? 1 : -1;
      for (int k = 0; k < std::abs(sum); ++k) outline_.push_back(sum > 0 ? Edge{high, low} : Edge{low, high});
    }
    if (outline_.empty()) return;
    store_regions(plane_.normal * static_cast<double>(-side), half);
  }

  /// Stores the regions of `outline_` as faces. What has four edges or fewer is one.
  void store_regions(const DVec3& normal, Solid& half) {
    if (outline_.size() <= 4) return store(outline_, normal, half);
    regions_.split(places_, outline_, normal, [&](std::span<const Edge> region) { store(region, normal, half); });
  }

  struct End {
    std::uint32_t point = 0;
    int weight = 0;  ///< 1 where the outline ends, -1 where it begins
    double along = 0.0;
  };

  const Solid& solid_;
  HalfSpace plane_;
  std::vector<int> sides_;
  std::vector<Crossing> crossings_;
  std::vector<DVec3> places_;  ///< points of the solid, then crossings
  std::vector<std::uint32_t> number_;
  std::vector<Edge> leftover_;  ///< edges in the plane of the faces of a half
  std::vector<Edge> outline_;
  std::vector<End> ends_;
  Regions regions_;
};

}  // namespace

void cut(const Solid& solid, const HalfSpace& plane, double tolerance, Solid& below, Solid& above) {
  Cutter cutter(solid, plane, tolerance);
  below = cutter.half(-1);
  above = cutter.half(1);
}

}  // namespace marrow::geometry
