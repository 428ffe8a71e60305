// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "geometry/hull/polyhedron.h"

namespace marrow::geometry {

/// A solid as the sum of its faces. A face is a plane region of any outline, given by its directed edges: outer ones
/// counter-clockwise seen from outside, holes clockwise. In a closed solid every edge is there as often in one
/// direction as in the other.
///
/// Nothing is ever triangulated: area, volume and cuts are sums over edges, which hold for every outline. Cutting such
/// a sum with a plane and closing it gives two closed solids whose volumes add up to the old one, but for rounding.
struct Solid {
  struct Edge {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
  };
  struct Face {
    DVec3 normal{0.0};  ///< unit length, or 0 if the face has no area
    std::uint32_t first_edge = 0;
    std::uint32_t edge_count = 0;
  };

  std::vector<DVec3> points;
  std::vector<Edge> edges;
  std::vector<Face> faces;
  bool is_closed = true;  ///< false: a surface; cuts leave it open

  std::span<const Edge> edges_of(const Face& face) const {
    return std::span(edges).subspan(face.first_edge, face.edge_count);
  }
  bool empty() const { return faces.empty(); }
};

/// Returns the enclosed volume, negative if the faces look inwards; 0 for a surface.
double volume_of(const Solid& solid);

/// Returns twice the area of an outline as a vector along its normal.
DVec3 area_vector(std::span<const DVec3> points, std::span<const Solid::Edge> outline);

/// Splits a solid by a plane: what is below (inside the half-space) and what is above. Points within `tolerance` of the
/// plane count as on it and stay where they are. Parts of a closed solid are closed with faces in the plane.
void cut(const Solid& solid, const HalfSpace& plane, double tolerance, Solid& below, Solid& above);

/// Returns the parts that do not touch each other. A closed part that looks inwards is a cavity and stays with the part
/// around it; if there is none, it is turned to look outwards, and `turned` counts it.
std::vector<Solid> components_of(Solid solid, std::size_t* turned = nullptr);

/// An edge between two faces: `left` runs from `from` to `to`, `right` back.
struct SharedEdge {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  std::uint32_t left = 0;
  std::uint32_t right = 0;
};
/// Returns the edges that two faces share, one for each pair of faces that follow each other around it.
std::vector<SharedEdge> shared_edges(const Solid& solid);

/// Adds the faces of `other` to `solid`.
void append(Solid& solid, const Solid& other);

/// Sets of numbers that are joined with each other.
class DisjointSets {
 public:
  explicit DisjointSets(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0u); }

  std::uint32_t find(std::uint32_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  /// The lower number stands for both, so that the result does not depend on the order.
  void join(std::uint32_t a, std::uint32_t b) {
    a = find(a);
    b = find(b);
    if (a < b)
      parent_[b] = a;
    else
      parent_[a] = b;
  }

 private:
  std::vector<std::uint32_t> parent_;
};

}  // namespace marrow::geometry
