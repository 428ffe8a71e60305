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

/// A parsed spline-compressed clip (docs/formats/spline-animation.md), with every code as stored: blocks of at most 256
/// frames, where neighbours share one frame; a block has tracks; a track has channels.

/// Which components of a vector channel move (`kSplineAxis << axis`) and which have a constant stored value
/// (`kStaticAxis << axis`). An axis with neither is identity. An axis with both counts as static.
inline constexpr std::uint8_t kStaticAxis = 0x01;
inline constexpr std::uint8_t kSplineAxis = 0x10;
inline constexpr std::uint8_t kSplineAxes = 0x70;
/// A rotation channel is a spline if any of the high bits is set, else static if any of the low bits is set. Each bit
/// stands for a component, x first, that differs from identity; decoding only needs to know if any bit is set.
inline constexpr std::uint8_t kStaticRotation = 0x0F;
inline constexpr std::uint8_t kSplineRotation = 0xF0;

/// The curve of a channel; empty if the channel does not move.
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
  SplineShape shape{};                 ///< present if `flags & kSplineAxes`
  std::array<ScalarRange, 3> range{};  ///< of spline axes; a static axis has its value at both ends; identity is 0
  std::vector<std::uint16_t> codes{};  ///< control points one after another; each has its spline axes in order x y z

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
  SplineShape shape{};             ///< present if `flags & kSplineRotation`
  std::vector<std::byte> codes{};  ///< packed control points, or one packed static rotation, or nothing

  bool operator==(const RotationChannel&) const = default;
};

struct TransformTrack {
  VectorChannel translation;
  RotationChannel rotation;
  VectorChannel scale;

  bool operator==(const TransformTrack&) const = default;
};

/// A float track. In its mask byte, bit 0 means static, bits 1-2 are the scalar encoding, bit 4 means spline. Files of
/// the games only have static ones (mask 0x03); the spline form is by analogy with one axis of a vector.
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
  /// Returns the number of frames from the start of one block to the next; neighbours share one frame.
  std::uint32_t stride() const { return max_frames_per_block - 1; }
};

/// Returns the number of blocks that a clip needs: one per stride, at least one.
std::uint32_t block_count_for(std::uint32_t frame_count, std::uint32_t max_frames_per_block = 256);
/// Returns the number of frames in block `block`, including the one that it shares with the next.
std::uint32_t frames_in_block(std::uint32_t frame_count, std::uint32_t max_frames_per_block, std::uint32_t block);
/// Returns the size in bytes of the masks at the start of a block.
std::uint32_t mask_bytes_for(std::size_t transform_tracks, std::size_t float_tracks);

/// A borrowed view of the spline data in a file. The fields correspond to the members in the file.
struct SplineBlobView {
  std::int64_t frame_count = 0;
  std::int64_t max_frames_per_block = 0;
  std::int64_t transform_track_count = 0;
  std::int64_t float_track_count = 0;
  std::int64_t mask_bytes = 0;
  std::span<const std::uint32_t> block_offsets{};
  std::span<const std::uint32_t> float_block_offsets{};
  std::span<const std::byte> data{};
  std::uint64_t data_offset = 0;  ///< offset of `data` in the file, for messages
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

/// Where the bytes of a blob go. Alignment inside a channel belongs to the channel.
struct ChannelBytes {
  std::size_t masks = 0, translation = 0, rotation = 0, scale = 0, floats = 0;
  std::size_t padding = 0;  ///< at the ends of blocks

  std::size_t without_padding() const { return masks + translation + rotation + scale + floats; }
  bool operator==(const ChannelBytes&) const = default;
};

/// What spline data consist of. Sets of small numbers are bits: bit 3 of `degrees` says that a curve of degree 3
/// occurs.
struct SplineSummary {
  ChannelBytes channels{};
  std::uint8_t degrees = 0;
  std::uint8_t translation_encodings = 0;  ///< of axes that are curves, by `ScalarEncoding`
  std::uint8_t scale_encodings = 0;
  std::uint8_t rotation_encodings = 0;  ///< of rotations that are stored, by `QuaternionEncoding`
  std::uint32_t frames_short = 0;       ///< the most frames that a curve ends before its block; 0 in sound files
};

/// Returns a summary without making tracks of the data. Fails as `read_spline_blob` does.
Result<SplineSummary> summarize(const SplineBlobView& view);

/// The bytes of a blob and the tables that go with them.
struct SplineBlobBytes {
  std::uint32_t mask_bytes = 0;
  std::vector<std::uint32_t> block_offsets{};
  std::vector<std::uint32_t> float_block_offsets{};
  std::vector<std::byte> data{};
  ChannelBytes channels{};  ///< the sum of its parts is the size of `data`

  bool operator==(const SplineBlobBytes&) const = default;
};

/// Writes a blob. Padding is zero, as in the games' files, so their blobs are reproduced byte for byte. Fails if
/// counts, flags and codes contradict each other; the error names block and track.
Result<SplineBlobBytes> write_spline_blob(const SplineBlob& blob);

/// Returns the value of a channel at a frame of its block, from its stored codes, as `evaluate_spline` does.
/// `identity` is the value of axes that are neither spline nor static: 0 for translations, 1 for scales.
std::array<float, 3> evaluate(const VectorChannel& channel, double frame, float identity);
/// Returns a rotation of unit length.
Quaternion evaluate(const RotationChannel& channel, double frame);
float evaluate(const FloatTrack& track, double frame);

}  // namespace marrow::codec
