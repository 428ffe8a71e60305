// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "marrow/codec/packed_quaternion.h"
#include "marrow/codec/scalar_range.h"
#include "marrow/core/error.h"
#include "marrow/core/limits.h"

namespace marrow::codec {

/// The spline-compressed clip of docs/formats/spline-animation.md taken apart, with every code as it is stored:
/// blocks of at most 256 frames, neighbours sharing one frame; a block has tracks; a track has channels.

/// Which components of a vector channel move, `kSpline << axis`, and which rest at a stored value, `kStatic << axis`.
/// An axis with neither is identity. One with both counts as static.
inline constexpr std::uint8_t kStaticAxis = 0x01;
inline constexpr std::uint8_t kSplineAxis = 0x10;
inline constexpr std::uint8_t kSplineAxes = 0x70;
/// A rotation channel is a spline where any of the high bits is set, else static where any of the low ones is. Each bit
/// stands for a component, x first, that is not identity's; decoding needs only to know whether there is any.
inline constexpr std::uint8_t kStaticRotation = 0x0F;
inline constexpr std::uint8_t kSplineRotation = 0xF0;

/// The curve of a channel: empty where the channel does not move.
struct SplineShape {
  std::uint8_t degree = 0;
  std::vector<std::uint8_t> knots{};  ///< control points + degree + 1, in frames of the block

  bool operator==(const SplineShape&) const = default;
  std::size_t control_count() const { return knots.empty() ? 0 : knots.size() - degree - 1; }
};

/// Translation or scale.
struct VectorChannel {
  std::uint8_t flags = 0;  ///< mask byte 1 or 3
  ScalarEncoding encoding = ScalarEncoding::Bits16;
  SplineShape shape{};                 ///< there where `flags & kSplineAxes`
  std::array<ScalarRange, 3> range{};  ///< of spline axes; a static axis has its value in both ends; identity is 0
  std::vector<std::uint16_t> codes{};  ///< control points one after another, each its spline axes in order x y z

  bool operator==(const VectorChannel&) const = default;
  bool is_spline(std::size_t axis) const {
    return (flags & (kSplineAxis << axis)) != 0 && (flags & (kStaticAxis << axis)) == 0;
  }
  bool is_static(std::size_t axis) const { return (flags & (kStaticAxis << axis)) != 0; }
  std::size_t spline_axis_count() const {
    return std::size_t{is_spline(0)} + std::size_t{is_spline(1)} + std::size_t{is_spline(2)};
  }
};

struct RotationChannel {
  std::uint8_t flags = 0;  ///< mask byte 2
  QuaternionEncoding encoding = QuaternionEncoding::ThreeComp40;
  SplineShape shape{};             ///< there where `flags & kSplineRotation`
  std::vector<std::byte> codes{};  ///< packed control points, or the one packed static rotation, or nothing

  bool operator==(const RotationChannel&) const = default;
};

struct TransformTrack {
  VectorChannel translation;
  RotationChannel rotation;
  VectorChannel scale;

  bool operator==(const TransformTrack&) const = default;
};

/// A float track: bit 0 of its mask byte says static, bits 1-2 the scalar encoding, bit 4 spline. Files of the games
/// only have static ones (mask 0x03); the spline form follows by analogy with one axis of a vector.
struct FloatTrack {
  std::uint8_t mask = 0x03;
  SplineShape shape{};
  ScalarRange range{};
  std::vector<std::uint16_t> codes{};

  bool operator==(const FloatTrack&) const = default;
  bool is_static() const { return (mask & 0x01) != 0; }
  bool is_spline() const { return (mask & 0x10) != 0 && !is_static(); }
  ScalarEncoding encoding() const { return static_cast<ScalarEncoding>((mask >> 1) & 3); }
};

struct SplineBlock {
  std::vector<TransformTrack> transforms{};
  std::vector<FloatTrack> floats{};

  bool operator==(const SplineBlock&) const = default;
};

struct SplineBlob {
  std::uint32_t frame_count = 0;
  std::uint32_t max_frames_per_block = 256;
  std::vector<SplineBlock> blocks{};  ///< `block_count_for(...)` of them, all with the same number of tracks

  bool operator==(const SplineBlob&) const = default;
  /// Frames from one block's start to the next: they share one.
  std::uint32_t stride() const { return max_frames_per_block - 1; }
};

/// Blocks that a clip needs: one a stride, at least one.
std::uint32_t block_count_for(std::uint32_t frame_count, std::uint32_t max_frames_per_block = 256);
/// Frames of block `block`, the one that it shares with the next included.
std::uint32_t frames_in_block(std::uint32_t frame_count, std::uint32_t max_frames_per_block, std::uint32_t block);
/// Bytes of the masks at the start of a block.
std::uint32_t mask_bytes_for(std::size_t transform_tracks, std::size_t float_tracks);

/// What a file says about its spline data, borrowed; the fields have the meaning of the file's members.
struct SplineBlobView {
  std::int64_t frame_count = 0;
  std::int64_t max_frames_per_block = 0;
  std::int64_t transform_track_count = 0;
  std::int64_t float_track_count = 0;
  std::int64_t mask_bytes = 0;
  std::span<const std::uint32_t> block_offsets{};
  std::span<const std::uint32_t> float_block_offsets{};
  std::span<const std::byte> data{};
  std::uint64_t data_offset = 0;  ///< where `data` lies in the file, for messages
};

/// Reads it. Safe on untrusted input: every count is checked against the bytes left, offsets must rise, and the end of
/// the transform tracks must be where `float_block_offsets` says, if there are float tracks. Curves are valid
/// (`knots_are_valid`), stored floats finite and below 1e30, every encoding in use is one that can be decoded, and no
/// rotation has an unknown one; otherwise the error names block, track and offset.
Result<SplineBlob> read_spline_blob(const SplineBlobView& view, const Limits& limits = {});

/// Returns where the float tracks of each block begin, counted from the start of the block: what `float_block_offsets`
/// must hold. Nothing reads it from a file without float tracks, and some tools leave it 0 in those. Allocates only the
/// result, and fails as `read_spline_blob` does.
Result<std::vector<std::uint32_t>> float_block_offsets_of(const SplineBlobView& view);

/// The bytes of a blob and the tables that go with them.
struct SplineBlobBytes {
  std::uint32_t mask_bytes = 0;
  std::vector<std::uint32_t> block_offsets{};
  std::vector<std::uint32_t> float_block_offsets{};
  std::vector<std::byte> data{};

  bool operator==(const SplineBlobBytes&) const = default;
};

/// Writes it; padding is zero, as the games have it, so that a blob of theirs comes back byte for byte.
/// Fails where counts, flags and codes contradict each other, naming block and track.
Result<SplineBlobBytes> write_spline_blob(const SplineBlob& blob);

/// The value of a channel at a frame of its block, from its codes as they are stored; frames outside take the ends.
/// `identity` is what axes have that are neither spline nor static: 0 for translations, 1 for scales.
std::array<float, 3> evaluate(const VectorChannel& channel, double frame, float identity);
/// Of unit length.
Quaternion evaluate(const RotationChannel& channel, double frame);
float evaluate(const FloatTrack& track, double frame);

}  // namespace marrow::codec
