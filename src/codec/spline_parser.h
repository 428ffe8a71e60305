// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "marrow/codec/spline_blob.h"
#include "marrow/core/byte_reader.h"

// Reads spline data in place, without a copy. `read_spline_blob` copies the result; the sampler compiles it.

namespace marrow::codec {

struct ShapeView {
  std::size_t degree = 0;
  std::span<const std::uint8_t> knots{};

  std::size_t control_count() const { return knots.empty() ? 0 : knots.size() - degree - 1; }
};

struct VectorView {
  std::uint8_t flags = 0;
  ScalarEncoding encoding = ScalarEncoding::Bits16;
  ShapeView shape{};
  std::array<ScalarRange, 3> range{};
  std::array<bool, 3> spline{};
  std::size_t spline_axes = 0;
  std::span<const std::byte> codes{};
};

struct RotationView {
  std::uint8_t flags = 0;
  QuaternionEncoding encoding = QuaternionEncoding::ThreeComp40;
  ShapeView shape{};
  std::span<const std::byte> codes{};
};

struct TransformView {
  VectorView translation;
  RotationView rotation;
  VectorView scale;
};

/// Bits of a float mask that occur in no file and are not documented.
inline constexpr std::uint8_t kUnknownFloatBits = 0xE8;

struct FloatView {
  std::uint8_t mask = 0;
  ScalarEncoding encoding = ScalarEncoding::Bits16;
  ShapeView shape{};
  ScalarRange range{};
  std::span<const std::byte> codes{};
};

/// The counts of a view, checked against each other and against its bytes.
struct SplineCounts {
  std::uint32_t frames = 0;
  std::uint32_t max_frames_per_block = 0;
  std::uint32_t transforms = 0;
  std::uint32_t floats = 0;
  std::uint32_t blocks = 0;
};
Result<SplineCounts> check_counts(const SplineBlobView& view);

/// Reads the tracks of one block in order: every transform track, then every float track, then `finish`. After the
/// first failure the views are empty and `finish` returns the error.
class BlockReader {
 public:
  BlockReader(const SplineBlobView& view, const SplineCounts& counts, std::uint32_t block);

  void next(TransformView& track);
  void next(FloatView& track);
  bool ok() const { return reader_.ok(); }
  /// Bytes of the block read so far.
  std::size_t position() const { return reader_.position(); }
  /// Where they went.
  const ChannelBytes& channels() const { return channels_; }
  Result<void> finish();

 private:
  void read_vector(VectorView& channel, const char* name);
  void read_rotation(RotationView& channel);
  void read_shape(ShapeView& shape);
  ScalarRange read_range();
  float read_finite();
  void fail(ErrorCode code, std::string message) { reader_.set_error(code, std::move(message)); }
  void check_float_offset();
  void count_into(std::size_t& channel);

  ByteReader reader_;
  std::span<const std::byte> masks_;
  std::uint32_t transform_count_;
  std::uint32_t float_count_;
  std::uint32_t block_;
  std::uint32_t last_frame_;
  std::uint32_t float_offset_;
  std::uint32_t next_transform_ = 0;
  std::uint32_t next_float_ = 0;
  const char* channel_ = "";
  ChannelBytes channels_;
};

}  // namespace marrow::codec
