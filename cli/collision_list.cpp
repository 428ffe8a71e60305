// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <map>
#include <mutex>

#include "collision.h"
#include "marrow/core/file.h"
#include "marrow/core/text.h"
#include "marrow/model/collision_names.h"
#include "marrow/ops/collision_file.h"

namespace marrow::cli {
namespace {

struct Counts {
  std::size_t vertices = 0, triangles = 0, children = 0;
};

Counts count(const CollisionSystem& system, const Shape& shape) {
  Counts counts;
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
        const Counts inner = count(system, *child);
        counts.vertices += inner.vertices;
        counts.triangles += inner.triangles;
      }
  } else if (const auto* scaled = std::get_if<ScaledShape>(&shape.geometry)) {
    if (const Shape* core = system.find_shape(scaled->core)) counts = count(system, *core);
    counts.children = 1;
  }
  return counts;
}

Json vector_json(const Vec3& v) { return Json::array({v.x, v.y, v.z}); }

Json shape_json(const CollisionSystem& system, const Shape& shape, bool with_children) {
  const Counts counts = count(system, shape);
  Json json = {{"type", type_name(shape)},
               {"vertices", counts.vertices},
               {"triangles", counts.triangles},
               {"children", counts.children},
               {"material", material_name(shape.material)},
               {"radius", shape.convex_radius}};
  if (const auto* mesh = std::get_if<MeshShape>(&shape.geometry)) {
    json["sections"] = mesh->section_count;
    json["quads"] = mesh->quad_count;
    json["shared_vertices"] = mesh->shared_vertex_count;
    json["materials"] = Json::array();
    for (const MeshMaterial& material : mesh->materials) json["materials"].push_back(material_name(material.crc));
  }
  if (const auto* compound = std::get_if<CompoundShape>(&shape.geometry); compound && with_children) {
    json["instances"] = Json::array();
    for (const ShapeInstance& instance : compound->instances) {
      const Shape* child = system.find_shape(instance.shape);
      Json entry = child ? shape_json(system, *child, false) : Json::object();
      entry["position"] = vector_json(instance.frame.translation);
      entry["enabled"] = (instance.flags & 0x40) != 0;
      json["instances"].push_back(std::move(entry));
    }
  }
  return json;
}

// A mesh has its materials in its triangles; the shape itself may name one too.
std::uint32_t material_of(const Shape& shape) {
  if (const auto* mesh = std::get_if<MeshShape>(&shape.geometry);
      mesh && !mesh->materials.empty() && shape.material == 0)
    return mesh->materials.front().crc;
  return shape.material;
}

Json body_json(const CollisionEntry& entry, std::size_t index) {
  const CollisionSystem& system = entry.system;
  const Body& body = system.bodies[index];
  const SurfaceProperties* surface = system.surface_of(body);
  const MotionProperties* motion = system.motion_properties_of(body);
  const Shape* shape = system.find_shape(body.shape);
  Json nodes = Json::array();
  for (const BodyNode& node : entry.nodes)
    if (node.body == index) nodes.push_back(node.name);
  const auto number = [&](float MotionProperties::* field) { return motion ? Json(motion->*field) : Json(nullptr); };
  Json json = {{"id", index}, {"node", nodes.empty() ? Json(nullptr) : nodes.front()}};
  if (nodes.size() > 1) json["nodes"] = nodes;
  if (!body.name.empty()) json["name"] = body.name;
  json["motion"] = to_string(motion_type(system, body));
  json["mass"] = mass_of(system, body);
  json["friction"] = surface ? Json(surface->dynamic_friction) : Json(nullptr);
  json["restitution"] = surface ? Json(surface->restitution) : Json(nullptr);
  json["linear_damping"] = number(&MotionProperties::linear_damping);
  json["angular_damping"] = number(&MotionProperties::angular_damping);
  json["gravity_factor"] = number(&MotionProperties::gravity_factor);
  json["max_linear_speed"] = number(&MotionProperties::max_linear_speed);
  json["max_angular_speed"] = number(&MotionProperties::max_angular_speed);
  json["layer"] = layer_name(body.layer());
  json["filter"] = body.filter;
  json["flags"] = body.flags;
  json["collides"] = (body.flags & body_flag::kDontCollide) == 0;
  json["impact_events"] = (body.flags & body_flag::kContactImpulseEvents) != 0;
  json["enters_keyframed"] = (body.flags & body_flag::kEnterKeyframed) != 0;
  json["material"] = shape ? Json(material_name(material_of(*shape))) : Json(nullptr);
  json["position"] = vector_json(Vec3(body.position));
  json["rotation"] = {body.orientation.x, body.orientation.y, body.orientation.z, body.orientation.w};
  json["shape"] = shape ? shape_json(system, *shape, true) : Json(nullptr);
  return json;
}

Json constraint_json(const Constraint& constraint) {
  Json json = {{"type", type_name(constraint)},
               {"body_a", constraint.body_a},
               {"body_b", constraint.body_b == kNoBody ? Json(nullptr) : Json(constraint.body_b)}};
  if (const auto* ragdoll = std::get_if<RagdollJoint>(&constraint.joint)) {
    json["twist"] = {ragdoll->twist_min, ragdoll->twist_max};
    json["cone"] = ragdoll->cone_max;
    json["plane"] = {ragdoll->plane_min, ragdoll->plane_max};
    json["friction_torque"] = ragdoll->max_friction_torque;
  }
  if (const auto* hinge = std::get_if<LimitedHingeJoint>(&constraint.joint)) {
    json["angle"] = {hinge->min_angle, hinge->max_angle};
    json["friction_torque"] = hinge->max_friction_torque;
  }
  if (constraint.break_threshold) json["break_threshold"] = *constraint.break_threshold;
  return json;
}

Json entry_json(const std::filesystem::path& path, const CollisionEntry& entry) {
  Json json = {{"path", path.string()},
               {"block", entry.block ? Json(*entry.block) : Json(nullptr)},
               {"kind", to_string(entry.kind)},
               {"bodies", Json::array()},
               {"constraints", Json::array()}};
  for (std::size_t i = 0; i < entry.system.bodies.size(); ++i) json["bodies"].push_back(body_json(entry, i));
  for (const Constraint& constraint : entry.system.constraints)
    json["constraints"].push_back(constraint_json(constraint));
  if (entry.system.ragdoll) json["bones"] = entry.system.ragdoll->skeleton.bones.size();
  return json;
}

std::string entry_text(const std::filesystem::path& path, const CollisionEntry& entry) {
  std::string text = path.string();
  if (entry.block) text += fmt::format(", block {}", *entry.block);
  text += fmt::format(": {}, {} bodies, {} constraints\n", to_string(entry.kind), entry.system.bodies.size(),
                      entry.system.constraints.size());
  for (std::size_t i = 0; i < entry.system.bodies.size(); ++i) {
    const Body& body = entry.system.bodies[i];
    const Json json = body_json(entry, i);
    const Json& shape = json["shape"];
    text += fmt::format("  body {:<3} {:<9}", i, to_string(motion_type(entry.system, body)));
    if (const float mass = mass_of(entry.system, body); mass > 0) text += fmt::format(" {} kg,", float_text(mass));
    if (!shape.is_null()) {
      text += fmt::format(" {}", shape["type"].get<std::string>());
      if (shape["children"] != 0) text += fmt::format(" of {}", shape["children"].get<std::size_t>());
      if (shape["triangles"] != 0) text += fmt::format(", {} triangles", shape["triangles"].get<std::size_t>());
      text += ", " + json["material"].get<std::string>();
    }
    text += ", " + layer_name(body.layer());
    if (json["node"].is_string()) text += ", on '" + json["node"].get<std::string>() + "'";
    text += "\n";
  }
  return text;
}

int run(const Arguments& arguments) {
  // One array of systems, whatever the number of files: each file gives an array, which is laid into one.
  Json systems = Json::array();
  std::mutex mutex;
  std::map<std::string, Json> by_path;
  const std::vector<Input> inputs = expand_inputs(arguments.all("FILE"));
  Arguments plain = arguments;
  plain.values.erase("--json");
  const bool as_json = arguments.has("--json");
  const int code = run_batch(inputs, plain, [&](const Input& input) {
    const auto bytes = read_file(input.path);
    if (!bytes) return failed(input.path, bytes.error());
    const auto file = read_collision(*bytes);
    if (!file) return failed(input.path, file.error());
    Outcome outcome;
    Json own = Json::array();
    for (const CollisionEntry& entry : file->entries) {
      if (as_json)
        own.push_back(entry_json(input.path, entry));
      else
        outcome.text += entry_text(input.path, entry);
    }
    if (file->entries.empty() && !as_json) outcome.text = input.path.string() + ": no collision\n";
    const std::scoped_lock lock(mutex);
    by_path[input.path.string()] = std::move(own);
    return outcome;
  });
  if (!as_json) return code;
  for (const Input& input : inputs)
    for (Json& system : by_path[input.path.string()]) systems.push_back(std::move(system));
  fmt::print("{}\n", systems.dump(2, ' ', false, Json::error_handler_t::replace));
  return code;
}

}  // namespace

Verb collision_list_verb() {
  return {.name = "list",
          .summary = "every physics system, ragdoll and cloth, with its bodies, shapes and constraints",
          .positionals = {{"FILE...", "NIF files, packfiles or folders"}},
          .run = run,
          .details =
              "Numbers are the file's own: kilograms, and Havok units of 69.99125 game units for lengths and speeds."};
}

}  // namespace marrow::cli
