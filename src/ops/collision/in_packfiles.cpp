// SPDX-License-Identifier: MIT
// Collision in packfiles that blocks of a NIF hold.
#include <algorithm>

#include "core/try.h"
#include "havok/physics/physics.h"
#include "ops/collision/bodies.h"
#include "ops/collision/container.h"
#include "ops/collision/port.h"
#include "ops/document/as_saved.h"
#include "ops/document/nif_edit.h"
#include "ops/table/define.h"

namespace marrow {
namespace {

Result<BodyReport> add_body_to_packfile(Document& document, std::optional<std::size_t> target,
                                        const CollisionSystem& built, const NifNode& node, Context& context) {
  const std::string name = node.name;
  const std::optional<std::uint32_t> flags = bsx_flags(*document.nif());
  Notes steps;  // of the container, that are of no interest one by one
  std::vector<std::byte> bytes;
  std::uint32_t body = 0;
  if (target) {
    DocumentCollision& collision = document.collision[*target];
    const std::int32_t block = *collision.block;
    MARROW_TRY(const std::size_t added, add_body(collision.system, built, 0));
    body = static_cast<std::uint32_t>(added);
    MARROW_CHECK(store_systems(document, context, steps));
    MARROW_TRY(const EmbeddedPackfile embedded, find_embedded(*document.nif(), block));
    bytes.assign(embedded.bytes.begin(), embedded.bytes.end());
  } else {
    MARROW_TRY(const havok::Packfile file, havok::make_physics(built, &context.notes));
    MARROW_TRY(bytes, havok::write_packfile(file));
  }
  // A system with the same bytes is shared, so that this only makes the node's collision object.
  MARROW_TRY(NifFile nif, nif_as_saved(document, context));
  MARROW_TRY(const std::int32_t block,
             attach(nif, bytes, EmbeddedKind::Physics, std::array{Attachment{name, body}}, steps, &probe_system));
  note_flags(flags, nif, context.notes);
  MARROW_CHECK(take_container(document, std::move(nif), context));
  return BodyReport{block, body};
}

// Takes a body out of a system of a NIF, and off its nodes.
Result<void> remove_from_packfile(Document& document, const BodyPlace& place, Context& context) {
  const std::optional<std::uint32_t> flags = bsx_flags(*document.nif());
  DocumentCollision& collision = document.collision[place.system];
  const std::int32_t block = *collision.block;
  const bool is_last = collision.system.bodies.size() == 1;
  if (!is_last) MARROW_CHECK(remove_body(collision.system, place.body, context.notes));
  NifFile marked = *document.nif();
  MARROW_TRY(const std::vector<CollisionObject> objects, read_collision_objects(marked));
  for (const CollisionObject& object : objects) {
    if (object.system != block || object.body < place.body) continue;
    MARROW_CHECK(set_body(marked, object.block, object.body == place.body ? kGoneBody : object.body - 1));
  }
  MARROW_CHECK(take_container(document, std::move(marked), context));
  Notes steps;  // of the flags, which are reported once
  if (!is_last) MARROW_CHECK(store_systems(document, context, steps));
  MARROW_TRY(NifFile nif, nif_as_saved(document, context));
  MARROW_CHECK(detach_all(nif, &is_marked_gone, context.notes, steps));
  note_flags(flags, nif, context.notes);
  return take_container(document, std::move(nif), context);
}

Result<DetachCollisionReport> detach_packfiles(Document& document, const DetachCollisionOptions& options,
                                               Context& context) {
  DetachCollisionReport report;
  if (options.nodes.empty()) {
    MARROW_TRY(NifFile nif, nif_as_saved(document, context));
    MARROW_TRY(report.nodes,
               detach_all(nif, [](const CollisionObject&) { return true; }, context.notes, context.notes));
    if (report.nodes.empty()) return fail(ErrorCode::NoCollision, "no node of the file has collision");
    MARROW_CHECK(take_container(document, std::move(nif), context));
    return report;
  }
  for (const std::string& name : options.nodes) {
    MARROW_TRY(NifFile nif, nif_as_saved(document, context));
    MARROW_TRY(const std::vector<NifNode> nodes, read_nodes(nif));
    MARROW_TRY(const NifNode* node, colliding_node(nodes, nif, name));
    MARROW_TRY(const std::vector<CollisionObject> objects, read_collision_objects(nif));
    const auto own = std::ranges::find(objects, node->collision_object, &CollisionObject::block);
    if (own == objects.end()) return fail(ErrorCode::NotFound, "node '" + node->name + "' has no collision");
    const auto users = [&](auto&& is_user) { return std::ranges::count_if(objects, is_user); };
    const bool shares_system = users([&](const auto& each) { return each.system == own->system; }) > 1;
    const bool shares_body =
        users([&](const auto& each) { return each.system == own->system && each.body == own->body; }) > 1;
    if (shares_system && !shares_body) {
      const auto system = std::ranges::find(document.collision, std::optional(own->system), &DocumentCollision::block);
      if (system != document.collision.end() && system->kind == EmbeddedKind::Physics &&
          own->body < system->system.bodies.size()) {
        const auto index = static_cast<std::size_t>(system - document.collision.begin());
        MARROW_CHECK(remove_from_packfile(document, {index, own->body}, context));
        report.nodes.push_back(name);
        continue;
      }
    }
    MARROW_TRY(const Detached detached, detach(nif, node->block, context.notes, &probe_system));
    if (detached.stays)
      context.note("body " + std::to_string(*detached.stays) + " of the system in block " +
                   std::to_string(detached.system) + " stays, since other nodes use the system");
    MARROW_CHECK(take_container(document, std::move(nif), context));
    report.nodes.push_back(name);
  }
  return report;
}

/// A packfile to put into a NIF. It is checked first: a broken or foreign one would crash the game.
struct Blob {
  EmbeddedKind kind = EmbeddedKind::Physics;
  std::size_t bodies = 0;
  std::shared_ptr<const havok::Packfile> file = {};
  std::vector<std::byte> bytes;
  std::vector<Attachment> bones = {};  ///< of a ragdoll with names: the node of each body
  std::vector<Attachment> nodes = {};  ///< of the collision of another game's NIF
};

// Moves the names of a ragdoll's bones into `bones`, since NIF files have none. They stay if one bone has no name.
Result<void> take_bone_names(Blob& blob, havok::Packfile file) {
  const havok::ObjectId target = havok::find_physics(file).front();
  MARROW_TRY(CollisionSystem system, havok::read_physics(file, target));
  std::vector<Bone>& bones = system.ragdoll->skeleton.bones;
  if (bones.empty() || bones.size() != system.ragdoll->bone_to_body.size() ||
      std::ranges::any_of(bones, [](const Bone& bone) { return bone.name.empty(); }))
    return {};
  for (std::size_t i = 0; i < bones.size(); ++i)
    blob.bones.push_back({std::move(bones[i].name), static_cast<std::uint32_t>(system.ragdoll->bone_to_body[i])});
  for (Bone& bone : bones) bone.name.clear();
  MARROW_CHECK(havok::write_physics(system, file, target));
  MARROW_TRY(blob.bytes, havok::write_packfile(file));
  return {};
}

Result<Blob> open_blob(const Document& document, Context& context) {
  std::shared_ptr<const havok::Packfile> file;
  std::vector<Attachment> nodes;
  if (document.nif() && &container_of(*document.nif()) != &kCollisionInPackfiles) {
    MARROW_TRY(const std::vector<DocumentCollision> systems,
               collision_for(kCollisionInPackfiles.game, document, context));
    const DocumentCollision& ported = systems.front();
    if (systems.size() > 1)
      context.note("the file has " + std::to_string(systems.size()) +
                   " systems, and a packfile holds one; this is the " + std::string(to_string(ported.kind)) +
                   " system");
    for (const BodyNode& node : ported.nodes) nodes.push_back({node.name, node.body});
    MARROW_TRY(havok::Packfile made, havok::make_physics(ported.system, &context.notes));
    file = std::make_shared<const havok::Packfile>(std::move(made));
  } else {
    MARROW_TRY(file, packfile_as_saved(document, context));
  }
  if (!file)
    return in_file({ErrorCode::WrongKind, "a NIF holds packfiles, not a " + std::string(title(document.format))},
                   document.name);
  const auto open = [&]() -> Result<Blob> {
    Blob blob;
    blob.file = file;
    blob.nodes = nodes;
    MARROW_TRY(blob.kind, embedded_kind(*file));
    MARROW_TRY(blob.bytes, havok::write_packfile(*file));
    if (blob.kind == EmbeddedKind::Cloth) return blob;
    const auto systems = havok::find_physics(*file);
    if (systems.size() != 1 || file->root != systems.front())
      return fail(ErrorCode::InvalidArgument, "the root of a packfile in a NIF must be the physics system",
                  Cure{"collision build"});
    MARROW_TRY(const CollisionSystem system, havok::read_physics(*file, systems.front()));
    blob.bodies = system.bodies.size();
    if (system.ragdoll) MARROW_CHECK(take_bone_names(blob, *file));
    return blob;
  };
  auto blob = open();
  if (!blob) return in_file(std::move(blob.error()), document.name);
  return blob;
}

// Returns a packfile whose bodies record the places of the nodes that they go on. What is there already, but for
// rounding, stays.
Result<std::vector<std::byte>> placed_on_nodes(havok::Packfile file, const NifFile& nif,
                                               std::span<const Attachment> attachments, Notes& notes) {
  MARROW_TRY(const std::vector<NifNode> nodes, read_nodes(nif));
  const havok::ObjectId target = havok::find_physics(file).front();
  MARROW_TRY(CollisionSystem system, havok::read_physics(file, target));
  std::vector<bool> is_placed(system.bodies.size());
  for (const Attachment& attachment : attachments) {
    MARROW_TRY(const std::int32_t block, find_node(nif, attachment.node));
    if (is_placed[attachment.body]) continue;
    is_placed[attachment.body] = true;
    CollisionSystem placed = system;
    place_body(placed, attachment.body, std::ranges::find(nodes, block, &NifNode::block)->world);
    const Body &now = system.bodies[attachment.body], &then = placed.bodies[attachment.body];
    const Vec3 moved = glm::abs(Vec3(now.position) - Vec3(then.position));
    if (std::max({moved.x, moved.y, moved.z}) > 1e-4f || angle_degrees(now.orientation, then.orientation) > 0.01f)
      system = std::move(placed);
  }
  MARROW_CHECK(havok::write_physics(system, file, target, &notes));
  return havok::write_packfile(file);
}

std::string known_blocks(const std::vector<EmbeddedPackfile>& all) {
  std::string known;
  for (const EmbeddedPackfile& one : all)
    known += (known.empty() ? "" : ", ") + std::to_string(one.block) + " (" + std::string(to_string(one.kind)) + ")";
  return known;
}

// Returns the requested block, or the only one that holds a packfile of the kind.
Result<EmbeddedPackfile> choose_block(const NifFile& nif, std::optional<std::int32_t> block,
                                      std::optional<EmbeddedKind> kind) {
  if (block) return find_embedded(nif, *block);
  MARROW_TRY(std::vector<EmbeddedPackfile> all, read_embedded(nif));
  if (kind) std::erase_if(all, [&](const EmbeddedPackfile& one) { return one.kind != *kind; });
  if (all.size() == 1) return all.front();
  if (all.empty()) return fail(ErrorCode::NoCollision, "the NIF contains no such packfile", Cure{"collision attach"});
  return fail(ErrorCode::NeedsChoice, "the NIF contains several packfiles; name the block: " + known_blocks(all),
              kNoOffset, "block");
}

Result<void> check_users(const NifFile& nif, std::int32_t block, const Blob& blob) {
  MARROW_TRY(const std::vector<CollisionObject> objects, read_collision_objects(nif));
  for (const CollisionObject& object : objects)
    if (object.system == block && object.body >= blob.bodies)
      return fail(ErrorCode::InvalidArgument,
                  "a node uses body " + std::to_string(object.body) + " of block " + std::to_string(block) +
                      ", but the new system has " + std::to_string(blob.bodies) + " bodies",
                  Cure{"collision attach"});
  return {};
}

// Puts a ragdoll on the nodes of its bones, in the place of the ragdoll in `old`, which goes with its nodes.
Result<std::int32_t> replace_ragdoll(NifFile& nif, std::int32_t old, const Blob& blob, Notes& notes) {
  NifFile edited = nif;
  Notes steps;  // of the container, that are of no interest one by one
  MARROW_TRY(const std::int32_t block, attach(edited, blob.bytes, blob.kind, blob.bones, steps, &probe_system));
  if (block != old) {
    MARROW_TRY(const std::vector<CollisionObject> objects, read_collision_objects(edited));
    for (const CollisionObject& object : objects)
      if (object.system == old) MARROW_CHECK(set_body(edited, object.block, kGoneBody));
    MARROW_TRY(const std::vector<std::string> gone, detach_all(edited, &is_marked_gone, steps, steps));
    for (const std::string& name : gone)
      notes.push_back({"node '" + name + "' has no body in the new ragdoll, and no collision now", kNoOffset, {}});
  }
  note_flags(bsx_flags(nif), edited, notes);
  nif = std::move(edited);
  MARROW_TRY(const std::vector<EmbeddedPackfile> all, read_embedded(nif));
  const auto own = std::ranges::find_if(
      all, [&](const EmbeddedPackfile& each) { return std::ranges::equal(each.bytes, blob.bytes); });
  return own->block;
}

Result<ReplaceReport> replace_packfile(Document& document, const ReplaceCollisionOptions& options, Context& context) {
  MARROW_TRY(const Blob blob, open_blob(*options.blob, context));
  MARROW_TRY(NifFile nif, nif_as_saved(document, context));
  MARROW_TRY(const EmbeddedPackfile old, choose_block(nif, options.block, blob.kind));
  if (old.kind != blob.kind)
    return fail(ErrorCode::InvalidArgument, "block " + std::to_string(old.block) + " holds a " +
                                                std::string(to_string(old.kind)) + " system, but the packfile is a " +
                                                std::string(to_string(blob.kind)));
  if (!blob.bones.empty()) {
    MARROW_TRY(const std::int32_t block, replace_ragdoll(nif, old.block, blob, context.notes));
    MARROW_CHECK(take_container(document, std::move(nif), context));
    return ReplaceReport{block, {}};
  }
  const std::int32_t target = old.block;
  if (blob.kind != EmbeddedKind::Cloth) MARROW_CHECK(check_users(nif, target, blob));
  MARROW_TRY(const std::uint32_t flags, expected_bsx_flags(nif, &probe_system));
  MARROW_CHECK(replace_embedded(nif, target, blob.bytes));
  MARROW_CHECK(follow_with_flags(nif, flags, context.notes));
  MARROW_CHECK(take_container(document, std::move(nif), context));
  return ReplaceReport{target, {}};
}

Result<BlockReport> attach_packfile(Document& document, const AttachCollisionOptions& options, Context& context) {
  MARROW_TRY(Blob blob, open_blob(*options.blob, context));
  if (blob.kind == EmbeddedKind::Cloth)
    return fail(ErrorCode::Unsupported, "cloth cannot be attached, only listed and kept");
  const std::vector<Attachment>& named = blob.bones.empty() ? blob.nodes : blob.bones;
  if (options.nodes.empty() && named.empty())
    return fail(
        ErrorCode::BadOption,
        "say which nodes get the bodies; only a NIF of another game, or a ragdoll with names of bones, finds its own",
        kNoOffset, "node");
  std::vector<Attachment> attachments;
  if (options.nodes.empty()) attachments = named;
  for (std::size_t i = 0; i < options.nodes.size(); ++i)
    attachments.push_back(
        {options.nodes[i], options.bodies.empty() ? static_cast<std::uint32_t>(i) : options.bodies[i]});
  for (const Attachment& attachment : attachments)
    if (attachment.body >= blob.bodies)
      return fail(ErrorCode::InvalidArgument, "the packfile has no body " + std::to_string(attachment.body) +
                                                  ": it has " + std::to_string(blob.bodies) + ", from 0");
  if (blob.kind == EmbeddedKind::Physics) {
    MARROW_TRY(blob.bytes, placed_on_nodes(*blob.file, *document.nif(), attachments, context.notes));
  }
  MARROW_TRY(NifFile nif, nif_as_saved(document, context));
  MARROW_TRY(const std::int32_t block, attach(nif, blob.bytes, blob.kind, attachments, context.notes, &probe_system));
  MARROW_CHECK(take_container(document, std::move(nif), context));
  return BlockReport{block};
}

Result<ExtractReport> extract_packfiles(const Document& document, const BlockOptions& options, Context& context) {
  MARROW_TRY(const NifFile nif, nif_as_saved(document, context));
  std::vector<EmbeddedPackfile> all;
  if (options.block) {
    MARROW_TRY(const EmbeddedPackfile one, find_embedded(nif, *options.block));
    all.push_back(one);
  } else {
    MARROW_TRY(all, read_embedded(nif));
  }
  if (all.empty()) return fail(ErrorCode::NoCollision, "the NIF contains no packfile");
  ExtractReport report;
  for (const EmbeddedPackfile& one : all) {
    report.blocks.push_back(one.block);
    report.files.push_back(
        {all.size() > 1 ? "block" + std::to_string(one.block) : "", ".hkx", {one.bytes.begin(), one.bytes.end()}});
  }
  if (all.size() == 1) report.block = all.front().block;
  return report;
}

// A system on its own is a bare packfile, and keeps the names of nodes in a ragdoll only.
Result<void> make_packfile_document(Document& document, DocumentCollision collision, std::span<const NewNode>,
                                    Game game, Context&) {
  collision.nodes.clear();
  document.format = Format::Hkx;
  document.game = game;
  document.collision.clear();
  document.collision.push_back(std::move(collision));
  return {};
}

}  // namespace

const CollisionContainer kCollisionInPackfiles = {
    .game = CollisionGame::Fallout4,
    .add_body = &add_body_to_packfile,
    .remove_body = &remove_from_packfile,
    .detach = &detach_packfiles,
    .attach = &attach_packfile,
    .replace = &replace_packfile,
    .make = &make_packfile_document,
    .extract = &extract_packfiles,
};

}  // namespace marrow
