// SPDX-License-Identifier: MIT
#include "exchange/gltf/nodes.h"

#include <algorithm>
#include <cmath>

#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>

#include "core/try.h"
#include "exchange/gltf/space.h"

namespace marrow::gltf {
namespace {

// Splits a matrix into translation, rotation and scale; shear is dropped.
Transform decompose(const std::vector<double>& m) {
  const auto column = [&](std::size_t c) {
    return Vec3(static_cast<float>(m[4 * c]), static_cast<float>(m[4 * c + 1]), static_cast<float>(m[4 * c + 2]));
  };
  Transform out;
  out.translation = column(3);
  glm::mat3 axes(column(0), column(1), column(2));
  for (int axis = 0; axis < 3; ++axis) {
    out.scale[axis] = glm::length(axes[axis]);
    if (out.scale[axis] > 0.0f) axes[axis] /= out.scale[axis];
  }
  if (glm::determinant(axes) < 0.0f) {
    out.scale.x = -out.scale.x;
    axes[0] = -axes[0];
  }
  out.rotation = glm::normalize(glm::quat_cast(axes));
  return out;
}

Result<Transform> local_of(const tinygltf::Node& node, const std::string& path) {
  const auto refuse = [&](std::string why) { return fail(ErrorCode::Malformed, std::move(why), kNoOffset, path); };
  for (const auto* numbers : {&node.matrix, &node.translation, &node.rotation, &node.scale})
    if (!std::ranges::all_of(*numbers, [](double v) { return std::abs(v) <= kMostNumber; }))
      return refuse("a number of its transform is not finite, or beyond 1e30");
  if (node.matrix.size() == 16) {
    const Transform out = decompose(node.matrix);
    if (!std::isfinite(glm::length(out.rotation))) return refuse("its matrix does not contain a rotation");
    return out;
  }
  Transform out;
  const auto f = [](double v) { return static_cast<float>(v); };
  if (const auto& t = node.translation; t.size() == 3) out.translation = {f(t[0]), f(t[1]), f(t[2])};
  if (const auto& s = node.scale; s.size() == 3) out.scale = {f(s[0]), f(s[1]), f(s[2])};
  if (const auto& r = node.rotation; r.size() == 4) {
    out.rotation = make_quat(f(r[0]), f(r[1]), f(r[2]), f(r[3]));
    const float length = glm::length(out.rotation);
    if (!(length > 1e-6f && std::isfinite(length))) return refuse("its rotation is not a valid quaternion");
    // The exact bits are kept if the length is close enough to 1.
    if (std::abs(length - 1.0f) > 1e-3f) out.rotation = glm::normalize(out.rotation);
  }
  return out;
}

}  // namespace

std::size_t NodeTree::common_ancestor(const std::vector<std::size_t>& members) const {
  if (members.empty()) return kNoNode;
  std::size_t ancestor = members.front();
  for (const std::size_t member : members)
    while (ancestor != kNoNode && !is_below(member, ancestor)) ancestor = nodes[ancestor].parent;
  return ancestor;
}

Result<NodeTree> read_nodes(const tinygltf::Model& model, const Limits& limits) {
  NodeTree tree;
  tree.nodes.resize(model.nodes.size());
  for (std::size_t i = 0; i < model.nodes.size(); ++i) {
    const std::string path = "nodes[" + std::to_string(i) + "]";
    tree.nodes[i].name = model.nodes[i].name;
    MARROW_TRY(tree.nodes[i].local, local_of(model.nodes[i], path));
    for (const int child : model.nodes[i].children) {
      if (child < 0 || static_cast<std::size_t>(child) >= model.nodes.size())
        return fail(ErrorCode::Malformed, "its child " + std::to_string(child) + " does not exist", kNoOffset, path);
      const auto at = static_cast<std::size_t>(child);
      if (tree.nodes[at].parent != kNoNode)
        return fail(ErrorCode::Malformed, "its child " + std::to_string(child) + " also has another parent", kNoOffset,
                    path);
      tree.nodes[at].parent = i;
      tree.nodes[i].children.push_back(at);
    }
  }
  // If every node has one parent, only nodes reached from a root are free of cycles.
  struct Visit {
    std::size_t node;
    std::uint32_t depth;
  };
  std::vector<Visit> open;
  for (std::size_t i = tree.nodes.size(); i-- > 0;)
    if (tree.nodes[i].parent == kNoNode) open.push_back({i, 1});
  while (!open.empty()) {
    const Visit visit = open.back();
    open.pop_back();
    Node& node = tree.nodes[visit.node];
    if (visit.depth > 16 * limits.max_depth)
      return fail(ErrorCode::LimitExceeded, "the nodes are nested too deeply", kNoOffset,
                  "nodes[" + std::to_string(visit.node) + "]");
    node.world = node.parent == kNoNode ? node.local : tree.nodes[node.parent].world * node.local;
    node.position = tree.order.size();
    tree.order.push_back(visit.node);
    for (std::size_t c = node.children.size(); c-- > 0;) open.push_back({node.children[c], visit.depth + 1});
  }
  if (tree.order.size() != tree.nodes.size())
    return fail(ErrorCode::Malformed, "the nodes form a cycle", kNoOffset, "nodes");
  // In depth-first order the descendants of a node follow it without a gap. From the back, each node passes its end to
  // its parent.
  for (std::size_t i = tree.order.size(); i-- > 0;) {
    Node& node = tree.nodes[tree.order[i]];
    node.end = std::max(node.end, node.position + 1);
    if (node.parent != kNoNode) tree.nodes[node.parent].end = std::max(tree.nodes[node.parent].end, node.end);
  }
  return tree;
}

}  // namespace marrow::gltf
