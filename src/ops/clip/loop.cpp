// SPDX-License-Identifier: MIT
#include "ops/clip/loop.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "core/try.h"
#include "marrow/core/text.h"
#include "motion/edit/loop_places.h"
#include "motion/edit/splice_clip.h"
#include "ops/clip/edit_support.h"
#include "ops/document/spline_motion.h"

namespace marrow {
namespace {

// Gaps below these are not reported; nobody sees them.
constexpr double kSeenDegrees = 0.1, kSeenUnits = 0.02;
constexpr double kFarDegrees = 45.0;
constexpr double kNoLoop = 10.0;

Quat turn_of(const Quat& from, const Quat& to) { return to * glm::conjugate(from); }

std::vector<LoopGap> gaps_of(const Clip& clip, const std::vector<std::string>& names) {
  std::vector<LoopGap> gaps;
  const auto first = clip.frame(0), second = clip.frame(1), last = clip.frame(clip.frame_count - 1),
             before = clip.frame(clip.frame_count - 2);
  for (std::size_t t = 0; t < first.size(); ++t)
    gaps.push_back({.track = t < names.size() && !names[t].empty() ? names[t] : "track " + std::to_string(t),
                    .degrees = static_cast<double>(angle_degrees(first[t].rotation, last[t].rotation)),
                    .units = static_cast<double>(glm::length(first[t].translation - last[t].translation)),
                    .spin = static_cast<double>(angle_degrees(turn_of(first[t].rotation, second[t].rotation),
                                                              turn_of(before[t].rotation, last[t].rotation)))});
  return gaps;
}

void take_worst(const std::vector<LoopGap>& gaps, double& degrees, double& units, double& spin) {
  degrees = units = spin = 0.0;
  for (const LoopGap& gap : gaps) {
    degrees = std::max(degrees, gap.degrees);
    units = std::max(units, gap.units);
    spin = std::max(spin, gap.spin);
  }
}

// A character that walks away by its bones would run back at the end of each round.
bool travels(const Clip& clip) {
  if (clip.root_motion) return false;
  for (std::size_t t = 0; t < std::min<std::size_t>(2, static_cast<std::size_t>(clip.track_count)); ++t) {
    float way = 0.0f;
    for (std::int32_t f = 1; f < clip.frame_count; ++f)
      way += glm::length(glm::vec2(clip.frame(f)[t].translation - clip.frame(f - 1)[t].translation));
    const float gap =
        glm::length(glm::vec2(clip.frame(clip.frame_count - 1)[t].translation - clip.frame(0)[t].translation));
    if (gap > 5.0f && gap > 10.0f * way / static_cast<float>(clip.frame_count - 1)) return true;
  }
  return false;
}

// An event at the start that is also at the end would be heard twice per round.
void drop_repeated_events(Clip& clip) {
  const double slack = 0.01 * motion::frame_seconds_of(clip);
  for (AnnotationTrack& track : clip.annotation_tracks) {
    std::vector<std::string> at_start;
    for (const Annotation& event : track.annotations)
      if (static_cast<double>(event.time_seconds) <= slack) at_start.push_back(event.text);
    std::erase_if(track.annotations, [&](const Annotation& event) {
      return static_cast<double>(event.time_seconds) >= static_cast<double>(clip.duration_seconds) - slack &&
             std::ranges::find(at_start, event.text) != at_start.end();
    });
  }
}

Result<void> close_ends(DocumentClip& clip, const LoopClipOptions& options, LoopedClip& report, Context& context) {
  const std::int32_t last = clip.clip.frame_count - 1;
  const double step = motion::frame_seconds_of(clip.clip);
  // Few frames per second: three frames are the least in which a change of velocity can fade.
  const auto usual = static_cast<std::int32_t>(std::min(std::max(3.0, std::round(10.0 / 30.0 / step)), last / 4.0));
  codec::LoopOptions loop{
      .window = static_cast<std::uint32_t>(std::max(1, options.blend ? frame_at(clip.clip, *options.blend) : usual)),
      .velocity_window = static_cast<std::uint32_t>(std::max(1, usual)),
      .splice = options.edit.splice()};
  MARROW_TRY(std::optional<codec::SplineBlob> curves, curves_of(clip, context.limits));
  if (!curves) {
    MARROW_TRY(const codec::EncodedSpline encoded, encode_frames(clip.clip, options.edit, context));
    curves = encoded.blob;
    report.clip.encoded_channels += static_cast<std::size_t>(clip.clip.track_count);
  }
  MARROW_TRY(const codec::Spliced closed, codec::close_loop(*curves, loop));
  report.clip.take(closed.report);
  const bool as_frames = !clip.spline || clip.as_frames;
  MARROW_CHECK(set_curves(clip, closed.blob));
  if (as_frames) {  // stored frames stay stored frames
    MARROW_CHECK(decode_frames(clip, context.limits));
    clip.spline.reset();
  }
  drop_repeated_events(clip.clip);
  return {};
}

// How smooth the clip is where one round leads over to the next, against what it was inside.
std::optional<SeamReport> seam_of_rounds(const DocumentClip& clip, const Clip& closed, const DocumentClip& source,
                                         const Skeleton* skeleton, Context& context) {
  DocumentClip rounds = clip;
  rounds.spline.reset();
  rounds.clip = closed;
  rounds.clip.floats.clear();
  rounds.clip.float_track_count = 0;
  rounds.clip.float_to_slot.clear();
  rounds.clip.root_motion.reset();
  const auto tracks = static_cast<std::ptrdiff_t>(closed.track_count);
  rounds.clip.transforms.insert(rounds.clip.transforms.end(), closed.transforms.begin() + tracks,
                                closed.transforms.end());
  const std::int32_t last = closed.frame_count - 1;
  rounds.clip.frame_count = 2 * last + 1;
  rounds.clip.duration_seconds = 2.0f * closed.duration_seconds;
  const DocumentClip* sources[] = {&source};
  auto seam = seam_of(rounds, {last - 1, last + 1}, sources, skeleton, context);
  if (seam && seam->frame > last) seam->frame -= last;
  return seam;
}

Result<void> find_places(const Document& document, DocumentClip& clip, const LoopClipOptions& options,
                         LoopedClip& report, Context& context) {
  MARROW_TRY(const Skeleton skeleton, skeleton_of(document, clip, options.skeleton, context));
  MARROW_TRY(const Clip frames, with_frames(clip, context.limits));
  for (const motion::AlikeFrames& each : motion::find_loops(skeleton, frames, 3))
    report.places.push_back({each.first, each.last, each.distance});
  if (report.places.empty()) return fail(ErrorCode::WrongKind, "the clip is too short to contain a loop");
  const LoopPlace best = report.places.front();
  if (best.distance > kNoLoop) context.note("no two poses of the clip are alike; it is not a loop", clip.name);
  report.clip.from_frame = best.from_frame;
  report.clip.to_frame = best.to_frame;
  const DocumentClip source = clip;
  const MotionPart part{&source, best.from_frame, best.to_frame};
  return replace_by_parts(clip, {&part, 1}, 0.0, options.edit, report.clip, context);
}

Result<void> loop_one(const Document& document, DocumentClip& clip, const LoopClipOptions& options, LoopedClip& report,
                      Context& context) {
  if (clip.clip.frame_count < 4) return fail(ErrorCode::WrongKind, "a clip of less than four frames cannot be closed");
  MARROW_CHECK(take_saved_motion(document, clip, context.limits));
  if (options.find) MARROW_CHECK(find_places(document, clip, options, report, context));
  // Names are for reading only: without a skeleton tracks have numbers.
  const auto found = names_of(document, clip, options.skeleton, context);
  const std::vector<std::string> names = found ? *found : track_names(clip.clip, nullptr);
  MARROW_TRY(const Clip before, with_frames(clip, context.limits));
  report.gaps = gaps_of(before, names);
  take_worst(report.gaps, report.worst_degrees, report.worst_units, report.worst_spin);
  std::erase_if(report.gaps, [](const LoopGap& gap) { return gap.degrees <= kSeenDegrees && gap.units <= kSeenUnits; });
  std::ranges::stable_sort(report.gaps, std::greater{}, &LoopGap::degrees);
  if (travels(before))
    context.note("the character moves away by its bones and would run back at the end of each round", clip.name, {},
                 Cure{"root-motion extract"});
  if (report.worst_degrees > kFarDegrees && !options.find)
    context.note("the ends are " + float_text(static_cast<float>(std::round(report.worst_degrees))) +
                     " degrees apart; finding the best start and end may give a better loop",
                 clip.name);
  const DocumentClip source = clip;
  MARROW_CHECK(close_ends(clip, options, report, context));
  MARROW_TRY(const Clip after, with_frames(clip, context.limits));
  report.clip.seam = seam_of_rounds(clip, after, source, options.skeleton, context);
  take_worst(gaps_of(after, names), report.left_degrees, report.left_units, report.left_spin);
  for (std::size_t i = 0; i < after.transforms.size(); ++i)
    report.pose_change_degrees =
        std::max(report.pose_change_degrees,
                 static_cast<double>(angle_degrees(before.transforms[i].rotation, after.transforms[i].rotation)));
  return {};
}

}  // namespace

void describe(FieldList& fields, LoopClipOptions& options) {
  fields("blend", options.blend,
         {.help = "time at each end over which the gap is closed",
          .unit = "seconds",
          .placeholder = "S",
          .min = 0,
          .above_min = true,
          .otherwise = "0.33, at most a quarter of the clip"});
  fields("find", options.find, {.help = "find the best start and end, and cut there first"});
  fields.input("skeleton", options.skeleton, kClipSkeleton);
  describe_edit(fields, options.edit);
}

void describe(FieldList& fields, LoopGap& gap) {
  fields("track", gap.track);
  fields("degrees", gap.degrees, {.help = "between the last pose and the first", .unit = "degrees"});
  fields("units", gap.units, {.help = "between the last pose and the first", .unit = "units"});
  fields("spin", gap.spin, {.help = "between the velocities, per frame", .unit = "degrees"});
}

void describe(FieldList& fields, LoopPlace& place) {
  fields("from_frame", place.from_frame);
  fields("to_frame", place.to_frame);
  fields("distance", place.distance, {.help = "between the poses, per joint; over 10 is no loop", .unit = "units"});
}

void describe(FieldList& fields, LoopedClip& clip) {
  describe(fields, clip.clip);
  fields("gaps", clip.gaps, {.help = "tracks whose ends did not meet, worst first"});
  fields("worst_degrees", clip.worst_degrees, {.help = "largest gap before", .unit = "degrees"});
  fields("worst_units", clip.worst_units, {.help = "largest gap before", .unit = "units"});
  fields("worst_spin", clip.worst_spin, {.help = "largest gap of velocities before, per frame", .unit = "degrees"});
  fields("left_degrees", clip.left_degrees, {.help = "largest gap after", .unit = "degrees"});
  fields("left_units", clip.left_units, {.help = "largest gap after", .unit = "units"});
  fields("left_spin", clip.left_spin, {.help = "largest gap of velocities after, per frame", .unit = "degrees"});
  fields("pose_change_degrees", clip.pose_change_degrees, {.help = "most that a bone was turned", .unit = "degrees"});
  fields("places", clip.places, {.help = "starts and ends that were found, best first"});
}

void describe(FieldList& fields, ClipLoopReport& report) { fields("clips", report.clips); }

Result<ClipLoopReport> loop_clip(Document& document, const LoopClipOptions& options, Context& context) {
  ClipLoopReport report;
  const Document* holder = &document;
  MARROW_TRY(const ClipEditReport edited,
             for_each_clip(document, options.edit, context, [&](DocumentClip& clip, EditedClip& own) -> Result<void> {
               LoopedClip looped{.clip = own};
               MARROW_CHECK(loop_one(*holder, clip, options, looped, context));
               own = looped.clip;
               report.clips.push_back(std::move(looped));
               return {};
             }));
  for (std::size_t i = 0; i < report.clips.size(); ++i) report.clips[i].clip = edited.clips[i];
  return report;
}

}  // namespace marrow
