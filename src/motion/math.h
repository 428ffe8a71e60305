// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <numbers>

#include "marrow/model/transform.h"
#include "motion/lanes.h"
#include "motion/trig.h"

namespace marrow::motion {

// Solvers compute in double and leave float to the pose: one character in `double`, several in `Lanes`.
using DVec = glm::dvec3;
using DVec2 = glm::dvec2;
using DQuat = glm::dquat;

inline constexpr double kPi = std::numbers::pi;
inline constexpr double kRadians = kPi / 180.0;

// A place in the world, metres. Scale is carried for the hierarchy only.
template <class T>
struct PlacementOf {
  VecOf<T> pos{T(0.0)};
  QuatOf<T> rot{T(1.0), T(0.0), T(0.0), T(0.0)};
  VecOf<T> scale{T(1.0)};
};
using Placement = PlacementOf<double>;

template <class T>
PlacementOf<T> operator*(const PlacementOf<T>& parent, const PlacementOf<T>& child) {
  return {parent.pos + parent.rot * (parent.scale * child.pos), parent.rot * child.rot, parent.scale * child.scale};
}

template <class T>
MaskOf<T> is_finite(const VecOf<T>& v) {
  return is_finite(v.x + v.y + v.z);
}
template <class T>
MaskOf<T> is_finite(const QuatOf<T>& q) {
  return is_finite(q.x + q.y + q.z + q.w);
}
template <class T>
MaskOf<T> is_finite(const VecOf<T>& v, const QuatOf<T>& q) {
  return is_finite((v.x + v.y + v.z) + (q.x + q.y + q.z + q.w));
}

template <class T>
QuatOf<T> unit(const QuatOf<T>& q) {
  const T length = root(glm::dot(q, q));
  return select<T>(length > 1e-30, q * (1.0 / length), QuatOf<T>(T(1.0), T(0.0), T(0.0), T(0.0)));
}

// A unit vector along `v`, or `fallback` where it has no length.
template <class T>
VecOf<T> unit(const VecOf<T>& v, const std::type_identity_t<VecOf<T>>& fallback) {
  const T length = root(glm::dot(v, v));
  return select<T>(length > 1e-12, v * (1.0 / length), fallback);
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
template <class T>
struct SincCos {
  T sinc, cos;
};
template <class T>
SincCos<T> sinc_cos(const T& x2) {
  const MaskOf<T> tiny = x2 < 0x1.0p-10, small = x2 < 0x1.0p-4;
  SincCos<T> result{T(0.0), T(0.0)};
  if (any(tiny)) {
    result = {1.0 + x2 * (-1.0 / 6 + x2 * (1.0 / 120 + x2 * (-1.0 / 5040))),
              1.0 + x2 * (-0.5 + x2 * (1.0 / 24 + x2 * (-1.0 / 720 + x2 * (1.0 / 40320))))};
    if (all(tiny)) return result;
  }
  if (any(small)) {
    const SincCos<T> longer = {
        1.0 + x2 * (-1.0 / 6 + x2 * (1.0 / 120 + x2 * (-1.0 / 5040 + x2 * (1.0 / 362880 + x2 * (-1.0 / 39916800))))),
        1.0 + x2 * (-0.5 + x2 * (1.0 / 24 + x2 * (-1.0 / 720 + x2 * (1.0 / 40320 + x2 * (-1.0 / 3628800 +
                                                                                         x2 * (1.0 / 479001600))))))};
    result =
        any(tiny) ? SincCos<T>{select(tiny, result.sinc, longer.sinc), select(tiny, result.cos, longer.cos)} : longer;
    if (all(small)) return result;
  }
  const T x = root(x2);
  const auto [sine, cosine] = sine_cosine(x);
  return {select(small, result.sinc, sine / x), select(small, result.cos, cosine)};
}

// The angle of a direction, fast where it is small: the arc tangent's series, exact there to the last bit that counts.
template <class T>
T angle_of(const T& sine, const T& cosine) {
  const MaskOf<T> small = magnitude(sine) < 0.02 * cosine;
  T result = T(0.0);
  if (any(small)) {
    const T t = sine / cosine, x = t * t;
    result = t * (1.0 + x * (-1.0 / 3 + x * (1.0 / 5 + x * (-1.0 / 7 + x * (1.0 / 9)))));
    if (all(small)) return result;
  }
  return select(small, result, arc_tangent(sine, cosine));
}

// Rotation by the vector `v`: its direction is the axis, its length the angle.
template <class T>
QuatOf<T> exp_map(const VecOf<T>& v) {
  const auto [sinc, cos] = sinc_cos<T>(glm::dot(v, v) * 0.25);
  return QuatOf<T>(cos, v.x * 0.5 * sinc, v.y * 0.5 * sinc, v.z * 0.5 * sinc);
}

// The inverse, by the short way round.
template <class T>
VecOf<T> log_map(const QuatOf<T>& rotation) {
  const QuatOf<T> q = select<T>(rotation.w < 0.0, -rotation, rotation);
  const VecOf<T> v(q.x, q.y, q.z);
  const T s = root(glm::dot(v, v));
  // The arc sine's series, where it is exact to the last bit: most turns of a frame are small.
  const MaskOf<T> small = s < 0.1;
  T gain = T(0.0);
  if (any(small)) {
    const T x = s * s;
    gain = 2.0 +
           x * (1.0 / 3 +
                x * (3.0 / 20 +
                     x * (5.0 / 56 + x * (35.0 / 576 + x * (63.0 / 1408 + x * (231.0 / 6656 + x * (143.0 / 5120)))))));
    if (all(small)) return v * gain;
  }
  return v * select(small, gain, 2.0 * arc_tangent(s, q.w) / s);
}

// By the short arc: the sign is chosen before anything is weighed. Exact at both ends.
template <class T>
QuatOf<T> short_arc(const QuatOf<T>& a, const QuatOf<T>& b, const std::type_identity_t<T>& t) {
  const MaskOf<T> whole = t >= 1.0;
  if (all(whole)) return b;
  const QuatOf<T> between = unit(a * exp_map(log_map(glm::conjugate(a) * b) * t));
  return select<T>(whole, b, select<T>(t <= 0.0, a, between));
}

template <class T>
QuatOf<T> rotation_about(const DVec& axis, const T& angle) {
  const auto [sinc, cos] = sinc_cos<T>(angle * angle * 0.25);
  const T s = 0.5 * angle * sinc;
  return QuatOf<T>(cos, axis.x * s, axis.y * s, axis.z * s);
}

// The least rotation that takes the unit vector `a` to `b`; about any axis where they are opposite.
template <class T>
QuatOf<T> least_rotation(const VecOf<T>& a, const VecOf<T>& b) {
  const T w = 1.0 + glm::dot(a, b);
  const VecOf<T> v = glm::cross(a, b);
  const QuatOf<T> turned = unit(QuatOf<T>(w, v.x, v.y, v.z));
  const MaskOf<T> opposite = w < 1e-12;
  if (!any(opposite)) return turned;
  const VecOf<T> other = select<T>(magnitude(a.x) < 0.8, VecOf<T>(DVec(1, 0, 0)), VecOf<T>(DVec(0, 1, 0)));
  const VecOf<T> axis = unit(glm::cross(a, other), VecOf<T>(DVec(0, 0, 1)));
  return select<T>(opposite, QuatOf<T>(T(0.0), axis.x, axis.y, axis.z), turned);
}

// The rotation that takes X, Y and Z to three axes at right angles. Its largest part is the root, as in glm::quat_cast.
template <class T>
QuatOf<T> rotation_to(const VecOf<T>& x, const VecOf<T>& y, const VecOf<T>& z) {
  T most_so_far = x.x + y.y + z.z;
  const T squares[3] = {x.x - y.y - z.z, y.y - x.x - z.z, z.z - x.x - y.y};
  MaskOf<T> is_most[3];
  for (int i = 0; i < 3; ++i) {
    is_most[i] = squares[i] > most_so_far;
    most_so_far = select(is_most[i], squares[i], most_so_far);
  }
  const T biggest = root(most_so_far + 1.0) * 0.5, scale = 0.25 / biggest;
  const T yz = (y.z - z.y) * scale, zx = (z.x - x.z) * scale, xy = (x.y - y.x) * scale;
  QuatOf<T> q(biggest, yz, zx, xy);
  if (!any(is_most[0] | is_most[1] | is_most[2])) return q;
  const T yz_sum = (y.z + z.y) * scale, zx_sum = (z.x + x.z) * scale, xy_sum = (x.y + y.x) * scale;
  q = select<T>(is_most[0], QuatOf<T>(yz, biggest, xy_sum, zx_sum), q);
  q = select<T>(is_most[1], QuatOf<T>(zx, xy_sum, biggest, yz_sum), q);
  return select<T>(is_most[2], QuatOf<T>(xy, zx_sum, yz_sum, biggest), q);
}

// Angle of the turn about a unit axis that is part of `q`, in (-pi, pi]. Nothing is left of it where the rest of `q` is
// a half turn: `defined` tells.
template <class T>
struct Twist {
  T angle;
  MaskOf<T> defined;
};
template <class T>
Twist<T> twist_about(const QuatOf<T>& q, const DVec& axis) {
  const T s = q.x * axis.x + q.y * axis.y + q.z * axis.z;
  const MaskOf<T> defined = !(s * s + q.w * q.w < 1e-12), back = q.w < 0.0;
  return {select(defined, 2.0 * angle_of<T>(select(back, -s, s), select(back, -q.w, q.w)), T(0.0)), defined};
}

// Angle from `a` to `b` about a unit axis, their parts along it left out; 0 where one has no other part.
template <class T>
T signed_angle(const VecOf<T>& a, const VecOf<T>& b, const DVec& about) {
  const VecOf<T> axis(about);
  const VecOf<T> pa = a - axis * glm::dot(a, axis), pb = b - axis * glm::dot(b, axis);
  const T sine = glm::dot(glm::cross(pa, pb), axis), cosine = glm::dot(pa, pb);
  return arc_tangent(sine, cosine);
}

template <class T>
T wrap_angle(const T& angle) {
  const MaskOf<T> wide = !(magnitude(angle) <= kPi);
  if (!any(wide)) return angle;
  return each_lane(wide, angle, [](double a) { return std::remainder(a, 2.0 * kPi); }, angle);
}

}  // namespace marrow::motion
