// SPDX-License-Identifier: MIT
#include <bit>

#include "core/try.h"
#include "geometry/mesh/reader.h"

namespace marrow::geometry {

namespace {

bool inside(std::size_t first, std::size_t count, std::size_t size) { return first <= size && count <= size - first; }

float side(float from, float parent_extent, int nibble) {
  constexpr std::uint32_t kFraction = 0x3B90FDBC;  // 1 / 226
  return from + static_cast<float>(nibble * nibble) * (parent_extent * std::bit_cast<float>(kFraction));
}

Aabb decode_box(const std::array<std::uint8_t, 3>& bytes, const Aabb& parent) {
  Aabb box;
  for (int axis = 0; axis < 3; ++axis) {
    const int byte = bytes[static_cast<std::size_t>(axis)];
    const float extent = parent.max[axis] - parent.min[axis];
    box.min[axis] = side(parent.min[axis], extent, byte >> 4);
    box.max[axis] = side(parent.max[axis], -extent, byte & 15);
  }
  return box;
}

}  // namespace

PrimitiveKind kind_of(const CompressedMesh::Primitive& primitive) {
  const auto& [a, b, c, d] = primitive.corners;
  if (a == 0xDE && b == 0xAD && c == 0xDE && d == 0xAD) return PrimitiveKind::Removed;
  if (c != d) return PrimitiveKind::Quad;
  return b == c ? PrimitiveKind::Custom : PrimitiveKind::Triangle;
}

Result<SectionReader> SectionReader::open(const CompressedMesh& mesh, std::uint32_t section) {
  const SectionReader reader(mesh, section);
  const CompressedMesh::Section& s = *reader.section_;
  const auto outside = [&](const char* what) {
    return fail(ErrorCode::Malformed, std::string("its ") + what + " reach past the end of the mesh", kNoOffset,
                reader.path());
  };
  if (!inside(s.first_primitive, s.primitive_count, mesh.primitives.size())) return outside("primitives");
  if (!inside(s.first_packed_vertex, s.packed_vertex_count, mesh.packed_vertices.size()))
    return outside("packed vertices");
  if (!inside(s.first_shared_index, s.shared_index_count, mesh.shared_indices.size())) return outside("shared indices");
  if (!inside(s.first_data_run, s.data_run_count, mesh.data_runs.size())) return outside("data runs");
  return reader;
}

Result<MeshCorner> SectionReader::corner(std::uint8_t number) const {
  const CompressedMesh::Section& s = *section_;
  MeshCorner corner;
  if (number < s.packed_vertex_count) {
    const std::uint32_t value = mesh_->packed_vertices[s.first_packed_vertex + number];
    const std::uint32_t steps[3] = {value & 0x7FF, value >> 11 & 0x7FF, value >> 22};
    for (int axis = 0; axis < 3; ++axis)
      corner.position[axis] = s.base[axis] + static_cast<float>(steps[axis]) * s.scale[axis];
    corner.identity = (std::uint64_t{number_} + 1) << 32 | number;
    return corner;
  }
  if (number - s.packed_vertex_count >= s.shared_index_count)
    return fail(ErrorCode::Malformed, "a corner names vertex " + std::to_string(number) + ", which the section lacks",
                kNoOffset, path());
  const std::size_t entry = std::size_t{s.first_shared_index} + number - s.packed_vertex_count;
  const std::size_t index = std::size_t{s.page} << 16 | mesh_->shared_indices[entry];
  if (index >= mesh_->shared_vertices.size())
    return fail(ErrorCode::Malformed, "shared vertex " + std::to_string(index) + " does not exist", kNoOffset, path());
  const std::uint64_t value = mesh_->shared_vertices[index];
  const std::uint64_t steps[3] = {value & 0x1FFFFF, value >> 21 & 0x1FFFFF, value >> 42};
  const float limits[3] = {2097151.0f, 2097151.0f, 4194303.0f};
  for (int axis = 0; axis < 3; ++axis) {
    const float scale = (mesh_->domain.max[axis] - mesh_->domain.min[axis]) / limits[axis];
    corner.position[axis] = mesh_->domain.min[axis] + static_cast<float>(steps[axis]) * scale;
  }
  corner.identity = index;
  return corner;
}

Result<std::vector<std::uint16_t>> SectionReader::materials() const {
  std::vector<std::uint16_t> materials(section_->primitive_count, 0);
  if (section_->data_run_count == 0) return materials;
  std::vector<bool> known(section_->primitive_count, false);
  for (std::size_t i = 0; i < section_->data_run_count; ++i) {
    const CompressedMesh::DataRun& run = mesh_->data_runs[section_->first_data_run + i];
    if (!inside(run.first, run.count, materials.size()))
      return fail(ErrorCode::Malformed, "a data run reaches past the section's primitives", kNoOffset, path());
    for (std::size_t k = run.first; k < std::size_t{run.first} + run.count; ++k) {
      materials[k] = run.value;
      known[k] = true;
    }
  }
  for (std::size_t i = 0; i < known.size(); ++i)
    if (!known[i])
      return fail(ErrorCode::Malformed, "primitive " + std::to_string(i) + " is in no data run", kNoOffset, path());
  return materials;
}

Result<std::vector<MeshTriangle>> decode_compressed_mesh(const CompressedMesh& mesh, const Limits& limits,
                                                         std::uint32_t* skipped) {
  if (skipped != nullptr) *skipped = 0;
  std::size_t most = 0;
  for (const CompressedMesh::Section& section : mesh.sections) most += 2 * std::size_t{section.primitive_count};
  if (!limits.charge(most, sizeof(MeshTriangle)))
    return fail(ErrorCode::LimitExceeded, "the mesh has up to " + std::to_string(most) + " triangles, past the limit");
  std::vector<MeshTriangle> triangles;
  triangles.reserve(most);
  for (std::uint32_t s = 0; s < mesh.sections.size(); ++s) {
    MARROW_TRY(const SectionReader section, SectionReader::open(mesh, s));
    MARROW_TRY(const auto materials, section.materials());
    for (std::uint32_t p = 0; p < section.primitive_count(); ++p) {
      const CompressedMesh::Primitive& primitive = section.primitive(p);
      const PrimitiveKind kind = kind_of(primitive);
      if (kind == PrimitiveKind::Removed) continue;
      if (kind == PrimitiveKind::Custom) {
        if (skipped != nullptr) ++*skipped;
        continue;
      }
      std::array<Vec3, 4> corners;
      for (std::size_t k = 0; k < 4; ++k) {
        MARROW_TRY(const MeshCorner corner, section.corner(primitive.corners[k]));
        corners[k] = corner.position;
      }
      const std::uint32_t key = s << 8 | p << 1;
      triangles.push_back({{corners[0], corners[1], corners[2]}, materials[p], key});
      if (kind == PrimitiveKind::Quad)
        triangles.push_back({{corners[0], corners[2], corners[3]}, materials[p], key | 1});
    }
  }
  return triangles;
}

NodeView view_of(const CompressedMesh::TopNode& node) {
  const bool is_leaf = (node.data & 0x8000) == 0;
  return {node.box, is_leaf, is_leaf ? node.data : (node.data & 0x7FFFu) * 2u};
}

NodeView view_of(const CompressedMesh::SectionNode& node) {
  const bool is_leaf = (node.data & 1) == 0;
  return {node.box, is_leaf, is_leaf ? node.data >> 1u : node.data & 0xFEu};
}

template <class Node>
Result<DecodedTree> decode_tree(const std::vector<Node>& nodes, const Aabb& domain, const std::string& path) {
  struct Range {  // nodes of one subtree
    std::size_t first;
    std::size_t end;
    Aabb parent;
  };
  DecodedTree tree;
  tree.boxes.resize(nodes.size());
  tree.nodes.resize(nodes.size());
  std::vector<Range> open;
  if (!nodes.empty()) open.push_back({0, nodes.size(), domain});
  while (!open.empty()) {
    const Range range = open.back();
    open.pop_back();
    const NodeView node = view_of(nodes[range.first]);
    const Aabb box = decode_box(node.box, range.parent);
    tree.boxes[range.first] = box;
    tree.nodes[range.first] = node;
    const auto broken = [&](const char* why) {
      return fail(ErrorCode::Malformed, why, kNoOffset, path + "[" + std::to_string(range.first) + "]");
    };
    if (node.is_leaf) {
      if (range.end != range.first + 1) return broken("a leaf stands where the tree goes on");
      continue;
    }
    if (node.value < 2 || node.value >= range.end - range.first)
      return broken("the right child of a node lies outside its part of the tree");
    open.push_back({range.first + node.value, range.end, box});
    open.push_back({range.first + 1, range.first + node.value, box});
  }
  return tree;
}

template Result<DecodedTree> decode_tree(const std::vector<CompressedMesh::TopNode>&, const Aabb&, const std::string&);
template Result<DecodedTree> decode_tree(const std::vector<CompressedMesh::SectionNode>&, const Aabb&,
                                         const std::string&);
template Result<DecodedTree> decode_tree(const std::vector<StaticTree::Node>&, const Aabb&, const std::string&);

Result<MeshBoxes> decode_boxes(const CompressedMesh& mesh) {
  MeshBoxes boxes;
  MARROW_TRY(DecodedTree top, decode_tree(mesh.top_nodes, mesh.domain, "top_nodes"));
  boxes.top = std::move(top.boxes);
  for (std::size_t s = 0; s < mesh.sections.size(); ++s) {
    MARROW_TRY(DecodedTree tree, decode_tree(mesh.sections[s].nodes, mesh.sections[s].domain,
                                             "sections[" + std::to_string(s) + "].nodes"));
    boxes.sections.push_back(std::move(tree.boxes));
  }
  return boxes;
}

Result<double> tree_cost(const CompressedMesh& mesh) {
  MARROW_TRY(const MeshBoxes boxes, decode_boxes(mesh));
  if (boxes.top.empty() || !(half_area(boxes.top[0]) > 0.0f)) return 0.0;
  double sum = 0.0;
  for (const Aabb& box : boxes.top) sum += static_cast<double>(half_area(box));
  for (const auto& section : boxes.sections)
    for (const Aabb& box : section) sum += static_cast<double>(half_area(box));
  return sum / static_cast<double>(half_area(boxes.top[0]));
}

}  // namespace marrow::geometry
