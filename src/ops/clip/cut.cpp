// SPDX-License-Identifier: MIT
#include "ops/clip/cut.h"

#include <algorithm>
#include <cmath>

#include "core/try.h"
#include "marrow/core/text.h"
#include "motion/edit/splice_clip.h"
#include "ops/clip/edit_support.h"

namespace marrow {
namespace {

// Rates that differ by less are called the same: durations are stored in single precision.
constexpr double kSameRate = 5e-4;

Result<void> need_frames(const DocumentClip& clip, std::int32_t least) {
  if (clip.clip.frame_count >= least) return {};
  return fail(ErrorCode::WrongKind, "the clip has " + std::to_string(clip.clip.frame_count) + " frames; at least " +
                                        std::to_string(least) + " are needed");
}

}  // namespace

void describe(FieldList& fields, TrimOptions& options) {
  describe_range(fields, options.range);
  describe_edit(fields, options.edit);
}

void describe(FieldList& fields, SpeedOptions& options) {
  fields("factor", options.factor,
         {.help = "2 is twice as fast, 0.5 half as fast", .placeholder = "F", .min = 0, .above_min = true});
  fields(
      "length", options.length,
      {.help = "or how long the clip is to take", .unit = "seconds", .placeholder = "S", .min = 0, .above_min = true});
  describe_edit(fields, options.edit);
}

void describe(FieldList& fields, ResampleOptions& options) {
  fields("fps", options.fps,
         {.help = "frames per second", .placeholder = "N", .min = 0, .above_min = true, .required = true});
  describe_edit(fields, options.edit);
}

void describe(FieldList& fields, ReverseOptions& options) { describe_edit(fields, options.edit); }

void describe(FieldList& fields, RepeatOptions& options) {
  fields("times", options.times,
         {.help = "how often the clip is played", .placeholder = "N", .min = 1, .max = 10000, .required = true});
  describe_edit(fields, options.edit);
}

Result<ClipEditReport> trim_clip(Document& document, const TrimOptions& options, Context& context) {
  return for_each_clip(document, options.edit, context, [&](DocumentClip& clip, EditedClip& report) -> Result<void> {
    MARROW_CHECK(need_frames(clip, 2));
    MARROW_TRY(const FrameRange range, frames_of(clip.clip, options.range, 2, context));
    report.from_frame = range.first;
    report.to_frame = range.last;
    if (range.first == 0 && range.last == clip.clip.frame_count - 1) return {};
    const DocumentClip source = clip;
    const MotionPart part{&source, range.first, range.last};
    MARROW_CHECK(replace_by_parts(clip, {&part, 1}, 0.0, options.edit, report, context));
    for (const std::string& sound : motion::broken_sounds(source.clip, clip.clip))
      context.note("of the events SoundPlay." + sound + " and SoundStop." + sound + " one is kept and one is cut off",
                   clip.name);
    return {};
  });
}

Result<ClipEditReport> change_speed(Document& document, const SpeedOptions& options, Context& context) {
  if (options.factor.has_value() == options.length.has_value())
    return fail(ErrorCode::BadOption, "give either a factor or a length", kNoOffset, "factor");
  return for_each_clip(document, options.edit, context, [&](DocumentClip& each, EditedClip&) -> Result<void> {
    MARROW_CHECK(need_frames(each, 2));
    Clip& clip = each.clip;
    const double before = static_cast<double>(clip.duration_seconds);
    const double factor = options.factor ? *options.factor : before / *options.length;
    if (!(factor > 0.0) || !std::isfinite(factor))
      return fail(ErrorCode::BadOption, "the clip has no duration that could be changed", kNoOffset, "length");
    // The duration of a frame is rounded first, so that frames and duration agree.
    const auto step = static_cast<float>(motion::frame_seconds_of(clip) / factor);
    const double after = (clip.frame_count - 1) * static_cast<double>(step);
    constexpr double kShortest = 1e-4, kLongest = 1e6;  // seconds; beyond them times of events are lost to rounding
    if (!(after >= kShortest && after <= kLongest))
      return fail(ErrorCode::BadOption, "the clip would last " + float_text(static_cast<float>(after)) + " s",
                  kNoOffset, options.factor ? "factor" : "length");
    clip.duration_seconds = static_cast<float>(after);
    for (AnnotationTrack& track : clip.annotation_tracks)
      for (Annotation& event : track.annotations)
        event.time_seconds = std::min(static_cast<float>(static_cast<double>(event.time_seconds) / factor),
                                      std::max(clip.duration_seconds, 0.0f));
    if (clip.root_motion) clip.root_motion->duration_seconds = clip.duration_seconds;
    return {};
  });
}

Result<ClipEditReport> resample_clip(Document& document, const ResampleOptions& options, Context& context) {
  return for_each_clip(document, options.edit, context, [&](DocumentClip& clip, EditedClip& report) -> Result<void> {
    MARROW_CHECK(need_frames(clip, 2));
    const double intervals = std::round(static_cast<double>(clip.clip.duration_seconds) * options.fps);
    if (intervals < 1.0 || intervals > 1e6)
      return fail(ErrorCode::BadOption,
                  "the clip would have " + float_text(static_cast<float>(intervals + 1.0)) + " frames", kNoOffset,
                  "fps");
    const auto frames = static_cast<std::int32_t>(intervals) + 1;
    const double rate = intervals / static_cast<double>(clip.clip.duration_seconds);
    if (std::abs(rate - options.fps) > kSameRate * options.fps)
      context.note("the length is kept, so that there are " +
                       float_text(static_cast<float>(std::round(rate * 1e3) / 1e3)) + " frames per second",
                   clip.name);
    if (frames == clip.clip.frame_count) return {};
    return resample(clip, frames, options.edit, report, context);
  });
}

Result<ClipEditReport> reverse_clip(Document& document, const ReverseOptions& options, Context& context) {
  return for_each_clip(document, options.edit, context, [&](DocumentClip& clip, EditedClip& report) -> Result<void> {
    MARROW_CHECK(need_frames(clip, 2));
    const DocumentClip source = clip;
    const MotionPart part{&source, 0, source.clip.frame_count - 1, true};
    return replace_by_parts(clip, {&part, 1}, 0.0, options.edit, report, context);
  });
}

Result<ClipEditReport> repeat_clip(Document& document, const RepeatOptions& options, Context& context) {
  return for_each_clip(document, options.edit, context, [&](DocumentClip& clip, EditedClip& report) -> Result<void> {
    MARROW_CHECK(need_frames(clip, 2));
    if (options.times == 1) return {};
    const DocumentClip source = clip;
    const std::vector<MotionPart> parts(static_cast<std::size_t>(options.times),
                                        MotionPart{&source, 0, source.clip.frame_count - 1});
    MARROW_CHECK(replace_by_parts(clip, parts, 0.0, options.edit, report, context));
    if (report.gap_degrees > 0.1 || report.gap_units > 0.02)
      context.note("the ends of the clip are " + float_text(static_cast<float>(report.gap_degrees)) + " degrees and " +
                       float_text(static_cast<float>(report.gap_units)) +
                       " units apart, so that it jumps once per round",
                   clip.name, {}, Cure{"clip loop"});
    return {};
  });
}

}  // namespace marrow
