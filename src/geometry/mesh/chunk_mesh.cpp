// SPDX-License-Identifier: MIT
#include "geometry/mesh/chunk_mesh.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <map>
#include <numbers>
#include <unordered_map>

#include "core/try.h"

namespace marrow::geometry {
namespace {

using ChunkGrid = std::array<std::int64_t, 3>;
using ChunkCorners = std::array<std::uint32_t, 3>;

constexpr std::int64_t kLongestChunk = 65535;  // steps in a chunk
constexpr std::size_t kMostChunkVertices = 255, kMostChunkTriangles = 10000, kMostChunks = 16383;

struct ChunkGridHash {
  std::size_t operator()(const ChunkGrid& g) const {
    return static_cast<std::size_t>(g[0] * 73856093 ^ g[1] * 19349663 ^ g[2] * 83492791);
  }
};

glm::dvec3 grid_point(const ChunkGrid& g) {
  return {static_cast<double>(g[0]), static_cast<double>(g[1]), static_cast<double>(g[2])};
}

std::uint64_t chunk_edge(std::uint32_t from, std::uint32_t to) { return std::uint64_t{from} << 32 | to; }

/// A triangle on the grid.
struct ChunkFace {
  ChunkCorners corners;
  std::uint16_t material = 0;
  std::array<std::uint16_t, 3> edges = {15, 15, 15};  ///< welding codes
};

class ChunkBuilder {
 public:
  explicit ChunkBuilder(const TriangleMesh& mesh) : mesh_(mesh) {}

  Result<ChunkMesh> build() {
    MARROW_CHECK(put_on_grid());
    weld();
    std::map<std::uint16_t, std::vector<std::uint32_t>> by_material;
    for (std::uint32_t i = 0; i < faces_.size(); ++i) {
      if (is_big(faces_[i]))
        MARROW_CHECK(add_big(faces_[i]));
      else
        by_material[faces_[i].material].push_back(i);
    }
    for (auto& [material, all] : by_material) cut(std::move(all));
    if (out_.chunks.size() >= kMostChunks)
      return fail(ErrorCode::Unrepresentable,
                  "the mesh needs " + std::to_string(out_.chunks.size()) + " chunks; the format holds 16,382");
    return std::move(out_);
  }

 private:
  Result<void> put_on_grid() {
    Aabb box;
    for (const auto& triangle : mesh_.triangles)
      for (const std::uint32_t corner : triangle) {
        if (corner >= mesh_.vertices.size()) return fail(ErrorCode::InvalidArgument, "a triangle has no such vertex");
        const Vec3& p = mesh_.vertices[corner];
        if (!(std::abs(p.x) <= kMaxCoordinate && std::abs(p.y) <= kMaxCoordinate && std::abs(p.z) <= kMaxCoordinate))
          return fail(ErrorCode::InvalidArgument, "a vertex is not a finite number, or too far out");
        include(box, p);
      }
    out_.min = box.min;
    std::unordered_map<ChunkGrid, std::uint32_t, ChunkGridHash> known;
    std::vector<std::uint32_t> number(mesh_.vertices.size());
    for (std::size_t i = 0; i < mesh_.vertices.size(); ++i) {
      ChunkGrid g{};
      for (int axis = 0; axis < 3; ++axis)
        g[static_cast<std::size_t>(axis)] = static_cast<std::int64_t>(std::floor(
            std::clamp((double{mesh_.vertices[i][axis]} - double{box.min[axis]}) / 0.001 + 0.5, -1e12, 1e12)));
      const auto [found, is_new] = known.try_emplace(g, static_cast<std::uint32_t>(grid_.size()));
      if (is_new) grid_.push_back(g);
      number[i] = found->second;
    }
    ChunkGrid most{};
    for (std::size_t i = 0; i < mesh_.triangles.size(); ++i) {
      const auto& [a, b, c] = mesh_.triangles[i];
      ChunkFace face{.corners = {number[a], number[b], number[c]},
                     .material = i < mesh_.materials.size() ? mesh_.materials[i] : std::uint16_t{0}};
      const glm::dvec3 p = grid_point(grid_[face.corners[0]]);
      const glm::dvec3 area =
          glm::cross(grid_point(grid_[face.corners[1]]) - p, grid_point(grid_[face.corners[2]]) - p);
      if (area == glm::dvec3(0.0)) {
        ++out_.dropped;
        continue;
      }
      for (const std::uint32_t corner : face.corners)
        for (std::size_t axis = 0; axis < 3; ++axis) most[axis] = std::max(most[axis], grid_[corner][axis]);
      faces_.push_back(face);
    }
    if (faces_.empty()) return fail(ErrorCode::InvalidArgument, "no triangle is larger than the grid of the format");
    out_.max = place(most);
    return {};
  }

  Vec3 place(const ChunkGrid& g) const {
    Vec3 p;
    for (int axis = 0; axis < 3; ++axis)
      p[axis] = static_cast<float>(double{out_.min[axis]} +
                                   double{kChunkStep} * static_cast<double>(g[static_cast<std::size_t>(axis)]));
    return p;
  }

  glm::dvec3 normal(const ChunkFace& face) const {
    const glm::dvec3 p = grid_point(grid_[face.corners[0]]);
    return glm::normalize(glm::cross(grid_point(grid_[face.corners[1]]) - p, grid_point(grid_[face.corners[2]]) - p));
  }

  // The code of an edge: 15 if it is flat, open or that of several faces, more if it is convex.
  void weld() {
    struct Users {
      std::uint32_t first = 0, second = 0, count = 0;
    };
    std::unordered_map<std::uint64_t, Users> users;
    for (std::uint32_t i = 0; i < faces_.size(); ++i)
      for (std::size_t e = 0; e < 3; ++e) {
        const std::uint32_t a = faces_[i].corners[e], b = faces_[i].corners[(e + 1) % 3];
        Users& each = users[chunk_edge(std::min(a, b), std::max(a, b))];
        (each.count == 0 ? each.first : each.second) = i;
        ++each.count;
      }
    for (std::uint32_t i = 0; i < faces_.size(); ++i)
      for (std::size_t e = 0; e < 3; ++e) {
        const std::uint32_t a = faces_[i].corners[e], b = faces_[i].corners[(e + 1) % 3];
        const Users& each = users[chunk_edge(std::min(a, b), std::max(a, b))];
        if (each.count != 2) continue;
        const glm::dvec3 n = normal(faces_[i]), m = normal(faces_[each.first == i ? each.second : each.first]);
        const glm::dvec3 edge = glm::normalize(grid_point(grid_[b]) - grid_point(grid_[a]));
        const double angle = std::atan2(glm::dot(glm::cross(n, m), edge), glm::dot(n, m)) * 180.0 / std::numbers::pi;
        const double code = std::clamp(15.0 + std::trunc(angle / 12.0), 0.0, 31.0);
        faces_[i].edges[e] = static_cast<std::uint16_t>(code);
      }
  }

  // Welding of a face whose first corner in the file is `first`.
  static std::uint16_t welding(const ChunkFace& face, std::uint32_t first) {
    std::size_t turn = 0;
    while (turn < 2 && face.corners[turn] != first) ++turn;
    return static_cast<std::uint16_t>(face.edges[turn] | face.edges[(turn + 1) % 3] << 5 |
                                      face.edges[(turn + 2) % 3] << 10);
  }

  bool is_big(const ChunkFace& face) const {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto [low, high] =
          std::minmax({grid_[face.corners[0]][axis], grid_[face.corners[1]][axis], grid_[face.corners[2]][axis]});
      if (high - low > kLongestChunk) return true;
    }
    return false;
  }

  Result<void> add_big(const ChunkFace& face) {
    BigMeshTriangle& big = out_.big_triangles.emplace_back();
    big.material = face.material;
    big.welding = welding(face, face.corners[0]);
    for (std::size_t i = 0; i < 3; ++i) {
      const auto [found, is_new] =
          big_number_.try_emplace(face.corners[i], static_cast<std::uint16_t>(out_.big_vertices.size()));
      if (is_new) out_.big_vertices.push_back(place(grid_[face.corners[i]]));
      if (out_.big_vertices.size() > 0xFFFF)
        return fail(ErrorCode::Unrepresentable, "the mesh has more than 65,535 vertices of triangles over 65 units");
      big.corners[i] = found->second;
    }
    return {};
  }

  struct Extent {
    ChunkGrid low{}, high{};
    std::size_t vertices = 0;
  };

  Extent extent(std::span<const std::uint32_t> set) {
    Extent result;
    result.low.fill(INT64_MAX);
    result.high.fill(INT64_MIN);
    ++stamp_;
    seen_.resize(grid_.size());
    for (const std::uint32_t i : set)
      for (const std::uint32_t corner : faces_[i].corners) {
        if (std::exchange(seen_[corner], stamp_) != stamp_) ++result.vertices;
        for (std::size_t axis = 0; axis < 3; ++axis) {
          result.low[axis] = std::min(result.low[axis], grid_[corner][axis]);
          result.high[axis] = std::max(result.high[axis], grid_[corner][axis]);
        }
      }
    return result;
  }

  // Halves a set along its longest axis until each part fits a chunk.
  void cut(std::vector<std::uint32_t> all) {
    std::vector<std::pair<std::size_t, std::size_t>> open = {{0, all.size()}};
    while (!open.empty()) {
      const auto [first, last] = open.back();
      open.pop_back();
      const std::span<std::uint32_t> set(all.data() + first, last - first);
      const Extent size = extent(set);
      std::size_t longest = 0;
      for (std::size_t axis = 1; axis < 3; ++axis)
        if (size.high[axis] - size.low[axis] > size.high[longest] - size.low[longest]) longest = axis;
      const bool fits = size.vertices <= kMostChunkVertices && set.size() <= kMostChunkTriangles &&
                        size.high[longest] - size.low[longest] <= kLongestChunk;
      if (fits) {
        add_chunk(set, size);
        continue;
      }
      const auto center = [&](std::uint32_t i) {
        std::int64_t sum = 0;
        for (const std::uint32_t corner : faces_[i].corners) sum += grid_[corner][longest];
        return std::pair(sum, i);
      };
      std::ranges::sort(set, {}, center);
      const std::size_t middle = first + set.size() / 2;
      open.emplace_back(middle, last);
      open.emplace_back(first, middle);
    }
  }

  void add_chunk(std::span<const std::uint32_t> set, const Extent& size) {
    MeshChunk& chunk = out_.chunks.emplace_back();
    chunk.material = faces_[set.front()].material;
    chunk.origin = place(size.low);
    std::unordered_map<std::uint32_t, std::uint16_t> number;
    for (const std::uint32_t i : set)
      for (const std::uint32_t corner : faces_[i].corners)
        if (number.try_emplace(corner, static_cast<std::uint16_t>(number.size())).second)
          for (std::size_t axis = 0; axis < 3; ++axis)
            chunk.vertices.push_back(static_cast<std::uint16_t>(grid_[corner][axis] - size.low[axis]));
    const auto put = [&](std::uint32_t corner) { chunk.indices.push_back(number[corner]); };
    std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> at_edge;
    for (const std::uint32_t i : set)
      for (std::size_t e = 0; e < 3; ++e)
        at_edge[chunk_edge(faces_[i].corners[e], faces_[i].corners[(e + 1) % 3])].push_back(i);
    std::unordered_map<std::uint32_t, bool> used;
    std::vector<std::uint32_t> single;
    for (const std::uint32_t i : set) {
      if (used[i]) continue;
      Strip best;
      for (std::size_t turn = 0; turn < 3; ++turn)
        if (Strip strip = grow(i, turn, at_edge, used); strip.faces.size() > best.faces.size()) best = std::move(strip);
      if (best.faces.size() < 2) {
        single.push_back(i);
        used[i] = true;
        continue;
      }
      for (const std::uint32_t face : best.faces) used[face] = true;
      for (const std::uint32_t corner : best.corners) put(corner);
      chunk.strips.push_back(static_cast<std::uint16_t>(best.corners.size()));
      for (std::size_t k = 0; k < best.faces.size(); ++k)
        chunk.welding.push_back(welding(faces_[best.faces[k]], best.corners[k % 2 == 0 ? k : k + 2]));
      chunk.welding.resize(chunk.indices.size());
    }
    for (const std::uint32_t i : single) {
      for (const std::uint32_t corner : faces_[i].corners) put(corner);
      chunk.welding.push_back(welding(faces_[i], faces_[i].corners[0]));
      chunk.welding.resize(chunk.indices.size());
    }
  }

  struct Strip {
    std::vector<std::uint32_t> corners, faces;
  };

  // Grows a strip from a triangle: even ones run with the strip, odd ones against it.
  Strip grow(std::uint32_t start, std::size_t turn,
             const std::unordered_map<std::uint64_t, std::vector<std::uint32_t>>& at_edge,
             std::unordered_map<std::uint32_t, bool>& used) const {
    constexpr std::size_t kLongestStrip = 500;
    Strip strip;
    const ChunkCorners& c = faces_[start].corners;
    strip.corners = {c[turn], c[(turn + 1) % 3], c[(turn + 2) % 3]};
    strip.faces = {start};
    while (strip.faces.size() < kLongestStrip) {
      const std::uint32_t a = strip.corners[strip.corners.size() - 2], b = strip.corners.back();
      const bool is_odd = strip.faces.size() % 2 != 0;
      const auto found = at_edge.find(is_odd ? chunk_edge(b, a) : chunk_edge(a, b));
      if (found == at_edge.end()) break;
      const auto next = std::ranges::find_if(found->second, [&](std::uint32_t i) {
        const auto taken = used.find(i);
        return (taken == used.end() || !taken->second) && std::ranges::find(strip.faces, i) == strip.faces.end();
      });
      if (next == found->second.end()) break;
      for (const std::uint32_t corner : faces_[*next].corners)
        if (corner != a && corner != b) {
          strip.corners.push_back(corner);
          break;
        }
      strip.faces.push_back(*next);
    }
    return strip;
  }

  const TriangleMesh& mesh_;
  ChunkMesh out_;
  std::vector<ChunkGrid> grid_;
  std::vector<ChunkFace> faces_;
  std::unordered_map<std::uint32_t, std::uint16_t> big_number_;
  std::vector<std::uint32_t> seen_;
  std::uint32_t stamp_ = 0;
};

}  // namespace

Result<ChunkMesh> build_chunk_mesh(const TriangleMesh& mesh) { return ChunkBuilder(mesh).build(); }

}  // namespace marrow::geometry
