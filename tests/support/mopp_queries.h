// SPDX-License-Identifier: MIT
// MOPP code walked anew from docs/formats/bhk.md, and what boxes and rays really touch, for tests that hold the library
// to both. Nothing here is shared with src/.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <glm/geometric.hpp>
#include <optional>
#include <set>

#include "geometry/mesh/mopp.h"

namespace marrow::test {

using geometry::MoppCode;
using geometry::Vec3;
using Triangle = std::array<Vec3, 3>;

/// A straight line between two points, or one point: where a query is along it, from 0 to 1.
struct Stretch {
  double from = 0.0, to = 1.0;
};

/// Walks a code for a query, which says where a coordinate of it lies and which part of it is on one side of a bound.
template <class Query>
class MoppWalk {
 public:
  MoppWalk(const MoppCode& code, Query query, std::set<std::uint32_t>& found)
      : code_(code.code), query_(query), found_(found) {
    walk(0, {}, query_.all());
  }

 private:
  struct Place {
    std::uint32_t base = 0, shift = 0;
    std::array<double, 3> offset{};
  };

  std::uint32_t byte(std::size_t at) const { return static_cast<std::uint32_t>(code_.at(at)); }
  std::uint32_t number(std::size_t at, int count) const {
    std::uint32_t value = 0;
    for (int i = 0; i < count; ++i) value = value << 8 | byte(at + static_cast<std::size_t>(i));
    return value;
  }

  // Coordinate c = a . X + b of the 24-bit space, for one axis of a split at a place.
  struct Axis {
    std::array<double, 3> a{};
    double b = 0.0;
  };
  static Axis axis_at(std::uint32_t kind, const Place& place) {
    constexpr int kDirections[13][3] = {{1, 0, 0},  {0, 1, 0},  {0, 0, 1},  {0, 1, 1},  {0, 1, -1},
                                        {1, 0, 1},  {1, 0, -1}, {1, 1, 0},  {1, -1, 0}, {1, 1, 1},
                                        {1, 1, -1}, {1, -1, 1}, {1, -1, -1}};
    constexpr double kConstants[13] = {0, 0, 0, 0, 127.5, 0, 127.5, 0, 127.5, 0, 85, 85, 170};
    Axis axis{.b = kConstants[kind]};
    int count = 0;
    for (const int d : kDirections[kind]) count += d != 0;
    const double scale = std::ldexp(1.0, static_cast<int>(place.shift)) / 65536.0;
    for (std::size_t i = 0; i < 3; ++i) {
      axis.a[i] = kDirections[kind][i] * scale / count;
      axis.b -= axis.a[i] * place.offset[i];
    }
    return axis;
  }

  void split(std::uint32_t kind, double high, double low, std::size_t left, std::size_t right, const Place& place,
             const Stretch& part) {
    const Axis axis = axis_at(kind, place);
    if (const auto below = query_.below(axis.a, axis.b, high, part)) walk(left, place, *below);
    if (const auto above = query_.above(axis.a, axis.b, low, part)) walk(right, place, *above);
  }

  void walk(std::size_t at, Place place, Stretch part) {
    while (true) {
      const std::uint32_t op = byte(at);
      if (op >= 0x01 && op <= 0x04) {
        for (std::size_t i = 0; i < 3; ++i)
          place.offset[i] += byte(at + 1 + i) * 65536.0 / std::ldexp(1.0, static_cast<int>(place.shift));
        place.shift += op;
        at += 4;
      } else if (op >= 0x05 && op <= 0x07) {
        const int width = static_cast<int>(op) - 4;
        at += 1 + static_cast<std::size_t>(width) + number(at + 1, width);
      } else if (op == 0x09 || op == 0x0A) {
        place.base += number(at + 1, op == 0x09 ? 1 : 2);
        at += op == 0x09 ? 2 : 3;
      } else if (op == 0x0B) {
        place.base = number(at + 1, 4);
        at += 5;
      } else if (op >= 0x10 && op <= 0x1C) {
        return split(op - 0x10, byte(at + 1), byte(at + 2), at + 4, at + 4 + byte(at + 3), place, part);
      } else if (op >= 0x20 && op <= 0x22) {
        return split(op - 0x20, byte(at + 1) + 1, byte(at + 1), at + 3, at + 3 + byte(at + 2), place, part);
      } else if (op >= 0x23 && op <= 0x25) {
        return split(op - 0x23, byte(at + 1), byte(at + 2), at + 7 + number(at + 3, 2), at + 7 + number(at + 5, 2),
                     place, part);
      } else if (op >= 0x26 && op <= 0x28) {
        if (!cut(axis_at(op - 0x26, place), byte(at + 1), byte(at + 2), part)) return;
        at += 3;
      } else if (op >= 0x29 && op <= 0x2B) {
        Axis axis;
        axis.a[op - 0x29] = 1.0;
        if (!cut(axis, number(at + 1, 3), number(at + 4, 3), part)) return;
        at += 7;
      } else if (op >= 0x30 && op <= 0x4F) {
        found_.insert(place.base + op - 0x30);
        return;
      } else if (op >= 0x50 && op <= 0x53) {
        found_.insert(place.base + number(at + 1, static_cast<int>(op) - 0x4F));
        return;
      } else if (op == 0x70) {
        at = number(at + 1, 4);
      } else {
        return;
      }
    }
  }

  bool cut(const Axis& axis, double low, double high, Stretch& part) {
    const auto below = query_.below(axis.a, axis.b, high, part);
    const auto above = below ? query_.above(axis.a, axis.b, low, *below) : below;
    if (above) part = *above;
    return above.has_value();
  }

  const std::vector<std::byte>& code_;
  Query query_;
  std::set<std::uint32_t>& found_;
};

/// A box in the space of a code.
struct BoxQuery {
  std::array<double, 3> low, high;

  Stretch all() const { return {}; }
  std::optional<Stretch> below(const std::array<double, 3>& a, double b, double bound, const Stretch& part) const {
    double least = b;
    for (std::size_t i = 0; i < 3; ++i) least += a[i] * (a[i] > 0 ? low[i] : high[i]);
    return least < bound ? std::optional(part) : std::nullopt;
  }
  std::optional<Stretch> above(const std::array<double, 3>& a, double b, double bound, const Stretch& part) const {
    double most = b;
    for (std::size_t i = 0; i < 3; ++i) most += a[i] * (a[i] > 0 ? high[i] : low[i]);
    return most >= bound ? std::optional(part) : std::nullopt;
  }
};

/// A ray with an end in the space of a code; each bound cuts it.
struct RayQuery {
  std::array<double, 3> start, end;

  Stretch all() const { return {}; }
  std::optional<Stretch> below(const std::array<double, 3>& a, double b, double bound, Stretch part) const {
    const auto [at, slope] = along(a, b);
    if (slope == 0.0) return at < bound ? std::optional(part) : std::nullopt;
    const double meets = (bound - at) / slope;
    (slope > 0 ? part.to : part.from) = slope > 0 ? std::min(part.to, meets) : std::max(part.from, meets);
    return part.from <= part.to ? std::optional(part) : std::nullopt;
  }
  std::optional<Stretch> above(const std::array<double, 3>& a, double b, double bound, Stretch part) const {
    return below({-a[0], -a[1], -a[2]}, -b, -bound, part);
  }

 private:
  std::pair<double, double> along(const std::array<double, 3>& a, double b) const {
    double at = b, slope = 0.0;
    for (std::size_t i = 0; i < 3; ++i) {
      at += a[i] * start[i];
      slope += a[i] * (end[i] - start[i]);
    }
    return {at, slope};
  }
};

inline std::array<double, 3> in_code(const MoppCode& code, const Vec3& p) {
  std::array<double, 3> out;
  for (int i = 0; i < 3; ++i)
    out[static_cast<std::size_t>(i)] = (double{p[i]} - double{code.origin[i]}) * double{code.scale};
  return out;
}

inline std::set<std::uint32_t> keys_in_box(const MoppCode& code, const geometry::Aabb& box) {
  std::set<std::uint32_t> found;
  MoppWalk(code, BoxQuery{in_code(code, box.min), in_code(code, box.max)}, found);
  return found;
}

inline std::set<std::uint32_t> keys_on_ray(const MoppCode& code, const Vec3& from, const Vec3& to) {
  std::set<std::uint32_t> found;
  MoppWalk(code, RayQuery{in_code(code, from), in_code(code, to)}, found);
  return found;
}

/// True if a triangle and a box have a point in common: no axis of the thirteen that can part them does
/// (Akenine-Moller).
inline bool touches(const Triangle& triangle, const geometry::Aabb& box) {
  const Vec3 middle = 0.5f * (box.min + box.max), half = 0.5f * (box.max - box.min);
  const Triangle t = {triangle[0] - middle, triangle[1] - middle, triangle[2] - middle};
  const auto parts = [&](const Vec3& axis) {
    const float reach = glm::dot(half, glm::abs(axis));
    const float a = glm::dot(axis, t[0]), b = glm::dot(axis, t[1]), c = glm::dot(axis, t[2]);
    return std::min({a, b, c}) > reach || std::max({a, b, c}) < -reach;
  };
  for (int i = 0; i < 3; ++i) {
    Vec3 unit(0.0f);
    unit[i] = 1.0f;
    if (parts(unit)) return false;
    for (std::size_t k = 0; k < 3; ++k)
      if (parts(glm::cross(unit, t[(k + 1) % 3] - t[k]))) return false;
  }
  return !parts(glm::cross(t[1] - t[0], t[2] - t[0]));
}

/// True if a straight line between two points meets a triangle (Moller and Trumbore).
inline bool meets(const Triangle& t, const Vec3& from, const Vec3& to) {
  const glm::dvec3 direction = glm::dvec3(to) - glm::dvec3(from);
  const glm::dvec3 u = glm::dvec3(t[1]) - glm::dvec3(t[0]), v = glm::dvec3(t[2]) - glm::dvec3(t[0]);
  const glm::dvec3 p = glm::cross(direction, v);
  const double area = glm::dot(u, p);
  if (std::abs(area) < 1e-12) return false;
  const glm::dvec3 s = glm::dvec3(from) - glm::dvec3(t[0]), q = glm::cross(s, u);
  const double a = glm::dot(s, p) / area, b = glm::dot(direction, q) / area, at = glm::dot(v, q) / area;
  return a >= 0.0 && b >= 0.0 && a + b <= 1.0 && at >= 0.0 && at <= 1.0;
}

}  // namespace marrow::test
