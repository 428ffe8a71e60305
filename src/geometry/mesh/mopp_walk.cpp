// SPDX-License-Identifier: MIT
// MOPP code read: queries, keys, and the check of every bound. Nothing here recurses, and no walk takes more steps than
// the code has bytes: in a tree every instruction is met once.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <unordered_map>

#include "geometry/mesh/mopp.h"
#include "geometry/mesh/mopp_step.h"

namespace marrow::geometry {
namespace {

constexpr std::array<MoppAxis, 13> kMoppAxes = {{{{1, 0, 0}},
                                                 {{0, 1, 0}},
                                                 {{0, 0, 1}},
                                                 {{0, 1, 1}},
                                                 {{0, 1, -1}},
                                                 {{1, 0, 1}},
                                                 {{1, 0, -1}},
                                                 {{1, 1, 0}},
                                                 {{1, -1, 0}},
                                                 {{1, 1, 1}},
                                                 {{1, 1, -1}},
                                                 {{1, -1, 1}},
                                                 {{1, -1, -1}}}};
/// More than 24 bits of a coordinate cannot be told apart.
constexpr std::uint32_t kLargestShift = 24;

std::unexpected<Error> wrong_code(std::size_t at, std::string message) {
  return fail(ErrorCode::Malformed, "byte " + std::to_string(at) + " of the MOPP code " + std::move(message),
              kNoOffset);
}

struct Entered {
  bool go = true;
  std::size_t path = 0;
};

// Walks a code. `enter(step, state, path)` is asked at each split and cut: bits 1 and 2 of its answer say whether to go
// left and right, 1 to go on. `leaf(key, path)` gets what is found; `path` is how many bounds are above.
template <class Enter, class Leaf>
Result<void> walk_mopp(std::span<const std::byte> code, Enter&& enter, Leaf&& leaf) {
  struct Open {
    std::size_t at = 0;
    MoppState state;
    std::size_t path = 0;
    bool is_right = false;
    MoppStep from = {};
  };
  std::vector<Open> open = {{}};
  std::size_t steps = 0;
  while (!open.empty()) {
    Open now = std::move(open.back());
    open.pop_back();
    if (now.is_right) now.path = enter(now.from, now.state, now.path - 1, 2).path;
    for (bool is_done = false; !is_done;) {
      if (++steps > code.size() + 1) return wrong_code(now.at, "is met more than once: the code runs in a circle");
      const auto step = read_step(code, now.at);
      if (!step)
        return wrong_code(now.at, now.at < code.size() ? "is not an instruction, or ends too early" : "is not there");
      switch (step->op) {
        case MoppOp::Return: is_done = true; break;
        case MoppOp::Leaf:
          leaf(now.state.base + step->value, now.path);
          is_done = true;
          break;
        case MoppOp::Jump: now.at = step->left; break;
        case MoppOp::Split: {
          const auto right = enter(*step, now.state, now.path, 2);
          const auto left = enter(*step, now.state, now.path, 1);
          if (right.go) open.push_back({step->right, now.state, now.path + 1, true, *step});
          now.path = left.path;
          now.at = step->left;
          is_done = !left.go;
          break;
        }
        case MoppOp::Cut:
        case MoppOp::Cut24: {
          const auto inside = enter(*step, now.state, now.path, 1);
          now.path = inside.path;
          is_done = !inside.go;
          now.at = step->next;
          break;
        }
        default:
          now.state.apply(*step);
          if (now.state.shift > kLargestShift) return wrong_code(now.at, "scales too far");
          now.at = step->next;
      }
    }
  }
  return {};
}

}  // namespace

const MoppAxis& mopp_axis(std::uint32_t number) { return kMoppAxes[number]; }

void MoppState::apply(const MoppStep& step) {
  if (step.op == MoppOp::Add) base += step.value;
  if (step.op == MoppOp::Base) base = step.value;
  if (step.op != MoppOp::Scale) return;
  for (std::size_t i = 0; i < 3; ++i)
    offset[i] += static_cast<double>(step.offset[i]) * 65536.0 / static_cast<double>(1u << shift);
  shift += step.value;
}

std::optional<MoppStep> read_step(std::span<const std::byte> code, std::size_t at) {
  if (at >= code.size()) return std::nullopt;
  const auto op = static_cast<std::uint32_t>(code[at]);
  const std::size_t left = code.size() - at - 1;
  const auto number = [&](std::size_t first, std::size_t count) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < count; ++i) value = value << 8 | static_cast<std::uint32_t>(code[at + first + i]);
    return value;
  };
  MoppStep step;
  // Sets the length of the instruction; false if the code ends before.
  const auto takes = [&](std::size_t operands) {
    step.next = at + 1 + operands;
    return left >= operands;
  };
  if (op == 0) {
    if (!takes(0)) return std::nullopt;
  } else if (op <= 4) {
    step.op = MoppOp::Scale;
    if (!takes(3)) return std::nullopt;
    step.value = op;
    step.offset = {number(1, 1), number(2, 1), number(3, 1)};
  } else if (op <= 7) {
    step.op = MoppOp::Jump;
    if (!takes(op - 4)) return std::nullopt;
    step.left = step.next + number(1, op - 4);
  } else if (op == 9 || op == 10 || op == 11) {
    step.op = op == 11 ? MoppOp::Base : MoppOp::Add;
    const std::size_t bytes = op == 9 ? 1 : op == 10 ? 2 : 4;
    if (!takes(bytes)) return std::nullopt;
    step.value = number(1, bytes);
  } else if (op >= 0x10 && op <= 0x1C) {
    step.op = MoppOp::Split;
    if (!takes(3)) return std::nullopt;
    step.axis = op - 0x10;
    step.a = number(1, 1);
    step.b = number(2, 1);
    step.left = step.next;
    step.right = step.next + number(3, 1);
  } else if (op >= 0x20 && op <= 0x22) {
    step.op = MoppOp::Split;
    if (!takes(2)) return std::nullopt;
    step.axis = op - 0x20;
    step.b = number(1, 1);
    step.a = step.b + 1;
    step.left = step.next;
    step.right = step.next + number(2, 1);
  } else if (op >= 0x23 && op <= 0x25) {
    step.op = MoppOp::Split;
    if (!takes(6)) return std::nullopt;
    step.axis = op - 0x23;
    step.a = number(1, 1);
    step.b = number(2, 1);
    step.left = step.next + number(3, 2);
    step.right = step.next + number(5, 2);
  } else if (op >= 0x26 && op <= 0x28) {
    step.op = MoppOp::Cut;
    if (!takes(2)) return std::nullopt;
    step.axis = op - 0x26;
    step.a = number(1, 1);
    step.b = number(2, 1);
  } else if (op >= 0x29 && op <= 0x2B) {
    step.op = MoppOp::Cut24;
    if (!takes(6)) return std::nullopt;
    step.axis = op - 0x29;
    step.a = number(1, 3);
    step.b = number(4, 3);
  } else if (op >= 0x30 && op <= 0x4F) {
    step.op = MoppOp::Leaf;
    if (!takes(0)) return std::nullopt;
    step.value = op - 0x30;
  } else if (op >= 0x50 && op <= 0x53) {
    step.op = MoppOp::Leaf;
    if (!takes(op - 0x4F)) return std::nullopt;
    step.value = number(1, op - 0x4F);
  } else if (op == 0x70) {
    step.op = MoppOp::Jump;
    if (!takes(4)) return std::nullopt;
    step.left = number(1, 4);
  } else {
    return std::nullopt;
  }
  return step;
}

Result<std::vector<std::uint32_t>> query_mopp(const MoppCode& code, const Aabb& box) {
  std::array<double, 3> low{}, high{};
  for (std::size_t i = 0; i < 3; ++i) {
    const auto axis = static_cast<int>(i);
    low[i] = (double{box.min[axis]} - double{code.origin[axis]}) * double{code.scale};
    high[i] = (double{box.max[axis]} - double{code.origin[axis]}) * double{code.scale};
  }
  std::vector<std::uint32_t> found;
  const auto enter = [&](const MoppStep& step, const MoppState& state, std::size_t, int side) -> Entered {
    if (step.op == MoppOp::Cut24) return {!(high[step.axis] < step.a || low[step.axis] >= step.b)};
    const MoppAxis& axis = kMoppAxes[step.axis];
    double least = 255.0 * axis.minus_signs(), most = least;
    for (std::size_t i = 0; i < 3; ++i) {
      const double a = state.local(low[i], i), b = state.local(high[i], i);
      least += axis.direction[i] * (axis.direction[i] > 0 ? a : b);
      most += axis.direction[i] * (axis.direction[i] > 0 ? b : a);
    }
    least /= axis.count();
    most /= axis.count();
    if (step.op == MoppOp::Cut) return {!(most < step.a || least >= step.b)};
    return {side == 1 ? least < step.a : most >= step.b};
  };
  if (auto walked = walk_mopp(code.code, enter, [&](std::uint32_t key, std::size_t) { found.push_back(key); }); !walked)
    return std::unexpected(std::move(walked.error()));
  return found;
}

Result<std::vector<std::uint32_t>> mopp_keys(const MoppCode& code) {
  std::vector<std::uint32_t> found;
  const auto enter = [](const MoppStep&, const MoppState&, std::size_t, int) -> Entered { return {}; };
  if (auto walked = walk_mopp(code.code, enter, [&](std::uint32_t key, std::size_t) { found.push_back(key); }); !walked)
    return std::unexpected(std::move(walked.error()));
  return found;
}

Result<std::vector<MoppBox>> mopp_boxes(const MoppCode& code) {
  /// What is known of a query at one place of the tree, in 24-bit units.
  struct Region {
    std::array<double, 3> low{}, high{255.0 * 65536.0, 255.0 * 65536.0, 255.0 * 65536.0};
    std::uint32_t depth = 0;
  };
  if (!std::isfinite(code.scale) || !(code.scale > 0.0f))
    return fail(ErrorCode::Malformed, "the scale of the MOPP code is not a positive number");
  std::vector<Region> path = {{}};
  std::vector<MoppBox> boxes;
  const auto put = [&](const Region& region) {
    MoppBox& out = boxes.emplace_back();
    out.depth = region.depth;
    for (std::size_t i = 0; i < 3; ++i) {
      const auto axis = static_cast<int>(i);
      const auto place = [&](double x) {
        return static_cast<float>(double{code.origin[axis]} + x / double{code.scale});
      };
      out.box.min[axis] = place(region.low[i]);
      out.box.max[axis] = place(std::max(region.low[i], region.high[i]));
    }
  };
  const auto enter = [&](const MoppStep& step, const MoppState& state, std::size_t above, int side) -> Entered {
    path.resize(above + 1);
    if (step.op == MoppOp::Split && side == 1) put(path.back());
    Region region = path.back();
    region.depth += step.op == MoppOp::Split ? 1 : 0;
    if (step.axis < 3) {
      const std::size_t i = step.axis;
      const auto whole = [&](std::uint32_t bound) {
        return step.op == MoppOp::Cut24 ? static_cast<double>(bound)
                                        : state.offset[i] + bound * 65536.0 / static_cast<double>(1u << state.shift);
      };
      const bool has_low = step.op != MoppOp::Split || side == 2, has_high = step.op != MoppOp::Split || side == 1;
      if (has_low) region.low[i] = std::max(region.low[i], whole(step.op == MoppOp::Split ? step.b : step.a));
      if (has_high) region.high[i] = std::min(region.high[i], whole(step.op == MoppOp::Split ? step.a : step.b));
    }
    path.push_back(region);
    return {true, above + 1};
  };
  const auto leaf = [&](std::uint32_t, std::size_t above) { put(path[std::min(above, path.size() - 1)]); };
  if (auto walked = walk_mopp(code.code, enter, leaf); !walked) return std::unexpected(std::move(walked.error()));
  return boxes;
}

Result<MoppFaults> check_mopp(const MoppCode& code, std::span<const MoppPoints> items) {
  /// One bound above a leaf.
  struct Bound {
    MoppOp op;
    std::uint32_t axis;
    double low, high;
    MoppState state;
  };
  constexpr double kNone = 1e300, kSlack = 0.004, kSlack24 = 256.0;
  std::unordered_map<std::uint32_t, std::size_t> item_of;
  for (std::size_t i = 0; i < items.size(); ++i) item_of.try_emplace(items[i].key, i);
  std::vector<bool> is_found(items.size()), is_unreached(items.size());
  std::vector<Bound> path;
  MoppFaults faults;
  const auto enter = [&](const MoppStep& step, const MoppState& state, std::size_t above, int side) -> Entered {
    path.resize(above);
    const double low = step.op == MoppOp::Split ? (side == 2 ? step.b : -kNone) : step.a;
    const double high = step.op == MoppOp::Split ? (side == 1 ? step.a : kNone) : step.b;
    path.push_back({step.op, step.axis, low, high, state});
    return {true, path.size()};
  };
  const auto outside = [&](const Bound& bound, const std::array<double, 3>& x) {
    if (bound.op == MoppOp::Cut24) return x[bound.axis] < bound.low - kSlack24 || x[bound.axis] > bound.high + kSlack24;
    const MoppAxis& axis = kMoppAxes[bound.axis];
    double value = 255.0 * axis.minus_signs();
    for (std::size_t i = 0; i < 3; ++i) value += axis.direction[i] * bound.state.local(x[i], i);
    value /= axis.count();
    const double slack = kSlack * static_cast<double>(1u << bound.state.shift);
    return !(value >= bound.low - slack && value <= bound.high + slack);
  };
  const auto leaf = [&](std::uint32_t key, std::size_t above) {
    const auto found = item_of.find(key);
    if (found == item_of.end() || is_found[found->second]) {
      faults.extra.push_back(key);
      return;
    }
    is_found[found->second] = true;
    for (const Vec3& p : items[found->second].points) {
      std::array<double, 3> x{};
      for (std::size_t i = 0; i < 3; ++i) {
        const auto axis = static_cast<int>(i);
        x[i] = (double{p[axis]} - double{code.origin[axis]}) * double{code.scale};
      }
      for (std::size_t i = 0; i < above && i < path.size(); ++i)
        if (outside(path[i], x)) is_unreached[found->second] = true;
    }
  };
  if (auto walked = walk_mopp(code.code, enter, leaf); !walked) return std::unexpected(std::move(walked.error()));
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (!is_found[i]) faults.missing.push_back(items[i].key);
    if (is_unreached[i]) faults.unreached.push_back(items[i].key);
  }
  return faults;
}

}  // namespace marrow::geometry
