// SPDX-License-Identifier: MIT
// MOPP code built: a tree of boxes by the surface area heuristic, written from its end to its beginning, so that the
// lengths that jumps need are known.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/try.h"
#include "geometry/mesh/mopp.h"

namespace marrow::geometry {
namespace {

constexpr double kRound = 1e-4;          // bounds are moved out by this before they are rounded
constexpr std::uint32_t kMaxShift = 10;  // finer than this is finer than the margin
constexpr int kDeepSplits = 64;          // below this, sets are halved: no input makes a deep tree

struct ByteRange {
  double low = 0.0, high = 255.0;

  double size() const { return high - low; }
};

struct ByteBox {
  std::array<double, 3> low{}, high{};

  void include(const ByteBox& other) {
    for (std::size_t i = 0; i < 3; ++i) {
      low[i] = std::min(low[i], other.low[i]);
      high[i] = std::max(high[i], other.high[i]);
    }
  }
  double area() const {
    const double x = high[0] - low[0], y = high[1] - low[1], z = high[2] - low[2];
    return x * y + y * z + z * x;
  }
  double center(std::size_t axis) const { return low[axis] + high[axis]; }
};

std::uint64_t leaf_cost(std::uint32_t key, std::uint32_t base) {
  if (key < base) return 9;
  const std::uint32_t value = key - base;
  return value < 32 ? 1 : value < 0x100 ? 2 : value < 0x10000 ? 3 : value < 0x1000000 ? 4 : 5;
}

std::uint32_t as_byte(double value) { return static_cast<std::uint32_t>(std::clamp(value, 0.0, 255.0)); }

/// Coordinates and what is known of a query at one place of the tree.
struct MoppPlace {
  std::array<double, 3> offset{};  ///< in bytes
  std::uint32_t shift = 0;
  std::uint32_t base = 0;
  std::array<ByteRange, 3> region{};

  double scale() const { return static_cast<double>(1u << shift); }
  double local(double x, std::size_t axis) const { return (x - offset[axis]) * scale(); }
};

class MoppBuilder {
 public:
  MoppBuilder(std::vector<ByteBox> boxes, std::vector<std::uint32_t> keys)
      : boxes_(std::move(boxes)), keys_(std::move(keys)) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      order_[axis].resize(boxes_.size());
      std::iota(order_[axis].begin(), order_[axis].end(), 0u);
      std::ranges::stable_sort(order_[axis], {}, [&](std::uint32_t i) { return boxes_[i].center(axis); });
    }
    is_left_.resize(boxes_.size());
    moved_.resize(boxes_.size());
    suffix_.resize(boxes_.size());
  }

  std::vector<std::byte> build() {
    emit(0, boxes_.size(), {}, 0);
    std::ranges::reverse(out_);
    return std::move(out_);
  }

 private:
  // Bytes are written backwards: the last of an instruction first.
  void put(std::initializer_list<std::uint32_t> bytes) {
    for (auto byte = std::rbegin(bytes); byte != std::rend(bytes); ++byte)
      out_.push_back(static_cast<std::byte>(*byte & 0xFF));
  }

  ByteBox bounds(std::size_t first, std::size_t last) const {
    ByteBox box = boxes_[order_[0][first]];
    for (std::size_t i = first + 1; i < last; ++i) box.include(boxes_[order_[0][i]]);
    return box;
  }

  /// What stands before the split or leaf of a set.
  struct Prefix {
    std::vector<std::array<std::uint32_t, 5>> steps;  ///< up to five bytes each
    std::vector<std::uint32_t> sizes;
    void add(std::initializer_list<std::uint32_t> bytes) {
      std::array<std::uint32_t, 5> step{};
      std::ranges::copy(bytes, step.begin());
      steps.push_back(step);
      sizes.push_back(static_cast<std::uint32_t>(bytes.size()));
    }
  };

  void emit(std::size_t first, std::size_t last, MoppPlace state, int depth) {
    const std::size_t count = last - first;
    const ByteBox box = bounds(first, last);
    Prefix prefix;
    add_scale(box, count, state, prefix);
    add_cuts(box, depth == 0, state, prefix);
    add_base(first, last, state, prefix);
    if (count == 1) {
      put_leaf(keys_[order_[0][first]] - state.base);
    } else {
      put_split(first, last, state, depth);
    }
    for (std::size_t i = prefix.steps.size(); i-- > 0;)
      for (std::size_t k = prefix.sizes[i]; k-- > 0;) out_.push_back(static_cast<std::byte>(prefix.steps[i][k] & 0xFF));
  }

  static void add_scale(const ByteBox& box, std::size_t count, MoppPlace& state, Prefix& prefix) {
    double extent = 0.0;
    for (std::size_t i = 0; i < 3; ++i) extent = std::max(extent, (box.high[i] - box.low[i]) * state.scale());
    std::uint32_t n = 0;
    while (n < 4 && state.shift + n + 1 <= kMaxShift && (extent + 1.01) * static_cast<double>(2u << n) <= 255.0) ++n;
    const bool pays = n >= 3 || (n == 2 && count >= 2) || (n == 1 && count >= 12);
    if (!pays) return;
    std::array<std::uint32_t, 3> at{};
    for (std::size_t i = 0; i < 3; ++i) at[i] = as_byte(std::floor(state.local(box.low[i], i)));
    prefix.add({n, at[0], at[1], at[2]});
    for (std::size_t i = 0; i < 3; ++i) {
      state.offset[i] += at[i] / state.scale();
      const double factor = static_cast<double>(1u << n);
      state.region[i] = {(state.region[i].low - at[i]) * factor, (state.region[i].high - at[i]) * factor};
    }
    state.shift += n;
  }

  static void add_cuts(const ByteBox& box, bool is_root, MoppPlace& state, Prefix& prefix) {
    for (const std::size_t axis : {std::size_t{2}, std::size_t{1}, std::size_t{0}}) {
      const std::uint32_t low = as_byte(std::floor(state.local(box.low[axis], axis) - kRound));
      const std::uint32_t high = as_byte(std::ceil(state.local(box.high[axis], axis) + kRound));
      ByteRange& region = state.region[axis];
      const double saved = region.size() - static_cast<double>(high - low);
      if (!is_root && !(saved >= std::max(2.0, region.size() / 4.0))) continue;
      prefix.add({0x26 + static_cast<std::uint32_t>(axis), low, high});
      region = {static_cast<double>(low), static_cast<double>(high)};
    }
  }

  void add_base(std::size_t first, std::size_t last, MoppPlace& state, Prefix& prefix) const {
    std::uint32_t least = keys_[order_[0][first]];
    for (std::size_t i = first; i < last; ++i) least = std::min(least, keys_[order_[0][i]]);
    std::uint64_t with = 5, without = 0;
    for (std::size_t i = first; i < last; ++i) {
      with += leaf_cost(keys_[order_[0][i]], least);
      without += leaf_cost(keys_[order_[0][i]], state.base);
    }
    if (with >= without) return;
    prefix.add({0x0B, least >> 24, least >> 16, least >> 8, least});
    state.base = least;
  }

  void put_leaf(std::uint32_t value) {
    if (value < 32) return put({0x30 + value});
    if (value < 0x100) return put({0x50, value});
    if (value < 0x10000) return put({0x51, value >> 8, value});
    if (value < 0x1000000) return put({0x52, value >> 16, value >> 8, value});
    put({0x53, value >> 24, value >> 16, value >> 8, value});
  }

  struct SplitChoice {
    std::size_t axis = 0, left = 0;
    double cost = std::numeric_limits<double>::max();
  };

  // The place of least expected work: every one of small sets, 64 of large ones. Of equal ones the one in the middle.
  void try_axis(std::size_t axis, std::size_t first, std::size_t last, SplitChoice& best) {
    const std::vector<std::uint32_t>& order = order_[axis];
    const std::size_t count = last - first;
    ByteBox box = boxes_[order[last - 1]];
    for (std::size_t i = count - 1; i > 0; --i) {
      box.include(boxes_[order[first + i]]);
      suffix_[i] = box.area();
    }
    const std::size_t places = count <= 256 ? count - 1 : 64;
    std::size_t next = 1;
    box = boxes_[order[first]];
    for (std::size_t left = 1; left < count; ++left) {
      if (left > 1) box.include(boxes_[order[first + left - 1]]);
      const std::size_t wanted = count <= 256 ? left : next * count / (places + 1);
      if (left != wanted) continue;
      ++next;
      const double cost = box.area() * static_cast<double>(left) + suffix_[left] * static_cast<double>(count - left);
      const auto off_middle = [&](std::size_t at) { return at * 2 > count ? at * 2 - count : count - at * 2; };
      if (cost < best.cost || (cost == best.cost && best.axis == axis && off_middle(left) < off_middle(best.left)))
        best = {axis, left, cost};
    }
  }

  SplitChoice choose(std::size_t first, std::size_t last, int depth) {
    SplitChoice best;
    if (depth < kDeepSplits)
      for (std::size_t axis = 0; axis < 3; ++axis) try_axis(axis, first, last, best);
    if (best.left == 0) best = {longest_axis(first, last), (last - first) / 2, 0.0};
    return best;
  }

  std::size_t longest_axis(std::size_t first, std::size_t last) const {
    const ByteBox box = bounds(first, last);
    std::size_t longest = 0;
    for (std::size_t i = 1; i < 3; ++i)
      if (box.high[i] - box.low[i] > box.high[longest] - box.low[longest]) longest = i;
    return longest;
  }

  // Keeps all three orders sorted on both sides.
  void partition(const SplitChoice& choice, std::size_t first, std::size_t last) {
    const std::size_t middle = first + choice.left;
    for (std::size_t i = first; i < last; ++i) is_left_[order_[choice.axis][i]] = i < middle;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (axis == choice.axis) continue;
      std::size_t left = first, right = 0;
      for (std::size_t i = first; i < last; ++i) {
        const std::uint32_t item = order_[axis][i];
        if (is_left_[item])
          order_[axis][left++] = item;
        else
          moved_[right++] = item;
      }
      std::copy_n(moved_.begin(), right, order_[axis].begin() + static_cast<std::ptrdiff_t>(left));
    }
  }

  void put_split(std::size_t first, std::size_t last, const MoppPlace& state, int depth) {
    const SplitChoice choice = choose(first, last, depth);
    partition(choice, first, last);
    const std::size_t middle = first + choice.left, axis = choice.axis;
    const std::uint32_t hi = as_byte(std::ceil(state.local(bounds(first, middle).high[axis], axis) + kRound));
    const std::uint32_t lo = as_byte(std::floor(state.local(bounds(middle, last).low[axis], axis) - kRound));
    MoppPlace left = state, right = state;
    left.region[axis].high = std::min(left.region[axis].high, static_cast<double>(hi));
    right.region[axis].low = std::max(right.region[axis].low, static_cast<double>(lo));
    const std::size_t before = out_.size();
    emit(middle, last, right, depth + 1);
    const std::size_t right_size = out_.size() - before;
    emit(first, middle, left, depth + 1);
    const std::size_t left_size = out_.size() - before - right_size;
    const auto code = static_cast<std::uint32_t>(axis);
    const auto length = static_cast<std::uint32_t>(left_size);
    if (left_size <= 0xFF) return hi == lo + 1 ? put({0x20 + code, lo, length}) : put({0x10 + code, hi, lo, length});
    if (left_size <= 0xFFFF) return put({0x23 + code, hi, lo, 0, 0, length >> 8, length});
    // The right child comes first, and the left one is jumped to.
    const auto start = out_.begin() + static_cast<std::ptrdiff_t>(before);
    std::rotate(start, start + static_cast<std::ptrdiff_t>(right_size), out_.end());
    const auto over = static_cast<std::uint32_t>(right_size);
    put({0x07, over >> 16, over >> 8, over});
    put({0x10 + code, hi, lo, 4});
  }

  std::vector<ByteBox> boxes_;
  std::vector<std::uint32_t> keys_;
  std::array<std::vector<std::uint32_t>, 3> order_;
  std::vector<bool> is_left_;
  std::vector<std::uint32_t> moved_;
  std::vector<double> suffix_;
  std::vector<std::byte> out_;
};

bool is_usable(const Aabb& box) {
  return std::isfinite(box.min.x + box.min.y + box.min.z + box.max.x + box.max.y + box.max.z) && !box.empty();
}

}  // namespace

Result<MoppCode> build_mopp(std::span<const MoppItem> items, float margin) {
  if (items.empty()) return fail(ErrorCode::InvalidArgument, "there is nothing to build MOPP code for");
  Aabb all;
  for (const MoppItem& item : items) {
    if (!is_usable(item.box)) return fail(ErrorCode::InvalidArgument, "a box is empty or not a finite number");
    include(all, item.box);
  }
  MoppCode code;
  double extent = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    code.origin[axis] = all.min[axis] - margin;
    extent = std::max(extent, double{all.max[axis]} - double{all.min[axis]});
  }
  const double whole = extent + 2.0 * double{margin};
  code.scale = static_cast<float>(254.0 * 65536.0 / std::max(whole, 1e-6));
  if (!std::isfinite(code.scale) || !(code.scale > 0.0f))
    return fail(ErrorCode::InvalidArgument, "the boxes are too far apart for MOPP code");
  std::vector<ByteBox> boxes;
  std::vector<std::uint32_t> keys;
  for (const MoppItem& item : items) {
    ByteBox& box = boxes.emplace_back();
    for (std::size_t i = 0; i < 3; ++i) {
      const auto axis = static_cast<int>(i);
      const double unit = double{code.scale} / 65536.0, grow = double{margin} * unit;
      box.low[i] = (double{item.box.min[axis]} - double{code.origin[axis]}) * unit - grow;
      box.high[i] = (double{item.box.max[axis]} - double{code.origin[axis]}) * unit + grow;
    }
    keys.push_back(item.key);
  }
  code.code = MoppBuilder(std::move(boxes), std::move(keys)).build();
  return code;
}

}  // namespace marrow::geometry
