// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "marrow/ops/document/document.h"

namespace marrow {

/// The place of a shape in the systems of a document.
struct ShapeSlot {
  std::size_t system = 0;  ///< of `Document::collision`
  std::size_t body = 0;
  std::vector<std::uint32_t> path = {};     ///< the child of each compound on the way to it; empty: the body's own
  std::optional<std::uint32_t> solid = {};  ///< a solid that is merged into a mesh

  bool operator==(const ShapeSlot&) const = default;
};

/// The surface of one shape, to be looked at or edited.
struct CollisionMesh {
  std::string name;  ///< `Node`, `Node.body2`, `Node.body2.child5`
  ShapeSlot slot;
  Transform placement;                                  ///< of the node, in game units
  std::vector<Vec3> vertices;                           ///< in the space of the node, in game units
  std::vector<std::array<std::uint32_t, 3>> triangles;  ///< counter-clockwise seen from outside
  std::vector<std::uint32_t> materials;                 ///< CRC, one per triangle
  std::optional<std::size_t> node = {};                 ///< of `DocumentCollision::nodes`; none without a NIF
  CollisionGame game = CollisionGame::Fallout4;         ///< whose materials they are
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
/// The same for all systems of a document; every name is different. Fails with `NoCollision` if there is nothing to
/// show.
Result<std::vector<CollisionMesh>> shown_meshes(std::span<const DocumentCollision> systems,
                                                const CollisionMeshOptions& options, Notes& notes);
Result<std::vector<CollisionMesh>> shown_meshes(const Document& document, const CollisionMeshOptions& options,
                                                Notes& notes);

/// Returns a colour for a material, the same in every file: red, green, blue from 0 to 1.
Vec3 material_colour(std::uint32_t crc);
/// Returns a see-through colour for a shape that is to be looked at: by its material, and different for each body.
Vec4 shown_colour(std::uint32_t crc, const ShapeSlot& slot);

}  // namespace marrow
