// SPDX-License-Identifier: MIT
// Approximate convex decomposition after CoACD (X. Wei, M. Liu, Z. Ling, H. Su, "Approximate Convex Decomposition for
// 3D Meshes with Collision-Aware Concavity and Tree Search", 2022): its measure of concavity, and cuts of the solid by
// planes that are searched for. Instead of looking ahead in a deep tree, the mesh is cut finer than needed, pieces are
// joined again, and the borders between them are moved: that evens the hulls out around curves.
#include "geometry/decompose/decompose.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/try.h"
#include "geometry/decompose/parts.h"
#include "geometry/decompose/report.h"
#include "geometry/solids/solid_prepare.h"

namespace marrow::geometry {

namespace {

constexpr double kDefaultConcavity = 0.025;
/// Around a curve the volume falls slowly: beyond this number, a hull has to save this share of the volume.
constexpr std::uint32_t kHullsOfCurves = 12;
constexpr double kHullWorth = 0.0175;
/// Pieces are cut until their concavity is this share of the limit, or until there are this many for each hull.
constexpr double kFinePieces = 0.15;
constexpr std::size_t kPiecesPerHull = 4;
/// Parts that have this share of the excess of the whole mesh are cut with more care.
constexpr double kLargeExcess = 0.02;
/// What the margin of a hull may cost: the distance that it leaves out, as a share of the diagonal of the mesh, and the
/// share of its own volume that it adds.
constexpr double kMostLeftOut = 0.015;
constexpr double kMostGrowth = 0.001;
/// A mesh with more vertices is simplified first.
constexpr std::size_t kMostVerticesToCut = 8000;

/// The mesh with a thickness along `normal`, half to each side.
TriangleMesh thickened(const TriangleMesh& mesh, const DVec3& normal, double thickness) {
  TriangleMesh slab;
  const std::uint32_t count = static_cast<std::uint32_t>(mesh.vertices.size());
  for (double side : {-0.5, 0.5})
    for (const Vec3& vertex : mesh.vertices) slab.vertices.emplace_back(DVec3(vertex) + normal * (side * thickness));
  std::set<std::array<std::uint32_t, 3>> seen;
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> edges;
  for (auto [a, b, c] : mesh.triangles) {
    const DVec3 at(mesh.vertices[a]);
    if (glm::dot(glm::cross(DVec3(mesh.vertices[b]) - at, DVec3(mesh.vertices[c]) - at), normal) < 0.0) std::swap(b, c);
    std::array<std::uint32_t, 3> key = {a, b, c};
    std::sort(key.begin(), key.end());
    if (!seen.insert(key).second) continue;
    slab.triangles.push_back({a + count, b + count, c + count});
    slab.triangles.push_back({a, c, b});
    for (const auto& [from, to] : {std::pair{a, b}, {b, c}, {c, a}}) ++edges[{from, to}], --edges[{to, from}];
  }
  for (const auto& [edge, sum] : edges)
    for (int i = 0; i < sum; ++i) {
      slab.triangles.push_back({edge.first, edge.second, edge.second + count});
      slab.triangles.push_back({edge.first, edge.second + count, edge.first + count});
    }
  return slab;
}

double farthest_outside(const Hull& hull, std::span<const Vec3> points) {
  double farthest = 0.0;
  for (const Vec3& point : points) farthest = std::max(farthest, outside(hull, DVec3(point)));
  return farthest;
}

double diagonal_of(const PreparedMesh& mesh) {
  DVec3 low = mesh.surface[0][0];
  DVec3 high = low;
  for (const auto& triangle : mesh.surface)
    for (const DVec3& corner : triangle) {
      low = glm::min(low, corner);
      high = glm::max(high, corner);
    }
  return glm::length(high - low);
}

/// How far a hull with its margin is from the points that it was made of.
struct MarginError {
  double left_out = 0.0;  ///< the farthest that a point is outside: the margin rounds corners off
  double growth = 0.0;    ///< share of the volume that it has too much: small faces vanish in a core that is shrunk

  bool is_below(const MarginError& limit) const { return left_out <= limit.left_out && growth <= limit.growth; }
};

double volume_with_margin(const Hull& hull) {
  const auto solid = with_margin(hull);
  return solid ? union_volume({&*solid, 1}) : 0.0;
}

MarginError margin_error(const Hull& hull, std::span<const Vec3> points, double volume) {
  return {farthest_outside(hull, points), volume > 0.0 ? volume_with_margin(hull) / volume - 1.0 : 0.0};
}

/// A hull whose margin keeps the limit. A margin that is too much is made smaller, as long as that helps.
Result<Hull> covering_hull(std::span<const Vec3> points, HullOptions options, const MarginError& limit) {
  constexpr double kHelps = 0.8;
  MARROW_TRY(Hull hull, build_hull(points, options));
  if (options.convex_radius == 0.0f) return hull;
  HullOptions sharp = options;
  sharp.convex_radius = 0.0f;
  MARROW_TRY(const Hull whole, build_hull(points, sharp));
  const double volume = volume_with_margin(whole);
  MarginError error = margin_error(hull, points, volume);
  while (!error.is_below(limit)) {
    options.convex_radius = 0.5f * hull.convex_radius;
    auto closer = build_hull(points, options);
    if (!closer) break;
    const MarginError now = margin_error(*closer, points, volume);
    const bool helps = (error.left_out > limit.left_out && now.left_out <= kHelps * error.left_out) ||
                       (error.growth > limit.growth && now.growth <= kHelps * error.growth);
    if (!helps) break;
    hull = std::move(*closer);
    error = now;
  }
  return hull;
}

class Decomposer {
 public:
  Decomposer(const PreparedMesh& mesh, const PartLimits& limits)
      : mesh_(mesh), limits_(limits), surface_(mesh.surface, mesh.is_closed), meter_(surface_) {
    for (const Solid& solid : mesh_.parts) add(solid);
  }

  void run() {
    split_all();
    parts_ = merge(parts_, meter_, limits_);
    relax(parts_, meter_, limits_.concavity);
    tighten(parts_, meter_, limits_);
  }

  Result<Decomposition> result(const HullOptions& options) const {
    Decomposition result;
    std::optional<Error> refused;
    double concavity = 0.0;
    const MarginError margin_limit{
        std::min<double>(options.convex_radius, kMostLeftOut * diagonal_of(mesh_) / mesh_.scale), kMostGrowth};
    for (const Part& part : parts_) {
      std::vector<Vec3> points;
      points.reserve(part.solid.points.size());
      for (const DVec3& point : part.solid.points) points.emplace_back(mesh_.restored(point));
      auto hull = covering_hull(points, options, margin_limit);
      if (!hull) {  // a sliver that a cut left over: its neighbours hold its rim
        refused = std::move(hull.error());
        continue;
      }
      concavity = std::max(concavity, part.concavity);
      result.hulls.push_back(std::move(*hull));
    }
    if (result.hulls.empty() && refused) return std::unexpected(std::move(*refused));
    result.concavity = static_cast<float>(concavity / mesh_.scale);
    result.within_limit = concavity <= limits_.concavity;
    result.report = measure(result.hulls, mesh_, surface_);
    return result;
  }

 private:
  void add(Solid solid) {
    parts_.push_back(make_part(std::move(solid)));
    parts_.back().concavity = concavity_of(parts_.back(), meter_, limits_.concavity);
  }

  /// Cuts the part with the most volume to lose, until all are fine or there are enough.
  void split_all() {
    const std::size_t enough = std::clamp<std::size_t>(kPiecesPerHull * limits_.hulls, 48, 160);
    const double large = kLargeExcess * excess_of(parts_);
    while (parts_.size() < enough) {
      Part* worst = nullptr;
      for (Part& part : parts_)
        if (!part.is_final && (worst == nullptr || part.excess() > worst->excess())) worst = &part;
      if (worst == nullptr) break;
      worst->is_final = true;
      if (worst->concavity <= kFinePieces * limits_.concavity) continue;
      std::vector<Solid> pieces = best_cut(*worst, large);
      if (pieces.size() < 2) continue;
      parts_.erase(parts_.begin() + (worst - parts_.data()));
      for (Solid& piece : pieces) add(std::move(piece));
    }
  }

  const PreparedMesh& mesh_;
  PartLimits limits_;
  SurfaceQuery surface_;
  ConcavityMeter meter_;
  std::vector<Part> parts_;
};

Result<void> check(const TriangleMesh& mesh, const DecomposeOptions& options) {
  if (mesh.triangles.empty()) return fail(ErrorCode::InvalidArgument, "a mesh without triangles cannot be decomposed");
  if (options.max_hulls == 0) return fail(ErrorCode::InvalidArgument, "at least one hull must be allowed");
  if (!(options.max_concavity >= 0.0f) || !std::isfinite(options.max_concavity))
    return fail(ErrorCode::InvalidArgument, "the concavity must be 0 or more");
  if (!(options.max_volume_error >= 0.0f))
    return fail(ErrorCode::InvalidArgument, "the volume error must be 0 or more");
  for (const auto& triangle : mesh.triangles)
    for (std::uint32_t corner : triangle)
      if (corner >= mesh.vertices.size()) return fail(ErrorCode::InvalidArgument, "a corner is past the last vertex");
  return {};
}

/// True if most of the edges of the mesh, by length, are so blunt that they stand for a curve.
bool is_curved(const PreparedMesh& mesh) {
  constexpr double kFlat = 0.999999;  // 0.08 degrees
  constexpr double kBlunt = 0.42;     // 65 degrees: the sides of a hexagon are still a curve
  double blunt = 0.0;
  double sharp = 0.0;
  for (const Solid& part : mesh.parts)
    for (const SharedEdge& edge : shared_edges(part)) {
      const double cosine = glm::dot(part.faces[edge.left].normal, part.faces[edge.right].normal);
      if (cosine > kFlat) continue;
      (cosine > kBlunt ? blunt : sharp) += glm::distance(part.points[edge.from], part.points[edge.to]);
    }
  return blunt > sharp;
}

}  // namespace

Result<Decomposition> decompose(const TriangleMesh& mesh, const DecomposeOptions& options) {
  MARROW_CHECK(check(mesh, options));
  std::vector<Vec3> corners;
  for (const auto& triangle : mesh.triangles)
    for (std::uint32_t corner : triangle) corners.push_back(mesh.vertices[corner]);
  MARROW_CHECK(check_coordinates(corners));
  const Spread spread = spread_of(to_double(corners));
  MARROW_CHECK(check_spread(spread, "the mesh", options.hull.flat_thickness));
  HullOptions hull_options = options.hull;
  hull_options.max_vertices = std::min(hull_options.max_vertices, options.max_vertices_per_hull);
  // Cutting takes longer than in proportion, and hulls show nothing of what finer meshes have.
  const TriangleMesh coarse = coarsened(mesh, kMostVerticesToCut);
  PreparedMesh prepared =
      prepare(spread.is_flat() ? thickened(coarse, spread.normal, options.hull.flat_thickness) : coarse);
  if (coarse.vertices.size() < mesh.vertices.size())
    prepared.notes.push_back({"the mesh has " + std::to_string(mesh.vertices.size()) +
                              " vertices; a simplified form with " + std::to_string(coarse.vertices.size()) +
                              " is decomposed"});
  if (prepared.surface.empty()) return fail(ErrorCode::InvalidArgument, "no triangle of the mesh has an area");
  const PartLimits limits{.concavity = options.max_concavity > 0.0f
                                           ? static_cast<double>(options.max_concavity) * prepared.scale
                                           : kDefaultConcavity * diagonal_of(prepared),
                          .volume_error = options.max_volume_error,
                          .hulls_for_volume = is_curved(prepared) ? kHullsOfCurves : options.max_hulls,
                          .hull_worth = kHullWorth,
                          .hulls = options.max_hulls};
  Decomposer decomposer(prepared, limits);
  decomposer.run();
  return decomposer.result(hull_options);
}

}  // namespace marrow::geometry
