// SPDX-License-Identifier: MIT
#include "geometry/mesh/build.h"

#include <algorithm>

#include "core/try.h"

namespace marrow::geometry {

namespace {

/// How often triangles that lose their area may be left out and the rest built again.
constexpr int kMaxAttempts = 32;

void remove_triangles(TriangleMesh& mesh, const std::vector<std::uint32_t>& gone) {
  std::vector<bool> is_gone(mesh.triangles.size(), false);
  for (std::uint32_t triangle : gone) is_gone[triangle] = true;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    if (is_gone[i]) continue;
    mesh.triangles[kept] = mesh.triangles[i];
    mesh.materials[kept] = mesh.materials[i];
    ++kept;
  }
  mesh.triangles.resize(kept);
  mesh.materials.resize(kept);
}

Bvh tree_over(const TriangleMesh& prepared, const std::vector<MeshPrimitive>& primitives, std::uint32_t passes) {
  std::vector<Aabb> boxes(primitives.size());
  for (std::size_t i = 0; i < primitives.size(); ++i)
    for (std::uint32_t vertex : primitives[i].corners) include(boxes[i], prepared.vertices[vertex]);
  return build_bvh(boxes, passes);
}

}  // namespace

Result<CompressedMesh> build_compressed_mesh(const TriangleMesh& mesh, const MeshBuildOptions& options,
                                             MeshBuildReport* report) {
  MeshBuildReport own_report;
  MeshBuildReport& told = report != nullptr ? *report : own_report;
  told = {};
  MARROW_TRY(TriangleMesh prepared, prepare_mesh(mesh, told));
  for (int attempt = 0; attempt < kMaxAttempts; ++attempt) {
    if (prepared.triangles.empty())
      return fail(ErrorCode::InvalidArgument,
                  "the mesh has no triangle with an area; check its scale, and that it has faces");
    const std::vector<MeshPrimitive> primitives = pair_triangles(prepared, options.pair_quads);
    MARROW_TRY(MeshPlan plan, plan_sections(prepared, primitives,
                                            tree_over(prepared, primitives, options.rotation_passes), options.bounds));
    if (!plan.collapsed.empty()) {
      told.collapsed_triangles += static_cast<std::uint32_t>(plan.collapsed.size());
      remove_triangles(prepared, plan.collapsed);
      continue;
    }
    told.promoted_vertices = plan.promoted_vertices;
    told.depth = depth_of(plan.tree);
    MARROW_TRY(CompressedMesh built, store_sections(prepared, primitives, plan, options, told));
    store_trees(prepared, primitives, plan, built);
    MARROW_CHECK(compute_mesh_flags(built));
    return built;
  }
  return fail(ErrorCode::Unrepresentable,
              "triangles go on losing their area when stored: the mesh is too large for its detail; split it");
}

}  // namespace marrow::geometry
