// SPDX-License-Identifier: MIT
// Concave solids made by rule, each one closed surface: what decompositions are measured on.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <glm/geometric.hpp>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "marrow/geometry/solids/shapes.h"

namespace marrow::geometry::test {

/// A box between two corners.
struct Block {
  Vec3 low;
  Vec3 high;
};

/// Adds the quad a, b, c, d as two triangles.
inline void add_quad(TriangleMesh& mesh, std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
  mesh.triangles.push_back({a, b, c});
  mesh.triangles.push_back({a, c, d});
}

/// Returns the closed surface of the union of `solid` blocks without the `hollow` ones. Blocks may touch and overlap:
/// the surface is that of the cells of the grid that all their sides span.
inline TriangleMesh union_of(std::span<const Block> solid, std::span<const Block> hollow = {}) {
  std::array<std::vector<float>, 3> sides;
  for (std::span<const Block> blocks : {solid, hollow})
    for (const Block& block : blocks)
      for (int axis = 0; axis < 3; ++axis)
        for (float side : {block.low[axis], block.high[axis]}) sides[static_cast<std::size_t>(axis)].push_back(side);
  for (std::vector<float>& axis : sides) {
    std::sort(axis.begin(), axis.end());
    axis.erase(std::unique(axis.begin(), axis.end()), axis.end());
  }
  using Cell = std::array<int, 3>;
  const auto side = [&](int axis, int i) { return sides[static_cast<std::size_t>(axis)][static_cast<std::size_t>(i)]; };
  const auto count = [&](int axis) { return static_cast<int>(sides[static_cast<std::size_t>(axis)].size()); };
  const auto is_in = [&](std::span<const Block> blocks, const Cell& cell) {
    return std::any_of(blocks.begin(), blocks.end(), [&](const Block& block) {
      for (int axis = 0; axis < 3; ++axis) {
        const int i = cell[static_cast<std::size_t>(axis)];
        if (i < 0 || i + 1 >= count(axis)) return false;
        if (side(axis, i) < block.low[axis] || side(axis, i + 1) > block.high[axis]) return false;
      }
      return true;
    });
  };
  const auto filled = [&](const Cell& cell) { return is_in(solid, cell) && !is_in(hollow, cell); };

  TriangleMesh mesh;
  std::map<Cell, std::uint32_t> numbers;
  const auto corner = [&](const Cell& at) {
    const auto [found, is_new] = numbers.try_emplace(at, static_cast<std::uint32_t>(mesh.vertices.size()));
    if (is_new) mesh.vertices.emplace_back(side(0, at[0]), side(1, at[1]), side(2, at[2]));
    return found->second;
  };
  for (int x = 0; x + 1 < count(0); ++x)
    for (int y = 0; y + 1 < count(1); ++y)
      for (int z = 0; z + 1 < count(2); ++z) {
        const Cell cell = {x, y, z};
        if (!filled(cell)) continue;
        for (std::size_t axis = 0; axis < 3; ++axis)
          for (int step : {0, 1}) {
            Cell next = cell;
            next[axis] += step == 0 ? -1 : 1;
            if (filled(next)) continue;
            const std::size_t u = (axis + 1) % 3;
            const std::size_t v = (axis + 2) % 3;
            std::array<Cell, 4> loop = {cell, cell, cell, cell};
            for (Cell& at : loop) at[axis] += step;
            ++loop[1][u], ++loop[2][u], ++loop[2][v], ++loop[3][v];
            if (step == 0) std::swap(loop[1], loop[3]);
            add_quad(mesh, corner(loop[0]), corner(loop[1]), corner(loop[2]), corner(loop[3]));
          }
      }
  return mesh;
}

inline TriangleMesh letter_l() {
  const std::array<Block, 2> blocks = {{{{0, 0, 0}, {3, 1, 1}}, {{0, 0, 0}, {1, 3, 1}}}};
  return union_of(blocks);
}

/// Two bars across each other.
inline TriangleMesh letter_x() {
  const std::array<Block, 2> blocks = {{{{-2, -0.4f, 0}, {2, 0.4f, 0.8f}}, {{-0.4f, -2, 0}, {0.4f, 2, 0.8f}}}};
  return union_of(blocks);
}

/// Stairs that are solid down to the floor.
inline TriangleMesh stairs(int steps) {
  std::vector<Block> blocks;
  for (int i = 0; i < steps; ++i)
    blocks.push_back({{0.3f * static_cast<float>(i), 0, 0},
                      {0.3f * static_cast<float>(steps), 1.2f, 0.2f * static_cast<float>(i + 1)}});
  return union_of(blocks);
}

inline TriangleMesh table() {
  std::vector<Block> blocks = {{{0, 0, 0.9f}, {2, 1.2f, 1}}};
  for (float x : {0.1f, 1.75f})
    for (float y : {0.1f, 0.95f}) blocks.push_back({{x, y, 0}, {x + 0.15f, y + 0.15f, 0.9f}});
  return union_of(blocks);
}

/// Four legs, a seat, two posts and a rail.
inline TriangleMesh chair() {
  std::vector<Block> blocks = {{{0, 0, 0.5f}, {0.6f, 0.6f, 0.58f}}, {{0, 0.52f, 1.05f}, {0.6f, 0.6f, 1.3f}}};
  for (float x : {0.0f, 0.52f}) {
    for (float y : {0.0f, 0.52f}) blocks.push_back({{x, y, 0}, {x + 0.08f, y + 0.08f, 0.5f}});
    blocks.push_back({{x, 0.52f, 0.58f}, {x + 0.08f, 0.6f, 1.05f}});
  }
  return union_of(blocks);
}

/// A seat on a step, with a high back and two arms that stand on it.
inline TriangleMesh throne() {
  const std::array<Block, 6> blocks = {{{{-0.9f, -0.9f, 0}, {0.9f, 0.7f, 0.2f}},
                                        {{-0.6f, -0.5f, 0.2f}, {0.6f, 0.5f, 0.7f}},
                                        {{-0.6f, 0.3f, 0.7f}, {0.6f, 0.5f, 2.2f}},
                                        {{-0.6f, -0.5f, 0.7f}, {-0.4f, 0.3f, 1.05f}},
                                        {{0.4f, -0.5f, 0.7f}, {0.6f, 0.3f, 1.05f}},
                                        {{-0.25f, 0.3f, 2.2f}, {0.25f, 0.5f, 2.5f}}}};
  return union_of(blocks);
}

/// A closed house of thick walls with an empty inside and a door.
inline TriangleMesh room(bool with_door = true) {
  const std::array<Block, 1> outside = {{{{0, 0, 0}, {4, 3, 2.6f}}}};
  std::vector<Block> hollow = {{{0.25f, 0.25f, 0.25f}, {3.75f, 2.75f, 2.35f}}};
  if (with_door) hollow.push_back({{1.5f, 0, 0.25f}, {2.5f, 0.25f, 2.0f}});
  return union_of(outside, hollow);
}

/// A place in the plane, as distance from an axis and height along it.
struct Profile {
  double radius;
  double height;
};

/// Turns a closed profile, counter-clockwise with the radius to the right, about the z axis. A radius of 0 is a pole.
inline TriangleMesh turned(std::span<const Profile> profile, std::uint32_t sectors) {
  TriangleMesh mesh;
  std::vector<std::vector<std::uint32_t>> rings;
  for (const Profile& at : profile) {
    std::vector<std::uint32_t> ring;
    for (std::uint32_t i = 0; i < sectors; ++i) {
      if (i == 0 || at.radius > 0.0) {
        const double angle = 6.283185307179586 * i / sectors;
        mesh.vertices.emplace_back(at.radius * std::cos(angle), at.radius * std::sin(angle), at.height);
      }
      ring.push_back(static_cast<std::uint32_t>(mesh.vertices.size() - 1));
    }
    rings.push_back(std::move(ring));
  }
  for (std::size_t j = 0; j < rings.size(); ++j) {
    const auto& ring = rings[j];
    const auto& next = rings[j + 1 == rings.size() ? 0 : j + 1];
    for (std::uint32_t i = 0; i < sectors; ++i) {
      const std::uint32_t k = i + 1 == sectors ? 0 : i + 1;
      for (const std::array<std::uint32_t, 3>& t : {std::array{ring[i], ring[k], next[k]}, {ring[i], next[k], next[i]}})
        if (t[0] != t[1] && t[1] != t[2] && t[2] != t[0]) mesh.triangles.push_back(t);
    }
  }
  return mesh;
}

inline TriangleMesh torus(std::uint32_t around = 40, std::uint32_t across = 16, double radius = 2.0,
                          double tube = 0.5) {
  std::vector<Profile> profile;
  for (std::uint32_t i = 0; i < across; ++i) {
    const double angle = 6.283185307179586 * i / across;
    profile.push_back({radius + tube * std::cos(angle), tube * std::sin(angle)});
  }
  return turned(profile, around);
}

/// Half a hollow ball with a rim, open upwards.
inline TriangleMesh bowl(std::uint32_t sectors = 32, std::uint32_t rings = 10) {
  std::vector<Profile> profile;
  for (std::uint32_t i = 0; i <= rings; ++i) {
    const double angle = 1.5707963267948966 * i / rings;
    profile.push_back({i == 0 ? 0.0 : std::sin(angle), -std::cos(angle)});
  }
  for (std::uint32_t i = rings + 1; i-- > 0;) {
    const double angle = 1.5707963267948966 * i / rings;
    profile.push_back({i == 0 ? 0.0 : 0.8 * std::sin(angle), -0.8 * std::cos(angle)});
  }
  return turned(profile, sectors);
}

/// A band of quads between two polylines in the plane y = 0, as thick as `depth`: a solid with as many blocks as the
/// polylines have steps. `inner` runs clockwise about `outer`'s side of it.
inline TriangleMesh band(std::span<const Profile> outer, std::span<const Profile> inner, double depth) {
  TriangleMesh mesh;
  const std::uint32_t n = static_cast<std::uint32_t>(outer.size());
  for (double y : {0.0, depth})
    for (std::span<const Profile> line : {outer, inner})
      for (const Profile& at : line) mesh.vertices.emplace_back(at.radius, y, at.height);
  const std::uint32_t o = 0, i = n, back = 2 * n;
  for (std::uint32_t k = 0; k + 1 < n; ++k) {
    add_quad(mesh, i + k, i + k + 1, o + k + 1, o + k);                              // front, seen from -y
    add_quad(mesh, back + i + k + 1, back + i + k, back + o + k, back + o + k + 1);  // back
    add_quad(mesh, back + o + k + 1, back + o + k, o + k, o + k + 1);                // outside
    add_quad(mesh, back + i + k, back + i + k + 1, i + k + 1, i + k);                // inside
  }
  add_quad(mesh, back + o, back + i, i, o);
  add_quad(mesh, back + i + n - 1, back + o + n - 1, o + n - 1, i + n - 1);
  return mesh;
}

/// Two pillars and half a ring of `blocks` stones on them.
inline TriangleMesh arch(int blocks = 16) {
  std::vector<Profile> outer = {{-1.5, 0}};
  std::vector<Profile> inner = {{-1, 0}};
  for (int i = 0; i <= blocks; ++i) {
    const double angle = 3.141592653589793 * (1.0 - static_cast<double>(i) / blocks);
    outer.push_back({1.5 * std::cos(angle), 1.5 + 1.5 * std::sin(angle)});
    inner.push_back({std::cos(angle), 1.5 + std::sin(angle)});
  }
  outer.push_back({1.5, 0});
  inner.push_back({1, 0});
  return band(outer, inner, 0.6);
}

/// A cup of `sectors` sides with a handle as wide as one of them: one surface.
inline TriangleMesh mug(std::uint32_t sectors = 24, int bends = 10) {
  const std::array<Profile, 9> profile = {
      {{0, 0}, {1, 0}, {1, 0.5}, {1, 0.8}, {1, 1.5}, {1, 1.8}, {1, 2.2}, {0.82, 2.2}, {0.82, 0.2}}};
  std::vector<Profile> closed(profile.begin(), profile.end());
  closed.push_back({0, 0.2});
  TriangleMesh mesh = turned(closed, sectors);
  // The side between sector 0 and 1 opens where the handle is: from 0.5 to 0.8 and from 1.5 to 1.8.
  const auto at = [&](float height, std::uint32_t sector) {
    const double angle = 6.283185307179586 * sector / sectors;
    const Vec3 place(std::cos(angle), std::sin(angle), height);
    std::uint32_t best = 0;
    for (std::uint32_t i = 0; i < mesh.vertices.size(); ++i)
      if (glm::distance(mesh.vertices[i], place) < glm::distance(mesh.vertices[best], place)) best = i;
    return best;
  };
  using Ring = std::array<std::uint32_t, 4>;
  const Ring low = {at(0.5f, 0), at(0.5f, 1), at(0.8f, 1), at(0.8f, 0)};
  const Ring high = {at(1.8f, 0), at(1.8f, 1), at(1.5f, 1), at(1.5f, 0)};
  std::erase_if(mesh.triangles, [&](const std::array<std::uint32_t, 3>& triangle) {
    const auto all_in = [&](const Ring& ring) {
      return std::all_of(triangle.begin(), triangle.end(),
                         [&](std::uint32_t i) { return std::find(ring.begin(), ring.end(), i) != ring.end(); });
    };
    return all_in(low) || all_in(high);
  });
  // Half a turn from the lower opening to the upper one, about the height 1.15: outer radius 0.65, inner 0.35.
  const Vec3 left = mesh.vertices[low[0]];
  const Vec3 right = mesh.vertices[low[1]];
  const Vec3 out = glm::normalize(Vec3(left.x + right.x, left.y + right.y, 0.0f));
  Ring last = low;
  for (int i = 1; i <= bends; ++i) {
    Ring next = high;
    if (i < bends) {
      const double angle = 3.141592653589793 * i / bends;
      const auto place = [&](const Vec3& side, double radius) {
        const Vec3 arm = out * static_cast<float>(radius * std::sin(angle));
        mesh.vertices.push_back(Vec3(side.x, side.y, 1.15 - radius * std::cos(angle)) + arm);
        return static_cast<std::uint32_t>(mesh.vertices.size() - 1);
      };
      next = {place(left, 0.65), place(right, 0.65), place(right, 0.35), place(left, 0.35)};
    }
    for (std::size_t k = 0; k < 4; ++k) add_quad(mesh, last[k], last[(k + 1) % 4], next[(k + 1) % 4], next[k]);
    last = next;
  }
  return mesh;
}

/// A shape with the most hulls that it may take, and whether all its sides are flat: then the hulls have to keep its
/// volume to 2 %.
struct NamedShape {
  std::string name;
  TriangleMesh mesh;
  std::uint32_t most_hulls = 0;
  bool is_polyhedral = true;
};

inline std::vector<NamedShape> concave_shapes() {
  return {{"L", letter_l(), 2},        {"X", letter_x(), 3},        {"stairs 4", stairs(4), 6},
          {"stairs 8", stairs(8), 10}, {"chair", chair(), 8},       {"table", table(), 6},
          {"arch", arch(), 10},        {"throne", throne(), 8},     {"torus", torus(), 12, false},
          {"mug", mug(), 16, false},   {"bowl", bowl(), 24, false}, {"room", room(), 8}};
}

}  // namespace marrow::geometry::test
