// SPDX-License-Identifier: MIT
#pragma once

#include "ops/clip/edit.h"

namespace marrow {

struct PinLimbOptions {
  std::string bone = {};     ///< the end of a limb: a hand, a foot
  std::string target = {};   ///< a bone, or `X,Y,Z` in model space; empty: where the bone is when the range begins
  bool keep_offset = false;  ///< of a target bone: keep the distance that the bone has to it at the first frame
  ClipRange range = {};
  double fade = 0.2;  ///< seconds outside of the range
  bool free_end = false;
  std::vector<std::string> chain = {};  ///< upper, lower and end bone, if they are not found by themselves
  const Skeleton* skeleton = nullptr;
  ClipEditOptions edit = {};
};

struct PinnedClip {
  EditedClip clip = {};
  std::string upper = {}, lower = {}, end = {};
  double moved = 0;    ///< most that the bone was moved, in units
  double worst = 0;    ///< largest distance from its place, over the range, of what is stored
  double between = 0;  ///< the same half way between frames
  double hips_moved = 0;
  std::vector<std::int32_t> missed = {};  ///< frames at which the place is out of reach
};

struct PinReport {
  std::vector<PinnedClip> clips = {};
};

struct SmoothOptions {
  std::vector<std::string> bones = {};  ///< patterns; empty: all
  double degrees = 0.5;
  const Skeleton* skeleton = nullptr;
  ClipEditOptions edit = {};
};

void describe(FieldList& fields, PinLimbOptions& options);
void describe(FieldList& fields, PinnedClip& clip);
void describe(FieldList& fields, PinReport& report);
void describe(FieldList& fields, SmoothOptions& options);

/// Holds the end of a limb at a place by bending the limb. Nothing moves outside of the range and its fades.
Result<PinReport> pin_bone(Document& document, const PinLimbOptions& options, Context& context);
/// Removes jitter of rotations under a bound.
Result<ClipEditReport> smooth_bones(Document& document, const SmoothOptions& options, Context& context);

}  // namespace marrow
