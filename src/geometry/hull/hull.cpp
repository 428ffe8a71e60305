// SPDX-License-Identifier: MIT
#include "geometry/hull/hull.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <glm/gtc/quaternion.hpp>
#include <map>
#include <numbers>
#include <optional>
#include <string>

#include "core/try.h"
#include "geometry/hull/polyhedron.h"
#include "geometry/hull/quick_hull.h"

namespace marrow::geometry {

namespace {

constexpr double kMergeFraction = 1e-5;

DVec3 center_of(std::span<const DVec3> points) {
  DVec3 sum{0.0};
  for (const DVec3& point : points) sum += point;
  return sum / static_cast<double>(points.size());
}

std::vector<HalfSpace> pushed_in(std::span<const HalfSpace> planes, double distance) {
  std::vector<HalfSpace> pushed(planes.begin(), planes.end());
  for (HalfSpace& plane : pushed) plane.offset += distance;
  return pushed;
}

/// Corners of the solid whose planes are moved in by `distance`; fewer than four where nothing is left of it.
std::vector<DVec3> shrunk_corners(const Polyhedron& hull, double distance, double reach) {
  const DVec3 inside = center_of(hull.vertices);
  std::vector<DVec3> corners;
  for (const auto& face : intersection_faces(pushed_in(hull.planes, distance), inside, reach))
    corners.insert(corners.end(), face.begin(), face.end());
  return corners;
}

/// The convex radius that fits: at most half of the largest ball inside.
double fitting_radius(const Polyhedron& hull, double wanted, double reach) {
  const auto fits = [&](double ball) {
    const std::vector<DVec3> corners = shrunk_corners(hull, ball, reach);
    return corners.size() >= 4;
  };
  if (fits(2.0 * wanted)) return wanted;
  double low = 0.0;
  double high = 2.0 * wanted;
  for (int i = 0; i < 40; ++i) {
    const double middle = 0.5 * (low + high);
    (fits(middle) ? low : high) = middle;
  }
  return 0.5 * low;
}

Plane face_plane(std::span<const DVec3> loop) {
  const DVec3 normal = glm::normalize(newell_normal(loop));
  double farthest = -std::numeric_limits<double>::infinity();
  for (const DVec3& corner : loop) farthest = std::max(farthest, glm::dot(normal, corner));
  return {Vec3(normal), static_cast<float>(-farthest)};
}

Hull to_hull(const Polyhedron& solid, float convex_radius) {
  Hull hull;
  hull.convex_radius = convex_radius;
  for (const DVec3& vertex : solid.vertices) hull.vertices.emplace_back(vertex);
  const std::vector<DVec3> stored = to_double(hull.vertices);
  for (const auto& face : solid.faces) {
    hull.faces.push_back({static_cast<std::uint16_t>(hull.indices.size()), static_cast<std::uint8_t>(face.size()), 0});
    std::vector<DVec3> loop;
    for (std::uint32_t index : face) {
      hull.indices.push_back(static_cast<std::uint8_t>(index));
      loop.push_back(stored[index]);
    }
    hull.planes.push_back(face_plane(loop));
  }
  const std::vector<std::uint8_t> angles = min_half_angles(hull);
  for (std::size_t i = 0; i < angles.size(); ++i) hull.faces[i].min_half_angle = angles[i];
  return hull;
}

/// Equal points once, in the order of their coordinates: the result must not depend on the order of the input.
std::vector<DVec3> distinct(std::span<const Vec3> points) {
  std::vector<DVec3> sorted;
  sorted.reserve(points.size());
  for (const Vec3& point : points) sorted.push_back(DVec3(point) + DVec3(0.0));  // -0 becomes +0
  const auto key = [](const DVec3& p) { return std::array{p.x, p.y, p.z}; };
  std::sort(sorted.begin(), sorted.end(), [&](const DVec3& a, const DVec3& b) { return key(a) < key(b); });
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  return sorted;
}

Result<void> thicken_if_flat(std::vector<DVec3>& points, double thickness) {
  const Spread spread = spread_of(points);
  MARROW_CHECK(check_spread(spread, "the hull", thickness));
  if (!spread.is_flat()) return {};
  const std::size_t count = points.size();
  for (std::size_t i = 0; i < count; ++i) {
    points.push_back(points[i] + spread.normal * (thickness * 0.5));
    points[i] -= spread.normal * (thickness * 0.5);
  }
  return {};
}

}  // namespace

Result<Hull> build_hull(std::span<const Vec3> points, const HullOptions& options) {
  if (points.empty()) return fail(ErrorCode::InvalidArgument, "a hull of no points");
  MARROW_CHECK(check_coordinates(points));
  if (options.max_vertices < 4 || options.max_vertices > kMaxHullVertices)
    return fail(ErrorCode::InvalidArgument, "a hull can be limited to 4 up to 252 vertices");
  if (!(options.convex_radius >= 0.0f) || !std::isfinite(options.convex_radius))
    return fail(ErrorCode::InvalidArgument, "the convex radius must be 0 or more");

  std::vector<DVec3> cloud = distinct(points);
  MARROW_CHECK(thicken_if_flat(cloud, options.flat_thickness));
  const double reach = 4.0 * spread_of(cloud).length;
  const double merge = options.merge_distance > 0.0f ? options.merge_distance : kMergeFraction * reach / 4.0;

  const auto limited = [&](std::vector<DVec3> corners) -> Result<Polyhedron> {
    MARROW_TRY(Polyhedron hull, convex_hull(fewer_corners(std::move(corners), reach), merge));
    if (hull.vertices.size() <= options.max_vertices) return hull;
    return convex_hull(simplified_vertices(hull, options.max_vertices), merge);
  };
  MARROW_TRY(Polyhedron solid, limited(cloud));
  if (options.convex_radius == 0.0f) return to_hull(solid, 0.0f);
  const double radius = fitting_radius(solid, options.convex_radius, reach);
  MARROW_TRY(const Polyhedron core, limited(shrunk_corners(solid, radius, reach)));
  return to_hull(core, static_cast<float>(radius));
}

Result<Hull> box_hull(const Box& box, float convex_radius, float flat_thickness) {
  MARROW_CHECK(check_coordinates(std::array{box.half_extents, box.center}));
  if (!(convex_radius >= 0.0f)) return fail(ErrorCode::InvalidArgument, "the convex radius must be 0 or more");
  Vec3 half = box.half_extents;
  std::array<float, 3> sorted = {half.x, half.y, half.z};
  std::sort(sorted.begin(), sorted.end());
  if (sorted[0] < 0.0f) return fail(ErrorCode::InvalidArgument, "a box has no extents below zero");
  const Spread spread{2.0 * sorted[2], 2.0 * sorted[1], 2.0 * sorted[0], {}};
  MARROW_CHECK(check_spread(spread, "the box", flat_thickness));
  if (spread.is_flat())
    for (int axis = 0; axis < 3; ++axis) half[axis] = std::max(half[axis], 0.5f * flat_thickness);
  const float radius = std::min(convex_radius, 0.5f * std::min({half.x, half.y, half.z}));
  Polyhedron solid;
  const glm::dquat rotation(box.rotation);
  for (int i = 0; i < 8; ++i) {
    const DVec3 sign(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1);
    solid.vertices.push_back(DVec3(box.center) + rotation * (sign * (DVec3(half) - DVec3(radius))));
  }
  solid.faces = {{1, 3, 7, 5}, {0, 4, 6, 2}, {2, 6, 7, 3}, {0, 1, 5, 4}, {4, 5, 7, 6}, {0, 2, 3, 1}};
  return to_hull(solid, radius);
}

Hull capsule_hull(const Capsule& capsule) {
  constexpr std::uint8_t kLoops[6][4] = {{7, 6, 2, 3}, {3, 2, 0, 1}, {7, 5, 4, 6},
                                         {1, 0, 4, 5}, {1, 5, 7, 3}, {2, 6, 4, 0}};
  constexpr std::uint8_t kHalfAngle = 4;
  const Vec3 span = capsule.b - capsule.a;
  const float length = glm::length(span);
  const Vec3 d = length > 0.0f ? span / length : Vec3(0, 0, 1);
  const Vec3 size = glm::abs(d);
  // The smallest component is dropped and the other two are swapped; a tie, also one but for rounding, takes the later
  // axis.
  constexpr float kTie = 1e-6f;
  Vec3 u(0.0f, -d.z, d.y);
  if (size.y <= size.x + kTie) u = Vec3(-d.z, 0.0f, d.x);
  if (size.z <= std::min(size.x, size.y) + kTie) u = Vec3(-d.y, d.x, 0.0f);
  u = glm::normalize(u);
  const Vec3 v = glm::cross(d, u);
  const float margin = 0.01f * capsule.radius;

  Hull hull;
  hull.convex_radius = 0.99f * capsule.radius;
  for (int i = 0; i < 8; ++i) {
    const Vec3 end = i & 1 ? capsule.a - margin * d : capsule.b + margin * d;
    hull.vertices.push_back(end + (i & 2 ? -margin : margin) * u + (i & 4 ? -margin : margin) * v);
  }
  const std::vector<DVec3> stored = to_double(hull.vertices);
  for (const auto& loop : kLoops) {
    hull.faces.push_back({static_cast<std::uint16_t>(hull.indices.size()), 4, kHalfAngle});
    std::vector<DVec3> corners;
    for (std::uint8_t index : loop) {
      hull.indices.push_back(index);
      corners.push_back(stored[index]);
    }
    hull.planes.push_back(face_plane(corners));
  }
  return hull;
}

std::vector<std::uint8_t> min_half_angles(const Hull& hull) {
  std::map<std::pair<std::uint8_t, std::uint8_t>, std::size_t> face_of_edge;
  const auto for_each_edge = [&](auto&& visit) {
    for (std::size_t f = 0; f < hull.faces.size(); ++f) {
      const HullFace& face = hull.faces[f];
      for (std::size_t i = 0; i < face.index_count; ++i) {
        const std::size_t next = i + 1 == face.index_count ? 0 : i + 1;
        visit(f, hull.indices[face.first_index + i], hull.indices[face.first_index + next]);
      }
    }
  };
  for_each_edge([&](std::size_t f, std::uint8_t from, std::uint8_t to) { face_of_edge[{from, to}] = f; });
  std::vector<double> smallest(hull.faces.size(), std::numbers::pi);
  for_each_edge([&](std::size_t f, std::uint8_t from, std::uint8_t to) {
    const auto neighbour = face_of_edge.find({to, from});
    if (neighbour == face_of_edge.end()) return;
    const DVec3 a(hull.planes[f].normal);
    const DVec3 b(hull.planes[neighbour->second].normal);
    smallest[f] = std::min(smallest[f], std::atan2(glm::length(glm::cross(a, b)), glm::dot(a, b)));
  });
  std::vector<std::uint8_t> bytes;
  bytes.reserve(smallest.size());
  for (double angle : smallest)
    bytes.push_back(static_cast<std::uint8_t>(std::lround(angle / std::numbers::pi * 255.0)));
  return bytes;
}

std::vector<Vec3> padded_vertices(const Hull& hull) {
  std::vector<Vec3> padded = hull.vertices;
  while (!padded.empty() && padded.size() % 4 != 0) padded.push_back(hull.vertices.back());
  return padded;
}

std::vector<Plane> padded_planes(const Hull& hull) {
  const float never = std::bit_cast<float>(0xFF7FFFEEu);
  std::vector<Plane> padded = hull.planes;
  while (padded.size() % 4 != 0) padded.push_back({Vec3(0.0f), never});
  return padded;
}

Result<void> validate(const Hull& hull, float tolerance) {
  const auto wrong = [](std::string what, std::size_t face) {
    return fail(ErrorCode::Malformed, std::move(what), kNoOffset, "faces[" + std::to_string(face) + "]");
  };
  if (hull.planes.size() != hull.faces.size())
    return fail(ErrorCode::Malformed, "a hull must have as many planes as faces");
  std::map<std::pair<std::uint8_t, std::uint8_t>, int> edges;
  std::size_t next_index = 0;
  for (std::size_t f = 0; f < hull.faces.size(); ++f) {
    const HullFace& face = hull.faces[f];
    if (face.first_index != next_index) return wrong("the indices of the faces do not follow each other", f);
    next_index += face.index_count;
    if (face.index_count < 3 || next_index > hull.indices.size())
      return wrong("a face has too few or missing indices", f);
    const std::uint8_t* loop = hull.indices.data() + face.first_index;
    for (std::size_t i = 0; i < face.index_count; ++i) {
      if (loop[i] >= hull.vertices.size()) return wrong("an index is past the last vertex", f);
      if (++edges[{loop[i], loop[i + 1 == face.index_count ? 0 : i + 1]}] > 1) return wrong("an edge is used twice", f);
      const double distance = glm::dot(DVec3(hull.planes[f].normal), DVec3(hull.vertices[loop[i]])) +
                              static_cast<double>(hull.planes[f].offset);
      if (!(std::abs(distance) <= tolerance)) return wrong("a corner is off the plane of its face", f);
    }
    for (const Vec3& vertex : hull.vertices) {
      const double distance =
          glm::dot(DVec3(hull.planes[f].normal), DVec3(vertex)) + static_cast<double>(hull.planes[f].offset);
      if (!(distance <= tolerance)) return wrong("a vertex lies outside the plane", f);
    }
  }
  for (const auto& [edge, count] : edges)
    if (!edges.contains({edge.second, edge.first}))
      return fail(ErrorCode::Malformed, "the edge from vertex " + std::to_string(edge.first) + " to " +
                                            std::to_string(edge.second) + " has a face on one side only");
  return {};
}

}  // namespace marrow::geometry
