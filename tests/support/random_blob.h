// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <random>

#include "marrow/codec/spline_blob.h"

namespace marrow::test {

struct RandomBlobOptions {
  std::uint32_t frames = 40;
  std::uint32_t max_frames_per_block = 256;
  std::size_t tracks = 12;
  std::size_t floats = 2;
  bool every_encoding = true;  ///< else only what the games use: 40 and 16 bits, degrees 1 and 3
  bool jumps = true;           ///< curves may have as many knots at a frame as tear them
  codec::QuaternionEncoding rotations = codec::QuaternionEncoding::ThreeComp40;  ///< without `every_encoding`
  bool moving_floats = false;  ///< without `every_encoding`: float tracks move
};

/// A valid blob of every kind of channel, with repeated knots, the same for the same seed.
codec::SplineBlob random_blob(std::uint32_t seed, const RandomBlobOptions& options = {});

/// A view of written bytes.
codec::SplineBlobView view_of(const codec::SplineBlob& blob, const codec::SplineBlobBytes& bytes);

}  // namespace marrow::test
