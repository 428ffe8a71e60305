// SPDX-License-Identifier: MIT
#include "ops/collision/build.h"

#include <algorithm>

#include "core/try.h"
#include "nif/node.h"
#include "ops/collision/bodies.h"
#include "ops/collision/build_input.h"
#include "ops/collision/container.h"
#include "ops/collision/port.h"
#include "ops/collision/put_back.h"
#include "ops/document/nif_edit.h"
#include "ops/document/origin.h"

namespace marrow {
namespace {

bool is_part_of(const DocumentMesh& mesh, const DocumentMesh& before) {
  return mesh.name == before.name && mesh.placement == before.placement && !mesh.mesh.materials.empty() &&
         !before.mesh.materials.empty() && mesh.mesh.materials.front() != before.mesh.materials.front();
}

void append_part(const DocumentMesh& part, std::size_t first_material, geometry::TriangleMesh& mesh) {
  const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
  const Transform& at = part.placement;
  const bool is_placed = at != Transform{};
  for (const Vec3& p : part.mesh.vertices)
    mesh.vertices.push_back(is_placed ? at.translation + at.rotation * (at.scale * p) : p);
  for (std::size_t i = 0; i < part.mesh.triangles.size(); ++i) {
    const auto& [a, b, c] = part.mesh.triangles[i];
    mesh.triangles.push_back({first + a, first + b, first + c});
    const std::size_t own = i < part.mesh.materials.size() ? part.mesh.materials[i] : 0;
    mesh.materials.push_back(static_cast<std::uint16_t>(own + first_material));
  }
}

// Objects of several files become one system; the materials of each keep their names.
void append_document(const Document& document, BuildInput& input) {
  const std::size_t first = input.materials.size();
  for (std::size_t i = 0; i < document.meshes.size(); ++i) {
    const DocumentMesh& mesh = document.meshes[i];
    const bool is_part = is_gltf(document.format) && i > 0 && is_part_of(mesh, document.meshes[i - 1]);
    if (!is_part) input.objects.push_back({mesh.name, {}});
    append_part(mesh, first, input.objects.back().mesh);
  }
  input.materials.insert(input.materials.end(), document.materials.begin(), document.materials.end());
  if (document.materials.empty()) input.materials.emplace_back();
}

}  // namespace

Result<BuildInput> build_input(std::span<const Document* const> documents) {
  BuildInput input;
  for (const Document* document : documents) {
    if (document->meshes.empty())
      return in_file({ErrorCode::WrongKind, "collision is built from meshes, and there are none in a " +
                                                std::string(title(document->format)) +
                                                (document->nif() ? "; name the visible shapes to build from" : "")},
                     document->name);
    append_document(*document, input);
  }
  std::erase_if(input.objects, [](const BuildObject& object) { return object.mesh.triangles.empty(); });
  if (input.objects.empty()) return fail(ErrorCode::InvalidArgument, "the file contains no triangles to build from");
  return input;
}

void describe(FieldList& fields, BuildCollisionOptions& options) {
  fields(
      "shape", options.shape,
      {.help = "what each object becomes: hull, mesh, box, sphere, capsule, cylinder, decompose, compound (children of "
               "one body), by-name (what its name begins or ends with); NAME=KIND for objects by name",
       .placeholder = "KIND",
       .otherwise = "what exported collision was; else required"});
  fields(
      "from_shapes", options.from_shapes,
      {.help = "build one body from the visible shapes of a NIF: those that are named, or all", .placeholder = "NAME"});
  fields("node", options.node,
         {.help = "the node that a body from visible shapes is for", .placeholder = "NAME", .otherwise = "the root"});
  fields("block", options.block,
         {.help = "which system of an export that shows several", .placeholder = "N", .min = 0});
  fields("material", options.material,
         {.help = "used if the file names no collision material: wood, Material_Wood, a CRC in hex",
          .placeholder = "NAME"});
  fields("layer", options.layer,
         {.help = "collision layer", .placeholder = "NAME", .otherwise = "STATIC, ANIMSTATIC or CLUTTER, by motion"});
  describe_body(fields, options.build);
  fields("to", options.to,
         {.help = "the game: for Skyrim a NIF of its own, for Fallout 4 a packfile",
          .placeholder = "GAME",
          .otherwise = "fallout4"});
  fields(
      "units", options.input_units,
      {.help = "length unit of the mesh", .placeholder = "UNITS", .otherwise = "game units for .obj, metres for glTF"});
  describe_fitting(fields, options.build);
}

void describe(FieldList& fields, BuiltBody& body) {
  fields("body", body.body);
  fields("name", body.name);
}

void describe(FieldList& fields, BuiltDecomposition& decomposition) {
  fields("object", decomposition.object);
  fields("hulls", decomposition.hulls);
  fields("volume_error", decomposition.volume_error,
         {.help = "of all hulls together, as a share of the mesh; 0 if the mesh is open"});
  fields("worst_distance", decomposition.worst_distance,
         {.help = "between the surfaces of the mesh and of all hulls", .unit = "game units"});
  fields("coverage", decomposition.coverage, {.help = "the share of the mesh that is in a hull"});
}

void describe(FieldList& fields, BuildCollisionReport& report) {
  fields("bytes", report.bytes, {.unit = "bytes"});
  fields("count", report.count, {.help = "number of bodies"});
  fields("bodies", report.bodies, {.help = "the object of each body"});
  fields("decompositions", report.decompositions, {.help = "how well the hulls fit the objects that were decomposed"});
}

void BuildCollisionReport::saved(const Document&, const std::vector<SavedFile>& files) {
  for (const SavedFile& file : files) bytes += file.bytes.size();
}

namespace {

// Takes the bodies of one system out whose objects are gone, from the last to the first.
Result<void> remove_gone(DocumentCollision& collision, std::vector<GoneBody> gone, std::size_t system, Notes& notes) {
  std::ranges::sort(gone, std::ranges::greater{}, &GoneBody::body);
  for (const GoneBody& each : gone) {
    if (each.system != system || each.node) continue;
    MARROW_CHECK(remove_body(collision.system, each.body, notes));
    std::erase_if(collision.nodes, [&](const BodyNode& node) { return node.body == each.body; });
    for (BodyNode& node : collision.nodes)
      if (node.body > each.body) --node.body;
  }
  return {};
}

// Exported collision comes back as the bodies that it was, with the edits of the meshes.
Result<BuildCollisionReport> rebuild_recorded(const Document& mesh, CollisionRecord& record,
                                              const BuildCollisionOptions& options, const BuildOptions& build,
                                              Document& document, Context& context) {
  std::vector<std::size_t> meant;
  for (std::size_t i = 0; i < record.systems.size(); ++i)
    if (!options.block || record.systems[i].collision.block == options.block) meant.push_back(i);
  if (meant.empty()) return fail(ErrorCode::BadOption, "the export does not show this block", kNoOffset, "block");
  if (meant.size() > 1)
    return fail(
        ErrorCode::NeedsChoice,
        "the export shows several systems, and a packfile holds one; replacing the collision of the NIF puts all "
        "of them back",
        Cure{"collision replace"}, "block");
  std::vector<DocumentCollision> systems;
  for (const RecordedSystem& each : record.systems) systems.push_back(each.collision);
  auto back = put_back(systems, mesh, {.solid = record.solid, .all_exported = true}, context.notes);
  if (!back) return in_file(std::move(back.error()), mesh.name);
  DocumentCollision& collision = systems[meant.front()];
  MARROW_CHECK(remove_gone(collision, back->gone, meant.front(), context.notes));
  const BodyEdit edit{
      .motion = build.motion ? build.motion : (build.mass_kg ? std::optional(MotionType::Dynamic) : std::nullopt),
      .mass_kg = build.mass_kg,
      .friction = build.friction,
      .restitution = build.restitution,
      .material = build.material,
      .layer = build.layer};
  BuildCollisionReport report{.count = collision.system.bodies.size()};
  for (std::size_t i = 0; i < report.count; ++i) {
    if (edit != BodyEdit{}) MARROW_CHECK(edit_body(collision.system, i, edit, context.notes));
    const auto node = std::ranges::find(collision.nodes, i, &BodyNode::body);
    report.bodies.push_back({i, node == collision.nodes.end() ? "" : node->name});
  }
  document.format = Format::Hkx;
  document.game = Game::Fallout4;
  collision.packfile = 0;
  OriginAccess::set(document, {HavokOrigin{std::move(record.systems[meant.front()].packfile)}});
  document.collision = {std::move(collision)};
  OriginAccess::set_read(document, Parts::Collision);
  return report;
}

// Returns the visible shapes of a NIF in the space of a node.
Result<BuildInput> shapes_of(const Document& nif, const BuildCollisionOptions& options, const NifNode& node) {
  const std::vector<std::string>& names = *options.from_shapes;
  Document chosen{.name = nif.name, .format = nif.format};
  std::string known;
  for (const DocumentMesh& mesh : nif.meshes) {
    known += (known.empty() ? "" : ", ") + mesh.name;
    if (names.empty() || std::ranges::find(names, mesh.name) != names.end()) chosen.meshes.push_back(mesh);
  }
  for (const std::string& name : names)
    if (std::ranges::find(nif.meshes, name, &DocumentMesh::name) == nif.meshes.end())
      return fail(ErrorCode::NotFound, "there is no visible shape '" + name + "'; there are: " + known);
  if (chosen.meshes.empty()) return fail(ErrorCode::InvalidArgument, "the NIF contains no visible shape to build from");
  const Document* const documents[] = {&chosen};
  MARROW_TRY(BuildInput input, build_input(documents));
  move_into(input, node.world);
  return input;
}

Result<BuildCollisionReport> build_from_shapes(std::span<const Document* const> files,
                                               const BuildCollisionOptions& options, const BuildOptions& build,
                                               DocumentCollision& collision, Context& context) {
  if (files.size() != 1 || !files.front()->nif())
    return in_file({ErrorCode::WrongKind, "visible shapes are taken from one NIF"}, files.front()->name);
  const NifFile& nif = *files.front()->nif();
  MARROW_TRY(const std::vector<NifNode> nodes, read_nodes(nif));
  auto node = std::ranges::find(nodes, kNoBlock, &NifNode::parent);
  if (options.node) {
    MARROW_TRY(const std::int32_t block, find_node(nif, *options.node));
    node = std::ranges::find(nodes, block, &NifNode::block);
  }
  if (node == nodes.end()) return fail(ErrorCode::Malformed, "the NIF has no root node");
  MARROW_TRY(const BuildInput input, shapes_of(*files.front(), options, *node));
  MARROW_TRY(collision.system, build_one_body(input, build, context.notes));
  place_body(collision.system, 0, node->world);
  return BuildCollisionReport{.count = 1, .bodies = {{0, node->name}}};
}

// Makes a document of what was built: of several bodies each has a node with the name of its object.
Result<void> finish(const CollisionContainer& container, Document& document, DocumentCollision collision,
                    const BuildCollisionReport& report, Game game, Context& context) {
  std::vector<NewNode> nodes;
  const std::size_t count = collision.system.bodies.size();
  collision.nodes.clear();
  for (std::size_t i = 0; i < count; ++i) {
    const auto body = static_cast<std::uint32_t>(i);
    if (count == 1) {
      collision.nodes.push_back({body, "", {}});
      continue;
    }
    const auto named = std::ranges::find(report.bodies, i, &BuiltBody::body);
    const bool has_name = named != report.bodies.end() && !named->name.empty();
    collision.nodes.push_back({body, "", {}, static_cast<std::int32_t>(i)});
    nodes.push_back({.name = has_name ? named->name : "body" + std::to_string(i)});
  }
  return container.make(document, std::move(collision), nodes, game, context);
}

}  // namespace

Result<BuildCollisionReport> build_collision(std::span<const Document* const> meshes,
                                             const BuildCollisionOptions& options, Document& document,
                                             Context& context) {
  BuildOptions build = options.build;
  build.shape = options.shape.shape.value_or(BuildShape::Hull);
  build.rules = options.shape.rules;
  const Game game = options.to.value_or(Game::Fallout4);
  MARROW_TRY(const CollisionContainer* container, container_of(game));
  build.game = container->game;
  if (options.material) {
    MARROW_TRY(build.material, option_material(*options.material, build.game));
  }
  if (options.layer) {
    MARROW_TRY(build.layer, option_layer(*options.layer, build.game));
  }
  std::optional<CollisionRecord> record;
  if (meshes.size() == 1 && !options.from_shapes) {
    MARROW_TRY(record, record_of(*meshes.front(), context.limits));
    if (record && !record->has_packfiles) record.reset();
  }
  if (record && !options.shape.is_given()) {
    BuildOptions recorded = build;
    recorded.game = CollisionGame::Fallout4;  // only its exports hold what they were made from
    const bool is_ported = container->game != recorded.game;
    const BodyEdit names{.material = build.material, .layer = build.layer};  // as the game numbers them
    if (is_ported) recorded.material.reset(), recorded.layer.reset();
    MARROW_TRY(const BuildCollisionReport report,
               rebuild_recorded(*meshes.front(), *record, options, recorded, document, context));
    if (!is_ported) return report;
    MARROW_TRY(DocumentCollision ported, port_collision(document.collision.front(), container->game, context.notes));
    for (std::size_t i = 0; names != BodyEdit{} && i < ported.system.bodies.size(); ++i)
      MARROW_CHECK(edit_body(ported.system, i, names, context.notes));
    MARROW_CHECK(finish(*container, document, std::move(ported), report, game, context));
    return report;
  }
  if (!options.shape.is_given())
    return fail(ErrorCode::BadOption, "is missing: what the mesh is to become", kNoOffset, "shape");
  DocumentCollision collision;
  if (options.from_shapes) {
    MARROW_TRY(const BuildCollisionReport report, build_from_shapes(meshes, options, build, collision, context));
    MARROW_CHECK(finish(*container, document, std::move(collision), report, game, context));
    return report;
  }
  RecordedInput in;
  if (record) {
    MARROW_TRY(in, input_on_nodes(*meshes.front(), *record, build.shape == BuildShape::Compound, context.notes));
  } else {
    MARROW_TRY(in.input, build_input(meshes));
  }
  BuildCollisionReport report;
  MARROW_TRY(collision.system, build_system(in.input, build, context.notes, &report.decompositions));
  report.count = collision.system.bodies.size();
  for (std::size_t i = 0; i < report.count; ++i)
    place_body(collision.system, i, i < in.nodes.size() ? in.nodes[i] : Transform{});
  if (report.count == in.input.objects.size())
    for (std::size_t i = 0; i < in.input.objects.size(); ++i) report.bodies.push_back({i, in.input.objects[i].name});
  MARROW_CHECK(finish(*container, document, std::move(collision), report, game, context));
  return report;
}

}  // namespace marrow
