// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "marrow/codec/compiled_clip.h"

// The memory of a compiled clip. It is one piece that refers to itself by offsets from its start only, so that it can
// be saved, mapped and moved as it is. Multi-byte numbers have the order of the machine (little endian).
//
//   heads      one `CompiledClip::Block` per block
//   table      of compact clips: where each segment starts, `segments_per_block` per block, and the end
//   parts      of each block: constants, then what is particular to the form
//   segments   of compact blocks, in order of time
//   slack      kReadableSlack bytes that kernels read and do not use

namespace marrow::codec {

inline constexpr std::size_t kStorageAlignment = 64;
inline constexpr std::size_t kReadableSlack = 32;

/// The groups of a block's moving channels. Each is padded to a multiple of four by repeating its last channel.
enum Group : std::uint32_t { kRotationLine, kVectorLine, kRotationCubic, kVectorCubic, kFloatCubic, kGroupCount };

inline constexpr std::array<bool, kGroupCount> kIsLine{true, true, false, false, false};

/// A record is one piece of a curve in power form, in frames since the piece began: a cubic is c0 c1 c2 c3, a line is
/// c0 and its slope, each of four lanes. Degrees 0 and 2 are cubics whose higher coefficients are 0.
inline constexpr std::size_t kCubicFloats = 16;
inline constexpr std::size_t kLineFloats = 8;

/// The groups of a compact block, in this order everywhere. Padded as above.
enum PackedGroup : std::uint32_t {
  kLine40,  ///< rotations of 40 bits
  kLine48,  ///< rotations of 48 bits
  kLineVector,
  kCubic40,
  kCubic48,
  kCubicVector,
  kLineFloat,  ///< float tracks
  kCubicFloat,
  kPackedGroupCount
};

/// What a group stores. The header of a channel in a segment is `header_words` numbers of 16 bits:
///   rotation lines   mask, ends, base0, base1, base2, shape, place      vector and float lines   mask, ends, place
///   rotation cubics  m1, m2, m3, base0, base1, base2, shape, place      vector and float cubics  m1, m2, m3, place
/// docs/formats/spline-animation.md describes them.
struct PackedGroupShape {
  bool is_line;
  bool is_rotation;
  std::uint8_t header_words;
  std::uint8_t point_words;   ///< of the largest point, 16 bits each
  std::uint8_t scale_arrays;  ///< arrays of floats among the block's constants: steps, then origins
};
inline constexpr std::array<PackedGroupShape, kPackedGroupCount> kPackedGroups{{{true, true, 7, 3, 0},
                                                                                {true, true, 7, 3, 0},
                                                                                {true, false, 3, 3, 6},
                                                                                {false, true, 8, 3, 0},
                                                                                {false, true, 8, 3, 0},
                                                                                {false, false, 4, 3, 6},
                                                                                {true, false, 3, 1, 2},
                                                                                {false, false, 4, 1, 2}}};

/// Frames of a segment: what a sample needs of a compact block lies in the segment of its frame, and nowhere else. More
/// than 16 would not fit the masks.
inline constexpr std::uint32_t kSegmentFrames = 16;

/// Returns the entries of the table per block.
constexpr std::uint32_t segments_per_block(std::uint32_t frames, std::uint32_t stride) {
  const std::uint32_t intervals = frames - 1 < stride ? frames - 1 : stride;
  return (intervals + kSegmentFrames - 1) / kSegmentFrames;
}

/// How the points of a rotation are packed in a segment: its `shape`. A narrow point is a number of one to four bytes,
/// whose bits are the differences of the three parts from their bases, one behind the other. A wide point is one of six
/// bytes: parts of 15, 15 and (from bit 32 on) 15 bits, and bit 15 of the three words of a base at bits 30, 31 and 47.
struct PointShape {
  std::uint32_t second, third;  ///< the bits at which the second and third part begin
  std::uint32_t bytes;

  constexpr bool is_wide() const { return bytes == 6; }
  constexpr std::uint16_t word() const {
    return static_cast<std::uint16_t>(second | third << 5 | bytes << 10 | (is_wide() ? kWideFlag : 0u));
  }
  static constexpr PointShape of(std::uint32_t word) { return {word & 31, word >> 5 & 31, word >> 10 & 7}; }
  constexpr bool is_valid(std::uint32_t word) const {
    return second <= third && third <= kMostNarrowBits && (is_wide() || (bytes >= 1 && bytes <= 4)) &&
           word == this->word();
  }

  static constexpr std::uint32_t kWideFlag = 0x8000;
  static constexpr std::uint32_t kMostNarrowBits = 30;  ///< so that kernels need no sign
};
inline constexpr PointShape kWidePoint{15, 30, 6};

/// The head of a block. Offsets are from the start of the clip's memory.
struct alignas(64) CompiledClip::Block {
  std::uint32_t frames;
  std::uint32_t pose;             ///< the pose with the constant channels; identity if nothing is stored
  std::uint32_t floats;           ///< the constant float tracks; 0 if nothing is stored
  std::uint32_t moving_channels;  ///< not counting the padding
  bool compact;
  bool wide;  ///< hot only: ids and destinations have 32 bits
  std::uint16_t reserved;

  /// A row has the number of the record at that frame for every channel (16 bits, or 32 if `wide`), then the frames
  /// since that record began (8 bits). Records are in order of time.
  struct Hot {
    std::uint32_t rows;  ///< one per frame, so no search is needed
    std::uint32_t row_bytes;
    std::uint32_t cubics;                  ///< records of the cubic groups
    std::uint32_t lines;                   ///< records of the line groups
    std::uint32_t destinations;            ///< of each channel in the pose, in floats: 16 bits, or 32 if `wide`
    std::uint32_t group_end[kGroupCount];  ///< number of padded channels up to the end of each group
  };
  struct Packed {
    std::uint32_t constants_end;                ///< of what a pose needs beside its segment, which starts at `pose`
    std::uint32_t scales;                       ///< the arrays of `PackedGroupShape::scale_arrays`
    std::uint32_t destinations;                 ///< of each channel, in floats or as the number of a float track
    std::uint16_t channels[kPackedGroupCount];  ///< of each group, padded
  };
  union {
    Hot hot;
    Packed packed;
  };
};
static_assert(sizeof(CompiledClip::Block) == 64);

template <class T>
const T* part_at(const std::byte* memory, std::uint32_t offset) {
  return reinterpret_cast<const T*>(memory + offset);
}

}  // namespace marrow::codec
