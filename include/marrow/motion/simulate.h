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
  Environment environment = {};                  ///< its entity is where the character starts
  std::optional<std::int64_t> trace_frame = {};  ///< the frame to explain
  bool compensate_stretch = false;      ///< children are set against the scale of Stretch, for formats that inherit
  std::function<void()> on_frame = {};  ///< called after each frame
};

struct Simulation {
  Clip clip;                 ///< every bone a track, in order of bones; frame 0 is the input pose
  std::vector<Trace> trace;  ///< one a modifier, of the frame asked for
};

/// Frames of a whole run. Where given, `clip` moves the bones, over and over while time lasts, and its root motion the
/// entity. Steps longer than the rig's reset time are cut, so that low frame rates move too. Fails with
/// `InvalidArgument` on a rate or a length that is no positive number, and on a clip that does not fit.
Result<Simulation> simulate(const RigDescription& description, const Rig& rig, const Clip* clip,
                            const SimulateOptions& options);

/// `result` (tracks of all bones) put into `original`: its tracks take the new motion, bones that modifiers moved get
/// tracks of their own, events, float tracks and root motion stay.
Clip bake(const Clip& original, const Clip& result, const RigDescription& description, const Rig& rig);

/// The pose of a clip at a time on a skeleton, between frames by the short way; ends are held. `local` has one entry a
/// bone.
void pose_at(const Skeleton& skeleton, const Clip& clip, double seconds, std::span<Transform> local);

}  // namespace marrow::motion
