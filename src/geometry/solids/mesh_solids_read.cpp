// SPDX-License-Identifier: MIT
#include <array>
#include <bit>
#include <optional>

#include "geometry/mesh/reader.h"
#include "geometry/solids/mesh_solids.h"

// docs/formats/compressed-mesh.md describes custom primitives.

namespace marrow::geometry {

namespace {

/// How vertices are stored: bits per axis, vertices in a word of 64 bits, and against which box.
struct VertexMode {
  std::array<int, 3> bits;
  std::uint32_t per_word;
  bool against_domain;
};
constexpr std::array<VertexMode, 3> kModes = {
    {{{21, 21, 22}, 1, true}, {{11, 11, 10}, 2, false}, {{5, 5, 6}, 4, false}}};

Vec3 decode_vertex(std::uint64_t word, const VertexMode& mode, std::uint32_t at, const Aabb& box) {
  // The first vertex of a word lies in its upper end.
  const std::uint32_t width = 64 / mode.per_word;
  std::uint64_t value = word >> (width * (mode.per_word - 1 - at));
  Vec3 position;
  for (int axis = 0; axis < 3; ++axis) {
    const int bits = mode.bits[static_cast<std::size_t>(axis)];
    const std::uint64_t limit = (std::uint64_t{1} << bits) - 1;
    const float extent = box.max[axis] - box.min[axis];
    position[axis] = box.min[axis] + static_cast<float>(value & limit) * (extent / static_cast<float>(limit));
    value >>= bits;
  }
  return position;
}

std::optional<MeshSolid> read_solid(const CompressedMesh& mesh, const CompressedMesh::Section& section,
                                    std::uint8_t header_at, const Aabb& leaf) {
  const std::span<const std::uint16_t> words =
      std::span(mesh.shared_indices).subspan(section.first_shared_index, section.shared_index_count);
  if (std::size_t{header_at} + 2 > words.size()) return std::nullopt;
  const std::uint16_t header = words[header_at];
  const std::uint32_t kind = header & 0xF, mode_number = header >> 4 & 3, tag_count = header >> 6 & 3,
                      vertex_count = header >> 8;
  if (kind > 2 || mode_number >= kModes.size() || vertex_count == 0) return std::nullopt;
  if (std::size_t{header_at} + 2 + tag_count > words.size()) return std::nullopt;
  const VertexMode& mode = kModes[mode_number];
  const std::size_t first = std::size_t{section.page} << 16 | words[header_at + 1u];
  const std::size_t word_count = (vertex_count + mode.per_word - 1) / mode.per_word;
  if (first > mesh.shared_vertices.size() || word_count > mesh.shared_vertices.size() - first) return std::nullopt;
  MeshSolid solid;
  solid.kind = static_cast<MeshSolidKind>(kind);
  if (tag_count > 0) solid.radius = std::bit_cast<float>(std::uint32_t{words[header_at + 2u]} << 16);
  for (std::uint32_t i = 0; i < vertex_count; ++i)
    solid.vertices.push_back(decode_vertex(mesh.shared_vertices[first + i / mode.per_word], mode, i % mode.per_word,
                                           mode.against_domain ? mesh.domain : leaf));
  return solid;
}

}  // namespace

Aabb bounds_of(const MeshSolid& solid) {
  Aabb box = bounds_of(solid.vertices);
  if (box.empty()) return box;
  return {box.min - Vec3(solid.radius), box.max + Vec3(solid.radius)};
}

std::vector<MeshSolid> read_mesh_solids(const CompressedMesh& mesh, std::uint32_t* undecoded) {
  std::vector<MeshSolid> solids;
  std::uint32_t failed = 0;
  for (std::uint32_t s = 0; s < mesh.sections.size(); ++s) {
    const auto section = SectionReader::open(mesh, s);
    const auto materials = section ? section->materials() : std::unexpected(section.error());
    if (!materials) continue;
    std::optional<DecodedTree> tree;  // only if a primitive asks for it
    for (std::uint32_t p = 0; p < section->primitive_count(); ++p) {
      if (kind_of(section->primitive(p)) != PrimitiveKind::Custom) continue;
      if (!tree) {
        auto decoded = decode_tree(mesh.sections[s].nodes, mesh.sections[s].domain, section->path());
        tree = decoded ? std::move(*decoded) : DecodedTree{};
      }
      Aabb leaf = mesh.sections[s].domain;
      for (std::size_t i = 0; i < tree->nodes.size(); ++i)
        if (tree->nodes[i].is_leaf && tree->nodes[i].value == p) leaf = tree->boxes[i];
      auto solid = read_solid(mesh, mesh.sections[s], section->primitive(p).corners[0], leaf);
      if (!solid) {
        ++failed;
        continue;
      }
      solid->material = (*materials)[p];
      solid->key = s << 8 | p << 1;
      solids.push_back(std::move(*solid));
    }
  }
  if (undecoded != nullptr) *undecoded = failed;
  return solids;
}

}  // namespace marrow::geometry
