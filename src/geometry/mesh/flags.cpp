// SPDX-License-Identifier: MIT
// Two sets of bits that Havok derives from a compressed mesh: which quads are flat, and which triangles lie inside a
// surface so that contacts with their edges can be ignored. The rules are in docs/formats/compressed-mesh.md.
#include <algorithm>
#include <bit>
#include <cmath>
#include <glm/geometric.hpp>

#include "core/try.h"
#include "geometry/mesh/reader.h"

namespace marrow::geometry {

namespace {

constexpr std::uint32_t kNone = 0xFFFFFFFF;

Vec3 unit(const Vec3& v) {
  const float length = std::sqrt(glm::dot(v, v));
  return length > 0.0f ? v / length : Vec3(0.0f);
}

Vec3 normal_of(const Vec3& a, const Vec3& b, const Vec3& c) { return unit(glm::cross(b - a, c - a)); }

bool quad_is_flat(const std::array<MeshCorner, 4>& corners) {
  constexpr float kTolerance = 0.01f;
  const Vec3& a = corners[0].position;
  const Vec3& b = corners[1].position;
  const Vec3& c = corners[2].position;
  const Vec3& d = corners[3].position;
  const Vec3 normal = normal_of(a, b, c);
  if (!(std::abs(glm::dot(a - d, normal)) <= kTolerance)) return false;
  // And the fourth corner is not on the wrong side of the first two edges: the quad is no arrow.
  const float beyond_ab = glm::dot(unit(glm::cross(normal, b - a)), a - d);
  const float beyond_bc = glm::dot(unit(glm::cross(normal, c - b)), c - d);
  return std::max(beyond_ab, beyond_bc) < kTolerance;
}

/// What counts as one face: a triangle, a flat quad, or half of a folded one.
struct Face {
  std::array<MeshCorner, 4> corners;
  std::array<std::uint32_t, 4> neighbour{kNone, kNone, kNone, kNone};  ///< face * 4 + edge
  std::uint32_t key = 0;
  std::uint8_t edges = 3;
  Vec3 normal{0.0f};         ///< of the first three corners
  Vec3 second_normal{0.0f};  ///< of a flat quad's other half
  /// The normal as it is seen through an edge.
  const Vec3& normal_at(std::uint32_t edge) const { return edges == 4 && edge >= 2 ? second_normal : normal; }
};

/// Finds faces that have an edge in common, in opposite directions; the newest unmatched edge is taken first.
class EdgeMatcher {
 public:
  EdgeMatcher(std::vector<Face>& faces, std::size_t edge_count)
      : faces_(faces), buckets_(std::bit_ceil(edge_count + 1), kNone) {}

  void match(std::uint32_t face, std::uint32_t edge) {
    const auto [from, to] = ends(face * 4 + edge);
    std::uint32_t* link = &buckets_[bucket(to, from)];
    while (*link != kNone) {
      Entry& entry = entries_[*link];
      if (ends(entry.side) == std::pair(to, from)) {
        faces_[face].neighbour[edge] = entry.side;
        faces_[entry.side / 4].neighbour[entry.side % 4] = face * 4 + edge;
        *link = entry.next;
        return;
      }
      link = &entry.next;
    }
    std::uint32_t& head = buckets_[bucket(from, to)];
    entries_.push_back({face * 4 + edge, head});
    head = static_cast<std::uint32_t>(entries_.size() - 1);
  }

 private:
  struct Entry {
    std::uint32_t side;
    std::uint32_t next;
  };

  std::pair<std::uint64_t, std::uint64_t> ends(std::uint32_t side) const {
    const Face& face = faces_[side / 4];
    const std::uint32_t edge = side % 4;
    return {face.corners[edge].identity, face.corners[edge + 1 == face.edges ? 0 : edge + 1].identity};
  }

  std::size_t bucket(std::uint64_t from, std::uint64_t to) const {
    std::uint64_t value = from * 0x9E3779B97F4A7C15u;
    value ^= value >> 32;
    value = (value + to) * 0xC2B2AE3D27D4EB4Fu;
    return static_cast<std::size_t>(value >> 29) & (buckets_.size() - 1);
  }

  std::vector<Face>& faces_;
  std::vector<std::uint32_t> buckets_;
  std::vector<Entry> entries_;
};

struct FlagCandidate {
  float order = 0.0f;
  std::uint32_t face = 0;
};

/// Hoare's quicksort with the middle as pivot, which also exchanges equals: the order of equal keys is part of the
/// result. Ranges that it divides badly for too long are sorted another way, so that no input takes quadratic time.
void sort_candidates(FlagCandidate* items, std::ptrdiff_t low, std::ptrdiff_t high, int budget) {
  const auto less = [](const FlagCandidate& a, const FlagCandidate& b) { return a.order < b.order; };
  while (low < high) {
    if (budget-- == 0) return std::stable_sort(items + low, items + high + 1, less);
    const FlagCandidate pivot = items[(low + high) / 2];
    std::ptrdiff_t i = low;
    std::ptrdiff_t j = high;
    do {
      while (less(items[i], pivot)) ++i;
      while (less(pivot, items[j])) --j;
      if (i <= j) std::swap(items[i++], items[j--]);
    } while (i <= j);
    if (j - low < high - i) {
      sort_candidates(items, low, j, budget);
      low = i;
    } else {
      sort_candidates(items, i, high, budget);
      high = j;
    }
  }
}

class InteriorFinder {
 public:
  /// Adds the faces of a primitive in key order.
  void add_triangle(const MeshCorner& a, const MeshCorner& b, const MeshCorner& c, std::uint32_t key) {
    Face face{.corners = {a, b, c, c}, .key = key};
    face.normal = normal_of(a.position, b.position, c.position);
    faces_.push_back(face);
  }
  void add_flat_quad(const std::array<MeshCorner, 4>& corners, std::uint32_t key) {
    Face face{.corners = corners, .key = key, .edges = 4};
    face.normal = normal_of(corners[0].position, corners[1].position, corners[2].position);
    face.second_normal = normal_of(corners[0].position, corners[2].position, corners[3].position);
    faces_.push_back(face);
  }
  void add_folded_quad(const std::array<MeshCorner, 4>& corners, std::uint32_t key) {
    add_triangle(corners[0], corners[1], corners[2], key);
    add_triangle(corners[0], corners[2], corners[3], key | 1);
    const std::uint32_t second = static_cast<std::uint32_t>(faces_.size() - 1);
    faces_[second - 1].neighbour[2] = second * 4;
    faces_[second].neighbour[0] = (second - 1) * 4 + 2;
  }

  void run(std::vector<std::uint32_t>& bits) {
    link();
    std::vector<FlagCandidate> candidates;
    for (std::uint32_t i = 0; i < faces_.size(); ++i)
      if (is_enclosed(faces_[i])) candidates.push_back({order_of(faces_[i]), i});
    const int budget = 8 * static_cast<int>(std::bit_width(candidates.size())) + 64;
    sort_candidates(candidates.data(), 0, static_cast<std::ptrdiff_t>(candidates.size()) - 1, budget);
    for (const FlagCandidate& candidate : candidates) {
      const Face& face = faces_[candidate.face];
      if (may_be_interior(face, bits)) bits[face.key / 32] |= 1u << face.key % 32;
    }
  }

 private:
  void link() {
    EdgeMatcher matcher(faces_, 4 * faces_.size());
    for (std::uint32_t i = 0; i < faces_.size(); ++i)
      for (std::uint32_t edge = 0; edge < faces_[i].edges; ++edge)
        // Only the diagonal of a folded quad is linked before its turn comes.
        if (faces_[i].neighbour[edge] == kNone) matcher.match(i, edge);
  }

  static bool is_enclosed(const Face& face) {
    return std::all_of(face.neighbour.begin(), face.neighbour.begin() + face.edges,
                       [](std::uint32_t other) { return other != kNone; });
  }

  bool is_convex(const Face& face, std::uint32_t edge) const {
    constexpr float kFlat = 0x1p-23f;
    const Vec3 along = face.corners[edge + 1 == face.edges ? 0 : edge + 1].position - face.corners[edge].position;
    const std::uint32_t other = face.neighbour[edge];
    const Vec3 turn = glm::cross(face.normal, faces_[other / 4].normal_at(other % 4));
    return glm::dot(unit(along), turn) > kFlat;
  }

  /// Small faces with few convex edges come first.
  float order_of(const Face& face) const {
    const Vec3 cross = glm::cross(face.corners[1].position - face.corners[0].position,
                                  face.corners[2].position - face.corners[0].position);
    int convex = 0;
    for (std::uint32_t edge = 0; edge < face.edges; ++edge) convex += is_convex(face, edge) ? 1 : 0;
    return std::sqrt(glm::dot(cross, cross)) + 10.0f * static_cast<float>(convex);
  }

  bool may_be_interior(const Face& face, const std::vector<std::uint32_t>& bits) const {
    const float least_cosine = std::cos(1.2217305f);  // 70 degrees
    for (std::uint32_t edge = 0; edge < face.edges; ++edge) {
      if (!is_convex(face, edge)) continue;
      const std::uint32_t side = face.neighbour[edge];
      const Face& other = faces_[side / 4];
      const std::uint32_t bit = other.key + (other.edges == 4 && side % 4 >= 2 ? 1 : 0);
      if ((bits[bit / 32] >> bit % 32 & 1) != 0) return false;
      if (glm::dot(other.normal_at(side % 4), face.normal) < least_cosine) return false;
    }
    return true;
  }

  std::vector<Face> faces_;
};

}  // namespace

Result<void> compute_mesh_flags(CompressedMesh& mesh) {
  if (mesh.sections.size() > kMaxSections) return fail(ErrorCode::Malformed, "the mesh has more than 32768 sections");
  std::uint32_t max_key = 0;
  InteriorFinder finder;
  mesh.quad_is_flat.assign(mesh.sections.size() * 4, 0);  // 128 bits per section, cut to the last key below
  for (std::uint32_t s = 0; s < mesh.sections.size(); ++s) {
    MARROW_TRY(const SectionReader section, SectionReader::open(mesh, s));
    if (section.primitive_count() > 128)
      return fail(ErrorCode::Malformed, "more than 128 primitives", kNoOffset, section.path());
    for (std::uint32_t p = 0; p < section.primitive_count(); ++p) {
      const CompressedMesh::Primitive& primitive = section.primitive(p);
      const PrimitiveKind kind = kind_of(primitive);
      const std::uint32_t key = s << 8 | p << 1;
      max_key = key | (kind == PrimitiveKind::Quad ? 1 : 0);
      if (kind == PrimitiveKind::Removed || kind == PrimitiveKind::Custom) continue;
      std::array<MeshCorner, 4> corners;
      for (std::size_t k = 0; k < 4; ++k) {
        MARROW_TRY(corners[k], section.corner(primitive.corners[k]));
      }
      if (kind == PrimitiveKind::Triangle) {
        finder.add_triangle(corners[0], corners[1], corners[2], key);
      } else if (quad_is_flat(corners)) {
        mesh.quad_is_flat[key >> 6] |= 1u << (key >> 1) % 32;
        finder.add_flat_quad(corners, key);
      } else {
        finder.add_folded_quad(corners, key);
      }
    }
  }
  mesh.quad_is_flat_bits = (max_key >> 1) + 1;
  mesh.triangle_is_interior_bits = max_key + 1;
  mesh.quad_is_flat.resize((mesh.quad_is_flat_bits + 31) / 32);
  mesh.triangle_is_interior.assign((mesh.triangle_is_interior_bits + 31) / 32 + 1, 0);
  finder.run(mesh.triangle_is_interior);
  mesh.triangle_is_interior.resize((mesh.triangle_is_interior_bits + 31) / 32);
  return {};
}

}  // namespace marrow::geometry
