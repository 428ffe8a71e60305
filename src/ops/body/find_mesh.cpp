// SPDX-License-Identifier: MIT
#include "ops/body/find_mesh.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include <glm/geometric.hpp>

#include "marrow/core/text.h"
#include "ops/body/joint_axes.h"

namespace marrow {
namespace {

using Corners = std::array<std::uint16_t, 3>;

constexpr float kHere = 0.002f;  // units, and 8 parts in a million
/// Of the vertices of a mesh that was renamed, and of the triangles of one that was joined.
constexpr double kRenamed = 0.5, kJoined = 0.9;

/// Positions, sorted by x.
class PlaceIndex {
 public:
  explicit PlaceIndex(const std::vector<Vec3>& positions) : positions_(positions) {
    for (std::size_t i = 0; i < positions.size(); ++i) by_x_.push_back(static_cast<std::uint32_t>(i));
    std::ranges::sort(by_x_, {}, [&](std::uint32_t i) { return std::pair(positions[i].x, i); });
  }

  // Calls `action` with each one that is where `place` is.
  template <class Action>
  void at(const Vec3& place, Action&& action) const {
    const float margin = kHere + 8e-6f * std::max({std::abs(place.x), std::abs(place.y), std::abs(place.z)});
    const auto x_of = [&](std::uint32_t i) { return positions_[i].x; };
    for (auto at = std::ranges::lower_bound(by_x_, place.x - margin, {}, x_of);
         at != by_x_.end() && x_of(*at) <= place.x + margin; ++at)
      if (glm::distance(positions_[*at], place) <= margin) action(*at);
  }

  bool has(const Vec3& place) const {
    bool found = false;
    at(place, [&](std::uint32_t) { found = true; });
    return found;
  }

 private:
  const std::vector<Vec3>& positions_;
  std::vector<std::uint32_t> by_x_;
};

// A mesh in the space of a shape, whatever bones it has besides; nothing if it cannot be brought there.
std::optional<std::vector<Vec3>> positions_in(const DocumentBody& mesh, const BodyShape& shape,
                                              const BonePlaces& places) {
  if (mesh.shape.is_skinned != shape.is_skinned) return std::nullopt;
  DocumentBody known = mesh;
  const auto is_bone = [&](const std::string& name) {
    return std::ranges::any_of(shape.bones, [&](const BodyBone& own) { return equal_ignoring_case(own.name, name); });
  };
  // Weights of bones that only the other shape has do not matter: such vertices are not this shape's.
  std::vector<bool> is_foreign(mesh.shape.positions.size());
  for (std::size_t i = 0; i < known.shape.weights.size(); ++i)
    for (std::size_t k = 0; k < 4; ++k) {
      const std::uint16_t bone = known.shape.weights[i].bones[k];
      if (!(known.shape.weights[i].weights[k] > 0.0f) || is_bone(known.shape.bones[bone].name)) continue;
      known.shape.weights[i].weights[k] = 0.0f;
      known.shape.weights[i].bones[k] = 0;
      is_foreign[i] = true;
    }
  const auto moved = bring_into_space(known, shape, Joints(shape), places);
  if (!moved) return std::nullopt;
  std::vector<Vec3> positions = moved->mesh.positions;
  for (std::size_t i = 0; i < positions.size(); ++i)
    if (is_foreign[i]) positions[i] = Vec3(std::numeric_limits<float>::max());
  return positions;
}

bool is_renamed(const BodyShape& shape, const std::vector<Vec3>& positions) {
  const PlaceIndex there(positions);
  const auto found = std::ranges::count_if(shape.positions, [&](const Vec3& p) { return there.has(p); });
  return found >= 3 && static_cast<double>(found) >= kRenamed * static_cast<double>(shape.positions.size());
}

/// Which triangles of a mesh are those of a shape, if nearly all of them are there.
std::optional<std::vector<bool>> triangles_of(const BodyShape& shape, const std::vector<Vec3>& positions,
                                              const std::vector<Corners>& triangles) {
  // Vertices in one place are one corner, named by the first of them in the shape.
  const PlaceIndex own(shape.positions);
  const auto corner_at = [&](const Vec3& place) {
    std::uint32_t first = 0xFFFFFFFF;
    own.at(place, [&](std::uint32_t i) { first = std::min(first, i); });
    return first;
  };
  using Key = std::array<std::uint32_t, 3>;
  const auto rotated = [](Key key) {
    std::ranges::rotate(key, std::ranges::min_element(key));
    return key;
  };
  std::vector<std::uint32_t> corner_of;
  for (const Vec3& place : shape.positions) corner_of.push_back(corner_at(place));
  std::map<Key, std::size_t> wanted;
  for (const Corners& each : shape.triangles)
    ++wanted[rotated({corner_of[each[0]], corner_of[each[1]], corner_of[each[2]]})];
  std::vector<std::uint32_t> met;
  for (const Vec3& place : positions) met.push_back(corner_at(place));
  std::vector<bool> is_own(triangles.size());
  std::size_t count = 0;
  for (std::size_t i = 0; i < triangles.size(); ++i) {
    const auto found = wanted.find(rotated({met[triangles[i][0]], met[triangles[i][1]], met[triangles[i][2]]}));
    if (found == wanted.end() || found->second == 0) continue;
    --found->second;
    is_own[i] = true;
    ++count;
  }
  if (static_cast<double>(count) < kJoined * static_cast<double>(shape.triangles.size())) return std::nullopt;
  return is_own;
}

template <class T>
std::vector<T> chosen(const std::vector<T>& all, const std::vector<std::uint16_t>& which, std::size_t count) {
  std::vector<T> out;
  for (const std::uint16_t i : which)
    if (all.size() == count) out.push_back(all[i]);
  return out;
}

// The part of a mesh that has these triangles, with the vertices that it uses.
DocumentBody part_of(const DocumentBody& mesh, const std::vector<bool>& is_in, bool wanted) {
  DocumentBody part = mesh;
  const std::size_t count = mesh.shape.positions.size();
  std::vector<std::uint16_t> used;
  std::vector<int> number(count, -1);
  part.shape.triangles.clear();
  for (std::size_t i = 0; i < is_in.size(); ++i)
    if (is_in[i] == wanted) {
      part.shape.triangles.push_back(mesh.shape.triangles[i]);
      for (const std::uint16_t corner : mesh.shape.triangles[i]) number[corner] = 0;
    }
  for (std::size_t i = 0; i < count; ++i)
    if (number[i] == 0) {
      number[i] = static_cast<int>(used.size());
      used.push_back(static_cast<std::uint16_t>(i));
    }
  for (Corners& triangle : part.shape.triangles)
    for (std::uint16_t& corner : triangle) corner = static_cast<std::uint16_t>(number[corner]);
  part.shape.normals = chosen(mesh.shape.normals, used, count);
  part.shape.uvs = chosen(mesh.shape.uvs, used, count);
  part.shape.colors = chosen(mesh.shape.colors, used, count);
  part.shape.weights = chosen(mesh.shape.weights, used, count);
  part.shape.positions = chosen(mesh.shape.positions, used, count);
  return part;
}

}  // namespace

void find_by_place(const std::vector<BodyShape>& shapes, const BonePlaces& places, std::vector<DocumentBody>& meshes,
                   std::vector<int>& match, Context& context) {
  for (std::size_t s = 0; s < shapes.size(); ++s) {
    const BodyShape& shape = shapes[s];
    const auto own = static_cast<int>(s);
    if (shape.triangles.empty() || std::ranges::find(match, own) != match.end()) continue;
    for (std::size_t m = 0; m < meshes.size(); ++m) {
      const auto positions = positions_in(meshes[m], shape, places);
      if (!positions) continue;
      const std::string where = "mesh '" + meshes[m].shape.name + "'";
      if (match[m] < 0 && is_renamed(shape, *positions)) {
        match[m] = own;
        context.note("it is shape '" + shape.name + "', renamed", where);
        break;
      }
      const auto is_own = triangles_of(shape, *positions, meshes[m].shape.triangles);
      if (!is_own || std::ranges::find(*is_own, false) == is_own->end()) continue;
      context.note("shape '" + shape.name + "' was joined with it, and is a shape of its own again", where);
      DocumentBody rest = part_of(meshes[m], *is_own, false);
      meshes.push_back(part_of(meshes[m], *is_own, true));
      match.push_back(own);
      meshes[m] = std::move(rest);
      break;
    }
  }
}

}  // namespace marrow
