// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "marrow/geometry/solids/shapes.h"

namespace marrow::geometry {

/// A binary tree of boxes with one item a leaf; node 0 is the root. n items give 2n - 1 nodes.
struct Bvh {
  static constexpr std::uint32_t kLeaf = std::numeric_limits<std::uint32_t>::max();
  struct Node {
    Aabb box;
    std::uint32_t left = 0;       ///< left child, or the item of a leaf
    std::uint32_t right = kLeaf;  ///< right child, or `kLeaf`

    bool is_leaf() const { return right == kLeaf; }
  };

  std::vector<Node> nodes;
};

/// The deepest leaf that `build_bvh` makes: the traversal stack of the engine is not known, and this is cautious.
inline constexpr std::uint32_t kMaxBvhDepth = 32;

/// Builds top down by surface area, then improves by rotations, in at most `rotation_passes`. At least one item.
/// O(n log n), and deterministic: ties are settled by evenness, axis and index.
Bvh build_bvh(std::span<const Aabb> items, std::uint32_t rotation_passes);

/// Edges from the root to the deepest leaf.
std::uint32_t depth_of(const Bvh& tree);

/// Exchanges children and grandchildren wherever that shrinks boxes, until nothing changes or `passes` are done.
void rotate_bvh(Bvh& tree, std::uint32_t passes);

}  // namespace marrow::geometry
