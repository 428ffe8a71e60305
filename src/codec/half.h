// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstdint>

namespace marrow::codec {

/// Returns the value of an IEEE half.
constexpr float half_to_float(std::uint16_t half) {
  const std::uint32_t sign = std::uint32_t{half & 0x8000u} << 16, rest = half & 0x7FFFu;
  // Halves below 2^-14 are multiples of 2^-24, which is exact as a float.
  if (rest < 0x0400) {
    const float small = static_cast<float>(rest) * 0x1p-24f;
    return sign != 0 ? -small : small;
  }
  const std::uint32_t exponent = rest >= 0x7C00 ? 0x7F800000u : ((rest >> 10) + 112) << 23;
  return std::bit_cast<float>(sign | exponent | (rest & 0x3FFu) << 13);
}

/// Returns the nearest half, of two the even one. Numbers that are too large become infinite.
constexpr std::uint16_t float_to_half(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value), rest = bits & 0x7FFFFFFFu;
  const std::uint32_t sign = bits >> 16 & 0x8000u;
  if (rest > 0x7F800000u) return static_cast<std::uint16_t>(sign | 0x7E00u);
  if (rest >= 0x477FF000u) return static_cast<std::uint16_t>(sign | 0x7C00u);
  if (rest < 0x38800000u) {
    // Adding a half of the smallest normal's weight leaves the rounded multiple of 2^-24 in the low bits.
    const float shifted = std::bit_cast<float>(rest) + 0.5f;
    return static_cast<std::uint16_t>(sign | (std::bit_cast<std::uint32_t>(shifted) - 0x3F000000u));
  }
  const std::uint32_t rounded = rest + 0xFFFu + (rest >> 13 & 1u);
  return static_cast<std::uint16_t>(sign | ((rounded - 0x38000000u) >> 13));
}

}  // namespace marrow::codec
