// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "marrow/core/error.h"
#include "marrow/core/limits.h"
#include "marrow/model/transform.h"
#include "marrow/nif/nif_file.h"

namespace marrow {

/// A visible shape of the scene: triangles in its own space, in game units.
struct NifShape {
  std::int32_t block = kNoBlock;
  std::string type;
  std::string name;
  std::int32_t parent = kNoBlock;  ///< block of the node that it hangs on
  Transform local;                 ///< to the parent node
  Transform world;                 ///< to the root's parent
  std::string material;            ///< name of its shader property, as `Materials\Gore\GoreHumanLeg.BGSM`
  bool is_skinned = false;         ///< its vertices are in the space of the skin, not of the node
  std::vector<Vec3> vertices;
  std::vector<std::array<std::uint16_t, 3>> triangles;

  bool operator==(const NifShape&) const = default;
};

/// Reads every BSTriShape, BSSubIndexTriShape, BSMeshLODTriShape and BSDynamicTriShape, in block order. Vertices may be
/// stored in half or full precision. Shapes whose geometry is in another file (precombined ones) have no vertices. Safe
/// on untrusted bytes: a block that is too short for what it says, or a corner past the last vertex, is an error.
Result<std::vector<NifShape>> read_shapes(const NifFile& file, const Limits& limits = {});

}  // namespace marrow
