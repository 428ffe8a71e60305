// SPDX-License-Identifier: MIT
#include "codec/control_points.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <numbers>

namespace marrow::codec {
namespace {

float step_of(ScalarRange range, ScalarEncoding encoding) {
  return static_cast<float>((static_cast<double>(range.high) - range.low) / code_limit(encoding));
}

/// The lanes of the three stored components of a rotation, by the omitted lane.
constexpr std::uint8_t kStoredLanes[4][3] = {{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}};

/// Computes the result of `decode_quaternion` in single precision. It is accurate to 1e-7, because the omitted
/// component is the largest.
inline void unpack_40_bit(std::uint64_t bits, float* lanes) {
  constexpr float kStep = static_cast<float>(1.0 / (std::numbers::sqrt2 * 2047));
  const auto part = [&](int shift) {
    return static_cast<float>(static_cast<std::int32_t>((bits >> shift) & 0xFFF) - 2047) * kStep;
  };
  const float a = part(0), b = part(12), c = part(24);
  const float rest = std::sqrt(std::max(0.0f, 1.0f - a * a - b * b - c * c));
  const std::size_t omitted = (bits >> 36) & 3;
  const std::uint8_t* lane = kStoredLanes[omitted];
  lanes[lane[0]] = a;
  lanes[lane[1]] = b;
  lanes[lane[2]] = c;
  lanes[omitted] = ((bits >> 38) & 1) != 0 ? -rest : rest;
}

}  // namespace

std::uint16_t scalar_code(std::span<const std::byte> codes, ScalarEncoding encoding, std::size_t index) {
  return encoding == ScalarEncoding::Bits8 ? std::to_integer<std::uint16_t>(codes[index])
                                           : load<std::uint16_t>(codes, index * 2);
}

MovingChannel MovingChannel::from(const VectorView& view, float identity, std::uint32_t destination) {
  MovingChannel channel{.shape = view.shape, .codes = view.codes, .destination = destination, .scalar = view.encoding};
  for (std::uint8_t axis = 0; axis < 3; ++axis) {
    if (view.spline[axis]) {
      channel.axes[channel.axis_count++] = axis;
      channel.step[axis] = step_of(view.range[axis], view.encoding);
    }
    const bool stored = view.spline[axis] || (view.flags & (kStaticAxis << axis)) != 0;
    channel.origin[axis] = stored ? view.range[axis].low : identity;
  }
  return channel;
}

MovingChannel MovingChannel::from(const RotationView& view, std::uint32_t destination) {
  return {.shape = view.shape,
          .codes = view.codes,
          .destination = destination,
          .is_rotation = true,
          .rotation = view.encoding};
}

MovingChannel MovingChannel::from(const FloatView& view, std::uint32_t destination) {
  MovingChannel channel{.shape = view.shape, .codes = view.codes, .destination = destination, .scalar = view.encoding};
  channel.axis_count = 1;
  channel.step[0] = step_of(view.range, view.encoding);
  channel.origin[0] = view.range.low;
  return channel;
}

void start_value(const VectorView& view, float identity, float* xyz) {
  std::size_t code = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const bool is_static = (view.flags & (kStaticAxis << axis)) != 0;
    xyz[axis] = is_static ? view.range[axis].low : identity;
    if (view.spline[axis] && !view.codes.empty())
      xyz[axis] = decode_scalar(view.range[axis], view.encoding, scalar_code(view.codes, view.encoding, code++));
  }
}

void start_value(const RotationView& view, float* xyzw) {
  constexpr Quaternion kIdentity{0, 0, 0, 1};
  const Quaternion q = view.codes.empty() ? kIdentity : decode_quaternion(view.encoding, view.codes);
  double squared = 0.0;
  for (const float lane : q) squared += static_cast<double>(lane) * lane;
  const double inverse = squared > 0.0 ? 1.0 / std::sqrt(squared) : 0.0;
  for (std::size_t i = 0; i < 4; ++i) xyzw[i] = squared > 0.0 ? static_cast<float>(q[i] * inverse) : kIdentity[i];
}

float start_value(const FloatView& view) {
  if (view.codes.empty()) return view.range.low;
  return decode_scalar(view.range, view.encoding, scalar_code(view.codes, view.encoding, 0));
}

const Float4* ControlPoints::unpack(const MovingChannel& channel) {
  const std::size_t count = channel.shape.control_count();
  if (points_.size() < count) points_.resize(count);
  const auto lanes_of = [&](std::size_t i) { return reinterpret_cast<float*>(&points_[i].lanes); };
  if (!channel.is_rotation) {
    for (std::size_t i = 0; i < count; ++i) {
      Float4 codes{};
      for (std::size_t axis = 0; axis < channel.axis_count; ++axis)
        codes[channel.axes[axis]] =
            static_cast<float>(scalar_code(channel.codes, channel.scalar, i * channel.axis_count + axis));
      points_[i].lanes = codes * load4(channel.step);
    }
  } else if (channel.rotation == QuaternionEncoding::ThreeComp40) {
    // Reads eight bytes where five are needed; only the last code must be read carefully.
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i + 1 < count; ++i) {
      std::memcpy(&bits, channel.codes.data() + i * 5, 8);
      unpack_40_bit(bits, lanes_of(i));
    }
    bits = 0;
    std::memcpy(&bits, channel.codes.data() + (count - 1) * 5, 5);
    unpack_40_bit(bits, lanes_of(count - 1));
  } else {
    const std::size_t size = packed_bytes(channel.rotation);
    for (std::size_t i = 0; i < count; ++i) {
      const Quaternion q = decode_quaternion(channel.rotation, channel.codes.subspan(i * size, size));
      std::ranges::copy(q, lanes_of(i));
    }
  }
  return &points_[0].lanes;
}

}  // namespace marrow::codec
