// SPDX-License-Identifier: MIT
#include "ops/nif_edit.h"

#include "core/try.h"
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

}  // namespace marrow
