// SPDX-License-Identifier: MIT
#include "nif/bhk_measure.h"

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include <algorithm>
#include <numbers>

#include "geometry/hull/fit.h"
#include "geometry/solids/mass.h"
#include "nif/bhk/shape_reader.h"

namespace marrow::bhk {
namespace {

/// Of hulls, a choice: real files have factors of 1 to 1.73.
constexpr double kHullFactor = 1.5;

/// Centre and inertia about it for a mass of 1.
struct Solid {
  glm::dvec3 center{0.0};
  glm::dmat3 inertia{0.0};
};

Solid diagonal(const glm::dvec3& center, const glm::dvec3& moments) {
  Solid solid{.center = center};
  for (int i = 0; i < 3; ++i) solid.inertia[i][i] = moments[i];
  return solid;
}

Solid solid_box(const glm::dvec3& center, const glm::dvec3& half) {
  const glm::dvec3 q = half * half / 3.0;
  return diagonal(center, {q.y + q.z, q.x + q.z, q.x + q.y});
}

Solid solid_capsule(const Vec3& a, const Vec3& b, double r) {
  const glm::dvec3 span = glm::dvec3(b) - glm::dvec3(a);
  const double length = glm::length(span);
  const double cylinder = std::numbers::pi * r * r * length, sphere = 4.0 / 3.0 * std::numbers::pi * r * r * r;
  const double c = cylinder / (cylinder + sphere), s = 1.0 - c;
  const double along = c * r * r / 2.0 + 0.4 * s * r * r;
  const double across =
      c * (length * length / 12.0 + r * r / 4.0) + s * (0.4 * r * r + length * length / 4.0 + 0.375 * length * r);
  Solid solid{.center = (glm::dvec3(a) + glm::dvec3(b)) / 2.0, .inertia = glm::dmat3(across)};
  if (length > 0.0) solid.inertia += glm::outerProduct(span / length, span / length) * (along - across);
  return solid;
}

Solid solid_hull(const geometry::Hull& hull) {
  const geometry::MassProperties mass = geometry::mass_of(hull);
  if (!(mass.volume > 0.0)) return {};
  return {mass.center, mass.inertia * (kHullFactor / mass.volume)};
}

std::optional<Solid> solid_of(const CollisionSystem& system, const Shape& shape, int depth) {
  const double radius = double{shape.convex_radius};
  if (const auto* ball = std::get_if<BallShape>(&shape.geometry))
    return diagonal(glm::dvec3(ball->center), glm::dvec3(0.4 * radius * radius));
  if (const auto* capsule = std::get_if<CapsuleShape>(&shape.geometry))
    return solid_capsule(capsule->a, capsule->b, double{radius_of(shape, *capsule)});
  if (const auto* box = std::get_if<BoxShape>(&shape.geometry))
    return solid_box(glm::dvec3(0.0), glm::dvec3(box->half_extents) + radius);
  if (const auto* cylinder = std::get_if<CylinderShape>(&shape.geometry)) {
    const auto hull = geometry::cylinder_hull({cylinder->a, cylinder->b, cylinder->radius},
                                              geometry::Roundness::Outside, {.convex_radius = 0.0f});
    return hull ? std::optional(solid_hull(*hull)) : std::nullopt;
  }
  if (const auto* polytope = std::get_if<Polytope>(&shape.geometry)) {
    geometry::Hull hull{.vertices = polytope->vertices, .planes = {}, .faces = {}, .indices = {}};
    for (const Vec4& plane : polytope->outer_planes) hull.planes.push_back({Vec3(plane), plane.w});
    if (hull.planes.empty()) {
      for (const Vec4& plane : polytope->planes) hull.planes.push_back({Vec3(plane), plane.w});
      hull.convex_radius = shape.convex_radius;
    }
    return solid_hull(hull);
  }
  if (std::holds_alternative<MeshShape>(shape.geometry)) {
    const geometry::Aabb box = bounds_of(system, shape);
    if (box.empty()) return std::nullopt;
    return solid_box(glm::dvec3(box.min + box.max) / 2.0, glm::dvec3(box.max - box.min) / 2.0);
  }
  const auto placed = [](const Solid& solid, const Frame& frame) {
    const glm::dmat3 turn(frame.rotation);
    return Solid{turn * solid.center + glm::dvec3(frame.translation), turn * solid.inertia * glm::transpose(turn)};
  };
  if (depth == 0) return std::nullopt;
  if (const auto* moved = std::get_if<MovedShape>(&shape.geometry)) {
    const Shape* core = system.find_shape(moved->core);
    const auto solid = core ? solid_of(system, *core, depth - 1) : std::nullopt;
    return solid ? std::optional(placed(*solid, moved->frame)) : std::nullopt;
  }
  const auto* compound = std::get_if<CompoundShape>(&shape.geometry);
  if (!compound || compound->instances.empty()) return std::nullopt;
  // Each child has the same mass, whatever its volume.
  std::vector<Solid> parts;
  Solid whole;
  const double share = 1.0 / static_cast<double>(compound->instances.size());
  for (const ShapeInstance& instance : compound->instances) {
    const Shape* child = system.find_shape(instance.shape);
    const auto solid = child ? solid_of(system, *child, depth - 1) : std::nullopt;
    if (!solid) return std::nullopt;
    parts.push_back(placed(*solid, instance.frame));
    whole.center += parts.back().center * share;
  }
  for (const Solid& part : parts) {
    const glm::dvec3 d = part.center - whole.center;
    whole.inertia += (part.inertia + glm::dmat3(glm::dot(d, d)) - glm::outerProduct(d, d)) * share;
  }
  return whole;
}

}  // namespace

geometry::Aabb bounds(const CollisionSystem& system, const Shape& shape) { return bounds_of(system, shape); }

std::optional<LocalMass> measure(const CollisionSystem& system, const Shape& shape, float mass_kg) {
  constexpr int kMostNesting = 8;
  const auto solid = solid_of(system, shape, kMostNesting);
  if (!solid) return std::nullopt;
  LocalMass mass{.center = Vec3(solid->center)};
  for (int i = 0; i < 3; ++i) mass.inertia[i][i] = static_cast<float>(solid->inertia[i][i] * double{mass_kg});
  return mass;
}

float penetration_depth(const CollisionSystem& system, const Shape& shape, bool moves) {
  constexpr float kUsual = 0.15f, kMesh = 0.1f, kSmall = 0.1f;
  if (!moves) return std::holds_alternative<MeshShape>(shape.geometry) ? kMesh : kUsual;
  const geometry::Aabb box = bounds_of(system, shape);
  if (box.empty()) return kUsual;
  const Vec3 half = (box.max - box.min) * 0.5f;
  const float depth = 2.0f / 3.0f * (std::min({half.x, half.y, half.z}) + 0.001f);
  return depth < kSmall ? depth : kUsual;
}

SkyrimBody new_body() { return {}; }

MotionProperties new_motion_properties() {
  MotionProperties properties;
  properties.linear_damping = 0.099609375f;
  properties.angular_damping = 0.0498046875f;
  properties.max_linear_speed = 104.4f;
  properties.max_angular_speed = 31.57f;
  return properties;
}

Result<void> set_motion(CollisionSystem& system, std::size_t index, MotionType type, float mass_kg) {
  constexpr std::uint8_t kAnimStatic = 2;
  Body& body = system.bodies[index];
  if (!body.skyrim) body.skyrim = new_body();
  SkyrimBody& own = *body.skyrim;
  if (own.is_phantom() || type == MotionType::Phantom)
    return fail(ErrorCode::InvalidArgument, "a phantom has no motion", kNoOffset,
                "bodies[" + std::to_string(index) + "]");
  const Shape* shape = system.find_shape(body.shape);
  std::optional<LocalMass> mass = LocalMass{};
  if (type == MotionType::Dynamic) mass = shape ? measure(system, *shape, mass_kg) : std::nullopt;
  if (!mass)
    return fail(ErrorCode::InvalidArgument, "the volume of the shape is unknown, so the body cannot be made dynamic",
                kNoOffset, "bodies[" + std::to_string(index) + "]");
  if (!system.motion_of(body)) {
    body.motion = static_cast<std::uint32_t>(system.motions.size());
    system.motions.emplace_back().properties = static_cast<std::uint16_t>(system.motion_properties.size());
    system.motion_properties.push_back(new_motion_properties());
  }
  Motion& motion = system.motions[body.motion];
  motion.inverse_mass = type == MotionType::Dynamic ? 1.0f / mass_kg : 0.0f;
  motion.local = *mass;
  const bool is_bone = own.object == "bhkBlendCollisionObject";
  struct Row {
    std::uint8_t motion_system, quality, solver;
    std::uint16_t object_flags;
  };
  // What the layer would say otherwise, the motion system says.
  const bool on_animated = body.layer() == kAnimStatic;
  const Row row = is_bone                         ? Row{4, 1, 2, 0x89}
                  : type == MotionType::Static    ? Row{static_cast<std::uint8_t>(on_animated ? 7 : 5), 0, 1, 0x81}
                  : type == MotionType::Keyframed ? Row{static_cast<std::uint8_t>(on_animated ? 4 : 6), 1, 2, 0x89}
                                                  : Row{3, 4, 2, 0x81};
  own.motion_system = row.motion_system;
  body.quality = row.quality;
  own.solver_deactivation = row.solver;
  own.object_flags = row.object_flags;
  own.deactivator = 1;
  if (shape) own.penetration_depth = penetration_depth(system, *shape, type != MotionType::Static);
  return {};
}

}  // namespace marrow::bhk
