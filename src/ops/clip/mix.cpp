// SPDX-License-Identifier: MIT
#include "ops/clip/mix.h"

#include <algorithm>
#include <cmath>

#include "core/try.h"
#include "marrow/core/text.h"
#include "marrow/model/pose.h"
#include "motion/edit/blend.h"
#include "motion/edit/splice_clip.h"
#include "motion/edit/time_warp.h"
#include "ops/clip/choose_bones.h"
#include "ops/clip/edit_support.h"
#include "ops/clip/motion_sampler.h"

namespace marrow {
namespace {

// Events of a blend: those that both have, at their common time, and the others of the heavier clip.
void blend_events(Clip& out, const Clip& heavier, const motion::MonotoneCurve& place_of) {
  out.annotation_tracks = heavier.annotation_tracks;
  const double before = std::max(1e-9, static_cast<double>(heavier.duration_seconds));
  for (AnnotationTrack& track : out.annotation_tracks)
    for (Annotation& event : track.annotations)
      event.time_seconds = static_cast<float>(place_of(static_cast<double>(event.time_seconds) / before) *
                                              static_cast<double>(out.duration_seconds));
}

Result<void> blend_by_weight(DocumentClip& clip, const MatchedClip& other, const BlendOptions& options,
                             EditedClip& report, Context& context) {
  const DocumentClip a = clip;
  const DocumentClip& b = other.clip;
  const bool has_all = std::ranges::find(other.lacks, true) == other.lacks.end();
  const double weight = *options.weight;
  if (weight <= 0.0) return {};
  const std::int32_t last_a = a.clip.frame_count - 1, last_b = b.clip.frame_count - 1;
  if (weight >= 1.0 && has_all) {
    const MotionPart part{&b, 0, last_b};
    return replace_by_parts(clip, {&part, 1}, 0.0, options.edit, report, context);
  }
  MARROW_TRY(const MotionSampler sample_a, MotionSampler::open(a, context.limits));
  MARROW_TRY(const MotionSampler sample_b, MotionSampler::open(b, context.limits));
  std::vector<std::pair<double, double>> pairs = {{0.0, 0.0}, {1.0, 1.0}};
  if (!options.no_warp) pairs = motion::matching_times(a.clip, b.clip);
  std::vector<std::pair<double, double>> to_a, to_b, from_heavier;
  for (const auto& [x, y] : pairs) {
    const double s = (1.0 - weight) * x + weight * y;
    to_a.emplace_back(s, x);
    to_b.emplace_back(s, y);
    from_heavier.emplace_back(weight > 0.5 ? y : x, s);
  }
  const motion::MonotoneCurve share_a(to_a), share_b(to_b), place_of(from_heavier);
  Clip out = a.clip;
  const double step = motion::frame_seconds_of(a.clip);
  const auto last = std::max(1, static_cast<std::int32_t>(std::round((1.0 - weight) * last_a + weight * last_b)));
  out.frame_count = last + 1;
  out.duration_seconds = static_cast<float>(last * static_cast<double>(static_cast<float>(step)));
  out.transforms.clear();
  out.floats.clear();
  const auto tracks = count_of(out.track_count), floats = count_of(out.float_track_count);
  std::vector<Transform> pose_a(tracks), pose_b(tracks);
  std::vector<float> values_a(floats), values_b(floats);
  motion::PoseMixer mixer(tracks);
  const auto frame_a = [&](double i) { return share_a(i / last) * last_a; };
  const auto frame_b = [&](double i) { return share_b(i / last) * last_b; };
  const std::uint32_t per_frame = quarters_of(a);
  Clip rows = out;
  for (std::int32_t row = 0; row <= last * static_cast<std::int32_t>(per_frame); ++row) {
    const double i = static_cast<double>(row) / per_frame;
    sample_a.sample_frame(frame_a(i), pose_a);
    sample_b.sample_frame(frame_b(i), pose_b);
    sample_a.sample_floats(frame_a(i), values_a);
    sample_b.sample_floats(frame_b(i), values_b);
    for (std::size_t t = 0; t < tracks; ++t)
      rows.transforms.push_back(other.lacks[t] ? pose_a[t] : mixer.mix(t, pose_a[t], pose_b[t], weight));
    for (std::size_t t = 0; t < floats; ++t)
      rows.floats.push_back(values_a[t] + static_cast<float>(weight) * (values_b[t] - values_a[t]));
  }
  blend_events(out, weight > 0.5 ? b.clip : a.clip, place_of);
  out.root_motion =
      motion::mixed_path(a.clip, b.clip, out.frame_count, frame_a, frame_b, [&](double) { return weight; });
  if (out.root_motion) out.root_motion->duration_seconds = out.duration_seconds;
  if (pairs.size() > 2)
    context.note(std::to_string(pairs.size() - 2) + " events of both clips were brought to the same time", clip.name);
  return set_rows(clip, std::move(out), std::move(rows), per_frame, options.edit, report, context);
}

// From one clip to the other in place: frame i of the result is a mix of frame i of both.
Result<void> blend_over_time(DocumentClip& clip, const DocumentClip& b, const BlendOptions& options, EditedClip& report,
                             Context& context) {
  const DocumentClip a = clip;
  const std::int32_t last_a = a.clip.frame_count - 1, last_b = b.clip.frame_count - 1;
  const std::int32_t from = options.from ? frame_at(a.clip, *options.from) : 0;
  const std::int32_t to = options.to ? frame_at(a.clip, *options.to) : std::min(last_a, last_b);
  if (from >= to || to > std::min(last_a, last_b))
    return fail(ErrorCode::BadOption,
                "the change must lie in both clips, and begin before it ends: frames " + std::to_string(from) + " to " +
                    std::to_string(to) + " of " + std::to_string(std::min(last_a, last_b)),
                kNoOffset, "to");
  // A crossfade of a clip cut at the end of the change with the other from its start on.
  EditedClip unused;
  DocumentClip head = a, tail = b;
  const MotionPart head_part{&a, from, to}, tail_part{&b, from, to};
  MARROW_CHECK(replace_by_parts(head, {&head_part, 1}, 0.0, options.edit, unused, context));
  MARROW_CHECK(replace_by_parts(tail, {&tail_part, 1}, 0.0, options.edit, unused, context));
  MARROW_TRY(const DocumentClip between,
             made_between(head, tail, to - from, &motion::crossfade, options.edit, report, context));
  std::vector<MotionPart> parts;
  if (from > 0) parts.push_back({&a, 0, from});
  parts.push_back({&between, 0, to - from});
  if (to < last_b) parts.push_back({&b, to, last_b});
  MARROW_CHECK(replace_by_parts(clip, parts, 0.0, options.edit, report, context));
  const std::vector<const DocumentClip*> sources = {&a, &b};
  report.seam = seam_of(clip, {from - 1, to + 1}, sources, options.skeleton, context);
  return {};
}

// The layer as long as the base.
Result<DocumentClip> fitted(DocumentClip over, std::int32_t frames, bool repeat, const ClipEditOptions& options,
                            Context& context) {
  EditedClip unused;
  const std::int32_t last = over.clip.frame_count - 1;
  if (last >= 1 && last < frames - 1 && repeat) {
    const DocumentClip source = over;
    const std::vector<MotionPart> parts(static_cast<std::size_t>((frames - 2) / last + 1),
                                        MotionPart{&source, 0, last});
    MARROW_CHECK(replace_by_parts(over, parts, 0.0, options, unused, context));
  }
  if (over.clip.frame_count > frames) {
    const DocumentClip source = over;
    const MotionPart part{&source, 0, frames - 1};
    MARROW_CHECK(replace_by_parts(over, {&part, 1}, 0.0, options, unused, context));
  }
  return over;
}

void add_events(Clip& clip, const Clip& over) {
  clip.annotation_tracks.resize(std::max(clip.annotation_tracks.size(), over.annotation_tracks.size()));
  for (std::size_t t = 0; t < over.annotation_tracks.size(); ++t)
    for (const Annotation& event : over.annotation_tracks[t].annotations)
      if (event.time_seconds <= clip.duration_seconds) clip.annotation_tracks[t].annotations.push_back(event);
}

// The layer's directions of the topmost chosen bones, under the base's parents.
void keep_directions(Clip& out, const Clip& base, const Clip& over, const Skeleton& skeleton,
                     const std::vector<bool>& chosen) {
  std::vector<bool> is_chosen(skeleton.bones.size(), false);
  for (std::size_t t = 0; t < chosen.size(); ++t)
    if (const std::int32_t bone = bone_of_track(base, t); chosen[t] && bone >= 0 && count_of(bone) < is_chosen.size())
      is_chosen[count_of(bone)] = true;
  std::vector<Transform> own(skeleton.bones.size()), theirs(skeleton.bones.size());
  for (std::int32_t f = 0; f < base.frame_count; ++f) {
    pose_from_frame(skeleton, base, base.frame(f), own);
    pose_from_frame(skeleton, over, over.frame(std::min(f, over.frame_count - 1)), theirs);
    local_to_model(skeleton, own, own);
    local_to_model(skeleton, theirs, theirs);
    for (std::size_t t = 0; t < chosen.size(); ++t) {
      const std::int32_t bone = bone_of_track(base, t);
      if (!chosen[t] || bone < 0 || count_of(bone) >= own.size()) continue;
      const std::int32_t parent = skeleton.bones[count_of(bone)].parent;
      if (parent == kNoBone || is_chosen[count_of(parent)]) continue;
      out.transforms[count_of(f) * chosen.size() + t].rotation =
          glm::normalize(glm::conjugate(own[count_of(parent)].rotation) * theirs[count_of(bone)].rotation);
    }
  }
}

// The base with a share of the chosen tracks of the layer, which holds its last pose.
Clip layered(const Clip& base, const Clip& top, const Skeleton* skeleton, const std::vector<bool>& chosen,
             double weight) {
  Clip layer = base, out = base;
  for (std::int32_t f = 0; f < base.frame_count; ++f)
    for (std::size_t t = 0; t < chosen.size(); ++t)
      if (chosen[t]) layer.transforms[count_of(f) * chosen.size() + t] = top.frame(std::min(f, top.frame_count - 1))[t];
  if (skeleton) keep_directions(layer, base, top, *skeleton, chosen);
  motion::PoseMixer mixer(chosen.size());
  for (std::int32_t f = 0; f < base.frame_count; ++f)
    for (std::size_t t = 0; t < chosen.size(); ++t)
      if (chosen[t])
        out.transforms[count_of(f) * chosen.size() + t] = mixer.mix(t, base.frame(f)[t], layer.frame(f)[t], weight);
  return out;
}

Result<void> layer_one(const Document& document, DocumentClip& clip, const LayerOptions& options, EditedClip& report,
                       Context& context) {
  MARROW_TRY(std::vector<bool> chosen, chosen_tracks(document, clip, options.choice, context));
  MARROW_TRY(const DocumentClip* given, first_clip(*options.over));
  MARROW_TRY(MatchedClip found,
             matched(clip, *given, options.choice.skeleton, options.edit, context, LackingTracks::Own));
  leave_own_tracks(chosen, found.lacks);
  MARROW_TRY(const DocumentClip over,
             fitted(std::move(found.clip), clip.clip.frame_count, options.repeat, options.edit, context));
  report.tracks = static_cast<std::size_t>(std::ranges::count(chosen, true));
  if (report.tracks == 0) {
    context.note("no bone of the clip matches; nothing changes", clip.name);
    return {};
  }
  if (options.events) add_events(clip.clip, over.clip);
  MARROW_TRY(auto curves, curves_of(clip, context.limits));
  MARROW_TRY(const auto other, curves_of(over, context.limits));
  const bool is_copy = options.weight >= 1.0 && !options.model && curves && other &&
                       curves->frame_count == other->frame_count &&
                       curves->max_frames_per_block == other->max_frames_per_block;
  if (is_copy) {
    for (std::size_t b = 0; b < curves->blocks.size(); ++b)
      for (std::size_t t = 0; t < chosen.size(); ++t)
        if (chosen[t]) curves->blocks[b].transforms[t] = other->blocks[b].transforms[t];
    return set_curves(clip, *curves);
  }
  Skeleton skeleton;
  if (options.model) {
    MARROW_TRY(skeleton, skeleton_of(document, clip, options.choice.skeleton, context));
  }
  MARROW_TRY(const Clip base, with_frames(clip, context.limits));
  MARROW_TRY(const Clip top, with_frames(over, context.limits));
  Clip out = layered(base, top, options.model ? &skeleton : nullptr, chosen, options.weight);
  const FrameRange whole{0, base.frame_count - 1};
  if (quarters_of(clip) != quarters_of(over))
    return replace_frames(clip, std::move(out), whole, options.edit, report, context);
  MARROW_TRY(const Clip base_rows, with_quarters(clip, context.limits));
  MARROW_TRY(const Clip top_rows, with_quarters(over, context.limits));
  const Clip rows = layered(base_rows, top_rows, options.model ? &skeleton : nullptr, chosen, options.weight);
  return replace_frames(clip, std::move(out), whole, options.edit, report, context, &rows);
}

}  // namespace

Result<std::vector<bool>> chosen_tracks(const Document& document, const DocumentClip& clip, const BoneChoice& choice,
                                        Context& context) {
  if (choice.bones.empty() && choice.below.empty())
    return fail(ErrorCode::BadOption, "name the bones, or a bone with all below it", kNoOffset, "bones");
  std::vector<bool> chosen(count_of(clip.clip.track_count), false);
  MARROW_TRY(const std::vector<std::string> names, choice.below.empty()
                                                       ? names_of(document, clip, choice.skeleton, context)
                                                       : Result<std::vector<std::string>>(std::vector<std::string>()));
  Skeleton skeleton;
  if (!choice.below.empty()) {
    MARROW_TRY(skeleton, skeleton_of(document, clip, choice.skeleton, context));
  }
  const std::vector<std::string> tracks = choice.below.empty() ? names : track_names(clip.clip, &skeleton);
  std::vector<std::string> found;
  for (const std::string& name : choice.below) {
    const std::size_t before = found.size();
    std::vector<bool> is_below(skeleton.bones.size(), false);
    for (std::size_t b = 0; b < skeleton.bones.size(); ++b) {
      const std::int32_t parent = skeleton.bones[b].parent;
      is_below[b] = is_bone_name(name, skeleton.bones[b].name) || (parent >= 0 && is_below[count_of(parent)]);
      if (is_below[b]) found.push_back(skeleton.bones[b].name);
    }
    if (found.size() == before) return std::unexpected(bone_named(skeleton, name, "below").error());
  }
  for (std::size_t t = 0; t < tracks.size(); ++t)
    chosen[t] = std::ranges::any_of(choice.bones,
                                    [&](const std::string& pattern) { return is_bone_name(pattern, tracks[t]); }) ||
                std::ranges::find(found, tracks[t]) != found.end();
  return chosen;
}

void describe_bones(FieldList& fields, BoneChoice& choice) {
  fields("bones", choice.bones, {.help = "bones that match; may be repeated", .placeholder = "PATTERN"});
  fields("below", choice.below, {.help = "a bone and all bones below it; may be repeated", .placeholder = "BONE"});
  fields.input("skeleton", choice.skeleton, kClipSkeleton);
}

void describe(FieldList& fields, BlendOptions& options) {
  fields.input("other", options.other,
               {.help = "the other clip",
                .placeholder = "B",
                .required = true,
                .positional = true,
                .parts = Parts::Skeletons | Parts::Clips});
  fields("weight", options.weight,
         {.help = "share of the other clip: 0 is the first, 1 the other", .placeholder = "W", .min = 0, .max = 1});
  fields("from", options.from,
         {.help = "or: begin here to become the other clip", .unit = "seconds", .placeholder = "S", .min = 0});
  fields("to", options.to, {.help = "and be the other clip here", .unit = "seconds", .placeholder = "S", .min = 0});
  fields("no_warp", options.no_warp, {.help = "leave events that both clips have where they are"});
  fields.input("skeleton", options.skeleton,
               {.help = "the skeleton of the clips, if their tracks differ", .placeholder = "FILE"});
  describe_edit(fields, options.edit);
}

void describe(FieldList& fields, LayerOptions& options) {
  fields.input("over", options.over,
               {.help = "the clip that the bones are taken from",
                .placeholder = "OVER",
                .required = true,
                .positional = true,
                .parts = Parts::Skeletons | Parts::Clips});
  describe_bones(fields, options.choice);
  fields("weight", options.weight, {.help = "share of the layer", .placeholder = "W", .min = 0, .max = 1});
  fields("repeat", options.repeat, {.help = "repeat a shorter layer instead of holding its last pose"});
  fields("events", options.events, {.help = "add the events of the layer"});
  fields("model", options.model, {.help = "keep the direction in the world that the topmost bones have in the layer"});
  describe_edit(fields, options.edit);
}

Result<ClipEditReport> blend_clips(Document& document, const BlendOptions& options, Context& context) {
  const bool is_timed = options.from || options.to;
  if (options.weight.has_value() == is_timed)
    return fail(ErrorCode::BadOption, "give a weight, or the times between which one clip becomes the other", kNoOffset,
                "weight");
  return for_each_clip(document, options.edit, context, [&](DocumentClip& clip, EditedClip& report) -> Result<void> {
    MARROW_TRY(const DocumentClip* given, first_clip(*options.other));
    MARROW_TRY(const MatchedClip other, matched(clip, *given, options.skeleton, options.edit, context,
                                                is_timed ? LackingTracks::Rest : LackingTracks::Own));
    return is_timed ? blend_over_time(clip, other.clip, options, report, context)
                    : blend_by_weight(clip, other, options, report, context);
  });
}

Result<ClipEditReport> layer_clips(Document& document, const LayerOptions& options, Context& context) {
  const Document* holder = &document;
  return for_each_clip(document, options.edit, context, [&](DocumentClip& clip, EditedClip& report) {
    return layer_one(*holder, clip, options, report, context);
  });
}

}  // namespace marrow
