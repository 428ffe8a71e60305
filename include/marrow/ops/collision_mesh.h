// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "marrow/ops/document.h"

namespace marrow {

/// The surface of one shape, to be looked at or edited.
struct CollisionMesh {
  std::string name;                                     ///< `Node`, `Node.body2`, `Node.body2.child5`
  Transform placement;                                  ///< of the node, in game units
  std::vector<Vec3> vertices;                           ///< in the space of the node, in game units
  std::vector<std::array<std::uint32_t, 3>> triangles;  ///< counter-clockwise seen from outside
  std::vector<std::uint32_t> materials;                 ///< CRC, one per triangle
};

struct CollisionMeshOptions {
  /// With their convex radius, as things touch them; otherwise the vertices that the file holds.
  bool solid = false;
  /// Segments round a sphere or capsule.
  std::uint32_t segments = 16;
};

/// Returns the surfaces of every shape of one system, one for each node that uses its body; a compound gives one for
/// each child. A shape that is not understood is left out, with a note.
std::vector<CollisionMesh> collision_meshes(const DocumentCollision& collision, const CollisionMeshOptions& options,
                                            Notes& notes);
/// The same for all systems of a document. Fails with `NoCollision` if there is nothing to show.
Result<std::vector<CollisionMesh>> shown_meshes(const Document& document, const CollisionMeshOptions& options,
                                                Notes& notes);

/// Returns a colour for a material, the same in every file: red, green, blue from 0 to 1.
Vec3 material_colour(std::uint32_t crc);

}  // namespace marrow
