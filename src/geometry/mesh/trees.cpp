// SPDX-License-Identifier: MIT
#include "geometry/mesh/box_code.h"
#include "geometry/mesh/build.h"

namespace marrow::geometry {

namespace {

void set_inner(CompressedMesh::TopNode& node, std::size_t right_offset) {
  node.data = static_cast<std::uint16_t>(0x8000 | right_offset / 2);
}
void set_inner(CompressedMesh::SectionNode& node, std::size_t right_offset) {
  node.data = static_cast<std::uint8_t>(right_offset | 1);
}

class TreeWriter {
 public:
  TreeWriter(const TriangleMesh& prepared, const std::vector<MeshPrimitive>& primitives, MeshPlan& plan,
             CompressedMesh& mesh)
      : prepared_(prepared), primitives_(primitives), plan_(plan), mesh_(mesh), decoded_(prepared.vertices.size()) {}

  void run() {
    for (std::uint32_t s = 0; s < plan_.sections.size(); ++s) {
      decode_vertices(s);
      fit_boxes(plan_.sections[s].root);
      CompressedMesh::Section& section = mesh_.sections[s];
      section.domain = plan_.tree.nodes[plan_.sections[s].root].box;
      section.nodes.reserve(2 * std::size_t{section.primitive_count} - 1);
      append(plan_.sections[s].root, section.domain, section.nodes, [&](std::uint32_t at, auto& node) {
        if (!plan_.tree.nodes[at].is_leaf()) return false;
        node.data = static_cast<std::uint8_t>(plan_.local_number[plan_.tree.nodes[at].left] << 1);
        return true;
      });
    }
    fit_top_boxes(0);
    mesh_.top_nodes.reserve(2 * plan_.sections.size() - 1);
    append(0, mesh_.domain, mesh_.top_nodes, [&](std::uint32_t at, auto& node) {
      const std::uint32_t section = plan_.section_of_node[at];
      if (section == MeshPlan::kNoSection) return false;
      node.data = static_cast<std::uint16_t>(section);
      mesh_.sections[section].leaf_index = static_cast<std::uint16_t>(mesh_.top_nodes.size() - 1);
      return true;
    });
  }

 private:
  void decode_vertices(std::uint32_t s) {
    const SectionPlan& plan = plan_.sections[s];
    const CompressedMesh::Section& section = mesh_.sections[s];
    for (std::size_t i = 0; i < plan.packed.size(); ++i)
      decoded_[plan.packed[i]] = packed_position(mesh_.packed_vertices[section.first_packed_vertex + i], plan);
    for (std::size_t i = 0; i < plan.shared.size(); ++i) {
      const std::size_t index = std::size_t{section.page} << 16 | mesh_.shared_indices[section.first_shared_index + i];
      decoded_[plan.shared[i]] = shared_position(mesh_.shared_vertices[index], mesh_.domain);
    }
  }

  /// A leaf holds the vertices as they were and as they are stored.
  void fit_boxes(std::uint32_t at) {
    Bvh::Node& node = plan_.tree.nodes[at];
    node.box = Aabb{};
    if (node.is_leaf()) {
      for (std::uint32_t vertex : primitives_[node.left].corners) {
        include(node.box, prepared_.vertices[vertex]);
        include(node.box, decoded_[vertex]);
      }
      return;
    }
    fit_boxes(node.left);
    fit_boxes(node.right);
    include(node.box, plan_.tree.nodes[node.left].box);
    include(node.box, plan_.tree.nodes[node.right].box);
  }

  void fit_top_boxes(std::uint32_t at) {
    if (plan_.section_of_node[at] != MeshPlan::kNoSection) return;
    Bvh::Node& node = plan_.tree.nodes[at];
    fit_top_boxes(node.left);
    fit_top_boxes(node.right);
    node.box = plan_.tree.nodes[node.left].box;
    include(node.box, plan_.tree.nodes[node.right].box);
  }

  /// Appends a subtree in pre-order, left child first. `set_leaf(node of the tree, stored node)` fills in a leaf, or
  /// says that it is not one.
  template <class Node, class SetLeaf>
  void append(std::uint32_t at, const Aabb& parent, std::vector<Node>& out, const SetLeaf& set_leaf) {
    const std::size_t self = out.size();
    out.emplace_back();
    // The root is its domain.
    const Aabb box = self > 0 ? code_box(plan_.tree.nodes[at].box, parent, out[self].box) : parent;
    if (set_leaf(at, out[self])) return;
    append(plan_.tree.nodes[at].left, box, out, set_leaf);
    // A left subtree has an odd number of nodes, so the offset is even in both codes.
    set_inner(out[self], out.size() - self);
    append(plan_.tree.nodes[at].right, box, out, set_leaf);
  }

  const TriangleMesh& prepared_;
  const std::vector<MeshPrimitive>& primitives_;
  MeshPlan& plan_;
  CompressedMesh& mesh_;
  std::vector<Vec3> decoded_;  ///< of the section at hand
};

}  // namespace

void store_trees(const TriangleMesh& prepared, const std::vector<MeshPrimitive>& primitives, MeshPlan& plan,
                 CompressedMesh& mesh) {
  TreeWriter(prepared, primitives, plan, mesh).run();
}

}  // namespace marrow::geometry
