// SPDX-License-Identifier: MIT
#include "geometry/mesh/static_tree.h"

#include <doctest/doctest.h>

#include <random>

using namespace marrow;
using namespace marrow::geometry;

namespace {

std::vector<Aabb> scattered_boxes(std::size_t count) {
  std::mt19937 random(7);
  std::uniform_real_distribution<float> place(-50, 50), size(0.1f, 4);
  std::vector<Aabb> boxes;
  for (std::size_t i = 0; i < count; ++i) {
    const Vec3 min(place(random), place(random), place(random));
    boxes.push_back({min, min + Vec3(size(random), size(random), size(random))});
  }
  return boxes;
}

}  // namespace

TEST_CASE("a static tree holds every child in one leaf, and every box in its parent's") {
  for (const std::size_t count : {1u, 2u, 3u, 10u, 100u, 3000u}) {
    CAPTURE(count);
    const std::vector<Aabb> boxes = scattered_boxes(count);
    const auto tree = build_compound_tree(boxes);
    REQUIRE(tree);
    const StaticTree coded = code_static_tree(*tree);
    CHECK(coded.nodes.size() == 2 * count - 1);
    const auto nodes = decode_static_tree(coded);
    REQUIRE(nodes);
    REQUIRE(nodes->size() == 2 * count + 1);
    std::vector<int> leaves(count);
    for (std::size_t i = 1; i + 1 < nodes->size(); ++i) {
      const CompoundTree::Node& node = (*nodes)[i];
      if (node.left != 0) {
        CHECK(contains(node.box, (*nodes)[node.left].box));
        CHECK(contains(node.box, (*nodes)[node.right].box));
        continue;
      }
      REQUIRE(node.right < count);
      ++leaves[node.right];
      CHECK(contains(node.box, boxes[node.right]));
      CHECK(coded.leaf_of_child[node.right] == i - 1);
    }
    for (const int leaf : leaves) CHECK(leaf == 1);
  }
}

TEST_CASE("a static tree is six bytes per node: an inner one has the top bit and half the way to its right child") {
  const std::vector<Aabb> boxes = {{{0, 0, 0}, {1, 1, 1}}, {{8, 0, 0}, {9, 1, 1}}};
  const StaticTree coded = code_static_tree(*build_compound_tree(boxes));
  REQUIRE(coded.nodes.size() == 3);
  CHECK(coded.nodes[0].data == 0x800001);
  CHECK(coded.nodes[0].box == std::array<std::uint8_t, 3>{0, 0, 0});
  CHECK(coded.nodes[1].data == 0);
  CHECK(coded.nodes[2].data == 1);
}

TEST_CASE("nodes that do not form a tree are refused") {
  StaticTree tree = code_static_tree(*build_compound_tree(scattered_boxes(4)));
  SUBCASE("a right child outside") { tree.nodes[0].data = 0x8000FF; }
  SUBCASE("a leaf where the tree goes on") { tree.nodes[0].data = 0; }
  SUBCASE("a child that no compound has") { tree.nodes.back().data = 0x7FFFFF; }
  SUBCASE("too many nodes") { tree.nodes.resize(70000); }
  CHECK_FALSE(decode_static_tree(tree));
}
