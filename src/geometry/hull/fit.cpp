// SPDX-License-Identifier: MIT
#include "geometry/hull/fit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/gtc/quaternion.hpp>
#include <glm/mat3x3.hpp>
#include <limits>
#include <numbers>
#include <optional>

#include "core/try.h"
#include "geometry/hull/polyhedron.h"

namespace marrow::geometry {

namespace {

struct Ball {
  DVec3 center{0.0};
  double radius = -1.0;  ///< below zero: holds nothing

  bool holds(const DVec3& point) const { return glm::distance(point, center) <= radius * (1.0 + 1e-12) + 1e-300; }
};

/// The smallest ball through all of up to four points; none where they do not have one.
std::optional<Ball> ball_through(std::span<const DVec3> points) {
  if (points.empty()) return Ball{};
  // The centre is points[0] + sum of x[i] * edge[i], at equal distance: 2 * edge[i] . offset = edge[i] . edge[i].
  const std::size_t n = points.size() - 1;
  double matrix[3][4] = {};
  for (std::size_t row = 0; row < n; ++row) {
    const DVec3 edge = points[row + 1] - points[0];
    for (std::size_t column = 0; column < n; ++column)
      matrix[row][column] = 2.0 * glm::dot(edge, points[column + 1] - points[0]);
    matrix[row][n] = glm::dot(edge, edge);
  }
  for (std::size_t pivot = 0; pivot < n; ++pivot) {
    std::size_t best = pivot;
    for (std::size_t row = pivot + 1; row < n; ++row)
      if (std::abs(matrix[row][pivot]) > std::abs(matrix[best][pivot])) best = row;
    std::swap(matrix[pivot], matrix[best]);
    if (!(std::abs(matrix[pivot][pivot]) > 1e-14 * std::abs(matrix[0][0]))) return std::nullopt;
    for (std::size_t row = 0; row < n; ++row) {
      if (row == pivot) continue;
      const double factor = matrix[row][pivot] / matrix[pivot][pivot];
      for (std::size_t column = pivot; column <= n; ++column) matrix[row][column] -= factor * matrix[pivot][column];
    }
  }
  DVec3 center = points[0];
  for (std::size_t i = 0; i < n; ++i) center += (points[i + 1] - points[0]) * (matrix[i][n] / matrix[i][i]);
  return Ball{center, glm::distance(center, points[0])};
}

/// The smallest ball that holds all points. Starts anywhere and takes in the farthest point outside: the ball of the
/// few points that carry the old one and the new point is the smallest of those through some of them that hold them
/// all, and larger than before, so no set of carriers comes twice.
Ball smallest_ball(std::span<const DVec3> points) {
  std::vector<DVec3> carriers;
  Ball ball{points[0], 0.0};
  for (int round = 0; round < 1000; ++round) {
    const DVec3& farthest = *std::max_element(points.begin(), points.end(), [&](const DVec3& a, const DVec3& b) {
      return glm::distance(a, ball.center) < glm::distance(b, ball.center);
    });
    if (round > 0 && ball.holds(farthest)) break;
    std::vector<DVec3> all = carriers;
    all.push_back(farthest);
    Ball best{{}, std::numeric_limits<double>::infinity()};
    for (unsigned set = 1; set < 1u << all.size(); ++set) {
      std::vector<DVec3> chosen;
      for (std::size_t i = 0; i < all.size(); ++i)
        if ((set >> i & 1) != 0) chosen.push_back(all[i]);
      if (chosen.size() > 4) continue;
      const std::optional<Ball> candidate = ball_through(chosen);
      if (!candidate || candidate->radius >= best.radius) continue;
      if (!std::all_of(all.begin(), all.end(), [&](const DVec3& p) { return candidate->holds(p); })) continue;
      best = *candidate;
      carriers = std::move(chosen);
    }
    if (round > 0 && !(best.radius > ball.radius && std::isfinite(best.radius))) break;  // rounding has the last word
    ball = best;
  }
  for (const DVec3& point : points) ball.radius = std::max(ball.radius, glm::distance(point, ball.center));
  return ball;
}

Result<void> check_points(std::span<const Vec3> points) {
  if (points.empty()) return fail(ErrorCode::InvalidArgument, "no points to fit a shape to");
  return check_coordinates(points);
}

float rounded_up(double value) {
  const float rounded = static_cast<float>(value);
  return static_cast<double>(rounded) < value ? std::nextafter(rounded, std::numeric_limits<float>::infinity())
                                              : rounded;
}

/// Turns of the plane's axes, one for each side of the convex hull of points in it: the box of least area lies on one.
std::vector<glm::dvec2> side_directions(std::span<const DVec3> points, const DVec3& u, const DVec3& v) {
  std::vector<glm::dvec2> flat;
  for (const DVec3& point : points) flat.emplace_back(glm::dot(point, u), glm::dot(point, v));
  std::sort(flat.begin(), flat.end(),
            [](const glm::dvec2& a, const glm::dvec2& b) { return a.x != b.x ? a.x < b.x : a.y < b.y; });
  const auto turns_right = [](const glm::dvec2& a, const glm::dvec2& b, const glm::dvec2& c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x) <= 0.0;
  };
  std::vector<glm::dvec2> loop;  // monotone chain: lower side, then upper
  for (int side = 0; side < 2; ++side) {
    const std::size_t start = loop.size();
    for (const glm::dvec2& point : flat) {
      while (loop.size() >= start + 2 && turns_right(loop[loop.size() - 2], loop.back(), point)) loop.pop_back();
      loop.push_back(point);
    }
    loop.pop_back();
    std::reverse(flat.begin(), flat.end());
  }
  std::vector<glm::dvec2> directions;
  for (std::size_t i = 0; i < loop.size(); ++i) {
    const glm::dvec2 edge = loop[i + 1 == loop.size() ? 0 : i + 1] - loop[i];
    const double length = glm::length(edge);
    if (length > 0.0) directions.push_back(edge / length);
  }
  return directions;
}

struct Frame {
  DVec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  DVec3 low{0.0};
  DVec3 high{0.0};

  double volume() const {
    const DVec3 extent = high - low;
    return extent.x * extent.y * extent.z;
  }
  double half_surface() const {
    const DVec3 extent = high - low;
    return extent.x * extent.y + extent.y * extent.z + extent.z * extent.x;
  }
};

void measure(Frame& frame, std::span<const DVec3> points) {
  for (int axis = 0; axis < 3; ++axis) {
    frame.low[axis] = std::numeric_limits<double>::infinity();
    frame.high[axis] = -std::numeric_limits<double>::infinity();
    for (const DVec3& point : points) {
      frame.low[axis] = std::min(frame.low[axis], glm::dot(point, frame.axes[axis]));
      frame.high[axis] = std::max(frame.high[axis], glm::dot(point, frame.axes[axis]));
    }
  }
}

/// Names the axes so that the box is turned as little as possible.
void straighten(Frame& frame) {
  std::swap(frame.axes[0], *std::max_element(frame.axes, frame.axes + 3, [](const DVec3& a, const DVec3& b) {
              return std::abs(a.x) < std::abs(b.x);
            }));
  if (std::abs(frame.axes[2].y) > std::abs(frame.axes[1].y)) std::swap(frame.axes[1], frame.axes[2]);
  if (frame.axes[0].x < 0.0) frame.axes[0] = -frame.axes[0];
  if (frame.axes[1].y < 0.0) frame.axes[1] = -frame.axes[1];
  frame.axes[2] = glm::cross(frame.axes[0], frame.axes[1]);
}

/// The box of least volume; of least surface among flat ones.
Frame best_frame(std::span<const DVec3> points) {
  constexpr double kWorthTurning = 0.999;  // a box along the axes is kept unless another is clearly smaller
  Frame best;
  measure(best, points);
  const Spread spread = spread_of(points);
  if (!(spread.width > 0.0)) return best;
  std::vector<DVec3> normals;
  std::vector<DVec3> corners(points.begin(), points.end());
  const bool is_flat = spread.thickness <= 1e-7 * spread.length;
  if (!is_flat)
    if (const auto hull = convex_hull(fewer_corners(corners, 4.0 * spread.length), 0.0)) {
      // The direction is found on a coarse hull; the extents are measured on all points.
      corners = simplified_vertices(*hull, 128);
      const auto coarse = convex_hull(corners, 1e-5 * spread.length);
      for (const HalfSpace& plane : coarse ? coarse->planes : hull->planes) normals.push_back(plane.normal);
    }
  if (normals.empty()) normals.push_back(spread.normal);
  const auto cost = [&](const Frame& frame) { return is_flat ? frame.half_surface() : frame.volume(); };
  Frame turned = best;
  double least = std::numeric_limits<double>::infinity();
  for (const DVec3& normal : normals) {
    const DVec3 u = glm::normalize(glm::cross(normal, std::abs(normal.x) < 0.6 ? DVec3(1, 0, 0) : DVec3(0, 1, 0)));
    const DVec3 v = glm::cross(normal, u);
    for (const glm::dvec2& direction : side_directions(corners, u, v)) {
      Frame frame;
      frame.axes[0] = u * direction.x + v * direction.y;
      frame.axes[1] = glm::cross(normal, frame.axes[0]);
      frame.axes[2] = normal;
      measure(frame, corners);
      if (cost(frame) >= least) continue;
      least = cost(frame);
      turned = frame;
    }
  }
  straighten(turned);
  measure(turned, points);
  return cost(turned) < kWorthTurning * cost(best) ? turned : best;
}

/// Points without their place along an axis.
std::vector<DVec3> seen_along(const DVec3& axis, std::span<const DVec3> points) {
  std::vector<DVec3> across;
  across.reserve(points.size());
  for (const DVec3& point : points) across.push_back(point - axis * glm::dot(point, axis));
  return across;
}

}  // namespace

Result<Extent> extent_of(std::span<const Vec3> points) {
  MARROW_CHECK(check_points(points));
  const Spread spread = spread_of(to_double(points));
  return spread.is_point()  ? Extent::Point
         : spread.is_line() ? Extent::Line
         : spread.is_flat() ? Extent::Flat
                            : Extent::Solid;
}

Result<Box> fit_box(std::span<const Vec3> points) {
  MARROW_CHECK(check_points(points));
  const Frame frame = best_frame(to_double(points));
  const glm::dmat3 axes(frame.axes[0], frame.axes[1], frame.axes[2]);
  const DVec3 middle = (frame.low + frame.high) * 0.5;
  Box box;
  box.center = Vec3(axes * middle);
  box.rotation = Quat(glm::normalize(glm::quat_cast(axes)));
  box.half_extents = Vec3((frame.high - frame.low) * 0.5);
  return box;
}

Result<Sphere> fit_sphere(std::span<const Vec3> points) {
  MARROW_CHECK(check_points(points));
  const Ball ball = smallest_ball(to_double(points));
  Sphere sphere{Vec3(ball.center), 0.0f};
  for (const Vec3& point : points)
    sphere.radius = std::max(sphere.radius, rounded_up(glm::distance(DVec3(point), DVec3(sphere.center))));
  return sphere;
}

Result<Capsule> fit_capsule(std::span<const Vec3> points) {
  MARROW_CHECK(check_points(points));
  const std::vector<DVec3> cloud = to_double(points);
  const Frame frame = best_frame(cloud);
  Capsule best;
  double least = std::numeric_limits<double>::infinity();
  for (const DVec3& axis : frame.axes) {
    const std::vector<DVec3> across = seen_along(axis, cloud);
    const Ball circle = smallest_ball(across);
    const double r = circle.radius;
    // A point at distance d from the axis is held by the cap whose centre is within sqrt(r * r - d * d) along it.
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (std::size_t i = 0; i < cloud.size(); ++i) {
      const double d = glm::distance(across[i], circle.center);
      const double slack = std::sqrt(std::max(0.0, r * r - d * d));
      const double along = glm::dot(cloud[i], axis);
      low = std::min(low, along + slack);
      high = std::max(high, along - slack);
    }
    if (low > high) low = high = 0.5 * (low + high);
    const double volume = r * r * (high - low) + 4.0 / 3.0 * r * r * r;
    if (volume >= least) continue;
    least = volume;
    best = {Vec3(circle.center + axis * low), Vec3(circle.center + axis * high), rounded_up(r)};
  }
  return best;
}

Result<Cylinder> fit_cylinder(std::span<const Vec3> points) {
  MARROW_CHECK(check_points(points));
  const std::vector<DVec3> cloud = to_double(points);
  const Frame frame = best_frame(cloud);
  Cylinder best;
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 3; ++i) {
    const DVec3& axis = frame.axes[i];
    const Ball circle = smallest_ball(seen_along(axis, cloud));
    // Flat points have no volume along any axis: their surface decides.
    const double r = circle.radius;
    const double height = frame.high[i] - frame.low[i];
    const double cost = frame.volume() > 0.0 ? r * r * height : r * (r + height);
    if (cost >= least) continue;
    least = cost;
    best = {Vec3(circle.center + axis * frame.low[i]), Vec3(circle.center + axis * frame.high[i]), rounded_up(r)};
  }
  return best;
}

Result<Hull> cylinder_hull(const Cylinder& cylinder, Roundness side, const HullOptions& options) {
  constexpr int kSides = 24;
  constexpr double kHalfSide = std::numbers::pi / kSides;
  MARROW_CHECK(check_coordinates(std::array{cylinder.a, cylinder.b, Vec3(cylinder.radius)}));
  const DVec3 span = DVec3(cylinder.b) - DVec3(cylinder.a);
  if (!(glm::length(span) > 0.0)) return fail(ErrorCode::InvalidArgument, "the cylinder has no height");
  const DVec3 axis = glm::normalize(span);
  const DVec3 u = glm::normalize(glm::cross(axis, std::abs(axis.x) < 0.6 ? DVec3(1, 0, 0) : DVec3(0, 1, 0)));
  const DVec3 v = glm::cross(axis, u);
  const double radius = static_cast<double>(cylinder.radius) / (side == Roundness::Outside ? std::cos(kHalfSide) : 1.0);
  std::vector<Vec3> corners;
  for (const Vec3& end : {cylinder.a, cylinder.b})
    for (int i = 0; i < kSides; ++i) {
      const double angle = 2.0 * kHalfSide * i;
      corners.emplace_back(DVec3(end) + (u * std::cos(angle) + v * std::sin(angle)) * radius);
    }
  return build_hull(corners, options);
}

}  // namespace marrow::geometry
