// SPDX-License-Identifier: MIT
#include <bit>
#include <limits>
#include <string>

#include "core/try.h"
#include "geometry/mesh/build.h"

namespace marrow::geometry {

namespace {

constexpr std::uint32_t kPageSize = 65536;
constexpr std::uint32_t kMaxPages = 256;

/// Gives shared vertices their numbers. All shared vertices of one section must lie in one page, so a vertex that
/// sections of two pages use is stored in both, with the same integers: no crack opens.
class SharedVertices {
 public:
  SharedVertices(const TriangleMesh& prepared, const Aabb& domain)
      : prepared_(prepared), domain_(domain), number_(prepared.vertices.size(), kNone) {}

  /// Makes room for the vertices of a section and returns their page.
  std::uint32_t open_page(const std::vector<std::uint32_t>& vertices) {
    std::uint32_t missing = 0;
    for (std::uint32_t vertex : vertices) missing += in_current_page(vertex) ? 0u : 1u;
    if (stored.size() + missing > (page_ + std::size_t{1}) * kPageSize) {
      stored.resize((page_ + std::size_t{1}) * kPageSize, stored.back());
      ++page_;
    }
    return page_;
  }

  std::uint16_t index_of(std::uint32_t vertex) {
    if (!in_current_page(vertex)) {
      number_[vertex] = static_cast<std::uint32_t>(stored.size());
      stored.push_back(quantise_shared(prepared_.vertices[vertex], domain_));
    }
    return static_cast<std::uint16_t>(number_[vertex] % kPageSize);
  }

  std::uint32_t page_count() const { return page_ + 1; }

  std::vector<std::uint64_t> stored;

 private:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  bool in_current_page(std::uint32_t vertex) const {
    return number_[vertex] != kNone && number_[vertex] / kPageSize == page_;
  }

  const TriangleMesh& prepared_;
  const Aabb& domain_;
  std::vector<std::uint32_t> number_;  ///< the newest number of each vertex
  std::uint32_t page_ = 0;
};

void append_runs(const std::vector<MeshPrimitive>& primitives, const SectionPlan& plan, CompressedMesh& mesh,
                 CompressedMesh::Section& section) {
  section.first_data_run = static_cast<std::uint32_t>(mesh.data_runs.size());
  for (std::size_t i = 0; i < plan.primitives.size(); ++i) {
    const std::uint16_t material = primitives[plan.primitives[i]].material;
    if (i == 0 || mesh.data_runs.back().value != material)
      mesh.data_runs.push_back({material, static_cast<std::uint8_t>(i), 0});
    ++mesh.data_runs.back().count;
  }
  section.data_run_count = static_cast<std::uint8_t>(mesh.data_runs.size() - section.first_data_run);
}

}  // namespace

void count_keys(CompressedMesh& mesh) {
  mesh.primitive_key_count = 0;
  for (const CompressedMesh::Primitive& primitive : mesh.primitives)
    mesh.primitive_key_count += primitive.is_quad() ? 2u : 1u;
  const std::uint32_t last_section = static_cast<std::uint32_t>(mesh.sections.size() - 1);
  const std::uint32_t last_primitive = mesh.sections.back().primitive_count - 1u;
  mesh.max_key = last_section << 8 | last_primitive << 1 | (mesh.primitives.back().is_quad() ? 1u : 0u);
  mesh.bits_per_key = static_cast<std::uint32_t>(std::bit_width(mesh.max_key + 1));
}

Result<CompressedMesh> store_sections(const TriangleMesh& prepared, const std::vector<MeshPrimitive>& primitives,
                                      const MeshPlan& plan, const MeshBuildOptions& options, MeshBuildReport& report) {
  CompressedMesh mesh;
  mesh.domain = plan.domain;
  mesh.primitives.reserve(primitives.size());
  mesh.sections.reserve(plan.sections.size());
  SharedVertices shared(prepared, plan.domain);
  std::vector<std::uint8_t> local(prepared.vertices.size());
  for (const SectionPlan& from : plan.sections) {
    CompressedMesh::Section section;
    section.base = from.base;
    section.scale = from.scale;
    section.first_packed_vertex = static_cast<std::uint32_t>(mesh.packed_vertices.size());
    section.first_shared_index = static_cast<std::uint32_t>(mesh.shared_indices.size());
    section.first_primitive = static_cast<std::uint32_t>(mesh.primitives.size());
    section.packed_vertex_count = static_cast<std::uint8_t>(from.packed.size());
    section.shared_index_count = static_cast<std::uint8_t>(from.shared.size());
    section.primitive_count = static_cast<std::uint8_t>(from.primitives.size());

    std::uint8_t number = 0;
    const Aabb range = packed_range(prepared, from);
    for (std::uint32_t vertex : from.packed) {
      local[vertex] = number++;
      mesh.packed_vertices.push_back(quantise_packed(prepared.vertices[vertex], from, range));
    }
    const std::uint32_t page = shared.open_page(from.shared);
    if (page >= kMaxPages)
      return fail(ErrorCode::Unrepresentable, "the mesh needs more than 256 pages of 65536 shared vertices; split it");
    section.page = static_cast<std::uint8_t>(page);
    for (std::uint32_t vertex : from.shared) {
      local[vertex] = number++;
      mesh.shared_indices.push_back(shared.index_of(vertex));
    }
    for (std::uint32_t primitive : from.primitives) {
      CompressedMesh::Primitive stored;
      for (std::size_t k = 0; k < 4; ++k) stored.corners[k] = local[primitives[primitive].corners[k]];
      mesh.primitives.push_back(stored);
    }
    append_runs(primitives, from, mesh, section);
    mesh.sections.push_back(std::move(section));
  }
  if (shared.page_count() > 1 && !options.allow_pages)
    return fail(ErrorCode::Unrepresentable,
                "the mesh has " + std::to_string(shared.stored.size()) +
                    " vertices shared between sections, at most 65536 fit in one page; split it into several bodies");
  report.pages = shared.page_count();
  mesh.shared_vertices = std::move(shared.stored);
  count_keys(mesh);
  return mesh;
}

}  // namespace marrow::geometry
