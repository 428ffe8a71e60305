// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstdint>

namespace marrow::motion {

// Value noise: random numbers on a lattice, joined by smoothstep. A pure function, so that a run can be repeated,
// entered in the middle and sampled at any rate.

// Mixes all bits of a number into all others (the finaliser of SplitMix64).
inline std::uint64_t mix_bits(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15u;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

// In [-1, 1), by lattice point.
inline double lattice_value(std::uint64_t seed, std::int64_t point) {
  const std::uint64_t bits = mix_bits(seed ^ mix_bits(static_cast<std::uint64_t>(point)));
  return static_cast<double>(bits >> 11) * 0x1.0p-52 - 1.0;
}

inline double value_noise(std::uint64_t seed, double x) {
  const double cell = std::floor(x);
  if (!(std::abs(cell) < 9e15)) return 0.0;
  const double t = x - cell, smooth = t * t * (3.0 - 2.0 * t);
  const auto point = static_cast<std::int64_t>(cell);
  const double a = lattice_value(seed, point), b = lattice_value(seed, point + 1);
  return a + (b - a) * smooth;
}

}  // namespace marrow::motion
