// SPDX-License-Identifier: MIT
// How a NIF keeps its collision. Verbs find the row of a file once, and do not ask which game it is for.
#pragma once

#include <optional>
#include <span>

#include "nif/node.h"
#include "ops/collision/author.h"
#include "ops/collision/collision.h"
#include "ops/collision/new_nif.h"

namespace marrow {

/// What is done to the container of a NIF, as one way of keeping collision does it. `Document::collision` is up to date
/// afterwards.
struct CollisionContainer {
  CollisionGame game;  ///< whose rules bodies and shapes follow
  /// Adds the first body of `built` to the system `target`, or starts one, on a node that has none.
  Result<BodyReport> (*add_body)(Document& document, std::optional<std::size_t> target, const CollisionSystem& built,
                                 const NifNode& node, Context& context);
  Result<void> (*remove_body)(Document& document, const BodyPlace& place, Context& context);
  Result<DetachCollisionReport> (*detach)(Document& document, const DetachCollisionOptions& options, Context& context);
  Result<BlockReport> (*attach)(Document& document, const AttachCollisionOptions& options, Context& context);
  /// Puts a system in the place of another one of its kind.
  Result<ReplaceReport> (*replace)(Document& document, const ReplaceCollisionOptions& options, Context& context);
  /// Makes a document of its own of a new system. `nodes` are those that a NIF gets.
  Result<void> (*make)(Document& document, DocumentCollision collision, std::span<const NewNode> nodes, Game game,
                       Context& context);
  /// Copies systems into files of their own.
  Result<ExtractReport> (*extract)(const Document& document, const BlockOptions& options, Context& context);
};

/// Packfiles in blocks of a NIF (Fallout 4), and blocks of their own (Skyrim).
extern const CollisionContainer kCollisionInPackfiles, kCollisionInBlocks;

/// Returns the row of a NIF.
const CollisionContainer& container_of(const NifFile& nif);
/// Returns the row of a game. Fails with `BadOption` on the option `to` if it has no collision that is built.
Result<const CollisionContainer*> container_of(Game game);

/// Returns the node of that name.
Result<const NifNode*> node_named(const std::vector<NifNode>& nodes, const NifFile& nif, const std::string& name);
/// Returns the node of that name; of several, one that has collision.
Result<const NifNode*> colliding_node(const std::vector<NifNode>& nodes, const NifFile& nif, const std::string& name);

/// Returns the systems of another file for a game: ported if they are another game's, with the nodes of their bodies or
/// the bones of a ragdoll by name. Cloth is left out. Fails if there is nothing else.
Result<std::vector<DocumentCollision>> collision_for(CollisionGame game, const Document& from, Context& context);

}  // namespace marrow
