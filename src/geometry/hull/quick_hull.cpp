// SPDX-License-Identifier: MIT
// The convex hull by adding the farthest point again and again (C. B. Barber, D. P. Dobkin, H. Huhdanpaa, "The
// Quickhull Algorithm for Convex Hulls", 1996), without merging faces. `convex_hull` gives what is stored; this one is
// an estimate that is ten times as fast.
#include "geometry/hull/quick_hull.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace marrow::geometry {

namespace {

/// What rounding does to distances, of points that are about 1 apart.
constexpr double kRounding = 1e-13;
constexpr std::uint32_t kNobody = std::numeric_limits<std::uint32_t>::max();

class HullBuilder {
 public:
  HullBuilder(std::span<const DVec3> points, double tolerance) : points_(points), tolerance_(tolerance) {}

  bool run() {
    if (!start()) return false;
    // Every round adds a corner, so there are at most as many as points.
    for (std::uint32_t face = next_open(); face != kNobody; face = next_open()) {
      if (!add_corner(face)) return false;
      if (dead_ > kMostDead && dead_ > faces_.size() / 2) drop_dead();
    }
    return true;
  }

  double volume() const {
    const DVec3& origin = points_[faces_[0].corners[0]];
    double sum = 0.0;
    for (const Face& face : faces_) {
      if (!face.alive) continue;
      const auto& [a, b, c] = face.corners;
      sum += glm::dot(points_[a] - origin, glm::cross(points_[b] - origin, points_[c] - origin));
    }
    return sum / 6.0;
  }

  QuickHull result() const {
    QuickHull hull;
    for (const Face& face : faces_) {
      if (!face.alive) continue;
      hull.triangles.push_back(face.corners);
      hull.planes.push_back(face.plane);
      hull.corners.insert(hull.corners.end(), face.corners.begin(), face.corners.end());
    }
    std::sort(hull.corners.begin(), hull.corners.end());
    hull.corners.erase(std::unique(hull.corners.begin(), hull.corners.end()), hull.corners.end());
    hull.volume = volume();
    return hull;
  }

 private:
  struct Face {
    std::array<std::uint32_t, 3> corners{};
    std::array<std::uint32_t, 3> across{};  ///< the face over the edge from corner i to i + 1
    HalfSpace plane;
    std::uint32_t first_outside = kNobody;  ///< points that see this face, each listed once among all faces
    double farthest = 0.0;
    std::uint32_t farthest_point = kNobody;
    bool alive = true;
    bool visible = false;  ///< from the corner that is being added
  };

  struct Rim {
    std::uint32_t from, to, across;
  };
  static constexpr std::size_t kMostDead = 4096;

  Face make_face(std::uint32_t a, std::uint32_t b, std::uint32_t c) const {
    Face face;
    face.corners = {a, b, c};
    const DVec3 normal = glm::cross(points_[b] - points_[a], points_[c] - points_[a]);
    const double length = glm::length(normal);
    if (length > 0.0) face.plane.normal = normal / length;
    face.plane.offset = -glm::dot(face.plane.normal, points_[a]);
    return face;
  }

  template <class Distance>
  std::uint32_t farthest(Distance&& distance) const {
    std::uint32_t best = 0;
    double most = -std::numeric_limits<double>::infinity();
    for (std::uint32_t i = 0; i < points_.size(); ++i)
      if (const double d = distance(points_[i]); d > most) most = d, best = i;
    return best;
  }

  /// A tetrahedron of points that are far apart.
  bool start() {
    if (points_.size() < 4) return false;
    const std::uint32_t a = farthest([](const DVec3& p) { return p.x; });
    const std::uint32_t b = farthest([&](const DVec3& p) { return glm::distance(p, points_[a]); });
    const double length = glm::distance(points_[a], points_[b]);
    if (!(length > tolerance_)) return false;
    const DVec3 along = (points_[b] - points_[a]) / length;
    const auto from_line = [&](const DVec3& p) { return glm::length(glm::cross(p - points_[a], along)); };
    const std::uint32_t c = farthest(from_line);
    if (!(from_line(points_[c]) > tolerance_)) return false;
    const Face base = make_face(a, b, c);
    const std::uint32_t d = farthest([&](const DVec3& p) { return std::abs(base.plane.distance(p)); });
    const double height = base.plane.distance(points_[d]);
    if (!(std::abs(height) > tolerance_)) return false;
    const std::array<std::uint32_t, 4> t = height < 0.0 ? std::array{a, b, c, d} : std::array{a, c, b, d};
    faces_ = {make_face(t[0], t[1], t[2]), make_face(t[0], t[3], t[1]), make_face(t[1], t[3], t[2]),
              make_face(t[2], t[3], t[0])};
    faces_[0].across = {1, 2, 3};
    faces_[1].across = {3, 2, 0};
    faces_[2].across = {1, 3, 0};
    faces_[3].across = {2, 1, 0};
    next_.resize(points_.size());
    for (std::uint32_t i = 0; i < points_.size(); ++i) hand_out(i, 0);
    list_open(0);
    return true;
  }

  /// Lists a point with one of the faces from `first` on that it is outside of; a point inside is done.
  void hand_out(std::uint32_t point, std::size_t first) {
    for (std::size_t f = first; f < faces_.size(); ++f) {
      Face& face = faces_[f];
      const double distance = face.plane.distance(points_[point]);
      if (!(distance > tolerance_)) continue;
      next_[point] = face.first_outside;
      face.first_outside = point;
      if (distance > face.farthest) face.farthest = distance, face.farthest_point = point;
      return;
    }
  }

  void list_open(std::size_t first) {
    for (std::size_t f = first; f < faces_.size(); ++f)
      if (faces_[f].first_outside != kNobody) open_.push_back(static_cast<std::uint32_t>(f));
  }

  std::uint32_t next_open() {
    while (!open_.empty()) {
      const std::uint32_t face = open_.back();
      if (faces_[face].alive) return face;
      open_.pop_back();
    }
    return kNobody;
  }

  /// Faces that are gone would take most of the memory of a fine hull. The others keep their order.
  void drop_dead() {
    std::vector<std::uint32_t> number(faces_.size(), kNobody);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < faces_.size(); ++i) {
      if (!faces_[i].alive) continue;
      number[i] = static_cast<std::uint32_t>(kept);
      if (kept != i) faces_[kept] = faces_[i];
      ++kept;
    }
    faces_.resize(kept);
    for (Face& face : faces_)
      for (std::uint32_t& across : face.across) across = number[across];
    for (std::uint32_t& face : open_) face = number[face];
    std::erase(open_, kNobody);
    dead_ = 0;
  }

  bool add_corner(std::uint32_t seen_from) {
    const std::uint32_t corner = faces_[seen_from].farthest_point;
    visible_.assign(1, seen_from);
    faces_[seen_from].visible = true;
    rims_.clear();
    for (std::size_t i = 0; i < visible_.size(); ++i)
      for (std::size_t k = 0; k < 3; ++k) {
        const Face& face = faces_[visible_[i]];
        Face& next = faces_[face.across[k]];
        if (next.visible) continue;
        if (next.plane.distance(points_[corner]) > kRounding) {
          next.visible = true;
          visible_.push_back(face.across[k]);
        } else {
          rims_.push_back({face.corners[k], face.corners[k == 2 ? 0 : k + 1], face.across[k]});
        }
      }
    std::erase_if(rims_, [&](const Rim& rim) { return faces_[rim.across].visible; });
    return close_rim(corner);
  }

  bool close_rim(std::uint32_t corner) {
    const std::size_t first = faces_.size();
    std::sort(rims_.begin(), rims_.end(), [](const Rim& a, const Rim& b) { return a.from < b.from; });
    // A rim that is not one ring of different points comes from rounding; the caller knows another way.
    for (std::size_t i = 0; i < rims_.size(); ++i)
      if (i > 0 && rims_[i].from == rims_[i - 1].from) return false;
    const auto starting_at = [&](std::uint32_t point) {
      const auto found = std::lower_bound(rims_.begin(), rims_.end(), point,
                                          [](const Rim& rim, std::uint32_t value) { return rim.from < value; });
      return found == rims_.end() || found->from != point ? rims_.size()
                                                          : static_cast<std::size_t>(found - rims_.begin());
    };
    for (const Rim& rim : rims_) {
      const std::size_t next = starting_at(rim.to);
      if (next == rims_.size()) return false;
      Face face = make_face(rim.from, rim.to, corner);
      face.across = {rim.across, static_cast<std::uint32_t>(first + next), kNobody};
      faces_.push_back(std::move(face));
    }
    for (std::size_t i = 0; i < rims_.size(); ++i) {
      const std::uint32_t self = static_cast<std::uint32_t>(first + i);
      faces_[faces_[self].across[1]].across[2] = self;
      Face& neighbour = faces_[rims_[i].across];
      for (std::size_t k = 0; k < 3; ++k)
        if (neighbour.corners[k] == rims_[i].to && neighbour.corners[k == 2 ? 0 : k + 1] == rims_[i].from)
          neighbour.across[k] = self;
    }
    dead_ += visible_.size();
    for (std::uint32_t f : visible_) {
      faces_[f].alive = false;
      for (std::uint32_t point = faces_[f].first_outside; point != kNobody;) {
        const std::uint32_t next = next_[point];
        if (point != corner) hand_out(point, first);
        point = next;
      }
    }
    list_open(first);
    return true;
  }

  std::span<const DVec3> points_;
  double tolerance_;
  std::vector<Face> faces_;
  std::vector<std::uint32_t> next_;     ///< the point after each in its face's list
  std::vector<std::uint32_t> open_;     ///< faces with points outside, and some that are gone
  std::vector<std::uint32_t> visible_;  ///< from the corner that is being added
  std::vector<Rim> rims_;
  std::size_t dead_ = 0;  ///< faces that are gone and still in `faces_`
};

/// The same from `convex_hull`, which merges what rounding has made ambiguous.
std::optional<QuickHull> careful_hull(std::span<const DVec3> points) {
  const auto solid = convex_hull(points, 0.0);
  if (!solid) return std::nullopt;
  QuickHull hull;
  // Vertices are points of the input, in its order, but for rounding.
  std::vector<std::uint32_t> number;
  std::uint32_t at = 0;
  for (const DVec3& vertex : solid->vertices) {
    while (at + 1 < points.size() && glm::distance(points[at], vertex) > 1e-9) ++at;
    number.push_back(at);
  }
  const DVec3& origin = solid->vertices[0];
  for (std::size_t f = 0; f < solid->faces.size(); ++f) {
    const auto& face = solid->faces[f];
    for (std::size_t i = 2; i < face.size(); ++i) {
      hull.triangles.push_back({number[face[0]], number[face[i - 1]], number[face[i]]});
      hull.planes.push_back(solid->planes[f]);
      hull.volume += glm::dot(solid->vertices[face[0]] - origin,
                              glm::cross(solid->vertices[face[i - 1]] - origin, solid->vertices[face[i]] - origin)) /
                     6.0;
    }
  }
  hull.corners = std::move(number);
  std::sort(hull.corners.begin(), hull.corners.end());
  hull.corners.erase(std::unique(hull.corners.begin(), hull.corners.end()), hull.corners.end());
  return hull;
}

bool is_flat(std::span<const DVec3> points, double tolerance) {
  if (points.size() < 4) return true;
  const Spread spread = spread_of(points);
  return spread.length <= tolerance || spread.width <= tolerance || spread.thickness <= tolerance;
}

}  // namespace

QuickHull quick_hull(std::span<const DVec3> points, double tolerance) {
  HullBuilder builder(points, tolerance);
  if (builder.run()) return builder.result();
  if (!is_flat(points, tolerance))
    if (auto hull = careful_hull(points)) return std::move(*hull);
  QuickHull flat;
  for (std::uint32_t i = 0; i < points.size(); ++i) flat.corners.push_back(i);
  return flat;
}

std::optional<double> quick_hull_volume(std::span<const DVec3> points, double tolerance) {
  HullBuilder builder(points, tolerance);
  if (builder.run()) return builder.volume();
  const QuickHull hull = quick_hull(points, tolerance);
  return hull.is_flat() ? std::nullopt : std::optional(hull.volume);
}

}  // namespace marrow::geometry
