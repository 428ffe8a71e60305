// SPDX-License-Identifier: MIT
// Solids that chains are kept out of, as they are within one frame.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "motion/math.h"

namespace marrow::motion {

// A capsule: a segment with a radius. Its ends go in straight lines from the start of the frame to its end.
struct Solid {
  DVec a0{0.0}, b0{0.0}, a1{0.0}, b1{0.0};
  double radius = 0.0;
};

// The place where a point is inside: the way out, and what it is to be kept away from.
struct Touch {
  double depth = 0.0;   // metres inside; 0: outside of everything
  DVec out{0.0};        // unit, away from the solid
  DVec centre{0.0};     // the nearest point of the segment; of the ground, below the point
  double distance = 0;  // to keep from it
  DVec velocity{0.0};   // of the surface
  bool is_ground = false;
};

// The solids near one chain, of one frame.
struct Surroundings {
  std::span<const Solid> solids = {};
  std::span<const std::uint32_t> near = {};  // those in reach
  std::optional<double> ground = {};         // height, metres; not in reach: none
  double seconds = 0.0;                      // that the frame takes

  bool empty() const { return near.empty() && !ground; }
  // The solid that a point with a radius is deepest in, at a share of the frame.
  Touch deepest(const DVec& point, double radius, double share) const;
};

// All solids of a frame, sorted along X so that what is far away costs nothing. Allocates only when it is resized.
class Solids {
 public:
  void resize(std::size_t count);
  std::size_t size() const { return solids_.size(); }
  std::span<const Solid> all() const { return solids_; }
  // Places a solid. `sort` must follow before the next search.
  void place(std::size_t index, const Solid& solid);
  void sort();
  // Finds the solids that come within `reach` of a point during the frame, but for those that `skipped` marks. Valid
  // until the next search.
  std::span<const std::uint32_t> within(const DVec& point, double reach, std::span<const std::uint8_t> skipped);

 private:
  struct Extent {
    double low, high;       // along X
    double highest_so_far;  // of all that come before it, itself included
    std::uint32_t index;
  };
  std::vector<Solid> solids_;
  std::vector<Extent> order_;         // by `low`
  std::vector<std::uint32_t> found_;  // room for all
};

// Turns the direction of a rod out of what its tip touches: about the anchor, by the least turn.
DVec turned_out(const DVec& direction, double length, const DVec& anchor, const Touch& touch);

}  // namespace marrow::motion
