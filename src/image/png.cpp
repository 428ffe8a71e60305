// SPDX-License-Identifier: MIT
#include "image/png.h"

#include <array>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <span>
#include <string_view>

#include "core/compression.h"
#include "core/crc32.h"
#include "core/try.h"
#include "marrow/core/byte_reader.h"

namespace marrow::image {
namespace {

void append_number(std::string& out, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(value >> shift & 0xFF);
}

void append_chunk(std::string& out, std::string_view name, std::string_view data) {
  append_number(out, static_cast<std::uint32_t>(data.size()));
  const std::size_t start = out.size();
  out += name;
  out += data;
  append_number(out, crc32(std::string_view(out).substr(start)));
}

int paeth(int left, int above, int corner) {
  const int guess = left + above - corner;
  const int to_left = std::abs(guess - left), to_above = std::abs(guess - above), to_corner = std::abs(guess - corner);
  return to_left <= to_above && to_left <= to_corner ? left : to_above <= to_corner ? above : corner;
}

// A row with one of PNG's five filters, and the sum of its differences: the smallest packs best as a rule.
std::uint64_t filtered(int filter, std::span<const std::uint8_t> row, std::span<const std::uint8_t> above,
                       std::size_t pixel, std::string& out) {
  out.assign(1, static_cast<char>(filter));
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const int left = i >= pixel ? row[i - pixel] : 0, up = above[i], corner = i >= pixel ? above[i - pixel] : 0;
    const int guess = filter == 0   ? 0
                      : filter == 1 ? left
                      : filter == 2 ? up
                      : filter == 3 ? (left + up) / 2
                                    : paeth(left, up, corner);
    const auto difference = static_cast<std::uint8_t>(row[i] - guess);
    sum += static_cast<std::uint64_t>(difference < 128 ? difference : 256 - difference);
    out += static_cast<char>(difference);
  }
  return sum;
}

}  // namespace

Result<std::vector<std::byte>> write_png(const Image& picture) {
  const std::size_t count = std::size_t{picture.width} * picture.height;
  if (count == 0 || picture.pixels.size() != 4 * count)
    return fail(ErrorCode::InvalidArgument, "the picture has no pixels");
  bool is_opaque = true;
  for (std::size_t i = 3; i < picture.pixels.size() && is_opaque; i += 4) is_opaque = picture.pixels[i] == 255;
  const std::size_t channels = is_opaque ? 3 : 4, width = channels * picture.width;
  std::vector<std::uint8_t> row(width), above(width, 0);
  std::string rows, best, tried;
  for (std::uint32_t y = 0; y < picture.height; ++y) {
    for (std::uint32_t x = 0; x < picture.width; ++x) std::memcpy(&row[channels * x], picture.at(x, y), channels);
    std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
    for (int filter = 0; filter < 5; ++filter)
      if (const std::uint64_t sum = filtered(filter, row, above, channels, tried); sum < least) {
        least = sum;
        best.swap(tried);
      }
    rows += best;
    above.swap(row);
  }
  MARROW_TRY(const std::vector<std::byte> packed, pack(Packing::Zlib, as_bytes(rows)));
  std::string head;
  append_number(head, picture.width);
  append_number(head, picture.height);
  head += {8, static_cast<char>(is_opaque ? 2 : 6), 0, 0, 0};
  std::string out("\x89PNG\r\n\x1a\n", 8);
  append_chunk(out, "IHDR", head);
  append_chunk(out, "IDAT", as_text(packed));
  append_chunk(out, "IEND", {});
  const auto bytes = as_bytes(out);
  return std::vector<std::byte>(bytes.begin(), bytes.end());
}

}  // namespace marrow::image
