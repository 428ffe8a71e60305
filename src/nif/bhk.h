// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "geometry/mesh/mopp.h"
#include "marrow/core/error.h"
#include "marrow/core/limits.h"
#include "marrow/model/collision.h"
#include "nif/nif_file.h"

/// Skyrim's collision (bhk blocks) in terms of the model. docs/formats/bhk.md describes the blocks.
namespace marrow::bhk {

/// A node and the body that its collision object has.
struct NodeBody {
  std::uint32_t body = 0;
  std::int32_t node = kNoBlock;  ///< block of the node
  std::string name = {};
  Transform world = {};  ///< in game units

  bool operator==(const NodeBody&) const = default;
};

/// The bodies of a file that belong together: the bones of a ragdoll, or all others.
struct System {
  std::int32_t block = kNoBlock;  ///< the first collision object
  bool is_ragdoll = false;
  CollisionSystem system = {};
  std::vector<NodeBody> nodes = {};  ///< in the order of bodies; a body that no node has is missing

  bool operator==(const System&) const = default;
};

/// True if blocks of this type are Skyrim's collision objects.
bool is_collision_object(std::string_view type);
/// True if files of this stream keep collision as blocks.
constexpr bool keeps_blocks(std::uint32_t stream) { return stream < 130; }

/// Returns the collision of a file: the ragdoll first, then the others. Sources in the system are numbers of blocks.
/// Safe on untrusted bytes. A shape that is missing or unknown is kept as such; shapes that contain themselves, are
/// nested too deeply or are used too often are errors, as are blocks that do not fit their layout.
Result<std::vector<System>> read_systems(const NifFile& file, const Limits& limits = {});

/// Lays systems over the blocks of the file that they were read from. A block whose value has not changed keeps its
/// bytes. Bodies without a source are added on their nodes, with their shapes and joints; bodies that are missing go,
/// with their shapes and joints. Numbers of blocks change if blocks go, or if new ones have to stand before their
/// owners. `notes` reports what was left out.
Result<void> write_systems(NifFile& file, std::span<const System> systems, Notes& notes, const Limits& limits = {});

/// Returns the MOPP codes in which the game finds the parts of meshes and lists, by the block of the mesh or list.
std::map<std::int32_t, geometry::MoppCode> read_codes(const NifFile& file);

}  // namespace marrow::bhk
