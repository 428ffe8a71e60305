// SPDX-License-Identifier: MIT
// Boxes as nibbles: against a parent of extent e, the lower side lies at L * L * e / 226 from the parent's lower side,
// the upper at U * U * e / 226 below its upper one.
#include "geometry/mesh/box_code.h"

#include <bit>

namespace marrow::geometry {

namespace {

const float kStep = std::bit_cast<float>(0x3B90FDBCu);  // 1 / 226

/// How far `square` steps of a parent's extent reach: as readers may compute it, in either order of the products.
struct Reach {
  float first;
  float second;
};
Reach reach_of(int nibble, float extent) {
  const float square = static_cast<float>(nibble * nibble);
  return {square * (extent * kStep), (square * kStep) * extent};
}

struct CodedAxis {
  std::uint8_t byte = 0;
  float min = 0.0f;
  float max = 0.0f;
};

/// The tightest nibbles that still hold the target, whichever way it is read, and the side they decode to.
CodedAxis code_axis(float parent_min, float parent_max, float target_min, float target_max) {
  const float extent = parent_max - parent_min;
  if (!(extent > 0.0f)) return {0, parent_min, parent_max};
  int lower = 15;
  for (; lower > 0; --lower) {
    const Reach reach = reach_of(lower, extent);
    if (parent_min + reach.first <= target_min && parent_min + reach.second <= target_min) break;
  }
  int upper = 15;
  for (; upper > 0; --upper) {
    const Reach reach = reach_of(upper, extent);
    if (parent_max - reach.first >= target_max && parent_max - reach.second >= target_max) break;
  }
  return {static_cast<std::uint8_t>(lower << 4 | upper), parent_min + reach_of(lower, extent).first,
          parent_max - reach_of(upper, extent).first};
}

}  // namespace

Aabb code_box(const Aabb& target, const Aabb& parent, std::array<std::uint8_t, 3>& bytes) {
  Aabb box;
  for (int axis = 0; axis < 3; ++axis) {
    const CodedAxis coded = code_axis(parent.min[axis], parent.max[axis], target.min[axis], target.max[axis]);
    bytes[static_cast<std::size_t>(axis)] = coded.byte;
    box.min[axis] = coded.min;
    box.max[axis] = coded.max;
  }
  return box;
}

}  // namespace marrow::geometry
