// SPDX-License-Identifier: MIT
#include "support/random_blob.h"

#include <algorithm>
#include <cmath>

namespace marrow::test {
namespace {

using namespace codec;

class Maker {
 public:
  Maker(std::uint32_t seed, const RandomBlobOptions& options) : random_(seed), options_(options) {}

  SplineBlob make() {
    SplineBlob blob{options_.frames, options_.max_frames_per_block, {}};
    const std::uint32_t blocks = block_count_for(options_.frames, options_.max_frames_per_block);
    for (std::uint32_t b = 0; b < blocks; ++b) {
      last_frame_ = frames_in_block(options_.frames, options_.max_frames_per_block, b) - 1;
      SplineBlock block;
      for (std::size_t i = 0; i < options_.tracks; ++i)
        block.transforms.push_back({vector(10.0f), rotation(), vector(1.0f)});
      for (std::size_t i = 0; i < options_.floats; ++i) block.floats.push_back(number());
      blob.blocks.push_back(std::move(block));
    }
    return blob;
  }

 private:
  std::uint32_t below(std::uint32_t end) { return std::uniform_int_distribution<std::uint32_t>(0, end - 1)(random_); }
  float real(float low, float high) { return std::uniform_real_distribution<float>(low, high)(random_); }

  SplineShape shape() {
    SplineShape result;
    result.degree = static_cast<std::uint8_t>(options_.every_encoding ? below(4) : below(2) * 2 + 1);
    const std::size_t end = result.degree + std::size_t{1};
    std::vector<std::uint8_t> interior;
    if (last_frame_ > 1)
      for (std::uint32_t i = below(8); i > 0; --i) {
        const auto knot = static_cast<std::uint8_t>(1 + below(last_frame_ - 1));
        if (!options_.jumps && std::ranges::find(interior, knot) != interior.end()) continue;
        interior.insert(interior.end(), 1 + below(std::max<std::uint32_t>(1, result.degree)), knot);
      }
    std::ranges::sort(interior);
    result.knots.assign(end, 0);
    result.knots.insert(result.knots.end(), interior.begin(), interior.end());
    result.knots.insert(result.knots.end(), end, static_cast<std::uint8_t>(last_frame_));
    return result;
  }

  VectorChannel vector(float size) {
    VectorChannel channel;
    channel.encoding = options_.every_encoding && below(2) ? ScalarEncoding::Bits8 : ScalarEncoding::Bits16;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::uint32_t kind = below(3);
      if (kind == 0) continue;
      channel.range[axis].low = channel.range[axis].high = real(-size, size);
      if (kind == 2) channel.range[axis].high += real(0, size);
      channel.flags = static_cast<std::uint8_t>(channel.flags | (kind == 1 ? kStaticAxis : kSplineAxis) << axis);
    }
    if ((channel.flags & kSplineAxes) == 0) return channel;
    channel.shape = shape();
    for (std::size_t i = channel.shape.control_count() * channel.spline_axis_count(); i > 0; --i)
      channel.codes.push_back(static_cast<std::uint16_t>(below(code_limit(channel.encoding) + 1u)));
    return channel;
  }

  RotationChannel rotation() {
    constexpr QuaternionEncoding kAll[] = {QuaternionEncoding::ThreeComp40, QuaternionEncoding::ThreeComp48,
                                           QuaternionEncoding::Polar32, QuaternionEncoding::Uncompressed};
    RotationChannel channel;
    channel.encoding = options_.rotations;
    if (options_.every_encoding) channel.encoding = kAll[below(4)];
    const std::uint32_t kind = below(4);
    if (kind == 0) return channel;
    channel.flags = kind == 1 ? 0x0F : 0xF0;
    if (kind > 1) channel.shape = shape();
    const std::size_t count = kind == 1 ? 1 : channel.shape.control_count();
    const std::size_t size = packed_bytes(channel.encoding);
    Quaternion q{real(-1, 1), real(-1, 1), real(-1, 1), real(1, 2)};
    for (std::size_t i = 0; i < count; ++i) {
      for (float& lane : q) lane += real(-0.2f, 0.2f);
      channel.codes.resize((i + 1) * size);
      encode_quaternion(channel.encoding, q, std::span(channel.codes).last(size));
    }
    return channel;
  }

  FloatTrack number() {
    FloatTrack track;
    track.range.low = track.range.high = real(0, 1);
    if (!options_.every_encoding && !options_.moving_floats) return track;
    if (below(2)) return track;
    track.mask = static_cast<std::uint8_t>(0x10 | below(2) << 1);
    track.range.high += real(0, 1);
    track.shape = shape();
    for (std::size_t i = track.shape.control_count(); i > 0; --i)
      track.codes.push_back(static_cast<std::uint16_t>(below(code_limit(track.encoding()) + 1u)));
    return track;
  }

  std::mt19937 random_;
  RandomBlobOptions options_;
  std::uint32_t last_frame_ = 0;
};

}  // namespace

SplineBlob random_blob(std::uint32_t seed, const RandomBlobOptions& options) { return Maker(seed, options).make(); }

SplineBlobView view_of(const SplineBlob& blob, const SplineBlobBytes& bytes) {
  return {.frame_count = blob.frame_count,
          .max_frames_per_block = blob.max_frames_per_block,
          .transform_track_count = static_cast<std::int64_t>(blob.blocks[0].transforms.size()),
          .float_track_count = static_cast<std::int64_t>(blob.blocks[0].floats.size()),
          .mask_bytes = bytes.mask_bytes,
          .block_offsets = bytes.block_offsets,
          .float_block_offsets = bytes.float_block_offsets,
          .data = bytes.data,
          .data_offset = 1000};
}

}  // namespace marrow::test
