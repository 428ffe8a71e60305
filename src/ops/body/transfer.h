// SPDX-License-Identifier: MIT
// Weights from the nearest surface of another body.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "marrow/model/body.h"

namespace marrow {

/// Weights of a vertex by the number of a bone in a list of names; the strongest first.
using NamedWeights = std::vector<std::pair<std::uint32_t, float>>;

/// Where a point of a mesh gets its weights from.
struct SurfacePoint {
  NamedWeights weights = {};
  float distance = 0;   ///< units
  bool agrees = false;  ///< the surface there faces as the point does
};

/// Triangles with weights, in which the nearest one to a point is found. Triangles lie in a tree of boxes.
class WeightedSurface {
 public:
  /// Adds a shape at its pose. Bones are joined by name, in any case.
  void add(const BodyShape& shape, std::span<const Vec3> positions);
  /// Sorts the triangles. No shape can be added afterwards.
  void build();

  bool empty() const { return faces_.empty(); }
  const std::vector<std::string>& bones() const { return bones_; }
  /// Returns the weights at the nearest place of the surface that faces as `normal` does, to 60 degrees. If such a
  /// place is much farther away than the nearest one of any direction, that one counts. The surface must not be empty.
  SurfacePoint at(const Vec3& place, const Vec3& normal) const;

 private:
  struct Face {
    std::array<Vec3, 3> corners;
    Vec3 normal;
    std::array<std::uint32_t, 3> vertices;
  };
  struct Box {
    Vec3 low, high;
    std::uint32_t first, count;  // of faces; count 0: two boxes, `first` and the one behind it
  };
  struct Hit {
    std::size_t face = 0;
    Vec3 shares{0.0f};
    float square = 0;
  };
  Hit nearest(const Vec3& place, const Vec3* normal) const;

  std::vector<std::string> bones_;
  std::vector<NamedWeights> weights_;  // by vertex
  std::vector<Face> faces_;
  std::vector<Box> boxes_;
};

/// Returns half of the sum of all differences between two sets of weights: 0 if they are equal, 1 if they share
/// nothing.
double weight_difference(const NamedWeights& a, const NamedWeights& b);

/// Returns the four strongest of some weights, divided by their sum.
NamedWeights strongest_four(NamedWeights weights);

}  // namespace marrow
