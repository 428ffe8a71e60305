// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "nif/nif_file.h"

/// Collision of before Fallout 4: `bhkCollisionObject`, `bhkRigidBody`, `bhkConvexVerticesShape` and their like. Files
/// for Fallout 4 that were made with older tools still contain it; the game does not load it.
namespace marrow {

/// The collision of one node, or a body that no node leads to.
struct LegacyCollision {
  std::int32_t block = kNoBlock;  ///< the collision object, else the body
  std::int32_t node = kNoBlock;   ///< the node that it is on
  std::string node_name = {};
  std::int32_t body = kNoBlock;            ///< `bhkRigidBody`, `bhkRigidBodyT`, `bhkSimpleShapePhantom` ...
  std::optional<std::uint8_t> layer = {};  ///< as its own game counts them
  std::int32_t shape = kNoBlock;           ///< inside of a `bhkMoppBvTreeShape`, the shape that it searches

  bool operator==(const LegacyCollision&) const = default;
};

/// Returns the old collision of a file, one per collision object in block order, then bodies that none refers to.
/// Blocks that are too short for a field leave it unset. Fails as `read_nodes` does.
Result<std::vector<LegacyCollision>> read_legacy_collision(const NifFile& file);

}  // namespace marrow
