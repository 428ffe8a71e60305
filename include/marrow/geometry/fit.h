// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "marrow/core/error.h"
#include "marrow/geometry/shapes.h"

/// Simple shapes that hold a set of points. All refuse an empty set and coordinates that are not finite.
namespace marrow::geometry {

/// The oriented box of least volume among those that lie on a face of the points' hull, or along the axes. Flat inputs
/// give a flat box.
Result<Box> fit_box(std::span<const Vec3> points);
/// The smallest sphere, exact but for rounding.
Result<Sphere> fit_sphere(std::span<const Vec3> points);
/// A capsule along the longest axis of the best box, as thin and then as short as it can be there. Points as round as
/// a ball give a capsule of no length.
Result<Capsule> fit_capsule(std::span<const Vec3> points);

}  // namespace marrow::geometry
