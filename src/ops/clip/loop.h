// SPDX-License-Identifier: MIT
#pragma once

#include "ops/clip/edit.h"

namespace marrow {

struct LoopClipOptions {
  std::optional<double> blend = {};    ///< seconds at each end over which the gap is closed
  bool find = false;                   ///< look for the best start and end, and cut there
  const Skeleton* skeleton = nullptr;  ///< for `find`
  ClipEditOptions edit = {};
};

/// How far apart the ends of a track are.
struct LoopGap {
  std::string track = {};
  double degrees = 0, units = 0;  ///< between the last pose and the first
  double spin = 0;                ///< between the velocities, in degrees per frame
};

/// A place where a clip could be cut to loop.
struct LoopPlace {
  std::int32_t from_frame = 0, to_frame = 0;
  double distance = 0;  ///< between the poses, with their velocities, in units per joint; over 10 is no loop
};

struct LoopedClip {
  EditedClip clip = {};
  std::vector<LoopGap> gaps = {};                             ///< of tracks that were visibly open, worst first
  double worst_degrees = 0, worst_units = 0, worst_spin = 0;  ///< before
  double left_degrees = 0, left_units = 0, left_spin = 0;     ///< after
  double pose_change_degrees = 0;                             ///< largest of any bone
  std::vector<LoopPlace> places = {};                         ///< found, best first
};

struct ClipLoopReport {
  std::vector<LoopedClip> clips = {};
};

void describe(FieldList& fields, LoopClipOptions& options);
void describe(FieldList& fields, LoopGap& gap);
void describe(FieldList& fields, LoopPlace& place);
void describe(FieldList& fields, LoopedClip& clip);
void describe(FieldList& fields, ClipLoopReport& report);

/// Makes the first and the last pose of clips meet, and their velocities too: half of each gap is taken at either end.
/// Root motion stays. Needs `Parts::Clips` and, to find places, a skeleton.
Result<ClipLoopReport> loop_clip(Document& document, const LoopClipOptions& options, Context& context);

}  // namespace marrow
