// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>

#include "marrow/ops/document/context.h"
#include "marrow/ops/document/document.h"

namespace marrow {

/// A node of a NIF that is made.
struct NewNode {
  std::string name = {};
  std::int32_t parent = kNoBone;  ///< its number among the nodes; `kNoBone`: the root
  Transform place = {};           ///< in the space of the parent
};

/// Makes a document of collision that the game keeps as blocks: a NIF with a BSFadeNode named after the file, BSXFlags,
/// the nodes and the collision. `BodyNode::block` of `collision.nodes` is the number of a node, `kNoBlock` the root.
Result<void> make_collision_nif(Document& document, DocumentCollision collision, std::span<const NewNode> nodes,
                                Game game, Context& context);

}  // namespace marrow
