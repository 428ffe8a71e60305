// SPDX-License-Identifier: MIT
#pragma once

#include "motion/math.h"

namespace marrow::motion {

// Swings in a cone are measured as rotation vectors (0, y, z) in the joint's frame, limits as an ellipse in that plane.
template <class T>
struct ConeSwing {
  T angle, sine, cosine;
  Vec2Of<T> toward;  // the vector's direction

  // By the rod, in the joint's frame. If it points straight back any direction will do.
  static ConeSwing of_rod(const VecOf<T>& rod) {
    const T sine = root(rod.y * rod.y + rod.z * rod.z);
    return {arc_tangent(sine, rod.x), sine, rod.x,
            select<T>(sine > 1e-12, Vec2Of<T>(-rod.z, rod.y) / sine, Vec2Of<T>(T(0.0), T(1.0)))};
  }
  // By the vector; `otherwise` gives the direction of one without length.
  static ConeSwing of_vector(const Vec2Of<T>& vector, const ConeSwing& otherwise) {
    const T angle = root(glm::dot(vector, vector));
    const auto [sine, cosine] = sine_cosine(angle);
    return {angle, sine, cosine, select<T>(angle > 1e-12, vector / angle, otherwise.toward)};
  }

  // How much faster than the rod the vector turns.
  T widening() const { return select(sine > 1e-6, angle / sine, T(1.0)); }

  Vec2Of<T> vector() const { return toward * angle; }
  VecOf<T> rod() const { return {cosine, sine * toward.y, -sine * toward.x}; }

  // The rate of the vector that belongs to a spin relative to the socket: in its own direction the angle grows, across
  // it the vector turns, faster than the rod does by angle / sine.
  Vec2Of<T> rate(const VecOf<T>& spin) const {
    const T along = glm::dot(Vec2Of<T>(spin.y, spin.z), toward);
    const T across = glm::dot(spin, across_axis()) * widening();
    return toward * along + Vec2Of<T>(-toward.y, toward.x) * across;
  }
  VecOf<T> spin(const Vec2Of<T>& rate) const {
    const T along = glm::dot(rate, toward);
    const T across = glm::dot(rate, Vec2Of<T>(-toward.y, toward.x)) * select(angle > 1e-6, sine / angle, T(1.0));
    return VecOf<T>(T(0.0), toward.x, toward.y) * along + across_axis() * across;
  }

 private:
  VecOf<T> across_axis() const { return glm::cross(rod(), VecOf<T>(T(0.0), toward.x, toward.y)); }
};

template <class T>
ConeSwing<T> select(const MaskOf<T>& mask, const ConeSwing<T>& yes, const ConeSwing<T>& no) {
  return {select(mask, yes.angle, no.angle), select(mask, yes.sine, no.sine), select(mask, yes.cosine, no.cosine),
          select<T>(mask, yes.toward, no.toward)};
}

// The share of the way from `start` to `end` at which it leaves the unit circle that it starts in.
template <class T>
T rim_crossing(const Vec2Of<T>& start, const Vec2Of<T>& end) {
  const Vec2Of<T> way = end - start;
  const T a = glm::dot(way, way), b = glm::dot(start, way), c = least<T>(glm::dot(start, start) - 1.0, 0.0);
  return select(a > 0.0, held<T>((root(b * b - a * c) - b) / a, 0.0, 1.0), T(0.0));
}

}  // namespace marrow::motion
