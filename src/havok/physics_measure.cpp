// SPDX-License-Identifier: MIT
#include "marrow/havok/physics_measure.h"

#include <algorithm>

#include "core/try.h"
#include "marrow/geometry/compound_tree.h"

namespace marrow::havok {
namespace {

using geometry::Aabb;

// The corners of a box, turned and moved.
Aabb moved(const Aabb& box, const Frame& frame, const Vec3& scale) {
  Aabb result;
  if (box.empty()) return result;
  for (int corner = 0; corner < 8; ++corner) {
    const Vec3 p((corner & 1) != 0 ? box.max.x : box.min.x, (corner & 2) != 0 ? box.max.y : box.min.y,
                 (corner & 4) != 0 ? box.max.z : box.min.z);
    geometry::include(result, frame.rotation * (scale * p) + frame.translation);
  }
  return result;
}

Aabb around(std::span<const Vec3> points, float radius, const Frame& frame, const Vec3& scale) {
  Aabb box;
  for (const Vec3& p : points) geometry::include(box, frame.rotation * (scale * p) + frame.translation);
  if (box.empty()) return box;
  return {box.min - Vec3(radius), box.max + Vec3(radius)};
}

}  // namespace

std::optional<geometry::Hull> hull_of(const Shape& shape) {
  if (const auto* capsule = std::get_if<CapsuleShape>(&shape.geometry))
    return geometry::capsule_hull({capsule->a, capsule->b, shape.convex_radius / kCapsuleRadiusPart});
  const auto* polytope = std::get_if<Polytope>(&shape.geometry);
  if (!polytope) return std::nullopt;
  geometry::Hull hull;
  hull.vertices = polytope->vertices;
  hull.indices = polytope->indices;
  hull.convex_radius = shape.convex_radius;
  for (const Vec4& plane : polytope->planes) hull.planes.push_back({Vec3(plane), plane.w});
  for (const PolytopeFace& face : polytope->faces)
    hull.faces.push_back({face.first_index, face.index_count, face.min_half_angle});
  return hull;
}

Shape shape_of(const geometry::Hull& hull) {
  Polytope polytope;
  polytope.vertices = hull.vertices;
  polytope.indices = hull.indices;
  for (const geometry::Plane& plane : hull.planes) polytope.planes.emplace_back(plane.normal, plane.offset);
  for (const geometry::HullFace& face : hull.faces)
    polytope.faces.push_back({face.first_index, face.index_count, face.min_half_angle});
  Shape shape;
  shape.convex_radius = hull.convex_radius;
  shape.geometry = std::move(polytope);
  const geometry::CompressedMassProperties mass = geometry::compress(geometry::mass_of(hull));
  shape.mass = ShapeMass{.mass = mass.mass,
                         .volume = mass.volume,
                         .center = geometry::unpack_vector(mass.center_of_mass),
                         .inertia = geometry::unpack_vector(mass.inertia),
                         .rotation = geometry::unpack_quat(mass.major_axis_space)};
  return shape;
}

Aabb bounds_of(const CollisionSystem& system, const Shape& shape, const Frame& frame, const Vec3& scale) {
  if (const auto hull = hull_of(shape)) return around(hull->vertices, shape.convex_radius, frame, scale);
  if (const auto* ball = std::get_if<BallShape>(&shape.geometry))
    return around({&ball->center, 1}, shape.convex_radius, frame, scale);
  if (const auto* mesh = std::get_if<MeshShape>(&shape.geometry))
    return moved(geometry::bounds_of(mesh->vertices), frame, scale);
  if (const auto* compound = std::get_if<CompoundShape>(&shape.geometry))
    return moved({compound->min, compound->max}, frame, scale);
  if (const auto* scaled = std::get_if<ScaledShape>(&shape.geometry))
    if (const Shape* core = system.find_shape(scaled->core)) {
      const Frame placed{frame.rotation, frame.rotation * (scale * scaled->translation) + frame.translation};
      return bounds_of(system, *core, placed, scale * scaled->scale);
    }
  return {};
}

std::optional<geometry::MassProperties> mass_properties(const CollisionSystem& system, const Shape& shape) {
  if (const auto* ball = std::get_if<BallShape>(&shape.geometry))
    return geometry::mass_of(geometry::Sphere{ball->center, shape.convex_radius});
  if (const auto* capsule = std::get_if<CapsuleShape>(&shape.geometry))
    return geometry::mass_of(geometry::Capsule{capsule->a, capsule->b, shape.convex_radius});
  if (const auto hull = hull_of(shape)) return geometry::mass_of(*hull);
  const Aabb box = bounds_of(system, shape);
  if (box.empty()) return std::nullopt;
  return geometry::mass_of(box);
}

Result<void> build_tree(const CollisionSystem& system, CompoundShape& compound) {
  std::vector<Aabb> boxes;
  for (std::size_t i = 0; i < compound.instances.size(); ++i) {
    const ShapeInstance& instance = compound.instances[i];
    const Shape* child = system.find_shape(instance.shape);
    boxes.push_back(child ? bounds_of(system, *child, instance.frame, instance.scale) : Aabb{});
    if (boxes.back().empty())
      return fail(ErrorCode::Unrepresentable, "the size of this child is not known", kNoOffset,
                  "instances[" + std::to_string(i) + "]");
  }
  MARROW_TRY(const geometry::CompoundTree tree, geometry::build_compound_tree(boxes));
  compound.nodes.clear();
  for (const auto& node : tree.nodes)
    compound.nodes.push_back({node.box.min, node.box.max, node.parent, node.left, node.right});
  compound.min = tree.nodes[tree.root].box.min;
  compound.max = tree.nodes[tree.root].box.max;
  return {};
}

}  // namespace marrow::havok
