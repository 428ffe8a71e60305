// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "codec/spline_parser.h"
#include "codec/vector4.h"

// Packed control points as vectors of four floats, and the still part of a channel.

namespace marrow::codec {

/// A channel that moves: where it goes, and how its control points are packed.
struct MovingChannel {
  ShapeView shape{};
  std::span<const std::byte> codes{};
  std::uint32_t destination = 0;  ///< float of the pose, or number of the float track
  bool is_rotation = false;
  QuaternionEncoding rotation = QuaternionEncoding::ThreeComp40;
  ScalarEncoding scalar = ScalarEncoding::Bits16;
  std::uint8_t axes[3] = {};  ///< the lanes that codes fill, in order
  std::uint8_t axis_count = 0;
  alignas(16) float step[4] = {};  ///< width of the range over the greatest code, 0 in constant lanes
  Float4 origin{};                 ///< what a control point of zero stands for; constants of the others

  static MovingChannel from(const VectorView& view, float identity, std::uint32_t destination);
  static MovingChannel from(const RotationView& view, std::uint32_t destination);
  static MovingChannel from(const FloatView& view, std::uint32_t destination);
};

/// The value at the block's first frame, which for a still channel is its value throughout.
void start_value(const VectorView& view, float identity, float* xyz);
void start_value(const RotationView& view, float* xyzw);
float start_value(const FloatView& view);

/// Unpacks control points into memory that is used again. Vectors are relative to the channel's origin.
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
