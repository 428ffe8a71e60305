// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>

#include "geometry/hull/hull.h"
#include "marrow/core/error.h"
#include "marrow/geometry/solids/shapes.h"

/// Simple shapes around a set of points, and inside their convex hull. All fail on an empty set and on coordinates that
/// are not finite.
namespace marrow::geometry {

/// In how many directions points spread.
enum class Extent : std::uint8_t { Point, Line, Flat, Solid };
Result<Extent> extent_of(std::span<const Vec3> points);

/// Returns the oriented box of least volume among those that lie on a face of the points' hull, and the axis-aligned
/// one. Flat inputs give a flat box.
Result<Box> fit_box(std::span<const Vec3> points);
/// Returns the smallest sphere, exact except for rounding.
Result<Sphere> fit_sphere(std::span<const Vec3> points);
/// Returns a capsule along the longest axis of the best box, first as thin and then as short as possible there. Points
/// as round as a ball give a capsule of length 0.
Result<Capsule> fit_capsule(std::span<const Vec3> points);

/// All places within `radius` of the segment from `a` to `b`, cut off flat at its ends.
struct Cylinder {
  Vec3 a{0.0f};
  Vec3 b{0.0f};
  float radius = 0.0f;

  bool operator==(const Cylinder&) const = default;
};
/// Returns the cylinder of least volume along an axis of the best box. Flat inputs give a flat one.
Result<Cylinder> fit_cylinder(std::span<const Vec3> points);

/// Returns the largest sphere inside the convex hull of the points. Refuses flat inputs, as do the next two.
Result<Sphere> inscribed_sphere(std::span<const Vec3> points);
/// Returns the capsule of the most volume inside the convex hull, along an axis of the best box.
Result<Capsule> inscribed_capsule(std::span<const Vec3> points);
/// Returns the cylinder of the most volume inside the convex hull, along an axis of the best box.
Result<Cylinder> inscribed_cylinder(std::span<const Vec3> points);

/// On which side of a round shape the flat faces that stand for it lie.
enum class Roundness : std::uint8_t { Outside, Inside };
/// Returns a prism of 24 sides that contains the cylinder, or that it contains. `options` as for `build_hull`.
Result<Hull> cylinder_hull(const Cylinder& cylinder, Roundness side, const HullOptions& options = {});

}  // namespace marrow::geometry
