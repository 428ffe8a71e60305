// SPDX-License-Identifier: MIT
#include "ops/collision/new_nif.h"

#include <glm/gtc/quaternion.hpp>

#include "core/try.h"
#include "marrow/core/text.h"
#include "nif/bsx_flags.h"
#include "nif/record.h"
#include "nif/schema.h"
#include "ops/document/nif_edit.h"
#include "ops/document/origin.h"

namespace marrow {
namespace {

Result<std::int32_t> add_node(NifFile& nif, std::string_view type, const NewNode& node) {
  constexpr std::uint32_t kNodeFlags = 0x8000E;
  nif::Record record = nif::new_record(nif, type);
  record.set("name", add_string(nif, node.name));
  record.set("flags", kNodeFlags);
  const Vec3& move = node.place.translation;
  record.set_reals<3>("translation", {move.x, move.y, move.z});
  const glm::mat3 turn = glm::mat3_cast(node.place.rotation);
  std::array<float, 9> rows{};
  for (std::size_t i = 0; i < 9; ++i) rows[i] = turn[static_cast<int>(i % 3)][static_cast<int>(i / 3)];
  record.set_reals<9>("rotation", rows);
  record.set("scale", node.place.scale.x);
  return nif::append_block(nif, record);
}

Result<void> set_children(NifFile& nif, std::int32_t block, const std::vector<std::int32_t>& children) {
  MARROW_TRY(nif::Record record, nif::read_block(nif, block));
  record.set_values("children", children);
  return nif::write_block(nif, block, record);
}

}  // namespace

Result<void> make_collision_nif(Document& document, DocumentCollision collision, std::span<const NewNode> nodes,
                                Game game, Context& context) {
  NifFile nif;
  const std::optional<std::uint32_t> stream = nif_stream(game);
  if (!stream)
    return fail(ErrorCode::WrongGame, std::string(to_string(game)) + " does not read NIF files", kNoOffset, "to");
  nif.stream = *stream;
  for (std::size_t i = 0; i < 3; ++i) nif.export_info[i] = std::string(1, '\0');
  const std::string root_name(stem_of(context.output_name.empty() ? document.name : context.output_name));
  MARROW_TRY(const std::int32_t root, add_node(nif, "BSFadeNode", {.name = root_name}));
  nif.roots = {root};
  nif::Record flags = nif::new_record(nif, "BSXFlags");
  flags.set("name", add_string(nif, "BSX"));
  MARROW_TRY(const std::int32_t flags_block, nif::append_block(nif, flags));
  MARROW_CHECK(add_extra_data(nif, root, flags_block));
  std::vector<std::int32_t> blocks;
  std::vector<std::vector<std::int32_t>> children(nodes.size() + 1);  // that of the root last
  for (const NewNode& node : nodes) {
    MARROW_TRY(const std::int32_t block, add_node(nif, "NiNode", node));
    blocks.push_back(block);
    children[node.parent == kNoBone ? nodes.size() : static_cast<std::size_t>(node.parent)].push_back(block);
  }
  for (std::size_t i = 0; i < blocks.size(); ++i) MARROW_CHECK(set_children(nif, blocks[i], children[i]));
  MARROW_CHECK(set_children(nif, root, children.back()));
  for (BodyNode& node : collision.nodes) {
    const bool is_root = node.block == kNoBlock;
    node.name = is_root ? root_name : nodes[static_cast<std::size_t>(node.block)].name;
    node.block = is_root ? root : blocks[static_cast<std::size_t>(node.block)];
  }
  document.format = Format::Nif;
  document.game = game;
  OriginAccess::set(document, {NifOrigin{std::move(nif)}});
  OriginAccess::set_read(document, Parts::Collision);
  document.collision.clear();
  document.collision.push_back(std::move(collision));
  Notes steps;  // flags of a new file are of no interest
  return store_systems(document, context, steps);
}

}  // namespace marrow
