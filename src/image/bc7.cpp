// SPDX-License-Identifier: MIT
#include <algorithm>
#include <utility>

#include "image/blocks.h"

namespace marrow::image {
namespace {

struct Bc7Mode {
  std::uint32_t parts, partition_bits, rotation_bits, choice_bits, color_bits, alpha_bits;
  bool has_bit_per_end, has_bit_per_part;
  std::uint32_t index_bits, second_index_bits;
};

constexpr Bc7Mode kBc7Modes[8] = {{3, 4, 0, 0, 4, 0, true, false, 3, 0},  {2, 6, 0, 0, 6, 0, false, true, 3, 0},
                                  {3, 6, 0, 0, 5, 0, false, false, 2, 0}, {2, 6, 0, 0, 7, 0, true, false, 2, 0},
                                  {1, 0, 2, 1, 5, 6, false, false, 2, 3}, {1, 0, 2, 0, 7, 8, false, false, 2, 2},
                                  {1, 0, 0, 0, 7, 7, true, false, 4, 0},  {2, 6, 0, 0, 5, 5, true, false, 2, 0}};

constexpr std::uint32_t bits_of_mode(std::uint32_t number) {
  const Bc7Mode& mode = kBc7Modes[number];
  const std::uint32_t ends = 2 * mode.parts;
  std::uint32_t bits = number + 1 + mode.partition_bits + mode.rotation_bits + mode.choice_bits;
  bits += ends * (3 * mode.color_bits + mode.alpha_bits);
  bits += (mode.has_bit_per_end ? ends : 0) + (mode.has_bit_per_part ? mode.parts : 0);
  bits += 16 * mode.index_bits - mode.parts;
  return bits + (mode.second_index_bits > 0 ? 16 * mode.second_index_bits - 1 : 0);
}
static_assert([] {
  for (std::uint32_t i = 0; i < 8; ++i)
    if (bits_of_mode(i) != 128) return false;
  return true;
}());

using Color = std::array<std::uint32_t, 4>;

// Repeats the upper bits below, so that the largest number becomes 255.
std::uint32_t widened(std::uint32_t value, std::uint32_t bits) {
  const std::uint32_t shifted = value << (8 - bits);
  return shifted | (shifted >> bits);
}

std::uint32_t mixed(std::uint32_t a, std::uint32_t b, std::uint32_t weight) {
  return ((64 - weight) * a + weight * b + 32) >> 6;
}

void take_ends(const Bc7Mode& mode, BlockBits& bits, std::array<Color, 6>& ends) {
  const std::uint32_t count = 2 * mode.parts;
  for (std::size_t channel = 0; channel < 4; ++channel) {
    const std::uint32_t width = channel < 3 ? mode.color_bits : mode.alpha_bits;
    for (std::uint32_t i = 0; i < count; ++i) ends[i][channel] = bits.take(width);
  }
  std::uint32_t color_bits = mode.color_bits, alpha_bits = mode.alpha_bits;
  if (mode.has_bit_per_end || mode.has_bit_per_part) {
    std::array<std::uint32_t, 6> low{};
    for (std::uint32_t i = 0; i < (mode.has_bit_per_end ? count : mode.parts); ++i) low[i] = bits.take(1);
    for (std::uint32_t i = 0; i < count; ++i)
      for (std::size_t channel = 0; channel < (alpha_bits > 0 ? 4u : 3u); ++channel)
        ends[i][channel] = ends[i][channel] << 1 | (mode.has_bit_per_end ? low[i] : low[i / 2]);
    ++color_bits;
    if (alpha_bits > 0) ++alpha_bits;
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    for (std::size_t channel = 0; channel < 3; ++channel) ends[i][channel] = widened(ends[i][channel], color_bits);
    ends[i][3] = alpha_bits > 0 ? widened(ends[i][3], alpha_bits) : 255;
  }
}

}  // namespace

void decode_bc7(Block16 block, BlockPixels pixels) {
  BlockBits bits(block);
  std::uint32_t number = 0;
  while (number < 8 && bits.take(1) == 0) ++number;
  if (number == 8) {  // reserved: defined to be transparent black
    std::ranges::fill(pixels, std::uint8_t{0});
    return;
  }
  const Bc7Mode& mode = kBc7Modes[number];
  const std::uint32_t partition = bits.take(mode.partition_bits), rotation = bits.take(mode.rotation_bits),
                      choice = bits.take(mode.choice_bits);
  std::array<Color, 6> ends{};
  take_ends(mode, bits, ends);
  std::array<std::uint32_t, 16> parts{}, first{}, second{};
  for (std::uint32_t i = 0; i < 16; ++i) {
    parts[i] = mode.parts == 2 ? part_of_two(partition, i) : mode.parts == 3 ? part_of_three(partition, i) : 0;
    const bool is_anchor =
        i == 0 || (mode.parts == 2 && i == anchor_of_two(partition)) ||
        (mode.parts == 3 && (i == anchor_of_three(partition, 1) || i == anchor_of_three(partition, 2)));
    first[i] = bits.take(mode.index_bits - (is_anchor ? 1 : 0));
  }
  if (mode.second_index_bits > 0)
    for (std::uint32_t i = 0; i < 16; ++i) second[i] = bits.take(mode.second_index_bits - (i == 0 ? 1 : 0));
  for (std::uint32_t i = 0; i < 16; ++i) {
    const Color &a = ends[2 * parts[i]], &b = ends[2 * parts[i] + 1];
    std::uint32_t color = index_weight(mode.index_bits, first[i]);
    std::uint32_t alpha = mode.second_index_bits > 0 ? index_weight(mode.second_index_bits, second[i]) : color;
    if (choice) std::swap(color, alpha);
    Color out{mixed(a[0], b[0], color), mixed(a[1], b[1], color), mixed(a[2], b[2], color), mixed(a[3], b[3], alpha)};
    if (rotation > 0) std::swap(out[3], out[rotation - 1]);
    for (std::size_t channel = 0; channel < 4; ++channel)
      pixels[4 * i + channel] = static_cast<std::uint8_t>(out[channel]);
  }
}

}  // namespace marrow::image
