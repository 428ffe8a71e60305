// SPDX-License-Identifier: MIT
#include "geometry/mesh/compound_tree.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

using namespace marrow;
using namespace marrow::geometry;

namespace {

std::vector<Aabb> boxes(std::size_t count) {
  std::mt19937 random(static_cast<unsigned>(count));
  std::uniform_real_distribution<float> place(-10.0f, 10.0f);
  std::vector<Aabb> result;
  for (std::size_t i = 0; i < count; ++i) {
    const float x = place(random);
    const float y = place(random);
    const Vec3 at(x, y, place(random));
    result.push_back({at - Vec3(0.5f), at + Vec3(0.5f)});
  }
  return result;
}

/// Nodes of a subtree, counted while their links and boxes are checked.
std::size_t check_subtree(const CompoundTree& tree, const std::vector<Aabb>& children, std::uint16_t at) {
  const CompoundTree::Node& node = tree.nodes[at];
  if (node.left == 0) {
    CHECK(node.box == children[node.right]);
    CHECK(tree.leaf_of_child[node.right] == at);
    return 1;
  }
  CHECK(node.left == at + 1);
  CHECK(tree.nodes[node.left].parent == at);
  CHECK(tree.nodes[node.right].parent == at);
  Aabb both = tree.nodes[node.left].box;
  include(both, tree.nodes[node.right].box);
  CHECK(node.box == both);
  if (at != tree.root) CHECK(half_area(tree.nodes[node.left].box) >= half_area(tree.nodes[node.right].box));
  return 1 + check_subtree(tree, children, node.left) + check_subtree(tree, children, node.right);
}

}  // namespace

TEST_CASE("a compound tree has two nodes a child, in pre-order, with unions as boxes") {
  for (std::size_t count : {1u, 2u, 3u, 10u, 36u, 64u, 65u, 500u}) {
    const std::vector<Aabb> children = boxes(count);
    const CompoundTree tree = build_compound_tree(children).value();
    CHECK(tree.nodes.size() == 2 * count + 1);
    CHECK(tree.first_free == 2 * count);
    CHECK(tree.nodes.front() == CompoundTree::Node{});
    CHECK(tree.nodes.back() == CompoundTree::Node{});
    CHECK(tree.nodes[1].parent == 0);
    CHECK(check_subtree(tree, children, 1) == 2 * count - 1);
  }
}

TEST_CASE("neighbours are joined first") {
  const std::vector<Aabb> children = {{{0, 0, 0}, {1, 1, 1}}, {{9, 0, 0}, {10, 1, 1}}, {{1, 0, 0}, {2, 1, 1}}};
  const CompoundTree tree = build_compound_tree(children).value();
  const std::uint16_t pair = tree.nodes[tree.leaf_of_child[0]].parent;
  CHECK(pair == tree.nodes[tree.leaf_of_child[2]].parent);
  CHECK(tree.nodes[tree.leaf_of_child[1]].parent == 1);
}

TEST_CASE("a compound without children, with an empty box or with too many is refused") {
  CHECK(!build_compound_tree({}));
  CHECK(build_compound_tree(std::vector<Aabb>{{{0, 0, 0}, {1, 1, 1}}, Aabb{}}).error().path == "children[1]");
  const std::vector<Aabb> many(kMaxCompoundChildren + 1, {{0, 0, 0}, {1, 1, 1}});
  CHECK(build_compound_tree(many).error().message.find("32767") != std::string::npos);
  CHECK(build_compound_tree(std::span(many).first(kMaxCompoundChildren))->first_free == 65534);
}
