// SPDX-License-Identifier: MIT
#include "archive/dds_header.h"

#include <algorithm>
#include <cstdint>

#include "core/byte_writer.h"

namespace marrow::archive {
namespace {

// DXGI formats by what they need: bytes of a 4 x 4 block, or of a pixel.
struct Footprint {
  std::uint8_t first, last;
  std::uint32_t block_bytes, pixel_bytes;
};
constexpr Footprint kFootprints[] = {
    {2, 2, 0, 16},  {10, 11, 0, 8},  {49, 49, 0, 2}, {51, 51, 0, 2},  {56, 56, 0, 2},
    {61, 61, 0, 1}, {63, 63, 0, 1},  {65, 65, 0, 1}, {70, 72, 8, 0},  {73, 78, 16, 0},
    {79, 81, 8, 0}, {82, 84, 16, 0}, {85, 86, 0, 2}, {94, 99, 16, 0}, {115, 115, 0, 2},
};
constexpr Footprint kOther{0, 255, 0, 4};

const Footprint& footprint_of(std::uint8_t format) {
  const auto* found = std::ranges::find_if(
      kFootprints, [&](const Footprint& each) { return format >= each.first && format <= each.last; });
  return found == std::end(kFootprints) ? kOther : *found;
}

}  // namespace

std::vector<std::byte> dds_header(const Texture& texture) {
  constexpr std::uint32_t kNeeded = 0x1007, kLinearSize = 0x80000, kPitch = 8, kMipCount = 0x20000;
  constexpr std::uint32_t kTexture = 0x1000, kMips = 0x400008, kComplex = 8, kAllFaces = 0xFE00;
  const Footprint& footprint = footprint_of(texture.format);
  const bool is_blocks = footprint.block_bytes > 0, has_mips = texture.mips > 1;
  const std::uint32_t width = texture.width, height = texture.height;
  const std::uint32_t size =
      is_blocks ? std::max(1u, (width + 3) / 4) * std::max(1u, (height + 3) / 4) * footprint.block_bytes
                : width * footprint.pixel_bytes;
  ByteWriter out;
  out.text("DDS ");
  out.u32(124);
  out.u32(kNeeded | (is_blocks ? kLinearSize : kPitch) | (has_mips ? kMipCount : 0));
  out.u32(height);
  out.u32(width);
  out.u32(size);
  out.u32(1);
  out.u32(texture.mips);
  out.fill(11 * 4);
  out.u32(32);
  out.u32(4);
  out.text("DX10");
  out.fill(5 * 4);
  out.u32(kTexture | (has_mips ? kMips : 0) | (texture.is_cube ? kComplex : 0));
  out.u32(texture.is_cube ? kAllFaces : 0);
  out.fill(3 * 4);
  out.u32(texture.format);
  out.u32(3);
  out.u32(texture.is_cube ? 4 : 0);
  out.u32(1);
  out.u32(0);
  return out.take();
}

}  // namespace marrow::archive
