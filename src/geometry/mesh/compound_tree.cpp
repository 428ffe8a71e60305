// SPDX-License-Identifier: MIT
#include "geometry/mesh/compound_tree.h"

#include <string>
#include <utility>

#include "geometry/mesh/bvh.h"

namespace marrow::geometry {

namespace {

constexpr std::size_t kGreedyChildren = 64;

/// Joins the two subtrees with the smallest common box until one is left. Equal pairs: the lower numbers first.
Bvh build_greedy(std::span<const Aabb> items) {
  Bvh tree;
  tree.nodes.resize(1);  // the root, filled in at the end
  std::vector<std::uint32_t> open;
  for (std::uint32_t i = 0; i < items.size(); ++i) {
    open.push_back(static_cast<std::uint32_t>(tree.nodes.size()));
    tree.nodes.push_back({items[i], i, Bvh::kLeaf});
  }
  while (open.size() > 1) {
    std::pair<std::size_t, std::size_t> best{0, 1};
    float least = std::numeric_limits<float>::infinity();
    for (std::size_t i = 0; i < open.size(); ++i)
      for (std::size_t j = i + 1; j < open.size(); ++j) {
        Aabb both = tree.nodes[open[i]].box;
        include(both, tree.nodes[open[j]].box);
        if (half_area(both) >= least) continue;
        least = half_area(both);
        best = {i, j};
      }
    Aabb both = tree.nodes[open[best.first]].box;
    include(both, tree.nodes[open[best.second]].box);
    const Bvh::Node joined{both, open[best.first], open[best.second]};
    open[best.first] = static_cast<std::uint32_t>(tree.nodes.size());
    open.erase(open.begin() + static_cast<std::ptrdiff_t>(best.second));
    tree.nodes.push_back(joined);
  }
  tree.nodes[0] = tree.nodes[open[0]];
  return tree;
}

class Writer {
 public:
  Writer(const Bvh& from, CompoundTree& to) : from_(from), to_(to) {}

  std::uint16_t append(std::uint32_t at, std::uint16_t parent) {
    const Bvh::Node& node = from_.nodes[at];
    const std::uint16_t self = static_cast<std::uint16_t>(to_.nodes.size());
    to_.nodes.push_back({node.box, parent, 0, 0});
    if (node.is_leaf()) {
      to_.nodes[self].right = static_cast<std::uint16_t>(node.left);
      to_.leaf_of_child[node.left] = self;
      return self;
    }
    // The larger child is on the left, but for the root's.
    std::uint32_t left = node.left;
    std::uint32_t right = node.right;
    if (parent != 0 && half_area(from_.nodes[right].box) > half_area(from_.nodes[left].box)) std::swap(left, right);
    const std::uint16_t first = append(left, self);
    const std::uint16_t second = append(right, self);
    to_.nodes[self].left = first;
    to_.nodes[self].right = second;
    return self;
  }

 private:
  const Bvh& from_;
  CompoundTree& to_;
};

}  // namespace

Result<CompoundTree> build_compound_tree(std::span<const Aabb> children) {
  if (children.empty()) return fail(ErrorCode::InvalidArgument, "a compound without children");
  if (children.size() > kMaxCompoundChildren)
    return fail(ErrorCode::Unrepresentable, "the compound has " + std::to_string(children.size()) +
                                                " children, at most 32767 fit; split it into several bodies");
  for (std::size_t i = 0; i < children.size(); ++i)
    if (children[i].empty())
      return fail(ErrorCode::InvalidArgument, "the box of a child is empty", kNoOffset,
                  "children[" + std::to_string(i) + "]");
  const Bvh tree = children.size() <= kGreedyChildren ? build_greedy(children) : build_bvh(children, 8);
  CompoundTree compound;
  compound.leaf_of_child.resize(children.size());
  compound.nodes.resize(1);  // node 0 is nobody
  Writer(tree, compound).append(0, 0);
  compound.first_free = static_cast<std::uint16_t>(compound.nodes.size());
  compound.nodes.emplace_back();
  return compound;
}

}  // namespace marrow::geometry
