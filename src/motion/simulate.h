// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "marrow/core/error.h"
#include "marrow/model/clip.h"
#include "marrow/motion/evaluate.h"

namespace marrow::motion {

struct SimulateOptions {
  double frames_per_second = 30.0;
  double seconds = 4.0;
  double shake_metres = 0.0;  ///< the root moves along X by this times sin(2 pi f t)
  double shake_hertz = 0.0;
  /// Before frame 0, in its pose and at its speed, so that hanging parts hang from the start.
  double settle_seconds = 0.0;
  bool loop = false;             ///< repeat the clip until the end meets the start, and return that round
  Environment environment = {};  ///< its entity is the start of the character
  std::optional<std::int64_t> trace_frame = {};  ///< the frame to trace
  bool compensate_stretch = false;      ///< scale children back against Stretch, for formats that inherit scale
  std::function<void()> on_frame = {};  ///< called after each frame
  /// Called after each frame with what every modifier did, one entry per modifier.
  std::function<void(std::int64_t frame, std::span<const Trace> traces)> on_trace = {};
};

/// How well a loop closed.
struct LoopReport {
  int rounds = 0;             ///< rounds before the one that was kept; 0: no loop was requested
  bool closed = false;        ///< the ends meet; false if the clip itself is not a loop
  double open_degrees = 0.0;  ///< difference of its ends, before they were joined
  double open_metres = 0.0;
};

struct Simulation {
  /// One track per bone, in order of bones. Frame 0 is the input pose, unless the run settles or loops.
  Clip clip;
  std::vector<Trace> trace;  ///< one per modifier, for the traced frame
  LoopReport loop;
  Notes notes;
};

/// Simulates a whole run. If given, `clip` moves the bones, repeating as needed, and its root motion moves the entity.
/// Between frames the clip is followed on cubic paths, so that every frame rate gives the same motion; a bone that
/// moves further than the rig's `reset_distance` between two frames of the clip jumps. Without a clip, steps longer
/// than the rig's reset time are divided, so that low frame rates move too. In a loop, the last frame equals the first,
/// bit for bit, in every bone that a modifier moves; a note reports a clip that is not a loop. Fails with
/// `InvalidArgument` if the rate or length is not a positive number, or if the clip does not fit.
Result<Simulation> simulate(const Rig& rig, const CompiledRig& compiled, const Clip* clip,
                            const SimulateOptions& options);

/// Writes `result` (tracks of all bones) into a copy of `original`. Its tracks take the new motion, bones that were
/// moved get their own tracks, and events, float tracks and root motion stay. If the result is longer, they repeat with
/// the clip; if it is shorter, they end with it.
Clip bake(const Clip& original, const Clip& result, const Rig& rig, const CompiledRig& compiled);

/// Writes the pose of a clip on a skeleton at a time, on a cubic path through its frames; times outside the clip give
/// its ends. `local` has one entry per bone.
void pose_at(const Skeleton& skeleton, const Clip& clip, double seconds, std::span<Transform> local);

}  // namespace marrow::motion
