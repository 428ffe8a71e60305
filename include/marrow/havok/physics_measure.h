// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "marrow/core/error.h"
#include "marrow/geometry/hull.h"
#include "marrow/geometry/mass.h"
#include "marrow/geometry/shapes.h"
#include "marrow/model/collision.h"

/// How large and how heavy the game takes shapes to be. Lengths are in the unit of the system.
namespace marrow::havok {

/// The part of a capsule's radius that is stored as its convex radius; the rest is the thickness of its core.
inline constexpr float kCapsuleRadiusPart = 0.99f;

/// The convex core of a polytope or capsule with its radius; nothing for other shapes.
std::optional<geometry::Hull> hull_of(const Shape& shape);
/// A polytope shape of a hull, with its mass properties.
Shape shape_of(const geometry::Hull& hull);

/// The box along the axes around a shape that stands at `frame`. A mesh and a compound count with the corners of their
/// own boxes. Empty for shapes that are not understood.
geometry::Aabb bounds_of(const CollisionSystem& system, const Shape& shape, const Frame& frame = {},
                         const Vec3& scale = Vec3(1.0f));

/// Volume, centre and inertia as the game computes them: polytopes with their margin, spheres and capsules exactly,
/// compounds and meshes as the box around them. Nothing for shapes that are not understood.
std::optional<geometry::MassProperties> mass_properties(const CollisionSystem& system, const Shape& shape);

/// Gives a compound its bounds and its bounding tree.
Result<void> build_tree(const CollisionSystem& system, CompoundShape& compound);

}  // namespace marrow::havok
