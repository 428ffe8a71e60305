// SPDX-License-Identifier: MIT
// Decoders of single blocks. docs/formats/dds.md describes the layouts.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace marrow::image {

using BlockPixels = std::span<std::uint8_t, 64>;
using Block16 = std::span<const std::uint8_t, 16>;

void decode_bc6h(Block16 block, bool is_signed, BlockPixels pixels);
void decode_bc7(Block16 block, BlockPixels pixels);

/// Bits of a block, from the lowest of the first byte on.
class BlockBits {
 public:
  explicit BlockBits(Block16 block) : block_(block) {}

  std::uint32_t take(std::uint32_t count) {
    std::uint32_t value = 0;
    for (std::uint32_t i = 0; i < count; ++i, ++at_)
      value |= static_cast<std::uint32_t>((block_[at_ / 8] >> (at_ % 8)) & 1) << i;
    return value;
  }
  std::uint32_t place() const { return at_; }

 private:
  Block16 block_;
  std::uint32_t at_ = 0;  // at most 128: a mode takes exactly that many
};

/// Returns which of two or three parts of a block each pixel belongs to.
std::uint32_t part_of_two(std::uint32_t partition, std::uint32_t pixel);
std::uint32_t part_of_three(std::uint32_t partition, std::uint32_t pixel);

/// Returns the pixel of a part whose index has one bit less: its highest is always 0.
std::uint32_t anchor_of_two(std::uint32_t partition);
std::uint32_t anchor_of_three(std::uint32_t partition, std::uint32_t part);

/// Returns the weight of an index of 2, 3 or 4 bits, in 64ths.
std::uint32_t index_weight(std::uint32_t bits, std::uint32_t index);

}  // namespace marrow::image
