// SPDX-License-Identifier: MIT
// One instruction of MOPP code.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <span>

namespace marrow::geometry {

enum class MoppOp : std::uint8_t { Return, Scale, Jump, Add, Base, Split, Cut, Cut24, Leaf };

struct MoppStep {
  MoppOp op = MoppOp::Return;
  std::uint32_t axis = 0;                 ///< of splits 0 to 12, of cuts 0 to 2
  std::uint32_t a = 0, b = 0;             ///< bounds; of a split: the left ends at a, the right begins at b
  std::uint32_t value = 0;                ///< key, base or shift
  std::array<std::uint32_t, 3> offset{};  ///< of a scale
  std::size_t left = 0, right = 0;        ///< places in the code: of a jump `left`
  std::size_t next = 0;                   ///< behind the instruction
};

/// Reads the instruction at a place. Nothing if it is not known or ends behind the code.
std::optional<MoppStep> read_step(std::span<const std::byte> code, std::size_t at);

/// An axis of splits: (d . x + 255 * minus signs) / number of axes.
struct MoppAxis {
  std::array<int, 3> direction;

  int count() const { return std::abs(direction[0]) + std::abs(direction[1]) + std::abs(direction[2]); }
  int minus_signs() const { return (direction[0] < 0) + (direction[1] < 0) + (direction[2] < 0); }
};
const MoppAxis& mopp_axis(std::uint32_t number);

/// Where a walk is: what the instructions so far have made of keys and coordinates.
struct MoppState {
  std::uint32_t base = 0;
  std::array<double, 3> offset{};  ///< in 24-bit units
  std::uint32_t shift = 0;

  void apply(const MoppStep& step);
  double local(double x, std::size_t axis) const {
    return (x - offset[axis]) * static_cast<double>(1u << shift) / 65536.0;
  }
};

}  // namespace marrow::geometry
