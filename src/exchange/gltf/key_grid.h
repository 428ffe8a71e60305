// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace marrow::gltf {

/// The rate of clips whose keys say nothing of theirs.
inline constexpr float kUsualRate = 30.0f;

/// How the keys of a clip lie on the frames of a rate. Borrows the times.
class KeyGrid {
 public:
  explicit KeyGrid(float start) : start_(static_cast<double>(start)) {}

  /// Adds the times of a channel, ascending.
  void add(std::span<const float> times);

  std::size_t count() const { return count_; }
  /// Counts the keys that lie between frames.
  std::size_t off(double rate) const;
  /// Returns the rate of the keys; nothing if they lie on no even grid that a program would write.
  std::optional<float> rate() const;

 private:
  double start_;
  std::vector<std::span<const float>> lists_;
  std::span<const float> most_;
  std::size_t count_ = 0;
};

}  // namespace marrow::gltf
