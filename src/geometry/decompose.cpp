// SPDX-License-Identifier: MIT
// Cuts a mesh into pieces whose hulls fit it. The error of a hull is the farthest that any point in it is from the
// solid: it sees a hollow behind a closed front as well as a notch. The worst piece is cut first, along an axis of the
// best box, where the two hulls have the least volume together; pieces whose common hull is good enough are joined
// again.
#include "marrow/geometry/decompose.h"

#include <algorithm>
#include <cmath>
#include <glm/gtc/quaternion.hpp>
#include <map>
#include <optional>

#include "core/try.h"
#include "geometry/distance_grid.h"
#include "geometry/polyhedron.h"
#include "marrow/geometry/fit.h"

namespace marrow::geometry {

namespace {

constexpr int kResolution = 80;
/// Places where a piece may be cut, on each axis: evenly spaced ones, and some where the mesh has vertices.
constexpr int kEvenCuts = 7;
constexpr std::size_t kVertexCuts = 16;
constexpr double kDefaultConcavity = 0.02;

using Polygon = std::vector<DVec3>;

/// Points with their hull, where they span a solid. `corners` stands for the points: the hull's vertices, or all.
struct Cloud {
  std::vector<DVec3> corners;
  std::vector<HalfSpace> planes;
  double volume = 0.0;
};

double volume_of(const Polyhedron& hull) {
  double volume = 0.0;
  const DVec3& origin = hull.vertices[0];
  for (const auto& face : hull.faces)
    for (std::size_t i = 2; i < face.size(); ++i)
      volume += glm::dot(hull.vertices[face[0]] - origin,
                         glm::cross(hull.vertices[face[i - 1]] - origin, hull.vertices[face[i]] - origin)) /
                6.0;
  return volume;
}

/// Equal points once: polygons share most of their corners.
void remove_repeats(std::vector<DVec3>& points) {
  const auto key = [](const DVec3& p) { return std::array{p.x, p.y, p.z}; };
  std::sort(points.begin(), points.end(), [&](const DVec3& a, const DVec3& b) { return key(a) < key(b); });
  points.erase(std::unique(points.begin(), points.end()), points.end());
}

Cloud cloud_of(std::vector<DVec3> points) {
  constexpr std::size_t kFineHull = 256;
  Cloud cloud;
  remove_repeats(points);
  if (points.size() >= 4)
    if (const auto hull = convex_hull(points, 0.0)) {
      cloud.volume = volume_of(*hull);
      cloud.planes = hull->planes;
      cloud.corners = hull->vertices;
      // Planes serve to look into cells; of a very fine hull a few hundred vertices say the same.
      if (hull->vertices.size() > kFineHull)
        if (const auto coarse = convex_hull(simplified_vertices(*hull, kFineHull), 0.0)) cloud.planes = coarse->planes;
      return cloud;
    }
  cloud.corners = std::move(points);
  return cloud;
}

struct Piece {
  std::vector<Polygon> polygons;
  Cloud cloud;
  double concavity = 0.0;
  bool is_final = false;  ///< no cut divides it
};

/// Parts of polygons below and above a plane across an axis. Corners within `tolerance` are on it. A polygon that lies
/// in the plane belongs to the side that it bounds: the one its normal points away from.
void cut(const std::vector<Polygon>& polygons, int axis, double at, double tolerance, std::vector<Polygon>& below,
         std::vector<Polygon>& above) {
  const auto side = [&](const DVec3& corner) {
    const double distance = corner[axis] - at;
    return distance > tolerance ? 1 : distance < -tolerance ? -1 : 0;
  };
  for (const Polygon& polygon : polygons) {
    int lowest = 1;
    int highest = -1;
    for (const DVec3& corner : polygon) {
      lowest = std::min(lowest, side(corner));
      highest = std::max(highest, side(corner));
    }
    if (lowest >= 0 || highest <= 0) {
      const bool is_below = lowest < 0 || (highest == 0 && newell_normal(polygon)[axis] > 0.0);
      (is_below ? below : above).push_back(polygon);
      continue;
    }
    Polygon low;
    Polygon high;
    for (std::size_t i = 0; i < polygon.size(); ++i) {
      const DVec3& from = polygon[i];
      const DVec3& to = polygon[i + 1 == polygon.size() ? 0 : i + 1];
      if (side(from) <= 0) low.push_back(from);
      if (side(from) >= 0) high.push_back(from);
      if (side(from) * side(to) < 0) {
        DVec3 crossing = from + (to - from) * ((at - from[axis]) / (to[axis] - from[axis]));
        crossing[axis] = at;
        low.push_back(crossing);
        high.push_back(crossing);
      }
    }
    below.push_back(std::move(low));
    above.push_back(std::move(high));
  }
}

std::vector<DVec3> points_of(const std::vector<Polygon>& polygons) {
  std::vector<DVec3> points;
  for (const Polygon& polygon : polygons) points.insert(points.end(), polygon.begin(), polygon.end());
  return points;
}

class Decomposer {
 public:
  Decomposer(const TriangleMesh& mesh, const Box& frame, const DecomposeOptions& options)
      : to_world_(frame.rotation), vertices_(turned(mesh, frame)), grid_(vertices_, mesh.triangles, kResolution) {
    limit_ = options.max_concavity > 0.0f
                 ? static_cast<double>(options.max_concavity)
                 : kDefaultConcavity * 2.0 * static_cast<double>(glm::length(frame.half_extents));
    max_pieces_ = options.max_pieces;
    std::vector<Polygon> polygons;
    polygons.reserve(mesh.triangles.size());
    for (const auto& [a, b, c] : mesh.triangles) polygons.push_back({vertices_[a], vertices_[b], vertices_[c]});
    add(std::move(polygons));
  }

  void split_all() {
    while (pieces_.size() < max_pieces_) {
      Piece* worst = nullptr;
      for (Piece& piece : pieces_)
        if (!piece.is_final && piece.concavity > limit_ && (worst == nullptr || piece.concavity > worst->concavity))
          worst = &piece;
      if (worst == nullptr) break;
      split(static_cast<std::size_t>(worst - pieces_.data()));
    }
  }

  /// Joins pairs whose common hull keeps the limit, the one that adds least volume first.
  void join_all() {
    std::map<std::pair<std::size_t, std::size_t>, std::optional<Piece>> joined;
    std::vector<bool> gone(pieces_.size(), false);
    while (true) {
      std::pair<std::size_t, std::size_t> best;
      double least = std::numeric_limits<double>::infinity();
      for (std::size_t i = 0; i < pieces_.size(); ++i)
        for (std::size_t j = i + 1; j < pieces_.size(); ++j) {
          if (gone[i] || gone[j]) continue;
          const auto [entry, is_new] = joined.try_emplace({i, j});
          if (is_new) entry->second = join(pieces_[i], pieces_[j]);
          if (!entry->second) continue;
          const double added = entry->second->cloud.volume - pieces_[i].cloud.volume - pieces_[j].cloud.volume;
          if (added >= least) continue;
          least = added;
          best = {i, j};
        }
      if (!std::isfinite(least)) break;
      gone[best.first] = gone[best.second] = true;
      pieces_.push_back(std::move(*joined[best]));
      gone.push_back(false);
    }
    std::vector<Piece> kept;
    for (std::size_t i = 0; i < pieces_.size(); ++i)
      if (!gone[i]) kept.push_back(std::move(pieces_[i]));
    pieces_ = std::move(kept);
  }

  Result<Decomposition> result(const HullOptions& options) const {
    Decomposition result;
    double concavity = 0.0;
    for (const Piece& piece : pieces_) {
      std::vector<Vec3> corners;
      corners.reserve(piece.cloud.corners.size());
      for (const DVec3& corner : piece.cloud.corners) corners.emplace_back(to_world_ * corner);
      auto hull = build_hull(corners, options);
      if (!hull) {
        if (pieces_.size() == 1) return std::unexpected(hull.error());
        continue;  // a sliver that a cut left over: its neighbours hold its rim
      }
      concavity = std::max(concavity, piece.concavity);
      result.hulls.push_back(std::move(*hull));
    }
    result.concavity = static_cast<float>(concavity);
    result.within_limit = concavity <= limit_;
    return result;
  }

 private:
  static std::vector<DVec3> turned(const TriangleMesh& mesh, const Box& frame) {
    const glm::dquat to_frame = glm::conjugate(glm::dquat(frame.rotation));
    std::vector<DVec3> vertices;
    vertices.reserve(mesh.vertices.size());
    for (const Vec3& vertex : mesh.vertices) vertices.push_back(to_frame * DVec3(vertex));
    return vertices;
  }

  void measure(Piece& piece) const {
    if (!piece.cloud.planes.empty()) {
      piece.concavity = grid_.farthest_inside(piece.cloud.planes);
      return;
    }
    // Flat: what it fills is judged as a solid of one cell's thickness.
    const DVec3 lift = spread_of(piece.cloud.corners).normal * (0.5 * grid_.cell());
    std::vector<DVec3> thick;
    for (const DVec3& corner : piece.cloud.corners) {
      thick.push_back(corner - lift);
      thick.push_back(corner + lift);
    }
    const Cloud solid = cloud_of(std::move(thick));
    piece.concavity = solid.planes.empty() ? 0.0 : grid_.farthest_inside(solid.planes);
  }

  void add(std::vector<Polygon> polygons) {
    Piece piece;
    piece.cloud = cloud_of(points_of(polygons));
    piece.polygons = std::move(polygons);
    measure(piece);
    pieces_.push_back(std::move(piece));
  }

  std::optional<Piece> join(const Piece& a, const Piece& b) const {
    std::vector<DVec3> points = a.cloud.corners;
    points.insert(points.end(), b.cloud.corners.begin(), b.cloud.corners.end());
    Piece both;
    both.cloud = cloud_of(std::move(points));
    measure(both);
    if (both.concavity > limit_) return std::nullopt;
    return both;
  }

  double tolerance() const { return 1e-3 * grid_.cell(); }

  struct Cut {
    int axis = -1;
    double at = 0.0;
    double cost = std::numeric_limits<double>::infinity();
  };

  std::vector<double> places_to_cut(const Piece& piece, int axis, double low, double high) const {
    std::vector<double> places;
    for (const Polygon& polygon : piece.polygons)
      for (const DVec3& corner : polygon)
        if (corner[axis] > low && corner[axis] < high) places.push_back(corner[axis]);
    const auto tidy = [&] {
      std::sort(places.begin(), places.end());
      const auto close = [&](double a, double b) { return b - a < 0.25 * grid_.cell(); };
      places.erase(std::unique(places.begin(), places.end(), close), places.end());
    };
    tidy();
    if (places.size() > kVertexCuts) {
      std::vector<double> some;
      some.reserve(kVertexCuts);
      for (std::size_t i = 0; i < kVertexCuts; ++i)
        some.push_back(places[(2 * i + 1) * places.size() / (2 * kVertexCuts)]);
      places = std::move(some);
    }
    for (int i = 1; i <= kEvenCuts; ++i) places.push_back(low + (high - low) * i / (kEvenCuts + 1));
    tidy();
    return places;
  }

  /// The volumes of both hulls for every place on an axis, from the hulls of slabs: those below grow slab by slab.
  void try_cuts(const Piece& piece, int axis, double low, double high, Cut& best) const {
    const std::vector<double> places = places_to_cut(piece, axis, low, high);
    std::vector<Cloud> slabs;
    std::vector<Polygon> rest = piece.polygons;
    for (double place : places) {
      std::vector<Polygon> below;
      std::vector<Polygon> above;
      cut(rest, axis, place, tolerance(), below, above);
      slabs.push_back(cloud_of(points_of(below)));
      rest = std::move(above);
    }
    const auto grown = [](Cloud whole, const Cloud& slab) {
      whole.corners.insert(whole.corners.end(), slab.corners.begin(), slab.corners.end());
      return cloud_of(std::move(whole.corners));
    };
    std::vector<double> above(places.size(), 0.0);
    Cloud cloud = cloud_of(points_of(rest));
    for (std::size_t i = places.size(); i-- > 0;) {
      above[i] = cloud.volume;
      cloud = grown(std::move(cloud), slabs[i]);
    }
    cloud = Cloud{};
    for (std::size_t i = 0; i < places.size(); ++i) {
      cloud = grown(std::move(cloud), slabs[i]);
      // Among cuts that save nothing the even one on the longest side is best.
      const double uneven =
          std::abs(2.0 * (places[i] - low) / (high - low) - 1.0) + (longest_ - (high - low)) / longest_;
      const double cost = cloud.volume + above[i] + 1e-3 * piece.cloud.volume * uneven;
      if (cost < best.cost) best = {axis, places[i], cost};
    }
  }

  void split(std::size_t number) {
    const Piece piece = std::move(pieces_[number]);
    DVec3 low(std::numeric_limits<double>::max());
    DVec3 high(std::numeric_limits<double>::lowest());
    for (const DVec3& corner : piece.cloud.corners) {
      low = glm::min(low, corner);
      high = glm::max(high, corner);
    }
    longest_ = std::max({high.x - low.x, high.y - low.y, high.z - low.z});
    Cut best;
    for (int axis = 0; axis < 3; ++axis)
      if (high[axis] - low[axis] > grid_.cell()) try_cuts(piece, axis, low[axis], high[axis], best);
    std::vector<Polygon> below;
    std::vector<Polygon> above;
    if (best.axis >= 0) cut(piece.polygons, best.axis, best.at, tolerance(), below, above);
    if (below.empty() || above.empty()) {
      pieces_[number] = piece;
      pieces_[number].is_final = true;
      return;
    }
    pieces_.erase(pieces_.begin() + static_cast<std::ptrdiff_t>(number));
    add(std::move(below));
    add(std::move(above));
  }

  glm::dquat to_world_;
  std::vector<DVec3> vertices_;  ///< in the axes of the best box
  DistanceGrid grid_;
  double limit_ = 0.0;
  double longest_ = 0.0;  ///< side of the piece being cut
  std::size_t max_pieces_ = 0;
  std::vector<Piece> pieces_;
};

}  // namespace

Result<Decomposition> decompose(const TriangleMesh& mesh, const DecomposeOptions& options) {
  if (mesh.triangles.empty()) return fail(ErrorCode::InvalidArgument, "a mesh without triangles cannot be decomposed");
  if (options.max_pieces == 0) return fail(ErrorCode::InvalidArgument, "at least one piece must be allowed");
  for (const auto& triangle : mesh.triangles)
    for (std::uint32_t corner : triangle)
      if (corner >= mesh.vertices.size()) return fail(ErrorCode::InvalidArgument, "a corner is past the last vertex");
  MARROW_TRY(const Box frame, fit_box(mesh.vertices));
  if (!(std::max({frame.half_extents.x, frame.half_extents.y, frame.half_extents.z}) > 0.0f))
    return fail(ErrorCode::InvalidArgument, "all vertices of the mesh are one point");
  Decomposer decomposer(mesh, frame, options);
  decomposer.split_all();
  decomposer.join_all();
  return decomposer.result(options.hull);
}

}  // namespace marrow::geometry
