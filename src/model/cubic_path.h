// SPDX-License-Identifier: MIT
// Cubic paths through keys, for motion between the frames of a clip. A straight path has a corner at every key, and
// what hangs on it feels a blow there; a cubic one passes through the same keys with one speed on both sides of each.
#pragma once

#include <cstddef>
#include <glm/geometric.hpp>
#include <glm/vec4.hpp>

namespace marrow {

// Returns the speed at key `i`, units per second: that of the parabola through the key and its neighbours (Catmull and
// Rom's for even keys). At an end it is that of the parabola through the last three keys; of a row that ends where it
// starts, the first key follows the last. A key at which a hold of two intervals or more starts or ends has none, so
// that a planted foot stays where it is.
//
// `Keys` has `count()`, at least 2; `seconds(i)`; `value(i)`, a dvec4, quaternions in one half space; and `joined(i)`,
// false if the row jumps between `i` and `i + 1`.
template <class Keys>
glm::dvec4 key_speed(const Keys& keys, std::size_t i) {
  struct Interval {
    bool exists = false;
    glm::dvec4 slope{0.0};
    double span = 0.0;
  };
  const std::size_t last = keys.count() - 1;
  const auto interval = [&](std::size_t from) -> Interval {
    if (!keys.joined(from)) return {};
    const double span = keys.seconds(from + 1) - keys.seconds(from);
    return {true, (keys.value(from + 1) - keys.value(from)) / span, span};
  };
  const glm::dvec4 gap = keys.value(last) - keys.value(0);
  const bool loops = glm::dot(gap, gap) < 1e-12;
  const auto before = [&](std::size_t key) {
    return key > 0 ? interval(key - 1) : loops ? interval(last - 1) : Interval();
  };
  const auto after = [&](std::size_t key) { return key < last ? interval(key) : loops ? interval(0) : Interval(); };
  const auto is_still = [](const Interval& each) { return each.exists && each.slope == glm::dvec4(0.0); };

  const Interval here0 = before(i), here1 = after(i);
  if (!here0.exists && !here1.exists) return glm::dvec4(0.0);
  const Interval far0 = here0.exists ? before(i > 0 ? i - 1 : last - 1) : Interval();
  const Interval far1 = here1.exists ? after(i < last ? i + 1 : 1) : Interval();
  if ((is_still(here0) && is_still(far0)) || (is_still(here1) && is_still(far1))) return glm::dvec4(0.0);
  if (here0.exists && here1.exists)
    return (here0.slope * here1.span + here1.slope * here0.span) / (here0.span + here1.span);
  const Interval &near = here0.exists ? here0 : here1, &next = here0.exists ? far0 : far1;
  if (!next.exists) return near.slope;
  return near.slope + (near.slope - next.slope) * (near.span / (near.span + next.span));
}

// Returns the point of the cubic from `a` to `b` at a share of the way; speeds are per second, `span` is in seconds.
inline glm::dvec4 on_cubic(const glm::dvec4& a, const glm::dvec4& b, const glm::dvec4& speed_a,
                           const glm::dvec4& speed_b, double span, double share) {
  const double u = share, u2 = u * u, u3 = u2 * u;
  return a * (2 * u3 - 3 * u2 + 1) + b * (3 * u2 - 2 * u3) + (speed_a * (u3 - 2 * u2 + u) + speed_b * (u3 - u2)) * span;
}

}  // namespace marrow
