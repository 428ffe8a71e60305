// SPDX-License-Identifier: MIT
// Finds each triangle of a source among the decoded ones. Decoded triangles lie in a grid by their centre; a source
// triangle looks into the cells around its own.
#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "geometry/mesh/build.h"
#include "geometry/mesh/reader.h"

namespace marrow::geometry {

namespace {

using Corners = std::array<Vec3, 3>;

/// How far a stored corner may be from where it was: a step of the coarser of the two codes that the section uses, and
/// the rounding of the sum.
Vec3 tolerance_of(const CompressedMesh& mesh, std::uint32_t section) {
  const float limits[3] = {2097151.0f, 2097151.0f, 4194303.0f};
  Vec3 tolerance;
  for (int axis = 0; axis < 3; ++axis) {
    const float extent = mesh.domain.max[axis] - mesh.domain.min[axis];
    const float largest = std::max({extent, std::abs(mesh.domain.min[axis]), std::abs(mesh.domain.max[axis])});
    const float ulp = std::nextafter(largest, std::numeric_limits<float>::infinity()) - largest;
    tolerance[axis] = std::max(mesh.sections[section].scale[axis], extent / limits[axis]) + ulp;
  }
  return tolerance;
}

/// How far two triangles are from each other in units of the tolerance, with the same direction round, whichever corner
/// comes first: the farthest corner and axis count.
float distance_between(const Corners& a, const Corners& b, const Vec3& tolerance) {
  float nearest = std::numeric_limits<float>::infinity();
  for (std::size_t turn = 0; turn < 3; ++turn) {
    float farthest = 0.0f;
    for (std::size_t k = 0; k < 3; ++k)
      for (int axis = 0; axis < 3; ++axis)
        farthest = std::max(farthest, std::abs(a[k][axis] - b[(k + turn) % 3][axis]) / tolerance[axis]);
    nearest = std::min(nearest, farthest);
  }
  return nearest;
}

class Grid {
 public:
  Grid(const std::vector<MeshTriangle>& triangles, const Vec3& origin, float cell)
      : origin_(origin), cell_(cell), next_(triangles.size(), kEnd) {
    for (std::uint32_t i = 0; i < triangles.size(); ++i) {
      auto [head, is_new] = heads_.try_emplace(key(cell_of(triangles[i].corners)), kEnd);
      next_[i] = head->second;
      head->second = i;
    }
  }

  /// Takes out the triangle around `corners` with the least distance, if that is 1 at most. Up to one half, where
  /// rounding leads, nothing better is looked for.
  template <class Distance>
  bool take(const Corners& corners, const Distance& distance_to) {
    const Cell at = cell_of(corners);
    std::uint32_t* best = nullptr;
    float least = 1.0f;
    for (std::int64_t x = -1; x <= 1; ++x)
      for (std::int64_t y = -1; y <= 1; ++y)
        for (std::int64_t z = -1; z <= 1; ++z) {
          const auto head = heads_.find(key({at[0] + x, at[1] + y, at[2] + z}));
          if (head == heads_.end()) continue;
          for (std::uint32_t* link = &head->second; *link != kEnd && (best == nullptr || least > 0.5f);
               link = &next_[*link]) {
            const float distance = distance_to(*link);
            if (!(distance <= least)) continue;
            least = distance;
            best = link;
          }
        }
    if (best == nullptr) return false;
    *best = next_[*best];
    return true;
  }

 private:
  using Cell = std::array<std::int64_t, 3>;
  static constexpr std::uint32_t kEnd = 0xFFFFFFFF;

  Cell cell_of(const Corners& corners) const {
    const Vec3 center = ((corners[0] - origin_) + (corners[1] - origin_) + (corners[2] - origin_)) / 3.0f;
    Cell cell;
    for (int axis = 0; axis < 3; ++axis) cell[static_cast<std::size_t>(axis)] = cell_number(center[axis] / cell_);
    return cell;
  }
  static std::int64_t cell_number(float cells) {
    constexpr float kFarthest = 1e12f;  // beyond any cell of the mesh
    return std::isfinite(cells) ? static_cast<std::int64_t>(std::floor(std::clamp(cells, -kFarthest, kFarthest))) : 0;
  }
  static std::uint64_t key(const Cell& cell) {
    std::uint64_t value = 0;
    for (std::int64_t part : cell) value = value << 21 | (static_cast<std::uint64_t>(part) & 0x1FFFFF);
    return value;
  }

  Vec3 origin_;
  float cell_;
  std::unordered_map<std::uint64_t, std::uint32_t> heads_;
  std::vector<std::uint32_t> next_;
};

}  // namespace

Notes compare_with_source(const CompressedMesh& mesh, const TriangleMesh& source, std::uint32_t left_out) {
  const auto decoded = decode_compressed_mesh(mesh);
  if (!decoded) return {{decoded.error().message, decoded.error().offset, decoded.error().path}};
  std::vector<Vec3> tolerances;
  float cell = 1e-30f;
  for (std::uint32_t s = 0; s < mesh.sections.size(); ++s) {
    tolerances.push_back(tolerance_of(mesh, s));
    for (int axis = 0; axis < 3; ++axis) cell = std::max(cell, 1.5f * tolerances.back()[axis]);
  }
  for (int axis = 0; axis < 3; ++axis)  // no more cells than the key has room for
    cell = std::max(cell, (mesh.domain.max[axis] - mesh.domain.min[axis]) / 1e6f);
  Grid grid(*decoded, mesh.domain.min, cell);

  Notes notes;
  std::size_t found = 0;
  std::size_t missing = 0;
  for (std::size_t i = 0; i < source.triangles.size(); ++i) {
    Corners corners;
    for (std::size_t k = 0; k < 3; ++k) corners[k] = source.vertices[source.triangles[i][k]];
    if (is_degenerate(corners[0], corners[1], corners[2])) continue;
    const std::uint16_t material = source.materials.empty() ? std::uint16_t{0} : source.materials[i];
    const bool has_it = grid.take(corners, [&](std::uint32_t number) {
      const MeshTriangle& triangle = (*decoded)[number];
      if (triangle.material != material) return std::numeric_limits<float>::infinity();
      return distance_between(corners, triangle.corners, tolerances[triangle.key >> 8]);
    });
    if (has_it) {
      ++found;
    } else if (++missing > left_out && notes.size() < 64) {
      notes.push_back({"a triangle is missing", kNoOffset, "triangles[" + std::to_string(i) + "]"});
    }
  }
  if (found != decoded->size())
    notes.push_back({std::to_string(decoded->size() - found) + " triangles are not of the source", kNoOffset, {}});
  return notes;
}

}  // namespace marrow::geometry
