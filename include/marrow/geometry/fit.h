// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "marrow/core/error.h"
#include "marrow/geometry/shapes.h"

/// Simple shapes that contain a set of points. All fail on an empty set and on coordinates that are not finite.
namespace marrow::geometry {

/// Returns the oriented box of least volume among those that lie on a face of the points' hull, and the axis-aligned
/// one. Flat inputs give a flat box.
Result<Box> fit_box(std::span<const Vec3> points);
/// Returns the smallest sphere, exact except for rounding.
Result<Sphere> fit_sphere(std::span<const Vec3> points);
/// Returns a capsule along the longest axis of the best box, first as thin and then as short as possible there. Points
/// as round as a ball give a capsule of length 0.
Result<Capsule> fit_capsule(std::span<const Vec3> points);

}  // namespace marrow::geometry
