// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>

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

  // T is a number or a vector of them; `x` is measured from the equilibrium.
  template <class T>
  void operator()(T& x, T& v) const {
    const T x0 = x;
    x = x0 * xx + v * xv;
    v = x0 * vx + v * vv;
  }
};

}  // namespace marrow::motion
