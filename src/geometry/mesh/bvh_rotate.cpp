// SPDX-License-Identifier: MIT
// Tree rotations (A. Kensler, "Tree Rotations for Improving Bounding Volume Hierarchies", 2008): below a node, a child
// changes places with a grandchild of the other side, or two grandchildren do.
#include <array>

#include "geometry/mesh/bvh.h"

namespace marrow::geometry {

namespace {

class Rotator {
 public:
  explicit Rotator(Bvh& tree) : nodes_(tree.nodes), settled_(tree.nodes.size(), false) {}

  /// Improves a subtree, children first; whether anything changed. A subtree that stayed as it was in one pass stays so
  /// until a rotation above gives one of its nodes another child.
  bool improve(std::uint32_t at) {
    if (settled_[at] || nodes_[at].is_leaf()) return false;
    bool changed = improve(nodes_[at].left);
    changed |= improve(nodes_[at].right);
    changed |= rotate(at);
    settled_[at] = !changed;
    return changed;
  }

 private:
  /// Two places in the tree that hold node numbers, to be exchanged.
  struct Exchange {
    std::uint32_t* first = nullptr;
    std::uint32_t* second = nullptr;
  };

  Aabb union_of(std::uint32_t a, std::uint32_t b) const {
    Aabb box = nodes_[a].box;
    include(box, nodes_[b].box);
    return box;
  }

  bool rotate(std::uint32_t at) {
    Bvh::Node& node = nodes_[at];
    Bvh::Node& left = nodes_[node.left];
    Bvh::Node& right = nodes_[node.right];
    const float left_area = left.is_leaf() ? 0.0f : half_area(left.box);
    const float right_area = right.is_leaf() ? 0.0f : half_area(right.box);
    Exchange best;
    float best_gain = 1e-9f * half_area(node.box);
    const auto offer = [&](float gain, std::uint32_t& first, std::uint32_t& second) {
      if (!(gain > best_gain)) return;
      best_gain = gain;
      best = {&first, &second};
    };
    const auto area = [&](std::uint32_t a, std::uint32_t b) { return half_area(union_of(a, b)); };
    if (!right.is_leaf()) {  // the left child goes down, a grandchild comes up
      offer(right_area - area(node.left, right.right), node.left, right.left);
      offer(right_area - area(node.left, right.left), node.left, right.right);
    }
    if (!left.is_leaf()) {
      offer(left_area - area(node.right, left.right), node.right, left.left);
      offer(left_area - area(node.right, left.left), node.right, left.right);
    }
    if (!left.is_leaf() && !right.is_leaf()) {
      const float both = left_area + right_area;
      offer(both - area(right.left, left.right) - area(left.left, right.right), left.left, right.left);
      offer(both - area(right.right, left.right) - area(left.left, right.left), left.left, right.right);
    }
    if (best.first == nullptr) return false;
    const std::array sides = {node.left, node.right};
    std::swap(*best.first, *best.second);
    for (std::uint32_t side : sides) {
      if (nodes_[side].is_leaf()) continue;
      nodes_[side].box = union_of(nodes_[side].left, nodes_[side].right);
      settled_[side] = false;
    }
    return true;
  }

  std::vector<Bvh::Node>& nodes_;
  std::vector<bool> settled_;
};

}  // namespace

void rotate_bvh(Bvh& tree, std::uint32_t passes) {
  Rotator rotator(tree);
  for (std::uint32_t pass = 0; pass < passes && rotator.improve(0); ++pass) {
  }
}

}  // namespace marrow::geometry
