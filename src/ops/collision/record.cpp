// SPDX-License-Identifier: MIT
#include "ops/collision/record.h"

#include <cmath>

#include "core/base64.h"
#include "core/try.h"
#include "exchange/gltf/extras.h"
#include "havok/physics/physics.h"
#include "nif/bhk.h"
#include "nif/embedded.h"
#include "ops/collision/collision.h"
#include "ops/document/as_saved.h"
#include "ops/document/havok_format.h"

namespace marrow {
namespace {

/// Increased if an older reader would misunderstand the record.
constexpr std::int64_t kRecordVersion = 1;

Json transform_json(const Transform& t) {
  Json numbers = Json::array();
  for (const float v : {t.translation.x, t.translation.y, t.translation.z, t.rotation.x, t.rotation.y, t.rotation.z,
                        t.rotation.w, t.scale.x, t.scale.y, t.scale.z})
    numbers.push(v);
  return numbers;
}

Result<Transform> read_transform(const Json& json) {
  if (json.size() != 10) return fail(ErrorCode::Malformed, "a place has ten numbers");
  std::array<float, 10> v{};
  for (std::size_t i = 0; i < v.size(); ++i) {
    v[i] = static_cast<float>(json.items()[i].number());
    if (!json.items()[i].is_number() || !std::isfinite(v[i]))
      return fail(ErrorCode::Malformed, "a place is not finite");
  }
  return Transform{{v[0], v[1], v[2]}, make_quat(v[3], v[4], v[5], v[6]), {v[7], v[8], v[9]}};
}

// Returns the packfile of a system, as the file holds it.
Result<std::vector<std::byte>> packfile_bytes(const Document& saved, const DocumentCollision& collision) {
  if (saved.nif() && collision.block) {
    MARROW_TRY(const EmbeddedPackfile embedded, find_embedded(*saved.nif(), *collision.block));
    return std::vector<std::byte>(embedded.bytes.begin(), embedded.bytes.end());
  }
  if (saved.packfile()) return havok::write_packfile(*saved.packfile());
  return fail(ErrorCode::NotFound, "the system was not read from a file");
}

Result<RecordedSystem> read_system(const Json& json, const Limits& limits) {
  if (!json.find("packfile")) {
    // Collision that is kept as blocks is put back into its NIF.
    RecordedSystem system;
    if (const std::int64_t block = json["block"].integer(); block >= 0 && block <= INT32_MAX)
      system.collision.block = static_cast<std::int32_t>(block);
    if (json["kind"].text() == to_string(EmbeddedKind::Ragdoll)) system.collision.kind = EmbeddedKind::Ragdoll;
    return system;
  }
  const auto bytes = read_base64(json["packfile"].text());
  if (!bytes || bytes->empty()) return fail(ErrorCode::Malformed, "the packfile is not base64");
  RecordedSystem system;
  MARROW_TRY(system.packfile, havok::read_packfile(*bytes, {.limits = limits}));
  Document document;
  MARROW_CHECK(load_systems(system.packfile, 0, std::nullopt, document, limits));
  const std::int64_t ordinal = json["ordinal"].integer();
  if (ordinal < 0 || static_cast<std::size_t>(ordinal) >= document.collision.size())
    return fail(ErrorCode::Malformed, "the packfile does not contain the system");
  system.collision = std::move(document.collision[static_cast<std::size_t>(ordinal)]);
  if (const std::int64_t block = json["block"].integer(); json["block"].is_number() && block >= 0 && block <= INT32_MAX)
    system.collision.block = static_cast<std::int32_t>(block);
  for (const Json& node : json["nodes"].items()) {
    const std::int64_t body = node["body"].integer();
    if (body < 0 || static_cast<std::size_t>(body) >= system.collision.system.bodies.size())
      return fail(ErrorCode::Malformed, "a node uses a body that is not there");
    MARROW_TRY(const Transform world, read_transform(node["world"]));
    system.collision.nodes.push_back({static_cast<std::uint32_t>(body), node["name"].text(), world});
  }
  return system;
}

}  // namespace

std::string write_collision_record(const Document& document, bool solid) {
  Json systems = Json::array();
  Context context;
  const auto saved = as_saved(document, context);
  if (!saved) return {};
  for (const DocumentCollision& collision : document.collision) {
    if (collision.kind == EmbeddedKind::Cloth) continue;
    const bool is_blocks = saved->nif() && bhk::keeps_blocks(saved->nif()->stream);
    const auto bytes = is_blocks ? Result<std::vector<std::byte>>(std::in_place) : packfile_bytes(*saved, collision);
    if (!bytes) continue;
    // What `list` reports comes first, for people and other programs; what counts is in the packfile.
    Json system = to_json(system_info(collision));
    Json nodes = Json::array();
    for (const BodyNode& node : collision.nodes)
      nodes.push(Json()
                     .set("body", node.body)
                     .set("name", gltf::utf8_name(node.name))
                     .set("world", transform_json(node.world)));
    system.set("nodes", std::move(nodes)).set("ordinal", collision.ordinal);
    if (!is_blocks) {
      std::string packfile;
      append_base64(packfile, *bytes);
      system.set("packfile", std::move(packfile));
    }
    systems.push(std::move(system));
  }
  if (systems.size() == 0) return {};
  Json record = Json::object();
  record.set("version", kRecordVersion);
  if (solid) record.set("solid", true);
  return to_text(record.set("systems", std::move(systems)), false);
}

Result<CollisionRecord> read_collision_record(std::string_view text, const Limits& limits) {
  MARROW_TRY(const Json json, parse_json(text, limits));
  if (const std::int64_t version = json["version"].integer(); version < 1 || version > kRecordVersion)
    return fail(ErrorCode::Unsupported, "the collision record has version " + std::to_string(version) +
                                            ", but this program reads up to " + std::to_string(kRecordVersion) +
                                            "; use a newer program");
  CollisionRecord record{.solid = json["solid"].boolean()};
  for (const Json& each : json["systems"].items()) {
    auto system = read_system(each, limits);
    if (!system)
      return fail(system.error().code, "the collision record is damaged: " + system.error().message, kNoOffset,
                  "systems[" + std::to_string(record.systems.size()) + "]");
    record.has_packfiles &= each.find("packfile") != nullptr;
    record.systems.push_back(std::move(*system));
  }
  if (record.systems.empty()) return fail(ErrorCode::Malformed, "the collision record contains no system");
  return record;
}

Result<std::optional<CollisionRecord>> record_of(const Document& mesh, const Limits& limits) {
  if (mesh.collision_record.empty()) return std::nullopt;
  auto record = read_collision_record(mesh.collision_record, limits);
  if (!record) return in_file(std::move(record.error()), mesh.name);
  return std::move(*record);
}

}  // namespace marrow
