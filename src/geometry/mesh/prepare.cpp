// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
#include <cmath>
#include <glm/geometric.hpp>
#include <string>

#include "geometry/mesh/build.h"

namespace marrow::geometry {

namespace {

/// Beyond this, sums of box areas would leave the range of a float.
constexpr float kFarthest = 1e12f;

/// Gives equal vertices one number. Open addressing over the bits of the coordinates.
class Welder {
 public:
  explicit Welder(std::size_t vertex_count) : slots_(std::bit_ceil(2 * vertex_count + 2), kEmpty) {}

  std::uint32_t number_of(const Vec3& position) {
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t slot = hash(position) & mask;; slot = (slot + 1) & mask) {
      if (slots_[slot] == kEmpty) {
        slots_[slot] = static_cast<std::uint32_t>(vertices.size());
        vertices.push_back(position);
        return slots_[slot];
      }
      if (vertices[slots_[slot]] == position) return slots_[slot];
    }
  }

  std::vector<Vec3> vertices;

 private:
  static constexpr std::uint32_t kEmpty = 0xFFFFFFFF;

  static std::size_t hash(const Vec3& position) {
    std::uint64_t value = 0;
    for (int axis = 0; axis < 3; ++axis) {
      value = (value ^ std::bit_cast<std::uint32_t>(position[axis])) * 0x9E3779B97F4A7C15u;
      value ^= value >> 29;
    }
    return static_cast<std::size_t>(value ^ (value >> 32));
  }

  std::vector<std::uint32_t> slots_;
};

Result<void> check_input(const TriangleMesh& mesh) {
  if (!mesh.materials.empty() && mesh.materials.size() != mesh.triangles.size())
    return fail(ErrorCode::InvalidArgument, "a mesh must have one material a triangle, or none at all");
  if (mesh.triangles.size() > 0x40000000 || mesh.vertices.size() > 0x40000000)
    return fail(ErrorCode::LimitExceeded, "a mesh of more than a thousand million triangles or vertices");
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i)
    for (std::uint32_t corner : mesh.triangles[i])
      if (corner >= mesh.vertices.size())
        return fail(ErrorCode::InvalidArgument, "a corner is past the last vertex", kNoOffset,
                    "triangles[" + std::to_string(i) + "]");
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i)
    for (int axis = 0; axis < 3; ++axis)
      if (!(std::abs(mesh.vertices[i][axis]) <= kFarthest))
        return fail(ErrorCode::InvalidArgument, "a coordinate is not finite, or beyond 1e12", kNoOffset,
                    "vertices[" + std::to_string(i) + "]");
  return {};
}

}  // namespace

bool is_degenerate(const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 normal = glm::cross(b - a, c - a);
  const float cross = glm::dot(normal, normal);
  const float longest = std::max({glm::dot(b - a, b - a), glm::dot(c - b, c - b), glm::dot(a - c, a - c)});
  return cross < 1e-14f || (cross < 1e-7f && cross < 1e-6f * (longest * longest));
}

Result<TriangleMesh> prepare_mesh(const TriangleMesh& mesh, MeshBuildReport& report) {
  if (auto checked = check_input(mesh); !checked) return std::unexpected(checked.error());
  report.input_triangles = static_cast<std::uint32_t>(mesh.triangles.size());
  Welder welder(mesh.vertices.size());
  welder.vertices.reserve(mesh.vertices.size());
  std::vector<std::uint32_t> number(mesh.vertices.size());
  for (std::size_t i = 0; i < number.size(); ++i)
    number[i] = welder.number_of(mesh.vertices[i] + Vec3(0.0f));  // -0 becomes +0

  TriangleMesh prepared;
  prepared.vertices = std::move(welder.vertices);
  prepared.triangles.reserve(mesh.triangles.size());
  prepared.materials.reserve(mesh.triangles.size());
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    std::array<std::uint32_t, 3> corners;
    for (std::size_t k = 0; k < 3; ++k) corners[k] = number[mesh.triangles[i][k]];
    const auto& [a, b, c] = corners;
    if (a == b || b == c || c == a || is_degenerate(prepared.vertices[a], prepared.vertices[b], prepared.vertices[c])) {
      ++report.degenerate_triangles;
      continue;
    }
    prepared.triangles.push_back(corners);
    prepared.materials.push_back(mesh.materials.empty() ? std::uint16_t{0} : mesh.materials[i]);
  }
  return prepared;
}

}  // namespace marrow::geometry
