// SPDX-License-Identifier: MIT
#include "ops/collision/compare_surface.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <unordered_map>

namespace marrow {
namespace {

struct Cell {
  std::int64_t x = 0, y = 0, z = 0;
  bool operator==(const Cell&) const = default;
};

struct CellHash {
  std::size_t operator()(const Cell& c) const {
    std::uint64_t h = static_cast<std::uint64_t>(c.x) * 0x9E3779B97F4A7C15ull;
    h = (h ^ static_cast<std::uint64_t>(c.y)) * 0xC2B2AE3D27D4EB4Full;
    h = (h ^ static_cast<std::uint64_t>(c.z)) * 0x165667B19E3779F9ull;
    return static_cast<std::size_t>(h ^ h >> 29);
  }
};

/// Points by place. Those within the tolerance of one that is there already are that one, so that a cell of the grid
/// holds a handful at the most. Without a tolerance, points are equal if their bits are.
class PointIndex {
 public:
  explicit PointIndex(float tolerance) : tolerance_(tolerance) {}

  std::uint32_t add(const Vec3& point, std::uint32_t number) {
    if (const auto found = find(point)) return *found;
    cells_[cell_of(point)].push_back({point, number});
    return number;
  }

  std::optional<std::uint32_t> find(const Vec3& point) const {
    const Cell middle = cell_of(point);
    const std::int64_t reach = tolerance_ > 0.0f ? 1 : 0;
    for (std::int64_t x = -reach; x <= reach; ++x)
      for (std::int64_t y = -reach; y <= reach; ++y)
        for (std::int64_t z = -reach; z <= reach; ++z) {
          const auto cell = cells_.find({middle.x + x, middle.y + y, middle.z + z});
          if (cell == cells_.end()) continue;
          for (const Entry& entry : cell->second)
            if (is_same(entry.point, point)) return entry.number;
        }
    return std::nullopt;
  }

 private:
  struct Entry {
    Vec3 point;
    std::uint32_t number;
  };

  bool is_same(const Vec3& a, const Vec3& b) const {
    return std::abs(a.x - b.x) <= tolerance_ && std::abs(a.y - b.y) <= tolerance_ && std::abs(a.z - b.z) <= tolerance_;
  }

  Cell cell_of(const Vec3& p) const {
    const auto along = [&](float value) {
      if (tolerance_ == 0.0f) return static_cast<std::int64_t>(std::bit_cast<std::int32_t>(value + 0.0f));
      constexpr double kFarthest = 1e15;
      return static_cast<std::int64_t>(
          std::clamp(std::floor(double{value} / double{tolerance_}), -kFarthest, kFarthest));
    };
    return {along(p.x), along(p.y), along(p.z)};
  }

  float tolerance_;
  std::unordered_map<Cell, std::vector<Entry>, CellHash> cells_;
};

// The corners from the lowest on, and the material.
using Face = std::array<std::uint32_t, 4>;

std::optional<Face> face_of(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t material) {
  if (a == b || b == c || a == c) return std::nullopt;
  std::array<std::uint32_t, 3> corners = {a, b, c};
  std::ranges::rotate(corners, std::ranges::min_element(corners));
  return Face{corners[0], corners[1], corners[2], material};
}

void make_set(std::vector<Face>& faces) {
  std::ranges::sort(faces);
  faces.erase(std::ranges::unique(faces).begin(), faces.end());
}

SurfaceMatch match_within(const CollisionMesh& old, const ReturnedSurface& now, float tolerance) {
  PointIndex index(tolerance);
  std::vector<std::uint32_t> old_number(old.vertices.size());
  for (std::uint32_t i = 0; i < old_number.size(); ++i) old_number[i] = index.add(old.vertices[i], i);
  SurfaceMatch match;
  for (const Vec3& vertex : now.vertices) match.vertices.push_back(index.find(vertex));

  std::vector<Face> before, after;
  std::vector<bool> used_before(old_number.size()), used_after(old_number.size());
  for (std::size_t i = 0; i < old.triangles.size(); ++i) {
    const auto& [a, b, c] = old.triangles[i];
    for (const std::uint32_t corner : old.triangles[i]) used_before[old_number[corner]] = true;
    if (const auto face = face_of(old_number[a], old_number[b], old_number[c], old.materials[i]))
      before.push_back(*face);
  }
  bool all_known = true;
  for (std::size_t i = 0; i < now.triangles.size(); ++i) {
    const auto& [a, b, c] = now.triangles[i];
    for (const std::uint32_t corner : now.triangles[i]) {
      all_known &= match.vertices[corner].has_value();
      if (match.vertices[corner]) used_after[*match.vertices[corner]] = true;
    }
    if (!all_known) continue;
    if (const auto face = face_of(*match.vertices[a], *match.vertices[b], *match.vertices[c], now.materials[i]))
      after.push_back(*face);
  }
  make_set(before);
  make_set(after);
  match.same_points = all_known && used_before == used_after;
  match.same_triangles = match.same_points && before == after;
  return match;
}

}  // namespace

OldTriangles find_old_triangles(const CollisionMesh& old, const ReturnedSurface& now, float tolerance) {
  PointIndex index(tolerance);
  std::vector<std::uint32_t> old_number(old.vertices.size());
  for (std::uint32_t i = 0; i < old_number.size(); ++i) old_number[i] = index.add(old.vertices[i], i);
  std::vector<Face> before, found;
  for (const auto& [a, b, c] : old.triangles)
    if (const auto face = face_of(old_number[a], old_number[b], old_number[c], 0)) before.push_back(*face);
  make_set(before);
  std::vector<std::optional<std::uint32_t>> place;
  for (const Vec3& vertex : now.vertices) place.push_back(index.find(vertex));
  OldTriangles result;
  for (const auto& [a, b, c] : now.triangles) {
    const bool is_known = place[a] && place[b] && place[c];
    const auto face = is_known ? face_of(*place[a], *place[b], *place[c], 0) : std::nullopt;
    const bool is_old = face && std::ranges::binary_search(before, *face);
    if (is_old) found.push_back(*face);
    result.is_old.push_back(is_old || (is_known && !face));
  }
  make_set(found);
  result.has_all = !before.empty() && found == before;
  return result;
}

SurfaceMatch match_surface(const CollisionMesh& old, const ReturnedSurface& now, float tolerance) {
  if (!now.is_in_place) return match_within(old, now, tolerance);
  SurfaceMatch exact = match_within(old, now, 0.0f);
  const auto known = std::ranges::count_if(exact.vertices, [](const auto& vertex) { return vertex.has_value(); });
  if (2 * static_cast<std::size_t>(known) >= now.vertices.size()) return exact;
  return match_within(old, now, tolerance);
}

}  // namespace marrow
