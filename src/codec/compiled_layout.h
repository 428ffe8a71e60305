// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "marrow/codec/compiled_clip.h"

namespace marrow::codec {

/// The groups of a block's moving channels. Each is padded to a multiple of four by repeating its last channel.
enum Group : std::uint32_t { kRotationCubic, kRotationLine, kVectorCubic, kVectorLine, kFloatCubic, kGroupCount };

/// A record is one piece of a curve in power form, in frames since the piece began: a cubic is c0 c1 c2 c3, a line is
/// c0 and its slope, each of four lanes. Degrees 0 and 2 are cubics whose higher coefficients are 0.
inline constexpr std::size_t kCubicFloats = 16;
inline constexpr std::size_t kLineFloats = 8;

/// One block of a compiled clip. The row of a frame has, for every channel, the number of the record at that frame and
/// the frames since that record began, so no search is needed. Records are in order of time.
struct CompiledClip::Block {
  const float* pose;         ///< the pose with the constant channels; identity if nothing is stored
  const float* floats;       ///< the constant float tracks; 0 if nothing is stored
  const float* cubics;       ///< records of the cubic groups
  const float* lines;        ///< records of the line groups
  const void* destinations;  ///< offset of each channel in the pose, in floats: 16 bits, or 32 if `wide`
  const std::byte* rows;     ///< a frame's record numbers (16 or 32 bits), then its ages (8 bits)
  std::uint32_t frames;
  std::uint32_t row_bytes;
  std::uint32_t group_end[kGroupCount];  ///< number of padded channels up to the end of each group
  std::uint32_t moving_channels;         ///< not counting the padding
  bool wide;
};

}  // namespace marrow::codec
