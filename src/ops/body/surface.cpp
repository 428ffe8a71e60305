// SPDX-License-Identifier: MIT
#include "ops/body/surface.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include <glm/geometric.hpp>

namespace marrow {
namespace {

using DVec3 = glm::dvec3;

// A turn below this is the rounding of floats in a mesh that was only moved.
constexpr double kLeastTurn = 0.001;
// A sum of normals that is shorter than this share of what was added has no direction of its own: two-sided leaves.
constexpr double kLeastSum = 0.001;

DVec3 unit(const DVec3& v) {
  const double length = glm::length(v);
  return length > 0.0 ? v / length : DVec3(0.0);
}

double turn_between(const DVec3& a, const DVec3& b) {
  return std::atan2(glm::length(glm::cross(a, b)), glm::dot(a, b));
}

// Vertices with equal positions whose normals agree to a thousandth share a number.
std::vector<std::uint32_t> smooth_groups(const std::vector<Vec3>& positions, const std::vector<Vec3>& normals) {
  std::map<std::tuple<float, float, float>, std::vector<std::uint32_t>> at;
  std::vector<std::uint32_t> group(positions.size());
  for (std::uint32_t i = 0; i < positions.size(); ++i) {
    auto& met = at[{positions[i].x, positions[i].y, positions[i].z}];
    const auto same = std::ranges::find_if(met, [&](std::uint32_t other) {
      const Vec3 apart = glm::abs(normals[i] - normals[other]);
      return apart.x <= 0.001f && apart.y <= 0.001f && apart.z <= 0.001f;
    });
    group[i] = same == met.end() ? i : group[*same];
    if (same == met.end()) met.push_back(i);
  }
  return group;
}

struct Smooth {
  std::vector<DVec3> sums;
  std::vector<double> angles;
};

Smooth smooth_normals(const std::vector<Corners>& triangles, const std::vector<Vec3>& positions,
                      const std::vector<std::uint32_t>& group) {
  Smooth smooth{std::vector<DVec3>(positions.size(), DVec3(0.0)), std::vector<double>(positions.size(), 0.0)};
  for (const Corners& triangle : triangles) {
    const std::array<DVec3, 3> p = {DVec3(positions[triangle[0]]), DVec3(positions[triangle[1]]),
                                    DVec3(positions[triangle[2]])};
    const DVec3 normal = unit(glm::cross(p[1] - p[0], p[2] - p[0]));
    if (normal == DVec3(0.0)) continue;
    for (std::size_t k = 0; k < 3; ++k) {
      const double angle = turn_between(p[(k + 1) % 3] - p[k], p[(k + 2) % 3] - p[k]);
      smooth.sums[group[triangle[k]]] += normal * angle;
      smooth.angles[group[triangle[k]]] += angle;
    }
  }
  return smooth;
}

// Turns a vector by the smallest rotation from one unit vector to another.
DVec3 turn(const DVec3& v, const DVec3& from, const DVec3& to) {
  const DVec3 axis = glm::cross(from, to);
  const double cosine = glm::dot(from, to);
  if (cosine < -0.999999) return -v;
  return v * cosine + glm::cross(axis, v) + axis * (glm::dot(axis, v) / (1.0 + cosine));
}

}  // namespace

std::vector<std::optional<Vec3>> turned_normals(const std::vector<Corners>& triangles, const std::vector<Vec3>& before,
                                                const std::vector<Vec3>& after, const std::vector<Vec3>& normals) {
  const std::vector<std::uint32_t> group = smooth_groups(before, normals);
  const Smooth old = smooth_normals(triangles, before, group), now = smooth_normals(triangles, after, group);
  std::vector<std::optional<Vec3>> turned(normals.size());
  for (std::size_t i = 0; i < normals.size(); ++i) {
    const std::uint32_t g = group[i];
    const bool is_noise =
        glm::length(old.sums[g]) <= kLeastSum * old.angles[g] || glm::length(now.sums[g]) <= kLeastSum * now.angles[g];
    if (is_noise) continue;
    const DVec3 from = unit(old.sums[g]), to = unit(now.sums[g]);
    if (turn_between(from, to) < kLeastTurn) continue;
    turned[i] = Vec3(turn(DVec3(normals[i]), from, to));
  }
  return turned;
}

std::vector<Vec3> smooth_normals_of(const std::vector<Corners>& triangles, const std::vector<Vec3>& positions) {
  const std::vector<std::uint32_t> group = smooth_groups(positions, std::vector<Vec3>(positions.size(), Vec3(0.0f)));
  const Smooth smooth = smooth_normals(triangles, positions, group);
  std::vector<Vec3> normals;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const DVec3 normal = unit(smooth.sums[group[i]]);
    normals.push_back(normal == DVec3(0.0) ? Vec3(0, 0, 1) : Vec3(normal));
  }
  return normals;
}

std::vector<std::array<Vec3, 2>> tangents_of(const std::vector<Corners>& triangles, const std::vector<Vec3>& positions,
                                             const std::vector<Vec2>& uvs, const std::vector<Vec3>& normals) {
  std::vector<DVec3> along_u(positions.size(), DVec3(0.0)), along_v(positions.size(), DVec3(0.0));
  for (const Corners& t : triangles) {
    const DVec3 e1 = DVec3(positions[t[1]]) - DVec3(positions[t[0]]),
                e2 = DVec3(positions[t[2]]) - DVec3(positions[t[0]]);
    const glm::dvec2 w1 = glm::dvec2(uvs[t[1]]) - glm::dvec2(uvs[t[0]]),
                     w2 = glm::dvec2(uvs[t[2]]) - glm::dvec2(uvs[t[0]]);
    const double r = w1.x * w2.y - w2.x * w1.y >= 0.0 ? 1.0 : -1.0;
    const DVec3 u = unit(r * (w2.y * e1 - w1.y * e2)), v = unit(r * (w1.x * e2 - w2.x * e1));
    for (const std::uint16_t corner : t) along_u[corner] += u, along_v[corner] += v;
  }
  std::vector<std::array<Vec3, 2>> tangents;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const DVec3 n = unit(DVec3(normals[i]));
    DVec3 u, v;
    if (along_u[i] == DVec3(0.0) || along_v[i] == DVec3(0.0)) {
      const DVec3 other(n.y, n.z, n.x);
      v = unit(other - n * glm::dot(other, n));
      u = glm::cross(n, v);
    } else {
      v = unit(along_v[i]);
      v = unit(v - n * glm::dot(v, n));
      u = unit(along_u[i]);
      u = unit(u - n * glm::dot(u, n) - v * glm::dot(u, v));
    }
    tangents.push_back({Vec3(v), Vec3(u)});
  }
  return tangents;
}

std::vector<bool> corners_of_changed_edges(const std::vector<Corners>& triangles, const std::vector<Vec3>& before,
                                           const std::vector<Vec3>& after) {
  std::vector<bool> is_changed(before.size());
  for (const Corners& triangle : triangles) {
    bool changed = false;
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint16_t a = triangle[k], b = triangle[(k + 1) % 3];
      const DVec3 old = DVec3(before[b]) - DVec3(before[a]), now = DVec3(after[b]) - DVec3(after[a]);
      changed |= glm::distance(old, now) > 0.0001 + 0.001 * glm::length(old);
    }
    for (const std::uint16_t corner : triangle) is_changed[corner] = is_changed[corner] || changed;
  }
  return is_changed;
}

}  // namespace marrow
