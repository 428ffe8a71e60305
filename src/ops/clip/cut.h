// SPDX-License-Identifier: MIT
/// Cuts, joins and retimes clips. All of it is done on curves: control points keep their codes, and only those that a
/// cut computes are rounded. Events, root motion and float tracks go along.
#pragma once

#include "ops/clip/edit.h"

namespace marrow {

struct TrimOptions {
  ClipRange range = {};
  ClipEditOptions edit = {};
};

struct JoinOptions {
  std::vector<const Document*> next = {};  ///< the clips that follow, in order
  std::optional<double> crossfade = {};    ///< seconds over which one clip becomes the next
  std::optional<double> inertial = {};     ///< seconds over which the difference at the seam dies out
  const Skeleton* skeleton = nullptr;      ///< for clips with different tracks
  ClipEditOptions edit = {};
};

struct SpeedOptions {
  std::optional<double> factor = {};  ///< 2 is twice as fast
  std::optional<double> length = {};  ///< seconds
  ClipEditOptions edit = {};
};

struct ResampleOptions {
  double fps = 30.0;
  ClipEditOptions edit = {};
};

struct ReverseOptions {
  ClipEditOptions edit = {};
};

struct RepeatOptions {
  std::int32_t times = 2;
  ClipEditOptions edit = {};
};

void describe(FieldList& fields, TrimOptions& options);
void describe(FieldList& fields, JoinOptions& options);
void describe(FieldList& fields, SpeedOptions& options);
void describe(FieldList& fields, ResampleOptions& options);
void describe(FieldList& fields, ReverseOptions& options);
void describe(FieldList& fields, RepeatOptions& options);

/// All need `Parts::Clips` and fail with `NoClip` if there is none, with `NotFound` if the named clip does not exist.

/// Keeps a range. Fails with `BadOption` if it has less than two frames.
Result<ClipEditReport> trim_clip(Document& document, const TrimOptions& options, Context& context);
/// Appends other clips: neighbours share a frame, durations add up. A clip of another rate is brought to the rate of
/// the first. Tracks are matched by bone; missing ones rest.
Result<ClipEditReport> join_clips(Document& document, const JoinOptions& options, Context& context);
/// Changes durations only: no value changes.
Result<ClipEditReport> change_speed(Document& document, const SpeedOptions& options, Context& context);
/// Changes the number of frames and keeps the duration. A whole multiple of the rate changes no value.
Result<ClipEditReport> resample_clip(Document& document, const ResampleOptions& options, Context& context);
Result<ClipEditReport> reverse_clip(Document& document, const ReverseOptions& options, Context& context);
Result<ClipEditReport> repeat_clip(Document& document, const RepeatOptions& options, Context& context);

}  // namespace marrow
