// SPDX-License-Identifier: MIT
// Sines, cosines and arc tangents of one number or of lanes, by the same operations: a character gives the same bits
// alone and in a crowd, on every system. Errors are below one unit in the last place (tests/unit/motion/trig_test.cpp).
// The polynomials are minimax ones, found by Remez' exchange.
#pragma once

#include <cmath>

#include "motion/lanes.h"

namespace marrow::motion {

// pi / 2 in three parts. The first two have 33 bits: products with whole numbers below 2^20 are exact. Angles beyond
// 1e4 would leave more in the third part than the polynomials can take: they are the standard library's.
inline constexpr double kQuarter1 = 0x1.921fb544p+0, kQuarter2 = 0x1.0b4611a6p-34, kQuarter3 = 0x1.3198a2e037073p-69;
inline constexpr double kQuartersPerRadian = 0x1.45f306dc9c883p-1;
inline constexpr double kWidestAngle = 1e4;
// pi / 2 and pi / 4 and what rounding leaves of them.
inline constexpr double kHalfPi = 0x1.921fb54442d18p+0, kHalfPiRest = 0x1.1a62633145c07p-54;
inline constexpr double kQuarterPi = 0x1.921fb54442d18p-1, kQuarterPiRest = 0x1.1a62633145c07p-55;
inline constexpr double kTangentOfEighth = 0x1.a827999fcef32p-2;  // of pi / 8

// The nearest whole number, even ones for halves. For numbers below 2^51.
template <class T>
T rounded(const T& x) {
  constexpr double kLarge = 0x1.8p52;  // numbers of this size have no fraction
  return (x + kLarge) - kLarge;
}

template <class T>
struct SineCosine {
  T sine, cosine;
};

template <class T>
SineCosine<T> sine_cosine(const T& angle) {
  const T quarters = rounded<T>(angle * kQuartersPerRadian);
  const T near = angle - quarters * kQuarter1, small = quarters * kQuarter2;
  const T r = near - small, rest = ((near - r) - small) - quarters * kQuarter3;
  const T x = r * r, xx = x * x, half = 0.5 * x;
  const T s = (-0x1.5555555555549p-3 + x * 0x1.111111110f843p-7) +
              xx * ((-0x1.a01a019c0a585p-13 + x * 0x1.71de357128d1p-19) +
                    xx * (-0x1.ae5e60e8073ecp-26 + x * 0x1.5d9168bcf0892p-33));
  const T c = (0x1.555555555554cp-5 + x * -0x1.6c16c16c15142p-10) +
              xx * ((0x1.a01a019cab9f2p-16 + x * -0x1.27e4f8055415ap-22) +
                    xx * (0x1.1ee9e8a784623p-29 + x * -0x1.8facdd892627ap-37));
  const T sine = r + (r * x * s + rest * (1.0 - half));
  const T most_of = 1.0 - half, cosine = most_of + (((1.0 - most_of) - half) + (xx * c - r * rest));
  // Quarters from the nearest full turn: -2 to 2.
  const T turned = quarters - 4.0 * rounded<T>(quarters * 0.25);
  const MaskOf<T> across = magnitude(turned) == 1.0, back = magnitude(turned) == 2.0;
  const T first = select(across, cosine, sine), second = select(across, sine, cosine);
  SineCosine<T> result{select(back | (turned == -1.0), -first, first), select(back | (turned == 1.0), -second, second)};
  const MaskOf<T> wide = !(magnitude(angle) < kWidestAngle);
  if (any(wide))
    result = {each_lane(
                  wide, result.sine, [](double a) { return std::sin(a); }, angle),
              each_lane(wide, result.cosine, [](double a) { return std::cos(a); }, angle)};
  return result;
}

// The angle of the direction (cosine, sine), in [-pi, pi]; 0 if both are 0.
template <class T>
T arc_tangent(const T& sine, const T& cosine) {
  const T up = magnitude(sine), along = magnitude(cosine);
  const MaskOf<T> steep = up > along;
  const T low = select(steep, along, up), high = select(steep, up, along);
  // The tangent of the angle, or of what the angle has beyond pi / 4: at most tan(pi / 8).
  const MaskOf<T> beyond = low > kTangentOfEighth * high;
  const T below = select(beyond, low + high, high);
  const T t = select(beyond, low - high, low) / select(below == 0.0, T(1.0), below);
  const T x = t * t, xx = x * x, x4 = xx * xx;
  const T p =
      ((-0x1.555555555553dp-2 + x * 0x1.99999999957d2p-3) + xx * (-0x1.24924922a9d86p-3 + x * 0x1.c71c70e4a9c85p-4)) +
      x4 * (((-0x1.745cf8b27117bp-4 + x * 0x1.3b11160761f6cp-4) +
             xx * (-0x1.10eb932b7934fp-4 + x * 0x1.df0d0fc88a4eep-5)) +
            x4 * ((-0x1.9cc81f48e8979p-5 + x * 0x1.37b943b37709cp-5) + xx * -0x1.25292ae6d9d24p-6));
  const T bend = t * x * p;
  T angle = select(beyond, kQuarterPi + (t + (bend + kQuarterPiRest)), t + bend);
  angle = select(steep, kHalfPi - (angle - kHalfPiRest), angle);
  angle = select(cosine < 0.0, 2.0 * kHalfPi - (angle - 2.0 * kHalfPiRest), angle);
  return with_sign(angle, sine);
}

}  // namespace marrow::motion
