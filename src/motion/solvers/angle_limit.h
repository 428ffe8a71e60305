// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "marrow/motion/evaluate.h"
#include "motion/math.h"

namespace marrow::motion {

// The end of a range that an angle ran into.
template <class T>
struct RangeHit {
  MaskOf<T> lower, upper;
};
inline LimitHit limit_of(const RangeHit<double>& hit) {
  return hit.lower ? LimitHit::Lower : hit.upper ? LimitHit::Upper : LimitHit::None;
}
template <int N>
LimitHit limit_of(const RangeHit<Lanes<N>>&) {
  return LimitHit::None;
}

// A range for an angle, with zones inside its ends where motion toward the end dies out.
template <class T>
struct AngleLimitOf {
  T low = T(-std::numeric_limits<double>::infinity());
  T high = T(std::numeric_limits<double>::infinity());
  T soft_low = T(0.0);   // width of the zone above `low`, radians
  T soft_high = T(0.0);  // width of the zone below `high`

  // Narrows the range to what `other` also allows. Ranges that do not meet leave only the lower end.
  void intersect(const AngleLimitOf& other) {
    const MaskOf<T> lower = other.low > low, upper = other.high < high;
    low = select(lower, other.low, low);
    soft_low = select(lower, other.soft_low, soft_low);
    high = select(upper, other.high, high);
    soft_high = select(upper, other.soft_high, soft_high);
  }

  // The same angle, give or take whole turns, as near to the middle of the range as it goes: ranges may lie across a
  // half turn.
  T wrap(const T& angle) const {
    const T middle = select(is_finite(low + high), 0.5 * (low + high), T(0.0));
    const MaskOf<T> near = magnitude(angle - middle) <= kPi;
    if (all(near)) return angle;
    return select(near, angle, middle + wrap_angle<T>(angle - middle));
  }

  // Holds the angle and its speed of the lanes of `where`. `frames` is the length of the step in frames of the
  // reference rate.
  RangeHit<T> apply(T& angle, T& speed, double frames, const MaskOf<T>& where) const {
    // No room to move: without this, rounding would decide which way a speed is left.
    const MaskOf<T> roomless = where & !(low < high), roomy = where & (low < high);
    const MaskOf<T> below = angle<low, above = angle> high, inside = roomy & !below & !above;
    const MaskOf<T> softly_low = inside & (speed < 0.0) & (angle < low + soft_low);
    if (any(softly_low))
      speed = select(softly_low, speed * left_after(frames, (angle - low) / soft_low, softly_low), speed);
    const MaskOf<T> softly_high = inside & (speed > 0.0) & (angle > high - soft_high);
    if (any(softly_high))
      speed = select(softly_high, speed * left_after(frames, (high - angle) / soft_high, softly_high), speed);
    RangeHit<T> hit;
    hit.lower = where & below;
    hit.upper = (roomy & above & !below) | (roomless & (angle > low));
    if (!any(hit.lower | hit.upper | roomless)) return hit;
    speed = select(roomy & below, most(speed, T(0.0)), speed);
    speed = select(roomy & above & !below, least(speed, T(0.0)), speed);
    speed = select(roomless, T(0.0), speed);
    angle = select(hit.lower | roomless, low, select(roomy & above, most(high, low), angle));
    return hit;
  }
  RangeHit<T> apply(T& angle, T& speed, double frames) const { return apply(angle, speed, frames, every_lane<T>()); }

 private:
  // A share that is kept a frame, after so many frames. The usual step is a quarter of one.
  static T left_after(double frames, const T& share, const MaskOf<T>& where) {
    if (frames == 0.0) return T(1.0);
    if (frames == 0.25) return root(root(share));
    if (frames == 0.125) return root(root(root(share)));
    return each_lane(where, T(1.0), [frames](double s) { return std::pow(s, frames); }, share);
  }
};
using AngleLimit = AngleLimitOf<double>;

// A range as lanes need it.
template <class T>
AngleLimitOf<T> range_of(const AngleLimit& limit) {
  return {T(limit.low), T(limit.high), T(limit.soft_low), T(limit.soft_high)};
}

}  // namespace marrow::motion
