// SPDX-License-Identifier: MIT
// A header, a record per block with the places of its parts, and then the parts as they are in memory. All numbers are
// little-endian.
#include "codec/compiled_file.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <new>
#include <string>

#include "codec/compiled_layout.h"
#include "codec/spline_parser.h"
#include "core/try.h"

namespace marrow::codec {
namespace {

static_assert(std::endian::native == std::endian::little, "compiled clips are saved as they are in memory");

/// The parts of a block, in the order of `SavedBlock::at`. Hot and compact blocks share the places after the rows.
enum SavedPart : std::size_t {
  kPosePart,
  kFloatsPart,
  kRowsPart,
  kFirstPart,
  kSecondPart,
  kThirdPart,
  kFourthPart,
  kFifthPart,
  kPartCount
};

struct SavedHeader {
  std::array<char, 8> magic;
  std::uint32_t version;
  std::uint32_t blocks;
  std::uint64_t bytes;
  std::uint32_t frames, tracks, float_tracks, stride;
  double duration_seconds;
};
struct SavedBlock {
  std::uint32_t frames, row_bytes;
  std::array<std::uint32_t, kGroupCount> group_end{};
  std::uint32_t moving_channels, compact, wide;
  std::array<std::uint64_t, kPartCount> at{};  ///< from the start of the file
};
constexpr std::array<char, 8> kCompiledMagic{'M', 'R', 'W', 'C', 'L', 'I', 'P', '\n'};
constexpr std::uint32_t kCompiledVersion = 1;

constexpr std::uint64_t whole_lines(std::uint64_t size) {
  return (size + kCompiledAlignment - 1) / kCompiledAlignment * kCompiledAlignment;
}

std::array<const void*, kPartCount> parts_of(const CompiledClip::Block& block) {
  if (block.compact)
    return {block.pose,           block.floats, block.rows,   block.line_channels,
            block.cubic_channels, block.scales, block.points, block.curves};
  return {block.pose, block.floats, block.rows, block.cubics, block.lines, block.destinations, nullptr, nullptr};
}

/// What a block of a file may refer to.
class BlockCheck {
 public:
  BlockCheck(std::span<const std::byte> bytes, const SavedHeader& header, const SavedBlock& saved,
             CompiledClip::Block& block)
      : bytes_(bytes), header_(header), saved_(saved), block_(block) {}

  /// Sets the pointers of the block. False if anything that sampling would touch is not there.
  bool run() {
    for (std::size_t i = 1; i < kGroupCount; ++i)
      if (saved_.group_end[i] < saved_.group_end[i - 1]) return false;
    for (const std::uint32_t end : saved_.group_end)
      if (end % 4 != 0 || end > bytes_.size()) return false;
    block_.frames = saved_.frames;
    block_.row_bytes = saved_.row_bytes;
    block_.moving_channels = saved_.moving_channels;
    block_.compact = saved_.compact != 0;
    block_.wide = saved_.wide != 0;
    std::ranges::copy(saved_.group_end, block_.group_end);
    const std::uint64_t id_bytes = block_.wide ? 4 : 2;
    const std::uint64_t row = block_.compact ? channels() : channels() * (id_bytes + 1);
    return row == block_.row_bytes && find(kPosePart, block_.pose, std::uint64_t{header_.tracks} * kFloatsPerTrack) &&
           find(kFloatsPart, block_.floats, header_.float_tracks) &&
           find(kRowsPart, block_.rows, std::uint64_t{block_.frames} * row) &&
           (block_.compact ? compact_is_inside() : hot_is_inside());
  }

 private:
  std::uint64_t channels() const { return saved_.group_end[kGroupCount - 1]; }

  /// Finds a part with space for `count` elements.
  template <class T>
  bool find(SavedPart part, const T*& pointer, std::uint64_t count) {
    const std::uint64_t at = saved_.at[part];
    if (at % kCompiledAlignment != 0 || at > bytes_.size() || count > (bytes_.size() - at) / sizeof(T)) return false;
    pointer = reinterpret_cast<const T*>(bytes_.data() + at);
    return true;
  }
  /// Returns how many elements have space from the start of a part to the end of the file.
  std::uint64_t room(SavedPart part, std::uint64_t element) const {
    return (bytes_.size() - saved_.at[part]) / element;
  }

  /// True if a channel writes inside the pose, or to a float track.
  bool is_destination(std::uint32_t channel, std::uint32_t to) const {
    if (channel >= saved_.group_end[kVectorCubic]) return to < header_.float_tracks;
    const bool is_rotation = channel < saved_.group_end[kRotationLine] ||
                             (channel >= saved_.group_end[kVectorLine] && channel < saved_.group_end[kRotationCubic]);
    return std::uint64_t{to} + (is_rotation ? 4 : 3) <= std::uint64_t{header_.tracks} * kFloatsPerTrack;
  }

  bool hot_is_inside() {
    return block_.wide ? hot_rows_are_inside<std::uint32_t>() : hot_rows_are_inside<std::uint16_t>();
  }
  template <class Id>
  bool hot_rows_are_inside() {
    const Id* destinations = nullptr;
    if (!find(kFirstPart, block_.cubics, 0) || !find(kSecondPart, block_.lines, 0) ||
        !find(kThirdPart, destinations, channels()))
      return false;
    block_.destinations = destinations;
    for (std::uint32_t c = 0; c < channels(); ++c)
      if (!is_destination(c, destinations[c])) return false;
    const std::uint64_t cubics = room(kFirstPart, kCubicFloats * sizeof(float));
    const std::uint64_t lines = room(kSecondPart, kLineFloats * sizeof(float));
    for (std::uint32_t frame = 0; frame < block_.frames; ++frame) {
      const auto* ids = reinterpret_cast<const Id*>(block_.rows + std::uint64_t{frame} * block_.row_bytes);
      for (std::uint32_t c = 0; c < channels(); ++c)
        if (ids[c] >= (c < saved_.group_end[kVectorLine] ? lines : cubics)) return false;
    }
    return true;
  }

  bool compact_is_inside() {
    const std::uint64_t lines = saved_.group_end[kVectorLine];
    if (!find(kFirstPart, block_.line_channels, lines) ||
        !find(kSecondPart, block_.cubic_channels, channels() - lines) ||
        !find(kThirdPart, block_.scales, lines - saved_.group_end[kRotationLine]) ||
        !find(kFourthPart, block_.points, 0) || !find(kFifthPart, block_.curves, 0))
      return false;
    const std::uint64_t points = room(kFourthPart, sizeof(PackedPoint)), curve_bytes = room(kFifthPart, 1);
    for (std::uint32_t c = 0; c < channels(); ++c) {
      std::uint64_t last = 0;  // of the pieces of the channel
      for (std::uint32_t frame = 0; frame < block_.frames; ++frame)
        last = std::max(last, std::to_integer<std::uint64_t>(block_.rows[std::uint64_t{frame} * block_.row_bytes + c]));
      if (c < lines) {
        const LineChannel& line = block_.line_channels[c];
        if (!is_destination(c, line.destination) || line.first_point + last + 2 > points) return false;
        continue;
      }
      const CubicChannel& cubic = block_.cubic_channels[c - lines];
      // Eight knots are read at once, and four points; a float track has its degree in front of its knots.
      if (!is_destination(c, cubic.destination) || cubic.first_knot < 1 || cubic.first_knot + last + 9 > curve_bytes ||
          (std::uint64_t{cubic.first_point} + last + 4) * 4 * sizeof(float) > curve_bytes)
        return false;
      const auto* knots = reinterpret_cast<const std::uint8_t*>(block_.curves) + cubic.first_knot;
      if (c >= saved_.group_end[kVectorCubic] && knots[-1] > 3) return false;
    }
    return true;
  }

  std::span<const std::byte> bytes_;
  const SavedHeader& header_;
  const SavedBlock& saved_;
  CompiledClip::Block& block_;
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
  if (!has_frames || !(header.duration_seconds >= 0.0) || !(header.duration_seconds < 1e9) ||
      header.blocks > (bytes.size() - sizeof header) / sizeof(SavedBlock))
    return fail(ErrorCode::Malformed, "the counts of the compiled clip contradict each other", 12);
  return header;
}

}  // namespace

std::vector<std::byte> CompiledFile::save(const CompiledClip& clip) {
  const std::uint64_t blocks_in_memory = whole_lines(clip.block_count() * sizeof(CompiledClip::Block));
  const std::uint64_t start = whole_lines(sizeof(SavedHeader) + clip.block_count() * sizeof(SavedBlock));
  const std::byte* memory = clip.storage_.get();
  const std::uint64_t data_bytes = clip.block_count() == 0 ? 0 : clip.storage_bytes_ - blocks_in_memory;
  std::vector<std::byte> bytes(start + whole_lines(data_bytes));
  if (data_bytes > 0) std::memcpy(bytes.data() + start, memory + blocks_in_memory, data_bytes);
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
  for (std::size_t i = 0; i < clip.block_count(); ++i) {
    const CompiledClip::Block& block = clip.blocks()[i];
    SavedBlock saved{.frames = block.frames,
                     .row_bytes = block.row_bytes,
                     .moving_channels = block.moving_channels,
                     .compact = block.compact,
                     .wide = !block.compact && block.wide};
    std::ranges::copy(block.group_end, saved.group_end.begin());
    const auto parts = parts_of(block);
    for (std::size_t part = 0; part < kPartCount; ++part)
      saved.at[part] = parts[part] == nullptr
                           ? start
                           : start - blocks_in_memory +
                                 static_cast<std::uint64_t>(static_cast<const std::byte*>(parts[part]) - memory);
    std::memcpy(bytes.data() + sizeof header + i * sizeof saved, &saved, sizeof saved);
  }
  return bytes;
}

Result<CompiledClip> CompiledFile::open(std::span<const std::byte> bytes) {
  MARROW_TRY(const SavedHeader header, read_compiled_header(bytes));
  if (reinterpret_cast<std::uintptr_t>(bytes.data()) % kCompiledAlignment != 0)
    return fail(ErrorCode::InvalidArgument, "the bytes of a compiled clip must be aligned to 64 bytes");
  CompiledClip clip;
  const std::size_t size = whole_lines(header.blocks * sizeof(CompiledClip::Block));
  if (size > 0) {
    clip.storage_.reset(
        static_cast<std::byte*>(::operator new[](size, std::align_val_t{kCompiledAlignment}, std::nothrow)));
    if (!clip.storage_) return fail(ErrorCode::LimitExceeded, "cannot allocate " + std::to_string(size) + " bytes");
  }
  clip.storage_bytes_ = clip.storage_capacity_ = size;
  for (std::uint32_t i = 0; i < header.blocks; ++i) {
    SavedBlock saved{};
    const std::uint64_t at = sizeof header + i * sizeof saved;
    std::memcpy(&saved, bytes.data() + at, sizeof saved);
    auto* block = ::new (clip.storage_.get() + i * sizeof(CompiledClip::Block)) CompiledClip::Block{};
    // Every frame up to the next block, or to the end of the clip, has a row.
    const std::uint64_t needed =
        i + 1 < header.blocks ? header.stride : header.frames - std::uint64_t{i} * header.stride;
    if (saved.frames < needed || saved.frames > 256 || !BlockCheck(bytes, header, saved, *block).run())
      return fail(ErrorCode::Malformed, "block " + std::to_string(i) + " of the compiled clip refers outside itself",
                  at);
  }
  clip.frame_count_ = header.frames;
  clip.track_count_ = header.tracks;
  clip.float_track_count_ = header.float_tracks;
  clip.stride_ = header.stride;
  clip.block_count_ = header.blocks;
  clip.duration_seconds_ = header.duration_seconds;
  return clip;
}

}  // namespace marrow::codec
