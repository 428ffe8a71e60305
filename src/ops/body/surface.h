// SPDX-License-Identifier: MIT
// Normals and tangents of a mesh that was moved.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "marrow/model/body.h"

namespace marrow {

using Corners = std::array<std::uint16_t, 3>;

/// Returns the normals of vertices that turn with the surface: each stored normal, turned by the smallest rotation from
/// the old smooth normal of its group to the new one. Vertices with equal positions and normals are one group, so that
/// seams stay closed and hard edges hard. Nothing where a normal stays: a turn of less than a thousandth of a radian,
/// or a smooth normal that is noise.
std::vector<std::optional<Vec3>> turned_normals(const std::vector<Corners>& triangles, const std::vector<Vec3>& before,
                                                const std::vector<Vec3>& after, const std::vector<Vec3>& normals);

/// Returns the normals of a smooth surface: vertices with equal positions share one. Unit length; upwards where the
/// triangles around a vertex have no area.
std::vector<Vec3> smooth_normals_of(const std::vector<Corners>& triangles, const std::vector<Vec3>& positions);

/// Returns the tangent (+V) and bitangent (+U) of each vertex, square to its normal, as modding tools compute them.
std::vector<std::array<Vec3, 2>> tangents_of(const std::vector<Corners>& triangles, const std::vector<Vec3>& positions,
                                             const std::vector<Vec2>& uvs, const std::vector<Vec3>& normals);

/// Marks the corners of triangles with an edge that changed by more than rounding.
std::vector<bool> corners_of_changed_edges(const std::vector<Corners>& triangles, const std::vector<Vec3>& before,
                                           const std::vector<Vec3>& after);

}  // namespace marrow
