// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "geometry/hull/hull.h"
#include "geometry/solids/mass.h"
#include "marrow/core/error.h"
#include "marrow/geometry/solids/shapes.h"
#include "marrow/model/collision.h"

/// Size and mass of shapes as the game computes them. Lengths are in the unit of the system.
namespace marrow::havok {

/// The fraction of a capsule's radius that is stored as its convex radius; the rest is the thickness of its core.
inline constexpr float kCapsuleRadiusPart = 0.99f;

/// Returns the convex core of a polytope, box, cylinder or capsule with its radius. Returns nothing for other shapes.
std::optional<geometry::Hull> hull_of(const Shape& shape);
/// Returns a polytope shape of a hull, with its mass properties.
Shape shape_of(const geometry::Hull& hull);

/// Returns the axis-aligned box of a shape placed at `frame`. A mesh and a compound contribute the corners of their own
/// boxes. Empty for unknown shapes.
geometry::Aabb bounds_of(const CollisionSystem& system, const Shape& shape, const Frame& frame = {},
                         const Vec3& scale = Vec3(1.0f));

/// Returns volume, centre and inertia as the game computes them: polytopes with their margin, spheres and capsules
/// exactly, compounds and meshes as their bounding box. Returns nothing for unknown shapes.
std::optional<geometry::MassProperties> mass_properties(const CollisionSystem& system, const Shape& shape);

/// Computes the bounds and the bounding tree of a compound.
Result<void> build_tree(const CollisionSystem& system, CompoundShape& compound);
/// Reports everything that is wrong with the bounding tree of a compound: nodes that lead nowhere, boxes that do not
/// contain what is below them, children that are not in exactly one leaf. Paths are `nodes[3]`.
Notes verify_tree(const CollisionSystem& system, const CompoundShape& compound);

/// The relative difference between the stored values of a body and those that follow from its mass and shape.
struct InertiaError {
  double mass_factor = 0.0;
  double inertia = 0.0;  ///< of the worst axis
};
/// Returns nothing if the body is not dynamic or its shape is unknown.
std::optional<InertiaError> inertia_error(const CollisionSystem& system, const Body& body);
/// Errors above these are faults: the game's own files are below 2.2e-5 and 3.2e-4.
inline constexpr InertiaError kLargestInertiaError{0.02, 0.05};

/// True if the mass properties that a hull carries are those of its solid. False if it carries none.
bool has_right_mass(const Shape& hull);

}  // namespace marrow::havok
