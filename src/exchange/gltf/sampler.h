// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "exchange/gltf/tiny.h"

namespace marrow::gltf {

/// The checked keys of one animated property: times increase, and each has a value.
class Sampler {
 public:
  static Result<Sampler> read(const tinygltf::Model& model, const tinygltf::AnimationSampler& sampler,
                              std::size_t width, const Limits& limits);

  float first_time() const { return times_.front(); }
  float last_time() const { return times_.back(); }
  std::size_t key_count() const { return times_.size(); }

  /// Returns the value at a time; times outside the keys give the first or last value. Only `width` numbers are used.
  /// At the time of a key the result has that key's bits. Rotations (four wide) take the shorter arc and have unit
  /// length.
  std::array<float, 4> at(float time) const;

  std::span<const float> times() const { return times_; }
  /// Turns straight paths from key to key into a cubic one through all of them (`model/cubic_path.h`).
  void smooth();

 private:
  enum class Interpolation : std::uint8_t { Step, Linear, Cubic };

  std::array<float, 4> value(std::size_t key, std::size_t part) const;

  std::vector<float> times_, values_;
  std::size_t width_ = 3;
  Interpolation interpolation_ = Interpolation::Linear;
};

}  // namespace marrow::gltf
