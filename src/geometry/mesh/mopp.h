// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "marrow/core/error.h"
#include "marrow/geometry/solids/shapes.h"

/// MOPP code, the tree in which Skyrim finds the triangles of a mesh and the children of a list. docs/formats/bhk.md
/// has the instructions.
namespace marrow::geometry {

/// A tree as bytes. A point p is at (p - origin) * scale in its 24-bit space.
struct MoppCode {
  Vec3 origin{0.0f};
  float scale = 1.0f;
  std::vector<std::byte> code;

  bool operator==(const MoppCode&) const = default;
};

/// What a code finds: a triangle or a child, by its key.
struct MoppItem {
  std::uint32_t key = 0;
  Aabb box;

  bool operator==(const MoppItem&) const = default;
};

/// Builds a code whose boxes are larger than the items by `margin`. n log n. Fails if there are no items or if a number
/// is not finite.
Result<MoppCode> build_mopp(std::span<const MoppItem> items, float margin = 0.005f);

/// Returns the keys that a query with a box yields. Safe on untrusted code: instructions that are not known, jumps out
/// of the code and loops are errors that give the offset.
Result<std::vector<std::uint32_t>> query_mopp(const MoppCode& code, const Aabb& box);

/// Returns every key of a code, in the order of its leaves.
Result<std::vector<std::uint32_t>> mopp_keys(const MoppCode& code);

/// One box of the tree: what a query has to reach to go on below.
struct MoppBox {
  Aabb box;
  std::uint32_t depth = 0;  ///< splits above
};

/// Returns the boxes of all splits and leaves of a code, by its cuts and its splits along the three axes. Fails as
/// `query_mopp` does.
Result<std::vector<MoppBox>> mopp_boxes(const MoppCode& code);

/// The points that a query has to find something by: the corners of a triangle or of a box.
struct MoppPoints {
  std::uint32_t key = 0;
  std::vector<Vec3> points;
};

/// How a code differs from what it should find.
struct MoppFaults {
  std::vector<std::uint32_t> missing;    ///< keys that no leaf has
  std::vector<std::uint32_t> extra;      ///< leaves that nothing has, or that occur twice
  std::vector<std::uint32_t> unreached;  ///< keys part of which lies outside of a box on the way to the leaf

  bool operator==(const MoppFaults&) const = default;
  bool empty() const { return missing.empty() && extra.empty() && unreached.empty(); }
};

/// Checks every bound of a code against every point below it, without queries. Fails as `query_mopp` does.
Result<MoppFaults> check_mopp(const MoppCode& code, std::span<const MoppPoints> items);

}  // namespace marrow::geometry
