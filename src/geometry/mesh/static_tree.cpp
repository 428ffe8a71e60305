// SPDX-License-Identifier: MIT
#include "geometry/mesh/static_tree.h"

#include "core/try.h"
#include "geometry/mesh/box_code.h"
#include "geometry/mesh/reader.h"

namespace marrow::geometry {

namespace {

constexpr std::uint32_t kInnerBit = 0x800000;

}  // namespace

StaticTree code_static_tree(const CompoundTree& tree) {
  StaticTree coded;
  coded.domain = tree.nodes[tree.root].box;
  coded.leaf_of_child.resize(tree.leaf_of_child.size());
  constexpr std::size_t kNotRight = SIZE_MAX;
  struct Entry {
    std::uint16_t node;
    Aabb parent;
    std::size_t right_of;  ///< the coded node whose right child this is
  };
  std::vector<Entry> open = {{tree.root, coded.domain, kNotRight}};
  while (!open.empty()) {
    const Entry entry = open.back();
    open.pop_back();
    const CompoundTree::Node& node = tree.nodes[entry.node];
    const std::size_t self = coded.nodes.size();
    StaticTree::Node& own = coded.nodes.emplace_back();
    // A left subtree has an odd number of nodes, so the offset is even.
    if (entry.right_of != kNotRight)
      coded.nodes[entry.right_of].data = kInnerBit | static_cast<std::uint32_t>(self - entry.right_of) / 2;
    const Aabb box = self > 0 ? code_box(node.box, entry.parent, own.box) : entry.parent;
    if (node.left == 0) {
      own.data = node.right;
      coded.leaf_of_child[node.right] = static_cast<std::uint32_t>(self);
      continue;
    }
    open.push_back({node.right, box, self});
    open.push_back({node.left, box, kNotRight});
  }
  return coded;
}

NodeView view_of(const StaticTree::Node& node) {
  const bool is_leaf = (node.data & kInnerBit) == 0;
  return {node.box, is_leaf, is_leaf ? node.data : (node.data & ~kInnerBit) * 2};
}

Result<std::vector<CompoundTree::Node>> decode_static_tree(const StaticTree& tree) {
  if (tree.nodes.size() > 2 * std::size_t{kMaxCompoundChildren} - 1)
    return fail(ErrorCode::LimitExceeded, "the tree has more nodes than a compound can have");
  MARROW_TRY(const DecodedTree decoded, decode_tree(tree.nodes, tree.domain, "nodes"));
  std::vector<CompoundTree::Node> nodes(1);
  for (std::size_t i = 0; i < decoded.nodes.size(); ++i) {
    const NodeView& view = decoded.nodes[i];
    CompoundTree::Node node;
    node.box = decoded.boxes[i];
    node.right = static_cast<std::uint16_t>(view.is_leaf ? view.value : i + view.value + 1);
    if (view.is_leaf && view.value > kMaxCompoundChildren)
      return fail(ErrorCode::Malformed, "a leaf names a child that a compound cannot have", kNoOffset,
                  "nodes[" + std::to_string(i) + "]");
    if (!view.is_leaf) node.left = static_cast<std::uint16_t>(i + 2);
    nodes.push_back(node);
  }
  for (std::size_t i = 1; i < nodes.size(); ++i)
    if (nodes[i].left != 0) nodes[nodes[i].left].parent = nodes[nodes[i].right].parent = static_cast<std::uint16_t>(i);
  nodes.emplace_back();  // the free node at the end
  return nodes;
}

}  // namespace marrow::geometry
