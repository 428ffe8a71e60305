// SPDX-License-Identifier: MIT
#include "nif/bsx_flags.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <ranges>
#include <set>

#include "core/byte_writer.h"
#include "core/try.h"
#include "marrow/core/byte_reader.h"
#include "marrow/core/text.h"
#include "nif/bhk.h"
#include "nif/embedded.h"
#include "nif/node.h"

namespace marrow {
namespace {

constexpr std::string_view kFlagsType = "BSXFlags";
constexpr std::size_t kFlagsAt = 4;  // after the name

// The block of the flags, `kNoBlock` if there is none.
std::int32_t flags_block(const NifFile& file) {
  for (std::size_t i = 0; i < file.blocks.size(); ++i) {
    const auto block = static_cast<std::int32_t>(i);
    if (file.type_of(block) == kFlagsType && file.blocks[i].bytes.size() >= kFlagsAt + 4) return block;
  }
  return kNoBlock;
}

bool has_controller(const NifFile& file) {
  for (std::size_t i = 0; i < file.blocks.size(); ++i)
    if (file.type_of(static_cast<std::int32_t>(i)).find("Controller") != std::string_view::npos) return true;
  return false;
}

bool has_editor_marker(const std::vector<NifNode>& nodes) {
  return std::ranges::any_of(nodes, [](const NifNode& node) { return node.name.starts_with("EditorMarker"); });
}

// Returns what the systems say that nodes use. Nothing if one of them cannot be asked.
std::optional<std::map<std::int32_t, SystemTraits>> traits_of_systems(const NifFile& file,
                                                                      const std::set<std::int32_t>& systems,
                                                                      SystemProbe probe) {
  std::map<std::int32_t, SystemTraits> all;
  for (const std::int32_t system : systems) {
    const auto embedded = find_embedded(file, system);
    auto traits = embedded && probe ? probe(embedded->bytes) : Result<SystemTraits>(std::unexpect);
    if (!traits) return std::nullopt;
    all.emplace(system, std::move(*traits));
  }
  return all;
}

bool is_volume(const std::optional<std::map<std::int32_t, SystemTraits>>& traits, const CollisionObject& object) {
  if (!traits || !traits->contains(object.system)) return false;
  const std::vector<std::uint32_t>& volumes = traits->at(object.system).volumes;
  return std::ranges::find(volumes, object.body) != volumes.end();
}

}  // namespace

std::optional<std::uint32_t> bsx_flags(const NifFile& file) {
  const std::int32_t block = flags_block(file);
  if (block == kNoBlock) return std::nullopt;
  return load<std::uint32_t>(file.blocks[static_cast<std::size_t>(block)].bytes, kFlagsAt);
}

namespace {

/// What the flags depend on.
struct FileTraits {
  bool has_collision = false, has_ragdoll = false, is_below_root = false;
  std::optional<bool> has_dynamic_body = {}, is_joined = {};  ///< nothing if a system cannot be asked
};

// Returns those of a file that keeps collision as blocks.
Result<FileTraits> traits_of_blocks(const NifFile& file) {
  MARROW_TRY(const std::vector<bhk::System> systems, bhk::read_systems(file));
  FileTraits traits{.has_dynamic_body = false, .is_joined = true};
  for (const bhk::System& each : systems) {
    const SystemTraits own = traits_of(each.system);
    traits.has_collision = true;
    traits.has_ragdoll |= each.is_ragdoll;
    *traits.has_dynamic_body |= own.has_dynamic_body;
    *traits.is_joined &= own.is_joined;
    for (const bhk::NodeBody& node : each.nodes)
      traits.is_below_root |= std::ranges::find(file.roots, node.node) == file.roots.end() &&
                              std::ranges::find(own.volumes, node.body) == own.volumes.end();
  }
  return traits;
}

Result<FileTraits> traits_of_packfiles(const NifFile& file, const std::vector<NifNode>& nodes, SystemProbe probe) {
  MARROW_TRY(const std::vector<CollisionObject> objects, read_collision_objects(file));
  std::set<std::int32_t> systems;
  std::vector<std::pair<const NifNode*, const CollisionObject*>> used;
  for (const NifNode& node : nodes) {
    const auto object = std::ranges::find(objects, node.collision_object, &CollisionObject::block);
    if (object == objects.end()) continue;
    systems.insert(object->system);
    used.emplace_back(&node, &*object);
  }
  const auto traits = traits_of_systems(file, systems, probe);
  FileTraits found{.has_collision = !used.empty()};
  for (const auto& [node, object] : used) {
    found.has_ragdoll |= file.type_of(object->system) == "bhkRagdollSystem";
    found.is_below_root |=
        std::ranges::find(file.roots, node->block) == file.roots.end() && !is_volume(traits, *object);
  }
  if (traits) {
    const auto each = std::views::values(*traits);
    found.has_dynamic_body = std::ranges::any_of(each, &SystemTraits::has_dynamic_body);
    found.is_joined = std::ranges::all_of(each, &SystemTraits::is_joined);
  }
  return found;
}

}  // namespace

Result<std::uint32_t> expected_bsx_flags(const NifFile& file, SystemProbe probe) {
  MARROW_TRY(const std::vector<NifNode> nodes, read_nodes(file));
  MARROW_TRY(const FileTraits traits,
             bhk::keeps_blocks(file.stream) ? traits_of_blocks(file) : traits_of_packfiles(file, nodes, probe));
  const std::optional<std::uint32_t> present = bsx_flags(file);
  std::uint32_t flags = present.value_or(0) & ~bsx_flag::kCollision;
  const auto set = [&](std::uint32_t bit, bool on) { flags |= on ? bit : 0; };
  if (!present) {
    set(bsx_flag::kAnimated, has_controller(file) && !traits.has_ragdoll);
    set(bsx_flag::kEditorMarker, has_editor_marker(nodes));
  }
  if (!traits.has_collision) return flags;
  set(bsx_flag::kHavok, true);
  set(bsx_flag::kRagdoll, traits.has_ragdoll);
  set(bsx_flag::kBelowRoot, traits.is_below_root && !traits.has_ragdoll);
  constexpr std::uint32_t kOfBodies = bsx_flag::kDynamic | bsx_flag::kArticulated;
  if (traits.has_dynamic_body && traits.is_joined) {
    set(bsx_flag::kDynamic, *traits.has_dynamic_body);
    set(bsx_flag::kArticulated, *traits.is_joined);
  } else {
    flags |= present ? *present & kOfBodies : bsx_flag::kArticulated;
  }
  return flags;
}

Result<void> update_bsx_flags(NifFile& file, SystemProbe probe, Notes& notes) {
  MARROW_TRY(const std::uint32_t expected, expected_bsx_flags(file, probe));
  const std::int32_t block = flags_block(file);
  if (block != kNoBlock) {
    const std::uint32_t present = *bsx_flags(file);
    if (present == expected) return {};
    std::memcpy(file.blocks[static_cast<std::size_t>(block)].bytes.data() + kFlagsAt, &expected, 4);
    notes.push_back({"BSXFlags in block " + std::to_string(block) + " are " + hex_text(expected, 4) +
                         " now; they were " + hex_text(present, 4),
                     kNoOffset,
                     {}});
    return {};
  }
  if ((expected & bsx_flag::kHavok) == 0) return {};
  if (file.roots.empty() || !is_node_type(file.type_of(file.roots.front()))) {
    notes.push_back(
        {"the file has no BSXFlags and no root node to put them on: the game may ignore its collision", kNoOffset, {}});
    return {};
  }
  ByteWriter writer;
  writer.i32(add_string(file, "BSX"));
  writer.u32(expected);
  const std::int32_t added = add_block(file, kFlagsType, writer.take());
  notes.push_back(
      {"the root had no BSXFlags, without which the game ignores collision; added with " + hex_text(expected, 4),
       kNoOffset,
       {}});
  return add_extra_data(file, file.roots.front(), added);
}

}  // namespace marrow
