// SPDX-License-Identifier: MIT
// Any triangles either are refused, or become a mesh that passes every check and has each of them. Then the mesh is
// damaged, and whatever reads it must come through.
#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "geometry/mesh/compressed_mesh.h"
#include "geometry/solids/mesh_solids.h"
#include "marrow/core/byte_reader.h"

using namespace marrow;
using namespace marrow::geometry;

namespace {

TriangleMesh read_mesh(ByteReader& bytes) {
  TriangleMesh mesh;
  const float scale = std::ldexp(1.0f, bytes.i8() / 4);
  const std::uint32_t vertices = bytes.u8() % 64u + 3;
  const std::uint32_t triangles = bytes.u8();
  for (std::uint32_t i = 0; i < vertices; ++i) {
    const float x = bytes.i8();
    const float y = bytes.i8();
    mesh.vertices.push_back(scale * Vec3(x, y, static_cast<float>(bytes.i16()) / 64.0f));
  }
  for (std::uint32_t i = 0; i < triangles; ++i) {
    const std::uint32_t a = bytes.u8() % vertices;
    const std::uint32_t b = bytes.u8() % vertices;
    mesh.triangles.push_back({a, b, bytes.u8() % vertices});
    mesh.materials.push_back(i % 5 == 0 ? 1 : 0);
  }
  return mesh;
}

void damage(CompressedMesh& mesh, ByteReader& bytes) {
  while (bytes.remaining() >= 4) {
    CompressedMesh::Section& section = mesh.sections[bytes.u8() % mesh.sections.size()];
    const std::uint8_t what = bytes.u8();
    const std::uint16_t value = bytes.u16();
    switch (what % 12) {
      case 0: section.nodes[value % section.nodes.size()].data = static_cast<std::uint8_t>(value >> 8); break;
      case 1: mesh.top_nodes[value % mesh.top_nodes.size()].data = value; break;
      case 2: section.first_primitive = value; break;
      case 3: section.primitive_count = static_cast<std::uint8_t>(value); break;
      case 4: section.shared_index_count = static_cast<std::uint8_t>(value); break;
      case 5: section.packed_vertex_count = static_cast<std::uint8_t>(value); break;
      case 6: section.page = static_cast<std::uint8_t>(value); break;
      case 7: section.first_data_run = value; break;
      case 8: mesh.primitives[value % mesh.primitives.size()].corners[1] = static_cast<std::uint8_t>(value >> 8); break;
      case 9: section.scale.x = static_cast<float>(value) * 1e36f; break;
      case 10: mesh.data_runs[value % mesh.data_runs.size()].count = static_cast<std::uint8_t>(value >> 8); break;
      default: mesh.quad_is_flat.resize(value % 8); break;
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ByteReader bytes(std::as_bytes(std::span(data, size)));
  const TriangleMesh source = read_mesh(bytes);
  MeshBuildReport report;
  auto mesh = build_compressed_mesh(source, {}, &report);
  if (!mesh) return 0;
  if (!verify_compressed_mesh(*mesh).empty()) std::abort();
  if (!compare_with_source(*mesh, source, report.collapsed_triangles).empty()) std::abort();
  damage(*mesh, bytes);
  static_cast<void>(verify_compressed_mesh(*mesh));
  static_cast<void>(decode_compressed_mesh(*mesh));
  static_cast<void>(read_mesh_solids(*mesh));
  static_cast<void>(tree_cost(*mesh));
  static_cast<void>(compute_mesh_flags(*mesh));
  return 0;
}
