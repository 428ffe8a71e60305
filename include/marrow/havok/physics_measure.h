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
/// Reports everything that is wrong with the bounding tree of a compound: nodes that lead nowhere, boxes that
/// do not hold what is below them, children that are not in exactly one leaf. Paths are `nodes[3]`.
Notes verify_tree(const CollisionSystem& system, const CompoundShape& compound);

/// How far the numbers of a body are from those that follow from its mass and shape, as parts of the latter.
struct InertiaError {
  double mass_factor = 0.0;
  double inertia = 0.0;  ///< of the worst axis
};
/// Nothing if the body is not dynamic or its shape is not understood.
std::optional<InertiaError> inertia_error(const CollisionSystem& system, const Body& body);
/// Errors above these are faults: the game's own files are below 2.2e-5 and 3.2e-4.
inline constexpr InertiaError kLargestInertiaError{0.02, 0.05};

/// True if the mass properties that a hull carries are those of its solid. False if it carries none.
bool has_right_mass(const Shape& hull);

}  // namespace marrow::havok
