// SPDX-License-Identifier: MIT
// The volume of overlapping convex solids: of each one, what is not in those before it. What is left of a solid after
// taking away another is cut off piece by piece, along the planes of the other.
#include <algorithm>
#include <limits>

#include "geometry/decompose/report.h"

namespace marrow::geometry {

namespace {

/// Solids that overlap by less than this share of their size touch.
constexpr double kTouch = 1e-6;
/// After so many cuts the rest is counted on a grid instead.
constexpr int kMostCuts = 20000;
constexpr int kGridCells = 24;

Solid solid_of(const Polyhedron& hull) {
  Solid solid;
  solid.points = hull.vertices;
  for (std::size_t f = 0; f < hull.faces.size(); ++f) {
    const auto& loop = hull.faces[f];
    solid.faces.push_back({hull.planes[f].normal, static_cast<std::uint32_t>(solid.edges.size()),
                           static_cast<std::uint32_t>(loop.size())});
    for (std::size_t i = 0; i < loop.size(); ++i)
      solid.edges.push_back({loop[i], loop[i + 1 == loop.size() ? 0 : i + 1]});
  }
  return solid;
}

class Counter {
 public:
  explicit Counter(std::span<const Polyhedron> solids) : solids_(solids) {}

  double run() {
    double sum = 0.0;
    for (std::size_t i = 0; i < solids_.size(); ++i) {
      double size = 0.0;
      for (const DVec3& vertex : solids_[i].vertices)
        size = std::max(size, glm::distance(vertex, solids_[i].vertices[0]));
      touch_ = kTouch * size;
      sum += volume_outside(solid_of(solids_[i]), i);
    }
    return sum;
  }

 private:
  struct Rest {
    Solid solid;
    std::size_t before = 0;  ///< what is in the solids below this number does not count
  };

  double volume_outside(Solid first, std::size_t before) {
    std::vector<Rest> open;
    open.push_back({std::move(first), before});
    double sum = 0.0;
    while (!open.empty()) {
      Rest rest = std::move(open.back());
      open.pop_back();
      while (rest.before > 0 && are_apart(rest.solid, solids_[rest.before - 1])) --rest.before;
      if (rest.before == 0) {
        sum += volume_of(rest.solid);
      } else if (cuts_ > kMostCuts) {
        sum += volume_of(rest.solid) * share_outside(rest);
      } else {
        cut_off(std::move(rest), open);
      }
    }
    return sum;
  }

  bool are_apart(const Solid& solid, const Polyhedron& other) const {
    for (const HalfSpace& plane : other.planes)
      if (std::all_of(solid.points.begin(), solid.points.end(),
                      [&](const DVec3& point) { return plane.distance(point) >= -touch_; }))
        return true;
    return false;
  }

  void cut_off(Rest rest, std::vector<Rest>& open) {
    const Polyhedron& other = solids_[rest.before - 1];
    for (const HalfSpace& plane : other.planes) {
      if (std::none_of(rest.solid.points.begin(), rest.solid.points.end(),
                       [&](const DVec3& point) { return plane.distance(point) > touch_; }))
        continue;
      Solid below;
      Solid above;
      cut(rest.solid, plane, touch_, below, above);
      ++cuts_;
      if (!above.empty()) open.push_back({std::move(above), rest.before - 1});
      if (below.empty()) return;
      rest.solid = std::move(below);
    }
  }

  /// The share of a convex solid that is in none of the solids before it.
  double share_outside(const Rest& rest) const {
    DVec3 low(std::numeric_limits<double>::max());
    DVec3 high(std::numeric_limits<double>::lowest());
    for (const DVec3& point : rest.solid.points) {
      low = glm::min(low, point);
      high = glm::max(high, point);
    }
    const auto is_in = [](const auto& faces, auto&& plane_of, const DVec3& at) {
      return std::all_of(faces.begin(), faces.end(),
                         [&](const auto& face) { return plane_of(face).distance(at) <= 0.0; });
    };
    const auto own_plane = [&](const Solid::Face& face) {
      return HalfSpace{face.normal, -glm::dot(face.normal, rest.solid.points[rest.solid.edges[face.first_edge].from])};
    };
    int inside = 0;
    int outside = 0;
    for (int i = 0; i < kGridCells * kGridCells * kGridCells; ++i) {
      const DVec3 cell(i % kGridCells, i / kGridCells % kGridCells, i / (kGridCells * kGridCells));
      const DVec3 at = low + (high - low) * (cell + 0.5) / static_cast<double>(kGridCells);
      if (!is_in(rest.solid.faces, own_plane, at)) continue;
      ++inside;
      const auto others = solids_.first(rest.before);
      outside += std::none_of(others.begin(), others.end(), [&](const Polyhedron& other) {
        return is_in(other.planes, [](const HalfSpace& plane) { return plane; }, at);
      });
    }
    return inside == 0 ? 1.0 : static_cast<double>(outside) / inside;
  }

  std::span<const Polyhedron> solids_;
  double touch_ = 0.0;
  int cuts_ = 0;
};

}  // namespace

double union_volume(std::span<const Polyhedron> solids) { return Counter(solids).run(); }

}  // namespace marrow::geometry
