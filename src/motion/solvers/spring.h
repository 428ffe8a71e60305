// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>

#include "motion/solver.h"

namespace marrow::motion {

// One step of x'' = -k x - c x' in closed form (cf. Daniel Holden, "Spring-It-On"): exact for any step, stable for any
// stiffness. With y = c/2 and D = k - y^2 the motion is e^{-yh} times circular functions where D > 0, hyperbolic ones
// where D < 0; the latter are written as two decaying exponentials, so that nothing overflows.
struct SpringStep {
  double xx = 1.0, xv = 0.0, vx = 0.0, vv = 1.0;

  SpringStep() = default;
  SpringStep(double k, double c, double h) {
    const double y = c * 0.5, d = k - y * y;
    double decay_cos, decay_sin;  // e^{-yh} C and e^{-yh} S
    if (std::abs(d) * h * h < 1e-12) {
      decay_cos = std::exp(-y * h);
      decay_sin = decay_cos * h;
    } else if (d > 0.0) {
      const double root = std::sqrt(d), decay = std::exp(-y * h);
      decay_cos = decay * std::cos(root * h);
      decay_sin = decay * std::sin(root * h) / root;
    } else {
      const double root = std::sqrt(-d);
      const double slow = std::exp(-k / (y + root) * h), fast = std::exp(-(y + root) * h);
      decay_cos = 0.5 * (slow + fast);
      decay_sin = 0.5 * (slow - fast) / root;
    }
    xx = decay_cos + y * decay_sin;
    xv = decay_sin;
    vx = -k * decay_sin;
    vv = decay_cos - y * decay_sin;
  }

  // So many of these steps as one.
  SpringStep repeated(int times) const {
    SpringStep all, power = *this;
    for (; times > 0; times >>= 1) {
      if ((times & 1) != 0) all = all.then(power);
      if (times > 1) power = power.then(power);
    }
    return all;
  }

  // `x` is measured from the equilibrium.
  template <class T>
  void operator()(VecOf<T>& x, VecOf<T>& v) const {
    const VecOf<T> x0 = x;
    x = x0 * xx + v * xv;
    v = x0 * vx + v * vv;
  }

 private:
  SpringStep then(const SpringStep& next) const {
    SpringStep both;
    both.xx = next.xx * xx + next.xv * vx;
    both.xv = next.xx * xv + next.xv * vv;
    both.vx = next.vx * xx + next.vv * vx;
    both.vv = next.vx * xv + next.vv * vv;
    return both;
  }
};

// A unit mass on a damped spring, seen from a support that moves.
struct Spring {
  double k = 0.0, c = 0.0;
  SpringStep usual = {};  // of a substep of the usual length

  Spring() = default;
  Spring(double stiffness, double damping, double usual_seconds)
      : k(stiffness), c(damping), usual(stiffness, damping, usual_seconds) {}

  template <class T>
  SpringStep substep(const ClockOf<T>& clock) const {
    return clock.usual_step ? usual : SpringStep(k, c, clock.h);
  }
};

// An equilibrium that moves evenly, and what a spring that is pulled along by it settles to.
template <class T>
struct MovingRest {
  static constexpr double kSteepest = 1e6;
  VecOf<T> at, rate;

  // From `start` to `end` in so many seconds.
  MovingRest(const Spring& spring, const VecOf<T>& start, const VecOf<T>& end, double seconds)
      : rate((end - start) * (1.0 / seconds)) {
    const double lag = spring.c / spring.k;
    at = start - rate * lag;
    // A way that is too steep for numbers to keep what is small beside it is taken at its middle.
    const MaskOf<T> steep = glm::dot(rate, rate) * (1.0 + lag * lag) > kSteepest * kSteepest;
    if (!any(steep)) return;
    at = select<T>(steep, (start + end) * 0.5, at);
    rate = select<T>(steep, VecOf<T>(T(0.0)), rate);
  }

  // No point that the spring gets to from here within the time is further from 0: it never gains energy.
  T reach(const Spring& spring, const VecOf<T>& x, const VecOf<T>& v, double seconds) const {
    const VecOf<T> away = x - at, speed = v - rate, end = at + rate * seconds;
    return root(glm::dot(away, away) + glm::dot(speed, speed) / spring.k) +
           root(most(glm::dot(at, at), glm::dot(end, end)));
  }

  void advance(const SpringStep& step, double seconds, VecOf<T>& x, VecOf<T>& v) {
    x -= at;
    v -= rate;
    step(x, v);
    at += rate * seconds;
    x += at;
    v += rate;
  }
};

}  // namespace marrow::motion
