// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "marrow/core/error.h"
#include "marrow/geometry/shapes.h"

namespace marrow::geometry {

/// The most children of a compound: node numbers are 16 bits, and there are two nodes a child.
inline constexpr std::uint32_t kMaxCompoundChildren = 32767;

/// The bounding tree of a compound as files hold it: node 0 is unused, node 1 the root, then pre-order with the left
/// child next to its parent, and a free node at the end: 2n + 1 in all.
struct CompoundTree {
  struct Node {
    Aabb box{Vec3(0.0f), Vec3(0.0f)};
    std::uint16_t parent = 0;  ///< 0 for the root
    std::uint16_t left = 0;    ///< 0 for a leaf
    std::uint16_t right = 0;   ///< right child, or the child's number for a leaf

    bool operator==(const Node&) const = default;
  };

  std::vector<Node> nodes;
  std::vector<std::uint16_t> leaf_of_child;  ///< the node that is the leaf of each child
  std::uint16_t root = 1;
  std::uint16_t first_free = 0;

  bool operator==(const CompoundTree&) const = default;
};

/// Builds the tree over the boxes of the children. Up to 64 children the pair with the least union is joined again and
/// again; above, a sweep by surface area. Refuses no children, too many, and empty boxes.
Result<CompoundTree> build_compound_tree(std::span<const Aabb> children);

}  // namespace marrow::geometry
