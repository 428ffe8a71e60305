// SPDX-License-Identifier: MIT
// Fewer vertices for a mesh by putting those of one cell of a grid together (J. Rossignac, P. Borrel, "Multi-resolution
// 3D approximations for rendering complex scenes", 1993): one pass over the vertices for each size of the cells.
#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <unordered_map>

#include "geometry/decompose/parts.h"

namespace marrow::geometry {
namespace {

constexpr int kFinestGrid = 1024;  // cells along the longest side

struct Grid {
  std::vector<std::uint32_t> cell_of;  // by vertex
  std::size_t cells = 0;
};

Grid put_in_cells(const TriangleMesh& mesh, const DVec3& low, double cell) {
  Grid grid;
  std::unordered_map<std::uint64_t, std::uint32_t> numbers;
  for (const Vec3& vertex : mesh.vertices) {
    std::uint64_t key = 0;
    for (int axis = 0; axis < 3; ++axis)
      key = key << 20 | static_cast<std::uint64_t>((DVec3(vertex)[axis] - low[axis]) / cell);
    const auto found = numbers.try_emplace(key, static_cast<std::uint32_t>(numbers.size())).first;
    grid.cell_of.push_back(found->second);
  }
  grid.cells = numbers.size();
  return grid;
}

// Each vertex in a cell of its own.
Grid one_cell_each(const TriangleMesh& mesh) {
  Grid grid{.cell_of = {}, .cells = mesh.vertices.size()};
  for (std::uint32_t i = 0; i < mesh.vertices.size(); ++i) grid.cell_of.push_back(i);
  return grid;
}

// The triangles that are left when the vertices of each cell are one, each of them once.
TriangleMesh joined(const TriangleMesh& mesh, const Grid& grid) {
  std::vector<DVec3> sums(grid.cells, DVec3(0.0));
  std::vector<double> counts(grid.cells, 0.0);
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
    sums[grid.cell_of[i]] += DVec3(mesh.vertices[i]);
    counts[grid.cell_of[i]] += 1.0;
  }
  TriangleMesh coarse;
  for (std::size_t i = 0; i < grid.cells; ++i) coarse.vertices.emplace_back(sums[i] / counts[i]);
  std::set<std::array<std::uint32_t, 3>> seen;
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    std::array<std::uint32_t, 3> triangle{};
    for (std::size_t k = 0; k < 3; ++k) triangle[k] = grid.cell_of[mesh.triangles[i][k]];
    if (triangle[0] == triangle[1] || triangle[1] == triangle[2] || triangle[2] == triangle[0]) continue;
    std::array<std::uint32_t, 3> first_lowest = triangle;
    std::ranges::rotate(first_lowest, std::ranges::min_element(first_lowest));
    if (!seen.insert(first_lowest).second) continue;
    coarse.triangles.push_back(triangle);
    if (!mesh.materials.empty()) coarse.materials.push_back(mesh.materials[i]);
  }
  return coarse;
}

}  // namespace

TriangleMesh coarsened(const TriangleMesh& mesh, std::size_t most_vertices) {
  // A closed surface has two triangles for each vertex. One with far more is as slow as one with more vertices.
  const std::size_t most_triangles = 3 * most_vertices;
  if (mesh.vertices.size() <= most_vertices && mesh.triangles.size() <= most_triangles) return mesh;
  DVec3 low(mesh.vertices[0]), high = low;
  for (const Vec3& vertex : mesh.vertices) {
    low = glm::min(low, DVec3(vertex));
    high = glm::max(high, DVec3(vertex));
  }
  const DVec3 size = high - low;
  double cell = std::max({size.x, size.y, size.z}) / kFinestGrid;
  Grid grid = one_cell_each(mesh);
  while (true) {
    if (grid.cells <= most_vertices)
      if (TriangleMesh coarse = joined(mesh, grid); coarse.triangles.size() <= most_triangles) return coarse;
    grid = put_in_cells(mesh, low, cell);
    cell *= std::sqrt(2.0);
  }
}

}  // namespace marrow::geometry
