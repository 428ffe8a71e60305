// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string_view>

#include "codec/half.h"
#include "image/blocks.h"

namespace marrow::image {
namespace {

// The fields of a mode in the order of their bits. A field is a channel and a letter for the end: w and x are those of
// the first part, y and z those of the second. `rw9:0` are bits 0 to 9, the lowest first; `rw10:11` is 11, then 10.
struct Bc6Text {
  std::uint32_t number;  // the first two bits, or five if they are above 1
  std::uint32_t base_bits;
  std::array<std::uint32_t, 3> delta_bits;
  bool is_delta;
  std::string_view fields;
};

constexpr Bc6Text kBc6Texts[] = {
    {0,
     10,
     {5, 5, 5},
     true,
     "gy4 by4 bz4 rw9:0 gw9:0 bw9:0 rx4:0 gz4 gy3:0 gx4:0 bz0 gz3:0 bx4:0 bz1 by3:0 ry4:0 bz2 rz4:0 bz3"},
    {1,
     7,
     {6, 6, 6},
     true,
     "gy5 gz4 gz5 rw6:0 bz0 bz1 by4 gw6:0 by5 bz2 gy4 bw6:0 bz3 bz5 bz4 rx5:0 gy3:0 gx5:0 gz3:0 bx5:0 by3:0 ry5:0 "
     "rz5:0"},
    {2,
     11,
     {5, 4, 4},
     true,
     "rw9:0 gw9:0 bw9:0 rx4:0 rw10 gy3:0 gx3:0 gw10 bz0 gz3:0 bx3:0 bw10 bz1 by3:0 ry4:0 bz2 rz4:0 bz3"},
    {6,
     11,
     {4, 5, 4},
     true,
     "rw9:0 gw9:0 bw9:0 rx3:0 rw10 gz4 gy3:0 gx4:0 gw10 gz3:0 bx3:0 bw10 bz1 by3:0 ry3:0 bz0 bz2 rz3:0 gy4 bz3"},
    {10,
     11,
     {4, 4, 5},
     true,
     "rw9:0 gw9:0 bw9:0 rx3:0 rw10 by4 gy3:0 gx3:0 gw10 bz0 gz3:0 bx4:0 bw10 by3:0 ry3:0 bz1 bz2 rz3:0 bz4 bz3"},
    {14,
     9,
     {5, 5, 5},
     true,
     "rw8:0 by4 gw8:0 gy4 bw8:0 bz4 rx4:0 gz4 gy3:0 gx4:0 bz0 gz3:0 bx4:0 bz1 by3:0 ry4:0 bz2 rz4:0 bz3"},
    {18,
     8,
     {6, 5, 5},
     true,
     "rw7:0 gz4 by4 gw7:0 bz2 gy4 bw7:0 bz3 bz4 rx5:0 gy3:0 gx4:0 bz0 gz3:0 bx4:0 bz1 by3:0 ry5:0 rz5:0"},
    {22,
     8,
     {5, 6, 5},
     true,
     "rw7:0 bz0 by4 gw7:0 gy5 gy4 bw7:0 gz5 bz4 rx4:0 gz4 gy3:0 gx5:0 gz3:0 bx4:0 bz1 by3:0 ry4:0 bz2 rz4:0 bz3"},
    {26,
     8,
     {5, 5, 6},
     true,
     "rw7:0 bz1 by4 gw7:0 by5 gy4 bw7:0 bz5 bz4 rx4:0 gz4 gy3:0 gx4:0 bz0 gz3:0 bx5:0 by3:0 ry4:0 bz2 rz4:0 bz3"},
    {30,
     6,
     {6, 6, 6},
     false,
     "rw5:0 gz4 bz0 bz1 by4 gw5:0 gy5 by5 bz2 gy4 bw5:0 gz5 bz3 bz5 bz4 rx5:0 gy3:0 gx5:0 gz3:0 bx5:0 by3:0 ry5:0 "
     "rz5:0"},
    {3, 10, {10, 10, 10}, false, "rw9:0 gw9:0 bw9:0 rx9:0 gx9:0 bx9:0"},
    {7, 11, {9, 9, 9}, true, "rw9:0 gw9:0 bw9:0 rx8:0 rw10 gx8:0 gw10 bx8:0 bw10"},
    {11, 12, {8, 8, 8}, true, "rw9:0 gw9:0 bw9:0 rx7:0 rw10:11 gx7:0 gw10:11 bx7:0 bw10:11"},
    {15, 16, {4, 4, 4}, true, "rw9:0 gw9:0 bw9:0 rx3:0 rw10:15 gx3:0 gw10:15 bx3:0 bw10:15"},
};

// Where a bit of the block goes.
struct Target {
  std::uint8_t end, channel, bit;
};

struct Bc6Mode {
  std::array<Target, 77> targets{};
  std::size_t count = 0;
};

constexpr Bc6Mode parsed(std::string_view text) {
  Bc6Mode mode;
  const auto number = [&](std::size_t& i) {
    std::uint32_t value = 0;
    while (i < text.size() && text[i] >= '0' && text[i] <= '9')
      value = 10 * value + static_cast<std::uint32_t>(text[i++] - '0');
    return value;
  };
  for (std::size_t i = 0; i < text.size();) {
    const auto channel = static_cast<std::uint8_t>(text[i] == 'r' ? 0 : text[i] == 'g' ? 1 : 2);
    const auto end = static_cast<std::uint8_t>(text[i + 1] - 'w');
    i += 2;
    std::uint32_t high = number(i), low = high;
    if (i < text.size() && text[i] == ':') low = number(++i);
    // The second number is the bit that comes first.
    for (std::uint32_t bit = low;; bit = high > low ? bit + 1 : bit - 1) {
      mode.targets[mode.count++] = {end, channel, static_cast<std::uint8_t>(bit)};
      if (bit == high) break;
    }
    if (i < text.size()) ++i;
  }
  return mode;
}

constexpr std::size_t kModeCount = std::size(kBc6Texts);
constexpr std::array<Bc6Mode, kModeCount> kBc6Modes = [] {
  std::array<Bc6Mode, kModeCount> modes{};
  for (std::size_t i = 0; i < kModeCount; ++i) modes[i] = parsed(kBc6Texts[i].fields);
  return modes;
}();

constexpr bool has_two_parts(std::size_t mode) { return mode < 10; }

// Every mode fills its bits, and no bit of a field stands twice or is missing.
static_assert([] {
  for (std::size_t m = 0; m < kModeCount; ++m) {
    const Bc6Text& text = kBc6Texts[m];
    const std::size_t head = text.number < 2 ? 2 : 5;
    if (head + kBc6Modes[m].count != (has_two_parts(m) ? 77u : 65u)) return false;
    std::uint32_t seen[4][3] = {};
    for (std::size_t i = 0; i < kBc6Modes[m].count; ++i) {
      const Target& target = kBc6Modes[m].targets[i];
      if (seen[target.end][target.channel] >> target.bit & 1u) return false;
      seen[target.end][target.channel] |= 1u << target.bit;
    }
    for (std::size_t end = 0; end < (has_two_parts(m) ? 4u : 2u); ++end)
      for (std::size_t channel = 0; channel < 3; ++channel)
        if (seen[end][channel] != (1u << (end == 0 ? text.base_bits : text.delta_bits[channel])) - 1) return false;
  }
  return true;
}());

std::int32_t sign_extended(std::uint32_t value, std::uint32_t bits) {
  const std::uint32_t shift = 32 - bits;
  return static_cast<std::int32_t>(value << shift) >> shift;
}

std::int32_t unquantized(std::int32_t value, std::uint32_t bits, bool is_signed) {
  if (!is_signed) {
    if (bits >= 15 || value == 0) return value;
    if (value == (1 << bits) - 1) return 0xFFFF;
    return ((value << 16) + 0x8000) >> bits;
  }
  if (bits >= 16 || value == 0) return value;
  const std::int32_t size = value < 0 ? -value : value;
  const std::int32_t most = (1 << (bits - 1)) - 1;
  const std::int32_t wide = size >= most ? 0x7FFF : ((size << 15) + 0x4000) >> (bits - 1);
  return value < 0 ? -wide : wide;
}

float finished(std::int32_t value, bool is_signed) {
  if (!is_signed) return codec::half_to_float(static_cast<std::uint16_t>((value * 31) >> 6));
  const std::int32_t size = ((value < 0 ? -value : value) * 31) >> 5;
  return codec::half_to_float(static_cast<std::uint16_t>(value < 0 ? 0x8000 | size : size));
}

}  // namespace

void decode_bc6h(Block16 block, bool is_signed, BlockPixels pixels) {
  BlockBits bits(block);
  std::uint32_t number = bits.take(2);
  if (number > 1) number |= bits.take(3) << 2;
  const auto found = std::ranges::find(kBc6Texts, number, &Bc6Text::number);
  if (found == std::end(kBc6Texts)) {  // reserved: defined to be opaque black
    for (std::size_t i = 0; i < 64; ++i) pixels[i] = i % 4 == 3 ? 255 : 0;
    return;
  }
  const auto index = static_cast<std::size_t>(found - std::begin(kBc6Texts));
  const Bc6Mode& mode = kBc6Modes[index];
  std::array<std::array<std::uint32_t, 3>, 4> raw{};
  for (std::size_t i = 0; i < mode.count; ++i) {
    const Target& target = mode.targets[i];
    raw[target.end][target.channel] |= bits.take(1) << target.bit;
  }
  const bool two = has_two_parts(index);
  const std::uint32_t partition = two ? bits.take(5) : 0;
  std::array<std::array<std::int32_t, 3>, 4> ends{};
  for (std::size_t end = 0; end < (two ? 4u : 2u); ++end)
    for (std::size_t channel = 0; channel < 3; ++channel) {
      const std::uint32_t width = end == 0 || !found->is_delta ? found->base_bits : found->delta_bits[channel];
      std::int32_t value = static_cast<std::int32_t>(raw[end][channel]);
      if (is_signed || (end > 0 && found->is_delta)) value = sign_extended(raw[end][channel], width);
      if (end > 0 && found->is_delta) {
        const std::uint32_t sum = static_cast<std::uint32_t>(static_cast<std::int32_t>(raw[0][channel]) + value) &
                                  ((1u << found->base_bits) - 1);
        value = is_signed ? sign_extended(sum, found->base_bits) : static_cast<std::int32_t>(sum);
      }
      ends[end][channel] = value;
    }
  for (auto& end : ends)
    for (std::int32_t& value : end) value = unquantized(value, found->base_bits, is_signed);
  const std::uint32_t index_bits = two ? 3 : 4;
  for (std::uint32_t i = 0; i < 16; ++i) {
    const std::uint32_t part = two ? part_of_two(partition, i) : 0;
    const bool is_anchor = i == 0 || (two && i == anchor_of_two(partition));
    const auto weight =
        static_cast<std::int32_t>(index_weight(index_bits, bits.take(index_bits - (is_anchor ? 1 : 0))));
    for (std::size_t channel = 0; channel < 3; ++channel) {
      const std::int32_t a = ends[2 * part][channel], b = ends[2 * part + 1][channel];
      const float value = finished((a * (64 - weight) + b * weight + 32) >> 6, is_signed);
      pixels[4 * i + channel] = static_cast<std::uint8_t>(std::clamp(value, 0.0f, 1.0f) * 255.0f + 0.5f);
    }
    pixels[4 * i + 3] = 255;
  }
}

}  // namespace marrow::image
