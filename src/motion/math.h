// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <numbers>

#include "marrow/model/transform.h"

namespace marrow::motion {

// Solvers compute in double and leave float to the pose.
using DVec = glm::dvec3;
using DVec2 = glm::dvec2;
using DQuat = glm::dquat;

inline constexpr double kPi = std::numbers::pi;
inline constexpr double kRadians = kPi / 180.0;

// A place in the world, metres. Scale is carried for the hierarchy only.
struct Placement {
  DVec pos{0.0};
  DQuat rot{1.0, 0.0, 0.0, 0.0};
  DVec scale{1.0};
};

inline Placement operator*(const Placement& parent, const Placement& child) {
  return {parent.pos + parent.rot * (parent.scale * child.pos), parent.rot * child.rot, parent.scale * child.scale};
}

inline bool is_finite(const DVec& v) { return std::isfinite(v.x + v.y + v.z); }
inline bool is_finite(const DQuat& q) { return std::isfinite(q.x + q.y + q.z + q.w); }
inline bool is_finite(const DVec& v, const DQuat& q) {
  return std::isfinite((v.x + v.y + v.z) + (q.x + q.y + q.z + q.w));
}

inline DQuat unit(const DQuat& q) {
  const double length = std::sqrt(glm::dot(q, q));
  return length > 1e-30 ? q * (1.0 / length) : DQuat(1.0, 0.0, 0.0, 0.0);
}

// A unit vector along `v`, or `fallback` where it has no length.
inline DVec unit(const DVec& v, const DVec& fallback) {
  const double length = std::sqrt(glm::dot(v, v));
  return length > 1e-12 ? v * (1.0 / length) : fallback;
}

inline Placement placement(const Transform& transform, double metres) {
  const Quat& r = transform.rotation;
  return {DVec(transform.translation) * metres, unit(DQuat(r.w, r.x, r.y, r.z)), DVec(transform.scale)};
}
inline Quat to_float(const DQuat& q) {
  return make_quat(static_cast<float>(q.x), static_cast<float>(q.y), static_cast<float>(q.z), static_cast<float>(q.w));
}

inline DVec axis_of(int index) {
  DVec axis(0.0);
  axis[index % 3] = index >= 3 ? -1.0 : 1.0;
  return axis;
}

// sin(x) / x and cos(x). Steps are small: their series are exact to the last bit that counts, and several times faster
// than the library.
struct SincCos {
  double sinc, cos;
};
inline SincCos sinc_cos(double x2) {
  if (x2 < 0x1.0p-10)
    return {1.0 + x2 * (-1.0 / 6 + x2 * (1.0 / 120 + x2 * (-1.0 / 5040))),
            1.0 + x2 * (-0.5 + x2 * (1.0 / 24 + x2 * (-1.0 / 720 + x2 * (1.0 / 40320))))};
  if (x2 < 0x1.0p-4)
    return {
        1.0 + x2 * (-1.0 / 6 + x2 * (1.0 / 120 + x2 * (-1.0 / 5040 + x2 * (1.0 / 362880 + x2 * (-1.0 / 39916800))))),
        1.0 + x2 * (-0.5 + x2 * (1.0 / 24 + x2 * (-1.0 / 720 + x2 * (1.0 / 40320 + x2 * (-1.0 / 3628800 +
                                                                                         x2 * (1.0 / 479001600))))))};
  const double x = std::sqrt(x2);
  return {std::sin(x) / x, std::cos(x)};
}

// The angle of a direction, fast where it is small: the arc tangent's series, exact there to the last bit that counts.
inline double angle_of(double sine, double cosine) {
  if (!(std::abs(sine) < 0.02 * cosine)) return std::atan2(sine, cosine);
  const double t = sine / cosine, x = t * t;
  return t * (1.0 + x * (-1.0 / 3 + x * (1.0 / 5 + x * (-1.0 / 7 + x * (1.0 / 9)))));
}

// Rotation by the vector `v`: its direction is the axis, its length the angle.
inline DQuat exp_map(const DVec& v) {
  const auto [sinc, cos] = sinc_cos(glm::dot(v, v) * 0.25);
  return DQuat(cos, v.x * 0.5 * sinc, v.y * 0.5 * sinc, v.z * 0.5 * sinc);
}

// The inverse, by the short way round.
inline DVec log_map(DQuat q) {
  if (q.w < 0.0) q = -q;
  const DVec v(q.x, q.y, q.z);
  const double s = std::sqrt(glm::dot(v, v));
  // The arc sine's series, where it is exact to the last bit: most turns of a frame are small.
  if (s < 0.1) {
    const double x = s * s;
    return v * (2.0 + x * (1.0 / 3 +
                           x * (3.0 / 20 +
                                x * (5.0 / 56 +
                                     x * (35.0 / 576 + x * (63.0 / 1408 + x * (231.0 / 6656 + x * (143.0 / 5120))))))));
  }
  return v * (2.0 * std::atan2(s, q.w) / s);
}

// By the short arc: the sign is chosen before anything is weighed. Exact at both ends.
inline DQuat slerp(const DQuat& a, const DQuat& b, double t) {
  if (t >= 1.0) return b;
  if (t <= 0.0) return a;
  return unit(a * exp_map(log_map(glm::conjugate(a) * b) * t));
}

inline DQuat rotation_about(const DVec& axis, double angle) {
  const auto [sinc, cos] = sinc_cos(angle * angle * 0.25);
  const double s = 0.5 * angle * sinc;
  return DQuat(cos, axis.x * s, axis.y * s, axis.z * s);
}

// The least rotation that takes the unit vector `a` to `b`; about any axis where they are opposite.
inline DQuat least_rotation(const DVec& a, const DVec& b) {
  const double w = 1.0 + glm::dot(a, b);
  if (w < 1e-12) {
    const DVec other = std::abs(a.x) < 0.8 ? DVec(1, 0, 0) : DVec(0, 1, 0);
    const DVec axis = unit(glm::cross(a, other), DVec(0, 0, 1));
    return DQuat(0.0, axis.x, axis.y, axis.z);
  }
  const DVec v = glm::cross(a, b);
  return unit(DQuat(w, v.x, v.y, v.z));
}

// Angle of the turn about a unit axis that is part of `q`, in (-pi, pi]. Nothing is left of it where the rest of `q` is
// a half turn: `defined` tells.
struct Twist {
  double angle;
  bool defined;
};
inline Twist twist_about(const DQuat& q, const DVec& axis) {
  const double s = q.x * axis.x + q.y * axis.y + q.z * axis.z;
  if (s * s + q.w * q.w < 1e-12) return {0.0, false};
  return {2.0 * (q.w < 0.0 ? std::atan2(-s, -q.w) : std::atan2(s, q.w)), true};
}

// Angle from `a` to `b` about a unit axis, their parts along it left out; 0 where one has no other part.
inline double signed_angle(const DVec& a, const DVec& b, const DVec& axis) {
  const DVec pa = a - axis * glm::dot(a, axis), pb = b - axis * glm::dot(b, axis);
  const double sine = glm::dot(glm::cross(pa, pb), axis), cosine = glm::dot(pa, pb);
  return sine == 0.0 && cosine == 0.0 ? 0.0 : std::atan2(sine, cosine);
}

inline double wrap_angle(double angle) { return std::abs(angle) <= kPi ? angle : std::remainder(angle, 2.0 * kPi); }

}  // namespace marrow::motion
