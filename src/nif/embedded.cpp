// SPDX-License-Identifier: MIT
#include "nif/embedded.h"

#include <algorithm>

#include "core/byte_writer.h"
#include "core/try.h"
#include "marrow/core/byte_reader.h"
#include "nif/detach.h"
#include "nif/discard.h"
#include "nif/references.h"

namespace marrow {
namespace {

constexpr std::string_view kCollisionObjectType = "bhkNPCollisionObject";

struct KindName {
  EmbeddedKind kind;
  std::string_view type;
};
constexpr std::array kKinds = {
    KindName{EmbeddedKind::Physics, "bhkPhysicsSystem"},
    KindName{EmbeddedKind::Ragdoll, "bhkRagdollSystem"},
    KindName{EmbeddedKind::Cloth, "BSClothExtraData"},
};

std::string path_of(std::int32_t block) { return "blocks[" + std::to_string(block) + "]"; }

std::vector<std::byte> system_block(std::span<const std::byte> packfile) {
  ByteWriter writer;
  writer.u32(static_cast<std::uint32_t>(packfile.size()));
  writer.bytes(packfile);
  return writer.take();
}

std::vector<std::byte> collision_object_block(const CollisionObject& object) {
  ByteWriter writer;
  writer.i32(object.target);
  writer.u16(object.flags);
  writer.i32(object.system);
  writer.u32(object.body);
  return writer.take();
}

Result<EmbeddedPackfile> read_one(const NifFile& file, std::int32_t block, EmbeddedKind kind) {
  const std::span<const std::byte> bytes = file.blocks[static_cast<std::size_t>(block)].bytes;
  ByteReader reader(bytes);
  const std::uint32_t size = reader.u32();
  EmbeddedPackfile embedded{block, kind, reader.bytes(size)};
  if (!reader.ok() || reader.remaining() != 0)
    return fail(ErrorCode::Malformed,
                "the " + std::string(file.type_of(block)) + " says " + std::to_string(size) +
                    " bytes of packfile in a block of " + std::to_string(bytes.size()),
                kNoOffset, path_of(block));
  if (as_text(embedded.bytes).substr(0, 8).ends_with("TAG0") && embedded.bytes.size() >= 8)
    return fail(ErrorCode::Unsupported, "the physics data are a TAG0 tagfile from Starfield, not a Fallout 4 packfile",
                kNoOffset, path_of(block));
  return embedded;
}

// Returns the collision objects that use a system; each selects a body.
std::vector<CollisionObject> users_of(const std::vector<CollisionObject>& objects, std::int32_t system) {
  std::vector<CollisionObject> users;
  std::ranges::copy_if(objects, std::back_inserter(users),
                       [&](const CollisionObject& o) { return o.system == system; });
  return users;
}

// Returns the block for the packfile: an existing one with equal bytes, one that only the targets used, or a new one.
std::int32_t place_system(NifFile& file, std::span<const std::byte> packfile, EmbeddedKind kind,
                          std::span<const std::int32_t> targets, const std::vector<EmbeddedPackfile>& systems,
                          const std::vector<CollisionObject>& objects, Notes& notes) {
  for (const EmbeddedPackfile& system : systems)
    if (system.kind == kind && std::ranges::equal(system.bytes, packfile)) {
      notes.push_back(
          {"block " + std::to_string(system.block) + " holds the same system; the nodes share it", kNoOffset, {}});
      return system.block;
    }
  for (const EmbeddedPackfile& system : systems) {
    const std::vector<CollisionObject> users = users_of(objects, system.block);
    const bool only_targets = !users.empty() && std::ranges::all_of(users, [&](const CollisionObject& user) {
      return std::ranges::find(targets, user.target) != targets.end();
    });
    if (system.kind != kind || !only_targets) continue;
    notes.push_back(
        {"the system in block " + std::to_string(system.block) + ", which only these nodes used, is replaced",
         kNoOffset,
         {}});
    file.blocks[static_cast<std::size_t>(system.block)].bytes = system_block(packfile);
    return system.block;
  }
  if (kind == EmbeddedKind::Physics && std::ranges::find(systems, kind, &EmbeddedPackfile::kind) != systems.end())
    notes.push_back(
        {"the file has more than one physics system now; nearly all files of the game have one, to "
         "which bodies can be added",
         kNoOffset,
         {},
         {},
         Cure{"collision add-body"}});
  return add_block(file, kKinds[static_cast<std::size_t>(kind)].type, system_block(packfile));
}

}  // namespace

void discard_blocks(NifFile& file, std::vector<std::int32_t> blocks, Notes& notes) {
  if (remove_blocks(file, blocks)) return;
  std::ranges::sort(blocks, std::ranges::greater());
  for (const std::int32_t block : blocks) {
    if (static_cast<std::size_t>(block) + 1 == file.blocks.size()) {
      file.blocks.pop_back();
      continue;
    }
    ByteWriter writer;
    writer.i32(kNoBlock);  // no name
    writer.u32(0);
    // Added at the end for its type, then moved to the place that has to stay taken.
    add_block(file, "NiIntegerExtraData", writer.take());
    file.blocks[static_cast<std::size_t>(block)] = std::move(file.blocks.back());
    file.blocks.pop_back();
    notes.push_back({"block " + std::to_string(block) +
                         " is empty and unused now; it stays, since the file has blocks that cannot be renumbered",
                     kNoOffset,
                     {}});
  }
}

Result<std::vector<EmbeddedPackfile>> read_embedded(const NifFile& file) {
  std::vector<EmbeddedPackfile> found;
  for (std::size_t i = 0; i < file.blocks.size(); ++i) {
    const auto block = static_cast<std::int32_t>(i);
    const auto kind = std::ranges::find(kKinds, file.type_of(block), &KindName::type);
    if (kind == kKinds.end()) continue;
    MARROW_TRY(EmbeddedPackfile embedded, read_one(file, block, kind->kind));
    found.push_back(embedded);
  }
  return found;
}

Result<EmbeddedPackfile> find_embedded(const NifFile& file, std::int32_t block) {
  MARROW_TRY(const std::vector<EmbeddedPackfile> all, read_embedded(file));
  std::string known;
  for (const EmbeddedPackfile& embedded : all) {
    if (embedded.block == block) return embedded;
    known += (known.empty() ? "" : ", ") + std::to_string(embedded.block);
  }
  return fail(ErrorCode::NotFound, "block " + std::to_string(block) + " holds no Havok packfile; " +
                                       (known.empty() ? "no block of this file does" : "these blocks do: " + known));
}

Result<std::vector<CollisionObject>> read_collision_objects(const NifFile& file) {
  std::vector<CollisionObject> objects;
  for (std::size_t i = 0; i < file.blocks.size(); ++i) {
    const auto block = static_cast<std::int32_t>(i);
    if (file.type_of(block) != kCollisionObjectType) continue;
    ByteReader reader(file.blocks[i].bytes);
    CollisionObject object;
    object.block = block;
    object.target = reader.i32();
    object.flags = reader.u16();
    object.system = reader.i32();
    object.body = reader.u32();
    if (!reader.ok())
      return fail(
          ErrorCode::Malformed,
          "a bhkNPCollisionObject takes 14 bytes; this block has " + std::to_string(file.blocks[i].bytes.size()),
          kNoOffset, path_of(block));
    objects.push_back(object);
  }
  return objects;
}

Result<void> replace_embedded(NifFile& file, std::int32_t block, std::span<const std::byte> packfile) {
  MARROW_CHECK(find_embedded(file, block));
  file.blocks[static_cast<std::size_t>(block)].bytes = system_block(packfile);
  return {};
}

Result<void> set_body(NifFile& file, std::int32_t collision_object, std::uint32_t body) {
  MARROW_TRY(const std::vector<CollisionObject> objects, read_collision_objects(file));
  const auto found = std::ranges::find(objects, collision_object, &CollisionObject::block);
  if (found == objects.end())
    return fail(ErrorCode::NotFound, "block " + std::to_string(collision_object) + " is not a collision object");
  CollisionObject changed = *found;
  changed.body = body;
  file.blocks[static_cast<std::size_t>(collision_object)].bytes = collision_object_block(changed);
  return {};
}

Result<std::int32_t> attach(NifFile& file, std::span<const std::byte> packfile, EmbeddedKind kind,
                            std::span<const Attachment> attachments, Notes& notes, SystemProbe probe) {
  std::vector<std::int32_t> targets;
  for (const Attachment& attachment : attachments) {
    if (is_node(file, attachment.block)) {
      targets.push_back(attachment.block);
      continue;
    }
    MARROW_TRY(const std::int32_t node, find_node(file, attachment.node));
    targets.push_back(node);
  }
  MARROW_TRY(const std::vector<EmbeddedPackfile> systems, read_embedded(file));
  MARROW_TRY(const std::vector<CollisionObject> objects, read_collision_objects(file));
  MARROW_TRY(const std::vector<NifNode> nodes, read_nodes(file));
  const std::int32_t system = place_system(file, packfile, kind, targets, systems, objects, notes);
  for (std::size_t i = 0; i < targets.size(); ++i) {
    CollisionObject object{
        .block = kNoBlock, .target = targets[i], .flags = 0x80, .system = system, .body = attachments[i].body};
    const NifNode& node = *std::ranges::find(nodes, targets[i], &NifNode::block);
    // Asked of the file as it was: a reference to no block may be the number of a block that was just added.
    const auto old = std::ranges::find(objects, node.collision_object, &CollisionObject::block);
    if (old != objects.end()) {
      object.flags = old->flags;
      file.blocks[static_cast<std::size_t>(old->block)].bytes = collision_object_block(object);
      continue;
    }
    MARROW_CHECK(
        set_collision_object(file, targets[i], add_block(file, kCollisionObjectType, collision_object_block(object))));
  }
  MARROW_CHECK(update_bsx_flags(file, probe, notes));
  return system;
}

Result<Detached> detach(NifFile& file, std::int32_t node, Notes& notes, SystemProbe probe) {
  return detach(file, node, notes, notes, probe);
}

Result<Detached> detach(NifFile& file, std::int32_t node, Notes& notes, Notes& about_flags, SystemProbe probe) {
  MARROW_TRY(const std::vector<NifNode> nodes, read_nodes(file));
  MARROW_TRY(const std::vector<CollisionObject> objects, read_collision_objects(file));
  const auto own = std::ranges::find(nodes, node, &NifNode::block);
  if (own == nodes.end()) return fail(ErrorCode::InvalidArgument, "block " + std::to_string(node) + " is not a node");
  const auto object = std::ranges::find(objects, own->collision_object, &CollisionObject::block);
  if (object == objects.end())
    return fail(ErrorCode::NotFound, "node '" + own->name + "' has no collision object", kNoOffset, path_of(node));
  NifFile edited = file;
  MARROW_CHECK(set_collision_object(edited, node, kNoBlock));
  Detached detached{.system = object->system};
  std::vector<std::int32_t> gone;
  const std::vector<CollisionObject> users = users_of(objects, object->system);
  const bool is_shared = std::ranges::count(nodes, object->block, &NifNode::collision_object) > 1;
  if (!is_shared) gone.push_back(object->block);
  if (!is_shared && users.size() == 1 && edited.has_block(object->system)) {
    gone.push_back(object->system);
  } else if (users.size() > 1) {
    detached.stays = object->body;
  }
  discard_blocks(edited, std::move(gone), notes);
  MARROW_CHECK(update_bsx_flags(edited, probe, about_flags));
  file = std::move(edited);
  return detached;
}

}  // namespace marrow
