// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "marrow/codec/spline_blob.h"
#include "marrow/core/error.h"

namespace marrow::codec {

/// How far the decoded motion may be from the source, at every quarter of a frame.
struct Tolerance {
  double rotation_degrees = 0.05;
  double translation = 0.01;  ///< units of the clip, distance over the three axes together
  double scale = 0.0005;      ///< likewise
  double value = 0.0005;      ///< of float tracks

  bool operator==(const Tolerance&) const = default;
};

/// Time against size; every effort honours the tolerance.
enum class Effort : std::uint8_t {
  Fast,    ///< polylines of the fewest points
  Normal,  ///< and cubics with knots chosen by error
  Best,    ///< and knots merged and moved until nothing helps
};

/// What of the format may be used.
enum class EncodingSet : std::uint8_t {
  Seen,  ///< what the games' own files have: 40-bit rotations, 16-bit scalars, degrees 1 and 3
  All,   ///< and 48-bit rotations, 8-bit scalars, degree 2
};

struct EncodeOptions {
  Effort effort = Effort::Normal;
  EncodingSet encodings = EncodingSet::Seen;
};

/// The worst errors that the stored codes decode to, over the quarter frames of the source.
struct EncodeErrors {
  double rotation_degrees = 0;
  double translation = 0;
  double scale = 0;
  double value = 0;
  /// Channels for which the allowed encodings are too coarse: they are as near as these reach, and past the tolerance.
  /// Only raw frames can have such; a stored channel can always be kept.
  std::size_t channels_past_tolerance = 0;

  void include(const EncodeErrors& other);
};

/// Raw motion, borrowed: `frame_count` frames of `track_count` transforms of ten floats (translation x y z, rotation
/// x y z w, scale x y z), and of `float_count` values. Between frames it is taken as linear, rotations normalised.
struct MotionFrames {
  std::uint32_t frame_count = 0;
  std::size_t track_count = 0;
  std::size_t float_count = 0;
  std::span<const float> transforms;
  std::span<const float> floats;
};

/// Encodes a clip track by track, so that tracks can be encoded again at another tolerance. Blocks are independent;
/// each follows the source from its first frame to its last, so that seams stay as close as everything else.
class SplineEncoder {
 public:
  /// Raw frames. Fails where counts and spans disagree, a value is not finite or there is no frame.
  static Result<SplineEncoder> from_frames(const MotionFrames& frames, const EncodeOptions& options = {});
  /// Stored splines: the curves themselves are the source, and a channel is kept as it is where nothing smaller follows
  /// it. The blob is one that `read_spline_blob` gave.
  static SplineEncoder from_blob(SplineBlob blob, const EncodeOptions& options = {});

  SplineEncoder(SplineEncoder&&) noexcept;
  SplineEncoder& operator=(SplineEncoder&&) noexcept;
  ~SplineEncoder();

  std::size_t track_count() const;
  std::size_t float_count() const;
  /// Encodes a transform track of every block; returns what it came to.
  EncodeErrors encode_track(std::size_t track, const Tolerance& tolerance);
  EncodeErrors encode_float(std::size_t track, const Tolerance& tolerance);
  /// The result so far. Tracks that were never encoded are identity, or the source's own.
  const SplineBlob& blob() const;

 private:
  struct State;
  explicit SplineEncoder(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

struct EncodedSpline {
  SplineBlob blob;
  EncodeErrors errors;
};

/// Everything at one tolerance.
EncodedSpline encode_all(SplineEncoder& encoder, const Tolerance& tolerance);
Result<EncodedSpline> encode_spline(const MotionFrames& frames, const Tolerance& tolerance = {},
                                    const EncodeOptions& options = {});
EncodedSpline reencode_spline(const SplineBlob& source, const Tolerance& tolerance = {},
                              const EncodeOptions& options = {});

}  // namespace marrow::codec
