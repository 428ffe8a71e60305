// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "codec/fit_point.h"

namespace marrow::codec::fit {

/// The source is compared four times per frame. Half-frames are not enough: a one-frame span of a cubic between
/// repeated knots has four degrees of freedom, and fits exist that pass at 0, 1/2 and 1 and are far off at 1/4.
inline constexpr int kSamplesPerFrame = 4;

/// How the error at a sample is measured.
enum class Space : std::uint8_t {
  Rotation,  ///< chord between the normalised curve and a unit quaternion
  Vector,    ///< distance over all axes together
};

/// What one channel of one block must follow, and how closely.
struct Target {
  Space space = Space::Vector;
  int last_frame = 0;               ///< samples lie at 0, 1/4, ... last_frame
  std::vector<Point> samples = {};  ///< for rotations of unit length, without sign flips between neighbours
  double bound = 0;                 ///< largest error allowed: a chord for rotations, a distance for vectors
  /// Factors of the bound between whole frames, one per interval; empty: 1. Above 1 where no curve of the format holds
  /// the bound.
  std::vector<double> between = {};

  // Axes of a vector that are stored as one constant, or not at all, so that a fit cannot move them.
  std::array<bool, 4> fixed{};
  Point fixed_value = {};

  int sample_count() const { return static_cast<int>(samples.size()); }
  /// Returns the factor at a sample between whole frames.
  double between_at(int sample) const {
    return between.empty() ? 1.0 : between[static_cast<std::size_t>(sample / kSamplesPerFrame)];
  }
};

/// The chord in R4 of an angle between two rotations, and back. A rotation by a turns its quaternion by a/2.
inline double chord_of_degrees(double degrees) { return 2.0 * std::sin(degrees * (3.14159265358979323846 / 720.0)); }
inline double degrees_of_chord(double chord) {
  return std::asin(std::fmin(1.0, chord * 0.5)) * (720.0 / 3.14159265358979323846);
}

/// Returns the largest error that is allowed at a sample.
inline double bound_at(const Target& target, int sample) {
  return sample % kSamplesPerFrame == 0 ? target.bound : target.between_at(sample) * target.bound;
}

/// Returns the squared error of a curve value against a sample, relative to the squared bound there: 1 is just allowed.
inline double error_ratio(const Target& target, const Point& value, int sample) {
  const Point& want = target.samples[static_cast<std::size_t>(sample)];
  const double bound = bound_at(target, sample), inverse = 1.0 / (bound * bound);
  if (target.space == Space::Vector) return squared_length(value - want) * inverse;
  // |value/|value| - want|^2, written as a difference to avoid cancellation.
  return squared_length(normalised(value) - want) * inverse;
}

/// Normalises quaternion samples and gives them a consistent sign along the curve.
void make_continuous(std::vector<Point>& quaternions);

}  // namespace marrow::codec::fit
