// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>

#include "geometry/mesh/build.h"

namespace marrow::geometry {

namespace {

class Planner {
 public:
  Planner(const TriangleMesh& prepared, const std::vector<MeshPrimitive>& primitives, Bvh tree, const Aabb& bounds)
      : prepared_(prepared),
        primitives_(primitives),
        last_seen_(prepared.vertices.size(), 0),
        owner_(prepared.vertices.size(), kUnowned) {
    plan_.tree = std::move(tree);
    plan_.domain = bounds;
  }

  Result<MeshPlan> run() {
    plan_.section_of_node.assign(plan_.tree.nodes.size(), MeshPlan::kNoSection);
    plan_.local_number.resize(primitives_.size());
    count_leaves(0);
    cut(0);
    if (plan_.sections.size() > kMaxSections)
      return fail(ErrorCode::Unrepresentable, "the mesh needs " + std::to_string(plan_.sections.size()) +
                                                  " sections, at most " + std::to_string(kMaxSections) +
                                                  " fit; split it into several bodies");
    for (const MeshPrimitive& primitive : primitives_)
      for (std::uint32_t vertex : primitive.corners) include(plan_.domain, prepared_.vertices[vertex]);
    assign_vertices();
    quantise_sections(prepared_, primitives_, plan_);
    return std::move(plan_);
  }

 private:
  static constexpr std::uint32_t kUnowned = 0xFFFFFFFF;
  static constexpr std::uint32_t kShared = 0xFFFFFFFE;

  std::uint32_t count_leaves(std::uint32_t at) {
    leaf_count_.resize(plan_.tree.nodes.size());
    const Bvh::Node& node = plan_.tree.nodes[at];
    leaf_count_[at] = node.is_leaf() ? 1 : count_leaves(node.left) + count_leaves(node.right);
    return leaf_count_[at];
  }

  void gather(std::uint32_t at, std::vector<std::uint32_t>& leaves) const {
    const Bvh::Node& node = plan_.tree.nodes[at];
    if (node.is_leaf()) {
      leaves.push_back(node.left);
      return;
    }
    gather(node.left, leaves);
    gather(node.right, leaves);
  }

  bool fits(const std::vector<std::uint32_t>& leaves) {
    ++stamp_;
    std::uint32_t distinct = 0;
    for (std::uint32_t leaf : leaves)
      for (std::uint32_t vertex : primitives_[leaf].corners) {
        if (last_seen_[vertex] == stamp_) continue;
        last_seen_[vertex] = stamp_;
        ++distinct;
      }
    return distinct <= kMaxSectionVertices;
  }

  /// A subtree within the limits becomes a section; one past them is divided. The numbers go on from left to right,
  /// which keeps the shared vertices of neighbouring sections near each other.
  void cut(std::uint32_t at) {
    const Bvh::Node node = plan_.tree.nodes[at];
    if (leaf_count_[at] <= kMaxSectionPrimitives) {
      SectionPlan section;
      section.root = at;
      gather(at, section.primitives);
      if (fits(section.primitives)) {
        plan_.section_of_node[at] = static_cast<std::uint32_t>(plan_.sections.size());
        plan_.sections.push_back(std::move(section));
        return;
      }
    }
    cut(node.left);
    cut(node.right);
  }

  void assign_vertices() {
    for (std::uint32_t s = 0; s < plan_.sections.size(); ++s)
      for (std::uint32_t primitive : plan_.sections[s].primitives)
        for (std::uint32_t vertex : primitives_[primitive].corners)
          owner_[vertex] = owner_[vertex] == kUnowned || owner_[vertex] == s ? s : kShared;
    for (SectionPlan& section : plan_.sections) {
      ++stamp_;
      for (std::uint32_t primitive : section.primitives)
        for (std::uint32_t vertex : primitives_[primitive].corners) {
          if (last_seen_[vertex] == stamp_) continue;
          last_seen_[vertex] = stamp_;
          (owner_[vertex] == kShared ? section.shared : section.packed).push_back(vertex);
        }
      // One run a material; leaves name their primitives, so any order will do.
      std::stable_sort(section.primitives.begin(), section.primitives.end(), [&](std::uint32_t a, std::uint32_t b) {
        return primitives_[a].material < primitives_[b].material;
      });
      for (std::size_t i = 0; i < section.primitives.size(); ++i)
        plan_.local_number[section.primitives[i]] = static_cast<std::uint8_t>(i);
    }
  }

  const TriangleMesh& prepared_;
  const std::vector<MeshPrimitive>& primitives_;
  MeshPlan plan_;
  std::vector<std::uint32_t> leaf_count_;
  std::vector<std::uint32_t> last_seen_;  ///< stamp of the set in which a vertex was last counted
  std::vector<std::uint32_t> owner_;      ///< the one section of a vertex, or `kShared`
  std::uint32_t stamp_ = 0;
};

}  // namespace

Result<MeshPlan> plan_sections(const TriangleMesh& prepared, const std::vector<MeshPrimitive>& primitives, Bvh tree,
                               const Aabb& bounds) {
  return Planner(prepared, primitives, std::move(tree), bounds).run();
}

}  // namespace marrow::geometry
