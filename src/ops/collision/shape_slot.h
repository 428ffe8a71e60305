// SPDX-License-Identifier: MIT
// Shapes inside bodies, found and replaced by their place.
#pragma once

#include <optional>

#include "ops/collision/mesh.h"

namespace marrow {

/// A shape of a body, and how its space lies in the body's: scaled, then rotated, then moved.
struct PlacedShape {
  ShapeId shape = ShapeId::None;
  Frame frame = {};
  Vec3 scale{1.0f};
};

/// Returns the shape in a slot; nothing if there is none.
std::optional<PlacedShape> find_slot(const CollisionSystem& system, const ShapeSlot& slot);

/// Returns the shape in a slot, to be changed: copied first if another body or another compound uses it too. The slot
/// must exist.
Shape& own_shape(CollisionSystem& system, const ShapeSlot& slot);

/// Computes bounds and trees of the compounds of a body, and its mass properties, after shapes in it have changed.
Result<void> finish_shapes(CollisionSystem& system, std::size_t body);

}  // namespace marrow
