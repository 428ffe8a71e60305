// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "geometry/solids/solid.h"
#include "marrow/core/error.h"

namespace marrow::geometry {

/// A mesh made fit for cutting: moved and scaled to the size of 1, corners at one place joined, faces turned to look
/// the same way, small holes closed.
struct PreparedMesh {
  std::vector<Solid> parts;                   ///< that do not touch each other, or all in few if there are too many
  std::vector<std::array<DVec3, 3>> surface;  ///< every triangle, as parts have them, and those that close holes
  bool is_closed = true;                      ///< false: some part is a surface without an inside
  DVec3 center{0.0};
  double scale = 1.0;  ///< a power of two; prepared = (place - center) * scale
  Notes notes;         ///< what was done to it

  DVec3 restored(const DVec3& place) const { return place / scale + center; }
};

/// Prepares a mesh whose indices are in range and whose vertices are finite. The extent must be above 0.
PreparedMesh prepare(const TriangleMesh& mesh);

}  // namespace marrow::geometry
