// SPDX-License-Identifier: MIT
#include "ops/rebuild_shape.h"

#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>
#include <glm/matrix.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "core/try.h"
#include "marrow/geometry/fit.h"
#include "marrow/geometry/hull.h"
#include "marrow/geometry/mass.h"
#include "marrow/havok/physics_measure.h"
#include "ops/shape_slot.h"

namespace marrow {
namespace {

constexpr float kFlatThickness = 0.02f;  // Havok units
/// The convex radius of a hull whose corners are to be where they were drawn, game units.
constexpr float kDrawnRadius = 0.2f;
/// A sphere or capsule stays one if its surface is off by at most this part of its radius.
constexpr float kRoundness = 0.01f;

float havok_units(const CollisionSystem& system, float length) {
  return length * kGameUnitsPerHavokUnit / system.game_units;
}

std::uint32_t main_material(const ReturnedSurface& surface) {
  std::map<std::uint32_t, std::size_t> counts;
  for (const std::uint32_t crc : surface.materials) ++counts[crc];
  if (counts.empty()) return 0;
  return std::ranges::max_element(counts, {}, [](const auto& entry) { return entry.second; })->first;
}

// Returns the points of a surface in the space of its shape. Those that have not moved are the shape's own, to the bit.
std::vector<Vec3> local_points(const CollisionSystem& system, const PlacedShape& placed, const ReturnedSurface& now,
                               const SurfaceMatch& match, std::span<const Vec3> own) {
  const glm::mat3 back = glm::transpose(placed.frame.rotation);
  std::vector<Vec3> points;
  for (std::size_t i = 0; i < now.vertices.size(); ++i) {
    const auto& same = match.vertices[i];
    const Vec3 moved = (back * (now.vertices[i] / system.game_units - placed.frame.translation)) / placed.scale;
    points.push_back(same && *same < own.size() ? own[*same] : moved);
  }
  return points;
}

std::vector<Vec3> used_points(std::span<const Vec3> points, const ReturnedSurface& surface) {
  std::vector<bool> used(points.size());
  for (const auto& triangle : surface.triangles)
    for (const std::uint32_t corner : triangle) used[corner] = true;
  std::vector<Vec3> out;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (used[i]) out.push_back(points[i]);
  return out;
}

geometry::HullOptions hull_options(const CollisionSystem& system, float radius) {
  return {.convex_radius = radius, .flat_thickness = havok_units(system, kFlatThickness)};
}

// Returns the hull whose core was drawn, or whose core and radius together were.
Result<geometry::Hull> hull_of_core(const CollisionSystem& system, std::span<const Vec3> points, float radius,
                                    bool solid) {
  if (solid) return geometry::build_hull(points, hull_options(system, radius));
  MARROW_TRY(geometry::Hull hull, geometry::build_hull(points, hull_options(system, 0.0f)));
  hull.convex_radius = radius;
  return hull;
}

// Returns the hull of a surface as it was drawn: with a radius that is too small to be seen.
Result<geometry::Hull> hull_of_surface(const CollisionSystem& system, std::span<const Vec3> points) {
  return hull_of_core(system, points, kDrawnRadius / system.game_units, false);
}

std::optional<Shape> as_ball(std::span<const Vec3> points) {
  const auto sphere = geometry::fit_sphere(points);
  if (!sphere || !(sphere->radius > 0.0f)) return std::nullopt;
  for (const Vec3& point : points)
    if (std::abs(glm::length(point - sphere->center) - sphere->radius) > kRoundness * sphere->radius)
      return std::nullopt;
  Shape shape;
  shape.convex_radius = sphere->radius;
  shape.geometry = BallShape{sphere->center};
  return shape;
}

// Returns the capsule about an axis through the middle of points that touch it from inside, and the farthest that one
// of them is from its surface.
std::pair<geometry::Capsule, float> capsule_along(std::span<const Vec3> points, const Vec3& middle, const Vec3& axis) {
  geometry::Capsule capsule;
  float reach = 0.0f;
  for (const Vec3& point : points) {
    const float along = glm::dot(point - middle, axis);
    reach = std::max(reach, std::abs(along));
    capsule.radius = std::max(capsule.radius, glm::length(point - middle - axis * along));
  }
  const float half = reach - capsule.radius;
  capsule.a = middle - axis * half;
  capsule.b = middle + axis * half;
  float farthest = half > 0.0f ? 0.0f : std::numeric_limits<float>::max();
  for (const Vec3& point : points) {
    const float along = std::clamp(glm::dot(point - middle, axis), -half, std::max(half, -half));
    farthest = std::max(farthest, std::abs(glm::length(point - middle - axis * along) - capsule.radius));
  }
  return {capsule, farthest};
}

// An exported capsule is as symmetric as a capsule is, so that one of the principal axes of its points is its own.
std::optional<Shape> as_capsule(std::span<const Vec3> points) {
  glm::dvec3 middle(0.0);
  for (const Vec3& point : points) middle += glm::dvec3(point) / static_cast<double>(points.size());
  glm::dmat3 spread(0.0);
  for (const Vec3& point : points) spread += glm::outerProduct(glm::dvec3(point) - middle, glm::dvec3(point) - middle);
  const glm::dmat3 axes = glm::mat3_cast(geometry::principal_inertia(spread).rotation);
  for (int i = 0; i < 3; ++i) {
    const auto [capsule, farthest] = capsule_along(points, Vec3(middle), Vec3(axes[i]));
    if (farthest > kRoundness * capsule.radius) continue;
    Shape shape;
    shape.convex_radius = capsule.radius * havok::kCapsuleRadiusPart;
    shape.geometry = CapsuleShape{capsule.a, capsule.b};
    return shape;
  }
  return std::nullopt;
}

Result<Shape> rebuilt_convex(const CollisionSystem& system, const Shape& before, std::span<const Vec3> points,
                             bool solid, const std::string& name, Notes& notes) {
  const auto note = [&](std::string message) {
    notes.push_back({std::move(message), kNoOffset, "object '" + name + "'"});
  };
  if (std::holds_alternative<BallShape>(before.geometry))
    if (auto ball = as_ball(points)) return std::move(*ball);
  if (std::holds_alternative<CapsuleShape>(before.geometry)) {
    if (auto capsule = as_capsule(points)) return std::move(*capsule);
    if (auto ball = as_ball(points)) return std::move(*ball);
  }
  const bool is_core = std::holds_alternative<Polytope>(before.geometry);
  MARROW_TRY(const geometry::Hull hull,
             is_core ? hull_of_core(system, points, before.convex_radius, solid) : hull_of_surface(system, points));
  if (!is_core) note("it is no longer a " + std::string(type_name(before)) + ", so it becomes a hull");
  if (hull.vertices.size() == geometry::kMaxHullVertices)
    note("the hull was reduced to " + std::to_string(geometry::kMaxHullVertices) + " vertices, the maximum for a hull");
  return havok::shape_of(hull);
}

MeshShape rebuilt_mesh(const MeshShape& before, std::span<const Vec3> points, const ReturnedSurface& now,
                       std::uint32_t filter) {
  MeshShape mesh;
  mesh.solids = before.solids;
  mesh.materials = before.materials;
  if (!before.materials.empty()) filter = before.materials.front().filter;
  std::map<std::array<float, 3>, std::uint32_t> number_of;
  const auto vertex = [&](const Vec3& p) {
    const auto [found, is_new] =
        number_of.try_emplace({p.x, p.y, p.z}, static_cast<std::uint32_t>(mesh.vertices.size()));
    if (is_new) mesh.vertices.push_back(p);
    return found->second;
  };
  for (std::size_t i = 0; i < now.triangles.size(); ++i) {
    auto material = std::ranges::find(mesh.materials, now.materials[i], &MeshMaterial::crc);
    if (material == mesh.materials.end())
      material = mesh.materials.insert(material, MeshMaterial{filter, now.materials[i]});
    const auto& [a, b, c] = now.triangles[i];
    mesh.faces.push_back({{vertex(points[a]), vertex(points[b]), vertex(points[c])},
                          static_cast<std::uint16_t>(material - mesh.materials.begin()),
                          0});
  }
  return mesh;
}

Result<bool> rebuild_solid(CollisionSystem& system, const PlacedShape& placed, const CollisionMesh& old,
                           const ReturnedSurface& now, const SurfaceMatch& match, bool is_solid) {
  if (match.same_points) return false;
  const std::vector<Vec3> points = used_points(local_points(system, placed, now, match, {}), now);
  auto& mesh = std::get<MeshShape>(own_shape(system, old.slot).geometry);
  if (*old.slot.solid >= mesh.solids.size()) return false;
  MergedSolid& solid = mesh.solids[*old.slot.solid];
  const bool is_core = solid.kind == MergedSolidKind::Convex;
  MARROW_TRY(const geometry::Hull hull,
             is_core ? hull_of_core(system, points, solid.radius, is_solid) : hull_of_surface(system, points));
  solid = {MergedSolidKind::Convex, hull.convex_radius, hull.vertices, solid.material, solid.key};
  return true;
}

}  // namespace

Result<bool> rebuild_shape(CollisionSystem& system, const CollisionSystem& before, const CollisionMesh& old,
                           const ReturnedSurface& now, const SurfaceMatch& match, bool solid, Notes& notes) {
  const auto placed = find_slot(before, old.slot);
  if (!placed) return false;
  const Shape& shape = *before.find_shape(placed->shape);
  if (old.slot.solid) return rebuild_solid(system, *placed, old, now, match, solid);
  if (const auto* mesh = std::get_if<MeshShape>(&shape.geometry)) {
    if (match.same_triangles) return false;
    if (mesh->undecoded_count > 0)
      return fail(ErrorCode::Unsupported, "the mesh contains solids of an unknown kind, so it cannot be built anew");
    const std::vector<Vec3> points = local_points(system, *placed, now, match, mesh->vertices);
    MeshShape rebuilt = rebuilt_mesh(*mesh, points, now, before.bodies[old.slot.body].filter);
    own_shape(system, old.slot).geometry = std::move(rebuilt);
    return true;
  }
  const std::uint32_t material = main_material(now);
  if (match.same_points) {
    if (old.materials.empty() || material == old.materials.front()) return false;
    own_shape(system, old.slot).material = material;
    return true;
  }
  const auto* polytope = solid ? nullptr : std::get_if<Polytope>(&shape.geometry);
  const std::vector<Vec3> points = local_points(
      system, *placed, now, match, polytope ? std::span<const Vec3>(polytope->vertices) : std::span<const Vec3>{});
  MARROW_TRY(Shape rebuilt, rebuilt_convex(system, shape, used_points(points, now), solid, old.name, notes));
  Shape& own = own_shape(system, old.slot);
  rebuilt.source = own.source;
  rebuilt.material = material;
  if (rebuilt.geometry.index() == shape.geometry.index()) rebuilt.flags = shape.flags;
  const auto* ball = std::get_if<BallShape>(&shape.geometry);
  const Vec3 center = ball ? ball->center : Vec3(0.0f);
  own = std::move(rebuilt);
  // The body of a sphere stands at its centre.
  if (ball && old.slot.path.empty()) {
    Body& body = system.bodies[old.slot.body];
    const auto* moved = std::get_if<BallShape>(&own.geometry);
    body.position += Vec4(body.orientation * ((moved ? moved->center : Vec3(0.0f)) - center), 0.0f);
  }
  return true;
}

Result<void> add_child(CollisionSystem& system, std::size_t index, const ReturnedSurface& surface) {
  std::vector<Vec3> points;
  for (const Vec3& vertex : surface.vertices) points.push_back(vertex / system.game_units);
  MARROW_TRY(const geometry::Hull hull, hull_of_surface(system, used_points(points, surface)));
  Shape child = havok::shape_of(hull);
  child.material = main_material(surface);
  const ShapeId added = system.add_shape(std::move(child));
  Shape& root = own_shape(system, {.body = index});
  if (auto* compound = std::get_if<CompoundShape>(&root.geometry)) {
    compound->instances.push_back({.shape = added});
    return {};
  }
  Shape both;
  both.material = root.material;
  both.geometry = CompoundShape{.instances = {{.shape = system.bodies[index].shape}, {.shape = added}}};
  system.bodies[index].shape = system.add_shape(std::move(both));
  return {};
}

void remove_children(CollisionSystem& system, std::size_t body, std::span<const std::uint32_t> children) {
  auto& compound = std::get<CompoundShape>(own_shape(system, {.body = body}).geometry);
  std::vector<ShapeInstance> kept;
  for (std::uint32_t i = 0; i < compound.instances.size(); ++i)
    if (!std::ranges::binary_search(children, i)) kept.push_back(compound.instances[i]);
  compound.instances = std::move(kept);
}

}  // namespace marrow
