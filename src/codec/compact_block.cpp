// SPDX-License-Identifier: MIT
#include "codec/compact_block.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <utility>

#include "marrow/codec/packed_quaternion.h"

namespace marrow::codec {
namespace {

constexpr std::uint32_t padded_count(std::size_t channels) {
  return static_cast<std::uint32_t>((channels + 3) / 4 * 4);
}

/// `place` counts in twos.
constexpr std::size_t kMostSegmentBytes = std::size_t{2} * std::numeric_limits<std::uint16_t>::max();

/// Bit 15 of each word.
constexpr std::uint64_t kMarks = 0x8000'8000'8000;

Short8 shorts_of(std::uint64_t words) { return (Short8)Pair64{static_cast<std::int64_t>(words), 0}; }
std::uint64_t words_of(Short8 shorts) { return static_cast<std::uint64_t>(((Pair64)shorts)[0]); }

/// Returns the last span that has a piece of the curve.
std::uint32_t last_piece(const ShapeView& shape) {
  const std::size_t controls = shape.control_count();
  std::size_t span = controls - 1;
  while (shape.knots[span] == shape.knots[controls]) --span;
  return static_cast<std::uint32_t>(span);
}

/// True if no frame of the block's pieces has more than three knots: four are a jump of a cubic. Two are one of a line.
bool has_jumps(const ShapeView& shape, std::uint32_t end) {
  const std::size_t most = shape.degree;
  for (std::size_t i = most + 1; i <= end; ++i)
    if (shape.knots[i] == shape.knots[i - most]) return true;
  return false;
}

}  // namespace

void GrowingBytes::resize(std::size_t size) {
  if (size > capacity_) {
    capacity_ = std::max(size, capacity_ * 2);
    auto grown = std::make_unique_for_overwrite<std::byte[]>(capacity_);
    if (size_ > 0) std::memcpy(grown.get(), data_.get(), size_);
    data_ = std::move(grown);
  }
  size_ = size;
}

void CompactWriter::clear() {
  segments.resize(0);
  starts.clear();
  scales.clear();
  destinations.clear();
}

bool CompactWriter::gather_one(Group group, const MovingChannel& channel, std::uint32_t frames) {
  const ShapeView& shape = channel.shape;
  if (shape.degree != 1 && shape.degree != 3) return false;
  const std::uint32_t end = last_piece(shape);
  if (has_jumps(shape, end)) return false;
  if (channel.destination > std::numeric_limits<std::uint16_t>::max()) return false;
  const bool is_line = shape.degree == 1;
  PackedGroup packed = is_line ? kLineVector : kCubicVector;
  if (group == kFloatCubic) {
    packed = is_line ? kLineFloat : kCubicFloat;
  } else if (channel.is_rotation) {
    if (channel.rotation == QuaternionEncoding::ThreeComp40)
      packed = is_line ? kLine40 : kCubic40;
    else if (channel.rotation == QuaternionEncoding::ThreeComp48)
      packed = is_line ? kLine48 : kCubic48;
    else
      return false;
  }
  Channel& added = groups_[packed].emplace_back(
      Channel{.from = &channel, .words = words_.size(), .first = 0, .last = 0, .end = end});
  if (!is_line) added.first_span = static_cast<std::uint32_t>(shape.degree);
  read_words(added);
  return groups_[packed].size() <= std::numeric_limits<std::uint16_t>::max() - 3u && frames > 1;
}

void CompactWriter::read_words(Channel& channel) {
  const MovingChannel& from = *channel.from;
  const std::size_t count = from.shape.control_count();
  words_.resize(channel.words + count);
  Words* words = words_.data() + channel.words;
  if (!from.is_rotation) {
    const std::byte* at = from.codes.data();
    const std::size_t bytes = from.scalar == ScalarEncoding::Bits8 ? 1 : 2;
    for (std::size_t i = 0; i < count; ++i) {
      Words point = 0;
      for (std::size_t axis = 0; axis < from.axis_count; ++axis, at += bytes) {
        std::uint16_t code = 0;
        std::memcpy(&code, at, bytes);
        point |= Words{code} << (16 * from.axes[axis]);
      }
      words[i] = point;
    }
    return;
  }
  const std::size_t bytes = packed_bytes(from.rotation);
  if (from.rotation == QuaternionEncoding::ThreeComp40) {
    const std::byte* at = from.codes.data();
    for (std::size_t i = 0; i < count; ++i, at += bytes) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, at, 5);
      words[i] = (bits & 0xFFF) | (bits & 0xFFF000) << 4 | (bits & 0xFFF000000) << 8 | (bits >> 36 & 1) << 15 |
                 (bits >> 37 & 1) << 31 | (bits >> 38 & 1) << 47;
    }
  } else {
    const std::int32_t limit = three_component_limit(from.rotation);
    for (std::size_t i = 0; i < count; ++i) {
      const ThreeComponentCode code = unpack_code(from.rotation, from.codes.subspan(i * bytes, bytes));
      const std::uint32_t marks = code.omitted | (code.negative ? 4u : 0u);
      words[i] = 0;
      for (std::size_t k = 0; k < 3; ++k)
        words[i] |= (static_cast<Words>(code.parts[k] + limit) | Words{(marks >> k) & 1} << 15) << (16 * k);
    }
  }
  for (std::size_t i = 1; i < count; ++i) channel.mixed += ((words[i] ^ words[i - 1]) & kMarks) != 0;
}

bool CompactWriter::gather(const GroupedChannels& channels, std::uint32_t frames) {
  for (auto& group : groups_) group.clear();
  words_.clear();
  for (std::uint32_t group = 0; group < kGroupCount; ++group)
    for (const MovingChannel& channel : channels[group])
      if (!gather_one(static_cast<Group>(group), channel, frames)) return false;
  // A batch with wide points takes longer, and points that differ in their marks are: they go together, behind the
  // others.
  for (std::uint32_t group = 0; group < kPackedGroupCount; ++group)
    if (kPackedGroups[group].is_rotation)
      std::ranges::sort(groups_[group], {},
                        [](const Channel& channel) { return std::pair(channel.mixed, channel.words); });
  return true;
}

void CompactWriter::write_constants(CompactParts& parts) {
  parts.scales = scales.size();
  parts.destinations = destinations.size();
  for (std::uint32_t number = 0; number < kPackedGroupCount; ++number) {
    const auto& group = groups_[number];
    const std::uint32_t padded = padded_count(group.size());
    parts.channels[number] = static_cast<std::uint16_t>(padded);
    const std::size_t scale = scales.size(), lanes = kPackedGroups[number].scale_arrays / 2u;
    scales.resize(scale + 2 * lanes * padded);
    for (std::uint32_t i = 0; i < padded; ++i) {
      const MovingChannel& channel = *group[std::min<std::size_t>(i, group.size() - 1)].from;
      destinations.push_back(static_cast<std::uint16_t>(channel.destination));
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        scales[scale + lane * padded + i] = channel.step[lane];
        scales[scale + (lanes + lane) * padded + i] = channel.origin[static_cast<int>(lane)];
      }
    }
  }
  parts.scales_end = scales.size();
  parts.destinations_end = destinations.size();
}

/// Writes one segment: the headers of all channels, then their points.
struct CompactWriter::SegmentWriter {
  CompactWriter& writer;
  std::uint32_t first, length;
  std::byte* start;
  std::uint16_t* header;
  std::byte* at;

  /// What a header says of the points: the bases and shape of a rotation, and their place.
  static constexpr std::uint32_t kMostSaid = 5;

  /// Writes a number of the header; the padding repeats the last channel.
  void say(std::uint32_t array, std::uint32_t channel, std::uint32_t padded, bool is_last, std::uint32_t value) const {
    std::uint16_t* to = header + array * padded + channel;
    *to = static_cast<std::uint16_t>(value);
    if (is_last) std::fill(to + 1, header + (array + 1) * padded, *to);
  }

  /// Writes the points of a rotation, and what the header says of them: bases, shape, place.
  void write_rotations(const Channel& channel, std::uint32_t* said) {
    const Words* words = writer.words_.data() + channel.words;
    Short8 low = shorts_of(words[channel.first] & ~kMarks), high = low;
    Words differing = 0;
    for (std::uint32_t i = channel.first + 1; i <= channel.last; ++i) {
      const Short8 codes = shorts_of(words[i] & ~kMarks);
      low = codes < low ? codes : low;
      high = codes > high ? codes : high;
      differing |= words[i] ^ words[channel.first];
    }
    const PointShape shape = (differing & kMarks) != 0 ? kWidePoint : shape_of(words_of(high - low));
    const Words base = shape.is_wide() ? 0 : (words[channel.first] & kMarks) | words_of(low);
    for (std::size_t k = 0; k < 3; ++k) said[k] = base >> (16 * k) & 0xFFFF;
    said[3] = shape.word();
    said[4] = place();
    if (shape.is_wide()) {
      for (std::uint32_t i = channel.first; i <= channel.last; ++i) {
        const Words w = words[i];
        put((w & 0x7FFF) | (w >> 1 & Words{0x7FFF} << 15) | (w & 0x8000) << 15 | (w & 0x8000'0000) |
                (w & Words{0xFFFF} << 32),
            shape.bytes);
      }
    } else {
      // No word is below its base, so nothing is borrowed from the next.
      for (std::uint32_t i = channel.first; i <= channel.last; ++i) {
        const Words w = words[i] - base;
        put((w & 0x7FFF) | (w >> 16 & 0x7FFF) << shape.second | w >> 32 << shape.third, shape.bytes);
      }
    }
    align();
  }

  /// Returns the shape of points whose parts are at most so far above their bases.
  static PointShape shape_of(Words most) {
    const auto width = [&](int part) {
      return static_cast<std::uint32_t>(std::bit_width(most >> (16 * part) & 0xFFFF));
    };
    const std::uint32_t second = width(0), third = second + width(1), bits = third + width(2);
    if (bits > PointShape::kMostNarrowBits) return kWidePoint;
    return {second, third, std::max((bits + 7) / 8, 1u)};
  }

  /// Writes the points of a channel, and fills the numbers of the header that say how they lie.
  void write_points(const PackedGroupShape& shape, const Channel& channel, std::uint32_t* said) {
    if (shape.is_rotation) return write_rotations(channel, said);
    const Words* words = writer.words_.data() + channel.words;
    said[0] = place();
    for (std::uint32_t i = channel.first; i <= channel.last; ++i) put(words[i], shape.point_words * 2u);
  }

  std::uint32_t place() const { return static_cast<std::uint32_t>((at - start) / 2); }

  /// Writes more than it counts; what follows writes over it, and `write_segment` has made space for the last.
  void put(Words point, std::size_t bytes) {
    std::memcpy(at, &point, sizeof point);
    at += bytes;
  }

  void align() {
    if ((at - start) % 2 != 0) *at++ = std::byte{0};
  }

  void write_line(const PackedGroupShape& shape, const Channel& channel, std::uint32_t i, std::uint32_t padded,
                  bool is_last) {
    const std::uint8_t* keys = channel.from->shape.knots.data() + 1;
    std::uint32_t mask = 0, said[kMostSaid];
    for (std::uint32_t key = channel.first + 1; key < channel.last; ++key) mask |= 1u << (keys[key] - first);
    write_points(shape, channel, said);
    say(0, i, padded, is_last, mask);
    say(1, i, padded, is_last, std::uint32_t{keys[channel.first]} | std::uint32_t{keys[channel.last]} << 8);
    for (std::uint32_t k = 2; k < shape.header_words; ++k) say(k, i, padded, is_last, said[k - 2]);
  }

  void write_cubic(const PackedGroupShape& shape, const Channel& channel, std::uint32_t i, std::uint32_t padded,
                   bool is_last) {
    const std::uint8_t* knots = channel.from->shape.knots.data();
    std::uint32_t masks[3] = {}, said[kMostSaid];
    // Knots that begin pieces within the segment, after its first frame.
    for (std::uint32_t knot = channel.first_span + 1; knot <= channel.last; ++knot) {
      const std::uint32_t bit = 1u << (knots[knot] - first);
      if ((masks[0] & bit) == 0)
        masks[0] |= bit;
      else
        masks[(masks[1] & bit) == 0 ? 1 : 2] |= bit;
    }
    const std::uint32_t knot_count = channel.last + 3 - channel.first;
    if (knot_count % 2 != 0) *at++ = std::byte{0};
    for (std::uint32_t knot = channel.last + 3; knot > channel.first; --knot)
      *at++ = static_cast<std::byte>(knots[knot]);
    write_points(shape, channel, said);
    for (std::uint32_t m = 0; m < 3; ++m) say(m, i, padded, is_last, masks[m]);
    for (std::uint32_t k = 3; k < shape.header_words; ++k) say(k, i, padded, is_last, said[k - 3]);
  }
};

bool CompactWriter::write_segment(std::uint32_t first, std::uint32_t frames, std::size_t max_bytes) {
  const std::uint32_t length = std::min(kSegmentFrames, frames - 1 - first);
  // Which points each channel needs, and the most bytes that they can take.
  std::size_t header_bytes = 0, most = 0;
  for (std::uint32_t number = 0; number < kPackedGroupCount; ++number) {
    const PackedGroupShape& shape = kPackedGroups[number];
    header_bytes += std::size_t{padded_count(groups_[number].size())} * shape.header_words * 2;
    for (Channel& channel : groups_[number]) {
      const std::uint8_t* knots = channel.from->shape.knots.data();
      const std::uint32_t end = channel.end;
      if (shape.is_line) {
        // Key i is knot i + 1. The last piece goes on if the curve ends early.
        while (channel.first + 1 < end && knots[channel.first + 2] <= first) ++channel.first;
        channel.last = std::max(channel.last, channel.first + 1);
        while (channel.last < end && knots[channel.last + 1] < first + length) ++channel.last;
      } else {
        while (channel.first_span < end && knots[channel.first_span + 1] <= first) ++channel.first_span;
        channel.last = std::max(channel.last, channel.first_span);
        while (channel.last < end && knots[channel.last + 1] <= first + length - 1) ++channel.last;
        channel.first = channel.first_span - 3;
      }
      most += (std::size_t{channel.last} - channel.first + 1) * (2 * shape.point_words + 1u) + 6;
    }
  }
  const std::size_t start = segments.size();
  if (start + header_bytes > max_bytes || header_bytes > kMostSegmentBytes) return false;
  segments.resize(start + header_bytes + most + sizeof(Words));
  std::byte* at = segments.data() + start;
  SegmentWriter writer{*this, first, length, at, reinterpret_cast<std::uint16_t*>(at), at + header_bytes};
  for (std::uint32_t number = 0; number < kPackedGroupCount; ++number) {
    const auto& group = groups_[number];
    const std::uint32_t padded = padded_count(group.size());
    for (std::uint32_t i = 0; i < group.size(); ++i) {
      if (kPackedGroups[number].is_line)
        writer.write_line(kPackedGroups[number], group[i], i, padded, i + 1 == group.size());
      else
        writer.write_cubic(kPackedGroups[number], group[i], i, padded, i + 1 == group.size());
    }
    writer.header += std::size_t{padded} * kPackedGroups[number].header_words;
  }
  while ((writer.at - at) % 4 != 0) *writer.at++ = std::byte{0};
  const auto size = static_cast<std::size_t>(writer.at - at);
  segments.resize(start + size);
  return size <= kMostSegmentBytes;
}

bool CompactWriter::add(const GroupedChannels& channels, std::uint32_t frames, std::size_t max_bytes,
                        CompactParts& parts) {
  if (!gather(channels, frames)) return false;
  const std::size_t segments_before = segments.size(), starts_before = starts.size();
  for (std::uint32_t first = 0; first + 1 < frames; first += kSegmentFrames) {
    starts.push_back(static_cast<std::uint32_t>(segments.size()));
    if (write_segment(first, frames, max_bytes)) continue;
    segments.resize(segments_before);
    starts.resize(starts_before);
    return false;
  }
  write_constants(parts);
  return true;
}

}  // namespace marrow::codec
