// SPDX-License-Identifier: MIT
#include "ops/clip/limbs.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "core/try.h"
#include "marrow/core/text.h"
#include "motion/edit/blend.h"
#include "motion/edit/pin.h"
#include "motion/edit/smooth.h"
#include "motion/edit/splice_clip.h"
#include "ops/clip/edit_support.h"
#include "ops/clip/limb_codes.h"
#include "ops/document/spline_motion.h"

namespace marrow {
namespace {

std::optional<glm::dvec3> parse_place(const std::string& text) {
  glm::dvec3 place(0.0);
  std::string_view rest = text;
  for (int axis = 0; axis < 3; ++axis) {
    const std::size_t end = axis < 2 ? rest.find(',') : rest.size();
    if (end == std::string_view::npos) return std::nullopt;
    const auto number = parse_double(rest.substr(0, end));
    if (!number || !std::isfinite(*number)) return std::nullopt;
    place[axis] = *number;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return place;
}

Result<motion::Limb> limb_of(const Skeleton& skeleton, const PinLimbOptions& options) {
  if (options.chain.empty()) {
    MARROW_TRY(const std::int32_t end, bone_named(skeleton, options.bone, "bone"));
    return motion::find_limb(skeleton, end);
  }
  if (options.chain.size() != 3)
    return fail(ErrorCode::BadOption, "takes three bones: upper, lower and end", kNoOffset, "chain");
  motion::Limb limb;
  MARROW_TRY(limb.upper, bone_named(skeleton, options.chain[0], "chain"));
  MARROW_TRY(limb.lower, bone_named(skeleton, options.chain[1], "chain"));
  MARROW_TRY(limb.end, bone_named(skeleton, options.chain[2], "chain"));
  const auto is_above = [&](std::int32_t above, std::int32_t bone) {
    while (bone != kNoBone && bone != above) bone = skeleton.bones[count_of(bone)].parent;
    return bone == above;
  };
  if (!is_above(limb.upper, limb.lower) || !is_above(limb.lower, limb.end) || limb.upper == limb.lower ||
      limb.lower == limb.end)
    return fail(ErrorCode::BadOption, "the bones must lie below each other", kNoOffset, "chain");
  return limb;
}

// Where the bone is to be, frame by frame.
std::vector<motion::PinGoal> goals_of(const Skeleton& skeleton, const Clip& clip, std::int32_t bone,
                                      std::int32_t target, FrameRange range, double fade,
                                      const PinLimbOptions& options) {
  const auto own = motion::bone_path(skeleton, clip, bone);
  std::vector<motion::PinGoal> goals(own.size());
  std::vector<glm::dvec3> places(own.size(), own[count_of(range.first)]);
  if (const auto place = parse_place(options.target)) {
    std::ranges::fill(places, *place);
  } else if (target != kNoBone) {
    places = motion::bone_path(skeleton, clip, target);
    const glm::dvec3 offset =
        options.keep_offset ? own[count_of(range.first)] - places[count_of(range.first)] : glm::dvec3(0.0);
    for (glm::dvec3& each : places) each += offset;
  }
  for (std::size_t f = 0; f < goals.size(); ++f) {
    const auto frame = static_cast<std::int32_t>(f);
    const double outside = std::max({0, range.first - frame, frame - range.last});
    goals[f] = {places[f], motion::ease(1.0 - outside / fade)};
  }
  return goals;
}

// The largest distance from the place half way between frames of the range. Two bones that turn evenly do not hold
// their end there. `target` is the bone that is followed with `offset`, if there is one.
Result<double> miss_between(const DocumentClip& clip, const Skeleton& skeleton, std::int32_t bone, FrameRange range,
                            std::span<const motion::PinGoal> goals, std::int32_t target,
                            std::span<const std::int32_t> missed, const Limits& limits) {
  const std::uint32_t per_frame = quarters_of(clip);
  if (per_frame < 2) return 0.0;
  MARROW_TRY(const Clip rows, with_quarters(clip, limits));
  const auto own = motion::bone_path(skeleton, rows, bone);
  const auto followed = target == kNoBone ? own : motion::bone_path(skeleton, rows, target);
  double worst = 0.0;
  for (std::int32_t f = range.first; f < range.last; ++f) {
    if (std::ranges::find(missed, f) != missed.end() || std::ranges::find(missed, f + 1) != missed.end()) continue;
    const std::size_t row = count_of(f) * per_frame + per_frame / 2;
    const glm::dvec3 place = target == kNoBone
                                 ? goals[count_of(f)].place
                                 : followed[row] + goals[count_of(f)].place - followed[count_of(f) * per_frame];
    worst = std::max(worst, glm::length(own[row] - place));
  }
  return worst;
}

Result<void> pin_one(const Document& document, DocumentClip& clip, const PinLimbOptions& options, PinnedClip& report,
                     Context& context) {
  if (clip.clip.blend_hint != BlendHint::Normal)
    return fail(ErrorCode::WrongKind, "an additive clip has no place in model space");
  MARROW_TRY(const Skeleton skeleton, skeleton_of(document, clip, options.skeleton, context));
  MARROW_TRY(const motion::Limb limb, limb_of(skeleton, options));
  report.upper = skeleton.bones[count_of(limb.upper)].name;
  report.lower = skeleton.bones[count_of(limb.lower)].name;
  report.end = skeleton.bones[count_of(limb.end)].name;
  MARROW_TRY(const FrameRange range, frames_of(clip.clip, options.range, 1, context));
  report.clip.from_frame = range.first;
  report.clip.to_frame = range.last;
  MARROW_CHECK(take_saved_motion(document, clip, context.limits));
  MARROW_TRY(const Clip before, with_frames(clip, context.limits));
  const double fade = fade_frames(options.fade, before);
  std::int32_t target = kNoBone;
  if (!options.target.empty() && !parse_place(options.target)) {
    MARROW_TRY(target, bone_named(skeleton, options.target, "target"));
  }
  const std::vector<motion::PinGoal> goals = goals_of(skeleton, before, limb.end, target, range, fade, options);
  Clip after = before;
  MARROW_TRY(const motion::PinOutcome outcome,
             motion::pin_limb(skeleton, limb, goals, {.free_end = options.free_end, .target = target}, after));
  const FrameRange changed = with_fade(range, fade, before.frame_count);
  report.hips_moved = outcome.hips_moved;
  report.missed = outcome.missed;
  const auto path = motion::bone_path(skeleton, before, limb.end);
  for (std::size_t f = 0; f < path.size(); ++f)
    report.moved = std::max(report.moved, glm::length(outcome.places[f] - path[f]));
  const DocumentClip source = clip;
  MARROW_CHECK(store_limb(clip, skeleton, limb, after, outcome.places, changed, options.edit, report.clip, context));
  MARROW_TRY(const Clip stored, with_frames(clip, context.limits));
  const auto now = motion::bone_path(skeleton, stored, limb.end);
  for (std::int32_t f = range.first; f <= range.last; ++f)
    report.worst = std::max(report.worst, glm::length(now[count_of(f)] - goals[count_of(f)].place));
  MARROW_TRY(report.between,
             miss_between(clip, skeleton, limb.end, range, goals, target, outcome.missed, context.limits));
  constexpr double kSeenUnits = 0.05, kUsualRate = 1.0 / 30.5;
  if (report.between > kSeenUnits && motion::frame_seconds_of(clip.clip) > kUsualRate)
    context.note(report.end + " is up to " +
                     float_text(static_cast<float>(std::round(report.between * 100.0) / 100.0)) +
                     " units off its place between frames; pinned at twice the frames it is less",
                 clip.name, {}, Cure{"clip resample", {{"fps", std::int64_t{60}}}});
  if (!outcome.missed.empty())
    context.note(report.end + " cannot reach its place at " + std::to_string(outcome.missed.size()) +
                     " frames, the first of them " + std::to_string(outcome.missed.front()) +
                     "; it misses it by up to " + float_text(static_cast<float>(outcome.worst_miss)) + " units",
                 clip.name);
  const std::vector<const DocumentClip*> sources = {&source};
  report.clip.seam = seam_of(clip, {changed.first - 1, changed.last + 1}, sources, &skeleton, context);
  return {};
}

}  // namespace

void describe(FieldList& fields, PinLimbOptions& options) {
  fields("bone", options.bone, {.help = "the end of a limb: a hand, a foot", .placeholder = "BONE", .required = true});
  fields("target", options.target,
         {.help = "where to hold it: at a bone, or at a place in model space",
          .placeholder = "BONE|X,Y,Z",
          .otherwise = "where it is when the range begins"});
  fields("keep_offset", options.keep_offset, {.help = "keep the distance that it has to the target bone at first"});
  describe_range(fields, options.range);
  fields("fade", options.fade,
         {.help = "time outside of the range to get there and back", .unit = "seconds", .placeholder = "S", .min = 0});
  fields("free_end", options.free_end, {.help = "let the bone turn with the limb instead of keeping its direction"});
  fields("chain", options.chain,
         {.help = "upper, lower and end bone of the limb; give it three times",
          .placeholder = "BONE",
          .otherwise = "found by names and lengths"});
  fields.input("skeleton", options.skeleton, kClipSkeleton);
  describe_edit(fields, options.edit);
}

void describe(FieldList& fields, PinnedClip& clip) {
  describe(fields, clip.clip);
  fields("upper", clip.upper, {.help = "upper bone of the limb"});
  fields("lower", clip.lower, {.help = "lower bone of the limb"});
  fields("end", clip.end, {.help = "the bone that is held"});
  fields("moved", clip.moved, {.help = "most that it was moved", .unit = "units"});
  fields("worst", clip.worst, {.help = "largest distance from its place in the range, as stored", .unit = "units"});
  fields("between", clip.between, {.help = "the same half way between frames", .unit = "units"});
  fields("hips_moved", clip.hips_moved, {.help = "most that the hips were moved", .unit = "units"});
  fields("missed", clip.missed, {.help = "frames at which the place is out of reach"});
}

void describe(FieldList& fields, PinReport& report) { fields("clips", report.clips); }

void describe(FieldList& fields, SmoothOptions& options) {
  fields("bones", options.bones,
         {.help = "bones that match; may be repeated", .placeholder = "PATTERN", .otherwise = "all"});
  fields("degrees", options.degrees,
         {.help = "most that a frame may be turned; twice the jitter is right",
          .unit = "degrees",
          .placeholder = "D",
          .min = 0,
          .above_min = true,
          .required = true});
  fields.input("skeleton", options.skeleton, kClipSkeleton);
  describe_edit(fields, options.edit);
}

Result<PinReport> pin_bone(Document& document, const PinLimbOptions& options, Context& context) {
  PinReport report;
  const Document* holder = &document;
  MARROW_TRY(const ClipEditReport edited,
             for_each_clip(document, options.edit, context, [&](DocumentClip& clip, EditedClip& own) -> Result<void> {
               PinnedClip pinned{.clip = own};
               MARROW_CHECK(pin_one(*holder, clip, options, pinned, context));
               own = pinned.clip;
               report.clips.push_back(std::move(pinned));
               return {};
             }));
  for (std::size_t i = 0; i < report.clips.size(); ++i) report.clips[i].clip = edited.clips[i];
  return report;
}

Result<ClipEditReport> smooth_bones(Document& document, const SmoothOptions& options, Context& context) {
  const Document* holder = &document;
  return for_each_clip(document, options.edit, context, [&](DocumentClip& clip, EditedClip& report) -> Result<void> {
    std::vector<bool> chosen(count_of(clip.clip.track_count), true);
    if (!options.bones.empty()) {
      MARROW_TRY(const std::vector<std::string> names, names_of(*holder, clip, options.skeleton, context));
      for (std::size_t t = 0; t < chosen.size(); ++t)
        chosen[t] = std::ranges::any_of(options.bones,
                                        [&](const std::string& pattern) { return is_bone_name(pattern, names[t]); });
      if (std::ranges::find(chosen, true) == chosen.end())
        context.note("no bone of the clip matches; nothing changes", clip.name);
    }
    MARROW_TRY(Clip frames, with_frames(clip, context.limits));
    std::vector<Quat> rotations(count_of(frames.frame_count));
    // What smoothing won would be lost again to a coarse encoding.
    ClipEditOptions close = options.edit;
    close.max_rotation_error = std::min(close.tolerance().rotation_degrees, options.degrees / 4.0);
    // The bound holds for what is stored, so that its rounding is taken off first.
    const double rounding = options.edit.encodings == codec::EncodingSet::All ? 0.005 : 0.0397;
    const double bound =
        std::max(options.degrees / 2.0, options.degrees - std::max(*close.max_rotation_error, rounding));
    for (std::size_t t = 0; t < chosen.size(); ++t) {
      if (!chosen[t]) continue;
      for (std::size_t f = 0; f < rotations.size(); ++f)
        rotations[f] = frames.transforms[f * chosen.size() + t].rotation;
      const bool moves = std::ranges::any_of(rotations, [&](const Quat& q) { return q != rotations.front(); });
      if (!moves) continue;
      motion::smooth_rotations(rotations, bound);
      for (std::size_t f = 0; f < rotations.size(); ++f)
        frames.transforms[f * chosen.size() + t].rotation = rotations[f];
    }
    const FrameRange all{0, frames.frame_count - 1};
    return replace_frames(clip, std::move(frames), all, close, report, context);
  });
}

}  // namespace marrow
