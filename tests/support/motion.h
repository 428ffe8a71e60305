// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "codec/spline_encoder.h"

namespace marrow::test {

/// How the tracks of a made-up clip move.
enum class MotionKind : std::uint8_t { Constant, Smooth, Noisy, Step };

/// A made-up clip, the same for the same seed on every machine.
struct Motion {
  std::uint32_t frame_count = 0;
  std::size_t track_count = 0, float_count = 0;
  std::vector<float> transforms, floats;

  codec::MotionFrames view() const { return {frame_count, track_count, float_count, transforms, floats}; }
};
Motion make_motion(MotionKind kind, std::uint32_t frames, std::size_t tracks, std::size_t floats, std::uint32_t seed);

/// The worst difference between raw frames and what a blob decodes to, at every quarter of a frame of every block, by
/// the decoder and not by the encoder's own arithmetic.
codec::EncodeErrors decoded_difference(const codec::SplineBlob& blob, const Motion& motion);
/// The same between two blobs of the same blocks.
codec::EncodeErrors decoded_difference(const codec::SplineBlob& blob, const codec::SplineBlob& source);

}  // namespace marrow::test
