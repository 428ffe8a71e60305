// SPDX-License-Identifier: MIT
#include "ops/collision/container.h"

#include <algorithm>

#include "core/try.h"
#include "nif/bhk.h"
#include "ops/collision/port.h"
#include "ops/document/nif_edit.h"
#include "ops/table/define.h"

namespace marrow {
namespace {

const CollisionContainer& container_of_stream(std::uint32_t stream) {
  return bhk::keeps_blocks(stream) ? kCollisionInBlocks : kCollisionInPackfiles;
}

// Bones of a ragdoll are the nodes that its bodies go on.
void name_nodes(DocumentCollision& collision) {
  const auto& ragdoll = collision.system.ragdoll;
  if (!ragdoll || !collision.nodes.empty()) return;
  for (std::size_t i = 0; i < std::min(ragdoll->skeleton.bones.size(), ragdoll->bone_to_body.size()); ++i)
    if (const std::string& name = ragdoll->skeleton.bones[i].name; !name.empty() && ragdoll->bone_to_body[i] >= 0)
      collision.nodes.push_back({static_cast<std::uint32_t>(ragdoll->bone_to_body[i]), name, {}});
}

void name_bones(DocumentCollision& collision) {
  if (!collision.system.ragdoll) return;
  Ragdoll& ragdoll = *collision.system.ragdoll;
  for (std::size_t i = 0; i < ragdoll.skeleton.bones.size() && i < ragdoll.bone_to_body.size(); ++i) {
    const auto node =
        std::ranges::find(collision.nodes, static_cast<std::uint32_t>(ragdoll.bone_to_body[i]), &BodyNode::body);
    if (node != collision.nodes.end()) ragdoll.skeleton.bones[i].name = node->name;
  }
}

}  // namespace

const CollisionContainer& container_of(const NifFile& nif) { return container_of_stream(nif.stream); }

Result<const CollisionContainer*> container_of(Game game) {
  const auto stream = nif_stream(game);
  if (!stream) return fail(ErrorCode::BadOption, "has no collision that is built", kNoOffset, "to");
  return &container_of_stream(*stream);
}

Result<const NifNode*> node_named(const std::vector<NifNode>& nodes, const NifFile& nif, const std::string& name) {
  MARROW_TRY(const std::int32_t block, find_node(nif, name));
  return &*std::ranges::find(nodes, block, &NifNode::block);
}

Result<const NifNode*> colliding_node(const std::vector<NifNode>& nodes, const NifFile& nif, const std::string& name) {
  MARROW_TRY(const NifNode* first, node_named(nodes, nif, name));
  if (first->collision_object != kNoBlock) return first;
  const auto other = std::ranges::find_if(
      nodes, [&](const NifNode& node) { return node.name == first->name && node.collision_object != kNoBlock; });
  return other == nodes.end() ? first : &*other;
}

Result<std::vector<DocumentCollision>> collision_for(CollisionGame game, const Document& given, Context& context) {
  Document other = given;
  const auto one = [&](DocumentCollision& from) -> Result<DocumentCollision> {
    if (from.system.game_units != kGameUnitsPerHavokUnit)
      return fail(ErrorCode::InvalidArgument, "the collision is part of a skeleton.hkx, which no NIF holds",
                  Cure{"collision ragdoll"});
    name_nodes(from);
    if (from.system.game == game) return std::move(from);
    MARROW_TRY(DocumentCollision ported, port_collision(from, game, context.notes));
    name_bones(ported);
    return ported;
  };
  const auto found = [&]() -> Result<std::vector<DocumentCollision>> {
    MARROW_CHECK(read_parts(other, Parts::Collision, context));
    if (other.collision.empty()) return fail(ErrorCode::NoCollision, "the file contains no collision");
    std::vector<DocumentCollision> systems;
    for (DocumentCollision& each : other.collision) {
      if (each.kind == EmbeddedKind::Cloth) continue;
      MARROW_TRY(DocumentCollision system, one(each));
      systems.push_back(std::move(system));
    }
    if (systems.empty()) return fail(ErrorCode::Unsupported, "cloth cannot be attached, only listed and kept");
    return systems;
  };
  auto collision = found();
  if (!collision) return in_file(std::move(collision.error()), given.name);
  return collision;
}

}  // namespace marrow
