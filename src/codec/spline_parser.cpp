// SPDX-License-Identifier: MIT
#include "codec/spline_parser.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "codec/bspline.h"
#include "core/try.h"

namespace marrow::codec {
namespace {

/// Beyond this the arithmetic of curves, and the squares of rotations, would overflow, even if a curve of degree 3 is
/// continued for `kMostFramesShort` frames (weights up to about 1e6). NaN is beyond everything.
constexpr float kMostNumber = 1e30f;
constexpr float kMostComponent = 1e12f;

std::span<const std::byte> block_bytes(const SplineBlobView& view, std::uint32_t block) {
  const std::size_t start = view.block_offsets[block];
  const std::size_t end = block + 1 < view.block_offsets.size() ? view.block_offsets[block + 1] : view.data.size();
  return view.data.subspan(start, end - start);
}

}  // namespace

std::uint32_t block_count_for(std::uint32_t frame_count, std::uint32_t max_frames_per_block) {
  const std::uint32_t stride = max_frames_per_block - 1;
  return frame_count < 2 ? 1 : (frame_count - 2) / stride + 1;
}

std::uint32_t frames_in_block(std::uint32_t frame_count, std::uint32_t max_frames_per_block, std::uint32_t block) {
  return std::min(max_frames_per_block, frame_count - block * (max_frames_per_block - 1));
}

std::uint32_t mask_bytes_for(std::size_t transform_tracks, std::size_t float_tracks) {
  return static_cast<std::uint32_t>((4 * transform_tracks + float_tracks + 3) / 4 * 4);
}

Result<SplineCounts> check_counts(const SplineBlobView& view) {
  const auto malformed = [&](std::string message) {
    return fail(ErrorCode::Malformed, std::move(message), view.data_offset);
  };
  // Every track has at least one mask byte in every block, and every block has its offset. So counts that exceed the
  // data are refused here, and accepted counts fit 32 bits.
  const auto bytes = static_cast<std::int64_t>(view.data.size());
  if (view.max_frames_per_block < 2 || view.max_frames_per_block > 256)
    return malformed("maxFramesPerBlock is " + std::to_string(view.max_frames_per_block) + ", not 2 to 256");
  if (view.frame_count < 1 || view.frame_count > (std::int64_t{1} << 31))
    return malformed("numFrames is " + std::to_string(view.frame_count));
  if (view.transform_track_count < 0 || view.float_track_count < 0 || view.transform_track_count > bytes / 4 ||
      view.float_track_count > bytes)
    return malformed("more tracks than the data has masks for: " + std::to_string(view.transform_track_count) +
                     " transform and " + std::to_string(view.float_track_count) + " float tracks in " +
                     std::to_string(bytes) + " bytes");
  SplineCounts counts{.frames = static_cast<std::uint32_t>(view.frame_count),
                      .max_frames_per_block = static_cast<std::uint32_t>(view.max_frames_per_block),
                      .transforms = static_cast<std::uint32_t>(view.transform_track_count),
                      .floats = static_cast<std::uint32_t>(view.float_track_count)};
  counts.blocks = block_count_for(counts.frames, counts.max_frames_per_block);
  // Without float tracks nothing reads the offsets of their data: they may be missing or wrong.
  if (view.block_offsets.size() != counts.blocks ||
      (counts.floats > 0 && view.float_block_offsets.size() != counts.blocks))
    return malformed(std::to_string(view.frame_count) + " frames need " + std::to_string(counts.blocks) +
                     " blocks, but there are " + std::to_string(view.block_offsets.size()) + " blockOffsets and " +
                     std::to_string(view.float_block_offsets.size()) + " floatBlockOffsets");
  if (view.mask_bytes != mask_bytes_for(counts.transforms, counts.floats))
    return malformed("maskAndQuantizationSize is " + std::to_string(view.mask_bytes) + ", but the tracks need " +
                     std::to_string(mask_bytes_for(counts.transforms, counts.floats)));
  for (std::size_t i = 0; i < counts.blocks; ++i)
    if (view.block_offsets[i] > view.data.size() || view.block_offsets[i] % 4 != 0 ||
        (i > 0 && view.block_offsets[i] < view.block_offsets[i - 1] + (view.mask_bytes > 0 ? 1 : 0)))
      return malformed("blockOffsets[" + std::to_string(i) + "] is " + std::to_string(view.block_offsets[i]) +
                       ": offsets must increase by multiples of 4 inside the data");
  return counts;
}

BlockReader::BlockReader(const SplineBlobView& view, const SplineCounts& counts, std::uint32_t block)
    : reader_(block_bytes(view, block), view.data_offset + view.block_offsets[block]),
      transform_count_(counts.transforms),
      float_count_(counts.floats),
      block_(block),
      last_frame_(frames_in_block(counts.frames, counts.max_frames_per_block, block) - 1),
      float_offset_(counts.floats > 0 ? view.float_block_offsets[block] : 0) {
  channel_ = "masks";
  masks_ = reader_.bytes(mask_bytes_for(counts.transforms, counts.floats));
  count_into(channels_.masks);
  check_float_offset();
}

// Adds the bytes since the last call.
void BlockReader::count_into(std::size_t& channel) { channel += reader_.position() - channels_.without_padding(); }

// The float tracks must start at the offset in the file. This proves, at no cost, that every channel before them was
// read with the right length.
void BlockReader::check_float_offset() {
  if (next_transform_ != transform_count_ || float_count_ == 0 || reader_.position() == float_offset_) return;
  fail(ErrorCode::Malformed, "the transform tracks end " + std::to_string(reader_.position()) +
                                 " bytes into the block, but floatBlockOffsets says " + std::to_string(float_offset_));
}

void BlockReader::next(TransformView& track) {
  track = {};
  if (!ok()) return;
  const std::size_t mask = std::size_t{next_transform_} * 4;
  const auto byte = [&](std::size_t i) { return std::to_integer<std::uint8_t>(masks_[mask + i]); };
  track.translation = {.flags = byte(1), .encoding = static_cast<ScalarEncoding>(byte(0) & 3)};
  track.rotation = {.flags = byte(2), .encoding = static_cast<QuaternionEncoding>((byte(0) >> 2) & 15)};
  track.scale = {.flags = byte(3), .encoding = static_cast<ScalarEncoding>(byte(0) >> 6)};
  read_vector(track.translation, "translation");
  count_into(channels_.translation);
  read_rotation(track.rotation);
  count_into(channels_.rotation);
  read_vector(track.scale, "scale");
  count_into(channels_.scale);
  if (!ok()) return;
  ++next_transform_;
  check_float_offset();
}

void BlockReader::next(FloatView& track) {
  track = {};
  if (!ok()) return;
  channel_ = "";
  const FloatTrack flags{.mask =
                             std::to_integer<std::uint8_t>(masks_[std::size_t{transform_count_} * 4 + next_float_])};
  track.mask = flags.mask;
  track.encoding = flags.encoding();
  if ((flags.mask & kUnknownFloatBits) != 0)
    fail(ErrorCode::Unsupported, "a float track with mask " + std::to_string(flags.mask));
  if (flags.is_static()) {
    track.range.low = track.range.high = read_finite();
  } else if (flags.is_spline()) {
    if (!is_supported(track.encoding)) fail(ErrorCode::Unsupported, "an unknown scalar encoding");
    read_shape(track.shape);
    reader_.align(4);
    track.range = read_range();
    track.codes = reader_.bytes(track.shape.control_count() * code_bytes(track.encoding));
    reader_.align(4);
  }
  count_into(channels_.floats);
  if (ok()) ++next_float_;
}

void BlockReader::read_vector(VectorView& channel, const char* name) {
  if (!ok()) return;
  channel_ = name;
  const bool has_spline = (channel.flags & kSplineAxes) != 0;
  if (has_spline) {
    if (!is_supported(channel.encoding)) fail(ErrorCode::Unsupported, "an unknown scalar encoding");
    read_shape(channel.shape);
    reader_.align(4);
  }
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if ((channel.flags & (kStaticAxis << axis)) != 0) {
      channel.range[axis].low = channel.range[axis].high = read_finite();
    } else if ((channel.flags & (kSplineAxis << axis)) != 0) {
      channel.range[axis] = read_range();
      channel.spline[axis] = true;
      ++channel.spline_axes;
    }
  }
  if (!has_spline) return;
  channel.codes = reader_.bytes(channel.shape.control_count() * channel.spline_axes * code_bytes(channel.encoding));
  reader_.align(4);
}

void BlockReader::read_rotation(RotationView& channel) {
  if (!ok()) return;
  channel_ = "rotation";
  // An unknown encoding is refused even on a channel that stores nothing: encoding the clip again needs its sizes.
  if (channel.flags == 0 && packed_bytes(channel.encoding) > 0) return;
  if (!is_supported(channel.encoding)) {
    fail(ErrorCode::Unsupported, "rotations packed as " + std::string(to_string(channel.encoding)) + " (" +
                                     std::to_string(static_cast<int>(channel.encoding)) +
                                     ") cannot be decoded; export the clip with 40-bit rotations");
    return;
  }
  std::size_t count = 1;
  if ((channel.flags & kSplineRotation) != 0) {
    read_shape(channel.shape);
    count = channel.shape.control_count();
  }
  reader_.align(packed_alignment(channel.encoding));
  channel.codes = reader_.bytes(count * packed_bytes(channel.encoding));
  if (channel.encoding == QuaternionEncoding::Uncompressed)
    for (std::size_t at = 0; at + 4 <= channel.codes.size(); at += 4)
      if (!(std::abs(load<float>(channel.codes, at)) <= kMostComponent))
        fail(ErrorCode::Malformed, "a number is not finite or too large for a rotation");
  reader_.align(4);
}

void BlockReader::read_shape(ShapeView& shape) {
  const std::size_t controls = std::size_t{reader_.u16()} + 1;
  shape.degree = reader_.u8();
  if (shape.degree > kMaxDegree) {
    fail(ErrorCode::Unsupported,
         "a spline of degree " + std::to_string(shape.degree) + "; the highest supported degree is 3");
    shape = {};
    return;
  }
  const std::span<const std::byte> knots = reader_.bytes(controls + shape.degree + 1);
  shape.knots = {reinterpret_cast<const std::uint8_t*>(knots.data()), knots.size()};
  if (ok() && !knots_are_valid(shape.knots, shape.degree, last_frame_))
    fail(ErrorCode::Malformed,
         "knots must not decrease, must start with degree + 1 zeros and end near the block's last frame, " +
             std::to_string(last_frame_));
  if (!ok()) shape = {};
}

ScalarRange BlockReader::read_range() {
  const float low = read_finite();
  return {low, read_finite()};
}

float BlockReader::read_finite() {
  const float value = reader_.f32();
  if (std::abs(value) <= kMostNumber) return value;
  fail(ErrorCode::Malformed, "a number is not finite or too large for a length");
  return 0.0f;
}

Result<void> BlockReader::finish() {
  auto status = reader_.status();
  if (status) return {};
  std::string path = "blocks[" + std::to_string(block_) + "]";
  if (next_transform_ < transform_count_)
    path += ".tracks[" + std::to_string(next_transform_) + "]." + channel_;
  else if (float_count_ > 0)
    path += ".floats[" + std::to_string(next_float_) + "]";
  status.error().path = std::move(path);
  return status;
}

}  // namespace marrow::codec
