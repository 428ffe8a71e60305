// SPDX-License-Identifier: MIT
// What the steps of a decomposition hand to each other. Lengths are those of a prepared mesh, whose size is 1.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "geometry/decompose/concavity.h"
#include "geometry/hull/quick_hull.h"
#include "geometry/solids/solid.h"

namespace marrow::geometry {

/// Points nearer than this to a plane are on it, for cuts and for hulls while searching.
inline constexpr double kCutTolerance = 1e-5;
inline constexpr double kHullTolerance = 3e-4;

/// Returns the mesh with at most so many vertices, and three times as many triangles: vertices near each other become
/// one, and of equal triangles one is left. Indices must be in range.
TriangleMesh coarsened(const TriangleMesh& mesh, std::size_t most_vertices);

/// Points with their hull. Points in one plane are given a thickness, so that their outline counts.
struct Wrap {
  std::vector<DVec3> points;  ///< the corners of the hull
  QuickHull hull;             ///< over `points`; flat if they lie on one line
  DVec3 low{0.0};
  DVec3 high{0.0};

  double volume() const { return hull.volume; }
};

Wrap wrap(std::vector<DVec3> points);
/// Returns the hull of two hulls.
Wrap wrap(const Wrap& a, const Wrap& b);
/// Returns the volume of the hull alone.
double hull_volume(std::span<const DVec3> points);
/// True if the boxes around two hulls touch.
bool touch(const Wrap& a, const Wrap& b);

/// A piece of the mesh.
struct Part {
  Solid solid;
  Wrap wrap;
  double volume = 0.0;     ///< of the solid; 0 for a surface
  double concavity = 0.0;  ///< see `ConcavityMeter`: the larger of both measures
  bool is_final = false;   ///< no cut divides it, or none is needed

  double excess() const { return wrap.volume() - volume; }
};

/// Returns a part without its concavity.
Part make_part(Solid solid);
/// Returns the concavity of a part; what is above `enough` may be less than it is.
double concavity_of(const Part& part, const ConcavityMeter& meter, double enough);
double excess_of(std::span<const Part> parts);

/// What a decomposition has to keep.
struct PartLimits {
  double concavity = 0.0;  ///< of every hull
  /// How much larger the hulls may be than the solids, as a share of their volume. Does not count for more than
  /// `hulls_for_volume` hulls; of those, one stays if it saves the share `hull_worth`.
  double volume_error = 0.0;
  std::size_t hulls_for_volume = 0;
  double hull_worth = 0.0;
  std::size_t hulls = 0;  ///< the most; comes before everything else
};

/// Cuts a part where the hulls of what is left have the least volume; none if nothing divides it. Parts with an excess
/// of at least `large_excess` are searched two cuts deep.
std::vector<Solid> best_cut(const Part& part, double large_excess);

/// Joins parts whose common hull keeps the limits, those that add least volume first, then dissolves groups whose
/// parts fit into their neighbours, and moves parts between neighbours if that saves volume.
std::vector<Part> merge(const std::vector<Part>& parts, const ConcavityMeter& meter, const PartLimits& limits);

/// Moves the borders between neighbours as long as their hulls get smaller, starting at the part `around`, or
/// everywhere. No part gets a concavity above `limit` that had less.
void relax(std::vector<Part>& parts, const ConcavityMeter& meter, double limit,
           std::size_t around = std::numeric_limits<std::size_t>::max());

/// Tries to do with fewer hulls: joins two, moves the borders around them, and keeps that if it keeps the limits.
void tighten(std::vector<Part>& parts, const ConcavityMeter& meter, const PartLimits& limits);

}  // namespace marrow::geometry
