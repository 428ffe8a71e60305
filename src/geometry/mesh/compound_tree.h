// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "marrow/core/error.h"
#include "marrow/geometry/solids/shapes.h"

namespace marrow::geometry {

/// The maximum number of children of a compound: node numbers have 16 bits, and there are two nodes per child.
inline constexpr std::uint32_t kMaxCompoundChildren = 32767;

/// The bounding tree of a compound as files hold it. Node 0 is unused, node 1 is the root. The others follow in
/// pre-order, the left child right after its parent. A free node is at the end: 2n + 1 in all.
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

/// Builds the tree over the boxes of the children. For up to 64 children it repeatedly joins the pair with the smallest
/// union; for more it uses a sweep by surface area. Fails on no children, too many children, and empty boxes.
Result<CompoundTree> build_compound_tree(std::span<const Aabb> children);

}  // namespace marrow::geometry
