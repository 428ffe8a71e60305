// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "marrow/codec/spline_blob.h"
#include "marrow/core/error.h"
#include "marrow/core/threads.h"

namespace marrow::codec {

/// How far the decoded motion may differ from the source, at every quarter of a frame.
struct Tolerance {
  double rotation_degrees = 0.05;
  double translation = 0.01;  ///< distance over the three axes together, in units of the clip
  double scale = 0.0005;      ///< distance over the three axes together
  double value = 0.0005;      ///< for float tracks

  bool operator==(const Tolerance&) const = default;
};

/// Trades time for size. Every effort honours the tolerance.
enum class Effort : std::uint8_t {
  Fast,    ///< polylines with the fewest points
  Normal,  ///< also cubics with knots chosen by error
  Best,    ///< also merges and moves knots until nothing helps
};

/// Which parts of the format may be used.
enum class EncodingSet : std::uint8_t {
  Seen,  ///< as in the games' own files: 40-bit rotations, 16-bit scalars, degrees 1 and 3
  All,   ///< also 48-bit rotations, 8-bit scalars, degree 2
};

struct EncodeOptions {
  Effort effort = Effort::Normal;
  EncodingSet encodings = EncodingSet::Seen;
  RunOnThreads run_on_threads = {};  ///< for `encode_all`, which encodes tracks side by side; empty: one by one
};

/// The worst errors of the decoded motion, over the quarter frames of the source.
struct EncodeErrors {
  double rotation_degrees = 0;
  double translation = 0;
  double scale = 0;
  double value = 0;
  /// Channels for which the allowed encodings are too coarse: they are as close as these allow, and beyond the
  /// tolerance. Only raw frames can have such channels; a stored channel can always be kept.
  std::size_t channels_past_tolerance = 0;

  void include(const EncodeErrors& other);
};

/// Borrowed raw motion: `frame_count` frames of `track_count` transforms of ten floats (translation x y z, rotation x y
/// z w, scale x y z), and of `float_count` values. Between frames it is linear, with rotations normalised.
struct MotionFrames {
  std::uint32_t frame_count = 0;
  std::size_t track_count = 0;
  std::size_t float_count = 0;
  std::span<const float> transforms;
  std::span<const float> floats;
  /// 4: the values are those of every quarter of a frame, 4 * (frame_count - 1) + 1 rows, and are followed between
  /// frames too.
  std::uint32_t rows_per_frame = 1;

  std::size_t row_count() const { return frame_count > 0 ? std::size_t{frame_count - 1} * rows_per_frame + 1 : 0; }
};

/// Encodes a clip track by track, so that single tracks can be encoded again at another tolerance. Blocks are
/// independent. Each follows the source from its first frame to its last, so block boundaries are within the tolerance
/// too.
class SplineEncoder {
 public:
  /// Creates an encoder for raw frames. Fails if counts and spans disagree, a value is not finite or there is no frame.
  static Result<SplineEncoder> from_frames(const MotionFrames& frames, const EncodeOptions& options = {});
  /// Creates an encoder for stored splines: the curves themselves are the source, and a channel is kept if no smaller
  /// encoding is found. `blob` must come from `read_spline_blob`.
  static SplineEncoder from_blob(SplineBlob blob, const EncodeOptions& options = {});

  SplineEncoder(SplineEncoder&&) noexcept;
  SplineEncoder& operator=(SplineEncoder&&) noexcept;
  ~SplineEncoder();

  std::size_t track_count() const;
  std::size_t float_count() const;
  /// Encodes a transform track in every block and returns its errors.
  EncodeErrors encode_track(std::size_t track, const Tolerance& tolerance);
  EncodeErrors encode_float(std::size_t track, const Tolerance& tolerance);
  /// Encodes every track and returns the worst errors.
  EncodeErrors encode_tracks(const Tolerance& tolerance);
  /// Returns the result so far. Tracks that were never encoded are identity, or those of the source.
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

/// Encode all tracks at one tolerance.
EncodedSpline encode_all(SplineEncoder& encoder, const Tolerance& tolerance);
Result<EncodedSpline> encode_spline(const MotionFrames& frames, const Tolerance& tolerance = {},
                                    const EncodeOptions& options = {});
EncodedSpline reencode_spline(const SplineBlob& source, const Tolerance& tolerance = {},
                              const EncodeOptions& options = {});

}  // namespace marrow::codec
