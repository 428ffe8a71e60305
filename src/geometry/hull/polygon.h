// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "marrow/geometry/solids/shapes.h"

namespace marrow::geometry {

/// Cuts a polygon into triangles and appends them, with its winding: a fan where it is convex, ears else. Corners that
/// cross themselves still give corners - 2 triangles. At least three corners, all inside `vertices`.
void triangulate(std::span<const Vec3> vertices, std::span<const std::uint32_t> corners,
                 std::vector<std::array<std::uint32_t, 3>>& triangles);

}  // namespace marrow::geometry
