// SPDX-License-Identifier: MIT
#include "ops/nif_edit.h"

#include <algorithm>

#include "core/try.h"
#include "marrow/core/text.h"
#include "marrow/havok/physics.h"
#include "marrow/ops/collision.h"

namespace marrow {

Result<void> reread_packfiles(Document& document, NifOrigin& origin, const Limits& limits) {
  origin.packfiles.clear();
  document.collision.clear();
  MARROW_TRY(const std::vector<EmbeddedPackfile> all, read_embedded(origin.nif));
  for (const EmbeddedPackfile& embedded : all) {
    auto file = havok::read_packfile(embedded.bytes, {.limits = limits});
    if (!file && embedded.kind != EmbeddedKind::Cloth) return std::unexpected(std::move(file.error()));
    origin.packfiles.push_back(file ? std::move(*file) : havok::Packfile{});
  }
  return {};
}

Result<void> store_systems(Document& document, NifOrigin& origin, Context& context, Notes& about_flags) {
  MARROW_TRY(const std::uint32_t before, expected_bsx_flags(origin.nif, &probe_system));
  NifFile nif = origin.nif;
  for (const DocumentCollision& collision : document.collision) {
    if (collision.kind == EmbeddedKind::Cloth || !collision.block) continue;
    havok::Packfile file = origin.packfiles[collision.packfile];
    MARROW_CHECK(
        havok::write_physics(collision.system, file, havok::find_physics(file)[collision.ordinal], &context.notes));
    if (file == origin.packfiles[collision.packfile]) continue;
    MARROW_TRY(const std::vector<std::byte> bytes, havok::write_packfile(file));
    MARROW_CHECK(replace_embedded(nif, *collision.block, bytes));
    origin.packfiles[collision.packfile] = std::move(file);
  }
  MARROW_CHECK(follow_with_flags(nif, before, about_flags));
  origin.nif = std::move(nif);
  return reread_packfiles(document, origin, context.limits);
}

Result<void> follow_with_flags(NifFile& nif, std::uint32_t expected_before, Notes& notes) {
  MARROW_TRY(const std::uint32_t expected, expected_bsx_flags(nif, &probe_system));
  return expected == expected_before ? Result<void>{} : update_bsx_flags(nif, &probe_system, notes);
}

void note_flags(std::optional<std::uint32_t> before, const NifFile& nif, Notes& notes) {
  const std::optional<std::uint32_t> after = bsx_flags(nif);
  if (after == before || !after) return;
  notes.push_back({"BSXFlags are " + hex_text(*after, 4) + " now" +
                       (before ? "; they were " + hex_text(*before, 4) : "; there were none"),
                   kNoOffset,
                   {}});
}

Result<std::vector<std::string>> detach_all(NifFile& nif, bool (*is_gone)(const CollisionObject&), Notes& notes) {
  std::vector<std::string> names;
  while (true) {
    // Numbers of blocks change with every one that is taken off.
    MARROW_TRY(const std::vector<NifNode> nodes, read_nodes(nif));
    MARROW_TRY(const std::vector<CollisionObject> objects, read_collision_objects(nif));
    const auto node = std::ranges::find_if(nodes, [&](const NifNode& each) {
      const auto object = std::ranges::find(objects, each.collision_object, &CollisionObject::block);
      return object != objects.end() && is_gone(*object);
    });
    if (node == nodes.end()) return names;
    names.push_back(node->name);
    Notes own;
    MARROW_CHECK(detach(nif, node->block, own, &probe_system));
    // That a body stays for other nodes is true only until those are done.
    for (Note& note : own)
      if (note.message.find("since other nodes use") == std::string::npos) notes.push_back(std::move(note));
  }
}

}  // namespace marrow
