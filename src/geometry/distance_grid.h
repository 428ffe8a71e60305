// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "geometry/polyhedron.h"

namespace marrow::geometry {

/// How far every place in and around a mesh is from its solid, on a grid of cells. What the outside cannot reach
/// through gaps of a cell counts as solid; an open surface is as solid as the cells it passes through.
class DistanceGrid {
 public:
  /// `resolution` cells along the longest side of the mesh.
  DistanceGrid(std::span<const DVec3> vertices, std::span<const std::array<std::uint32_t, 3>> triangles,
               int resolution);

  double cell() const { return cell_; }
  /// The largest distance of a cell whose centre is inside all half-spaces; 0 where none is.
  double farthest_inside(std::span<const HalfSpace> half_spaces) const;

 private:
  std::size_t index(int x, int y, int z) const {
    return (static_cast<std::size_t>(z) * static_cast<std::size_t>(size_[1]) + static_cast<std::size_t>(y)) *
               static_cast<std::size_t>(size_[0]) +
           static_cast<std::size_t>(x);
  }
  void mark_surface(std::span<const DVec3> vertices, std::span<const std::array<std::uint32_t, 3>> triangles);
  void mark_outside();
  void measure_distances();

  enum class Place : std::uint8_t { Inside, Surface, Outside };

  DVec3 low_{0.0};
  double cell_ = 1.0;
  std::array<int, 3> size_{};
  std::vector<Place> places_;
  std::vector<float> distances_;  ///< in the unit of the mesh
};

}  // namespace marrow::geometry
