// SPDX-License-Identifier: MIT
// One animated number of an FBX file: keys, tangents, and what happens outside of them.
#pragma once

#include <cstdint>
#include <vector>

#include "exchange/fbx/node.h"

namespace marrow::fbx {

/// What a curve does before its first or after its last key.
struct Extrapolation {
  char type = 'C';                ///< constant, `K` continue, `R` repeat, `M` mirror, `A` repeat with an offset
  std::int64_t repetitions = -1;  ///< below 0: endless
};

class Curve {
 public:
  /// Reads an AnimationCurve. Fails with `Malformed` if its arrays do not fit each other.
  static Result<Curve> read(const Node& node, double ticks_per_second, bool has_float_bits_as_integers);

  bool empty() const { return keys_.empty(); }
  double first_second() const { return keys_.front().time; }
  double last_second() const { return keys_.back().time; }
  double at(double seconds) const;

 private:
  struct Key {
    double time = 0.0, value = 0.0;
    std::uint32_t flags = 0;              // of the span that starts here
    double right = 0.0, next_left = 0.0;  // as stored: slopes, or what stands in their place
    double third = 0.0;                   // the third number as a float: the bias of TCB
    double right_weight = 0.0, next_weight = 0.0;
  };
  struct Tangents {
    double left_slope = 0.0, right_slope = 0.0, left_weight = 0.0, right_weight = 0.0;
  };

  double inside(double seconds) const;
  double in_span(std::size_t key, double seconds) const;
  double beyond(const Extrapolation& rule, bool is_before, double seconds) const;
  double end_slope(bool is_before) const;
  Tangents tangents(std::size_t key) const;
  double automatic_slope(std::size_t key, double bias, const Tangents& weights) const;
  double chord(std::size_t key) const;  // slope from a key to the next

  std::vector<Key> keys_;
  Extrapolation before_, after_;
};

}  // namespace marrow::fbx
