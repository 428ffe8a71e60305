// SPDX-License-Identifier: MIT
#include "image/dds.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include "codec/half.h"
#include "core/try.h"
#include "marrow/core/byte_reader.h"

namespace marrow::image {
namespace {

constexpr std::uint32_t four(const char (&text)[5]) {
  return static_cast<std::uint32_t>(text[0]) | static_cast<std::uint32_t>(text[1]) << 8 |
         static_cast<std::uint32_t>(text[2]) << 16 | static_cast<std::uint32_t>(text[3]) << 24;
}

struct FormatRow {
  std::uint32_t number;  // DXGI format, or four characters
  PixelFormat format;
  std::string_view name;
  std::uint32_t bytes = 0;
  std::uint32_t red = 0, green = 0, blue = 0, alpha = 0;  // masks
  bool is_grey = false;
};

constexpr FormatRow kDxgi[] = {
    {2, PixelFormat::Float4, "RGBA32F", 16},
    {10, PixelFormat::Half4, "RGBA16F", 8},
    {11, PixelFormat::Unsigned16, "RGBA16", 8},
    {24, PixelFormat::Masked, "RGB10A2", 4, 0x3FF, 0xFFC00, 0x3FF00000, 0xC0000000},
    {28, PixelFormat::Masked, "RGBA8", 4, 0xFF, 0xFF00, 0xFF0000, 0xFF000000},
    {29, PixelFormat::Masked, "RGBA8", 4, 0xFF, 0xFF00, 0xFF0000, 0xFF000000},
    {49, PixelFormat::Masked, "RG8", 2, 0xFF, 0xFF00},
    {56, PixelFormat::Masked, "R16", 2, 0xFFFF, 0, 0, 0, true},
    {61, PixelFormat::Masked, "R8", 1, 0xFF, 0, 0, 0, true},
    {65, PixelFormat::Masked, "A8", 1, 0, 0, 0, 0xFF},
    {70, PixelFormat::Bc1, "BC1"},
    {71, PixelFormat::Bc1, "BC1"},
    {72, PixelFormat::Bc1, "BC1"},
    {73, PixelFormat::Bc2, "BC2"},
    {74, PixelFormat::Bc2, "BC2"},
    {75, PixelFormat::Bc2, "BC2"},
    {76, PixelFormat::Bc3, "BC3"},
    {77, PixelFormat::Bc3, "BC3"},
    {78, PixelFormat::Bc3, "BC3"},
    {79, PixelFormat::Bc4, "BC4"},
    {80, PixelFormat::Bc4, "BC4"},
    {81, PixelFormat::Bc4Signed, "BC4 signed"},
    {82, PixelFormat::Bc5, "BC5"},
    {83, PixelFormat::Bc5, "BC5"},
    {84, PixelFormat::Bc5Signed, "BC5 signed"},
    {85, PixelFormat::Masked, "B5G6R5", 2, 0xF800, 0x7E0, 0x1F},
    {86, PixelFormat::Masked, "B5G5R5A1", 2, 0x7C00, 0x3E0, 0x1F, 0x8000},
    {87, PixelFormat::Masked, "BGRA8", 4, 0xFF0000, 0xFF00, 0xFF, 0xFF000000},
    {88, PixelFormat::Masked, "BGRX8", 4, 0xFF0000, 0xFF00, 0xFF},
    {91, PixelFormat::Masked, "BGRA8", 4, 0xFF0000, 0xFF00, 0xFF, 0xFF000000},
    {93, PixelFormat::Masked, "BGRX8", 4, 0xFF0000, 0xFF00, 0xFF},
    {94, PixelFormat::Bc6h, "BC6H"},
    {95, PixelFormat::Bc6h, "BC6H"},
    {96, PixelFormat::Bc6hSigned, "BC6H signed"},
    {97, PixelFormat::Bc7, "BC7"},
    {98, PixelFormat::Bc7, "BC7"},
    {99, PixelFormat::Bc7, "BC7"},
    {115, PixelFormat::Masked, "B4G4R4A4", 2, 0xF00, 0xF0, 0xF, 0xF000},
};

constexpr FormatRow kFourCharacters[] = {
    {four("DXT1"), PixelFormat::Bc1, "BC1"},
    {four("DXT2"), PixelFormat::Bc2, "BC2"},
    {four("DXT3"), PixelFormat::Bc2, "BC2"},
    {four("DXT4"), PixelFormat::Bc3, "BC3"},
    {four("DXT5"), PixelFormat::Bc3, "BC3"},
    {four("ATI1"), PixelFormat::Bc4, "BC4"},
    {four("BC4U"), PixelFormat::Bc4, "BC4"},
    {four("BC4S"), PixelFormat::Bc4Signed, "BC4 signed"},
    {four("ATI2"), PixelFormat::Bc5, "BC5"},
    {four("BC5U"), PixelFormat::Bc5, "BC5"},
    {four("BC5S"), PixelFormat::Bc5Signed, "BC5 signed"},
    {36, PixelFormat::Unsigned16, "RGBA16", 8},
    {113, PixelFormat::Half4, "RGBA16F", 8},
    {116, PixelFormat::Float4, "RGBA32F", 16},
};

ChannelBits bits_of(std::uint32_t mask) {
  if (mask == 0) return {};
  return {static_cast<std::uint32_t>(std::countr_zero(mask)),
          32 - static_cast<std::uint32_t>(std::countl_zero(mask)) - static_cast<std::uint32_t>(std::countr_zero(mask))};
}

void take_row(const FormatRow& row, DdsInfo& info) {
  info.format = row.format;
  info.name = row.name;
  info.bytes_per_pixel = row.bytes;
  info.red = bits_of(row.red);
  info.green = bits_of(row.green);
  info.blue = bits_of(row.blue);
  info.alpha = bits_of(row.alpha);
  info.is_grey = row.is_grey;
}

// Pixels that the header describes by masks.
Result<void> take_masks(ByteReader& reader, std::uint32_t flags, DdsInfo& info) {
  constexpr std::uint32_t kAlphaPixels = 1, kAlpha = 2, kColors = 0x40, kGrey = 0x20000;
  const std::uint32_t bits = reader.u32(), red = reader.u32(), green = reader.u32(), blue = reader.u32(),
                      alpha = reader.u32();
  if (bits == 0 || bits > 32 || bits % 8 != 0 || (flags & (kAlpha | kColors | kGrey)) == 0)
    return fail(ErrorCode::Unsupported, "pixels of " + std::to_string(bits) + " bits are not supported", 88);
  const bool has_color = (flags & (kColors | kGrey)) != 0;
  take_row(
      {0, PixelFormat::Masked, "masked", bits / 8, has_color ? red : 0, (flags & kColors) != 0 ? green : 0,
       (flags & kColors) != 0 ? blue : 0, (flags & (kAlphaPixels | kAlpha)) != 0 ? alpha : 0, (flags & kGrey) != 0},
      info);
  return {};
}

std::uint8_t channel_of(std::uint32_t pixel, const ChannelBits& bits, std::uint8_t otherwise) {
  if (bits.count == 0) return otherwise;
  const std::uint64_t most = (std::uint64_t{1} << bits.count) - 1, value = pixel >> bits.shift & most;
  return static_cast<std::uint8_t>((value * 255 + most / 2) / most);
}

std::uint8_t byte_of(float value) {
  return static_cast<std::uint8_t>((value > 0.0f ? std::min(value, 1.0f) : 0.0f) * 255.0f + 0.5f);
}

void read_pixel(const DdsInfo& info, const std::byte* from, std::uint8_t* into) {
  if (info.format == PixelFormat::Masked) {
    std::uint32_t pixel = 0;
    std::memcpy(&pixel, from, info.bytes_per_pixel);
    into[0] = channel_of(pixel, info.red, 0);
    into[1] = info.is_grey ? into[0] : channel_of(pixel, info.green, 0);
    into[2] = info.is_grey ? into[0] : channel_of(pixel, info.blue, 0);
    into[3] = channel_of(pixel, info.alpha, 255);
    return;
  }
  for (std::size_t c = 0; c < 4; ++c) {
    if (info.format == PixelFormat::Float4) {
      float value = 0.0f;
      std::memcpy(&value, from + 4 * c, sizeof value);
      into[c] = byte_of(value);
      continue;
    }
    std::uint16_t value = 0;
    std::memcpy(&value, from + 2 * c, sizeof value);
    into[c] = info.format == PixelFormat::Half4 ? byte_of(codec::half_to_float(value))
                                                : static_cast<std::uint8_t>((value * 255u + 32767u) / 65535u);
  }
}

std::uint64_t size_of(const DdsInfo& info, std::uint32_t width, std::uint32_t height) {
  if (!info.is_blocks()) return std::uint64_t{width} * height * info.bytes_per_pixel;
  return std::uint64_t{(width + 3) / 4} * ((height + 3) / 4) * block_bytes(info.format);
}

void decode_blocks(const DdsInfo& info, std::span<const std::byte> data, Image& picture) {
  const std::size_t size = block_bytes(info.format);
  std::array<std::uint8_t, 64> pixels{};
  std::size_t at = 0;
  for (std::uint32_t y = 0; y < picture.height; y += 4)
    for (std::uint32_t x = 0; x < picture.width; x += 4, at += size) {
      decode_block(info.format, data.subspan(at, size), pixels);
      const std::uint32_t columns = std::min(4u, picture.width - x), rows = std::min(4u, picture.height - y);
      for (std::uint32_t row = 0; row < rows; ++row)
        std::memcpy(picture.at(x, y + row), &pixels[16 * row], std::size_t{4} * columns);
    }
}

}  // namespace

Result<DdsInfo> read_dds_header(std::span<const std::byte> bytes) {
  ByteReader reader(bytes);
  if (reader.u32() != four("DDS ") || !reader.ok()) return fail(ErrorCode::BadMagic, "not a .dds file", 0);
  const std::uint32_t header = reader.u32();
  reader.skip(4);
  DdsInfo info;
  info.height = reader.u32();
  info.width = reader.u32();
  reader.skip(8);
  info.mips = std::max(reader.u32(), 1u);
  reader.skip(44);
  const std::uint32_t pixel_header = reader.u32(), flags = reader.u32(), characters = reader.u32();
  if (!reader.ok()) return fail(ErrorCode::Truncated, "the header of the texture is cut off", bytes.size());
  if (header != 124 || pixel_header != 32)
    return fail(ErrorCode::Malformed, "the header of the texture has another size than it must", 4);
  if (info.width == 0 || info.height == 0 || info.width > 65536 || info.height > 65536)
    return fail(ErrorCode::Malformed,
                "the texture is " + std::to_string(info.width) + " x " + std::to_string(info.height) + " pixels large",
                12);
  if (info.mips > 17) info.mips = 17;
  constexpr std::uint32_t kFourCharactersFlag = 4;
  if ((flags & kFourCharactersFlag) == 0) {
    MARROW_CHECK(take_masks(reader, flags, info));
    reader.skip(20);
  } else if (characters == four("DX10")) {
    reader.skip(40);
    const std::uint32_t number = reader.u32();
    reader.skip(16);
    const auto row = std::ranges::find(kDxgi, number, &FormatRow::number);
    if (row == std::end(kDxgi))
      return fail(ErrorCode::Unsupported, "textures of DXGI format " + std::to_string(number) + " are not supported",
                  128);
    take_row(*row, info);
  } else {
    reader.skip(40);
    const auto row = std::ranges::find(kFourCharacters, characters, &FormatRow::number);
    if (row == std::end(kFourCharacters))
      return fail(ErrorCode::Unsupported, "textures of format " + std::to_string(characters) + " are not supported",
                  84);
    take_row(*row, info);
  }
  if (!reader.ok()) return fail(ErrorCode::Truncated, "the header of the texture is cut off", bytes.size());
  info.data_offset = reader.position();
  return info;
}

Result<Image> read_dds(std::span<const std::byte> bytes, const ReadDds& options) {
  MARROW_TRY(const DdsInfo info, read_dds_header(bytes));
  std::uint32_t width = info.width, height = info.height;
  std::uint64_t at = info.data_offset;
  for (std::uint32_t mip = 0; mip + 1 < info.mips && options.max_size > 0; ++mip) {
    if (std::max(width, height) <= options.max_size) break;
    const std::uint64_t next = at + size_of(info, width, height);
    if (next >= bytes.size()) break;  // mips that are promised and not there
    at = next;
    width = std::max(width / 2, 1u);
    height = std::max(height / 2, 1u);
  }
  const std::uint64_t size = size_of(info, width, height);
  if (at > bytes.size() || bytes.size() - at < size)
    return fail(ErrorCode::Truncated,
                "the texture needs " + std::to_string(size) + " bytes of pixels, and " +
                    std::to_string(bytes.size() - std::min<std::uint64_t>(at, bytes.size())) + " are there",
                bytes.size());
  if (!options.limits.charge(std::uint64_t{width} * height, 4))
    return fail(ErrorCode::LimitExceeded, "the texture is too large", 12);
  Image picture = blank(width, height);
  const std::span<const std::byte> data = bytes.subspan(static_cast<std::size_t>(at), static_cast<std::size_t>(size));
  if (info.is_blocks()) {
    decode_blocks(info, data, picture);
    return picture;
  }
  for (std::size_t i = 0; i < std::size_t{width} * height; ++i)
    read_pixel(info, data.data() + i * info.bytes_per_pixel, &picture.pixels[4 * i]);
  return picture;
}

}  // namespace marrow::image
