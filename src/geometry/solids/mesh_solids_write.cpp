// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

#include "core/try.h"
#include "geometry/mesh/box_code.h"
#include "geometry/mesh/build.h"
#include "geometry/solids/mesh_solids.h"

namespace marrow::geometry {

namespace {

constexpr std::size_t kMaxSolidVertices = 255;
// A solid takes three entries of the shared index: header, first vertex, radius. Their count is a byte.
constexpr std::uint32_t kWordsOfASolid = 3;
constexpr std::uint32_t kMaxSectionSolids = 255 / kWordsOfASolid;
constexpr std::size_t kPage = 65536;
constexpr std::size_t kMaxSolidPages = 256;
constexpr std::uint8_t kRequiresTree = 1;

std::uint16_t half_of(float value) {
  // Rounded up, so that the stored solid is never thinner than the one that was given.
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  return static_cast<std::uint16_t>((bits + 0xFFFFu) >> 16);
}

Result<void> check_solid(const MeshSolid& solid, const CompressedMesh& mesh, std::size_t number) {
  const auto refuse = [&](std::string why) {
    return fail(ErrorCode::Unrepresentable, std::move(why), kNoOffset, "solids[" + std::to_string(number) + "]");
  };
  if (solid.vertices.empty() || solid.vertices.size() > kMaxSolidVertices)
    return refuse("a merged solid has 1 to 255 vertices");
  if (!(std::isfinite(solid.radius) && solid.radius >= 0.0f)) return refuse("the radius of a merged solid is a length");
  for (const Vec3& v : solid.vertices)
    if (!std::isfinite(v.x) || !std::isfinite(v.y) || !std::isfinite(v.z))
      return refuse("a vertex of a merged solid is not a finite number");
  if (!mesh.sections.empty() && !contains(mesh.domain, bounds_of(solid)))
    return refuse("a merged solid lies outside the domain of the mesh");
  return {};
}

/// From left to right: what is near in the tree is near in space.
std::vector<std::uint32_t> leaves_in_order(const Bvh& tree) {
  std::vector<std::uint32_t> leaves, open = {0};
  while (!open.empty()) {
    const Bvh::Node& node = tree.nodes[open.back()];
    open.pop_back();
    if (node.is_leaf()) {
      leaves.push_back(node.left);
    } else {
      open.push_back(node.right);
      open.push_back(node.left);
    }
  }
  return leaves;
}

void set_inner_node(CompressedMesh::TopNode& node, std::size_t right) {
  node.data = static_cast<std::uint16_t>(0x8000 | right / 2);
}
void set_inner_node(CompressedMesh::SectionNode& node, std::size_t right) {
  node.data = static_cast<std::uint8_t>(right | 1);
}

/// Appends a subtree in pre-order. `set_leaf(item, node)` fills in a leaf.
template <class Node, class SetLeaf>
void append_tree(const Bvh& tree, std::uint32_t at, const Aabb& parent, std::vector<Node>& out, SetLeaf& set_leaf) {
  const std::size_t self = out.size();
  out.emplace_back();
  const Aabb box = self > 0 ? code_box(tree.nodes[at].box, parent, out[self].box) : parent;
  if (tree.nodes[at].is_leaf()) return set_leaf(tree.nodes[at].left, out[self]);
  append_tree(tree, tree.nodes[at].left, box, out, set_leaf);
  set_inner_node(out[self], out.size() - self);
  append_tree(tree, tree.nodes[at].right, box, out, set_leaf);
}

class SolidWriter {
 public:
  SolidWriter(CompressedMesh& mesh, std::span<const MeshSolid> solids) : mesh_(mesh), solids_(solids) {}

  Result<void> run() {
    for (std::size_t i = 0; i < solids_.size(); ++i) MARROW_CHECK(check_solid(solids_[i], mesh_, i));
    for (const MeshSolid& solid : solids_) boxes_.push_back(bounds_of(solid));
    if (mesh_.sections.empty())
      for (const Aabb& box : boxes_) include(mesh_.domain, box);
    const std::vector<std::uint32_t> order = leaves_in_order(build_bvh(boxes_, 8));
    for (std::size_t first = 0; first < order.size(); first += kMaxSectionSolids)
      MARROW_CHECK(
          add_section(std::span(order).subspan(first, std::min<std::size_t>(kMaxSectionSolids, order.size() - first))));
    if (mesh_.sections.size() > kMaxSections)
      return fail(ErrorCode::Unrepresentable, "the mesh needs more than 32768 sections; split it into several bodies");
    build_top_tree();
    count_keys(mesh_);
    return compute_mesh_flags(mesh_);
  }

 private:
  // All shared vertices of a section lie in one page; the rest of a full one is filled with copies.
  Result<std::uint8_t> open_page(std::size_t count) {
    const std::size_t size = mesh_.shared_vertices.size();
    if (size / kPage != (size + count - 1) / kPage && count > 0)
      mesh_.shared_vertices.resize((size / kPage + 1) * kPage, mesh_.shared_vertices.back());
    const std::size_t page = mesh_.shared_vertices.size() / kPage;
    if (page >= kMaxSolidPages)
      return fail(ErrorCode::Unrepresentable, "the mesh needs more than 256 pages of shared vertices; split it");
    return static_cast<std::uint8_t>(page);
  }

  Result<void> add_section(std::span<const std::uint32_t> unsorted) {
    std::vector<std::uint32_t> numbers(unsorted.begin(), unsorted.end());
    std::ranges::stable_sort(numbers, {}, [&](std::uint32_t i) { return solids_[i].material; });
    std::size_t vertex_count = 0;
    for (const std::uint32_t i : numbers) vertex_count += solids_[i].vertices.size();
    CompressedMesh::Section section;
    section.flags = kRequiresTree;
    MARROW_TRY(section.page, open_page(vertex_count));
    section.first_packed_vertex = static_cast<std::uint32_t>(mesh_.packed_vertices.size());
    section.first_shared_index = static_cast<std::uint32_t>(mesh_.shared_indices.size());
    section.first_primitive = static_cast<std::uint32_t>(mesh_.primitives.size());
    section.first_data_run = static_cast<std::uint32_t>(mesh_.data_runs.size());
    section.primitive_count = static_cast<std::uint8_t>(numbers.size());
    section.shared_index_count = static_cast<std::uint8_t>(kWordsOfASolid * numbers.size());
    std::vector<Aabb> boxes;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const MeshSolid& solid = solids_[numbers[i]];
      boxes.push_back(boxes_[numbers[i]]);
      store(solid, boxes.back());
      if (i == 0 || mesh_.data_runs.back().value != solid.material)
        mesh_.data_runs.push_back({solid.material, static_cast<std::uint8_t>(i), 0});
      ++mesh_.data_runs.back().count;
    }
    section.data_run_count = static_cast<std::uint8_t>(mesh_.data_runs.size() - section.first_data_run);
    write_tree(section, boxes);
    mesh_.sections.push_back(std::move(section));
    return {};
  }

  void store(const MeshSolid& solid, Aabb& box) {
    const std::uint16_t radius = half_of(solid.radius);
    const float stored_radius = std::bit_cast<float>(std::uint32_t{radius} << 16);
    mesh_.shared_indices.push_back(static_cast<std::uint16_t>(static_cast<std::uint32_t>(solid.kind) | 1u << 6 |
                                                              static_cast<std::uint32_t>(solid.vertices.size()) << 8));
    mesh_.shared_indices.push_back(static_cast<std::uint16_t>(mesh_.shared_vertices.size() % kPage));
    mesh_.shared_indices.push_back(radius);
    for (const Vec3& vertex : solid.vertices) {
      mesh_.shared_vertices.push_back(quantise_shared(vertex, mesh_.domain));
      const Vec3 stored = shared_position(mesh_.shared_vertices.back(), mesh_.domain);
      include(box, Aabb{stored - Vec3(stored_radius), stored + Vec3(stored_radius)});
    }
    // The box may not leave the domain, which it could by the rounding of the radius.
    for (int axis = 0; axis < 3; ++axis) {
      box.min[axis] = std::max(box.min[axis], mesh_.domain.min[axis]);
      box.max[axis] = std::min(box.max[axis], mesh_.domain.max[axis]);
    }
  }

  void write_tree(CompressedMesh::Section& section, std::span<const Aabb> boxes) {
    const Bvh tree = build_bvh(boxes, 8);
    section.domain = tree.nodes[0].box;
    std::vector<std::uint8_t> leaf_of(boxes.size());
    auto set_leaf = [&](std::uint32_t item, CompressedMesh::SectionNode& node) {
      node.data = static_cast<std::uint8_t>(item << 1);
      leaf_of[item] = static_cast<std::uint8_t>(section.nodes.size() - 1);
    };
    append_tree(tree, 0, section.domain, section.nodes, set_leaf);
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      const auto header = static_cast<std::uint8_t>(kWordsOfASolid * i);
      const std::uint8_t node = leaf_of[i];
      mesh_.primitives.push_back({{header, node, node, node}});
    }
  }

  void build_top_tree() {
    std::vector<Aabb> domains;
    for (const CompressedMesh::Section& section : mesh_.sections) domains.push_back(section.domain);
    const Bvh tree = build_bvh(domains, 8);
    mesh_.top_nodes.clear();
    auto set_leaf = [&](std::uint32_t item, CompressedMesh::TopNode& node) {
      node.data = static_cast<std::uint16_t>(item);
      mesh_.sections[item].leaf_index = static_cast<std::uint16_t>(mesh_.top_nodes.size() - 1);
    };
    append_tree(tree, 0, mesh_.domain, mesh_.top_nodes, set_leaf);
  }

  CompressedMesh& mesh_;
  std::span<const MeshSolid> solids_;
  std::vector<Aabb> boxes_;
};

}  // namespace

Result<void> add_mesh_solids(CompressedMesh& mesh, std::span<const MeshSolid> solids) {
  if (solids.empty()) return {};
  CompressedMesh edited = mesh;
  MARROW_CHECK(SolidWriter(edited, solids).run());
  mesh = std::move(edited);
  return {};
}

}  // namespace marrow::geometry
