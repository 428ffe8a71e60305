// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "geometry/hull/quick_hull.h"
#include "geometry/mesh/surface_query.h"

namespace marrow::geometry {

/// Measures how far a hull leaves the solid that it stands for, as CoACD does: by the distance of its surface and its
/// inside from the solid, and by the volume between them (X. Wei, M. Liu, Z. Ling, H. Su, "Approximate Convex
/// Decomposition for 3D Meshes with Collision-Aware Concavity and Tree Search", 2022). Distances are taken to the whole
/// solid, not to the part that the hull came from: where a hull reaches into another part it does no harm.
class ConcavityMeter {
 public:
  explicit ConcavityMeter(const SurfaceQuery& surface);

  /// Returns the farthest that a place in the hull is from the solid. Stops early at what is above `enough`.
  double reach(std::span<const DVec3> points, const QuickHull& hull, double enough) const;
  /// Returns the radius of the ball of a volume, times CoACD's factor for comparing it with distances.
  static double radius_of(double volume);

 private:
  struct Place {
    DVec3 at{0.0};
    double distance = 0.0;
  };

  const SurfaceQuery& surface_;
  std::vector<Place> empty_;  ///< places on a grid that are not in the solid, the farthest from it first
};

}  // namespace marrow::geometry
