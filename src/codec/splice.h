// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "codec/spline_encoder.h"
#include "marrow/codec/spline_blob.h"
#include "marrow/core/error.h"

namespace marrow::codec {

/// A run of frames of a clip that becomes part of another clip.
struct SplinePart {
  const SplineBlob* source = nullptr;
  std::uint32_t first = 0, last = 0;  ///< both included; `last` is after `first`
  bool is_reversed = false;           ///< played backwards
  std::uint32_t stretch = 1;          ///< a frame interval of the source becomes so many of the result
};

struct SpliceOptions {
  /// `All` stores a rotation that gets new control points in 48 bits, within 0.005 degrees instead of 0.04.
  EncodingSet encodings = EncodingSet::Seen;
  /// For channels whose curves cannot hold the bounds above and are encoded anew.
  Tolerance tolerance = {};
};

/// What a splice did beyond moving codes.
struct SpliceReport {
  double rotation_degrees = 0;       ///< worst error of new control points, at every quarter of a frame they touch
  double distance = 0;               ///< the same of translations and scales
  std::size_t new_points = 0;        ///< control points that were computed and rounded
  std::size_t encoded_channels = 0;  ///< channels of blocks that were encoded anew
  std::size_t past_bound = 0;        ///< channels of blocks with a new point beyond the bound, between frames
  double gap_degrees = 0;            ///< largest jump between neighbouring parts or blocks that was bridged
  double gap_distance = 0;

  void include(const SpliceReport& other);
};

struct Spliced {
  SplineBlob blob;
  SpliceReport report;
};

/// Joins parts of clips on their curves: neighbours share a frame, at which the later part is right. Nothing is
/// decoded and fitted again. Curves are cut by inserting knots, control points keep their codes, and only those that a
/// cut computes are rounded: rotations of 40 bits within 0.04 degrees, of 48 bits within 0.005, scalars within half a
/// step of their range. Blocks that lie where a block of the source lay are copied.
///
/// All parts need the same number of tracks and float tracks. Fails with `InvalidArgument` if a part is empty or
/// outside its source, and with `LimitExceeded` if the result has more than 2^24 frames.
Result<Spliced> splice(std::span<const SplinePart> parts, const SpliceOptions& options = {});

/// Moves the ends of a clip towards each other so that it can be repeated: both take the mean pose and the mean
/// velocity, and the change fades over `window` frames on either side. Works on control points.
struct LoopOptions {
  std::uint32_t window = 10;           ///< frames at each end over which the difference of values fades
  std::uint32_t velocity_window = 10;  ///< the same for the difference of velocities; at most `window`
  SpliceOptions splice = {};
};
Result<Spliced> close_loop(const SplineBlob& source, const LoopOptions& options = {});

/// How a rotation is put on top of others.
enum class TurnSpace : std::uint8_t {
  Parent,  ///< `turn * rotation`
  Bone,    ///< `rotation * turn`
};

/// Turns every control point of a rotation track. `turn` must have unit length.
void turn_track(SplineBlob& blob, std::size_t track, const Quaternion& turn, TurnSpace space);
/// Adds a vector to a translation track. Codes stay; ranges and constants move.
void move_track(SplineBlob& blob, std::size_t track, const std::array<float, 3>& way);

}  // namespace marrow::codec
