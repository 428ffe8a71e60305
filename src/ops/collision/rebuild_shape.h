// SPDX-License-Identifier: MIT
// Shapes from edited surfaces of theirs.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "ops/collision/compare_surface.h"

namespace marrow {

/// What rebuilding has done to a shape.
struct RebuiltShape {
  bool has_changed = false;
  std::string what = {};  ///< in words, if it has changed: "it stays a capsule"
};

/// Changes the shape in the slot of `old` to what its surface has become. `before` is the system that `old` shows.
/// `solid` says that it shows hulls with their convex radius. The compounds above and the motion of the body are not
/// updated, see `finish_shapes`.
Result<RebuiltShape> rebuild_shape(CollisionSystem& system, const CollisionSystem& before, const CollisionMesh& old,
                                   const ReturnedSurface& now, const SurfaceMatch& match, bool solid);

/// A child for a body.
struct NewChild {
  ReturnedSurface surface;               ///< in the space of the body's node, in game units
  const CollisionMesh* model = nullptr;  ///< the shape that it is a copy of, which says its kind; else it is a hull
  /// For a copy whose surface is that of its model, only in another place: that place, in the space of the model.
  std::optional<Frame> moved = {};
};

/// Adds a child to a body, which becomes a compound if it is not one. Returns the kind of the child, as `list` names
/// it.
Result<std::string> add_child(CollisionSystem& system, const CollisionSystem& before, std::size_t body,
                              const NewChild& child, bool solid);
/// Takes children out of a body's compound. `children` are sorted.
void remove_children(CollisionSystem& system, std::size_t body, std::span<const std::uint32_t> children);

}  // namespace marrow
