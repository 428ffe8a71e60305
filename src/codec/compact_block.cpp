// SPDX-License-Identifier: MIT
#include "codec/compact_block.h"

#include <algorithm>
#include <cstring>
#include <numbers>

#include "codec/curve_pieces.h"
#include "marrow/codec/packed_quaternion.h"

namespace marrow::codec {
namespace {

bool has_three_components(QuaternionEncoding encoding) {
  return encoding == QuaternionEncoding::ThreeComp40 || encoding == QuaternionEncoding::ThreeComp48;
}

void set_lane(PackedPoint& point, std::size_t lane, std::uint16_t value) {
  std::memcpy(point.lanes[lane], &value, sizeof value);
}

PackedPoint packed_rotation(const MovingChannel& channel, std::size_t index) {
  const std::size_t bytes = packed_bytes(channel.rotation);
  const ThreeComponentCode code = unpack_code(channel.rotation, channel.codes.subspan(index * bytes, bytes));
  PackedPoint point{};
  std::size_t stored = 0;
  for (std::size_t lane = 0; lane < 4; ++lane) {
    const std::int32_t value =
        lane != code.omitted ? code.parts[stored++] : (code.negative ? -kOmittedMark : kOmittedMark);
    set_lane(point, lane, static_cast<std::uint16_t>(value));
  }
  return point;
}

PackedPoint packed_vector(const MovingChannel& channel, std::size_t index) {
  PackedPoint point{};
  for (std::size_t axis = 0; axis < channel.axis_count; ++axis)
    set_lane(point, channel.axes[axis], scalar_code(channel.codes, channel.scalar, index * channel.axis_count + axis));
  return point;
}

/// Bytes of the knots of a cubic, with the degree in front and a tail that the kernel reads and does not use.
std::size_t knot_bytes(const MovingChannel& channel) { return (channel.shape.knots.size() + 18) / 16 * 16; }

/// Writes the places of the parts of a block, one channel after another.
class CompactWriter {
 public:
  explicit CompactWriter(ControlPoints& unpacker, CompiledClip::Block& block)
      : unpacker_(unpacker),
        block_(block),
        line_(const_cast<LineChannel*>(block.line_channels)),
        cubic_(const_cast<CubicChannel*>(block.cubic_channels)),
        scale_(const_cast<VectorScale*>(block.scales)),
        point_(const_cast<PackedPoint*>(block.points)),
        curve_(const_cast<float*>(block.curves)) {}

  /// Writes a channel `copies` times, which share its points: the padding repeats the last channel of a group.
  void write(Group group, const MovingChannel& channel, std::uint32_t copies) {
    const LineChannel line{.first_point = static_cast<std::uint32_t>(point_ - block_.points),
                           .destination = channel.destination,
                           .step = group == kRotationLine ? part_step(channel.rotation) : 0.0f};
    const auto curve = static_cast<std::uint32_t>(curve_ - block_.curves);
    const CubicChannel cubic{.first_point = curve / 4 + static_cast<std::uint32_t>(knot_bytes(channel) / 16),
                             .first_knot = curve * 4 + 1,
                             .destination = channel.destination};
    if (kIsLine[group])
      write_packed_points(channel);
    else
      write_curve(channel);
    for (std::uint32_t i = 0; i < copies; ++i, ++number_) {
      if (kIsLine[group])
        *line_++ = line;
      else
        *cubic_++ = cubic;
      if (group == kVectorLine) {
        std::memcpy(scale_->step, channel.step, sizeof scale_->step);
        std::memcpy(scale_->origin, &channel.origin, sizeof scale_->origin);
        ++scale_;
      }
      write_column(channel.shape);
    }
  }

 private:
  static float part_step(QuaternionEncoding encoding) {
    return static_cast<float>(1.0 / (std::numbers::sqrt2 * three_component_limit(encoding)));
  }

  void write_packed_points(const MovingChannel& channel) {
    for (std::size_t i = 0; i < channel.shape.control_count(); ++i, ++point_) {
      *point_ = channel.is_rotation ? packed_rotation(channel, i) : packed_vector(channel, i);
      point_->frame = channel.shape.knots[i + 1];
    }
  }

  void write_curve(const MovingChannel& channel) {
    const std::size_t knots = knot_bytes(channel);
    auto* bytes = reinterpret_cast<std::uint8_t*>(curve_);
    std::fill_n(bytes, knots, std::uint8_t{0});
    bytes[0] = static_cast<std::uint8_t>(channel.shape.degree);
    std::ranges::copy(channel.shape.knots, bytes + 1);
    curve_ += knots / sizeof(float);
    const Float4* points = unpacker_.unpack(channel);
    for (std::size_t i = 0; i < channel.shape.control_count(); ++i, curve_ += 4)
      store4(curve_, points[i] + channel.origin);
  }

  /// Writes what the rows say of a channel.
  void write_column(const ShapeView& shape) {
    std::byte* column = const_cast<std::byte*>(block_.rows) + number_;
    const auto write_piece_until = [&](std::size_t span, std::size_t end) {
      for (std::size_t frame = shape.knots[span]; frame < end; ++frame)
        column[frame * block_.row_bytes] = static_cast<std::byte>(span - shape.degree);
    };
    const std::size_t none = shape.control_count();
    std::size_t running = none;
    for_each_piece(shape, block_.frames, [&](std::size_t span) {
      if (running != none) write_piece_until(running, shape.knots[span]);
      running = span;
    });
    write_piece_until(running, block_.frames);
  }

  ControlPoints& unpacker_;
  CompiledClip::Block& block_;
  LineChannel* line_;
  CubicChannel* cubic_;
  VectorScale* scale_;
  PackedPoint* point_;
  float* curve_;
  std::size_t number_ = 0;  ///< of the channel, counting the padding
};

}  // namespace

bool is_packable(Group group, const MovingChannel& channel) {
  if (channel.shape.control_count() > 256) return false;
  switch (group) {
    case kRotationLine: return has_three_components(channel.rotation);
    case kRotationCubic:
    case kVectorCubic: return channel.shape.degree == 3;
    default: return true;
  }
}

std::size_t curve_bytes(const MovingChannel& channel) {
  return knot_bytes(channel) + channel.shape.control_count() * sizeof(Float4);
}

void write_compact(const GroupedChannels& channels, ControlPoints& unpacker, CompiledClip::Block& block) {
  CompactWriter writer(unpacker, block);
  std::uint32_t number = 0;
  for (std::uint32_t group = 0; group < kGroupCount; ++group)
    for (const MovingChannel& channel : channels[group]) {
      const bool is_last = &channel == &channels[group].back();
      const std::uint32_t copies = is_last ? block.group_end[group] - number : 1;
      writer.write(static_cast<Group>(group), channel, copies);
      number += copies;
    }
}

}  // namespace marrow::codec
