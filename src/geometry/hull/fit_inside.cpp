// SPDX-License-Identifier: MIT
// The largest simple shapes inside a convex hull. For a given axis and radius, "every place of the shape is below every
// plane" is linear in the centre and the half length: the longest one is a small linear program.
#include <algorithm>
#include <array>
#include <cmath>
#include <glm/gtc/quaternion.hpp>
#include <glm/mat4x4.hpp>
#include <glm/vec4.hpp>
#include <optional>

#include "core/try.h"
#include "geometry/hull/fit.h"
#include "geometry/hull/polyhedron.h"

namespace marrow::geometry {

namespace {

/// normal . center + weight * size <= limit, with weight >= 0.
struct Bound {
  DVec3 normal{0.0};
  double weight = 0.0;
  double limit = 0.0;

  glm::dvec4 row() const { return {normal, weight}; }
};

struct Inner {
  DVec3 center{0.0};
  double size = 0.0;
};

/// The largest size with a centre that keeps all bounds; none if nothing does. The dual simplex method: four bounds
/// that meet in a point hold the size down, and the one that this point breaks the most takes the place of another,
/// until none is broken. Starts from a tetrahedron around everything. `reach` is the size of the hull, which is about
/// 0.
std::optional<Inner> largest(std::vector<Bound> bounds, double reach) {
  constexpr int kMostSteps = 2000;
  const double tolerance = 1e-11 * reach;
  std::array<std::size_t, 4> basis{};
  for (std::size_t i = 0; i < 4; ++i) {
    basis[i] = bounds.size();
    const DVec3 corner(i == 0 || i == 1 ? 1 : -1, i == 0 || i == 2 ? 1 : -1, i == 0 || i == 3 ? 1 : -1);
    bounds.push_back({corner / std::sqrt(3.0), 1.0, 8.0 * reach});
  }
  for (int step = 0; step < kMostSteps; ++step) {
    glm::dmat4 rows;
    glm::dvec4 limits;
    for (int i = 0; i < 4; ++i) {
      rows[i] = bounds[basis[static_cast<std::size_t>(i)]].row();
      limits[i] = bounds[basis[static_cast<std::size_t>(i)]].limit;
    }
    const glm::dmat4 inverse = glm::inverse(rows);
    const glm::dvec4 at = glm::transpose(inverse) * limits;
    if (!std::isfinite(at.x + at.y + at.z + at.w)) return std::nullopt;
    const auto broken_by = [&](const Bound& bound) { return glm::dot(bound.row(), at) - bound.limit; };
    const auto worst = std::max_element(bounds.begin(), bounds.end(),
                                        [&](const Bound& a, const Bound& b) { return broken_by(a) < broken_by(b); });
    if (broken_by(*worst) <= tolerance) return Inner{DVec3(at), at.w};
    const glm::dvec4 share = inverse * worst->row();
    const glm::dvec4 load = inverse * glm::dvec4(0, 0, 0, 1);
    int leaves = -1;
    for (int i = 0; i < 4; ++i)
      if (share[i] > 1e-12 && (leaves < 0 || load[i] * share[leaves] < load[leaves] * share[i])) leaves = i;
    if (leaves < 0) return std::nullopt;
    basis[static_cast<std::size_t>(leaves)] = static_cast<std::size_t>(worst - bounds.begin());
  }
  return std::nullopt;
}

/// The hull of points, moved to the origin.
class InnerFit {
 public:
  static Result<InnerFit> around(std::span<const Vec3> points) {
    MARROW_TRY(const Extent extent, extent_of(points));
    if (extent != Extent::Solid)
      return fail(ErrorCode::InvalidArgument, "the points lie in one plane; nothing fits inside them");
    InnerFit fit;
    std::vector<DVec3> cloud = to_double(points);
    for (const DVec3& point : cloud) fit.center_ += point / static_cast<double>(cloud.size());
    for (DVec3& point : cloud) {
      point -= fit.center_;
      fit.reach_ = std::max(fit.reach_, glm::length(point));
    }
    // Planes that differ by rounding alone would leave the program without a corner to stand on.
    MARROW_TRY(const Polyhedron hull, convex_hull(cloud, 1e-6 * fit.reach_));
    fit.planes_ = hull.planes;
    MARROW_TRY(const Box box, fit_box(points));
    fit.axes_ = glm::mat3_cast(glm::dquat(box.rotation));
    return fit;
  }

  std::optional<Inner> sphere() const {
    std::vector<Bound> bounds;
    for (const HalfSpace& plane : planes_) bounds.push_back({plane.normal, 1.0, -plane.offset});
    return largest(std::move(bounds), reach_);
  }

  struct Rod {
    DVec3 axis{0.0};
    DVec3 center{0.0};
    double half_length = 0.0;
    double radius = 0.0;
    double volume = -1.0;

    Vec3 end(const DVec3& offset, double sign) const { return Vec3(center + offset + axis * (sign * half_length)); }
  };

  /// The rod of the most volume; with round caps that reach beyond its ends, or without.
  Rod rod(bool has_caps) const {
    constexpr int kSteps = 32;
    constexpr int kRefinements = 40;
    Rod best;
    for (int i = 0; i < 3; ++i) {
      const double step = reach_ / kSteps;
      Rod along;
      for (int k = 1; k <= kSteps; ++k) keep_larger(along, axes_[i], step * k, has_caps);
      if (along.volume < 0.0) keep_larger(along, axes_[i], 0.25 * step, has_caps);
      double width = step;
      for (int k = 0; k < kRefinements; ++k, width *= 0.7) {
        const double radius = along.radius;
        for (double side : {-0.5, 0.5})
          if (radius + side * width > 0.0) keep_larger(along, axes_[i], radius + side * width, has_caps);
      }
      if (along.volume > best.volume) best = along;
    }
    return best;
  }

  const DVec3& offset() const { return center_; }

 private:
  void keep_larger(Rod& best, const DVec3& axis, double radius, bool has_caps) const {
    std::vector<Bound> bounds;
    for (const HalfSpace& plane : planes_) {
      const double along = glm::dot(plane.normal, axis);
      const double taken = has_caps ? radius : radius * std::sqrt(std::max(0.0, 1.0 - along * along));
      bounds.push_back({plane.normal, std::abs(along), -plane.offset - taken});
    }
    const std::optional<Inner> found = largest(std::move(bounds), reach_);
    if (!found || found->size < 0.0) return;
    const double length = 2.0 * found->size + (has_caps ? 4.0 / 3.0 * radius : 0.0);
    if (radius * radius * length > best.volume)
      best = {axis, found->center, found->size, radius, radius * radius * length};
  }

  DVec3 center_{0.0};
  double reach_ = 0.0;
  std::vector<HalfSpace> planes_;
  glm::dmat3 axes_{1.0};
};

std::unexpected<Error> no_room() { return fail(ErrorCode::InvalidArgument, "nothing fits inside these points"); }

}  // namespace

Result<Sphere> inscribed_sphere(std::span<const Vec3> points) {
  MARROW_TRY(const InnerFit fit, InnerFit::around(points));
  const std::optional<Inner> found = fit.sphere();
  if (!found || !(found->size > 0.0)) return no_room();
  return Sphere{Vec3(found->center + fit.offset()), static_cast<float>(found->size)};
}

Result<Capsule> inscribed_capsule(std::span<const Vec3> points) {
  MARROW_TRY(const InnerFit fit, InnerFit::around(points));
  const InnerFit::Rod rod = fit.rod(true);
  if (!(rod.volume > 0.0)) return no_room();
  return Capsule{rod.end(fit.offset(), -1.0), rod.end(fit.offset(), 1.0), static_cast<float>(rod.radius)};
}

Result<Cylinder> inscribed_cylinder(std::span<const Vec3> points) {
  MARROW_TRY(const InnerFit fit, InnerFit::around(points));
  const InnerFit::Rod rod = fit.rod(false);
  if (!(rod.volume > 0.0)) return no_room();
  return Cylinder{rod.end(fit.offset(), -1.0), rod.end(fit.offset(), 1.0), static_cast<float>(rod.radius)};
}

}  // namespace marrow::geometry
