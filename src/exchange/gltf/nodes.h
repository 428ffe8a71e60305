// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "exchange/gltf/tiny.h"
#include "marrow/model/transform.h"

namespace marrow::gltf {

inline constexpr std::size_t kNoNode = static_cast<std::size_t>(-1);

struct Node {
  std::string name;
  Transform local;
  Transform world;
  std::size_t parent = kNoNode;
  std::vector<std::size_t> children;
  std::size_t position = 0;  ///< index in `NodeTree::order`
  std::size_t end = 0;       ///< the position after the last descendant
};

/// The nodes as a forest, checked to be one. Parents come before children.
struct NodeTree {
  std::vector<Node> nodes;
  std::vector<std::size_t> order;  ///< depth first, children in their order

  /// True if `node` is `ancestor` or a descendant of it.
  bool is_below(std::size_t node, std::size_t ancestor) const {
    return nodes[node].position >= nodes[ancestor].position && nodes[node].position < nodes[ancestor].end;
  }
  /// Returns the deepest common ancestor of `members`, which may be one of them; kNoNode if there is none.
  std::size_t common_ancestor(const std::vector<std::size_t>& members) const;
};

/// Reads the nodes. Fails if a child does not exist, has two parents or is its own ancestor, or if a number is not
/// finite.
Result<NodeTree> read_nodes(const tinygltf::Model& model, const Limits& limits);

}  // namespace marrow::gltf
