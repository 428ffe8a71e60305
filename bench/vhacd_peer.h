// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "marrow/geometry/solids/shapes.h"

namespace marrow::bench {

/// True if V-HACD was there when the benchmarks were configured.
bool has_vhacd();

/// Returns the corners of the hulls that V-HACD 4 makes of a mesh, at most `max_hulls` of them; its other parameters
/// are its own defaults. Empty without V-HACD.
std::vector<std::vector<geometry::Vec3>> vhacd_hulls(const geometry::TriangleMesh& mesh, std::uint32_t max_hulls);

}  // namespace marrow::bench
