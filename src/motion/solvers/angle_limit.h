// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "marrow/motion/evaluate.h"
#include "motion/math.h"

namespace marrow::motion {

// A range for an angle, with zones inside its ends where motion toward the end dies out.
struct AngleLimit {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  double soft_low = 0.0;   // width of the zone above `low`, radians
  double soft_high = 0.0;  // width of the zone below `high`

  // Narrows the range to what `other` also allows. Ranges that do not meet leave only the lower end.
  void intersect(const AngleLimit& other) {
    if (other.low > low) {
      low = other.low;
      soft_low = other.soft_low;
    }
    if (other.high < high) {
      high = other.high;
      soft_high = other.soft_high;
    }
  }

  // The same angle, give or take whole turns, as near to the middle of the range as it goes: ranges may lie across a
  // half turn.
  double wrap(double angle) const {
    const double middle = std::isfinite(low + high) ? 0.5 * (low + high) : 0.0;
    return std::abs(angle - middle) <= kPi ? angle : middle + wrap_angle(angle - middle);
  }

  // Holds an angle and its speed. `frames` is the length of the step in frames of the reference rate.
  LimitHit apply(double& angle, double& speed, double frames) const {
    // No room to move: without this, rounding would decide which way a speed is left.
    if (!(low < high)) {
      const LimitHit hit = angle < low ? LimitHit::Lower : angle > low ? LimitHit::Upper : LimitHit::None;
      angle = low;
      speed = 0.0;
      return hit;
    }
    if (angle < low) {
      angle = low;
      speed = std::max(speed, 0.0);
      return LimitHit::Lower;
    }
    if (angle > high) {
      angle = std::max(high, low);
      speed = std::min(speed, 0.0);
      return LimitHit::Upper;
    }
    if (speed < 0.0 && angle < low + soft_low) speed *= left_after(frames, (angle - low) / soft_low);
    if (speed > 0.0 && angle > high - soft_high) speed *= left_after(frames, (high - angle) / soft_high);
    return LimitHit::None;
  }

 private:
  // A share that is kept a frame, after so many frames. The usual step is a quarter of one.
  static double left_after(double frames, double share) {
    return frames == 0.25 ? std::sqrt(std::sqrt(share)) : std::pow(share, frames);
  }
};

}  // namespace marrow::motion
