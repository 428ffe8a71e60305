// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
#include <cmath>

#include "geometry/mesh/reader.h"

namespace marrow::geometry {

namespace {

/// Collects notes up to a limit.
class Findings {
 public:
  explicit Findings(std::size_t limit) : limit_(limit) {}

  bool full() const { return notes.size() >= limit_; }
  void add(std::string message, std::string path) {
    if (!full()) notes.push_back({std::move(message), kNoOffset, std::move(path)});
  }
  void add(const Error& error) { add(error.message, error.path); }
  void expect(bool good, const char* message, const std::string& path) {
    if (!good) add(message, path);
  }

  Notes notes;

 private:
  std::size_t limit_;
};

Aabb grown(Aabb box, float tolerance) {
  box.min -= tolerance;
  box.max += tolerance;
  return box;
}

bool is_box(const Aabb& box) {
  for (int axis = 0; axis < 3; ++axis)
    if (!std::isfinite(box.min[axis]) || !std::isfinite(box.max[axis])) return false;
  return !box.empty();
}

class Verifier {
 public:
  Verifier(const CompressedMesh& mesh, const MeshVerifyOptions& options)
      : mesh_(mesh),
        options_(options),
        findings_(options.max_notes),
        shared_used_(mesh.shared_vertices.size(), false) {}

  Notes run() {
    if (mesh_.sections.empty()) {
      findings_.add("the mesh has no sections", "sections");
      return std::move(findings_.notes);
    }
    findings_.expect(mesh_.sections.size() <= kMaxSections, "more than 32768 sections", "sections");
    findings_.expect(is_box(mesh_.domain), "the domain is empty or not finite", "domain");
    check_top_tree();
    for (std::uint32_t s = 0; s < mesh_.sections.size() && !findings_.full(); ++s) check_section(s);
    check_totals();
    check_shared_use();
    check_keys();
    if (options_.check_flags && findings_.notes.empty()) check_flags();
    return std::move(findings_.notes);
  }

 private:
  static std::string section_path(std::size_t s) { return "sections[" + std::to_string(s) + "]"; }

  void check_top_tree() {
    findings_.expect(mesh_.top_nodes.size() == 2 * mesh_.sections.size() - 1,
                     "the top tree must have 2n - 1 nodes for n sections", "top_nodes");
    const auto tree = decode_tree(mesh_.top_nodes, mesh_.domain, "top_nodes");
    if (!tree) return findings_.add(tree.error());
    std::vector<std::uint32_t> leaves(mesh_.sections.size(), 0);
    for (std::size_t i = 0; i < tree->nodes.size(); ++i) {
      const NodeView& node = tree->nodes[i];
      const std::string path = "top_nodes[" + std::to_string(i) + "]";
      if (!node.is_leaf) continue;
      if (node.value >= mesh_.sections.size()) {
        findings_.add("a leaf names a section that does not exist", path);
        continue;
      }
      const CompressedMesh::Section& section = mesh_.sections[node.value];
      ++leaves[node.value];
      findings_.expect(section.leaf_index == i, "the section of this leaf names another leaf", path);
      findings_.expect(contains(grown(tree->boxes[i], options_.tolerance), section.domain),
                       "the box of a leaf does not hold its section", path);
    }
    for (std::size_t s = 0; s < leaves.size(); ++s)
      findings_.expect(leaves[s] == 1, "the section is not in exactly one leaf of the top tree", section_path(s));
  }

  void check_section(std::uint32_t s) {
    const CompressedMesh::Section& section = mesh_.sections[s];
    const std::string path = section_path(s);
    const auto reader = SectionReader::open(mesh_, s);
    if (!reader) return findings_.add(reader.error());
    findings_.expect(section.primitive_count > 0, "the section has no primitives", path);
    findings_.expect(section.primitive_count <= kMaxSectionPrimitives, "more than 127 primitives", path);
    findings_.expect(section.packed_vertex_count + section.shared_index_count <= int{kMaxSectionVertices},
                     "more than 255 vertices", path);
    findings_.expect(is_box(section.domain), "the domain is empty or not finite", path);
    findings_.expect(contains(grown(mesh_.domain, options_.tolerance), section.domain),
                     "the section's domain leaves the mesh's", path);
    check_cumulative(section, path);
    check_runs(section, path);
    check_primitives(*reader, section, path);
  }

  void check_cumulative(const CompressedMesh::Section& section, const std::string& path) {
    findings_.expect(section.first_packed_vertex == next_packed_, "packed vertices do not follow the last section's",
                     path);
    findings_.expect(section.first_shared_index == next_shared_index_,
                     "shared indices do not follow the last section's", path);
    findings_.expect(section.first_primitive == next_primitive_, "primitives do not follow the last section's", path);
    findings_.expect(section.first_data_run == next_run_, "data runs do not follow the last section's", path);
    next_packed_ = section.first_packed_vertex + section.packed_vertex_count;
    next_shared_index_ = section.first_shared_index + section.shared_index_count;
    next_primitive_ = section.first_primitive + section.primitive_count;
    next_run_ = section.first_data_run + section.data_run_count;
  }

  void check_runs(const CompressedMesh::Section& section, const std::string& path) {
    std::size_t next = 0;
    for (std::size_t i = 0; i < section.data_run_count; ++i) {
      const CompressedMesh::DataRun& run = mesh_.data_runs[section.first_data_run + i];
      findings_.expect(run.first == next && run.count > 0, "data runs do not follow each other", path);
      next = std::size_t{run.first} + run.count;
    }
    findings_.expect(next == section.primitive_count, "data runs do not cover the primitives", path);
  }

  void check_primitives(const SectionReader& reader, const CompressedMesh::Section& section, const std::string& path) {
    const auto tree = decode_tree(section.nodes, section.domain, path + ".nodes");
    if (!tree) return findings_.add(tree.error());
    findings_.expect(section.nodes.size() + 1 == 2 * std::size_t{section.primitive_count},
                     "the tree must have 2n - 1 nodes for n primitives", path);
    std::vector<std::uint32_t> leaves(section.primitive_count, 0);
    std::vector<bool> used(section.packed_vertex_count + std::size_t{section.shared_index_count}, false);
    for (std::size_t i = 0; i < tree->nodes.size(); ++i) {
      const NodeView& node = tree->nodes[i];
      const std::string node_path = path + ".nodes[" + std::to_string(i) + "]";
      findings_.expect(!tree->boxes[i].empty(), "the sides of a box have changed places", node_path);
      if (!node.is_leaf) continue;
      if (node.value >= section.primitive_count) {
        findings_.add("a leaf names a primitive that does not exist", node_path);
        continue;
      }
      ++leaves[node.value];
      check_corners(reader, reader.primitive(node.value), grown(tree->boxes[i], options_.tolerance), used, node_path);
    }
    for (std::size_t p = 0; p < leaves.size(); ++p)
      findings_.expect(leaves[p] == 1, "a primitive is not in exactly one leaf",
                       path + ".primitives[" + std::to_string(p) + "]");
    if (has_custom_) return;  // custom primitives use vertices in ways of their own
    for (std::size_t v = 0; v < used.size(); ++v)
      findings_.expect(used[v], "a vertex is not used", path + ".vertices[" + std::to_string(v) + "]");
  }

  void check_corners(const SectionReader& reader, const CompressedMesh::Primitive& primitive, const Aabb& box,
                     std::vector<bool>& used, const std::string& path) {
    const PrimitiveKind kind = kind_of(primitive);
    if (kind == PrimitiveKind::Removed) return;
    if (kind == PrimitiveKind::Custom) {
      has_custom_ = true;
      return;
    }
    for (std::uint8_t number : primitive.corners) {
      const auto corner = reader.corner(number);
      if (!corner) return findings_.add(corner.error());
      used[number] = true;
      if (corner->identity < shared_used_.size()) shared_used_[static_cast<std::size_t>(corner->identity)] = true;
      findings_.expect(contains(box, {corner->position, corner->position}),
                       "the box of a leaf does not hold its vertex", path);
    }
    const auto& [a, b, c, d] = primitive.corners;
    findings_.expect(a != b && b != c && a != c && a != d && (c == d || b != d), "a primitive names a vertex twice",
                     path);
  }

  void check_totals() {
    findings_.expect(next_packed_ == mesh_.packed_vertices.size(), "packed vertices are left over", "packed_vertices");
    findings_.expect(next_shared_index_ == mesh_.shared_indices.size(), "shared indices are left over",
                     "shared_indices");
    findings_.expect(next_primitive_ == mesh_.primitives.size(), "primitives are left over", "primitives");
    findings_.expect(next_run_ == mesh_.data_runs.size(), "data runs are left over", "data_runs");
    constexpr std::size_t kFirst = std::size_t{1} << 24;  // a first number has 24 bits in the file
    findings_.expect(mesh_.primitives.size() <= kFirst && mesh_.shared_indices.size() <= kFirst &&
                         mesh_.data_runs.size() <= kFirst && mesh_.shared_vertices.size() <= kFirst,
                     "an array is longer than 24 bits can count", "primitives");
  }

  /// Every shared vertex is used, but for copies that fill up a page.
  void check_shared_use() {
    if (has_custom_) return;
    for (std::size_t i = 0; i < shared_used_.size(); ++i) {
      const bool fills_page = i > 0 && mesh_.shared_vertices[i] == mesh_.shared_vertices[i - 1] &&
                              (i >> 16) < (shared_used_.size() - 1) >> 16;
      findings_.expect(shared_used_[i] || fills_page, "a shared vertex is not used",
                       "shared_vertices[" + std::to_string(i) + "]");
    }
  }

  void check_keys() {
    std::uint32_t keys = 0;
    for (const CompressedMesh::Primitive& primitive : mesh_.primitives)
      keys += kind_of(primitive) == PrimitiveKind::Quad ? 2u : 1u;
    findings_.expect(keys == mesh_.primitive_key_count, "the number of keys is not that of the triangles",
                     "primitive_key_count");
    if (mesh_.primitives.empty() || mesh_.sections.back().primitive_count == 0) return;
    const bool last_is_quad = kind_of(mesh_.primitives.back()) == PrimitiveKind::Quad;
    const std::uint32_t max_key = static_cast<std::uint32_t>(mesh_.sections.size() - 1) << 8 |
                                  (mesh_.sections.back().primitive_count - 1u) << 1 | (last_is_quad ? 1u : 0u);
    findings_.expect(mesh_.max_key == max_key, "the largest key is not the last triangle's", "max_key");
    findings_.expect(mesh_.bits_per_key == static_cast<std::uint32_t>(std::bit_width(max_key + 1)),
                     "the bits of a key do not fit the largest key", "bits_per_key");
    findings_.expect(mesh_.quad_is_flat_bits == (max_key >> 1) + 1, "the number of flat bits is not that of the keys",
                     "quad_is_flat");
    findings_.expect(mesh_.triangle_is_interior_bits == max_key + 1,
                     "the number of interior bits is not that of the keys", "triangle_is_interior");
    const auto fits = [](const std::vector<std::uint32_t>& words, std::uint32_t bits) {
      return words.size() == (std::size_t{bits} + 31) / 32;
    };
    findings_.expect(fits(mesh_.quad_is_flat, mesh_.quad_is_flat_bits), "the flat bits have a wrong length",
                     "quad_is_flat");
    findings_.expect(fits(mesh_.triangle_is_interior, mesh_.triangle_is_interior_bits),
                     "the interior bits have a wrong length", "triangle_is_interior");
  }

  void check_flags() {
    CompressedMesh expected = mesh_;
    if (const auto computed = compute_mesh_flags(expected); !computed) return findings_.add(computed.error());
    // Bits past the last one are left as they come in the game's files.
    const auto same = [](std::vector<std::uint32_t> a, std::vector<std::uint32_t> b, std::uint32_t bits) {
      if (bits % 32 != 0 && a.size() == b.size() && !a.empty()) {
        const std::uint32_t mask = (1u << bits % 32) - 1;
        a.back() &= mask;
        b.back() &= mask;
      }
      return a == b;
    };
    findings_.expect(same(mesh_.quad_is_flat, expected.quad_is_flat, mesh_.quad_is_flat_bits),
                     "the flat bits are not those of the quads", "quad_is_flat");
    findings_.expect(same(mesh_.triangle_is_interior, expected.triangle_is_interior, mesh_.triangle_is_interior_bits),
                     "the interior bits are not those of the surface", "triangle_is_interior");
  }

  const CompressedMesh& mesh_;
  const MeshVerifyOptions& options_;
  Findings findings_;
  std::vector<bool> shared_used_;
  std::size_t next_packed_ = 0;
  std::size_t next_shared_index_ = 0;
  std::size_t next_primitive_ = 0;
  std::size_t next_run_ = 0;
  bool has_custom_ = false;
};

}  // namespace

Notes verify_compressed_mesh(const CompressedMesh& mesh, const MeshVerifyOptions& options) {
  return Verifier(mesh, options).run();
}

}  // namespace marrow::geometry
