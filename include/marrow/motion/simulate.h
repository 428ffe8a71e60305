// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "marrow/core/error.h"
#include "marrow/model/clip.h"
#include "marrow/motion/evaluate.h"

namespace marrow::motion {

struct SimulateOptions {
  double frames_a_second = 30.0;
  double seconds = 4.0;
  double shake_metres = 0.0;  ///< the root goes along X as this times sin(2 pi f t)
  double shake_hertz = 0.0;
  double settle_seconds = 0.0;   ///< before frame 0, in its pose and at its speed: what hangs then hangs from the start
  bool loop = false;             ///< run round after round until the end meets the start, and give that round
  Environment environment = {};  ///< its entity is where the character starts
  std::optional<std::int64_t> trace_frame = {};  ///< the frame to explain
  bool compensate_stretch = false;      ///< children are set against the scale of Stretch, for formats that inherit
  std::function<void()> on_frame = {};  ///< called after each frame
};

/// How a loop was closed.
struct LoopReport {
  int rounds = 0;             ///< that were run before the one that was kept; 0: no loop was asked for
  bool closed = false;        ///< whether the ends meet; not where the clip is none
  double open_degrees = 0.0;  ///< between its ends, before they were brought together
  double open_metres = 0.0;
};

struct Simulation {
  /// Every bone a track, in order of bones. Frame 0 is the input pose, unless the run settles or loops.
  Clip clip;
  std::vector<Trace> trace;  ///< one a modifier, of the frame asked for
  LoopReport loop;
  Notes notes;
};

/// Frames of a whole run. Where given, `clip` moves the bones, over and over while time lasts, and its root motion the
/// entity. Steps longer than the rig's reset time are cut, so that low frame rates move too. Of a loop, the last frame
/// has the bits of the first in every bone that a modifier moves; a note tells of a clip that is none. Fails with
/// `InvalidArgument` on a rate or a length that is no positive number, and on a clip that does not fit.
Result<Simulation> simulate(const Rig& rig, const CompiledRig& compiled, const Clip* clip,
                            const SimulateOptions& options);

/// `result` (tracks of all bones) put into `original`: its tracks take the new motion, bones that were moved get tracks
/// of their own, events, float tracks and root motion stay. Where the result is longer they go round with the clip,
/// where it is shorter they end with it.
Clip bake(const Clip& original, const Clip& result, const Rig& rig, const CompiledRig& compiled);

/// The pose of a clip at a time on a skeleton, between frames by the short way; ends are held. `local` has one entry a
/// bone.
void pose_at(const Skeleton& skeleton, const Clip& clip, double seconds, std::span<Transform> local);

}  // namespace marrow::motion
