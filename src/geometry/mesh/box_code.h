// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>

#include "marrow/geometry/solids/shapes.h"

namespace marrow::geometry {

/// Writes a box as three bytes against the decoded box of its parent: the tightest nibbles that still hold it. Returns
/// the box that a reader will decode. docs/formats/compressed-mesh.md describes the code.
Aabb code_box(const Aabb& target, const Aabb& parent, std::array<std::uint8_t, 3>& bytes);

}  // namespace marrow::geometry
