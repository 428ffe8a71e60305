// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "marrow/model/collision.h"
#include "nif/bsx_flags.h"
#include "nif/nif_file.h"
#include "nif/node.h"

namespace marrow {

/// A block that holds a Havok packfile.
struct EmbeddedPackfile {
  std::int32_t block = kNoBlock;
  EmbeddedKind kind = EmbeddedKind::Physics;
  std::span<const std::byte> bytes;  ///< inside the `NifFile`
  std::uint64_t offset_in_block = 4;
};

/// The link between a node and one body of a system.
struct CollisionObject {
  std::int32_t block = kNoBlock;
  std::int32_t target = kNoBlock;  ///< the node
  std::uint16_t flags = 0x80;
  std::int32_t system = kNoBlock;  ///< bhkPhysicsSystem or bhkRagdollSystem
  std::uint32_t body = 0;          ///< index of the body in the system
};

/// Returns every physics system, ragdoll and cloth in the file. Starfield's tagfiles are refused by name.
Result<std::vector<EmbeddedPackfile>> read_embedded(const NifFile& file);
/// Returns the packfile in that block. Fails with NotFound and lists the blocks that hold one.
Result<EmbeddedPackfile> find_embedded(const NifFile& file, std::int32_t block);
Result<std::vector<CollisionObject>> read_collision_objects(const NifFile& file);

/// Replaces the bytes of an embedded packfile. Nothing else changes except the block's size.
Result<void> replace_embedded(NifFile& file, std::int32_t block, std::span<const std::byte> packfile);

/// Makes a collision object use another body of its system. Fails if the block is not a collision object.
Result<void> set_body(NifFile& file, std::int32_t collision_object, std::uint32_t body);

/// A node that should use a body of the system.
struct Attachment {
  std::string node;
  std::uint32_t body = 0;
  std::int32_t block = kNoBlock;  ///< of the node, if several have its name
};

/// Hangs a packfile on nodes. A system with the same bytes that is there already is shared; a system that only these
/// nodes used is replaced in its place; otherwise a block is added at the end. The root's BSXFlags follow
/// (`update_bsx_flags`, which asks `probe` about bodies). `notes` gets what was done. Returns the block of the system.
Result<std::int32_t> attach(NifFile& file, std::span<const std::byte> packfile, EmbeddedKind kind,
                            std::span<const Attachment> attachments, Notes& notes, SystemProbe probe = nullptr);

/// What taking the collision object off a node left in the file.
struct Detached {
  std::int32_t system = 0;                  ///< block of the system, before the numbers of blocks changed
  std::optional<std::uint32_t> stays = {};  ///< the body, if it stays because other nodes use the system
};

/// Takes the collision object off a node, and out of the file with the system if no other node uses that one; BSXFlags
/// follow. Numbers of blocks change. If the file has blocks whose references are not known, numbers cannot change: what
/// stands at the end of the file is cut off then, and other blocks are left as an empty NiIntegerExtraData that nothing
/// refers to, which `notes` reports. Fails, without a change, if the node has no collision of Fallout 4's.
Result<Detached> detach(NifFile& file, std::int32_t node, Notes& notes, SystemProbe probe = nullptr);

}  // namespace marrow
