// SPDX-License-Identifier: MIT
#include "geometry/decompose/report.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace marrow::geometry {

namespace {

constexpr double kSamples = 3000.0;
constexpr std::size_t kMostVertices = 4000;
constexpr int kVolumeLines = 30000;
constexpr int kCoverageLines = 4000;

/// Calls `visit` with places spread evenly over triangles: the middles of the equal triangles that each is cut into.
template <class Visit>
void spread_over(std::span<const std::array<DVec3, 3>> triangles, Visit&& visit) {
  const auto area_of = [](const std::array<DVec3, 3>& t) { return glm::length(glm::cross(t[1] - t[0], t[2] - t[0])); };
  double area = 0.0;
  for (const auto& triangle : triangles) area += area_of(triangle);
  if (!(area > 0.0)) return;
  // Of triangles that are smaller than their share of the places, every so many get one.
  double owed = 0.0;
  for (const auto& triangle : triangles) {
    owed += kSamples * area_of(triangle) / area;
    if (owed < 1.0) continue;
    const int steps = static_cast<int>(std::sqrt(owed));
    owed -= static_cast<double>(steps) * steps;
    owed = std::min(owed, 1.0);
    const DVec3 u = (triangle[1] - triangle[0]) / static_cast<double>(steps);
    const DVec3 v = (triangle[2] - triangle[0]) / static_cast<double>(steps);
    for (int i = 0; i < steps; ++i)
      for (int j = 0; i + j < steps; ++j) {
        visit(triangle[0] + u * (i + 1.0 / 3.0) + v * (j + 1.0 / 3.0));
        if (i + j + 1 < steps) visit(triangle[0] + u * (i + 2.0 / 3.0) + v * (j + 2.0 / 3.0));
      }
  }
}

std::vector<std::array<DVec3, 3>> triangles_of(std::span<const Polyhedron> solids) {
  std::vector<std::array<DVec3, 3>> triangles;
  for (const Polyhedron& solid : solids)
    for (const auto& face : solid.faces)
      for (std::size_t i = 2; i < face.size(); ++i)
        triangles.push_back({solid.vertices[face[0]], solid.vertices[face[i - 1]], solid.vertices[face[i]]});
  return triangles;
}

/// The stretch of the line from + t * direction that is in a convex solid; the first is above the second if none is.
std::pair<double, double> stretch_in(const Polyhedron& solid, const DVec3& from, const DVec3& direction) {
  double begin = std::numeric_limits<double>::lowest();
  double end = std::numeric_limits<double>::max();
  for (const HalfSpace& plane : solid.planes) {
    const double distance = plane.distance(from);
    const double slope = glm::dot(plane.normal, direction);
    if (slope < 0.0)
      begin = std::max(begin, distance / -slope);
    else if (slope > 0.0)
      end = std::min(end, distance / -slope);
    else if (distance > 0.0)
      return {1.0, 0.0};
  }
  return {begin, end};
}

/// The share of the inside of a closed mesh that is in one of the solids; nothing if the mesh has no inside.
std::optional<double> covered_volume(std::span<const Polyhedron> solids, const PreparedMesh& mesh,
                                     const SurfaceQuery& surface) {
  double total = 0.0;
  double covered = 0.0;
  std::vector<std::pair<double, double>> stretches;
  for (const SurfaceQuery::Span& span : surface.wound_spans(kCoverageLines)) {
    total += span.end - span.begin;
    stretches.clear();
    for (const Polyhedron& solid : solids)
      stretches.push_back(stretch_in(solid, mesh.restored(span.from), SurfaceQuery::kLine / mesh.scale));
    std::sort(stretches.begin(), stretches.end());
    double reached = span.begin;
    for (const auto& [begin, end] : stretches) {
      const double upper = std::min(end, span.end);
      if (upper > std::max(begin, reached)) covered += upper - std::max(begin, reached);
      reached = std::max(reached, upper);
    }
  }
  return total > 0.0 ? std::optional(covered / total) : std::nullopt;
}

/// The share of the surface of an open mesh that is in one of the solids, or nearly.
double covered_surface(std::span<const Polyhedron> solids, const PreparedMesh& mesh) {
  constexpr double kNearly = 1e-4;
  int total = 0;
  int covered = 0;
  spread_over(mesh.surface, [&](const DVec3& prepared) {
    const DVec3 place = mesh.restored(prepared);
    ++total;
    covered += std::any_of(solids.begin(), solids.end(), [&](const Polyhedron& solid) {
      return std::all_of(solid.planes.begin(), solid.planes.end(),
                         [&](const HalfSpace& plane) { return plane.distance(place) * mesh.scale <= kNearly; });
    });
  });
  return total > 0 ? static_cast<double>(covered) / total : 0.0;
}

double farthest_outside(std::span<const Hull> hulls, const PreparedMesh& mesh) {
  double farthest = 0.0;
  const auto visit = [&](const DVec3& prepared) {
    const DVec3 place = mesh.restored(prepared);
    double nearest = std::numeric_limits<double>::infinity();
    for (const Hull& hull : hulls) {
      // No plane is farther than the hull itself: most hulls need no closer look.
      double at_least = 0.0;
      for (const Plane& plane : hull.planes)
        at_least = std::max(at_least, glm::dot(DVec3(plane.normal), place) + static_cast<double>(plane.offset) -
                                          static_cast<double>(hull.convex_radius));
      if (at_least < nearest) nearest = std::min(nearest, outside(hull, place));
      if (nearest <= farthest) return;
    }
    farthest = nearest;
  };
  const std::size_t count = mesh.surface.size() * 3;
  for (std::size_t i = 0; i < count; i += std::max<std::size_t>(1, count / kMostVertices))
    visit(mesh.surface[i / 3][i % 3]);
  spread_over(mesh.surface, visit);
  return farthest;
}

}  // namespace

double outside(const Hull& hull, const DVec3& place) {
  double farthest = -std::numeric_limits<double>::infinity();
  for (const Plane& plane : hull.planes)
    farthest = std::max(farthest, glm::dot(DVec3(plane.normal), place) + static_cast<double>(plane.offset));
  if (farthest <= 0.0) return 0.0;
  double nearest = std::numeric_limits<double>::infinity();
  for (const HullFace& face : hull.faces) {
    const std::uint8_t* loop = hull.indices.data() + face.first_index;
    for (std::size_t i = 2; i < face.index_count; ++i) {
      const DVec3 on_face = nearest_on_triangle(place, DVec3(hull.vertices[loop[0]]), DVec3(hull.vertices[loop[i - 1]]),
                                                DVec3(hull.vertices[loop[i]]));
      nearest = std::min(nearest, glm::distance(place, on_face));
    }
  }
  return std::max(0.0, nearest - static_cast<double>(hull.convex_radius));
}

std::optional<Polyhedron> with_margin(const Hull& hull) {
  std::vector<HalfSpace> planes;
  for (const Plane& plane : hull.planes)
    planes.push_back({DVec3(plane.normal), static_cast<double>(plane.offset) - hull.convex_radius});
  DVec3 center{0.0};
  double size = hull.convex_radius;
  for (const Vec3& vertex : hull.vertices) center += DVec3(vertex) / static_cast<double>(hull.vertices.size());
  for (const Vec3& vertex : hull.vertices) size = std::max(size, glm::distance(DVec3(vertex), center));
  std::vector<DVec3> corners;
  for (const auto& face : intersection_faces(planes, center, 16.0 * size))
    corners.insert(corners.end(), face.begin(), face.end());
  auto solid = convex_hull(corners, 1e-7 * size);
  if (!solid) return std::nullopt;
  return std::move(*solid);
}

DecomposeReport measure(std::span<const Hull> hulls, const PreparedMesh& mesh, const SurfaceQuery& surface) {
  DecomposeReport report;
  report.hulls = static_cast<std::uint32_t>(hulls.size());
  report.notes = mesh.notes;
  const double volume_unit = mesh.scale * mesh.scale * mesh.scale;
  for (const Solid& part : mesh.parts) report.mesh_volume += volume_of(part) / volume_unit;
  if (mesh.is_closed && surface.crosses_itself()) {
    report.mesh_volume = surface.wound_volume(kVolumeLines) / volume_unit;
    report.notes.push_back({"the mesh passes through itself; its volume is an estimate", kNoOffset, {}});
  }
  std::vector<Polyhedron> solids;
  for (const Hull& hull : hulls)
    if (auto solid = with_margin(hull)) solids.push_back(std::move(*solid));
  report.union_volume = union_volume(solids);
  // Sides that cancel each other leave rounding, not a volume.
  constexpr double kLeastVolume = 1e-9;  // of a cube as large as the mesh
  if (report.mesh_volume <= kLeastVolume / volume_unit) report.mesh_volume = 0.0;
  if (report.mesh_volume > 0.0) report.volume_error = (report.union_volume - report.mesh_volume) / report.mesh_volume;
  const auto inside = mesh.is_closed ? covered_volume(solids, mesh, surface) : std::nullopt;
  report.coverage = inside ? *inside : covered_surface(solids, mesh);
  report.left_out = farthest_outside(hulls, mesh);
  spread_over(triangles_of(solids), [&](const DVec3& place) {
    const DVec3 prepared = (place - mesh.center) * mesh.scale;
    constexpr double kOutside = 10.0;
    const double found = surface.distance(prepared, kOutside) / mesh.scale;
    if (found > report.overhang && !surface.is_inside(prepared)) report.overhang = found;
  });
  return report;
}

}  // namespace marrow::geometry
