// SPDX-License-Identifier: MIT
// A header of 64 bytes, and then the clip as it is in memory (compiled_layout.h). All numbers are little-endian.
#include "codec/compiled_file.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <string>

#include "codec/compiled_layout.h"
#include "core/try.h"

namespace marrow::codec {
namespace {

static_assert(std::endian::native == std::endian::little, "compiled clips are saved as they are in memory");
static_assert(kCompiledAlignment == kStorageAlignment);

struct alignas(kCompiledAlignment) SavedHeader {
  std::array<char, 8> magic;
  std::uint32_t version;
  std::uint32_t blocks;
  std::uint64_t bytes;
  std::uint32_t frames, tracks, float_tracks, stride;
  double duration_seconds;
};
static_assert(sizeof(SavedHeader) == kCompiledAlignment);
constexpr std::array<char, 8> kCompiledMagic{'M', 'R', 'W', 'C', 'L', 'I', 'P', '\n'};
constexpr std::uint32_t kCompiledVersion = 3;

/// How often the bytes of a clip are looked at before it is played, and tracks that bones can be given to.
constexpr std::uint64_t kMostReads = 4;
constexpr std::uint32_t kMostTracks = 65535;

/// Bytes that a kernel loads at once from a point on.
constexpr std::uint64_t kPointLoad = 16;

/// What a block may refer to.
class BlockCheck {
 public:
  /// `room` is what all blocks together may still look at: each has bytes of its own, and damaged ones share them.
  BlockCheck(std::span<const std::byte> memory, const SavedHeader& header, std::uint32_t index, std::uint64_t& room)
      : memory_(memory),
        header_(header),
        index_(index),
        room_(room),
        block_(*part_at<CompiledClip::Block>(memory.data(), index * std::uint32_t{sizeof(CompiledClip::Block)})) {}

  /// False if anything that sampling would touch is not there.
  bool run() const {
    const std::uint64_t frames =
        std::min<std::uint64_t>(header_.stride + 1u, header_.frames - std::uint64_t{index_} * header_.stride);
    // A flag that is neither 0 nor 1 must not be read as a bool.
    if (flag_at(offsetof(CompiledClip::Block, compact)) > 1 || flag_at(offsetof(CompiledClip::Block, wide)) > 1)
      return false;
    return block_.frames == frames &&
           has(block_.pose, std::uint64_t{header_.tracks} * kFloatsPerTrack, sizeof(float)) &&
           has(block_.floats, header_.float_tracks, sizeof(float)) &&
           (block_.compact ? compact_is_inside() : hot_is_inside());
  }

 private:
  std::uint8_t flag_at(std::size_t offset) const {
    return std::to_integer<std::uint8_t>(memory_[index_ * sizeof(CompiledClip::Block) + offset]);
  }

  bool has(std::uint64_t at, std::uint64_t count, std::uint64_t element, std::uint64_t alignment = 4) const {
    return at % alignment == 0 && at <= memory_.size() && count <= (memory_.size() - at) / element;
  }

  bool take(std::uint64_t bytes) const {
    const bool is_there = bytes <= room_;
    room_ -= is_there ? bytes : 0;
    return is_there;
  }

  /// True if a channel writes inside the pose, or to a float track.
  bool is_destination(std::uint64_t to, bool is_float, bool is_rotation) const {
    if (is_float) return to < header_.float_tracks;
    return to + (is_rotation ? 4 : 3) <= std::uint64_t{header_.tracks} * kFloatsPerTrack;
  }

  bool hot_is_inside() const {
    const CompiledClip::Block::Hot& hot = block_.hot;
    for (std::size_t i = 1; i < kGroupCount; ++i)
      if (hot.group_end[i] < hot.group_end[i - 1]) return false;
    for (const std::uint32_t end : hot.group_end)
      if (end % 4 != 0 || end > memory_.size()) return false;
    return block_.wide ? hot_rows_are_inside<std::uint32_t>() : hot_rows_are_inside<std::uint16_t>();
  }
  template <class Id>
  bool hot_rows_are_inside() const {
    const CompiledClip::Block::Hot& hot = block_.hot;
    const std::uint64_t channels = hot.group_end[kGroupCount - 1];
    if (hot.row_bytes != channels * (sizeof(Id) + 1) || !has(hot.rows, block_.frames * channels, sizeof(Id) + 1) ||
        !has(hot.destinations, channels, sizeof(Id)) || !has(hot.cubics, 0, 1, 16) || !has(hot.lines, 0, 1, 16) ||
        !take((block_.frames + 1) * channels * (sizeof(Id) + 1)))
      return false;
    const Id* destinations = part_at<Id>(memory_.data(), hot.destinations);
    for (std::uint32_t c = 0; c < channels; ++c) {
      const bool is_rotation =
          c < hot.group_end[kRotationLine] || (c >= hot.group_end[kVectorLine] && c < hot.group_end[kRotationCubic]);
      if (!is_destination(destinations[c], c >= hot.group_end[kVectorCubic], is_rotation)) return false;
    }
    const std::uint64_t cubics = (memory_.size() - hot.cubics) / (kCubicFloats * sizeof(float));
    const std::uint64_t lines = (memory_.size() - hot.lines) / (kLineFloats * sizeof(float));
    for (std::uint32_t frame = 0; frame < block_.frames; ++frame) {
      const Id* ids = part_at<Id>(memory_.data() + std::uint64_t{frame} * hot.row_bytes, hot.rows);
      for (std::uint32_t c = 0; c < channels; ++c)
        if (ids[c] >= (c < hot.group_end[kVectorLine] ? lines : cubics)) return false;
    }
    return true;
  }

  bool compact_is_inside() const {
    const CompiledClip::Block::Packed& packed = block_.packed;
    std::uint64_t channels = 0, scales = 0, header_words = 0;
    for (std::uint32_t group = 0; group < kPackedGroupCount; ++group) {
      const std::uint64_t count = packed.channels[group];
      if (count % 4 != 0) return false;
      channels += count;
      scales += count * kPackedGroups[group].scale_arrays;
      header_words += count * kPackedGroups[group].header_words;
    }
    if (packed.constants_end > memory_.size() || !has(packed.scales, scales, sizeof(float)) ||
        !has(packed.destinations, channels, sizeof(std::uint16_t)) || (channels > 0 && block_.frames < 2) ||
        !take(channels * sizeof(std::uint16_t)))
      return false;
    const std::uint16_t* to = part_at<std::uint16_t>(memory_.data(), packed.destinations);
    for (std::uint32_t group = 0; group < kPackedGroupCount; ++group)
      for (std::uint32_t c = 0; c < packed.channels[group]; ++c)
        if (!is_destination(*to++, group >= kLineFloat, kPackedGroups[group].is_rotation)) return false;
    const std::uint32_t per_block = segments_per_block(header_.frames, header_.stride);
    const std::uint64_t table = std::uint64_t{header_.blocks} * sizeof(CompiledClip::Block);
    if (!has(table, std::uint64_t{header_.blocks} * per_block + 2, sizeof(std::uint32_t))) return false;
    const std::uint32_t* entry = part_at<std::uint32_t>(memory_.data() + table, 0) + std::uint64_t{index_} * per_block;
    for (std::uint32_t i = 0; i <= per_block; ++i)
      if (entry[i] > memory_.size()) return false;
    for (std::uint32_t i = 0; i * kSegmentFrames + 1 < block_.frames; ++i)
      if (!has(entry[i], header_words, sizeof(std::uint16_t)) || !take(header_words * sizeof(std::uint16_t)) ||
          !segment_is_inside(entry[i]))
        return false;
    return true;
  }

  bool segment_is_inside(std::uint32_t segment) const {
    const std::uint16_t* header = part_at<std::uint16_t>(memory_.data(), segment);
    const std::uint64_t room = memory_.size() - segment;
    for (std::uint32_t group = 0; group < kPackedGroupCount; ++group) {
      const PackedGroupShape& shape = kPackedGroups[group];
      const std::uint32_t padded = block_.packed.channels[group];
      for (std::uint32_t c = 0; c < padded; ++c) {
        const auto field = [&](std::uint32_t array) { return std::uint32_t{header[array * padded + c]}; };
        // Bit 0 of a mask never counts. The highest index that a frame of the segment can have:
        std::uint64_t index = 0;
        for (std::uint32_t m = 0; m < (shape.is_line ? 1u : 3u); ++m)
          index += static_cast<std::uint64_t>(std::popcount(field(m) & 0xFFFEu));
        const std::uint64_t at = std::uint64_t{field(shape.header_words - 1u)} * 2;
        PointShape point{.second = 0, .third = 0, .bytes = shape.point_words * 2u};
        if (shape.is_rotation) {
          const std::uint32_t word = field(shape.header_words - 2u);
          point = PointShape::of(word);
          if (!point.is_valid(word)) return false;
        }
        // Two points or more are loaded at once, and of a cubic others from the third on.
        if (at + (index + (shape.is_line ? 0 : 2)) * point.bytes + kPointLoad > room) return false;
        if (!shape.is_line && at < index + 8) return false;
      }
      header += std::size_t{padded} * shape.header_words;
    }
    return true;
  }

  std::span<const std::byte> memory_;
  const SavedHeader& header_;
  std::uint32_t index_;
  std::uint64_t& room_;
  const CompiledClip::Block& block_;
};

Result<SavedHeader> read_compiled_header(std::span<const std::byte> bytes) {
  SavedHeader header{};
  if (bytes.size() < sizeof header)
    return fail(ErrorCode::Truncated, "the compiled clip ends in its header", bytes.size());
  std::memcpy(&header, bytes.data(), sizeof header);
  if (header.magic != kCompiledMagic) return fail(ErrorCode::BadMagic, "it is not a compiled clip", 0);
  if (header.version != kCompiledVersion)
    return fail(ErrorCode::Unsupported,
                "version " + std::to_string(header.version) + " of compiled clips is not supported; compile it again",
                8);
  if (header.bytes != bytes.size())
    return fail(header.bytes > bytes.size() ? ErrorCode::Truncated : ErrorCode::Malformed,
                "the compiled clip has " + std::to_string(bytes.size()) + " bytes and should have " +
                    std::to_string(header.bytes),
                16);
  const bool has_frames = header.blocks == 0 ? header.frames == 0
                                             : header.frames > 0 && header.stride > 0 && header.stride <= 255 &&
                                                   (header.blocks - 1) * std::uint64_t{header.stride} < header.frames;
  if (!has_frames || header.tracks > kMostTracks || header.float_tracks > kMostTracks ||
      !(header.duration_seconds >= 0.0) || !(header.duration_seconds < 1e9) ||
      header.blocks > (bytes.size() - sizeof header) / sizeof(CompiledClip::Block))
    return fail(ErrorCode::Malformed, "the counts of the compiled clip contradict each other", 12);
  return header;
}

/// Owns nothing: the memory is the caller's.
class Borrowed : public ClipAllocator {
 public:
  std::byte* allocate(std::size_t) override { return nullptr; }
  void release(std::byte*, std::size_t) override {}
};
constinit Borrowed borrowed;

}  // namespace

std::vector<std::byte> CompiledFile::save(const CompiledClip& clip) {
  const std::size_t memory = (clip.memory().size() + kCompiledAlignment - 1) / kCompiledAlignment * kCompiledAlignment;
  std::vector<std::byte> bytes(sizeof(SavedHeader) + memory);
  if (!clip.memory().empty()) std::ranges::copy(clip.memory(), bytes.begin() + sizeof(SavedHeader));
  const SavedHeader header{.magic = kCompiledMagic,
                           .version = kCompiledVersion,
                           .blocks = clip.block_count(),
                           .bytes = bytes.size(),
                           .frames = clip.frame_count(),
                           .tracks = clip.track_count(),
                           .float_tracks = clip.float_track_count(),
                           .stride = clip.stride(),
                           .duration_seconds = clip.duration_seconds()};
  std::memcpy(bytes.data(), &header, sizeof header);
  return bytes;
}

Result<CompiledClip> CompiledFile::open(std::span<const std::byte> bytes) {
  MARROW_TRY(const SavedHeader header, read_compiled_header(bytes));
  if (reinterpret_cast<std::uintptr_t>(bytes.data()) % kCompiledAlignment != 0)
    return fail(ErrorCode::InvalidArgument, "the bytes of a compiled clip must be aligned to 64 bytes");
  const std::span<const std::byte> memory = bytes.subspan(sizeof header);
  std::uint64_t room = kMostReads * memory.size();
  for (std::uint32_t i = 0; i < header.blocks; ++i)
    if (!BlockCheck(memory, header, i, room).run())
      return fail(ErrorCode::Malformed, "block " + std::to_string(i) + " of the compiled clip refers outside itself",
                  sizeof header + i * sizeof(CompiledClip::Block));
  CompiledClip clip;
  clip.frame_count_ = header.frames;
  clip.track_count_ = header.tracks;
  clip.float_track_count_ = header.float_tracks;
  clip.stride_ = header.stride;
  clip.block_count_ = header.blocks;
  clip.duration_seconds_ = header.duration_seconds;
  clip.storage_bytes_ = memory.size();
  // Sampling only reads.
  if (!memory.empty())
    clip.storage_ = {const_cast<std::byte*>(memory.data()), CompiledClip::Free(&borrowed, memory.size())};
  return clip;
}

}  // namespace marrow::codec
