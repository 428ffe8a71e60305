// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <limits>

namespace marrow::timing {

/// Returns the processor time that this process has taken, in seconds. Others that the processor serves do not count.
double processor_seconds();

#if defined(_WIN32)
inline constexpr double kProcessorClockStep = 1.0 / 64;
#else
inline constexpr double kProcessorClockStep = 1e-6;
#endif

/// Returns the processor time of one run, in seconds: the least of five, each repeated until the clock can tell.
template <class Run>
double seconds_of(Run&& run) {
  double least = std::numeric_limits<double>::max();
  for (int i = 0; i < 5; ++i) {
    const double start = processor_seconds();
    double taken = 0, runs = 0;
    while (taken < 4 * kProcessorClockStep) {
      run();
      taken = processor_seconds() - start;
      ++runs;
    }
    least = std::min(least, taken / runs);
  }
  return least;
}

}  // namespace marrow::timing
