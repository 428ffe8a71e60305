// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "marrow/geometry/solids/shapes.h"
#include "marrow/model/collision.h"

/// Mass and motion of Skyrim's bodies. docs/formats/bhk.md, "Mass", has the rules.
namespace marrow::bhk {

/// Returns centre and inertia of a body of a mass: spheres, capsules and boxes as solids, hulls one and a half times,
/// lists as children of equal mass, meshes as their box. Only the diagonal, as the games' files have it. Nothing for
/// shapes of an unknown kind.
std::optional<LocalMass> measure(const CollisionSystem& system, const Shape& shape, float mass_kg);

/// Returns how deep other bodies may sink in before they are pushed out, in Havok units.
float penetration_depth(const CollisionSystem& system, const Shape& shape, bool moves);

/// Returns the box around a shape, with convex radii. Empty if it is not known.
geometry::Aabb bounds(const CollisionSystem& system, const Shape& shape);

/// Gives a body the numbers that the games' files have for its motion, and mass, centre, inertia and penetration depth
/// by its shape. Its layer must be set. Fails if it is to be dynamic and its shape is not known.
Result<void> set_motion(CollisionSystem& system, std::size_t body, MotionType type, float mass_kg);

/// Returns what the games' files have in a new body that does not move.
SkyrimBody new_body();
MotionProperties new_motion_properties();

}  // namespace marrow::bhk
