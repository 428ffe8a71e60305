// SPDX-License-Identifier: MIT
#include "ops/document/nif_edit.h"

#include <algorithm>
#include <array>

#include "core/try.h"
#include "havok/physics/physics.h"
#include "marrow/core/text.h"
#include "nif/detach.h"
#include "nif/schema.h"
#include "ops/collision/collision.h"

namespace marrow {
namespace {

struct StreamRow {
  Game game;
  std::uint32_t stream;
};
constexpr std::array kStreams = {StreamRow{Game::SkyrimLe, nif::kSkyrimLe}, StreamRow{Game::SkyrimSe, nif::kSkyrimSe},
                                 StreamRow{Game::Fallout4, nif::kFallout4}};

}  // namespace

std::optional<std::uint32_t> nif_stream(Game game) {
  const auto row = std::ranges::find(kStreams, game, &StreamRow::game);
  return row == kStreams.end() ? std::nullopt : std::optional(row->stream);
}

Game game_of_stream(std::uint32_t stream) {
  const auto row = std::ranges::find(kStreams, stream, &StreamRow::stream);
  return row == kStreams.end() ? Game::Fallout4 : row->game;
}

Result<void> store_systems(Document& document, Context& context, Notes& about_flags) {
  MARROW_TRY(const std::uint32_t before, expected_bsx_flags(*document.nif(), &probe_system));
  MARROW_TRY(NifFile nif, nif_as_saved(document, context));
  MARROW_CHECK(follow_with_flags(nif, before, about_flags));
  return take_container(document, std::move(nif), context);
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

Result<std::vector<std::string>> detach_all(NifFile& nif, bool (*is_gone)(const CollisionObject&), Notes& notes,
                                            Notes& about_flags) {
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
    // That a body stays for other nodes is true only until those are done, so it is not reported.
    MARROW_CHECK(detach(nif, node->block, notes, about_flags, &probe_system));
  }
}

}  // namespace marrow
