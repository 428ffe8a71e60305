// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "codec/compiled_layout.h"
#include "codec/control_points.h"

// Writes the compact form of blocks: control points as they are stored, cut into segments of 16 frames.

namespace marrow::codec {

/// The moving channels of one block, by group.
using GroupedChannels = std::array<std::span<const MovingChannel>, kGroupCount>;

/// Memory that grows at its end and is not cleared.
class GrowingBytes {
 public:
  std::byte* data() { return data_.get(); }
  std::size_t size() const { return size_; }
  void resize(std::size_t size);

 private:
  std::unique_ptr<std::byte[]> data_;
  std::size_t size_ = 0, capacity_ = 0;
};

/// Where the parts of a block are in the buffers of the writer.
struct CompactParts {
  std::size_t scales = 0, scales_end = 0;              ///< floats
  std::size_t destinations = 0, destinations_end = 0;  ///< in numbers of 16 bits
  std::array<std::uint16_t, kPackedGroupCount> channels{};
};

class CompactWriter {
 public:
  void clear();
  /// Appends the segments of a block. Returns false, and appends nothing, if the form cannot hold the block or it would
  /// take more than `max_bytes`.
  bool add(const GroupedChannels& channels, std::uint32_t frames, std::size_t max_bytes, CompactParts& parts);

  GrowingBytes segments;
  std::vector<std::uint32_t> starts;  ///< offset of each segment of all blocks that were added
  std::vector<float> scales;
  std::vector<std::uint16_t> destinations;

 private:
  /// The three stored numbers of a control point, 16 bits each. A rotation has the bits of the omitted component's
  /// index and its sign as bit 15 of each.
  using Words = std::uint64_t;

  struct Channel {
    const MovingChannel* from;
    std::size_t words;             ///< index of its first point
    std::uint32_t first, last;     ///< points that the current segment needs
    std::uint32_t end;             ///< the span of the last piece
    std::uint32_t first_span = 0;  ///< cubics: the span of the piece at the start of the segment
    std::uint32_t mixed = 0;       ///< neighbouring points that differ in bit 15
  };

  bool gather(const GroupedChannels& channels, std::uint32_t frames);
  bool gather_one(Group group, const MovingChannel& channel, std::uint32_t frames);
  void read_words(Channel& channel);
  void write_constants(CompactParts& parts);
  bool write_segment(std::uint32_t first, std::uint32_t frames, std::size_t max_bytes);

  struct SegmentWriter;

  std::array<std::vector<Channel>, kPackedGroupCount> groups_;
  std::vector<Words> words_;
};

}  // namespace marrow::codec
