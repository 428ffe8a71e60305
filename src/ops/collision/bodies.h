// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "marrow/core/error.h"
#include "marrow/model/collision.h"

/// Bodies and shapes that go from one system to another.
namespace marrow {

/// Computes centre, axes, inertia and mass factor of a dynamic body anew; its mass stays. To be called after its shape
/// has changed. Does nothing to bodies that are not dynamic. Fails if the volume of the shape is not known.
Result<void> update_motion(CollisionSystem& system, std::size_t body);

/// Copies a shape, with all that it consists of, into another system and its unit. Fails if a class is not known.
Result<ShapeId> copy_shape(const CollisionSystem& from, ShapeId shape, CollisionSystem& to);

/// Gives a body the shape of a body of another system. Mass, motion, layer, flags, surface and joints stay; the
/// collision filter of a mesh becomes the body's, and the place of a sphere's body follows its centre.
Result<void> set_shape(CollisionSystem& system, std::size_t body, const CollisionSystem& from, std::size_t from_body);

/// Appends a body of another system with its shape, surface and motion. Joints stay behind. Returns its number.
Result<std::size_t> add_body(CollisionSystem& system, const CollisionSystem& from, std::size_t from_body);

/// Takes a body out, with its joints, and with motions, surfaces and shapes that nothing else uses. Bodies behind it
/// move up by one. `notes` reports joints that went along. Fails if it is the only body, or the body of a ragdoll bone.
Result<void> remove_body(CollisionSystem& system, std::size_t body, Notes& notes);

}  // namespace marrow
