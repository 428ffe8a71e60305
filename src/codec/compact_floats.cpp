// SPDX-License-Identifier: MIT
#include "codec/compact_floats.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "codec/bspline.h"

namespace marrow::codec {
namespace {

/// A moment in a segment, and the header of one channel in it.
struct FloatChannel {
  const std::byte* segment;
  const std::uint16_t* header;
  std::uint32_t padded;
  std::uint32_t first;  ///< frame of the block at which the segment begins
  std::uint32_t frame;  ///< in the segment
  double fraction;

  std::uint32_t field(std::uint32_t array) const { return header[array * padded]; }
  std::size_t point_place(std::uint32_t array) const { return std::size_t{field(array)} * 2; }
  double point(std::uint32_t array, std::uint32_t index) const {
    std::uint16_t code;
    std::memcpy(&code, segment + point_place(array) + std::size_t{index} * 2, sizeof code);
    return code;
  }
};

// The same as find_keys of sample_compact.inc, for one channel.
double line_code(const FloatChannel& channel) {
  const std::uint32_t mask = channel.field(0), ends = channel.field(1);
  const std::uint32_t before = mask & ((2u << channel.frame) - 1), after = mask >> (channel.frame + 1);
  const auto start = static_cast<double>(channel.first);
  const double from = before != 0 ? start + (std::bit_width(before) - 1) : ends & 255;
  const double to = after != 0 ? start + channel.frame + 1 + std::countr_zero(after) : ends >> 8;
  const double share = (start + channel.frame - from + channel.fraction) / (to - from);
  const auto index = static_cast<std::uint32_t>(std::popcount(before));
  return channel.point(2, index) * (1 - share) + channel.point(2, index + 1) * share;
}

double cubic_code(const FloatChannel& channel) {
  const std::uint32_t until = (2u << channel.frame) - 2;
  std::uint32_t index = 0;
  for (std::uint32_t m = 0; m < 3; ++m) index += static_cast<std::uint32_t>(std::popcount(channel.field(m) & until));
  std::array<std::uint8_t, 6> knots;
  const auto* first_point = reinterpret_cast<const std::uint8_t*>(channel.segment) + channel.point_place(3);
  for (std::uint32_t i = 0; i < knots.size(); ++i) knots[i] = *(first_point - 1 - index - i);
  const auto weights = basis(knots, 3, 2, channel.first + channel.frame + channel.fraction);
  double sum = 0;
  for (std::uint32_t i = 0; i < 4; ++i) sum += weights[i] * channel.point(3, index + i);
  return sum;
}

}  // namespace

void sample_packed_floats(const SampleTask& task, std::span<float> floats) {
  const CompiledClip::Block::Packed& packed = task.block->packed;
  if (packed.channels[kLineFloat] + packed.channels[kCubicFloat] == 0) return;
  const std::uint32_t whole = std::min(task.frame, task.block->frames - 2);
  const std::uint32_t first = whole / kSegmentFrames * kSegmentFrames;
  const auto* header = part_at<std::uint16_t>(task.segment, 0);
  const auto* destinations = part_at<std::uint16_t>(task.memory, packed.destinations);
  const float* scales = part_at<float>(task.memory, packed.scales);
  for (std::uint32_t group = 0; group < kPackedGroupCount; ++group) {
    const std::uint32_t padded = packed.channels[group];
    for (std::uint32_t c = 0; group >= kLineFloat && c < padded; ++c) {
      const FloatChannel channel{.segment = task.segment,
                                 .header = header + c,
                                 .padded = padded,
                                 .first = first,
                                 .frame = whole - first,
                                 .fraction = static_cast<double>(task.fraction) + (task.frame - whole)};
      const double code = group == kLineFloat ? line_code(channel) : cubic_code(channel);
      floats[destinations[c]] =
          static_cast<float>(code * static_cast<double>(scales[c]) + static_cast<double>(scales[padded + c]));
    }
    header += padded * kPackedGroups[group].header_words;
    destinations += padded;
    scales += padded * kPackedGroups[group].scale_arrays;
  }
}

}  // namespace marrow::codec
