// SPDX-License-Identifier: MIT
#include "ops/clip/poses.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/try.h"
#include "marrow/model/pose.h"
#include "motion/edit/blend.h"
#include "motion/edit/splice_clip.h"
#include "ops/clip/edit_support.h"
#include "ops/clip/fit.h"
#include "ops/clip/motion_sampler.h"

namespace marrow {
namespace {

Quat turn_of(const Vec3& degrees) {
  const Vec3 radians = degrees * (std::numbers::pi_v<float> / 180.0f);
  return glm::angleAxis(radians.z, Vec3(0, 0, 1)) * glm::angleAxis(radians.y, Vec3(0, 1, 0)) *
         glm::angleAxis(radians.x, Vec3(1, 0, 0));
}

/// An offset in a space whose axes change from frame to frame.
struct FrameOffset {
  Quat turn;
  Vec3 way;
  OffsetSpace space;
  bool turns = false, moves = false;
  std::size_t track = 0;
  std::int32_t parent = kNoBone;  // in model space
};

Clip offset_rows(const Clip& before, const Skeleton& skeleton, const FrameOffset& offset) {
  Clip after = before;
  std::vector<Transform> pose(skeleton.bones.size());
  for (std::int32_t f = 0; f < before.frame_count; ++f) {
    Transform above;
    if (offset.parent != kNoBone) {
      pose_from_frame(skeleton, before, before.frame(f), pose);
      local_to_model(skeleton, pose, pose);
      above = pose[count_of(offset.parent)];
    }
    const Quat back = glm::conjugate(above.rotation);
    Transform& local = after.transforms[count_of(f) * count_of(before.track_count) + offset.track];
    const Quat own = offset.space == OffsetSpace::Model ? back * offset.turn * above.rotation : offset.turn;
    if (offset.turns)
      local.rotation = glm::normalize(offset.space == OffsetSpace::Bone ? local.rotation * own : own * local.rotation);
    if (offset.moves)
      local.translation += offset.space == OffsetSpace::Model  ? (back * offset.way) / above.scale
                           : offset.space == OffsetSpace::Bone ? before.frame(f)[offset.track].rotation * offset.way
                                                               : offset.way;
  }
  return after;
}

// Model space, or frames that are stored: frame by frame, and between frames.
Result<void> offset_frames(const Document& document, DocumentClip& clip, FrameOffset offset,
                           const OffsetOptions& options, EditedClip& report, Context& context) {
  Skeleton skeleton;
  if (offset.space == OffsetSpace::Model) {
    MARROW_TRY(skeleton, skeleton_of(document, clip, options.skeleton, context));
    const std::int32_t bone = bone_of_track(clip.clip, offset.track);
    if (bone >= 0 && count_of(bone) < skeleton.bones.size()) offset.parent = skeleton.bones[count_of(bone)].parent;
  }
  MARROW_TRY(const Clip before, with_frames(clip, context.limits));
  MARROW_TRY(const Clip rows, with_quarters(clip, context.limits));
  const Clip quarters = offset_rows(rows, skeleton, offset);
  return replace_frames(clip, offset_rows(before, skeleton, offset), {0, before.frame_count - 1}, options.edit, report,
                        context, &quarters);
}

Result<void> offset_one(const Document& document, DocumentClip& clip, const OffsetOptions& options, EditedClip& report,
                        Context& context) {
  MARROW_TRY(const std::vector<std::string> names, names_of(document, clip, options.skeleton, context));
  MARROW_TRY(const std::size_t track, named_track(names, options.bone));
  const OffsetSpace space = options.model ? OffsetSpace::Model : options.space;
  const Quat turn = options.turn ? turn_of(*options.turn) : make_quat(0, 0, 0, 1);
  const Vec3 way = options.move.value_or(Vec3(0.0f));
  MARROW_TRY(auto curves, curves_of(clip, context.limits));
  const bool by_frame = !curves || space == OffsetSpace::Model || (space == OffsetSpace::Bone && options.move);
  if (by_frame)
    return offset_frames(document, clip, {turn, way, space, options.turn.has_value(), options.move.has_value(), track},
                         options, report, context);
  if (options.turn)
    codec::turn_track(*curves, track, {turn.x, turn.y, turn.z, turn.w},
                      space == OffsetSpace::Bone ? codec::TurnSpace::Bone : codec::TurnSpace::Parent);
  if (options.move) codec::move_track(*curves, track, {way.x, way.y, way.z});
  report.tracks = 1;
  report.rotation_error_degrees = options.turn ? 0.0396 : 0.0;  // the most that a nearest code is away
  return set_curves(clip, *curves);
}

// The rows of a clip with a pose put into a range of frames. Without a fade the pose begins and ends within a frame.
Clip with_pose(const Clip& rows, const Clip& pose, const std::vector<bool>& chosen, const FrameRange& range,
               double fade_frames, std::uint32_t rows_per_frame) {
  Clip out = rows;
  motion::PoseMixer mixer(chosen.size());
  for (std::int32_t row = 0; row < rows.frame_count; ++row) {
    const double frame = static_cast<double>(row) / rows_per_frame;
    const double outside = std::max({0.0, range.first - frame, frame - range.last}), fade = std::max(fade_frames, 1.0);
    const double weight = outside > 0.0 ? motion::ease(1.0 - outside / fade) : 1.0;
    for (std::size_t t = 0; t < chosen.size(); ++t)
      if (chosen[t])
        out.transforms[count_of(row) * chosen.size() + t] = mixer.mix(t, rows.frame(row)[t], pose.frame(0)[t], weight);
  }
  return out;
}

}  // namespace

void describe(FieldList& fields, OffsetOptions& options) {
  fields("bone", options.bone, {.help = "the bone", .placeholder = "BONE", .required = true});
  fields("turn", options.turn, {.help = "turn it: about x, then y, then z", .unit = "degrees", .placeholder = "X,Y,Z"});
  fields("move", options.move, {.help = "move it", .unit = "units", .placeholder = "X,Y,Z"});
  fields("space", options.space, {.help = "the axes that are meant", .placeholder = "SPACE"});
  fields("model", options.model, {.help = "the same as the space model"});
  fields.input("skeleton", options.skeleton, kClipSkeleton);
  describe_edit(fields, options.edit);
}

void describe(FieldList& fields, PoseOptions& options) {
  fields("frame", options.frame, {.help = "the frame to keep", .placeholder = "N", .min = 0, .otherwise = "0"});
  fields("time", options.time, {.help = "or the time", .unit = "seconds", .placeholder = "S", .min = 0});
  fields.input("skeleton", options.skeleton, {.help = "a skeleton to put beside it, for glTF", .placeholder = "FILE"});
  describe_edit(fields, options.edit);
}

void describe(FieldList& fields, SetPoseOptions& options) {
  fields.input("pose", options.pose,
               {.help = "a clip; its first frame is the pose",
                .placeholder = "POSE",
                .required = true,
                .positional = true,
                .parts = Parts::Skeletons | Parts::Clips});
  describe_range(fields, options.range);
  fields("fade", options.fade,
         {.help = "time on either side of the range to get into the pose and out of it",
          .unit = "seconds",
          .placeholder = "S",
          .min = 0});
  fields("bones", options.bones,
         {.help = "only bones that match; may be repeated", .placeholder = "PATTERN", .otherwise = "all"});
  fields.input("skeleton", options.skeleton, kClipSkeleton);
  describe_edit(fields, options.edit);
}

Result<ClipEditReport> offset_bone(Document& document, const OffsetOptions& options, Context& context) {
  if (!options.turn && !options.move) return fail(ErrorCode::BadOption, "give a turn or a way", kNoOffset, "turn");
  const Document* holder = &document;
  return for_each_clip(document, options.edit, context, [&](DocumentClip& clip, EditedClip& report) {
    return offset_one(*holder, clip, options, report, context);
  });
}

Result<ClipEditReport> take_pose(Document& document, const PoseOptions& options, Context& context) {
  if (options.frame && options.time) return fail(ErrorCode::BadOption, "give a frame or a time", kNoOffset, "time");
  auto report = for_each_clip(document, options.edit, context, [&](DocumentClip& clip, EditedClip&) -> Result<void> {
    Clip& own = clip.clip;
    const double frame = options.time ? *options.time / motion::frame_seconds_of(own) : options.frame.value_or(0);
    if (frame > own.frame_count - 1 + 1e-6)
      return fail(ErrorCode::BadOption, "the clip ends at frame " + std::to_string(own.frame_count - 1), kNoOffset,
                  options.time ? "time" : "frame");
    MARROW_TRY(const MotionSampler sampler, MotionSampler::open(clip, context.limits));
    std::vector<Transform> pose(count_of(own.track_count));
    std::vector<float> floats(count_of(own.float_track_count));
    sampler.sample_frame(frame, pose);
    sampler.sample_floats(frame, floats);
    MARROW_TRY(const auto curves, curves_of(clip, context.limits));
    // Two frames: a clip of one has no duration, and times in it mean nothing.
    own.duration_seconds = static_cast<float>(motion::frame_seconds_of(own));
    own.frame_count = 2;
    own.root_motion.reset();
    for (AnnotationTrack& track : own.annotation_tracks) track.annotations.clear();
    own.transforms = pose;
    own.transforms.insert(own.transforms.end(), pose.begin(), pose.end());
    own.floats = floats;
    own.floats.insert(own.floats.end(), floats.begin(), floats.end());
    clip.spline.reset();
    if (!curves) return {};
    codec::SplineBlob still{.frame_count = 2, .blocks = {{.transforms = {}, .floats = {}}}};
    for (const Transform& each : pose) still.blocks[0].transforms.push_back(still_track(each));
    for (const float value : floats) still.blocks[0].floats.push_back({.range = {value, value}});
    return set_curves(clip, still);
  });
  if (report && options.skeleton) attach_skeleton(document, {options.skeleton}, context);
  return report;
}

Result<ClipEditReport> set_pose(Document& document, const SetPoseOptions& options, Context& context) {
  const Document* holder = &document;
  return for_each_clip(document, options.edit, context, [&](DocumentClip& clip, EditedClip& report) -> Result<void> {
    MARROW_TRY(const FrameRange range, frames_of(clip.clip, options.range, 1, context));
    report.from_frame = range.first;
    report.to_frame = range.last;
    MARROW_TRY(const DocumentClip* given, first_clip(*options.pose));
    MARROW_TRY(const MatchedClip matching,
               matched(clip, *given, options.skeleton, options.edit, context, LackingTracks::Own));
    MARROW_TRY(const Clip pose, with_frames(matching.clip, context.limits));
    MARROW_TRY(const Clip before, with_frames(clip, context.limits));
    std::vector<bool> chosen(count_of(before.track_count), true);
    if (!options.bones.empty()) {
      MARROW_TRY(const std::vector<std::string> names, names_of(*holder, clip, options.skeleton, context));
      for (std::size_t t = 0; t < chosen.size(); ++t)
        chosen[t] = std::ranges::any_of(options.bones,
                                        [&](const std::string& pattern) { return is_bone_name(pattern, names[t]); });
    }
    leave_own_tracks(chosen, matching.lacks);
    if (std::ranges::find(chosen, true) == chosen.end())
      context.note("no bone of the clip matches; nothing changes", clip.name);
    const double fade = fade_frames(options.fade, before);
    const FrameRange changed = with_fade(range, fade, before.frame_count);
    Clip after = with_pose(before, pose, chosen, range, fade, 1);
    const DocumentClip source = clip;
    MARROW_TRY(const Clip rows, with_quarters(clip, context.limits));
    const Clip quarters = with_pose(rows, pose, chosen, range, fade, quarters_of(clip));
    MARROW_CHECK(replace_frames(clip, std::move(after), changed, options.edit, report, context, &quarters));
    const std::vector<const DocumentClip*> sources = {&source};
    report.seam = seam_of(clip, {changed.first - 1, changed.last + 1}, sources, options.skeleton, context);
    return {};
  });
}

}  // namespace marrow
