// SPDX-License-Identifier: MIT
// Load and save of NIF files. The container stays bytes; its packfiles are read and written like others.
#include <algorithm>
#include <unordered_map>

#include "core/try.h"
#include "marrow/havok/physics.h"
#include "marrow/nif/node.h"
#include "marrow/nif/shape.h"
#include "ops/format_rows.h"
#include "ops/havok_format.h"
#include "ops/nif_edit.h"

namespace marrow {
namespace {

// Errors inside an embedded packfile name its block; their offsets are relative to the packfile.
std::unexpected<Error> in_block(Error error, std::int32_t block) {
  error.path = "blocks[" + std::to_string(block) + "]" + (error.path.empty() ? "" : "." + error.path);
  return std::unexpected(std::move(error));
}

Result<void> load_embedded(const EmbeddedPackfile& embedded, const LoadOptions& options, const Limits& limits,
                           NifOrigin& origin, Document& document) {
  auto file = havok::read_packfile(embedded.bytes, {.limits = limits});
  const std::size_t index = origin.packfiles.size();
  if (embedded.kind == EmbeddedKind::Cloth) {
    // Cloth is kept as bytes, so its classes need not be known.
    if (has(options.parts, Parts::Collision)) document.collision.push_back({embedded.block, embedded.kind, index});
    origin.packfiles.push_back(file ? std::move(*file) : havok::Packfile{});
    return {};
  }
  if (!file) return in_block(std::move(file.error()), embedded.block);
  if (has(options.parts, Parts::Collision)) {
    const std::size_t before = document.collision.size();
    if (auto added = load_systems(*file, index, embedded.block, document); !added)
      return in_block(std::move(added.error()), embedded.block);
    if (document.collision.size() == before)
      return in_block({ErrorCode::Malformed, "the packfile contains no physics system"}, embedded.block);
  }
  origin.packfiles.push_back(std::move(*file));
  return {};
}

Result<void> add_nodes(const NifFile& nif, Document& document) {
  MARROW_TRY(const std::vector<CollisionObject> objects, read_collision_objects(nif));
  MARROW_TRY(const std::vector<NifNode> nodes, read_nodes(nif));
  std::unordered_map<std::int32_t, const NifNode*> node_of;
  for (const NifNode& node : nodes) node_of[node.block] = &node;
  for (DocumentCollision& collision : document.collision)
    for (const CollisionObject& object : objects)
      if (object.system == collision.block && node_of.contains(object.target) &&
          node_of[object.target]->collision_object == object.block)
        collision.nodes.push_back({object.body, node_of[object.target]->name, node_of[object.target]->world});
  return {};
}

// Adds the visible shapes, where they stand. Skins have no shape of their own, and precombined ones are elsewhere.
Result<void> add_shapes(const NifFile& nif, Document& document, Context& context) {
  MARROW_TRY(std::vector<NifShape> shapes, read_shapes(nif, context.limits));
  for (NifShape& shape : shapes) {
    if (shape.is_skinned || shape.triangles.empty()) {
      context.note(shape.is_skinned ? "a skinned shape has no fixed place, and is left out"
                                    : "the triangles of the shape are not in this file; it is left out",
                   "shape '" + shape.name + "'");
      continue;
    }
    DocumentMesh mesh{.name = std::move(shape.name), .mesh = {}, .placement = shape.world};
    mesh.mesh.vertices = std::move(shape.vertices);
    for (const auto& [a, b, c] : shape.triangles) mesh.mesh.triangles.push_back({a, b, c});
    document.meshes.push_back(std::move(mesh));
  }
  return {};
}

// Adds the bones of a skeleton.nif, by name and place.
Result<void> add_skeleton(const NifFile& nif, Document& document) {
  MARROW_TRY(const std::vector<NifNode> nodes, read_nodes(nif));
  std::unordered_map<std::int32_t, std::int32_t> index_of;
  DocumentSkeleton skeleton;
  for (const NifNode& node : nodes) {
    const auto parent = index_of.find(node.parent);
    index_of[node.block] = static_cast<std::int32_t>(skeleton.skeleton.bones.size());
    skeleton.skeleton.bones.push_back(
        {node.name, parent == index_of.end() ? kNoBone : parent->second, node.local, false});
  }
  if (!nodes.empty()) {
    skeleton.skeleton.name = nodes.front().name;
    document.skeletons.push_back(std::move(skeleton));
  }
  return {};
}

}  // namespace

Result<Document> load_nif(std::span<const std::byte> bytes, const LoadOptions& options, Context& context) {
  NifOrigin origin;
  MARROW_TRY(origin.nif, read_nif(bytes, context.limits));
  Document document;
  document.game = Game::Fallout4;
  MARROW_TRY(const std::vector<EmbeddedPackfile> all, read_embedded(origin.nif));
  for (const EmbeddedPackfile& embedded : all)
    MARROW_CHECK(load_embedded(embedded, options, context.limits, origin, document));
  if (has(options.parts, Parts::Collision)) MARROW_CHECK(add_nodes(origin.nif, document));
  if (has(options.parts, Parts::Skeletons)) MARROW_CHECK(add_skeleton(origin.nif, document));
  if (has(options.parts, Parts::Shapes)) MARROW_CHECK(add_shapes(origin.nif, document, context));
  document.origin = std::move(origin);
  return document;
}

Result<void> reload_systems(Document& document, Context&) {
  auto& origin = std::get<NifOrigin>(document.origin);
  document.collision.clear();
  MARROW_TRY(const std::vector<EmbeddedPackfile> all, read_embedded(origin.nif));
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].kind == EmbeddedKind::Cloth) {
      document.collision.push_back({all[i].block, all[i].kind, i});
    } else if (auto added = load_systems(origin.packfiles[i], i, all[i].block, document); !added) {
      return in_block(std::move(added.error()), all[i].block);
    }
  }
  return add_nodes(origin.nif, document);
}

Result<std::vector<SavedFile>> save_nif(const Document& document, const SaveOptions& options, Context& context) {
  const auto* origin = std::get_if<NifOrigin>(&document.origin);
  if (!origin) return cannot_hold(*options.format, document);
  NifFile nif = origin->nif;
  MARROW_TRY(const std::vector<EmbeddedPackfile> all, read_embedded(origin->nif));
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].kind == EmbeddedKind::Cloth) continue;
    havok::Packfile file = origin->packfiles[i];
    const std::vector<havok::ObjectId> systems = havok::find_physics(file);
    for (const DocumentCollision& collision : document.collision)
      if (collision.packfile == i && collision.kind != EmbeddedKind::Cloth)
        MARROW_CHECK(havok::write_physics(collision.system, file, systems[collision.ordinal], &context.notes));
    // An edit does not touch what it did not change; a conversion rewrites everything.
    if (has(document.parts, Parts::Collision) && file == origin->packfiles[i]) continue;
    MARROW_TRY(const std::vector<std::byte> blob, havok::write_packfile(file));
    MARROW_CHECK(replace_embedded(nif, all[i].block, blob));
  }
  return one_file(Format::Nif, write_nif(nif));
}

}  // namespace marrow
