// SPDX-License-Identifier: MIT
#include "nif/legacy.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "core/try.h"
#include "marrow/core/byte_reader.h"
#include "nif/bhk.h"
#include "nif/nif_header.h"
#include "nif/node.h"

namespace marrow {
namespace {

// bhkCollisionObject and its kin: the node, two bytes of flags, the body.
constexpr std::size_t kBodyOffset = 6;
// bhkWorldObject: the shape, then the filter, whose first byte is the layer.
constexpr std::size_t kLayerOffset = 4;

bool is_legacy_object(std::string_view type) { return is_legacy_collision(type) && type.ends_with("CollisionObject"); }

bool is_legacy_body(std::string_view type) {
  return is_legacy_collision(type) && (type.starts_with("bhkRigidBody") || type.ends_with("Phantom"));
}

// Returns the reference at an offset of a block; none if it is not one.
std::int32_t reference_at(const NifFile& file, std::int32_t block, std::size_t offset) {
  ByteReader reader(file.blocks[static_cast<std::size_t>(block)].bytes);
  reader.skip(offset);
  const std::int32_t found = reader.i32();
  return reader.ok() && file.has_block(found) ? found : kNoBlock;
}

void add_body(const NifFile& file, LegacyCollision& collision) {
  if (collision.body == kNoBlock || !is_legacy_body(file.type_of(collision.body))) return;
  const std::vector<std::byte>& bytes = file.blocks[static_cast<std::size_t>(collision.body)].bytes;
  if (bytes.size() > kLayerOffset) collision.layer = static_cast<std::uint8_t>(bytes[kLayerOffset]);
  collision.shape = reference_at(file, collision.body, 0);
  if (collision.shape != kNoBlock && file.type_of(collision.shape) == "bhkMoppBvTreeShape")
    if (const std::int32_t inner = reference_at(file, collision.shape, 0); inner != kNoBlock) collision.shape = inner;
}

}  // namespace

Result<std::vector<LegacyCollision>> read_legacy_collision(const NifFile& file) {
  std::vector<LegacyCollision> all;
  // In Skyrim's files such blocks are the collision itself.
  if (bhk::keeps_blocks(file.stream)) return all;
  if (std::ranges::none_of(file.types, is_legacy_collision)) return all;
  MARROW_TRY(const std::vector<NifNode> nodes, read_nodes(file));
  std::unordered_map<std::int32_t, const NifNode*> node_of;
  for (const NifNode& node : nodes) node_of.try_emplace(node.collision_object, &node);
  std::unordered_set<std::int32_t> used;
  const auto count = static_cast<std::int32_t>(file.blocks.size());
  for (std::int32_t block = 0; block < count; ++block) {
    if (!is_legacy_object(file.type_of(block))) continue;
    LegacyCollision collision{.block = block, .body = reference_at(file, block, kBodyOffset)};
    if (const auto node = node_of.find(block); node != node_of.end()) {
      collision.node = node->second->block;
      collision.node_name = node->second->name;
    }
    add_body(file, collision);
    used.insert(collision.body);
    all.push_back(std::move(collision));
  }
  for (std::int32_t block = 0; block < count; ++block) {
    if (!is_legacy_body(file.type_of(block)) || used.contains(block)) continue;
    LegacyCollision collision{.block = block, .body = block};
    add_body(file, collision);
    all.push_back(std::move(collision));
  }
  return all;
}

}  // namespace marrow
