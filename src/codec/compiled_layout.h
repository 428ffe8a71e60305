// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "marrow/codec/compiled_clip.h"

namespace marrow::codec {

/// The groups of a block's moving channels. Each is padded to a multiple of four by repeating its last channel.
enum Group : std::uint32_t { kRotationLine, kVectorLine, kRotationCubic, kVectorCubic, kFloatCubic, kGroupCount };

inline constexpr std::array<bool, kGroupCount> kIsLine{true, true, false, false, false};

/// A record is one piece of a curve in power form, in frames since the piece began: a cubic is c0 c1 c2 c3, a line is
/// c0 and its slope, each of four lanes. Degrees 0 and 2 are cubics whose higher coefficients are 0.
inline constexpr std::size_t kCubicFloats = 16;
inline constexpr std::size_t kLineFloats = 8;

/// A control point of a line in the compact form. A vector has its codes, unsigned, in the lanes of their axes. A
/// rotation has the parts of its code, signed, in the lanes of their components, and in that of the omitted component
/// this mark with the component's sign; times `step` it is beyond what a part can be.
struct PackedPoint {
  std::uint8_t lanes[4][2];
  std::uint8_t frame;  ///< its knot
};
static_assert(sizeof(PackedPoint) == 9);
inline constexpr std::int16_t kOmittedMark = 32767;

/// The channels of a compact block.
struct LineChannel {
  std::uint32_t first_point;
  std::uint32_t destination;  ///< offset in the pose, in floats
  float step;                 ///< of the parts of a rotation
};
struct CubicChannel {
  std::uint32_t first_point;  ///< in units of a point, four floats
  std::uint32_t first_knot;   ///< in bytes; a float track has its degree in front of it
  std::uint32_t destination;  ///< offset in the pose, in floats, or the number of a float track
};

/// The value of a line's vector is `step` times its codes plus `origin`.
struct VectorScale {
  float step[4], origin[4];
};

/// One block of a compiled clip. The row of a frame has a place for every channel, so no search is needed.
struct CompiledClip::Block {
  const float* pose;      ///< the pose with the constant channels; identity if nothing is stored
  const float* floats;    ///< the constant float tracks; 0 if nothing is stored
  const std::byte* rows;  ///< one per frame
  std::uint32_t frames;
  std::uint32_t row_bytes;
  std::uint32_t group_end[kGroupCount];  ///< number of padded channels up to the end of each group
  std::uint32_t moving_channels;         ///< not counting the padding
  bool compact;

  // Hot. A row has the number of the record at that frame for every channel (16 bits, or 32 if `wide`), then the frames
  // since that record began (8 bits). Records are in order of time.
  const float* cubics;       ///< records of the cubic groups
  const float* lines;        ///< records of the line groups
  const void* destinations;  ///< offset of each channel in the pose, in floats: 16 bits, or 32 if `wide`
  bool wide;

  // Compact. A row has the number of the piece's first point for every channel (8 bits). Points are ordered by channel,
  // because one moment needs neighbours.
  const LineChannel* line_channels;
  const CubicChannel* cubic_channels;
  const VectorScale* scales;  ///< of the lines of vectors
  const PackedPoint* points;  ///< of lines
  const float* curves;        ///< knots and points of each cubic
};

}  // namespace marrow::codec
