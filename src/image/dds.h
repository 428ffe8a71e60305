// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "image/image.h"
#include "marrow/core/error.h"
#include "marrow/core/limits.h"

namespace marrow::image {

/// How the pixels of a texture are stored. The numbers are of no file.
enum class PixelFormat : std::uint8_t {
  Bc1,
  Bc2,
  Bc3,
  Bc4,
  Bc4Signed,
  Bc5,
  Bc5Signed,
  Bc6h,
  Bc6hSigned,
  Bc7,
  Masked,      ///< up to 32 bits per pixel, channels by masks
  Half4,       ///< four halves
  Float4,      ///< four floats
  Unsigned16,  ///< four numbers of 16 bits
};

/// A channel of a masked pixel: where its bits are; none if it has none.
struct ChannelBits {
  std::uint32_t shift = 0, count = 0;
};

/// What the header of a .dds file says.
struct DdsInfo {
  std::uint32_t width = 0, height = 0, mips = 1;
  PixelFormat format = PixelFormat::Masked;
  std::string_view name = {};         ///< "BC7", "RGBA8" ...
  std::uint32_t bytes_per_pixel = 0;  ///< 0 for blocks
  ChannelBits red = {}, green = {}, blue = {}, alpha = {};
  bool is_grey = false;  ///< the red channel is all there is, and means brightness
  std::size_t data_offset = 0;

  bool is_blocks() const { return bytes_per_pixel == 0; }
  bool has_two_channels() const { return format == PixelFormat::Bc5 || format == PixelFormat::Bc5Signed; }
};

/// Reads the header of a .dds file, in the old form or with the `DX10` addition. Fails with `Malformed`, or with
/// `Unsupported` if the format of the pixels is not known.
Result<DdsInfo> read_dds_header(std::span<const std::byte> bytes);

struct ReadDds {
  std::uint32_t max_size = 0;  ///< take the largest mip that is not wider or higher; 0: the largest there is
  Limits limits = {};
};

/// Reads a picture of a .dds file: its first image, of a cube the first face. Safe to use for untrusted input: memory
/// is taken only for pixels whose bytes are there.
Result<Image> read_dds(std::span<const std::byte> bytes, const ReadDds& options = {});

/// Returns the bytes of a block of 4 x 4 pixels; 0 for formats without blocks.
std::size_t block_bytes(PixelFormat format);

/// Decodes one block into 16 pixels of four bytes, row by row. `block` has `block_bytes(format)` bytes. Values of BC6H
/// are cut to 0 to 1; those of signed formats are mapped from -1 to 1.
void decode_block(PixelFormat format, std::span<const std::byte> block, std::span<std::uint8_t, 64> pixels);

}  // namespace marrow::image
