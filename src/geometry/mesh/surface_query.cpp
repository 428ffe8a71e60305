// SPDX-License-Identifier: MIT
#include "geometry/mesh/surface_query.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace marrow::geometry {

namespace {

/// Boxes are kept in floats; this is more than their rounding.
constexpr float kBoxMargin = 1e-6f;
/// The deepest stack a walk needs: `kMaxBvhDepth` levels with one sibling each, and the root.
constexpr std::size_t kStackSize = kMaxBvhDepth + 2;

double distance_squared(const Aabb& box, const DVec3& place) {
  double sum = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    const double below = static_cast<double>(box.min[axis]) - place[axis];
    const double above = place[axis] - static_cast<double>(box.max[axis]);
    const double gap = std::max({below, above, 0.0});
    sum += gap * gap;
  }
  return sum;
}

bool overlap(const Aabb& a, const Aabb& b) {
  return a.min.x <= b.max.x && b.min.x <= a.max.x && a.min.y <= b.max.y && b.min.y <= a.max.y && a.min.z <= b.max.z &&
         b.min.z <= a.max.z;
}

Aabb box_of(const std::array<DVec3, 3>& triangle) {
  Aabb box;
  for (const DVec3& corner : triangle) include(box, Vec3(corner));
  box.min -= kBoxMargin;
  box.max += kBoxMargin;
  return box;
}

double determinant(const DVec3& a, const DVec3& b, const DVec3& c) { return glm::dot(a, glm::cross(b, c)); }

/// True if the segment passes through the inside of the triangle, by more than rounding.
bool passes_through(const DVec3& from, const DVec3& to, const std::array<DVec3, 3>& t) {
  constexpr double kTouch = 1e-6;
  const DVec3 normal = glm::cross(t[1] - t[0], t[2] - t[0]);
  const double size = glm::length(normal);
  if (!(size > 1e-14)) return false;
  const double a = glm::dot(normal, from - t[0]) / size;
  const double b = glm::dot(normal, to - t[0]) / size;
  if (!((a > kTouch && b < -kTouch) || (a < -kTouch && b > kTouch))) return false;
  const DVec3 at = from + (to - from) * (a / (a - b));
  for (std::size_t k = 0; k < 3; ++k) {
    const DVec3 side = t[(k + 1) % 3] - t[k];
    if (!(glm::dot(glm::cross(side, at - t[k]), normal) > kTouch * glm::length(side) * size)) return false;
  }
  return true;
}

bool pass_through_each_other(const std::array<DVec3, 3>& a, const std::array<DVec3, 3>& b) {
  for (std::size_t k = 0; k < 3; ++k)
    if (passes_through(a[k], a[(k + 1) % 3], b) || passes_through(b[k], b[(k + 1) % 3], a)) return true;
  return false;
}

}  // namespace

// C. Ericson, "Real-Time Collision Detection", 2005, 5.1.5.
DVec3 nearest_on_triangle(const DVec3& p, const DVec3& a, const DVec3& b, const DVec3& c) {
  const DVec3 ab = b - a;
  const DVec3 ac = c - a;
  const DVec3 ap = p - a;
  const double d1 = glm::dot(ab, ap);
  const double d2 = glm::dot(ac, ap);
  if (d1 <= 0.0 && d2 <= 0.0) return a;
  const DVec3 bp = p - b;
  const double d3 = glm::dot(ab, bp);
  const double d4 = glm::dot(ac, bp);
  if (d3 >= 0.0 && d4 <= d3) return b;
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 && d1 - d3 > 0.0) return a + ab * (d1 / (d1 - d3));
  const DVec3 cp = p - c;
  const double d5 = glm::dot(ab, cp);
  const double d6 = glm::dot(ac, cp);
  if (d6 >= 0.0 && d5 <= d6) return c;
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 && d2 - d6 > 0.0) return a + ac * (d2 / (d2 - d6));
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0 && (d4 - d3) + (d5 - d6) > 0.0)
    return b + (c - b) * ((d4 - d3) / ((d4 - d3) + (d5 - d6)));
  const double sum = va + vb + vc;
  if (!(sum > 0.0)) return a;
  return a + ab * (vb / sum) + ac * (vc / sum);
}

SurfaceQuery::SurfaceQuery(std::vector<std::array<DVec3, 3>> triangles, bool has_inside)
    : triangles_(std::move(triangles)), has_inside_(has_inside) {
  std::vector<Aabb> boxes;
  boxes.reserve(triangles_.size());
  for (const auto& triangle : triangles_) boxes.push_back(box_of(triangle));
  tree_ = build_bvh(boxes, 0);
}

double SurfaceQuery::distance(const DVec3& place, double at_most) const {
  double best = at_most * at_most;
  struct Entry {
    std::uint32_t node;
    double gap;
  };
  std::array<Entry, kStackSize> stack;
  std::size_t height = 0;
  stack[height++] = {0, distance_squared(tree_.nodes[0].box, place)};
  while (height > 0) {
    const Entry entry = stack[--height];
    if (entry.gap >= best) continue;
    const Bvh::Node& node = tree_.nodes[entry.node];
    if (node.is_leaf()) {
      const auto& [a, b, c] = triangles_[node.left];
      const DVec3 arm = nearest_on_triangle(place, a, b, c) - place;
      best = std::min(best, glm::dot(arm, arm));
      continue;
    }
    Entry near{node.left, distance_squared(tree_.nodes[node.left].box, place)};
    Entry far{node.right, distance_squared(tree_.nodes[node.right].box, place)};
    if (far.gap < near.gap) std::swap(near, far);
    stack[height++] = far;
    stack[height++] = near;
  }
  return std::sqrt(best);
}

template <class Visit>
void SurfaceQuery::for_each_hit(const DVec3& from, const DVec3& direction, Visit&& visit) const {
  const DVec3 inverse = 1.0 / direction;
  std::array<std::uint32_t, kStackSize> stack;
  std::size_t height = 0;
  stack[height++] = 0;
  while (height > 0) {
    const Bvh::Node& node = tree_.nodes[stack[--height]];
    double enter = 0.0;
    double leave = std::numeric_limits<double>::infinity();
    for (int axis = 0; axis < 3; ++axis) {
      const double a = (static_cast<double>(node.box.min[axis]) - from[axis]) * inverse[axis];
      const double b = (static_cast<double>(node.box.max[axis]) - from[axis]) * inverse[axis];
      enter = std::max(enter, std::min(a, b));
      leave = std::min(leave, std::max(a, b));
    }
    if (!(enter <= leave)) continue;
    if (!node.is_leaf()) {
      stack[height++] = node.right;
      stack[height++] = node.left;
      continue;
    }
    const DVec3 a = triangles_[node.left][0] - from;
    const DVec3 b = triangles_[node.left][1] - from;
    const DVec3 c = triangles_[node.left][2] - from;
    // The ray is inside the cone of the triangle if it turns the same way about all three sides.
    const double u = determinant(direction, c, b);
    const double v = determinant(direction, a, c);
    const double w = determinant(direction, b, a);
    if (!((u <= 0.0 && v <= 0.0 && w <= 0.0) || (u >= 0.0 && v >= 0.0 && w >= 0.0))) continue;
    const double sum = u + v + w;
    if (sum == 0.0) continue;
    const double along = glm::dot((a * u + b * v + c * w) / sum, direction);
    if (along > 0.0) visit(along, sum > 0.0 ? -1 : 1);
  }
}

bool SurfaceQuery::is_inside(const DVec3& place) const {
  if (!has_inside_) return false;
  // Directions that no modelled edge lies in.
  constexpr std::array<DVec3, 3> kDirections = {
      {{0.6130731, 0.5403023, 0.5763211}, {-0.4161468, 0.7071923, -0.5716512}, {0.3013917, -0.5440211, 0.7830631}}};
  int votes = 0;
  for (int i = 0; i < 3; ++i) {
    int winding = 0;
    for_each_hit(place, kDirections[static_cast<std::size_t>(i)], [&](double, int turn) { winding += turn; });
    votes += winding > 0 ? 1 : 0;
    if (i == 1 && votes != 1) break;
  }
  return votes >= 2;
}

double SurfaceQuery::outside(const DVec3& place, double at_most) const {
  const double found = distance(place, at_most);
  constexpr double kOnSurface = 1e-9;
  return found > kOnSurface && is_inside(place) ? 0.0 : found;
}

bool SurfaceQuery::crosses_itself() const {
  std::vector<std::uint32_t> stack;
  for (std::uint32_t i = 0; i < triangles_.size(); ++i) {
    const Aabb box = box_of(triangles_[i]);
    stack.assign(1, 0);
    while (!stack.empty()) {
      const Bvh::Node& node = tree_.nodes[stack.back()];
      stack.pop_back();
      if (!overlap(node.box, box)) continue;
      if (!node.is_leaf()) {
        stack.push_back(node.left);
        stack.push_back(node.right);
      } else if (node.left > i && pass_through_each_other(triangles_[i], triangles_[node.left])) {
        return true;
      }
    }
  }
  return false;
}

std::vector<SurfaceQuery::Span> SurfaceQuery::wound_spans(int lines) const {
  const DVec3 low(tree_.nodes[0].box.min);
  const DVec3 extent = DVec3(tree_.nodes[0].box.max) - low;
  std::vector<Span> spans;
  std::vector<Hit> hits;
  for (int i = 0; i < lines; ++i) {
    // A sequence that fills the square evenly, whatever the sides of the solid are (M. Roberts, "The Unreasonable
    // Effectiveness of Quasirandom Sequences", 2018).
    const double fy = std::fmod(0.5 + 0.7548776662466927 * i, 1.0);
    const double fz = std::fmod(0.5 + 0.5698402909980532 * i, 1.0);
    const DVec3 from = low + extent * DVec3(0.0, fy, fz) - DVec3(1.0, 0.0, 0.0);
    hits.clear();
    for_each_hit(from, kLine, [&](double along, int winding) { hits.push_back({along, winding}); });
    std::sort(hits.begin(), hits.end(), [](const Hit& a, const Hit& b) { return a.along < b.along; });
    int winding = 0;
    for (std::size_t k = 0; k + 1 < hits.size(); ++k) {
      winding -= hits[k].winding;
      if (winding > 0) spans.push_back({from, hits[k].along, hits[k + 1].along});
    }
  }
  return spans;
}

double SurfaceQuery::wound_volume(int lines) const {
  double length = 0.0;
  for (const Span& span : wound_spans(lines)) length += span.end - span.begin;
  const Aabb& box = tree_.nodes[0].box;
  return length * static_cast<double>((box.max.y - box.min.y) * (box.max.z - box.min.z)) / lines;
}

}  // namespace marrow::geometry
