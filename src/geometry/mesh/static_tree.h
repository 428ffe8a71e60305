// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "geometry/mesh/compound_tree.h"
#include "marrow/core/error.h"
#include "marrow/geometry/solids/shapes.h"

namespace marrow::geometry {

/// The bounding tree of a static compound as files hold it: six bytes per node, in pre-order with the left child next
/// to its parent. Boxes are coded as in compressed meshes.
struct StaticTree {
  struct Node {
    std::array<std::uint8_t, 3> box{};
    std::uint32_t data = 0;  ///< 24 bits: 0x800000 | (right - own index) / 2, or the child of a leaf

    bool operator==(const Node&) const = default;
  };

  Aabb domain;
  std::vector<Node> nodes;
  std::vector<std::uint32_t> leaf_of_child;  ///< the node that is the leaf of each child; set by coding

  bool operator==(const StaticTree&) const = default;
};

/// Codes a compound tree. Decoded boxes hold those of the tree.
StaticTree code_static_tree(const CompoundTree& tree);

/// The nodes as those of a compound tree, with decoded boxes. Fails if offsets do not form one tree, or if there are
/// more nodes than a compound can have.
Result<std::vector<CompoundTree::Node>> decode_static_tree(const StaticTree& tree);

}  // namespace marrow::geometry
