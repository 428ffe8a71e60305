// SPDX-License-Identifier: MIT
// Meshes made by rule, for tests and benchmarks.
#pragma once

#include <cmath>
#include <cstdint>
#include <random>

#include "marrow/geometry/solids/shapes.h"

namespace marrow::geometry::test {

inline void add_triangle(TriangleMesh& mesh, const Vec3& a, const Vec3& b, const Vec3& c, std::uint16_t material = 0) {
  const std::uint32_t first = static_cast<std::uint32_t>(mesh.vertices.size());
  mesh.vertices.insert(mesh.vertices.end(), {a, b, c});
  mesh.triangles.push_back({first, first + 1, first + 2});
  mesh.materials.push_back(material);
}

inline void add_box(TriangleMesh& mesh, const Vec3& center, const Vec3& half, std::uint16_t material = 0) {
  const std::uint32_t first = static_cast<std::uint32_t>(mesh.vertices.size());
  for (int i = 0; i < 8; ++i)
    mesh.vertices.push_back(center + half * Vec3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1));
  constexpr std::uint32_t kQuads[6][4] = {{1, 3, 7, 5}, {0, 4, 6, 2}, {2, 6, 7, 3},
                                          {0, 1, 5, 4}, {4, 5, 7, 6}, {0, 2, 3, 1}};
  for (const auto& [a, b, c, d] : kQuads) {
    mesh.triangles.push_back({first + a, first + b, first + c});
    mesh.triangles.push_back({first + a, first + c, first + d});
    mesh.materials.insert(mesh.materials.end(), 2, material);
  }
}

/// Rolling hills of 2 * cells * cells triangles, one unit a cell, in strips of four materials.
inline TriangleMesh terrain(std::uint32_t cells) {
  TriangleMesh mesh;
  for (std::uint32_t y = 0; y <= cells; ++y)
    for (std::uint32_t x = 0; x <= cells; ++x) {
      const float fx = static_cast<float>(x);
      const float fy = static_cast<float>(y);
      mesh.vertices.emplace_back(fx, fy,
                                 2.0f * std::sin(0.21f * fx) * std::cos(0.17f * fy) + 0.3f * std::sin(1.3f * fx));
    }
  for (std::uint32_t y = 0; y < cells; ++y)
    for (std::uint32_t x = 0; x < cells; ++x) {
      const std::uint32_t a = y * (cells + 1) + x;
      mesh.triangles.push_back({a, a + 1, a + cells + 2});
      mesh.triangles.push_back({a, a + cells + 2, a + cells + 1});
      mesh.materials.insert(mesh.materials.end(), 2, static_cast<std::uint16_t>(x / 32 % 4));
    }
  return mesh;
}

/// Small triangles anywhere in a cube, with no corner in common.
inline TriangleMesh soup(std::uint32_t count, unsigned seed = 1) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> place(-100.0f, 100.0f);
  std::uniform_real_distribution<float> arm(-1.0f, 1.0f);
  const auto vector = [&](auto& from) {
    const float x = from(random);
    const float y = from(random);
    return Vec3(x, y, from(random));
  };
  TriangleMesh mesh;
  for (std::uint32_t i = 0; i < count; ++i) {
    const Vec3 at = vector(place);
    const Vec3 b = at + vector(arm);
    add_triangle(mesh, at, b, at + vector(arm), static_cast<std::uint16_t>(i % 3));
  }
  return mesh;
}

inline TriangleMesh ball(std::uint32_t rings, std::uint32_t sectors, float radius) {
  TriangleMesh mesh;
  for (std::uint32_t ring = 0; ring <= rings; ++ring)
    for (std::uint32_t sector = 0; sector < sectors; ++sector) {
      const double latitude = 3.14159265358979 * ring / rings;
      const double longitude = 2.0 * 3.14159265358979 * sector / sectors;
      mesh.vertices.push_back(radius * Vec3(std::sin(latitude) * std::cos(longitude),
                                            std::sin(latitude) * std::sin(longitude), std::cos(latitude)));
    }
  const auto at = [&](std::uint32_t ring, std::uint32_t sector) { return ring * sectors + sector % sectors; };
  for (std::uint32_t ring = 0; ring < rings; ++ring)
    for (std::uint32_t sector = 0; sector < sectors; ++sector) {
      if (ring > 0) mesh.triangles.push_back({at(ring, sector), at(ring + 1, sector), at(ring, sector + 1)});
      if (ring + 1 < rings)
        mesh.triangles.push_back({at(ring, sector + 1), at(ring + 1, sector), at(ring + 1, sector + 1)});
    }
  return mesh;
}

}  // namespace marrow::geometry::test
