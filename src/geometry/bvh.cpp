// SPDX-License-Identifier: MIT
// A bounding volume hierarchy by the surface area heuristic: 32 bins for large sets (I. Wald, "On fast Construction of
// SAH-based Bounding Volume Hierarchies", 2007), every split of every axis for small ones.
#include "geometry/bvh.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <tuple>

namespace marrow::geometry {

namespace {

constexpr std::uint32_t kSweepSize = 512;
constexpr int kBins = 32;

/// A way to cut a set in two, and what it costs. Less is better: cost, then evenness, then the axis tried first.
struct Split {
  float cost = std::numeric_limits<float>::infinity();
  std::uint32_t unevenness = std::numeric_limits<std::uint32_t>::max();
  int axis = -1;
  std::uint32_t position = 0;  ///< items on the left of a sweep, or the last bin on the left

  bool better_than(const Split& other) const {
    return std::tie(cost, unevenness) < std::tie(other.cost, other.unevenness);
  }
};

float cost_of(const Aabb& box, std::uint32_t count) { return static_cast<float>(count) * half_area(box); }

Split make_split(float cost, std::uint32_t left_count, std::uint32_t right_count, int axis, std::uint32_t position) {
  return {cost, left_count > right_count ? left_count - right_count : right_count - left_count, axis, position};
}

int bin_of(float center, float low, float extent) {
  return std::clamp(static_cast<int>((center - low) * static_cast<float>(kBins) / extent), 0, kBins - 1);
}

int widest_axis(const Aabb& box) {
  const Vec3 extent = box.max - box.min;
  int axis = 0;
  if (extent.y > extent[axis]) axis = 1;
  if (extent.z > extent[axis]) axis = 2;
  return axis;
}

class Builder {
 public:
  explicit Builder(std::span<const Aabb> items) : items_(items) {
    const std::size_t count = items.size();
    centers_.reserve(count);
    for (const Aabb& box : items) centers_.push_back((box.min + box.max) * 0.5f);
    for (auto& order : orders_) order.resize(count);
    scratch_.resize(count);
    goes_left_.resize(count);
    for (std::size_t i = 0; i < count; ++i) orders_[0][i] = static_cast<std::uint32_t>(i);
    tree_.nodes.reserve(2 * count - 1);
  }

  Bvh build() {
    build_range(0, static_cast<std::uint32_t>(items_.size()), 0, false);
    return std::move(tree_);
  }

 private:
  /// Items `first` up to `first + count` of the orders become a subtree. `sorted` says that the orders of all axes
  /// hold the range, each by (centre, index); before that only the first one does, in any order.
  std::uint32_t build_range(std::uint32_t first, std::uint32_t count, std::uint32_t depth, bool sorted) {
    const std::uint32_t self = static_cast<std::uint32_t>(tree_.nodes.size());
    tree_.nodes.emplace_back();
    if (count == 1) {
      tree_.nodes[self] = {items_[orders_[0][first]], orders_[0][first], Bvh::kLeaf};
      return self;
    }
    if (!sorted && count <= kSweepSize) {
      sort_axes(first, count);
      sorted = true;
    }
    const std::uint32_t left_count = divide(first, count, depth, sorted);
    const std::uint32_t left = build_range(first, left_count, depth + 1, sorted);
    const std::uint32_t right = build_range(first + left_count, count - left_count, depth + 1, sorted);
    Aabb box = tree_.nodes[left].box;
    include(box, tree_.nodes[right].box);
    tree_.nodes[self] = {box, left, right};
    return self;
  }

  Aabb bounds_of_centers(std::uint32_t first, std::uint32_t count, bool sorted) const {
    Aabb bounds;
    if (!sorted) {
      for (std::uint32_t i = first; i < first + count; ++i) include(bounds, centers_[orders_[0][i]]);
      return bounds;
    }
    for (int axis = 0; axis < 3; ++axis) {
      const auto& order = orders_[static_cast<std::size_t>(axis)];
      bounds.min[axis] = centers_[order[first]][axis];
      bounds.max[axis] = centers_[order[first + count - 1]][axis];
    }
    return bounds;
  }

  /// Puts the left part of the range first, and returns its size.
  std::uint32_t divide(std::uint32_t first, std::uint32_t count, std::uint32_t depth, bool sorted) {
    const Aabb centers = bounds_of_centers(first, count, sorted);
    const std::uint32_t needed = static_cast<std::uint32_t>(std::bit_width(count - 1));
    if (centers.min == centers.max || depth + needed >= kMaxBvhDepth)
      return divide_at_median(first, count, widest_axis(centers), sorted);
    if (!sorted) return divide_by_bins(first, count, centers);
    const Split split = best_sweep(first, count);
    for (std::uint32_t i = 0; i < count; ++i)
      goes_left_[orders_[static_cast<std::size_t>(split.axis)][first + i]] = i < split.position;
    return partition(first, count, true);
  }

  std::uint32_t divide_at_median(std::uint32_t first, std::uint32_t count, int axis, bool sorted) {
    if (!sorted) sort_by_center(orders_[0], first, count, axis);
    const auto& order = orders_[sorted ? static_cast<std::size_t>(axis) : 0];
    for (std::uint32_t i = 0; i < count; ++i) goes_left_[order[first + i]] = i < count / 2;
    return partition(first, count, sorted);
  }

  std::uint32_t divide_by_bins(std::uint32_t first, std::uint32_t count, const Aabb& centers) {
    struct Bin {
      Aabb box;
      std::uint32_t count = 0;
    };
    std::array<std::array<Bin, kBins>, 3> bins;
    const Vec3 extent = centers.max - centers.min;
    for (std::uint32_t i = first; i < first + count; ++i) {
      const std::uint32_t item = orders_[0][i];
      for (int axis = 0; axis < 3; ++axis) {
        if (!(extent[axis] > 0.0f)) continue;
        const int at = bin_of(centers_[item][axis], centers.min[axis], extent[axis]);
        Bin& bin = bins[static_cast<std::size_t>(axis)][static_cast<std::size_t>(at)];
        include(bin.box, items_[item]);
        ++bin.count;
      }
    }
    Split best;
    for (int axis = 0; axis < 3; ++axis) {
      if (!(extent[axis] > 0.0f)) continue;
      const auto& row = bins[static_cast<std::size_t>(axis)];
      std::array<Aabb, kBins> above;  // union of the bins after each
      for (std::size_t i = kBins - 1; i > 0; --i) {
        above[i - 1] = above[i];
        if (row[i].count > 0) include(above[i - 1], row[i].box);
      }
      Aabb below;
      std::uint32_t below_count = 0;
      for (std::size_t i = 0; i + 1 < kBins; ++i) {
        if (row[i].count > 0) include(below, row[i].box);
        below_count += row[i].count;
        if (below_count == 0 || below_count == count) continue;
        const std::uint32_t above_count = count - below_count;
        const Split split = make_split(cost_of(below, below_count) + cost_of(above[i], above_count), below_count,
                                       above_count, axis, static_cast<std::uint32_t>(i));
        if (split.better_than(best)) best = split;
      }
    }
    // Centres differ on some axis, and there the first and the last bin hold something: a split was found.
    assert(best.axis >= 0);
    for (std::uint32_t i = first; i < first + count; ++i) {
      const std::uint32_t item = orders_[0][i];
      const int at = bin_of(centers_[item][best.axis], centers.min[best.axis], extent[best.axis]);
      goes_left_[item] = static_cast<std::uint32_t>(at) <= best.position;
    }
    return partition(first, count, false);
  }

  Split best_sweep(std::uint32_t first, std::uint32_t count) {
    Split best;
    std::array<float, kSweepSize> after;  // cost of the items from each on
    for (int axis = 0; axis < 3; ++axis) {
      const std::uint32_t* order = orders_[static_cast<std::size_t>(axis)].data() + first;
      Aabb box;
      for (std::uint32_t i = count; i-- > 1;) {
        include(box, items_[order[i]]);
        after[i] = cost_of(box, count - i);
      }
      box = Aabb{};
      for (std::uint32_t i = 1; i < count; ++i) {
        include(box, items_[order[i - 1]]);
        const Split split = make_split(cost_of(box, i) + after[i], i, count - i, axis, i);
        if (split.better_than(best)) best = split;
      }
    }
    return best;
  }

  void sort_by_center(std::vector<std::uint32_t>& order, std::uint32_t first, std::uint32_t count, int axis) {
    std::sort(order.begin() + first, order.begin() + first + count, [&](std::uint32_t a, std::uint32_t b) {
      const float at_a = centers_[a][axis];
      const float at_b = centers_[b][axis];
      return at_a != at_b ? at_a < at_b : a < b;
    });
  }

  void sort_axes(std::uint32_t first, std::uint32_t count) {
    for (std::size_t axis = 1; axis < 3; ++axis)
      std::copy_n(orders_[0].begin() + first, count, orders_[axis].begin() + first);
    for (int axis = 0; axis < 3; ++axis) sort_by_center(orders_[static_cast<std::size_t>(axis)], first, count, axis);
  }

  /// Stable, so that sorted orders stay sorted on both sides.
  std::uint32_t partition(std::uint32_t first, std::uint32_t count, bool all_orders) {
    std::uint32_t left_count = 0;
    for (std::size_t axis = 0; axis < (all_orders ? 3u : 1u); ++axis) {
      std::uint32_t* order = orders_[axis].data() + first;
      std::uint32_t left = 0;
      std::uint32_t right = 0;
      for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint32_t item = order[i];
        if (goes_left_[item])
          order[left++] = item;
        else
          scratch_[right++] = item;
      }
      std::copy_n(scratch_.begin(), right, order + left);
      left_count = left;
    }
    return left_count;
  }

  std::span<const Aabb> items_;
  std::vector<Vec3> centers_;
  std::array<std::vector<std::uint32_t>, 3> orders_;
  std::vector<std::uint32_t> scratch_;
  std::vector<std::uint8_t> goes_left_;
  Bvh tree_;
};

std::uint32_t depth_below(const Bvh& tree, std::uint32_t node) {
  const Bvh::Node& at = tree.nodes[node];
  return at.is_leaf() ? 0 : 1 + std::max(depth_below(tree, at.left), depth_below(tree, at.right));
}

}  // namespace

Bvh build_bvh(std::span<const Aabb> items, std::uint32_t rotation_passes) {
  assert(!items.empty());
  Bvh tree = Builder(items).build();
  if (rotation_passes == 0 || items.size() < 4) return tree;
  Bvh rotated = tree;
  rotate_bvh(rotated, rotation_passes);
  return depth_of(rotated) <= kMaxBvhDepth ? rotated : tree;
}

std::uint32_t depth_of(const Bvh& tree) { return tree.nodes.empty() ? 0 : depth_below(tree, 0); }

}  // namespace marrow::geometry
