// SPDX-License-Identifier: MIT
#include "ops/collision/collision.h"

#include "ops/collision/container.h"

#include <algorithm>
#include <limits>
#include <set>

#include "core/try.h"
#include "havok/physics/physics.h"
#include "marrow/model/collision_names.h"
#include "nif/node.h"
#include "ops/collision/author.h"
#include "ops/collision/build_input.h"
#include "ops/collision/mesh.h"
#include "ops/collision/record.h"
#include "ops/document/nif_edit.h"
#include "ops/files/convert.h"
#include "ops/table/define.h"

namespace marrow {
namespace {

// Adds the bodies on nodes of this name: of the system that is named, or of all systems.
Result<void> add_bodies_on(const Document& document, const std::string& name, std::optional<std::int32_t> block,
                           std::set<BodyPlace>& places) {
  bool has_node = false;
  for (std::size_t i = 0; i < document.collision.size(); ++i) {
    if (block && document.collision[i].block != block) continue;
    for (const BodyNode& node : document.collision[i].nodes)
      if (node.name == name) {
        has_node = true;
        places.insert({i, node.body});
      }
  }
  return has_node ? Result<void>{} : fail(ErrorCode::NotFound, "no node '" + name + "' has a body");
}

// Returns the bodies that are meant: those with the numbers or names that are given, those on the nodes that are given,
// or all. A number needs one system.
Result<std::set<BodyPlace>> selected_bodies(const Document& document, const SetCollisionOptions& options) {
  std::set<BodyPlace> places;
  if (options.block) {
    MARROW_TRY(const std::size_t system, find_system(document, options.block));
    if (document.collision[system].kind == EmbeddedKind::Cloth)
      return fail(ErrorCode::Unsupported, "cloth cannot be edited, only listed and kept");
  }
  for (const BodyChoice& body : options.bodies) {
    MARROW_TRY(const BodyPlace place, find_body(document, body.text, options.block));
    places.insert(place);
  }
  for (const std::string& name : options.nodes) MARROW_CHECK(add_bodies_on(document, name, options.block, places));
  if (!options.bodies.empty() || !options.nodes.empty()) return places;
  bool has_system = false;
  for (std::size_t i = 0; i < document.collision.size(); ++i) {
    const DocumentCollision& collision = document.collision[i];
    if (collision.kind == EmbeddedKind::Cloth || (options.block && collision.block != options.block)) continue;
    has_system = true;
    for (std::size_t body = 0; body < collision.system.bodies.size(); ++body) places.insert({i, body});
  }
  if (!has_system) return fail(ErrorCode::NoCollision, "the file contains no bodies");
  return places;
}

template <class T>
Result<T> named(Result<T> found, const char* option) {
  if (!found) return fail(ErrorCode::BadOption, found.error().message, kNoOffset, option);
  return found;
}

Result<BodyEdit> edit_of(const SetCollisionOptions& options, CollisionGame game) {
  BodyEdit edit = options.edit;
  if (options.material) {
    MARROW_TRY(edit.material, named(find_material(*options.material, game), "material"));
  }
  if (options.layer) {
    MARROW_TRY(edit.layer, named(find_layer(*options.layer, game), "layer"));
  }
  if (options.response) edit.collides = *options.response == CollisionResponse::Contact;
  return edit;
}

constexpr FieldText kBlock{.help = "which system of a NIF, if there are several", .placeholder = "N", .min = 0};

}  // namespace

Result<void> described::Traits<BodyChoice>::set(BodyChoice& body, const Json& json, const FieldInfo& info) {
  if (json.is_number()) {
    MARROW_TRY(const std::int64_t number, integer_of(json, info, 0, std::numeric_limits<std::int32_t>::max()));
    body.text = std::to_string(number);
    return {};
  }
  MARROW_TRY(body.text, text_of(json, info));
  return {};
}

void describe(FieldList& fields, BlockOptions& options) { fields("block", options.block, kBlock); }

void describe(FieldList& fields, ExportCollisionOptions& options) {
  fields("block", options.block, {.help = "only this system of the NIF", .placeholder = "N", .min = 0});
  fields("solid", options.save.solid,
         {.help = "show hulls grown by their convex radius, as the game sees them, instead of their vertices"});
  fields(
      "show", options.save.show,
      {.help = "for looking at: coloured by material and body, see-through, over the visible shapes of the NIF; .glb"});
  fields("units", options.save.units, {.help = "length unit of glTF files", .placeholder = "UNITS"});
}

void describe(FieldList& fields, ExportCollisionReport& report) { fields("shapes", report.shapes); }

void describe(FieldList& fields, ReplaceCollisionOptions& options) {
  fields.input("blob", options.blob,
               {.help = "a packfile, a NIF of Skyrim, or an export of the file as .glb, .gltf or .obj, edited or not",
                .placeholder = "BLOB",
                .required = true,
                .positional = true,
                .parts = Parts::None});
  fields("block", options.block, kBlock);
  fields("keep_missing", options.keep_missing,
         {.help = "keep bodies whose objects the mesh no longer has, instead of removing them"});
}

void describe(FieldList& fields, AttachCollisionOptions& options) {
  fields.input("blob", options.blob,
               {.help = "a packfile or a NIF of Skyrim; into a NIF of Skyrim also one of Fallout 4",
                .placeholder = "BLOB",
                .required = true,
                .positional = true,
                .parts = Parts::None});
  fields("node", options.nodes,
         {.help = "a node; several may share the system",
          .placeholder = "NAME",
          .otherwise = "those of the same names as in a NIF of Skyrim, or as the bones of a ragdoll"});
  fields(
      "body", options.bodies,
      {.help = "the body of each node, in the same order", .placeholder = "N", .min = 0, .otherwise = "0, 1, 2 ..."});
}

void describe(FieldList& fields, ReplaceReport& report) {
  fields("block", report.block);
  fields("changed", report.changed, {.help = "bodies that a mesh has changed"});
  fields("removed", report.removed, {.help = "objects that the mesh no longer has; their bodies were removed"});
}

void describe(FieldList& fields, BlockReport& report) { fields("block", report.block); }
void describe(FieldList& fields, ExtractReport& report) {
  fields("block", report.block);
  fields("blocks", report.blocks);
}

void describe(FieldList& fields, SetCollisionOptions& options) {
  BodyEdit& edit = options.edit;
  fields("block", options.block, kBlock);
  fields("body", options.bodies,
         {.help = "only this body: its number, or the name of a node that uses it; may be given again",
          .placeholder = "B",
          .otherwise = "all of all systems"});
  fields("node", options.nodes, {.help = "only the body of this node; may be given again", .placeholder = "NAME"});
  fields("motion", edit.motion, {.help = "how it moves", .placeholder = "KIND"});
  fields("mass", edit.mass_kg,
         {.help = "mass of a dynamic body; inertia is updated",
          .unit = "kilograms",
          .placeholder = "KG",
          .min = 0,
          .above_min = true});
  fields("friction", edit.friction, {.help = "0 is ice; the game's usual value is 0.5", .placeholder = "F", .min = 0});
  fields("restitution", edit.restitution,
         {.help = "0 does not bounce; the game's usual value is 0.4", .placeholder = "R", .min = 0});
  fields("linear_damping", edit.linear_damping,
         {.help = "the game's usual value is 0.1", .placeholder = "D", .min = 0});
  fields("angular_damping", edit.angular_damping,
         {.help = "the game's usual value is 0.05", .placeholder = "D", .min = 0});
  fields("gravity_factor", edit.gravity_factor, {.help = "1 falls, 0 floats", .placeholder = "G"});
  fields("max_linear_speed", edit.max_linear_speed,
         {.help = "the game's usual value is 104.375", .unit = "Havok units per second", .placeholder = "V", .min = 0});
  fields("max_angular_speed", edit.max_angular_speed,
         {.help = "the game's usual value is 31.57", .unit = "radians per second", .placeholder = "V", .min = 0});
  fields("material", options.material,
         {.help = "material of the whole shape: wood, Material_Wood, or a CRC in hex", .placeholder = "NAME"});
  fields("layer", options.layer, {.help = "STATIC, CLUTTER, WEAPON ... or a number", .placeholder = "NAME"});
  fields("collision_response", options.response,
         {.help = "contact, or none: other bodies pass through", .placeholder = "KIND"});
  fields("enter_keyframed", edit.enter_keyframed,
         {.help = "enters the world keyframed, as ragdoll bones do", .placeholder = "ON"});
  fields("impact_events", edit.impact_events, {.help = "makes a sound when it hits something", .placeholder = "ON"});
  fields("position", edit.position, {.help = "position of the body", .unit = "Havok units", .placeholder = "X,Y,Z"});
  fields("rotation", edit.rotation, {.help = "rotation of the body, a unit quaternion", .placeholder = "X,Y,Z,W"});
}

void describe(FieldList& fields, SetCollisionReport& report) {
  fields("bodies", report.bodies, {.help = "number of bodies that were changed"});
}

Result<std::size_t> find_system(const Document& document, std::optional<std::int32_t> block) {
  std::string known;
  std::vector<std::size_t> with_bodies;
  for (std::size_t i = 0; i < document.collision.size(); ++i) {
    const DocumentCollision& collision = document.collision[i];
    if (block && collision.block == block) return i;
    if (collision.kind != EmbeddedKind::Cloth) with_bodies.push_back(i);
    if (collision.block)
      known += (known.empty() ? "" : ", ") + std::to_string(*collision.block) + " (" +
               std::string(to_string(collision.kind)) + ")";
  }
  if (!block && with_bodies.size() == 1) return with_bodies.front();
  if (document.collision.empty()) return fail(ErrorCode::NoCollision, "the file contains no collision");
  if (!document.nif()) return fail(ErrorCode::BadOption, "a bare packfile has no blocks", kNoOffset, "block");
  if (block)
    return fail(ErrorCode::NotFound, "block " + std::to_string(*block) + " contains no collision; these do: " + known);
  return fail(ErrorCode::NeedsChoice, "there are several systems; name the block: " + known, kNoOffset, "block");
}

Result<SystemTraits> probe_system(std::span<const std::byte> bytes) {
  MARROW_TRY(const havok::Packfile packfile, havok::read_packfile(bytes));
  MARROW_TRY(const CollisionSystem system, havok::read_physics(packfile, packfile.root));
  return traits_of(system);
}

Result<EmbeddedKind> embedded_kind(const havok::Packfile& packfile) {
  if (!packfile.find_all("hknpRagdollData").empty()) return EmbeddedKind::Ragdoll;
  if (!packfile.find_all("hknpPhysicsSystemData").empty()) return EmbeddedKind::Physics;
  for (const havok::Object& object : packfile.objects)
    if (object.class_name().starts_with("hcl")) return EmbeddedKind::Cloth;
  return fail(ErrorCode::NoCollision, "the packfile contains no physics system, ragdoll or cloth");
}

Result<ExportCollisionReport> export_collision(Document& document, const ExportCollisionOptions& options,
                                               Context& context) {
  MARROW_CHECK(takes("collision export", document, document.packfile() || document.nif()));
  if (options.block) {
    MARROW_TRY(const std::size_t chosen, find_system(document, options.block));
    document.collision = {DocumentCollision(std::move(document.collision[chosen]))};
  }
  Notes shown_again;  // discarded: saving reports them
  MARROW_TRY(const std::vector<CollisionMesh> meshes,
             shown_meshes(document, {.solid = options.save.solid}, shown_again));
  (void)context;
  return ExportCollisionReport{meshes.size()};
}

Result<ExtractReport> extract_collision(const Document& document, const BlockOptions& options, Context& context) {
  MARROW_CHECK(takes("collision extract", document, document.nif() != nullptr));
  return container_of(*document.nif()).extract(document, options, context);
}

Result<SetCollisionReport> set_collision(Document& document, const SetCollisionOptions& options, Context& context) {
  MARROW_CHECK(takes("collision set", document, document.packfile() || document.nif()));
  MARROW_TRY(const BodyEdit edit, edit_of(options, collision_game(document)));
  MARROW_TRY(const std::set<BodyPlace> places, selected_bodies(document, options));
  SetCollisionReport report{.bodies = places.size()};
  std::vector<SystemTraits> before;
  for (const DocumentCollision& collision : document.collision) before.push_back(traits_of(collision.system));
  for (const BodyPlace& place : places)
    MARROW_CHECK(edit_body(document.collision[place.system].system, place.body, edit, context.notes));
  bool has_new_traits = false;
  for (std::size_t i = 0; i < before.size(); ++i)
    has_new_traits |= traits_of(document.collision[i].system) != before[i];
  if (document.nif() && has_new_traits) MARROW_CHECK(store_systems(document, context, context.notes));
  return report;
}

}  // namespace marrow
