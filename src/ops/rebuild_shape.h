// SPDX-License-Identifier: MIT
// Shapes from edited surfaces of theirs.
#pragma once

#include <span>

#include "ops/compare_surface.h"

namespace marrow {

/// Changes the shape in the slot of `old` to what its surface has become. `before` is the system that `old` shows.
/// `solid` says that it shows hulls with their convex radius. Returns false if nothing has changed. The compounds above
/// and the motion of the body are not updated, see `finish_shapes`.
Result<bool> rebuild_shape(CollisionSystem& system, const CollisionSystem& before, const CollisionMesh& old,
                           const ReturnedSurface& now, const SurfaceMatch& match, bool solid, Notes& notes);

/// Adds the hull of a surface to a body, which becomes a compound if it is not one.
Result<void> add_child(CollisionSystem& system, std::size_t body, const ReturnedSurface& surface);
/// Takes children out of a body's compound. `children` are sorted.
void remove_children(CollisionSystem& system, std::size_t body, std::span<const std::uint32_t> children);

}  // namespace marrow
