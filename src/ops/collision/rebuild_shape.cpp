// SPDX-License-Identifier: MIT
#include "ops/collision/rebuild_shape.h"

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>
#include <glm/matrix.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "core/try.h"
#include "geometry/hull/fit.h"
#include "geometry/hull/hull.h"
#include "geometry/solids/mass.h"
#include "havok/physics/measure.h"
#include "ops/collision/shape_slot.h"

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

glm::dvec3 middle_of(std::span<const Vec3> points) {
  glm::dvec3 middle(0.0);
  for (const Vec3& point : points) middle += glm::dvec3(point) / static_cast<double>(points.size());
  return middle;
}

Shape capsule_shape(const geometry::Capsule& capsule, float radius_part) {
  Shape shape;
  shape.convex_radius = capsule.radius * radius_part;
  shape.geometry = CapsuleShape{capsule.a, capsule.b, radius_part};
  return shape;
}

// Returns the capsule that a capsule with `length_over_radius` has become that was scaled along its axis: as thick and
// as long as it is now, with round ends. Nothing if the points are not those of one.
std::optional<Shape> as_stretched_capsule(std::span<const Vec3> points, const Vec3& middle, const Vec3& axis,
                                          float length_over_radius, float radius_part) {
  const geometry::Capsule now = capsule_along(points, middle, axis).first;
  const float half = glm::dot(now.b - middle, axis), reach = half + now.radius;
  const float stretch = reach / (now.radius * (0.5f * length_over_radius + 1.0f));
  if (!(half > 0.0f) || !(stretch > 0.0f)) return std::nullopt;
  std::vector<Vec3> unscaled;
  for (const Vec3& point : points) {
    const float along = glm::dot(point - middle, axis);
    unscaled.push_back(point + axis * (along / stretch - along));
  }
  if (capsule_along(unscaled, middle, axis).second > kRoundness * now.radius) return std::nullopt;
  return capsule_shape(now, radius_part);
}

// An exported capsule is as symmetric as a capsule is, so that one of the principal axes of its points is its own.
std::optional<Shape> as_capsule(std::span<const Vec3> points, float length_over_radius, float radius_part) {
  const glm::dvec3 middle = middle_of(points);
  glm::dmat3 spread(0.0);
  for (const Vec3& point : points) spread += glm::outerProduct(glm::dvec3(point) - middle, glm::dvec3(point) - middle);
  const glm::dmat3 axes = glm::mat3_cast(geometry::principal_inertia(spread).rotation);
  for (int i = 0; i < 3; ++i) {
    const auto [capsule, farthest] = capsule_along(points, Vec3(middle), Vec3(axes[i]));
    if (farthest <= kRoundness * capsule.radius) return capsule_shape(capsule, radius_part);
  }
  for (int i = 0; i < 3; ++i)
    if (auto stretched = as_stretched_capsule(points, Vec3(middle), Vec3(axes[i]), length_over_radius, radius_part))
      return stretched;
  return std::nullopt;
}

// Returns the box about the origin whose corners the points are; nothing if they are not.
std::optional<Shape> as_box(std::span<const Vec3> points, float radius, bool solid) {
  Vec3 half(0.0f);
  for (const Vec3& point : points) half = glm::max(half, glm::abs(point));
  const float tolerance = 1e-4f * std::max({half.x, half.y, half.z});
  for (const Vec3& point : points)
    for (int axis = 0; axis < 3; ++axis)
      if (std::abs(std::abs(point[axis]) - half[axis]) > tolerance) return std::nullopt;
  if (solid) half -= Vec3(radius);
  if (points.size() < 8 || !(std::min({half.x, half.y, half.z}) > 0.0f)) return std::nullopt;
  Shape shape;
  shape.convex_radius = radius;
  shape.geometry = BoxShape{half};
  return shape;
}

float length_over_radius(const Shape& shape) {
  const auto& capsule = std::get<CapsuleShape>(shape.geometry);
  const float radius = radius_of(shape, capsule);
  return radius > 0.0f ? glm::length(capsule.b - capsule.a) / radius : 0.0f;
}

/// A convex shape from a surface, and what is to be said about it.
struct ConvexResult {
  Shape shape;
  std::string what;
};

// Returns the shape that a convex shape becomes whose surface has these points: of its own kind if it can be.
Result<ConvexResult> rebuilt_convex(const CollisionSystem& system, const Shape& before, std::span<const Vec3> points,
                                    bool solid) {
  const std::string kind(type_name(before));
  if (std::holds_alternative<BallShape>(before.geometry))
    if (auto ball = as_ball(points)) return ConvexResult{std::move(*ball), "it stays a sphere"};
  if (const auto* own = std::get_if<CapsuleShape>(&before.geometry)) {
    if (auto capsule = as_capsule(points, length_over_radius(before), own->radius_part))
      return ConvexResult{std::move(*capsule), "it stays a capsule"};
    if (auto ball = as_ball(points)) return ConvexResult{std::move(*ball), "it is a sphere now"};
  }
  if (std::holds_alternative<BoxShape>(before.geometry))
    if (auto box = as_box(points, before.convex_radius, solid)) return ConvexResult{std::move(*box), "it stays a box"};
  const bool is_core = std::holds_alternative<Polytope>(before.geometry) ||
                       std::holds_alternative<BoxShape>(before.geometry) ||
                       std::holds_alternative<CylinderShape>(before.geometry);
  MARROW_TRY(const geometry::Hull hull,
             is_core ? hull_of_core(system, points, before.convex_radius, solid) : hull_of_surface(system, points));
  std::string what = is_core ? "it stays a hull" : "it is no longer a " + kind + ", so it becomes a hull";
  if (hull.vertices.size() == geometry::kMaxHullVertices)
    what += ", reduced to " + std::to_string(geometry::kMaxHullVertices) + " vertices, the maximum for a hull";
  return ConvexResult{havok::shape_of(hull), std::move(what)};
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

Result<RebuiltShape> rebuild_solid(CollisionSystem& system, const PlacedShape& placed, const CollisionMesh& old,
                                   const ReturnedSurface& now, const SurfaceMatch& match, bool is_solid) {
  if (match.same_points) return RebuiltShape{};
  const std::vector<Vec3> points = used_points(local_points(system, placed, now, match, {}), now);
  auto& mesh = std::get<MeshShape>(own_shape(system, old.slot).geometry);
  if (*old.slot.solid >= mesh.solids.size()) return RebuiltShape{};
  MergedSolid& solid = mesh.solids[*old.slot.solid];
  const bool is_core = solid.kind == MergedSolidKind::Convex;
  MARROW_TRY(const geometry::Hull hull,
             is_core ? hull_of_core(system, points, solid.radius, is_solid) : hull_of_surface(system, points));
  solid = {MergedSolidKind::Convex, hull.convex_radius, hull.vertices, solid.material, solid.key};
  return RebuiltShape{true, is_core ? "it stays a solid of its mesh" : "it becomes a hull in its mesh"};
}

}  // namespace

Result<RebuiltShape> rebuild_shape(CollisionSystem& system, const CollisionSystem& before, const CollisionMesh& old,
                                   const ReturnedSurface& now, const SurfaceMatch& match, bool solid) {
  const auto placed = find_slot(before, old.slot);
  if (!placed) return RebuiltShape{};
  const Shape& shape = *before.find_shape(placed->shape);
  if (old.slot.solid) return rebuild_solid(system, *placed, old, now, match, solid);
  if (const auto* mesh = std::get_if<MeshShape>(&shape.geometry)) {
    if (match.same_triangles) return RebuiltShape{};
    if (mesh->undecoded_count > 0)
      return fail(ErrorCode::Unsupported, "the mesh contains solids of an unknown kind, so it cannot be built anew");
    const std::vector<Vec3> points = local_points(system, *placed, now, match, mesh->vertices);
    MeshShape rebuilt = rebuilt_mesh(*mesh, points, now, before.bodies[old.slot.body].filter);
    own_shape(system, old.slot).geometry = std::move(rebuilt);
    return RebuiltShape{true, "it stays a mesh"};
  }
  const std::uint32_t material = main_material(now);
  if (match.same_points) {
    if (old.materials.empty() || material == old.materials.front()) return RebuiltShape{};
    own_shape(system, old.slot).material = material;
    return RebuiltShape{true, "it has another material"};
  }
  const auto* polytope = solid ? nullptr : std::get_if<Polytope>(&shape.geometry);
  const std::vector<Vec3> points = local_points(
      system, *placed, now, match, polytope ? std::span<const Vec3>(polytope->vertices) : std::span<const Vec3>{});
  MARROW_TRY(ConvexResult rebuilt, rebuilt_convex(system, shape, used_points(points, now), solid));
  Shape& own = own_shape(system, old.slot);
  rebuilt.shape.source = own.source;
  rebuilt.shape.material = material;
  if (rebuilt.shape.geometry.index() == shape.geometry.index()) rebuilt.shape.flags = shape.flags;
  const auto* ball = std::get_if<BallShape>(&shape.geometry);
  const Vec3 center = ball ? ball->center : Vec3(0.0f);
  own = std::move(rebuilt.shape);
  // The body of a sphere stands at its centre.
  if (ball && old.slot.path.empty() && !system.bodies[old.slot.body].skyrim) {
    Body& body = system.bodies[old.slot.body];
    const auto* moved = std::get_if<BallShape>(&own.geometry);
    body.position += Vec4(body.orientation * ((moved ? moved->center : Vec3(0.0f)) - center), 0.0f);
  }
  return RebuiltShape{true, std::move(rebuilt.what)};
}

namespace {

// Returns a frame in the space of a node in that of the body's shape, which the body may place once more.
Frame below(const Body& body, const Frame& frame) {
  const Frame own = body.shape_frame();
  const glm::mat3 back = glm::transpose(own.rotation);
  return {back * frame.rotation, back * (frame.translation - own.translation)};
}

// Returns the instance that stands for a copy of a mesh or box in another place.
std::optional<ShapeInstance> moved_copy(const CollisionSystem& system, const CollisionSystem& before,
                                        const NewChild& child) {
  if (!child.moved) return std::nullopt;
  const auto placed = find_slot(before, child.model->slot);
  // What the model itself has become counts only if it is still the shape that was copied.
  if (!placed || placed->scale != Vec3(1.0f) || child.model->slot.solid ||
      system.shapes[static_cast<std::size_t>(placed->shape)] != *before.find_shape(placed->shape))
    return std::nullopt;
  const Frame frame = {
      child.moved->rotation * placed->frame.rotation,
      child.moved->rotation * placed->frame.translation + child.moved->translation / system.game_units};
  return ShapeInstance{.shape = placed->shape, .frame = below(before.bodies[child.model->slot.body], frame)};
}

std::vector<Vec3> points_in_shape(const CollisionSystem& system, const Body& body, const ReturnedSurface& surface) {
  std::vector<Vec3> points;
  for (const Vec3& vertex : surface.vertices)
    points.push_back(below(body, {.translation = vertex / system.game_units}).translation);
  return points;
}

Result<Shape> new_shape(const CollisionSystem& system, const CollisionSystem& before, std::size_t body,
                        const NewChild& child, bool solid) {
  const std::vector<Vec3> points = points_in_shape(system, before.bodies[body], child.surface);
  const auto placed = child.model ? find_slot(before, child.model->slot) : std::nullopt;
  const Shape* model = placed && !child.model->slot.solid ? before.find_shape(placed->shape) : nullptr;
  Shape shape;
  if (const auto* mesh = model ? std::get_if<MeshShape>(&model->geometry) : nullptr) {
    MeshShape kind;
    kind.materials = mesh->materials;
    shape.geometry = rebuilt_mesh(kind, points, child.surface, before.bodies[body].filter);
  } else if (model) {
    MARROW_TRY(ConvexResult built, rebuilt_convex(system, *model, used_points(points, child.surface), solid));
    shape = std::move(built.shape);
  } else {
    MARROW_TRY(const geometry::Hull hull, hull_of_surface(system, used_points(points, child.surface)));
    shape = havok::shape_of(hull);
  }
  shape.material = main_material(child.surface);
  return shape;
}

// Returns the box whose corners the points are, wherever it lies; nothing if they are not.
std::optional<std::pair<Shape, Frame>> as_placed_box(std::span<const Vec3> points, float radius, bool solid) {
  const auto box = geometry::fit_box(points);
  if (!box) return std::nullopt;
  const Frame frame{glm::mat3_cast(box->rotation), box->center};
  std::vector<Vec3> inside;
  for (const Vec3& point : points) inside.push_back(glm::transpose(frame.rotation) * (point - frame.translation));
  auto shape = as_box(inside, radius, solid);
  if (!shape) return std::nullopt;
  return std::pair(std::move(*shape), frame);
}

// Returns the instance that stands for a new object, built in the space of the body's shape.
Result<ShapeInstance> new_instance(CollisionSystem& system, const CollisionSystem& before, std::size_t body,
                                   const NewChild& child, bool solid) {
  const auto placed = child.model ? find_slot(before, child.model->slot) : std::nullopt;
  const Shape* model = placed && !child.model->slot.solid ? before.find_shape(placed->shape) : nullptr;
  if (model && std::holds_alternative<BoxShape>(model->geometry))
    if (auto box =
            as_placed_box(used_points(points_in_shape(system, before.bodies[body], child.surface), child.surface),
                          model->convex_radius, solid)) {
      box->first.material = main_material(child.surface);
      return ShapeInstance{.shape = system.add_shape(std::move(box->first)), .frame = box->second};
    }
  MARROW_TRY(Shape shape, new_shape(system, before, body, child, solid));
  return ShapeInstance{.shape = system.add_shape(std::move(shape))};
}

}  // namespace

Result<std::string> add_child(CollisionSystem& system, const CollisionSystem& before, std::size_t index,
                              const NewChild& child, bool solid) {
  std::optional<ShapeInstance> instance = moved_copy(system, before, child);
  if (!instance) {
    MARROW_TRY(instance, new_instance(system, before, index, child, solid));
  }
  const std::string kind(type_name(*system.find_shape(instance->shape)));
  const Shape* root = system.find_shape(system.bodies[index].shape);
  if (std::holds_alternative<CompoundShape>(root->geometry)) {
    std::get<CompoundShape>(own_shape(system, {.body = index}).geometry).instances.push_back(*instance);
    return kind;
  }
  Shape both;
  both.material = root->material;
  both.geometry = CompoundShape{.instances = {{.shape = system.bodies[index].shape}, *instance}};
  system.bodies[index].shape = system.add_shape(std::move(both));
  return kind;
}

void remove_children(CollisionSystem& system, std::size_t body, std::span<const std::uint32_t> children) {
  auto& compound = std::get<CompoundShape>(own_shape(system, {.body = body}).geometry);
  std::vector<ShapeInstance> kept;
  for (std::uint32_t i = 0; i < compound.instances.size(); ++i)
    if (!std::ranges::binary_search(children, i)) kept.push_back(compound.instances[i]);
  compound.instances = std::move(kept);
}

}  // namespace marrow
