// SPDX-License-Identifier: MIT
// A bounding volume hierarchy by the surface area heuristic: 32 bins for large sets (I. Wald, "On fast Construction of
// SAH-based Bounding Volume Hierarchies", 2007), every split of every axis for small ones.
#include "geometry/mesh/bvh.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstring>
#include <functional>
#include <tuple>
#include <utility>

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

using Lanes = float __attribute__((vector_size(16)));

/// A box that grows in two registers. A corner is loaded with a number of the other one beside it.
struct GrowingBox {
  Lanes low = Lanes{} + std::numeric_limits<float>::max();      ///< min x y z
  Lanes high = Lanes{} + std::numeric_limits<float>::lowest();  ///< in the last three lanes, max x y z

  void include(const Aabb& box) {
    static_assert(sizeof(Aabb) == 6 * sizeof(float));
    const auto* numbers = reinterpret_cast<const std::byte*>(&box);
    Lanes first, last;
    std::memcpy(&first, numbers, sizeof first);
    std::memcpy(&last, numbers + sizeof(Aabb) - sizeof last, sizeof last);
    low = first < low ? first : low;
    high = last > high ? last : high;
  }
  void include(const GrowingBox& other) {
    low = other.low < low ? other.low : low;
    high = other.high > high ? other.high : high;
  }
  Aabb box() const { return {Vec3(low[0], low[1], low[2]), Vec3(high[1], high[2], high[3])}; }
};

float cost_of(const GrowingBox& box, std::uint32_t count) { return static_cast<float>(count) * half_area(box.box()); }

/// An item where the builder has put it.
struct Placed {
  Aabb box;
  std::uint32_t item;

  Vec3 center() const { return (box.min + box.max) * 0.5f; }
};

/// True if no split by area will do: all items are in one place, or the tree would become too deep.
bool must_halve(const Aabb& centers, std::uint32_t count, std::uint32_t depth) {
  const auto needed = static_cast<std::uint32_t>(std::bit_width(count - 1));
  return centers.min == centers.max || depth + needed >= kMaxBvhDepth;
}

/// Puts the items that go left first and returns their number. Both sides keep their order, so what is sorted stays so.
template <class Item, class GoesLeft>
std::uint32_t partition(std::span<Item> range, Item* scratch, GoesLeft&& goes_left) {
  Item* left = range.data();
  Item* right = scratch;
  for (const Item& item : range) {
    if (goes_left(item))
      *left++ = item;
    else
      *right++ = item;
  }
  std::copy(scratch, right, left);
  return static_cast<std::uint32_t>(left - range.data());
}

/// Makes `self` the parent of two nodes.
void join(Bvh& tree, std::uint32_t self, std::uint32_t left, std::uint32_t right) {
  Aabb box = tree.nodes[left].box;
  include(box, tree.nodes[right].box);
  tree.nodes[self] = {box, left, right};
}

/// Divides a small set by the best of all splits. The items are known by their place in the set, which the caches hold.
class SmallSet {
 public:
  explicit SmallSet(std::span<const Placed> items) : items_(items), count_(static_cast<std::uint32_t>(items.size())) {
    for (int axis = 0; axis < 3; ++axis) {
      auto& centers = centers_[static_cast<std::size_t>(axis)];
      std::uint16_t* order = orders_[static_cast<std::size_t>(axis)].data();
      for (std::uint32_t i = 0; i < count_; ++i) {
        centers[i] = items_[i].center()[axis];
        order[i] = static_cast<std::uint16_t>(i);
      }
      std::sort(order, order + count_, [&](std::uint16_t a, std::uint16_t b) {
        return centers[a] != centers[b] ? centers[a] < centers[b] : items_[a].item < items_[b].item;
      });
    }
  }

  std::uint32_t append_to(Bvh& tree, std::uint32_t depth) { return append_range(tree, 0, count_, depth); }

 private:
  /// Places `first` up to `first + count` of the orders become a subtree. All three hold the same items, each by
  /// (centre, item) on its axis.
  std::uint32_t append_range(Bvh& tree, std::uint32_t first, std::uint32_t count, std::uint32_t depth) {
    const auto self = static_cast<std::uint32_t>(tree.nodes.size());
    tree.nodes.emplace_back();
    if (count == 1) {
      const Placed& only = items_[orders_[0][first]];
      tree.nodes[self] = {only.box, only.item, Bvh::kLeaf};
      return self;
    }
    const std::uint32_t left_count = divide(first, count, depth);
    const std::uint32_t left = append_range(tree, first, left_count, depth + 1);
    const std::uint32_t right = append_range(tree, first + left_count, count - left_count, depth + 1);
    join(tree, self, left, right);
    return self;
  }

  /// Puts the left part of the range first, and returns its size.
  std::uint32_t divide(std::uint32_t first, std::uint32_t count, std::uint32_t depth) {
    Aabb centers;
    for (int axis = 0; axis < 3; ++axis) {
      const auto at = static_cast<std::size_t>(axis);
      centers.min[axis] = centers_[at][orders_[at][first]];
      centers.max[axis] = centers_[at][orders_[at][first + count - 1]];
    }
    const Split split = must_halve(centers, count, depth) ? Split{.axis = widest_axis(centers), .position = count / 2}
                                                          : best_sweep(first, count);
    for (std::uint32_t i = 0; i < count; ++i)
      goes_left_[orders_[static_cast<std::size_t>(split.axis)][first + i]] = i < split.position;
    for (auto& order : orders_)
      partition(std::span(order).subspan(first, count), scratch_.data(),
                [&](std::uint16_t place) { return goes_left_[place]; });
    return split.position;
  }

  Split best_sweep(std::uint32_t first, std::uint32_t count) {
    Split best;
    std::array<float, kSweepSize> after;  // cost of the items from each on
    for (int axis = 0; axis < 3; ++axis) {
      const std::uint16_t* order = orders_[static_cast<std::size_t>(axis)].data() + first;
      GrowingBox box;
      for (std::uint32_t i = count; i-- > 1;) {
        box.include(items_[order[i]].box);
        after[i] = cost_of(box, count - i);
      }
      box = {};
      for (std::uint32_t i = 1; i < count; ++i) {
        box.include(items_[order[i - 1]].box);
        const Split split = make_split(cost_of(box, i) + after[i], i, count - i, axis, i);
        if (split.better_than(best)) best = split;
      }
    }
    return best;
  }

  std::span<const Placed> items_;
  std::uint32_t count_;
  std::array<std::array<float, kSweepSize>, 3> centers_;
  std::array<std::array<std::uint16_t, kSweepSize>, 3> orders_;
  std::array<std::uint16_t, kSweepSize> scratch_;
  std::array<bool, kSweepSize> goes_left_;
};

/// Divides large sets by bins. Items are moved and not only numbered, so that every pass runs through memory in order.
class Builder {
 public:
  explicit Builder(std::span<const Aabb> items) {
    items_.reserve(items.size());
    for (const Aabb& box : items) items_.push_back({box, static_cast<std::uint32_t>(items_.size())});
    scratch_.resize(items.size());
    tree_.nodes.reserve(2 * items.size() - 1);
  }

  Bvh build() {
    append_range(0, static_cast<std::uint32_t>(items_.size()), 0);
    return std::move(tree_);
  }

 private:
  std::uint32_t append_range(std::uint32_t first, std::uint32_t count, std::uint32_t depth) {
    const auto range = std::span(items_).subspan(first, count);
    if (count <= kSweepSize) return SmallSet(range).append_to(tree_, depth);
    const auto self = static_cast<std::uint32_t>(tree_.nodes.size());
    tree_.nodes.emplace_back();
    const std::uint32_t left_count = divide(range, depth);
    const std::uint32_t left = append_range(first, left_count, depth + 1);
    const std::uint32_t right = append_range(first + left_count, count - left_count, depth + 1);
    join(tree_, self, left, right);
    return self;
  }

  /// Puts the left part of the range first, and returns its size.
  std::uint32_t divide(std::span<Placed> range, std::uint32_t depth) {
    Aabb centers;
    for (const Placed& item : range) include(centers, item.center());
    const auto count = static_cast<std::uint32_t>(range.size());
    if (!must_halve(centers, count, depth)) return divide_by_bins(range, centers);
    std::ranges::sort(range, std::less{}, [axis = widest_axis(centers)](const Placed& item) {
      return std::pair(item.center()[axis], item.item);
    });
    return count / 2;
  }

  std::uint32_t divide_by_bins(std::span<Placed> range, const Aabb& centers) {
    struct Bin {
      GrowingBox box;
      std::uint32_t count = 0;
    };
    std::array<std::array<Bin, kBins>, 3> bins;
    const auto count = static_cast<std::uint32_t>(range.size());
    const Vec3 extent = centers.max - centers.min;
    for (const Placed& item : range) {
      const Vec3 center = item.center();
      for (int axis = 0; axis < 3; ++axis) {
        if (!(extent[axis] > 0.0f)) continue;
        const int at = bin_of(center[axis], centers.min[axis], extent[axis]);
        Bin& bin = bins[static_cast<std::size_t>(axis)][static_cast<std::size_t>(at)];
        bin.box.include(item.box);
        ++bin.count;
      }
    }
    Split best;
    for (int axis = 0; axis < 3; ++axis) {
      if (!(extent[axis] > 0.0f)) continue;
      const auto& row = bins[static_cast<std::size_t>(axis)];
      std::array<GrowingBox, kBins> above;  // union of the bins after each
      for (std::size_t i = kBins - 1; i > 0; --i) {
        above[i - 1] = above[i];
        above[i - 1].include(row[i].box);
      }
      GrowingBox below;
      std::uint32_t below_count = 0;
      for (std::size_t i = 0; i + 1 < kBins; ++i) {
        below.include(row[i].box);
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
    return partition(range, scratch_.data(), [&](const Placed& item) {
      const int at = bin_of(item.center()[best.axis], centers.min[best.axis], extent[best.axis]);
      return static_cast<std::uint32_t>(at) <= best.position;
    });
  }

  std::vector<Placed> items_;
  std::vector<Placed> scratch_;
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
