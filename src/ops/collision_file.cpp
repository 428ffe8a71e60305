// SPDX-License-Identifier: MIT
#include "marrow/ops/collision_file.h"

#include <algorithm>
#include <unordered_map>

#include "core/try.h"
#include "marrow/havok/physics.h"
#include "marrow/ops/detect.h"
#include "ops/formats.h"

namespace marrow {
namespace {

// Errors inside an embedded packfile say which block it is in; their offsets count from the packfile's start.
std::unexpected<Error> in_block(Error error, std::int32_t block) {
  error.path = "blocks[" + std::to_string(block) + "]" + (error.path.empty() ? "" : "." + error.path);
  return std::unexpected(std::move(error));
}

Result<void> add_systems(CollisionFile& file, havok::Packfile packfile, std::optional<std::int32_t> block) {
  const std::vector<havok::ObjectId> systems = havok::find_physics(packfile);
  for (std::size_t i = 0; i < systems.size(); ++i) {
    MARROW_TRY(CollisionSystem system, havok::read_physics(packfile, systems[i]));
    const EmbeddedKind kind = system.ragdoll ? EmbeddedKind::Ragdoll : EmbeddedKind::Physics;
    file.entries.push_back({block, kind, file.packfiles.size(), i, std::move(system), {}});
  }
  file.packfiles.push_back(std::move(packfile));
  return {};
}

Result<void> add_embedded(CollisionFile& file, const EmbeddedPackfile& embedded, const Limits& limits) {
  auto packfile = havok::read_packfile(embedded.bytes, {.limits = limits});
  if (embedded.kind == EmbeddedKind::Cloth) {
    // Cloth is kept as bytes; whether its classes are known does not matter.
    file.entries.push_back({embedded.block, embedded.kind, file.packfiles.size(), 0, {}, {}});
    file.packfiles.push_back(packfile ? std::move(*packfile) : havok::Packfile{});
    return {};
  }
  if (!packfile) return in_block(std::move(packfile.error()), embedded.block);
  const std::size_t before = file.entries.size();
  if (auto added = add_systems(file, std::move(*packfile), embedded.block); !added)
    return in_block(std::move(added.error()), embedded.block);
  if (file.entries.size() == before)
    return in_block(fail(ErrorCode::Malformed, "the packfile holds no physics system").error(), embedded.block);
  return {};
}

Result<CollisionFile> read_from_nif(std::span<const std::byte> bytes, const Limits& limits) {
  CollisionFile file;
  MARROW_TRY(file.nif, read_nif(bytes, limits));
  MARROW_TRY(const std::vector<EmbeddedPackfile> all, read_embedded(*file.nif));
  for (const EmbeddedPackfile& embedded : all) MARROW_CHECK(add_embedded(file, embedded, limits));
  MARROW_TRY(const std::vector<CollisionObject> objects, read_collision_objects(*file.nif));
  MARROW_TRY(const std::vector<NifNode> nodes, read_nodes(*file.nif));
  std::unordered_map<std::int32_t, const NifNode*> node_of;
  for (const NifNode& node : nodes) node_of[node.block] = &node;
  for (CollisionEntry& entry : file.entries)
    for (const CollisionObject& object : objects)
      if (object.system == entry.block && node_of.contains(object.target))
        entry.nodes.push_back({object.body, node_of[object.target]->name, node_of[object.target]->world});
  return file;
}

}  // namespace

Result<CollisionFile> read_collision(std::span<const std::byte> bytes, const Limits& limits) {
  switch (detect(bytes)) {
    case Format::Nif: return read_from_nif(bytes, limits);
    case Format::HavokPackfile:
    case Format::HavokXml: {
      MARROW_TRY(const havok::Packfile packfile, read_havok(bytes, {.limits = limits}));
      MARROW_TRY(CollisionFile file, collision_of(packfile));
      if (file.entries.empty())
        return fail(ErrorCode::NotFound, "the packfile holds no Fallout 4 physics (no hknpPhysicsSystemData)");
      return file;
    }
    default: return refuse_format(bytes, "collision");
  }
}

Result<CollisionFile> collision_of(const havok::Packfile& packfile) {
  CollisionFile file;
  MARROW_CHECK(add_systems(file, packfile, std::nullopt));
  return file;
}

Result<std::vector<std::byte>> write_collision(const CollisionFile& file, Notes* notes) {
  std::vector<havok::Packfile> packfiles = file.packfiles;
  for (const CollisionEntry& entry : file.entries) {
    if (entry.kind == EmbeddedKind::Cloth) continue;
    havok::Packfile& packfile = packfiles[entry.packfile];
    MARROW_CHECK(havok::write_physics(entry.system, packfile, havok::find_physics(packfile)[entry.ordinal], notes));
  }
  if (!file.nif) return havok::write_packfile(packfiles.front());
  NifFile nif = *file.nif;
  for (const CollisionEntry& entry : file.entries) {
    if (entry.kind == EmbeddedKind::Cloth) continue;
    MARROW_TRY(const std::vector<std::byte> blob, havok::write_packfile(packfiles[entry.packfile]));
    MARROW_CHECK(replace_embedded(nif, *entry.block, blob));
  }
  return write_nif(nif);
}

Result<std::size_t> find_entry(const CollisionFile& file, std::optional<std::int32_t> block) {
  std::string known;
  std::vector<std::size_t> with_bodies;
  for (std::size_t i = 0; i < file.entries.size(); ++i) {
    const CollisionEntry& entry = file.entries[i];
    if (block && entry.block == block) return i;
    if (entry.kind != EmbeddedKind::Cloth) with_bodies.push_back(i);
    if (entry.block)
      known +=
          (known.empty() ? "" : ", ") + std::to_string(*entry.block) + " (" + std::string(to_string(entry.kind)) + ")";
  }
  if (!block && with_bodies.size() == 1) return with_bodies.front();
  if (file.entries.empty()) return fail(ErrorCode::NotFound, "the file holds no collision");
  if (!file.nif) return fail(ErrorCode::InvalidArgument, "a bare packfile has no blocks; leave --block out");
  return fail(
      ErrorCode::NotFound,
      (block ? "block " + std::to_string(*block) + " holds no collision" : "say which block") + "; these do: " + known);
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
  return fail(ErrorCode::InvalidArgument, "the packfile holds no physics system, ragdoll or cloth");
}

}  // namespace marrow
