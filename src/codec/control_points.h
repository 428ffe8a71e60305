// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "codec/spline_parser.h"
#include "codec/vector4.h"

// Packed control points as vectors of four floats, and the constant part of a channel.

namespace marrow::codec {

/// A moving channel: its destination, and how its control points are packed.
struct MovingChannel {
  ShapeView shape{};
  std::span<const std::byte> codes{};
  std::uint32_t destination = 0;  ///< index of the float in the pose, or of the float track
  bool is_rotation = false;
  QuaternionEncoding rotation = QuaternionEncoding::ThreeComp40;
  ScalarEncoding scalar = ScalarEncoding::Bits16;
  std::uint8_t axes[3] = {};  ///< the lanes of the codes, in order
  std::uint8_t axis_count = 0;
  alignas(16) float step[4] = {};  ///< width of the range over the greatest code, 0 in constant lanes
  Float4 origin{};                 ///< value of a control point of zero; constants in the other lanes

  static MovingChannel from(const VectorView& view, float identity, std::uint32_t destination);
  static MovingChannel from(const RotationView& view, std::uint32_t destination);
  static MovingChannel from(const FloatView& view, std::uint32_t destination);
};

/// Writes the value at the block's first frame, which is the value of a constant channel throughout.
void start_value(const VectorView& view, float identity, float* xyz);
void start_value(const RotationView& view, float* xyzw);
float start_value(const FloatView& view);

/// Returns one code of a vector or a float.
std::uint16_t scalar_code(std::span<const std::byte> codes, ScalarEncoding encoding, std::size_t index);

/// Unpacks control points into reused memory. Vectors are relative to the channel's origin.
class ControlPoints {
 public:
  const Float4* unpack(const MovingChannel& channel);

 private:
  struct Point {
    Float4 lanes;
  };
  std::vector<Point> points_;
};

}  // namespace marrow::codec
