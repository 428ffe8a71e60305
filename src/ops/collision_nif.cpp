// SPDX-License-Identifier: MIT
#include "marrow/ops/collision_nif.h"

#include <algorithm>

#include "core/try.h"
#include "marrow/havok/physics.h"
#include "marrow/ops/collision_file.h"

namespace marrow {
namespace {

/// A packfile that goes into a NIF. It is read first: a broken or foreign one would crash the game.
struct Blob {
  EmbeddedKind kind = EmbeddedKind::Physics;
  std::size_t bodies = 0;
};

Result<Blob> read_blob(std::span<const std::byte> bytes) {
  Blob blob;
  MARROW_TRY(const havok::Packfile packfile, havok::read_packfile(bytes));
  MARROW_TRY(blob.kind, embedded_kind(packfile));
  if (blob.kind == EmbeddedKind::Cloth) return blob;
  const auto systems = havok::find_physics(packfile);
  if (systems.size() != 1 || packfile.root != systems.front())
    return fail(
        ErrorCode::InvalidArgument,
        "a NIF takes packfiles whose root is the physics system, as `collision build` and `extract` write them");
  MARROW_TRY(const CollisionSystem system, havok::read_physics(packfile, systems.front()));
  blob.bodies = system.bodies.size();
  return blob;
}

// The block asked for, or the only one that holds a packfile of the kind.
Result<EmbeddedPackfile> choose(const NifFile& nif, std::optional<std::int32_t> block,
                                std::optional<EmbeddedKind> kind) {
  if (block) return find_embedded(nif, *block);
  MARROW_TRY(std::vector<EmbeddedPackfile> all, read_embedded(nif));
  if (kind) std::erase_if(all, [&](const EmbeddedPackfile& one) { return one.kind != *kind; });
  if (all.size() == 1) return all.front();
  std::string known;
  for (const EmbeddedPackfile& one : all)
    known += (known.empty() ? "" : ", ") + std::to_string(one.block) + " (" + std::string(to_string(one.kind)) + ")";
  return fail(ErrorCode::NotFound, all.empty() ? "the NIF holds no such packfile; `collision attach` adds one"
                                               : "the NIF holds several; say which with --block: " + known);
}

Result<void> check_users(const NifFile& nif, std::int32_t block, const Blob& blob) {
  MARROW_TRY(const std::vector<CollisionObject> objects, read_collision_objects(nif));
  for (const CollisionObject& object : objects)
    if (object.system == block && object.body >= blob.bodies)
      return fail(ErrorCode::InvalidArgument, "a node uses body " + std::to_string(object.body) + " of block " +
                                                  std::to_string(block) + ", and the new system has " +
                                                  std::to_string(blob.bodies) + "; attach it instead");
  return {};
}

Result<std::vector<std::size_t>> selected(const CollisionEntry& entry, const BodySelection& selection) {
  std::vector<std::size_t> bodies = selection.bodies;
  for (const std::string& name : selection.nodes) {
    const auto node = std::ranges::find(entry.nodes, name, &BodyNode::name);
    if (node == entry.nodes.end()) return fail(ErrorCode::NotFound, "no node '" + name + "' has a body of this system");
    bodies.push_back(node->body);
  }
  if (bodies.empty())
    for (std::size_t i = 0; i < entry.system.bodies.size(); ++i) bodies.push_back(i);
  return bodies;
}

}  // namespace

Result<CollisionOutput> extract_collision(std::span<const std::byte> bytes, std::optional<std::int32_t> block) {
  MARROW_TRY(const NifFile nif, read_nif(bytes));
  MARROW_TRY(const EmbeddedPackfile embedded, choose(nif, block, std::nullopt));
  return CollisionOutput{{embedded.bytes.begin(), embedded.bytes.end()}, embedded.block};
}

Result<CollisionOutput> replace_collision(std::span<const std::byte> bytes, std::span<const std::byte> packfile,
                                          std::optional<std::int32_t> block) {
  MARROW_TRY(NifFile nif, read_nif(bytes));
  MARROW_TRY(const Blob blob, read_blob(packfile));
  MARROW_TRY(const EmbeddedPackfile old, choose(nif, block, blob.kind));
  if (old.kind != blob.kind)
    return fail(ErrorCode::InvalidArgument, "block " + std::to_string(old.block) + " holds a " +
                                                std::string(to_string(old.kind)) + " system, the packfile is a " +
                                                std::string(to_string(blob.kind)));
  const std::int32_t target = old.block;
  if (blob.kind != EmbeddedKind::Cloth) MARROW_CHECK(check_users(nif, target, blob));
  MARROW_CHECK(replace_embedded(nif, target, packfile));
  return CollisionOutput{write_nif(nif), target};
}

Result<CollisionOutput> attach_collision(std::span<const std::byte> bytes, std::span<const std::byte> packfile,
                                         std::span<const Attachment> attachments, Notes& notes) {
  MARROW_TRY(NifFile nif, read_nif(bytes));
  MARROW_TRY(const Blob blob, read_blob(packfile));
  if (blob.kind == EmbeddedKind::Cloth) return fail(ErrorCode::Unsupported, "cloth is listed and kept, not attached");
  for (const Attachment& attachment : attachments)
    if (attachment.body >= blob.bodies)
      return fail(ErrorCode::InvalidArgument, "the packfile has no body " + std::to_string(attachment.body) +
                                                  ": it has " + std::to_string(blob.bodies) + ", from 0");
  MARROW_TRY(const std::int32_t block, attach(nif, packfile, blob.kind, attachments, notes, &probe_system));
  return CollisionOutput{write_nif(nif), block};
}

Result<std::vector<std::byte>> edit_collision(std::span<const std::byte> bytes, const BodySelection& selection,
                                              const BodyEdit& edit, std::size_t& changed, Notes& notes) {
  MARROW_TRY(CollisionFile file, read_collision(bytes));
  MARROW_TRY(const std::size_t index, find_entry(file, selection.block));
  CollisionEntry& entry = file.entries[index];
  if (entry.kind == EmbeddedKind::Cloth) return fail(ErrorCode::Unsupported, "cloth is listed and kept, not edited");
  MARROW_TRY(const std::vector<std::size_t> bodies, selected(entry, selection));
  for (const std::size_t body : bodies) MARROW_CHECK(edit_body(entry.system, body, edit, notes));
  changed = bodies.size();
  return write_collision(file, &notes);
}

}  // namespace marrow
