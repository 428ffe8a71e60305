// SPDX-License-Identifier: MIT
#include <algorithm>
#include <tuple>

#include "geometry/mesh/build.h"

namespace marrow::geometry {

namespace {

/// One side of a triangle; equal `ends` make a group.
struct HalfEdge {
  std::uint64_t ends = 0;  ///< the smaller vertex in the upper half
  std::uint32_t side = 0;  ///< triangle * 3 + edge

  std::uint32_t triangle() const { return side / 3; }
  std::uint32_t edge() const { return side % 3; }
};

struct PairCandidate {
  float cost = 0.0f;
  std::uint32_t first_side = 0;
  std::uint32_t second_side = 0;
};

/// How many later sides of the same edge are looked at for a partner. Edges with more faces are not surfaces; without
/// an end, a million triangles round one edge would take a million squared steps.
constexpr std::size_t kLookAhead = 64;

std::uint32_t corner(const TriangleMesh& mesh, std::uint32_t side, std::uint32_t ahead) {
  return mesh.triangles[side / 3][(side % 3 + ahead) % 3];
}

Aabb box_of(const TriangleMesh& mesh, std::uint32_t triangle) {
  Aabb box;
  for (std::uint32_t vertex : mesh.triangles[triangle]) include(box, mesh.vertices[vertex]);
  return box;
}

std::vector<HalfEdge> sorted_half_edges(const TriangleMesh& mesh) {
  std::vector<HalfEdge> edges;
  edges.reserve(mesh.triangles.size() * 3);
  for (std::uint32_t side = 0; side < mesh.triangles.size() * 3; ++side) {
    const std::uint64_t from = corner(mesh, side, 0);
    const std::uint64_t to = corner(mesh, side, 1);
    edges.push_back({std::min(from, to) << 32 | std::max(from, to), side});
  }
  std::sort(edges.begin(), edges.end(),
            [](const HalfEdge& a, const HalfEdge& b) { return std::tie(a.ends, a.side) < std::tie(b.ends, b.side); });
  return edges;
}

bool can_pair(const TriangleMesh& mesh, const HalfEdge& a, const HalfEdge& b) {
  return a.triangle() != b.triangle() && mesh.materials[a.triangle()] == mesh.materials[b.triangle()] &&
         corner(mesh, a.side, 0) == corner(mesh, b.side, 1) &&
         // The two sides of one sheet would make a quad folded onto itself, which counts as flat.
         corner(mesh, a.side, 2) != corner(mesh, b.side, 2);
}

std::vector<PairCandidate> candidates_of(const TriangleMesh& mesh) {
  const std::vector<HalfEdge> edges = sorted_half_edges(mesh);
  std::vector<PairCandidate> candidates;
  candidates.reserve(edges.size() / 2);
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const std::size_t end = std::min(edges.size(), i + 1 + kLookAhead);
    for (std::size_t j = i + 1; j < end && edges[j].ends == edges[i].ends; ++j) {
      if (!can_pair(mesh, edges[i], edges[j])) continue;
      const Aabb a = box_of(mesh, edges[i].triangle());
      const Aabb b = box_of(mesh, edges[j].triangle());
      Aabb both = a;
      include(both, b);
      candidates.push_back({2.0f * half_area(both) - half_area(a) - half_area(b), edges[i].side, edges[j].side});
      break;
    }
  }
  std::sort(candidates.begin(), candidates.end(), [](const PairCandidate& a, const PairCandidate& b) {
    return std::tuple(a.cost, a.first_side / 3, a.second_side / 3, a.first_side) <
           std::tuple(b.cost, b.first_side / 3, b.second_side / 3, b.first_side);
  });
  return candidates;
}

}  // namespace

std::vector<MeshPrimitive> pair_triangles(const TriangleMesh& mesh, bool pair_quads) {
  constexpr std::uint32_t kAlone = 0xFFFFFFFF;
  struct Partner {
    std::uint32_t own_side = kAlone;
    std::uint32_t other_side = kAlone;
  };
  std::vector<Partner> partners(mesh.triangles.size());
  if (pair_quads)
    for (const PairCandidate& candidate : candidates_of(mesh)) {
      Partner& first = partners[candidate.first_side / 3];
      Partner& second = partners[candidate.second_side / 3];
      if (first.own_side != kAlone || second.own_side != kAlone) continue;
      first = {candidate.first_side, candidate.second_side};
      second = {candidate.second_side, candidate.first_side};
    }
  std::vector<MeshPrimitive> primitives;
  primitives.reserve(mesh.triangles.size());
  for (std::uint32_t i = 0; i < mesh.triangles.size(); ++i) {
    const auto& [own, other] = partners[i];
    const auto& [a, b, c] = mesh.triangles[i];
    if (own == kAlone) {
      primitives.push_back({{a, b, c, c}, {i, i}, mesh.materials[i]});
    } else if (own < other) {
      primitives.push_back(
          {{corner(mesh, own, 1), corner(mesh, own, 2), corner(mesh, other, 1), corner(mesh, other, 2)},
           {i, other / 3},
           mesh.materials[i]});
    }
  }
  return primitives;
}

}  // namespace marrow::geometry
