// SPDX-License-Identifier: MIT
#include "ops/clip/edit_support.h"

#include <algorithm>
#include <cmath>

#include "codec/whole_curves.h"
#include "core/nearest.h"
#include "core/try.h"
#include "marrow/core/text.h"
#include "motion/edit/seam.h"
#include "motion/edit/splice_clip.h"
#include "ops/clip/choose_clip.h"
#include "ops/clip/compress.h"
#include "ops/document/origin.h"
#include "ops/document/spline_motion.h"
#include "ops/pair/paired.h"

namespace marrow {
namespace {

Result<double> event_time(const Clip& clip, const std::string& text, std::string_view option) {
  std::optional<float> found;
  std::vector<std::string_view> texts;
  for (const AnnotationTrack& track : clip.annotation_tracks)
    for (const Annotation& event : track.annotations) {
      texts.push_back(event.text);
      if (matches(text, event.text) && (!found || event.time_seconds < *found)) found = event.time_seconds;
    }
  if (!found)
    return fail(ErrorCode::BadOption, "the clip has no event '" + text + "'" + did_you_mean(text, texts), kNoOffset,
                std::string(option));
  return static_cast<double>(*found);
}

/// One end of a range.
struct EndWords {
  std::string_view seconds, frame, event;
};

Result<std::int32_t> end_of(const Clip& clip, std::optional<double> seconds, std::optional<std::int32_t> frame,
                            const std::string& event, std::int32_t otherwise, const EndWords& words, Context& context) {
  const int given = seconds.has_value() + frame.has_value() + !event.empty();
  if (given > 1)
    return fail(ErrorCode::BadOption, "give the end of a range as a time, a frame or an event", kNoOffset,
                std::string(words.seconds));
  if (given == 0) return otherwise;
  if (!event.empty()) {
    MARROW_TRY(seconds, event_time(clip, event, words.event));
  }
  const std::int32_t asked = frame ? *frame : frame_at(clip, *seconds);
  if (asked <= clip.frame_count - 1) return asked;
  context.note("the clip ends at frame " + std::to_string(clip.frame_count - 1) + " (" +
               float_text(clip.duration_seconds) + " s); the range ends there");
  return clip.frame_count - 1;
}

// Motion of other programs is read at the rate of the games: frames that an option counts are those.
void note_rate(const Document& document, std::size_t clip, Context& context) {
  const auto* origin = origin_of<MotionOrigin>(document);
  if (!origin || clip >= origin->source->clips.size() || !(origin->frames_per_second > 0.0)) return;
  const double own = origin->source->clips[clip].frames_per_second, rate = origin->frames_per_second;
  if (std::abs(own - rate) <= 0.01 * rate) return;
  context.note("the clip has " + float_text(static_cast<float>(std::round(own * 100.0) / 100.0)) +
                   " frames per second and is read at " + float_text(static_cast<float>(rate)) +
                   "; a .glb that is made of it at the rate of the source has them all",
               document.clips[clip].name, {}, Cure{"convert", {{"fps", std::string("source")}}});
}

}  // namespace

codec::Tolerance ClipEditOptions::tolerance() const {
  const codec::Tolerance usual;
  return {.rotation_degrees = max_rotation_error.value_or(usual.rotation_degrees),
          .translation = max_position_error.value_or(usual.translation),
          .scale = max_scale_error.value_or(usual.scale),
          .value = max_float_error.value_or(usual.value)};
}

void EditedClip::take(const codec::SpliceReport& report) {
  rotation_error_degrees = std::max(rotation_error_degrees, report.rotation_degrees);
  position_error = std::max(position_error, report.distance);
  new_points += report.new_points;
  encoded_channels += report.encoded_channels;
  past_bound += report.past_bound;
  gap_degrees = std::max(gap_degrees, report.gap_degrees);
  gap_units = std::max(gap_units, report.gap_distance);
}

void EditedClip::take(const codec::EncodeErrors& errors, std::size_t channels) {
  rotation_error_degrees = std::max(rotation_error_degrees, errors.rotation_degrees);
  position_error = std::max(position_error, errors.translation);
  encoded_channels += channels;
  past_bound += errors.channels_past_tolerance;
}

Result<ClipEditReport> for_each_clip(Document& document, const ClipEditOptions& options, Context& context,
                                     const std::function<Result<void>(DocumentClip&, EditedClip&)>& edit) {
  MARROW_TRY(const std::vector<std::size_t> chosen, chosen_clips(document, options.clip));
  ClipEditReport report;
  for (const std::size_t i : chosen) {
    MARROW_CHECK(context.report(static_cast<double>(report.clips.size()) / static_cast<double>(chosen.size())));
    DocumentClip& clip = document.clips[i];
    if (clip.undecoded) return no_motion(clip);
    note_rate(document, i, context);
    EditedClip& edited = report.clips.emplace_back();
    edited.name = clip.name;
    edited.frames_before = clip.clip.frame_count;
    MARROW_CHECK(edit(clip, edited));
    edited.frames = clip.clip.frame_count;
    edited.duration_seconds = static_cast<double>(clip.clip.duration_seconds);
  }
  return report;
}

std::int32_t frame_at(const Clip& clip, double seconds) {
  return static_cast<std::int32_t>(std::clamp(std::floor(seconds / motion::frame_seconds_of(clip) + 0.5), 0.0, 1e9));
}

double fade_frames(double seconds, const Clip& clip) { return std::max(1.0, seconds / motion::frame_seconds_of(clip)); }

FrameRange with_fade(FrameRange range, double fade_frames, std::int32_t frame_count) {
  constexpr double kRounding = 1e-4;  // of times that mean whole frames
  const auto reach = static_cast<std::int32_t>(std::ceil(std::clamp(fade_frames - kRounding, 0.0, 1e6)));
  return {std::max(0, range.first - reach), std::min(frame_count - 1, range.last + reach)};
}

Result<FrameRange> frames_of(const Clip& clip, const ClipRange& range, std::int32_t least, Context& context) {
  MARROW_TRY(const std::int32_t first, end_of(clip, range.from, range.from_frame, range.from_event, 0,
                                              {"from", "from_frame", "from_event"}, context));
  MARROW_TRY(const std::int32_t last,
             end_of(clip, range.to, range.to_frame, range.to_event, std::max(clip.frame_count - 1, 0),
                    {"to", "to_frame", "to_event"}, context));
  if (last - first + 1 < least)
    return fail(ErrorCode::BadOption,
                "the range is empty: it goes from frame " + std::to_string(first) + " to frame " +
                    std::to_string(last) + " of a clip of " + std::to_string(clip.frame_count) + " frames",
                kNoOffset, "to");
  return FrameRange{first, last};
}

Result<std::optional<codec::SplineBlob>> curves_of(const DocumentClip& clip, const Limits& limits) {
  if (!clip.spline || clip.as_frames) {
    if (clip.has_frames()) return std::nullopt;
    return no_motion(clip);
  }
  MARROW_TRY(codec::SplineBlob blob, spline_of(clip, limits));
  // A cut does not continue curves that end early: they are made whole first.
  if (codec::has_short_curves(blob))
    blob = codec::with_whole_curves(blob, {.rotation_degrees = 0.02, .translation = 0.004});
  return blob;
}

Result<void> set_curves(DocumentClip& clip, const codec::SplineBlob& blob) {
  MARROW_TRY(clip.spline, codec::stored(blob));
  clip.clip.transforms.clear();
  clip.clip.floats.clear();
  return {};
}

Result<Clip> with_frames(const DocumentClip& clip, const Limits& limits) {
  DocumentClip copy = clip;
  MARROW_CHECK(decode_frames(copy, limits));
  MARROW_CHECK(validate(copy.clip));
  return std::move(copy.clip);
}

Result<void> replace_by_parts(DocumentClip& clip, std::span<const MotionPart> parts, double frame_seconds,
                              const ClipEditOptions& options, EditedClip& report, Context& context) {
  std::vector<std::optional<codec::SplineBlob>> curves;
  std::vector<Clip> frames;
  bool are_curves = true;
  for (const MotionPart& part : parts) {
    if (!curves.empty() && part.clip == parts[curves.size() - 1].clip) {
      curves.push_back(curves.back());
    } else {
      MARROW_TRY(curves.emplace_back(), curves_of(*part.clip, context.limits));
    }
    are_curves = are_curves && curves.back();
  }
  std::vector<motion::ClipPart> headers;
  frames.reserve(parts.size());
  for (const MotionPart& part : parts) {
    if (are_curves) {
      frames.push_back(part.clip->clip);
      frames.back().transforms.clear();
      frames.back().floats.clear();
    } else {
      MARROW_TRY(Clip decoded, with_frames(*part.clip, context.limits));
      frames.push_back(std::move(decoded));
    }
    headers.push_back({&frames.back(), part.first, part.last, part.is_reversed, part.stretch});
  }
  DocumentClip out = *parts.front().clip;
  out.name = clip.name;
  out.source = clip.source;
  out.skeleton = clip.skeleton;
  out.kept_file = clip.kept_file;
  out.clip =
      motion::splice_clips(headers, frame_seconds > 0.0 ? frame_seconds : motion::frame_seconds_of(frames.front()));
  if (!are_curves) {
    out.spline.reset();
  } else {
    std::vector<codec::SplinePart> spline;
    for (std::size_t i = 0; i < parts.size(); ++i)
      spline.push_back({&*curves[i], static_cast<std::uint32_t>(parts[i].first),
                        static_cast<std::uint32_t>(parts[i].last), parts[i].is_reversed,
                        static_cast<std::uint32_t>(parts[i].stretch)});
    MARROW_TRY(const codec::Spliced spliced, codec::splice(spline, options.splice()));
    report.take(spliced.report);
    MARROW_CHECK(set_curves(out, spliced.blob));
  }
  clip = std::move(out);
  return {};
}

Result<Skeleton> skeleton_of(const Document& document, const DocumentClip& clip, const Skeleton* given,
                             Context& context) {
  MARROW_TRY(const Skeleton* found, skeleton_for_clips(document, given, context));
  MARROW_CHECK(validate(*found));
  return skeleton_for(clip.clip, {found});
}

Result<std::vector<std::string>> names_of(const Document& document, const DocumentClip& clip, const Skeleton* given,
                                          Context& context) {
  std::vector<std::string> names = track_names(clip.clip, nullptr);
  const bool are_named = std::ranges::none_of(names, [](const std::string& name) { return name.empty(); });
  if (!given && are_named) return names;
  MARROW_TRY(const Skeleton skeleton, skeleton_of(document, clip, given, context));
  return track_names(clip.clip, &skeleton);
}

bool is_bone_name(std::string_view pattern, std::string_view name) {
  if (matches(pattern, name)) return true;
  // `NPC L Hand` is enough for `NPC L Hand [LHnd]`.
  const std::size_t tag = name.find(" [");
  return tag != std::string_view::npos && equal_ignoring_case(pattern, name.substr(0, tag));
}

Result<std::size_t> named_track(const std::vector<std::string>& names, const std::string& bone) {
  for (std::size_t t = 0; t < names.size(); ++t)
    if (names[t] == bone) return t;
  for (std::size_t t = 0; t < names.size(); ++t)
    if (is_bone_name(bone, names[t])) return t;
  return fail(ErrorCode::NotFound,
              "no track moves a bone '" + bone + "'" +
                  did_you_mean(bone, std::vector<std::string_view>(names.begin(), names.end())),
              kNoOffset, "bone");
}

Result<std::int32_t> bone_named(const Skeleton& skeleton, const std::string& name, std::string_view option) {
  if (const auto exact = find_bone(skeleton, name)) return *exact;
  std::vector<std::string_view> names;
  for (std::size_t b = 0; b < skeleton.bones.size(); ++b) {
    names.push_back(skeleton.bones[b].name);
    if (is_bone_name(name, skeleton.bones[b].name)) return static_cast<std::int32_t>(b);
  }
  return fail(ErrorCode::NotFound, "the skeleton has no bone '" + name + "'" + did_you_mean(name, names), kNoOffset,
              std::string(option));
}

std::optional<SeamReport> seam_of(const DocumentClip& clip, FrameRange changed,
                                  std::span<const DocumentClip* const> sources, const Skeleton* skeleton,
                                  Context& context) {
  const auto own = with_frames(clip, context.limits);
  if (!own || own->frame_count < 3) return std::nullopt;
  std::vector<Clip> frames;
  for (const DocumentClip* source : sources) {
    auto decoded = with_frames(*source, context.limits);
    if (!decoded || decoded->track_count != own->track_count) return std::nullopt;
    frames.push_back(std::move(*decoded));
  }
  std::vector<const Clip*> pointers;
  for (const Clip& each : frames) pointers.push_back(&each);
  const motion::Seam seam = motion::judge_seam(*own, changed.first, changed.last, pointers);
  std::vector<std::string> names = track_names(clip.clip, nullptr);
  if (skeleton && std::ranges::find(names, std::string()) != names.end()) {
    const Skeleton named = skeleton_for(clip.clip, {skeleton});
    names = track_names(clip.clip, &named);
  }
  SeamReport report{.frame = seam.frame,
                    .factor = seam.factor,
                    .track = seam.track < names.size() && !names[seam.track].empty()
                                 ? names[seam.track]
                                 : "track " + std::to_string(seam.track),
                    .acceleration = seam.acceleration,
                    .inside = seam.inside};
  if (seam.factor > motion::kPopFactor)
    context.note("the motion pops at frame " + std::to_string(seam.frame) + ": " + report.track + " accelerates " +
                     float_text(static_cast<float>(std::round(seam.factor * 10.0) / 10.0)) +
                     " times as fast as inside the clips",
                 clip.name);
  return report;
}

Result<const DocumentClip*> first_clip(const Document& document) {
  if (document.clips.empty()) return in_file({ErrorCode::NoClip, "the file contains no clip"}, document.name);
  return &document.clips.front();
}

}  // namespace marrow
