// SPDX-License-Identifier: MIT
// BC1 to BC5, and the choice between all of them.
#include <algorithm>
#include <cstring>

#include "image/blocks.h"
#include "image/dds.h"

namespace marrow::image {
namespace {

using Half = std::span<const std::uint8_t, 8>;  // of a block

std::uint32_t word(Half half, std::size_t at) { return static_cast<std::uint32_t>(half[at] | half[at + 1] << 8); }

std::array<std::uint32_t, 3> color_of(std::uint32_t packed) {
  const std::uint32_t red = packed >> 11, green = packed >> 5 & 63, blue = packed & 31;
  return {red << 3 | red >> 2, green << 2 | green >> 4, blue << 3 | blue >> 2};
}

// `is_bc1`: two ends in the other order mean a mean and a transparent black.
void decode_colors(Half half, bool is_bc1, BlockPixels pixels) {
  const std::uint32_t first = word(half, 0), second = word(half, 2);
  const auto a = color_of(first), b = color_of(second);
  std::array<std::array<std::uint8_t, 4>, 4> palette{};
  const bool has_four = !is_bc1 || first > second;
  for (std::size_t c = 0; c < 3; ++c) {
    palette[0][c] = static_cast<std::uint8_t>(a[c]);
    palette[1][c] = static_cast<std::uint8_t>(b[c]);
    palette[2][c] = static_cast<std::uint8_t>(has_four ? (2 * a[c] + b[c] + 1) / 3 : (a[c] + b[c]) / 2);
    palette[3][c] = static_cast<std::uint8_t>(has_four ? (a[c] + 2 * b[c] + 1) / 3 : 0);
  }
  for (std::size_t i = 0; i < 4; ++i) palette[i][3] = i == 3 && !has_four ? 0 : 255;
  for (std::size_t i = 0; i < 16; ++i) {
    const auto& color = palette[half[4 + i / 4] >> (2 * (i % 4)) & 3];
    std::copy(color.begin(), color.end(), pixels.begin() + static_cast<std::ptrdiff_t>(4 * i));
  }
}

// Eight levels between two ends, or six with the extremes. Signed ends are from -127 to 127.
void decode_levels(Half half, bool is_signed, std::size_t channel, BlockPixels pixels) {
  const auto end_of = [&](std::uint8_t byte) {
    return is_signed ? std::max<int>(static_cast<std::int8_t>(byte), -127) : int{byte};
  };
  const int a = end_of(half[0]), b = end_of(half[1]);
  const int low = is_signed ? -127 : 0, range = is_signed ? 254 : 255;
  // Levels in units of a 35th, since both 5 and 7 divide it; rounded once.
  std::array<int, 8> levels{35 * a, 35 * b};
  for (int i = 1; i < 7; ++i) levels[static_cast<std::size_t>(i + 1)] = 5 * ((7 - i) * a + i * b);
  if (a <= b) {
    for (int i = 1; i < 5; ++i) levels[static_cast<std::size_t>(i + 1)] = 7 * ((5 - i) * a + i * b);
    levels[6] = 35 * low;
    levels[7] = 35 * (low + range);
  }
  std::uint64_t indices = 0;
  for (std::size_t i = 0; i < 6; ++i) indices |= std::uint64_t{half[2 + i]} << (8 * i);
  for (std::size_t i = 0; i < 16; ++i) {
    const int level = levels[indices >> (3 * i) & 7] - 35 * low;
    pixels[4 * i + channel] = static_cast<std::uint8_t>((2 * level * 255 + 35 * range) / (2 * 35 * range));
  }
}

void fill_channel(BlockPixels pixels, std::size_t channel, std::uint8_t value) {
  for (std::size_t i = 0; i < 16; ++i) pixels[4 * i + channel] = value;
}

}  // namespace

std::size_t block_bytes(PixelFormat format) {
  switch (format) {
    case PixelFormat::Bc1:
    case PixelFormat::Bc4:
    case PixelFormat::Bc4Signed: return 8;
    case PixelFormat::Bc2:
    case PixelFormat::Bc3:
    case PixelFormat::Bc5:
    case PixelFormat::Bc5Signed:
    case PixelFormat::Bc6h:
    case PixelFormat::Bc6hSigned:
    case PixelFormat::Bc7: return 16;
    default: return 0;
  }
}

void decode_block(PixelFormat format, std::span<const std::byte> bytes, std::span<std::uint8_t, 64> pixels) {
  std::array<std::uint8_t, 16> block{};
  std::memcpy(block.data(), bytes.data(), std::min<std::size_t>(bytes.size(), block_bytes(format)));
  const Half first(block.data(), 8), second(block.data() + 8, 8);
  const bool is_signed = format == PixelFormat::Bc4Signed || format == PixelFormat::Bc5Signed;
  switch (format) {
    case PixelFormat::Bc1: decode_colors(first, true, pixels); break;
    case PixelFormat::Bc2:
      decode_colors(second, false, pixels);
      for (std::size_t i = 0; i < 16; ++i)
        pixels[4 * i + 3] = static_cast<std::uint8_t>((first[i / 2] >> (4 * (i % 2)) & 15) * 17);
      break;
    case PixelFormat::Bc3:
      decode_colors(second, false, pixels);
      decode_levels(first, false, 3, pixels);
      break;
    case PixelFormat::Bc4:
    case PixelFormat::Bc4Signed:
      decode_levels(first, is_signed, 0, pixels);
      for (std::size_t i = 0; i < 16; ++i) pixels[4 * i + 1] = pixels[4 * i + 2] = pixels[4 * i];
      fill_channel(pixels, 3, 255);
      break;
    case PixelFormat::Bc5:
    case PixelFormat::Bc5Signed:
      decode_levels(first, is_signed, 0, pixels);
      decode_levels(second, is_signed, 1, pixels);
      fill_channel(pixels, 2, 0);
      fill_channel(pixels, 3, 255);
      break;
    case PixelFormat::Bc6h: decode_bc6h(block, false, pixels); break;
    case PixelFormat::Bc6hSigned: decode_bc6h(block, true, pixels); break;
    case PixelFormat::Bc7: decode_bc7(block, pixels); break;
    default: std::ranges::fill(pixels, std::uint8_t{0}); break;
  }
}

}  // namespace marrow::image
