// SPDX-License-Identifier: MIT
#pragma once

#include <utility>
#include <vector>

#include "marrow/model/clip.h"

namespace marrow::motion {

/// A rising curve through given points: cubic, never falling, never overshooting (Fritsch and Carlson, 1980).
class MonotoneCurve {
 public:
  /// Both coordinates must rise from point to point, and there must be two points at least.
  explicit MonotoneCurve(std::vector<std::pair<double, double>> points);
  double operator()(double x) const;

 private:
  std::vector<std::pair<double, double>> points_;
  std::vector<double> slopes_;
};

/// Returns pairs of times, as shares of each clip, at which both have the same event: (0, 0), matching events in order,
/// (1, 1). Texts are compared in any case and by occurrence. A text that one clip has more often is left out, and so
/// are events in another order or closer than two frames.
std::vector<std::pair<double, double>> matching_times(const Clip& a, const Clip& b);

}  // namespace marrow::motion
