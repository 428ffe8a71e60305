// SPDX-License-Identifier: MIT
#include "havok/physics/measure.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "core/try.h"
#include "geometry/hull/fit.h"
#include "geometry/mesh/compound_tree.h"

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

// Mass properties as a shape stores them.
ShapeMass stored_mass(const geometry::MassProperties& properties) {
  const geometry::CompressedMassProperties mass = geometry::compress(properties);
  return {.mass = mass.mass,
          .volume = mass.volume,
          .center = geometry::unpack_vector(mass.center_of_mass),
          .inertia = geometry::unpack_vector(mass.inertia),
          .rotation = geometry::unpack_quat(mass.major_axis_space)};
}

std::optional<geometry::Hull> with_radius(Result<geometry::Hull> core, float radius) {
  if (!core) return std::nullopt;
  core->convex_radius = radius;
  return std::move(*core);
}

}  // namespace

std::optional<geometry::Hull> hull_of(const Shape& shape) {
  if (const auto* capsule = std::get_if<CapsuleShape>(&shape.geometry))
    return geometry::capsule_hull({capsule->a, capsule->b, radius_of(shape, *capsule)});
  if (const auto* box = std::get_if<BoxShape>(&shape.geometry))
    return with_radius(geometry::box_hull({.half_extents = box->half_extents}, 0.0f), shape.convex_radius);
  if (const auto* cylinder = std::get_if<CylinderShape>(&shape.geometry))
    return with_radius(geometry::cylinder_hull({cylinder->a, cylinder->b, cylinder->radius},
                                               geometry::Roundness::Outside, {.convex_radius = 0.0f}),
                       shape.convex_radius);
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
  shape.mass = stored_mass(geometry::mass_of(hull));
  return shape;
}

Aabb bounds_of(const CollisionSystem& system, const Shape& shape, const Frame& frame, const Vec3& scale) {
  if (const auto hull = hull_of(shape)) return around(hull->vertices, shape.convex_radius, frame, scale);
  if (const auto* ball = std::get_if<BallShape>(&shape.geometry))
    return around({&ball->center, 1}, shape.convex_radius, frame, scale);
  if (const auto* mesh = std::get_if<MeshShape>(&shape.geometry)) {
    Aabb box = geometry::bounds_of(mesh->vertices);
    for (const MergedSolid& solid : mesh->solids)
      geometry::include(box, around(solid.vertices, solid.radius, {}, Vec3(1.0f)));
    return moved(box, frame, scale);
  }
  if (const auto* compound = std::get_if<CompoundShape>(&shape.geometry))
    return moved({compound->min, compound->max}, frame, scale);
  if (const auto* scaled = std::get_if<ScaledShape>(&shape.geometry))
    if (const Shape* core = system.find_shape(scaled->core)) {
      const Frame placed{frame.rotation, frame.rotation * (scale * scaled->translation) + frame.translation};
      return bounds_of(system, *core, placed, scale * scaled->scale);
    }
  if (const auto* shifted = std::get_if<MovedShape>(&shape.geometry))
    if (const Shape* core = system.find_shape(shifted->core)) {
      const Frame placed{frame.rotation * shifted->frame.rotation,
                         frame.rotation * (scale * shifted->frame.translation) + frame.translation};
      return bounds_of(system, *core, placed, scale);
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

namespace {

bool holds(const CompoundNode& outer, const Vec3& min, const Vec3& max) {
  const float slack = 4e-6f * std::max(1.0f, glm::length(outer.max - outer.min));
  for (int i = 0; i < 3; ++i)
    if (!(min[i] >= outer.min[i] - slack && max[i] <= outer.max[i] + slack)) return false;
  return true;
}

double part_off(double is, double should) { return std::abs(is - should) / std::abs(should); }

// How far a motion is from that of a solid with its mass.
InertiaError error_against(const Motion& motion, const geometry::MassProperties& solid) {
  const geometry::BodyInertia right = geometry::body_inertia(solid, 1.0 / double{motion.inverse_mass});
  InertiaError error;
  error.mass_factor = part_off(double{motion.mass_factor}, double{right.mass_factor});
  for (int axis = 0; axis < 3; ++axis)
    error.inertia =
        std::max(error.inertia, part_off(double{motion.inverse_inertia[axis]}, double{right.inverse_inertia[axis]}));
  return error;
}

}  // namespace

Notes verify_tree(const CollisionSystem& system, const CompoundShape& compound) {
  Notes notes;
  const auto wrong = [&](std::size_t node, std::string message) {
    notes.push_back({std::move(message), kNoOffset, "nodes[" + std::to_string(node) + "]"});
  };
  std::vector<std::uint32_t> leaves(compound.instances.size());
  std::vector<std::size_t> open = {1};
  for (std::size_t visited = 0; !open.empty() && visited <= compound.nodes.size(); ++visited) {
    const std::size_t at = open.back();
    open.pop_back();
    if (at >= compound.nodes.size()) {
      wrong(at, "the bounding tree leads out of its nodes");
      return notes;
    }
    const CompoundNode& node = compound.nodes[at];
    if (node.left != 0) {
      for (const std::size_t child : {std::size_t{node.left}, std::size_t{node.right}}) {
        if (child < compound.nodes.size() && !holds(node, compound.nodes[child].min, compound.nodes[child].max))
          wrong(child, "the box sticks out of its parent's");
        open.push_back(child);
      }
      continue;
    }
    if (node.right >= compound.instances.size()) {
      wrong(at, "a leaf names a child that is not there");
      return notes;
    }
    ++leaves[node.right];
    const ShapeInstance& instance = compound.instances[node.right];
    const Shape* child = system.find_shape(instance.shape);
    const Aabb box = child ? bounds_of(system, *child, instance.frame, instance.scale) : Aabb{};
    if (!box.empty() && !holds(node, box.min, box.max)) wrong(at, "the child sticks out of its box");
  }
  for (std::size_t i = 0; i < leaves.size(); ++i)
    if (leaves[i] != 1)
      wrong(0, "child " + std::to_string(i) + " has " + std::to_string(leaves[i]) + " leaves instead of one");
  Aabb whole;
  for (const ShapeInstance& instance : compound.instances)
    if (const Shape* child = system.find_shape(instance.shape))
      geometry::include(whole, bounds_of(system, *child, instance.frame, instance.scale));
  const CompoundNode box{.min = compound.min, .max = compound.max};
  if (!whole.empty() && !holds(box, whole.min, whole.max))
    notes.push_back({"the box of the compound does not hold its children", kNoOffset, "aabb"});
  return notes;
}

std::optional<InertiaError> inertia_error(const CollisionSystem& system, const Body& body) {
  const Shape* shape = system.find_shape(body.shape);
  if (!shape || motion_type(system, body) != MotionType::Dynamic) return std::nullopt;
  const auto measured = mass_properties(system, *shape);
  if (!measured || !(measured->volume > 0.0)) return std::nullopt;
  const Motion& motion = *system.motion_of(body);
  const InertiaError error = error_against(motion, *measured);
  if (!std::holds_alternative<Polytope>(shape->geometry)) return error;
  // The game's tool measures hulls that it finds too flat as their boxes.
  const InertiaError as_box = error_against(motion, geometry::mass_of(bounds_of(system, *shape)));
  return as_box.mass_factor < error.mass_factor ? as_box : error;
}

namespace {

bool is_mass_of(const ShapeMass& own, const ShapeMass& right, float size) {
  constexpr float kTolerance = 0.01f;
  const float largest = std::max({right.inertia.x, right.inertia.y, right.inertia.z});
  return std::abs(own.volume - right.volume) <= kTolerance * right.volume &&
         std::abs(own.mass - right.mass) <= kTolerance * right.mass &&
         glm::distance(own.center, right.center) <= kTolerance * size &&
         glm::distance(own.inertia, right.inertia) <= kTolerance * largest;
}

}  // namespace

bool has_right_mass(const Shape& shape) {
  const auto hull = hull_of(shape);
  if (!hull || !shape.mass) return false;
  const Aabb box = geometry::bounds_of(hull->vertices);
  const float size = glm::length(box.max - box.min) + shape.convex_radius;
  if (is_mass_of(*shape.mass, *shape_of(*hull).mass, size)) return true;
  // The game's tool measures hulls that it finds too flat as their boxes.
  return is_mass_of(
      *shape.mass,
      stored_mass(geometry::mass_of(Aabb{box.min - Vec3(shape.convex_radius), box.max + Vec3(shape.convex_radius)})),
      size);
}

}  // namespace marrow::havok
