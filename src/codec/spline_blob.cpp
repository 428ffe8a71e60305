// SPDX-License-Identifier: MIT
#include "marrow/codec/spline_blob.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#include "codec/bspline.h"
#include "codec/spline_parser.h"
#include "core/byte_writer.h"
#include "core/try.h"

namespace marrow::codec {
namespace {

// ---- reading: the views of spline_parser.h, copied ----

SplineShape own(const ShapeView& view) {
  return {static_cast<std::uint8_t>(view.degree), {view.knots.begin(), view.knots.end()}};
}

std::vector<std::uint16_t> own_codes(std::span<const std::byte> bytes, ScalarEncoding encoding) {
  std::vector<std::uint16_t> codes(bytes.size() / code_bytes(encoding));
  if (encoding == ScalarEncoding::Bits8)
    std::ranges::transform(bytes, codes.begin(), [](std::byte b) { return std::to_integer<std::uint16_t>(b); });
  else if (!codes.empty())
    std::memcpy(codes.data(), bytes.data(), codes.size() * 2);
  return codes;
}

VectorChannel own(const VectorView& view) {
  return {view.flags, view.encoding, own(view.shape), view.range, own_codes(view.codes, view.encoding)};
}

RotationChannel own(const RotationView& view) {
  return {view.flags, view.encoding, own(view.shape), {view.codes.begin(), view.codes.end()}};
}

Result<SplineBlock> read_block(const SplineBlobView& view, const SplineCounts& counts, std::uint32_t index) {
  BlockReader reader(view, counts, index);
  SplineBlock block;
  if (reader.ok()) block.transforms.reserve(counts.transforms);
  TransformView transform;
  for (std::uint32_t i = 0; i < counts.transforms && reader.ok(); ++i) {
    reader.next(transform);
    block.transforms.push_back({own(transform.translation), own(transform.rotation), own(transform.scale)});
  }
  FloatView track;
  for (std::uint32_t i = 0; i < counts.floats && reader.ok(); ++i) {
    reader.next(track);
    block.floats.push_back({track.mask, own(track.shape), track.range, own_codes(track.codes, track.encoding)});
  }
  MARROW_CHECK(reader.finish());
  return block;
}

// ---- writing ----

/// True if `read` would accept the curve again and its counts fit the format.
bool fits(const SplineShape& shape, std::uint32_t last_frame) {
  return shape.knots.size() <= 65536 + kMaxDegree + 1 && knots_are_valid(shape.knots, shape.degree, last_frame);
}

void write_shape(ByteWriter& out, const SplineShape& shape) {
  out.u16(static_cast<std::uint16_t>(shape.control_count() - 1));
  out.u8(shape.degree);
  out.bytes(std::as_bytes(std::span(shape.knots)));
}

void write_codes(ByteWriter& out, std::span<const std::uint16_t> codes, ScalarEncoding encoding) {
  for (const std::uint16_t code : codes) {
    if (encoding == ScalarEncoding::Bits8)
      out.u8(static_cast<std::uint8_t>(code));
    else
      out.u16(code);
  }
  out.pad_to(4);
}

void write_range(ByteWriter& out, ScalarRange range) {
  out.f32(range.low);
  out.f32(range.high);
}

bool write_vector(ByteWriter& out, const VectorChannel& channel, std::uint32_t last_frame) {
  const bool has_spline = (channel.flags & kSplineAxes) != 0;
  const std::size_t codes = channel.shape.control_count() * channel.spline_axis_count();
  if (has_spline ? !fits(channel.shape, last_frame) || !is_supported(channel.encoding) : !channel.shape.knots.empty())
    return false;
  if (channel.codes.size() != codes || static_cast<unsigned>(channel.encoding) > 3) return false;
  if (has_spline) {
    write_shape(out, channel.shape);
    out.pad_to(4);
  }
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (channel.is_static(axis))
      out.f32(channel.range[axis].low);
    else if (channel.is_spline(axis))
      write_range(out, channel.range[axis]);
  }
  if (has_spline) write_codes(out, channel.codes, channel.encoding);
  return true;
}

bool write_rotation(ByteWriter& out, const RotationChannel& channel, std::uint32_t last_frame) {
  const bool has_spline = (channel.flags & kSplineRotation) != 0;
  if (packed_bytes(channel.encoding) == 0) return false;
  if (channel.flags == 0) return channel.codes.empty() && channel.shape.knots.empty();
  if (!is_supported(channel.encoding)) return false;
  if (has_spline ? !fits(channel.shape, last_frame) : !channel.shape.knots.empty()) return false;
  const std::size_t count = has_spline ? channel.shape.control_count() : 1;
  if (channel.codes.size() != count * packed_bytes(channel.encoding)) return false;
  if (has_spline) write_shape(out, channel.shape);
  out.pad_to(packed_alignment(channel.encoding));
  out.bytes(channel.codes);
  out.pad_to(4);
  return true;
}

bool write_float(ByteWriter& out, const FloatTrack& track, std::uint32_t last_frame) {
  if ((track.mask & kUnknownFloatBits) != 0) return false;
  if (track.is_static()) {
    out.f32(track.range.low);
  } else if (track.is_spline()) {
    if (!fits(track.shape, last_frame) || !is_supported(track.encoding())) return false;
    write_shape(out, track.shape);
    out.pad_to(4);
    write_range(out, track.range);
    write_codes(out, track.codes, track.encoding());
  }
  return track.codes.size() == (track.is_spline() ? track.shape.control_count() : 0);
}

void write_masks(ByteWriter& out, const SplineBlock& block) {
  for (const TransformTrack& track : block.transforms) {
    out.u8(static_cast<std::uint8_t>(static_cast<unsigned>(track.translation.encoding) |
                                     static_cast<unsigned>(track.rotation.encoding) << 2 |
                                     static_cast<unsigned>(track.scale.encoding) << 6));
    out.u8(track.translation.flags);
    out.u8(track.rotation.flags);
    out.u8(track.scale.flags);
  }
  for (const FloatTrack& track : block.floats) out.u8(track.mask);
  out.pad_to(4);
}

std::vector<float> decode_codes(std::span<const std::uint16_t> codes, std::size_t stride, std::size_t first,
                                ScalarRange range, ScalarEncoding encoding) {
  std::vector<float> values;
  for (std::size_t i = first; i < codes.size(); i += stride) values.push_back(decode_scalar(range, encoding, codes[i]));
  return values;
}

}  // namespace

Result<SplineBlob> read_spline_blob(const SplineBlobView& view, const Limits& limits) {
  MARROW_TRY(const SplineCounts counts, check_counts(view));
  // An identity track takes 4 bytes in a file and a hundred times as much here.
  const std::uint64_t tracks =
      std::uint64_t{counts.transforms} * sizeof(TransformTrack) + std::uint64_t{counts.floats} * sizeof(FloatTrack);
  if (tracks > limits.max_expanded_bytes / counts.blocks)
    return fail(ErrorCode::LimitExceeded, "the tracks would take more memory than allowed", view.data_offset);
  SplineBlob blob{counts.frames, counts.max_frames_per_block, {}};
  for (std::uint32_t i = 0; i < counts.blocks; ++i) {
    MARROW_TRY(SplineBlock block, read_block(view, counts, i));
    blob.blocks.push_back(std::move(block));
  }
  return blob;
}

Result<SplineBlobBytes> write_spline_blob(const SplineBlob& blob) {
  if (blob.frame_count < 1 || blob.max_frames_per_block < 2 || blob.max_frames_per_block > 256 ||
      blob.blocks.size() != block_count_for(blob.frame_count, blob.max_frames_per_block))
    return fail(ErrorCode::InvalidArgument, "the number of blocks does not match the number of frames");
  SplineBlobBytes result;
  result.mask_bytes = mask_bytes_for(blob.blocks[0].transforms.size(), blob.blocks[0].floats.size());
  ByteWriter out;
  for (std::uint32_t b = 0; b < blob.blocks.size(); ++b) {
    const SplineBlock& block = blob.blocks[b];
    const std::uint32_t last_frame = frames_in_block(blob.frame_count, blob.max_frames_per_block, b) - 1;
    const auto contradiction = [&](const char* kind, std::size_t track) {
      return fail(ErrorCode::InvalidArgument, "flags, knots and codes do not match each other", kNoOffset,
                  "blocks[" + std::to_string(b) + "]." + kind + "[" + std::to_string(track) + "]");
    };
    if (block.transforms.size() != blob.blocks[0].transforms.size() ||
        block.floats.size() != blob.blocks[0].floats.size())
      return fail(ErrorCode::InvalidArgument, "blocks have different numbers of tracks");
    const std::size_t start = out.size();
    if (start > std::numeric_limits<std::uint32_t>::max() / 2)
      return fail(ErrorCode::Unrepresentable, "the clip is too long for 32-bit offsets");
    result.block_offsets.push_back(static_cast<std::uint32_t>(start));
    std::size_t counted = start;
    const auto count_into = [&](std::size_t& bytes) {
      bytes += out.size() - counted;
      counted = out.size();
      return true;
    };
    write_masks(out, block);
    count_into(result.channels.masks);
    for (std::size_t i = 0; i < block.transforms.size(); ++i) {
      const TransformTrack& track = block.transforms[i];
      const bool is_written = write_vector(out, track.translation, last_frame) &&
                              count_into(result.channels.translation) &&
                              write_rotation(out, track.rotation, last_frame) && count_into(result.channels.rotation) &&
                              write_vector(out, track.scale, last_frame) && count_into(result.channels.scale);
      if (!is_written) return contradiction("tracks", i);
    }
    result.float_block_offsets.push_back(static_cast<std::uint32_t>(out.size() - start));
    for (std::size_t i = 0; i < block.floats.size(); ++i)
      if (!write_float(out, block.floats[i], last_frame)) return contradiction("floats", i);
    count_into(result.channels.floats);
    out.pad_to(16);
    count_into(result.channels.padding);
  }
  result.data = out.take();
  return result;
}

Result<std::vector<std::uint32_t>> float_block_offsets_of(const SplineBlobView& view) {
  MARROW_TRY(const SplineCounts counts, check_counts(view));
  std::vector<std::uint32_t> offsets;
  TransformView track;
  for (std::uint32_t b = 0; b < counts.blocks; ++b) {
    BlockReader reader(view, counts, b);
    for (std::uint32_t i = 0; i < counts.transforms && reader.ok(); ++i) reader.next(track);
    offsets.push_back(static_cast<std::uint32_t>(reader.position()));
    MARROW_CHECK(reader.finish());
  }
  return offsets;
}

Result<SplineSummary> summarize(const SplineBlobView& view) {
  MARROW_TRY(const SplineCounts counts, check_counts(view));
  SplineSummary summary;
  const auto add = [](std::uint8_t& set, auto member) {
    set |= static_cast<std::uint8_t>(1u << static_cast<unsigned>(member));
  };
  std::uint32_t last_frame = 0;
  const auto add_curve = [&](const ShapeView& shape) {
    if (shape.knots.empty()) return;
    add(summary.degrees, shape.degree);
    summary.frames_short = std::max(summary.frames_short, frames_short(shape.knots, shape.degree, last_frame));
  };
  TransformView track;
  FloatView number;
  for (std::uint32_t b = 0; b < counts.blocks; ++b) {
    BlockReader reader(view, counts, b);
    last_frame = frames_in_block(counts.frames, counts.max_frames_per_block, b) - 1;
    for (std::uint32_t i = 0; i < counts.transforms && reader.ok(); ++i) {
      reader.next(track);
      for (const ShapeView& shape : {track.translation.shape, track.rotation.shape, track.scale.shape})
        add_curve(shape);
      if (track.translation.spline_axes > 0) add(summary.translation_encodings, track.translation.encoding);
      if (track.scale.spline_axes > 0) add(summary.scale_encodings, track.scale.encoding);
      if (track.rotation.flags != 0) add(summary.rotation_encodings, track.rotation.encoding);
    }
    for (std::uint32_t i = 0; i < counts.floats && reader.ok(); ++i) {
      reader.next(number);
      add_curve(number.shape);
    }
    MARROW_CHECK(reader.finish());
    const ChannelBytes& block = reader.channels();
    summary.channels.masks += block.masks;
    summary.channels.translation += block.translation;
    summary.channels.rotation += block.rotation;
    summary.channels.scale += block.scale;
    summary.channels.floats += block.floats;
  }
  summary.channels.padding = view.data.size() - summary.channels.without_padding();
  return summary;
}

std::array<float, 3> evaluate(const VectorChannel& channel, double frame, float identity) {
  std::array<float, 3> value{};
  for (std::size_t axis = 0, spline_axis = 0; axis < 3; ++axis) {
    value[axis] = channel.is_static(axis) ? channel.range[axis].low : identity;
    if (!channel.is_spline(axis)) continue;
    const std::vector<float> controls =
        decode_codes(channel.codes, channel.spline_axis_count(), spline_axis++, channel.range[axis], channel.encoding);
    evaluate_spline(channel.shape.knots, channel.shape.degree, controls, frame, {&value[axis], 1});
  }
  return value;
}

Quaternion evaluate(const RotationChannel& channel, double frame) {
  if (channel.codes.empty()) return {0, 0, 0, 1};
  const std::size_t size = packed_bytes(channel.encoding);
  std::vector<float> controls;
  for (std::size_t at = 0; at < channel.codes.size(); at += size) {
    const Quaternion q = decode_quaternion(channel.encoding, std::span(channel.codes).subspan(at, size));
    controls.insert(controls.end(), q.begin(), q.end());
  }
  Quaternion value{controls[0], controls[1], controls[2], controls[3]};
  if (!channel.shape.knots.empty()) evaluate_spline(channel.shape.knots, channel.shape.degree, controls, frame, value);
  double squared = 0.0;
  for (const float v : value) squared += static_cast<double>(v) * v;
  if (!(squared > 0.0)) return {0, 0, 0, 1};
  for (float& v : value) v = static_cast<float>(v / std::sqrt(squared));
  return value;
}

float evaluate(const FloatTrack& track, double frame) {
  if (!track.is_spline()) return track.is_static() ? track.range.low : 0.0f;
  const std::vector<float> controls = decode_codes(track.codes, 1, 0, track.range, track.encoding());
  float value = 0.0f;
  evaluate_spline(track.shape.knots, track.shape.degree, controls, frame, {&value, 1});
  return value;
}

}  // namespace marrow::codec
