// SPDX-License-Identifier: MIT
#include "ops/collision/build_input.h"

#include <algorithm>
#include <map>

#include "core/try.h"
#include "havok/physics/measure.h"
#include "marrow/model/collision_names.h"
#include "ops/collision/bodies.h"
#include "ops/collision/container.h"
#include "ops/collision/mesh.h"
#include "ops/document/object_names.h"

namespace marrow {
namespace {

template <class T>
Result<T> found_option(Result<T> found, const char* option) {
  if (!found) return fail(ErrorCode::BadOption, found.error().message, kNoOffset, option);
  return found;
}

void move_object(BuildObject& object, const Transform& node) {
  const Transform back = inverse(node);
  for (Vec3& p : object.mesh.vertices) p = back.rotation * (back.scale * (p - node.translation));
}

void append_object(const BuildObject& from, BuildObject& to) {
  const auto first = static_cast<std::uint32_t>(to.mesh.vertices.size());
  to.mesh.vertices.insert(to.mesh.vertices.end(), from.mesh.vertices.begin(), from.mesh.vertices.end());
  to.mesh.materials.resize(to.mesh.triangles.size());
  for (std::size_t i = 0; i < from.mesh.triangles.size(); ++i) {
    const auto& [a, b, c] = from.mesh.triangles[i];
    to.mesh.triangles.push_back({first + a, first + b, first + c});
    to.mesh.materials.push_back(i < from.mesh.materials.size() ? from.mesh.materials[i] : std::uint16_t{0});
  }
}

}  // namespace

void describe_fitting(FieldList& fields, BuildOptions& build) {
  fields("fit", build.fit, {.help = "where spheres, capsules and cylinders lie", .placeholder = "SIDE"});
  fields("radius", build.convex_radius,
         {.help = "convex radius; hulls are shrunk by it",
          .unit = "Havok units",
          .placeholder = "R",
          .min = 0,
          .otherwise = "0.01; in Skyrim 0.05, boxes 0.1"});
  fields("pieces", build.max_pieces,
         {.help = "maximum number of hulls of a decomposition", .placeholder = "N", .min = 1, .max = 1000});
  fields("hull_vertices", build.max_vertices,
         {.help = "maximum number of vertices of a hull",
          .placeholder = "N",
          .min = 4,
          .max = geometry::kMaxHullVertices});
  fields("concavity", build.max_concavity,
         {.help = "how far hulls may be from the mesh",
          .unit = "game units",
          .placeholder = "D",
          .min = 0,
          .otherwise = "2.5 % of its size"});
}

void describe_body(FieldList& fields, BuildOptions& build) {
  fields("mass", build.mass_kg,
         {.help = "makes the body dynamic; a mesh stays static",
          .unit = "kilograms",
          .placeholder = "KG",
          .min = 0,
          .above_min = true});
  fields("motion", build.motion, {.help = "how it moves", .placeholder = "KIND"});
  fields("friction", build.friction,
         {.help = "friction of the surface", .placeholder = "F", .min = 0, .otherwise = "0.5"});
  fields("restitution", build.restitution,
         {.help = "restitution of the surface", .placeholder = "R", .min = 0, .otherwise = "0.4"});
}

Result<std::uint32_t> option_material(const std::string& name, CollisionGame game) {
  return found_option(find_material(name, game), "material");
}
Result<std::uint8_t> option_layer(const std::string& name, CollisionGame game) {
  return found_option(find_layer(name, game), "layer");
}

CollisionGame collision_game(const Document& document) {
  for (const DocumentCollision& each : document.collision) return each.system.game;
  return document.nif() ? container_of(*document.nif()).game : CollisionGame::Fallout4;
}

Result<BuildInput> input_in_units(const Document& mesh, std::optional<Units> units) {
  const Document* const documents[] = {&mesh};
  MARROW_TRY(BuildInput input, build_input(documents));
  float factor = 1.0f;
  if (mesh.format == Format::Obj && units == Units::Metre) factor = 1.0f / kMetresPerGameUnit;
  if (is_gltf(mesh.format) && units == Units::Game) factor = kMetresPerGameUnit;
  if (factor != 1.0f)
    for (BuildObject& object : input.objects)
      for (Vec3& vertex : object.mesh.vertices) vertex *= factor;
  return input;
}

void move_into(BuildInput& input, const Transform& node) {
  if (node == Transform{}) return;
  for (BuildObject& object : input.objects) move_object(object, node);
}

void join_objects(BuildInput& input) {
  for (std::size_t i = 1; i < input.objects.size(); ++i) append_object(input.objects[i], input.objects.front());
  input.objects.resize(1);
}

Result<CollisionSystem> build_one_body(BuildInput input, const BuildOptions& options, Notes& notes) {
  if (options.shape == BuildShape::Mesh || options.shape == BuildShape::Decompose) join_objects(input);
  MARROW_TRY(CollisionSystem system, build_system(input, options, notes));
  if (system.bodies.size() == 1) return system;
  CompoundShape compound;
  for (const Body& body : system.bodies) compound.instances.push_back({.shape = body.shape});
  MARROW_CHECK(havok::build_tree(system, compound));
  Shape shape;
  shape.material = system.find_shape(system.bodies.front().shape)->material;
  shape.geometry = std::move(compound);
  system.bodies.front().shape = system.add_shape(std::move(shape));
  while (system.bodies.size() > 1) MARROW_CHECK(remove_body(system, system.bodies.size() - 1, notes));
  system.bodies.front().position = Vec4(0.0f);
  MARROW_CHECK(update_motion(system, 0));
  return system;
}

Result<RecordedInput> input_on_nodes(const Document& mesh, const CollisionRecord& record, bool keep_children,
                                     Notes& notes) {
  std::vector<DocumentCollision> systems;
  for (const RecordedSystem& each : record.systems) systems.push_back(each.collision);
  Notes ignored;
  MARROW_TRY(const std::vector<CollisionMesh> shapes, shown_meshes(systems, {.solid = record.solid}, ignored));
  const Document* const documents[] = {&mesh};
  MARROW_TRY(BuildInput input, build_input(documents));
  std::vector<std::string> wanted, given;
  for (const CollisionMesh& shape : shapes) wanted.push_back(shape.name);
  for (const BuildObject& object : input.objects) given.push_back(object.name);
  const auto found = match_names(wanted, given);

  std::vector<const CollisionMesh*> shape_of(input.objects.size());
  for (std::size_t i = 0; i < found.size(); ++i)
    if (found[i]) shape_of[*found[i]] = &shapes[i];
  RecordedInput out;
  out.input.materials = std::move(input.materials);
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> object_of_body;
  for (std::size_t i = 0; i < input.objects.size(); ++i) {
    BuildObject& object = input.objects[i];
    if (!shape_of[i])
      notes.push_back({"it is not in the record of the export, and is built where it is", kNoOffset,
                       "object '" + object.name + "'"});
    const Transform node = shape_of[i] ? shape_of[i]->placement : Transform{};
    if (node != Transform{}) move_object(object, node);
    if (shape_of[i] && !keep_children) {
      const auto [known, is_new] =
          object_of_body.try_emplace({shape_of[i]->slot.system, shape_of[i]->slot.body}, out.input.objects.size());
      if (!is_new) {
        append_object(object, out.input.objects[known->second]);
        continue;
      }
    }
    out.input.objects.push_back(std::move(object));
    out.nodes.push_back(node);
  }
  return out;
}

}  // namespace marrow
