// SPDX-License-Identifier: MIT
#include "exchange/gltf/key_grid.h"

#include <cmath>

namespace marrow::gltf {
namespace {

/// Above this, keys are samples of something else than frames.
constexpr double kMostRate = 500.0;
/// Keys that are farther apart are poses, not frames.
constexpr double kLongestFrame = 0.1;
/// The rates that programs write, the most usual first.
constexpr double kUsualRates[] = {30, 60, 24, 25, 120, 50, 48, 30000.0 / 1001, 24000.0 / 1001, 100, 240};

}  // namespace

void KeyGrid::add(std::span<const float> times) {
  if (times.size() < 2) return;
  lists_.push_back(times);
  count_ += times.size();
  if (times.size() > most_.size()) most_ = times;
}

std::size_t KeyGrid::off(double rate) const {
  std::size_t off = 0;
  for (const std::span<const float> times : lists_)
    for (const float time : times) {
      const double place = (static_cast<double>(time) - start_) * rate;
      const double rounding = std::abs(static_cast<double>(time)) * 1.2e-7 * rate;  // of a float
      off += std::abs(place - std::round(place)) > 0.02 + rounding;
    }
  return off;
}

std::optional<float> KeyGrid::rate() const {
  if (most_.empty()) return std::nullopt;
  const double step = static_cast<double>(most_.back() - most_.front()) / static_cast<double>(most_.size() - 1);
  if (step > 0.0 && step < kLongestFrame && 1.0 / step < kMostRate && off(1.0 / step) == 0)
    return static_cast<float>(1.0 / step);
  for (const double usual : kUsualRates)
    if (off(usual) == 0) return static_cast<float>(usual);
  return std::nullopt;
}

}  // namespace marrow::gltf
