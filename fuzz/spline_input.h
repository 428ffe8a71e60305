// SPDX-License-Identifier: MIT
// Spline data as an input of bytes: u16 frames, u8 most frames per block - 1, u8 tracks, u8 floats, u8 blocks, the two
// tables of offsets, then the data.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/byte_writer.h"
#include "marrow/codec/spline_blob.h"
#include "marrow/core/byte_reader.h"

namespace marrow::fuzz {

struct SplineInput {
  std::vector<std::uint32_t> offsets = {}, float_offsets = {};
  std::size_t data_start = 0;
  codec::SplineBlobView view = {};  ///< borrows the tables and the input
};

/// Returns nothing if the input ends within the tables.
inline std::optional<SplineInput> read_spline_input(std::span<const std::byte> bytes) {
  ByteReader reader(bytes);
  SplineInput input;
  codec::SplineBlobView& view = input.view;
  view.frame_count = reader.u16();
  view.max_frames_per_block = reader.u8() + 1;
  view.transform_track_count = reader.u8();
  view.float_track_count = reader.u8();
  view.mask_bytes = codec::mask_bytes_for(static_cast<std::size_t>(view.transform_track_count),
                                          static_cast<std::size_t>(view.float_track_count));
  input.offsets.resize(reader.u8());
  input.float_offsets.resize(input.offsets.size());
  for (std::uint32_t& offset : input.offsets) offset = reader.u32();
  for (std::uint32_t& offset : input.float_offsets) offset = reader.u32();
  if (!reader.ok()) return std::nullopt;
  input.data_start = reader.position();
  view.block_offsets = input.offsets;
  view.float_block_offsets = input.float_offsets;
  view.data = reader.bytes(reader.remaining());
  return input;
}

/// Returns nothing if the blob contradicts itself or has more of something than an input can say.
inline std::optional<std::vector<std::byte>> write_spline_input(const codec::SplineBlob& blob) {
  const auto bytes = codec::write_spline_blob(blob);
  if (!bytes || blob.frame_count > 0xFFFF || blob.blocks.size() > 0xFF) return std::nullopt;
  const codec::SplineBlock& block = blob.blocks.front();
  if (block.transforms.size() > 0xFF || block.floats.size() > 0xFF) return std::nullopt;
  ByteWriter writer;
  writer.u16(static_cast<std::uint16_t>(blob.frame_count));
  writer.u8(static_cast<std::uint8_t>(blob.max_frames_per_block - 1));
  writer.u8(static_cast<std::uint8_t>(block.transforms.size()));
  writer.u8(static_cast<std::uint8_t>(block.floats.size()));
  writer.u8(static_cast<std::uint8_t>(blob.blocks.size()));
  for (const std::uint32_t offset : bytes->block_offsets) writer.u32(offset);
  for (const std::uint32_t offset : bytes->float_block_offsets) writer.u32(offset);
  writer.bytes(bytes->data);
  return std::move(writer).take();
}

}  // namespace marrow::fuzz
