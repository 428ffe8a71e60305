// SPDX-License-Identifier: MIT
#include "ops/collision/author.h"

#include <glm/gtc/quaternion.hpp>

#include <algorithm>

#include "core/try.h"
#include "marrow/core/text.h"
#include "marrow/model/collision_names.h"
#include "nif/node.h"
#include "ops/collision/bodies.h"
#include "ops/collision/build_input.h"
#include "ops/collision/container.h"
#include "ops/collision/removal.h"
#include "ops/document/nif_edit.h"
#include "ops/table/define.h"

namespace marrow {
namespace {

constexpr FieldText kWhichBlock{.help = "which system of a NIF, if there are several", .placeholder = "N", .min = 0};
constexpr FieldText kWhichBody{
    .help = "its number, or the name of a node that uses it", .placeholder = "B", .required = true};
constexpr FieldText kMesh{.help = ".obj (game units, Z up), .glb or .gltf (metres, Y up), in the space of the node",
                          .placeholder = "MESH",
                          .required = true,
                          .positional = true,
                          .parts = Parts::Meshes};

template <class Options>
void describe_building(FieldList& fields, Options& options) {
  fields("shape", options.shape, {.help = "what the mesh becomes", .placeholder = "KIND"});
  fields(
      "units", options.units,
      {.help = "length unit of the mesh", .placeholder = "UNITS", .otherwise = "game units for .obj, metres for glTF"});
  fields("world", options.world,
         {.help = "the mesh is in the space of the scene instead, as exported collision and models are"});
  describe_fitting(fields, options.build);
}

template <class Options>
Result<BuildInput> mesh_for(const Options& options, const Transform& node) {
  MARROW_TRY(BuildInput input, input_in_units(*options.mesh, options.units));
  // An export is in the space of the scene.
  if (options.world || !options.mesh->collision_record.empty()) move_into(input, node);
  return input;
}

Transform place_of(const DocumentCollision& collision, std::size_t body) {
  const auto node = std::ranges::find(collision.nodes, body, &BodyNode::body);
  return node == collision.nodes.end() ? Transform{} : node->world;
}

// Returns the system that a body is added to; nothing if a NIF has none yet.
Result<std::optional<std::size_t>> system_to_grow(const Document& document, std::optional<std::int32_t> block) {
  const auto is_physics = [](const DocumentCollision& each) { return each.kind == EmbeddedKind::Physics; };
  const auto first = std::ranges::find_if(document.collision, is_physics);
  const auto count = std::ranges::count_if(document.collision, is_physics);
  if (document.nif() && !block && count == 0) return std::nullopt;
  // A ragdoll beside it is no choice: bodies are not added to it.
  if (document.nif() && !block && count == 1) return static_cast<std::size_t>(first - document.collision.begin());
  MARROW_TRY(const std::size_t found, find_system(document, block));
  if (document.collision[found].kind != EmbeddedKind::Physics)
    return fail(ErrorCode::Unsupported, "bodies are added to physics systems, not to ragdolls or cloth");
  return found;
}

Result<BodyReport> add_to_nif(Document& document, const AddBodyOptions& options, BuildOptions build, Context& context) {
  if (!options.node)
    return fail(ErrorCode::BadOption, "a body of a NIF needs the node that it goes on", kNoOffset, "node");
  MARROW_TRY(const std::vector<NifNode> nodes, read_nodes(*document.nif()));
  MARROW_TRY(const NifNode* node, node_named(nodes, *document.nif(), *options.node));
  if (node->collision_object != kNoBlock)
    return fail(ErrorCode::InvalidArgument,
                "node '" + node->name + "' has collision already; change its shape, or detach it first",
                Cure{"collision set-shape", {{"body", node->name}}});
  MARROW_TRY(const BuildInput input, mesh_for(options, node->world));
  MARROW_TRY(CollisionSystem built, build_one_body(input, build, context.notes));
  place_body(built, 0, node->world);
  MARROW_TRY(const auto target, system_to_grow(document, options.block));
  return container_of(*document.nif()).add_body(document, target, built, *node, context);
}

bool is_meant(std::string_view pattern, std::string_view name) {
  if (pattern.find_first_of("*?") != std::string_view::npos) return matches(pattern, name);
  return to_lower(name).find(to_lower(pattern)) != std::string::npos;
}

}  // namespace

void describe(FieldList& fields, SetShapeOptions& options) {
  fields.input("mesh", options.mesh, kMesh);
  fields("body", options.body, kWhichBody);
  fields("block", options.block, kWhichBlock);
  fields(
      "material", options.material,
      {.help = "for what the mesh names no collision material for", .placeholder = "NAME", .otherwise = "the body's"});
  describe_building(fields, options);
}

void describe(FieldList& fields, SetShapeReport& report) {
  fields("block", report.block);
  fields("body", report.body);
  fields("shape", report.shape);
}

void describe(FieldList& fields, AddBodyOptions& options) {
  fields.input("mesh", options.mesh, kMesh);
  fields("node", options.node, {.help = "the node that it goes on; a NIF needs one", .placeholder = "NAME"});
  fields("block", options.block, kWhichBlock);
  fields("material", options.material,
         {.help = "used if the file names no collision material: wood, Material_Wood, a CRC in hex",
          .placeholder = "NAME"});
  fields("layer", options.layer,
         {.help = "collision layer", .placeholder = "NAME", .otherwise = "STATIC, ANIMSTATIC or CLUTTER, by motion"});
  describe_body(fields, options.build);
  describe_building(fields, options);
}

void describe(FieldList& fields, RemoveBodyOptions& options) {
  fields("body", options.body, kWhichBody);
  fields("block", options.block, kWhichBlock);
}

void describe(FieldList& fields, BodyReport& report) {
  fields("block", report.block);
  fields("body", report.body);
}

void describe(FieldList& fields, DetachCollisionOptions& options) {
  fields("node", options.nodes,
         {.help = "only this node; may be given again", .placeholder = "NAME", .otherwise = "all"});
}

void describe(FieldList& fields, DetachCollisionReport& report) {
  fields("nodes", report.nodes, {.help = "that lost their collision"});
}

void describe(FieldList& fields, FindNamesOptions& options) {
  fields("pattern", options.pattern,
         {.help = "part of a name, one with * and ?, a CRC in hex, or the number of a layer",
          .placeholder = "PATTERN",
          .positional = true,
          .otherwise = "all"});
  fields("game", options.game, {.help = "whose names", .placeholder = "GAME", .otherwise = "fallout4"});
}

void describe(FieldList& fields, MaterialInfo& material) {
  fields("name", material.name);
  fields("plain", material.plain);
  fields("crc", material.crc);
  fields("used_by", material.used_by, {.help = "of materials that the game's lists do not name"});
}
void describe(FieldList& fields, MaterialsReport& report) { fields("materials", report.materials); }
void describe(FieldList& fields, LayerInfo& layer) {
  fields("number", layer.number);
  fields("name", layer.name);
}
void describe(FieldList& fields, LayersReport& report) { fields("layers", report.layers); }

Result<BodyPlace> find_body(const Document& document, const std::string& text, std::optional<std::int32_t> block) {
  if (const auto number = parse_uint(text)) {
    MARROW_TRY(const std::size_t system, find_system(document, block));
    if (*number < document.collision[system].system.bodies.size())
      return BodyPlace{system, static_cast<std::size_t>(*number)};
  }
  std::optional<BodyPlace> found;
  std::string names;
  for (std::size_t i = 0; i < document.collision.size(); ++i) {
    const DocumentCollision& collision = document.collision[i];
    if (block && collision.block != block) continue;
    for (const BodyNode& node : collision.nodes) {
      names += (names.empty() ? "" : ", ") + node.name;
      if (node.name != text) continue;
      if (found && (found->system != i || found->body != node.body))
        return fail(ErrorCode::NeedsChoice, "several bodies are on nodes named '" + text + "'", kNoOffset, "block");
      found = BodyPlace{i, node.body};
    }
    for (std::size_t body = 0; body < collision.system.bodies.size(); ++body)
      if (!found && !text.empty() && collision.system.bodies[body].name == text) found = BodyPlace{i, body};
  }
  if (found) return *found;
  return fail(ErrorCode::NotFound, "there is no body '" + text + "'; give its number" +
                                       (names.empty() ? "" : ", or the name of its node: " + names));
}

Result<SetShapeReport> set_shape_of(Document& document, const SetShapeOptions& options, Context& context) {
  MARROW_CHECK(takes("collision set-shape", document, document.packfile() || document.nif()));
  MARROW_TRY(const BodyPlace place, find_body(document, options.body, options.block));
  DocumentCollision& collision = document.collision[place.system];
  MARROW_TRY(BuildInput input, mesh_for(options, place_of(collision, place.body)));
  // A body may place its shape once more.
  if (const Frame own = collision.system.bodies[place.body].shape_frame(); own != Frame{})
    move_into(input, {own.translation * collision.system.game_units, glm::quat_cast(own.rotation), Vec3(1.0f)});
  BuildOptions build = options.build;
  build.shape = options.shape;
  build.game = collision.system.game;
  const Shape* old = collision.system.find_shape(collision.system.bodies[place.body].shape);
  if (old && old->material != 0) build.material = old->material;
  if (options.material) {
    MARROW_TRY(build.material, option_material(*options.material, build.game));
  }
  auto built = build_one_body(input, build, context.notes);
  if (!built) return in_file(std::move(built.error()), options.mesh->name);
  MARROW_CHECK(set_shape(collision.system, place.body, *built, 0));
  const Body& body = collision.system.bodies[place.body];
  return SetShapeReport{collision.block, place.body, std::string(type_name(*collision.system.find_shape(body.shape)))};
}

Result<BodyReport> add_body_to(Document& document, const AddBodyOptions& options, Context& context) {
  MARROW_CHECK(takes("collision add-body", document, document.packfile() || document.nif()));
  BuildOptions build = options.build;
  build.shape = options.shape;
  build.game = collision_game(document);
  if (options.material) {
    MARROW_TRY(build.material, option_material(*options.material, build.game));
  }
  if (options.layer) {
    MARROW_TRY(build.layer, option_layer(*options.layer, build.game));
  }
  if (document.nif()) return add_to_nif(document, options, build, context);
  if (options.node) return fail(ErrorCode::BadOption, "a bare packfile has no nodes", kNoOffset, "node");
  MARROW_TRY(const auto target, system_to_grow(document, options.block));
  MARROW_TRY(const BuildInput input, mesh_for(options, {}));
  MARROW_TRY(const CollisionSystem built, build_one_body(input, build, context.notes));
  MARROW_TRY(const std::size_t added, add_body(document.collision[*target].system, built, 0));
  return BodyReport{std::nullopt, added};
}

Result<BodyReport> remove_body_of(Document& document, const RemoveBodyOptions& options, Context& context) {
  MARROW_CHECK(takes("collision remove-body", document, document.packfile() || document.nif()));
  MARROW_TRY(const BodyPlace place, find_body(document, options.body, options.block));
  const BodyReport report{document.collision[place.system].block, place.body};
  MARROW_CHECK(remove_body_at(document, place, context));
  return report;
}

Result<void> remove_body_at(Document& document, const BodyPlace& place, Context& context) {
  if (document.nif()) return container_of(*document.nif()).remove_body(document, place, context);
  return remove_body(document.collision[place.system].system, place.body, context.notes);
}

Result<DetachCollisionReport> detach_collision(Document& document, const DetachCollisionOptions& options,
                                               Context& context) {
  MARROW_CHECK(takes("collision detach", document, document.nif() != nullptr));
  return container_of(*document.nif()).detach(document, options, context);
}

Result<MaterialsReport> find_materials(const FindNamesOptions& options) {
  MaterialsReport report;
  const auto crc = parse_crc(trim(options.pattern));
  const auto is_wanted = [&](std::uint32_t own, std::string_view name, std::string_view hashed) {
    return crc == own || is_meant(options.pattern, name) || is_meant(options.pattern, hashed);
  };
  const CollisionGame game = collision_game(options.game.value_or(Game::Fallout4));
  for (const CollisionMaterial& material : collision_materials(game))
    if (is_wanted(material.crc, material.name, material.hashed))
      report.materials.push_back(
          {material_name(material.crc, game), std::string(material.hashed), hex_text(material.crc, 8)});
  std::ranges::sort(report.materials, {}, &MaterialInfo::name);
  for (const NamelessMaterial& material : nameless_materials(game))
    if (is_wanted(material.crc, "", material.hashed))
      report.materials.push_back({hex_text(material.crc, 8), std::string(material.hashed), hex_text(material.crc, 8),
                                  std::string(material.used_by)});
  if (!report.materials.empty()) return report;
  if (crc)
    return fail(ErrorCode::NotFound, "no material of the game has the CRC " + hex_text(*crc, 8) +
                                         "; a mod may have one: the CRC of its lower-case name");
  return fail(ErrorCode::NotFound, "no material has '" + options.pattern + "' in its name");
}

Result<LayersReport> find_layers(const FindNamesOptions& options) {
  LayersReport report;
  const auto number = parse_uint(trim(options.pattern));
  for (std::uint8_t layer = 0; layer < 128; ++layer) {
    const std::string name = layer_name(layer, collision_game(options.game.value_or(Game::Fallout4)));
    if (name != std::to_string(layer) && (number ? *number == layer : is_meant(options.pattern, name)))
      report.layers.push_back({layer, name});
  }
  if (!report.layers.empty()) return report;
  if (number) return fail(ErrorCode::NotFound, "the game has no layer " + options.pattern, Cure{"collision layers"});
  return fail(ErrorCode::NotFound, "no layer has '" + options.pattern + "' in its name");
}

}  // namespace marrow
