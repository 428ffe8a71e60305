// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "gltf/tiny.h"
#include "marrow/model/transform.h"

namespace marrow::gltf {

inline constexpr std::size_t kNoNode = static_cast<std::size_t>(-1);

struct Node {
  std::string name;
  Transform local;
  Transform world;
  std::size_t parent = kNoNode;
  std::vector<std::size_t> children;
  std::size_t position = 0;  ///< in `NodeTree::order`
  std::size_t end = 0;       ///< the position after the last node below it
};

/// The nodes as a forest that has been proven to be one, in an order where parents come before children.
struct NodeTree {
  std::vector<Node> nodes;
  std::vector<std::size_t> order;  ///< depth first, children in their order

  /// Whether `node` is `ancestor` or below it.
  bool is_below(std::size_t node, std::size_t ancestor) const {
    return nodes[node].position >= nodes[ancestor].position && nodes[node].position < nodes[ancestor].end;
  }
  /// The deepest node that all of `members` are or lie below; kNoNode where they share none.
  std::size_t common_ancestor(const std::vector<std::size_t>& members) const;
};

/// Fails where a child is not there, has two parents or is its own ancestor, or where a number is not finite.
Result<NodeTree> read_nodes(const tinygltf::Model& model, const Limits& limits);

}  // namespace marrow::gltf
