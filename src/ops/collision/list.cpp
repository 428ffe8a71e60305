// SPDX-License-Identifier: MIT
#include <algorithm>

#include "core/try.h"
#include "havok/physics/measure.h"
#include "marrow/model/collision_names.h"
#include "nif/legacy.h"
#include "ops/collision/collision.h"
#include "ops/table/define.h"

namespace marrow {
namespace {

struct ShapeCounts {
  std::size_t vertices = 0, triangles = 0, children = 0;
};

// The recursion is limited: shapes are not nested deeper than `validate` allows.
ShapeCounts count_shape(const CollisionSystem& system, const Shape& shape) {
  ShapeCounts counts;
  if (const auto* polytope = std::get_if<Polytope>(&shape.geometry)) {
    counts.vertices = polytope->vertices.size();
    for (const PolytopeFace& face : polytope->faces)
      counts.triangles += face.index_count > 2 ? face.index_count - 2u : 0;
  } else if (const auto* mesh = std::get_if<MeshShape>(&shape.geometry)) {
    counts = {mesh->vertices.size(), mesh->faces.size(), 0};
  } else if (const auto* compound = std::get_if<CompoundShape>(&shape.geometry)) {
    counts.children = compound->instances.size();
    for (const ShapeInstance& instance : compound->instances)
      if (const Shape* child = system.find_shape(instance.shape)) {
        const ShapeCounts inner = count_shape(system, *child);
        counts.vertices += inner.vertices;
        counts.triangles += inner.triangles;
      }
  } else if (const auto* scaled = std::get_if<ScaledShape>(&shape.geometry)) {
    if (const Shape* core = system.find_shape(scaled->core)) counts = count_shape(system, *core);
    counts.children = 1;
  } else if (std::holds_alternative<BoxShape>(shape.geometry)) {
    counts = {8, 12, 0};
  }
  return counts;
}

ShapeInfo shape_info(const CollisionSystem& system, const Shape& shape, bool with_children) {
  // A place is not a shape of its own.
  if (const auto* moved = std::get_if<MovedShape>(&shape.geometry))
    if (const Shape* core = system.find_shape(moved->core)) {
      ShapeInfo info = shape_info(system, *core, with_children);
      info.position = moved->frame.translation;
      return info;
    }
  const ShapeCounts counts = count_shape(system, shape);
  ShapeInfo info{.type = std::string(type_name(shape)),
                 .vertices = counts.vertices,
                 .triangles = counts.triangles,
                 .children = counts.children,
                 .material = material_name(shape.material, system.game),
                 .radius = shape.convex_radius};
  if (const geometry::Aabb box = havok::bounds_of(system, shape); !box.empty()) {
    info.size = box.max - box.min;
    info.center = (box.max + box.min) * 0.5f;
  }
  if (const auto* mesh = std::get_if<MeshShape>(&shape.geometry)) {
    info.sections = mesh->section_count;
    info.quads = mesh->quad_count;
    info.shared_vertices = mesh->shared_vertex_count;
    info.materials.emplace();
    for (const MeshMaterial& material : mesh->materials)
      info.materials->push_back(material_name(material.crc, system.game));
  }
  if (const auto* compound = std::get_if<CompoundShape>(&shape.geometry); compound && with_children) {
    info.instances = Json::array();
    for (const ShapeInstance& instance : compound->instances) {
      const Shape* child = system.find_shape(instance.shape);
      ShapeInfo entry = child ? shape_info(system, *child, false) : ShapeInfo{};
      entry.position = instance.frame.translation;
      entry.enabled = (instance.flags & 0x40) != 0;
      info.instances->push(to_json(entry));
    }
  }
  return info;
}

// The materials of a mesh are in its triangles; the shape itself may have one too.
std::uint32_t material_of(const Shape& shape) {
  if (const auto* mesh = std::get_if<MeshShape>(&shape.geometry);
      mesh && !mesh->materials.empty() && shape.material == 0)
    return mesh->materials.front().crc;
  return shape.material;
}

void add_block_values(const CollisionSystem& system, const Body& body, BodyInfo& info) {
  const SkyrimBody& own = *body.skyrim;
  if (body.source.is_set()) info.block = static_cast<std::int32_t>(body.source.value);
  info.type = own.type;
  info.object = own.object;
  info.object_flags = own.object_flags;
  info.collides = (body.filter & filter_flag::kNoCollision) == 0;
  info.impact_events = info.enters_keyframed = false;
  const Motion* motion = system.motion_of(body);
  if (!motion) return;
  info.motion_system = own.motion_system;
  info.quality = body.quality;
  info.deactivator = own.deactivator;
  info.solver_deactivation = own.solver_deactivation;
  info.penetration_depth = own.penetration_depth;
  if (!motion->local) return;
  info.center = motion->local->center;
  info.inertia.emplace();
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 3; ++column) info.inertia->push_back(motion->local->inertia[column][row]);
}

BodyInfo body_info(const DocumentCollision& collision, std::size_t index) {
  const CollisionSystem& system = collision.system;
  const Body& body = system.bodies[index];
  BodyInfo info{
      .id = index, .motion = std::string(to_string(motion_type(system, body))), .mass = mass_of(system, body)};
  std::vector<std::string> nodes;
  for (const BodyNode& node : collision.nodes)
    if (node.body == index) nodes.push_back(node.name);
  if (!nodes.empty()) info.node = nodes.front();
  if (nodes.size() > 1) info.nodes = std::move(nodes);
  if (!body.name.empty()) info.name = body.name;
  const bool is_phantom = motion_type(system, body) == MotionType::Phantom;
  if (is_phantom) info.mass.reset();
  if (const SurfaceProperties* surface = system.surface_of(body); surface && !is_phantom) {
    info.friction = surface->dynamic_friction;
    info.restitution = surface->restitution;
  }
  if (const MotionProperties* motion = system.motion_properties_of(body)) {
    info.linear_damping = motion->linear_damping;
    info.angular_damping = motion->angular_damping;
    info.gravity_factor = motion->gravity_factor;
    info.max_linear_speed = motion->max_linear_speed;
    info.max_angular_speed = motion->max_angular_speed;
  }
  info.layer = layer_name(body.layer(), system.game);
  info.filter = body.filter;
  info.flags = body.flags;
  info.collides = (body.flags & body_flag::kDontCollide) == 0;
  info.impact_events = (body.flags & body_flag::kContactImpulseEvents) != 0;
  info.enters_keyframed = (body.flags & body_flag::kEnterKeyframed) != 0;
  info.position = Vec3(body.position);
  info.rotation = body.orientation;
  if (const Shape* shape = system.find_shape(body.shape)) {
    info.material = material_name(material_of(*shape), system.game);
    info.shape = shape_info(system, *shape, true);
  }
  if (body.skyrim) add_block_values(system, body, info);
  return info;
}

std::array<double, 2> range(float low, float high) { return {Json(low).number(), Json(high).number()}; }

ConstraintInfo constraint_info(const Constraint& constraint) {
  ConstraintInfo info{.type = std::string(type_name(constraint)), .body_a = constraint.body_a};
  if (constraint.body_b != kNoBody) info.body_b = constraint.body_b;
  if (const auto* ragdoll = std::get_if<RagdollJoint>(&constraint.joint)) {
    info.twist = range(ragdoll->twist_min, ragdoll->twist_max);
    info.cone = ragdoll->cone_max;
    info.plane = range(ragdoll->plane_min, ragdoll->plane_max);
    info.friction_torque = ragdoll->max_friction_torque;
  }
  if (const auto* hinge = std::get_if<LimitedHingeJoint>(&constraint.joint)) {
    info.angle = range(hinge->min_angle, hinge->max_angle);
    info.friction_torque = hinge->max_friction_torque;
  }
  if (const auto* spring = std::get_if<SpringJoint>(&constraint.joint)) info.length = spring->length;
  info.break_threshold = constraint.break_threshold;
  return info;
}

LegacyBodyInfo legacy_info(const NifFile& nif, const LegacyCollision& collision) {
  LegacyBodyInfo info{.block = collision.block, .type = std::string(nif.type_of(collision.block))};
  if (collision.node != kNoBlock) info.node = collision.node_name;
  if (collision.body != kNoBlock) info.body = std::string(nif.type_of(collision.body));
  // Layers have other names in each game.
  if (collision.layer) info.layer = std::to_string(*collision.layer);
  if (collision.shape != kNoBlock) info.shape = std::string(nif.type_of(collision.shape));
  return info;
}

}  // namespace

void describe(FieldList& fields, LegacyBodyInfo& body) {
  fields("block", body.block);
  fields("type", body.type);
  fields("node", body.node);
  fields("body", body.body);
  fields("layer", body.layer, {.help = "number of the layer in its own game"});
  fields("shape", body.shape);
}

void describe(FieldList& fields, ShapeInfo& shape) {
  fields("type", shape.type);
  fields("vertices", shape.vertices);
  fields("triangles", shape.triangles);
  fields("children", shape.children);
  fields("material", shape.material);
  fields("radius", shape.radius, {.help = "convex radius", .unit = "Havok units"});
  fields("size", shape.size, {.help = "of the box around it", .unit = "Havok units"});
  fields("center", shape.center, {.help = "of the box around it", .unit = "Havok units"});
  fields("sections", shape.sections, {.sparse = true});
  fields("quads", shape.quads, {.sparse = true});
  fields("shared_vertices", shape.shared_vertices, {.sparse = true});
  fields("materials", shape.materials, {.sparse = true});
  fields("instances", shape.instances, {.help = "children of a compound", .sparse = true});
  fields("position", shape.position, {.sparse = true});
  fields("enabled", shape.enabled, {.sparse = true});
}

void describe(FieldList& fields, BodyInfo& body) {
  fields("id", body.id);
  fields("node", body.node);
  fields("nodes", body.nodes, {.sparse = true});
  fields("name", body.name, {.sparse = true});
  fields("motion", body.motion);
  fields("mass", body.mass, {.unit = "kilograms"});
  fields("friction", body.friction);
  fields("restitution", body.restitution);
  fields("linear_damping", body.linear_damping);
  fields("angular_damping", body.angular_damping);
  fields("gravity_factor", body.gravity_factor);
  fields("max_linear_speed", body.max_linear_speed, {.unit = "Havok units per second"});
  fields("max_angular_speed", body.max_angular_speed, {.unit = "radians per second"});
  fields("layer", body.layer);
  fields("filter", body.filter);
  fields("flags", body.flags);
  fields("collides", body.collides);
  fields("impact_events", body.impact_events);
  fields("enters_keyframed", body.enters_keyframed);
  fields("material", body.material);
  fields("position", body.position, {.unit = "Havok units"});
  fields("rotation", body.rotation);
  fields("shape", body.shape);
  fields("block", body.block, {.help = "of a body that is a block of the NIF", .sparse = true});
  fields("type", body.type, {.help = "type of that block", .sparse = true});
  fields("object", body.object, {.help = "type of its collision object", .sparse = true});
  fields("object_flags", body.object_flags, {.sparse = true});
  fields("motion_system", body.motion_system, {.sparse = true});
  fields("quality", body.quality, {.sparse = true});
  fields("deactivator", body.deactivator, {.sparse = true});
  fields("solver_deactivation", body.solver_deactivation, {.sparse = true});
  fields("penetration_depth", body.penetration_depth, {.unit = "Havok units", .sparse = true});
  fields("center", body.center,
         {.help = "centre of mass in the space of the shape", .unit = "Havok units", .sparse = true});
  fields("inertia", body.inertia, {.help = "nine numbers, by rows", .sparse = true});
}

void describe(FieldList& fields, ConstraintInfo& constraint) {
  fields("type", constraint.type);
  fields("body_a", constraint.body_a);
  fields("body_b", constraint.body_b);
  fields("twist", constraint.twist, {.unit = "radians", .sparse = true});
  fields("cone", constraint.cone, {.unit = "radians", .sparse = true});
  fields("plane", constraint.plane, {.unit = "radians", .sparse = true});
  fields("angle", constraint.angle, {.unit = "radians", .sparse = true});
  fields("friction_torque", constraint.friction_torque, {.sparse = true});
  fields("break_threshold", constraint.break_threshold, {.sparse = true});
  fields("length", constraint.length, {.help = "of a spring", .unit = "Havok units", .sparse = true});
}

void describe(FieldList& fields, SystemInfo& system) {
  fields("block", system.block);
  fields("kind", system.kind);
  fields("bodies", system.bodies);
  fields("constraints", system.constraints);
  fields("bones", system.bones, {.help = "of a ragdoll", .sparse = true});
}

void describe(FieldList&, ListCollisionOptions&) {}
void describe(FieldList& fields, ListCollisionReport& report) {
  fields("systems", report.systems);
  fields("legacy", report.legacy,
         {.help = "collision of before Fallout 4, which the game does not load", .sparse = true});
}

SystemInfo system_info(const DocumentCollision& collision) {
  SystemInfo info{.block = collision.block, .kind = collision.kind};
  for (std::size_t i = 0; i < collision.system.bodies.size(); ++i) info.bodies.push_back(body_info(collision, i));
  for (const Constraint& each : collision.system.constraints) info.constraints.push_back(constraint_info(each));
  if (collision.system.ragdoll) info.bones = collision.system.ragdoll->skeleton.bones.size();
  return info;
}

Result<ListCollisionReport> list_collision(const Document& document, const ListCollisionOptions&, Context&) {
  MARROW_CHECK(takes("collision list", document, document.packfile() || document.nif()));
  if (document.packfile() && document.collision.empty()) {
    if (const auto kind = embedded_kind(*document.packfile()); kind && *kind == EmbeddedKind::Cloth)
      return ListCollisionReport{.systems = {SystemInfo{.kind = EmbeddedKind::Cloth}}};
    return fail(ErrorCode::NoCollision, "the packfile contains no Fallout 4 physics (no hknpPhysicsSystemData)");
  }
  ListCollisionReport report;
  for (const DocumentCollision& collision : document.collision) report.systems.push_back(system_info(collision));
  if (document.nif()) {
    MARROW_TRY(const std::vector<LegacyCollision> legacy, read_legacy_collision(*document.nif()));
    if (!legacy.empty()) report.legacy.emplace();
    for (const LegacyCollision& each : legacy) report.legacy->push_back(legacy_info(*document.nif(), each));
  }
  return report;
}

}  // namespace marrow
