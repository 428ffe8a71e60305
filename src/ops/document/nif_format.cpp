// SPDX-License-Identifier: MIT
// Load and save of NIF files. The container stays bytes; its packfiles are read and written like others.
#include <algorithm>
#include <unordered_map>

#include "core/try.h"
#include "havok/physics/physics.h"
#include "nif/bhk.h"
#include "nif/node.h"
#include "nif/record.h"
#include "nif/shape.h"
#include "ops/body/rig.h"
#include "ops/document/format_rows.h"
#include "ops/document/havok_format.h"
#include "ops/document/nif_edit.h"
#include "ops/document/nif_values.h"
#include "ops/document/origin.h"
#include "ops/document/packfile_values.h"

namespace marrow {
namespace {

// Errors inside an embedded packfile name its block; their offsets are relative to the packfile.
std::unexpected<Error> in_block(Error error, std::int32_t block) {
  error.path = "blocks[" + std::to_string(block) + "]" + (error.path.empty() ? "" : "." + error.path);
  return std::unexpected(std::move(error));
}

// Reads an embedded packfile. Cloth is kept as bytes, so its classes need not be known.
Result<havok::Packfile> read_one(const EmbeddedPackfile& embedded, const Limits& limits) {
  auto file = havok::read_packfile(embedded.bytes, {.limits = limits});
  if (!file && embedded.kind == EmbeddedKind::Cloth) return havok::Packfile{};
  if (!file) return in_block(std::move(file.error()), embedded.block);
  return file;
}

Result<void> add_systems(const EmbeddedPackfile& embedded, const havok::Packfile& file, std::size_t index,
                         Document& document, const Limits& limits) {
  if (embedded.kind == EmbeddedKind::Cloth) {
    document.collision.push_back({embedded.block, embedded.kind, index});
    return {};
  }
  const std::size_t before = document.collision.size();
  if (auto added = load_systems(file, index, embedded.block, document, limits); !added)
    return in_block(std::move(added.error()), embedded.block);
  if (document.collision.size() == before)
    return in_block({ErrorCode::Malformed, "the packfile contains no physics system"}, embedded.block);
  return {};
}

Result<void> add_nodes(const NifFile& nif, Document& document) {
  MARROW_TRY(const std::vector<CollisionObject> objects, read_collision_objects(nif));
  MARROW_TRY(const std::vector<NifNode> nodes, read_nodes(nif));
  std::unordered_map<std::int32_t, const NifNode*> node_of;
  for (const NifNode& node : nodes) node_of[node.block] = &node;
  for (DocumentCollision& collision : document.collision) {
    collision.nodes.clear();
    for (const CollisionObject& object : objects)
      if (object.system == collision.block && node_of.contains(object.target) &&
          node_of[object.target]->collision_object == object.block)
        collision.nodes.push_back({object.body, node_of[object.target]->name, node_of[object.target]->world});
  }
  return {};
}

// Adds collision that is kept as blocks.
Result<void> add_block_systems(const NifFile& nif, Document& document, const Limits& limits) {
  MARROW_TRY(std::vector<bhk::System> systems, bhk::read_systems(nif, limits));
  for (bhk::System& each : systems) {
    DocumentCollision& collision = document.collision.emplace_back();
    collision.block = each.block;
    collision.kind = each.is_ragdoll ? EmbeddedKind::Ragdoll : EmbeddedKind::Physics;
    collision.system = std::move(each.system);
    for (bhk::NodeBody& node : each.nodes)
      collision.nodes.push_back({node.body, std::move(node.name), node.world, node.node});
  }
  return {};
}

// Returns the collision of a document as what is laid over the blocks of a NIF.
std::vector<bhk::System> block_systems(const Document& document) {
  std::vector<bhk::System> systems;
  for (const DocumentCollision& collision : document.collision) {
    bhk::System& system = systems.emplace_back();
    system.block = collision.block.value_or(kNoBlock);
    system.is_ragdoll = collision.kind == EmbeddedKind::Ragdoll;
    system.system = collision.system;
    for (const BodyNode& node : collision.nodes) system.nodes.push_back({node.body, node.block, node.name, node.world});
  }
  return systems;
}

// Adds the visible shapes, where they stand. Skins have no shape of their own, and precombined ones are elsewhere.
Result<void> add_shapes(const NifFile& nif, Document& document, Context& context) {
  MARROW_TRY(std::vector<BodyShape> shapes, read_shapes(nif, {.limits = context.limits}));
  for (BodyShape& shape : shapes) {
    if (shape.is_skinned || shape.triangles.empty()) {
      context.note(shape.is_skinned ? "a skinned shape has no fixed place, and is left out"
                                    : "the triangles of the shape are not in this file; it is left out",
                   "shape '" + shape.name + "'");
      continue;
    }
    DocumentMesh mesh{.name = std::move(shape.name), .mesh = {}, .placement = shape.world};
    mesh.mesh.vertices = std::move(shape.positions);
    for (const auto& [a, b, c] : shape.triangles) mesh.mesh.triangles.push_back({a, b, c});
    document.meshes.push_back(std::move(mesh));
  }
  return {};
}

// Returns the place of a skeleton among those of the document; adds it unless another part of the file has done so.
std::size_t place_of_skeleton(Skeleton skeleton, Document& document) {
  const auto found = std::ranges::find(document.skeletons, skeleton, &DocumentSkeleton::skeleton);
  const auto place = static_cast<std::size_t>(found - document.skeletons.begin());
  if (found == document.skeletons.end()) document.skeletons.push_back({.skeleton = std::move(skeleton)});
  return place;
}

// Adds the bones of a skeleton.nif, by name and place.
Result<void> add_skeleton(const NifFile& nif, Document& document) {
  MARROW_TRY(const std::vector<NifNode> nodes, read_nodes(nif));
  if (!nodes.empty()) place_of_skeleton(skeleton_of_nodes(nodes), document);
  return {};
}

// The bone that the root's extra data `Prn` names: what the file shows hangs on it.
std::string attach_bone(const NifFile& nif, const std::vector<NifNode>& nodes) {
  for (const NifNode& node : nodes)
    if (std::ranges::find(nif.roots, node.block) != nif.roots.end())
      for (const std::int32_t extra : node.extra_data) {
        if (nif.type_of(extra) != "NiStringExtraData") continue;
        const auto record = nif::read_block(nif, extra);
        if (record && nif.string_at(record->reference("name")) == "Prn")
          return std::string(nif.string_at(record->reference("value")));
      }
  return {};
}

// Adds the shapes with the file's own nodes as their rig.
Result<void> add_bodies(const NifFile& nif, Document& document, Context& context) {
  MARROW_TRY(std::vector<BodyShape> shapes, read_shapes(nif, {.limits = context.limits}));
  MARROW_TRY(const std::vector<NifNode> nodes, read_nodes(nif));
  const bool has_triangles =
      std::ranges::any_of(shapes, [](const BodyShape& shape) { return !shape.triangles.empty(); });
  if (!has_triangles) return {};
  // Meshes, nodes and materials of other formats take more than shapes that share all they have.
  constexpr std::size_t kPerMesh = 12 << 10;
  if (!context.limits.charge(shapes.size(), kPerMesh))
    return fail(ErrorCode::LimitExceeded,
                std::to_string(shapes.size()) + " shapes are more than a file of its size may have");
  std::vector<std::int32_t> bone_of;
  const std::size_t skeleton = place_of_skeleton(skeleton_of_nodes(nodes, &bone_of), document);
  std::unordered_map<std::int32_t, std::int32_t> bone_of_block;
  for (std::size_t i = 0; i < nodes.size(); ++i) bone_of_block[nodes[i].block] = bone_of[i];
  const std::string hangs_on = attach_bone(nif, nodes);
  for (BodyShape& shape : shapes) {
    DocumentBody body{.shape = {},
                      .file = document.name,
                      .skeleton = skeleton,
                      .attach_bone = hangs_on,
                      .place = matrix_of(shape.world)};
    for (const BodyBone& bone : shape.bones) {
      const auto found = bone_of_block.find(bone.node);
      body.rig_bones.push_back(found == bone_of_block.end() ? kNoBone : found->second);
    }
    body.shape = std::move(shape);
    document.bodies.push_back(std::move(body));
  }
  return {};
}

}  // namespace

Result<Document> load_nif(std::span<const std::byte> bytes, const LoadOptions&, Context& context) {
  MARROW_TRY(NifFile nif, read_nif(bytes, context.limits));
  Document document;
  document.game = game_of_stream(nif.stream);
  OriginAccess::set(document, {NifOrigin{std::move(nif)}});
  return document;
}

Result<void> read_nif_packfiles(Document& document, Context& context) {
  if (origin_of<NifOrigin>(document)->packfiles) return {};
  MARROW_TRY(const std::vector<EmbeddedPackfile> all, read_embedded(*document.nif()));
  std::vector<havok::Packfile> packfiles;
  for (const EmbeddedPackfile& embedded : all) {
    MARROW_TRY(havok::Packfile file, read_one(embedded, context.limits));
    packfiles.push_back(std::move(file));
  }
  own_origin_of<NifOrigin>(document)->packfiles = std::move(packfiles);
  return {};
}

Result<void> read_nif_parts(Document& document, Parts parts, Context& context) {
  if (has(parts, Parts::Collision) && bhk::keeps_blocks(document.nif()->stream)) {
    MARROW_CHECK(add_block_systems(*document.nif(), document, context.limits));
  } else if (has(parts, Parts::Collision)) {
    MARROW_CHECK(read_nif_packfiles(document, context));
    const NifOrigin& origin = *origin_of<NifOrigin>(document);
    MARROW_TRY(const std::vector<EmbeddedPackfile> all, read_embedded(origin.nif));
    for (std::size_t i = 0; i < all.size(); ++i)
      MARROW_CHECK(add_systems(all[i], (*origin.packfiles)[i], i, document, context.limits));
    MARROW_CHECK(add_nodes(origin.nif, document));
  }
  if (has(parts, Parts::Skeletons)) MARROW_CHECK(add_skeleton(*document.nif(), document));
  if (has(parts, Parts::Bodies)) MARROW_CHECK(add_bodies(*document.nif(), document, context));
  if (has(parts, Parts::Shapes)) MARROW_CHECK(add_shapes(*document.nif(), document, context));
  return {};
}

namespace {

// The blocks with the collision that they hold; what is still there keeps its values.
Result<void> take_blocks(Document& document, NifFile nif, Context& context) {
  if (!has_parts(document, Parts::Collision)) {
    *own_origin_of<NifOrigin>(document) = {std::move(nif)};
    return {};
  }
  if (bhk::keeps_blocks(nif.stream)) {
    Document changed;
    MARROW_CHECK(add_block_systems(nif, changed, context.limits));
    *own_origin_of<NifOrigin>(document) = {std::move(nif)};
    document.collision = std::move(changed.collision);
    return {};
  }
  const NifOrigin& before = *origin_of<NifOrigin>(document);
  MARROW_TRY(const std::vector<EmbeddedPackfile> old, read_embedded(before.nif));
  MARROW_TRY(const std::vector<EmbeddedPackfile> all, read_embedded(nif));
  Document changed{.name = document.name};
  NifOrigin now{{}, std::vector<havok::Packfile>{}};
  std::vector<bool> is_taken(old.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    // A packfile that is still there keeps its values, whatever the number of its block is now.
    std::size_t same = 0;
    while (same < old.size() &&
           (is_taken[same] || old[same].kind != all[i].kind || !std::ranges::equal(old[same].bytes, all[i].bytes)))
      ++same;
    if (same == old.size()) {
      MARROW_TRY(havok::Packfile file, read_one(all[i], context.limits));
      MARROW_CHECK(add_systems(all[i], file, i, changed, context.limits));
      now.packfiles->push_back(std::move(file));
      continue;
    }
    is_taken[same] = true;
    now.packfiles->push_back((*before.packfiles)[same]);
    for (const DocumentCollision& kept : document.collision)
      if (kept.packfile == same) {
        changed.collision.push_back(kept);
        changed.collision.back().packfile = i;
        changed.collision.back().block = all[i].block;
      }
  }
  MARROW_CHECK(add_nodes(nif, changed));
  now.nif = std::move(nif);
  *own_origin_of<NifOrigin>(document) = std::move(now);
  document.collision = std::move(changed.collision);
  return {};
}

}  // namespace

Result<void> take_container(Document& document, NifFile nif, Context& context) {
  // Shapes and nodes are never laid over the blocks: they are views of them, and of their numbers.
  Parts views = Parts::None;
  for (const Parts each : {Parts::Skeletons, Parts::Bodies, Parts::Shapes})
    if (has(OriginAccess::read(document), each)) views = views | each;
  MARROW_CHECK(take_blocks(document, std::move(nif), context));
  forget_parts(document, views);
  // What can no longer be made of the blocks is reported when somebody asks for it.
  Context quiet;
  quiet.limits = context.limits;
  (void)read_parts(document, views, quiet);
  return {};
}

Result<NifFile> nif_as_saved(const Document& document, Context& context) {
  const NifOrigin& origin = *origin_of<NifOrigin>(document);
  NifFile nif = origin.nif;
  MARROW_CHECK(lay_shapes_over(nif, document, context.limits));
  if (bhk::keeps_blocks(nif.stream)) {
    if (has_parts(document, Parts::Collision))
      MARROW_CHECK(bhk::write_systems(nif, block_systems(document), context.notes, context.limits));
    return nif;
  }
  if (document.collision.empty() || !origin.packfiles) return nif;
  MARROW_TRY(const std::vector<EmbeddedPackfile> all, read_embedded(origin.nif));
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].kind == EmbeddedKind::Cloth) continue;
    havok::Packfile file = (*origin.packfiles)[i];
    MARROW_CHECK(lay_systems_over(file, i, document.collision, context.notes));
    if (file == (*origin.packfiles)[i]) continue;
    MARROW_TRY(const std::vector<std::byte> blob, havok::write_packfile(file));
    MARROW_CHECK(replace_embedded(nif, all[i].block, blob));
  }
  return nif;
}

Result<void> rewrite_nif(Document& document, Result<void> (*repair)(havok::Packfile& file, Context& context),
                         Context& context) {
  MARROW_TRY(NifFile nif, nif_as_saved(document, context));
  MARROW_TRY(const std::vector<EmbeddedPackfile> all, read_embedded(nif));
  NifFile written = nif;
  MARROW_CHECK(nif::rewrite_blocks(written, context.limits));
  for (const EmbeddedPackfile& embedded : all) {
    if (embedded.kind == EmbeddedKind::Cloth) continue;
    MARROW_TRY(havok::Packfile file, read_one(embedded, context.limits));
    if (repair) MARROW_CHECK(repair(file, context));
    MARROW_TRY(const std::vector<std::byte> blob, havok::write_packfile(file));
    MARROW_CHECK(replace_embedded(written, embedded.block, blob));
  }
  return take_container(document, std::move(written), context);
}

Result<std::vector<SavedFile>> save_nif(const Document& document, const SaveOptions& options, Context& context) {
  if (!document.nif()) return cannot_hold(*options.format, document);
  MARROW_CHECK(refuse_other_parts(document));
  MARROW_TRY(const NifFile nif, nif_as_saved(document, context));
  return one_file(Format::Nif, write_nif(nif));
}

}  // namespace marrow
