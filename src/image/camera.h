// SPDX-License-Identifier: MIT
// What raster and vector drawings share: where points are in the picture, and how bright they are.
#pragma once

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <numbers>
#include <vector>

#include "image/draw.h"

namespace marrow::image {

using Point = glm::dvec3;  ///< x to the right, y down, both in pixels, z towards the eye

/// Looks at all points from afar, without perspective.
class Camera {
 public:
  Camera(std::span<const DrawMesh> meshes, const DrawOptions& options) {
    const double degree = std::numbers::pi / 180.0;
    const double turn = options.turn_degrees * degree, tilt = options.tilt_degrees * degree;
    // Towards the eye: in front of what faces +Y.
    eye_ = {std::cos(tilt) * -std::sin(turn), std::cos(tilt) * std::cos(turn), std::sin(tilt)};
    right_ = glm::normalize(glm::dvec3(-std::cos(turn), -std::sin(turn), 0.0));
    up_ = glm::cross(eye_, right_);
    glm::dvec2 low(INFINITY), high(-INFINITY);
    for (const DrawMesh& mesh : meshes)
      for (const auto& triangle : mesh.triangles)
        for (const std::uint16_t corner : triangle) {
          const glm::dvec3 p(mesh.positions[corner]);
          const glm::dvec2 flat(glm::dot(p, right_), glm::dot(p, up_));
          if (!std::isfinite(flat.x + flat.y)) continue;
          low = glm::dvec2(std::min(low.x, flat.x), std::min(low.y, flat.y));
          high = glm::dvec2(std::max(high.x, flat.x), std::max(high.y, flat.y));
        }
    constexpr double kMargin = 0.06;
    const glm::dvec2 room = (1.0 - 2.0 * kMargin) * glm::dvec2(options.width, options.height);
    const glm::dvec2 span(std::max(high.x - low.x, 1e-9), std::max(high.y - low.y, 1e-9));
    scale_ = std::min(room.x / span.x, room.y / span.y);
    if (!std::isfinite(scale_)) scale_ = 1.0;
    middle_ = 0.5 * (low + high);
    if (!std::isfinite(middle_.x + middle_.y)) middle_ = glm::dvec2(0.0);
    centre_ = 0.5 * glm::dvec2(options.width, options.height);
  }

  Point project(const glm::vec3& place) const {
    const glm::dvec3 p(place);
    return {centre_.x + scale_ * (glm::dot(p, right_) - middle_.x), centre_.y - scale_ * (glm::dot(p, up_) - middle_.y),
            scale_ * glm::dot(p, eye_)};
  }
  /// Returns a direction as the camera sees it: right, up, towards the eye.
  glm::dvec3 seen(const glm::dvec3& direction) const {
    return {glm::dot(direction, right_), glm::dot(direction, up_), glm::dot(direction, eye_)};
  }

 private:
  glm::dvec3 eye_{0.0}, right_{0.0}, up_{0.0};
  glm::dvec2 middle_{0.0}, centre_{0.0};
  double scale_ = 1.0;
};

/// Returns how bright a surface is, as a factor of its linear colour. `normal` is of unit length, as the camera sees
/// it.
inline double brightness(const glm::dvec3& normal) {
  static const glm::dvec3 kKey = glm::normalize(glm::dvec3(-0.45, 0.60, 0.66)),
                          kFill = glm::normalize(glm::dvec3(0.80, 0.05, 0.45)),
                          kRim = glm::normalize(glm::dvec3(0.35, 0.55, -0.75));
  const double key = std::max(0.0, glm::dot(normal, kKey)), fill = std::max(0.0, glm::dot(normal, kFill)),
               rim = std::max(0.0, glm::dot(normal, kRim));
  const double sky = 0.5 + 0.5 * normal.y;
  return 0.10 + 0.16 * sky + 0.78 * key + 0.20 * fill + 0.25 * rim;
}

inline double to_linear(double screen) {
  return screen <= 0.04045 ? screen / 12.92 : std::pow((screen + 0.055) / 1.055, 2.4);
}
inline double to_screen(double linear) {
  const double x = std::clamp(linear, 0.0, 1.0);
  return x <= 0.0031308 ? 12.92 * x : 1.055 * std::pow(x, 1.0 / 2.4) - 0.055;
}

/// Fails with `InvalidArgument` unless the meshes and the size can be drawn.
Result<void> check_drawing(std::span<const DrawMesh> meshes, const DrawOptions& options);

}  // namespace marrow::image
