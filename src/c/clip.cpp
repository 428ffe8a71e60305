// SPDX-License-Identifier: MIT
// Clips: frames, tracks, events, root motion.
#include <cmath>

#include "c/convert.h"
#include "c/parts.h"
#include "core/try.h"
#include "model/clip_values.h"

using namespace marrow;
using namespace marrow::c;

namespace {

Outcome<Writing<DocumentObject>> change_clip(marrow_document document, std::uint32_t clip, Parts parts = kClipParts) {
  MARROW_TRY(auto to, writing_with(document, parts));
  MARROW_CHECK(in_range(clip, to->document.clips.size(), "clip"));
  return to;
}

Outcome<void> check_duration(float seconds) {
  if (std::isfinite(seconds) && seconds >= 0.0f) return {};
  return fail_with(MARROW_BAD_ARGUMENT, "is not a length of time", "duration_seconds");
}

// Applies what `info` says beyond counts. `skeletons` is how many the document has.
Outcome<void> apply(const marrow_clip_info& info, std::size_t skeletons, DocumentClip& to) {
  MARROW_CHECK(check_duration(info.duration_seconds));
  const auto blend = static_cast<std::uint32_t>(info.blend);
  if (blend > MARROW_BLEND_ADDITIVE_DEPRECATED) return fail_with(MARROW_BAD_ARGUMENT, "is not a blend hint", "blend");
  if (info.skeleton >= 0) MARROW_CHECK(in_range(static_cast<std::uint32_t>(info.skeleton), skeletons, "skeleton"));
  to.name = view_of(info.name);
  to.clip.skeleton_name = view_of(info.skeleton_name);
  to.clip.duration_seconds = info.duration_seconds;
  to.clip.blend_hint = static_cast<BlendHint>(blend);
  to.skeleton.reset();
  if (info.skeleton >= 0) to.skeleton = static_cast<std::size_t>(info.skeleton);
  return {};
}

}  // namespace

marrow_status marrow_get_clip(marrow_document document, std::uint32_t clip, marrow_clip_info* out) {
  return guarded([&]() -> Outcome<void> {
    MARROW_CHECK(required(out, "out"));
    MARROW_TRY(const auto from, with_clip(document, clip));
    const DocumentClip& c = from->document.clips[clip];
    *out = {.name = text_of(c.name),
            .skeleton_name = text_of(c.clip.skeleton_name),
            .frame_count = static_cast<std::uint32_t>(c.clip.frame_count),
            .track_count = static_cast<std::uint32_t>(c.clip.track_count),
            .float_track_count = static_cast<std::uint32_t>(c.clip.float_track_count),
            .duration_seconds = c.clip.duration_seconds,
            .blend = static_cast<marrow_blend>(c.clip.blend_hint),
            .skeleton = c.skeleton ? static_cast<std::int32_t>(*c.skeleton) : -1,
            .has_root_motion = c.clip.root_motion ? 1u : 0u,
            .is_compressed = c.spline ? 1u : 0u};
    return {};
  });
}

marrow_status marrow_set_clip(marrow_document document, std::uint32_t clip, const marrow_clip_info* info) {
  return guarded([&]() -> Outcome<void> {
    MARROW_CHECK(required(info, "info"));
    MARROW_TRY(const auto to, change_clip(document, clip, kClipParts | kSkeletonParts));
    return apply(*info, to->document.skeletons.size(), to->document.clips[clip]);
  });
}

marrow_status marrow_add_clip(marrow_document document, const marrow_clip_info* info, std::uint32_t* index) {
  return guarded([&]() -> Outcome<void> {
    MARROW_CHECK(required(info, "info"));
    MARROW_TRY(const auto to, writing_with(document, kPartsOfC));
    DocumentClip added;
    MARROW_CHECK(apply(*info, to->document.skeletons.size(), added));
    leave_packfile(to->document);
    if (index) *index = static_cast<std::uint32_t>(to->document.clips.size());
    to->document.clips.push_back(std::move(added));
    return {};
  });
}

marrow_status marrow_remove_clip(marrow_document document, std::uint32_t clip) {
  return guarded([&]() -> Outcome<void> {
    MARROW_TRY(const auto to, change_clip(document, clip, kPartsOfC));
    leave_packfile(to->document);
    to->document.clips.erase(to->document.clips.begin() + clip);
    return {};
  });
}

marrow_status marrow_get_frames(marrow_document document, std::uint32_t clip, const marrow_context* context,
                                marrow_frames* out) {
  return guarded([&]() -> Outcome<void> {
    MARROW_CHECK(required(out, "out"));
    CallContext called(context);
    MARROW_TRY(const auto to, change_clip(document, clip));
    DocumentClip& c = to->document.clips[clip];
    if (auto decoded = decode_frames(c, called->limits); !decoded)
      return in_file(std::move(decoded).error(), to->document.name);
    *out = {.data = reinterpret_cast<float*>(c.clip.transforms.data()),
            .floats = c.clip.floats.empty() ? nullptr : c.clip.floats.data(),
            .frame_count = static_cast<std::uint32_t>(c.clip.frame_count),
            .track_count = static_cast<std::uint32_t>(c.clip.track_count),
            .float_track_count = static_cast<std::uint32_t>(c.clip.float_track_count),
            .reserved = 0};
    return {};
  });
}

marrow_status marrow_set_frames(marrow_document document, std::uint32_t clip, const marrow_frames* frames,
                                float duration_seconds) {
  return guarded([&]() -> Outcome<void> {
    MARROW_CHECK(required(frames, "frames"));
    MARROW_CHECK(check_duration(duration_seconds));
    constexpr std::uint32_t kMost = 0x7FFFFFFF;
    if (frames->frame_count > kMost || frames->track_count > kMost || frames->float_track_count > kMost)
      return fail_with(MARROW_BAD_ARGUMENT, "a count is out of range", "frames");
    const std::uint64_t transforms = std::uint64_t{frames->frame_count} * frames->track_count;
    const std::uint64_t floats = std::uint64_t{frames->frame_count} * frames->float_track_count;
    if (transforms > 0) MARROW_CHECK(required(frames->data, "frames.data"));
    if (floats > 0) MARROW_CHECK(required(frames->floats, "frames.floats"));
    const Limits limits;
    if (transforms > limits.max_expanded_bytes / sizeof(Transform) ||
        floats > limits.max_expanded_bytes / sizeof(float))
      return fail(ErrorCode::LimitExceeded, "more frames than a clip may have");
    MARROW_TRY(const auto to, change_clip(document, clip));
    DocumentClip& c = to->document.clips[clip];
    const auto poses = transforms_of(const_cast<const float*>(frames->data), static_cast<std::size_t>(transforms));
    Clip given;
    given.track_count = static_cast<std::int32_t>(frames->track_count);
    given.float_track_count = static_cast<std::int32_t>(frames->float_track_count);
    given.transforms.assign(poses.begin(), poses.end());
    given.floats.assign(frames->floats, frames->floats + floats);
    MARROW_CHECK(check_values(given));
    if (c.clip.track_count != static_cast<std::int32_t>(frames->track_count)) c.clip.track_to_bone.clear();
    if (c.clip.float_track_count != static_cast<std::int32_t>(frames->float_track_count)) c.clip.float_to_slot.clear();
    // A spline of other counts says nothing about these frames.
    if (c.clip.track_count != static_cast<std::int32_t>(frames->track_count) ||
        c.clip.float_track_count != static_cast<std::int32_t>(frames->float_track_count) ||
        c.clip.frame_count != static_cast<std::int32_t>(frames->frame_count))
      c.spline.reset();
    c.clip.frame_count = static_cast<std::int32_t>(frames->frame_count);
    c.clip.track_count = static_cast<std::int32_t>(frames->track_count);
    c.clip.float_track_count = static_cast<std::int32_t>(frames->float_track_count);
    c.clip.duration_seconds = duration_seconds;
    c.clip.transforms = std::move(given.transforms);
    c.clip.floats = std::move(given.floats);
    return {};
  });
}

marrow_status marrow_get_tracks(marrow_document document, std::uint32_t clip, marrow_tracks* out) {
  return guarded([&]() -> Outcome<void> {
    MARROW_CHECK(required(out, "out"));
    MARROW_TRY(const auto from, with_clip(document, clip));
    const Clip& c = from->document.clips[clip].clip;
    *out = {.bones = c.track_to_bone.data(),
            .slots = c.float_to_slot.data(),
            .bone_count = static_cast<std::uint32_t>(c.track_to_bone.size()),
            .slot_count = static_cast<std::uint32_t>(c.float_to_slot.size())};
    return {};
  });
}

marrow_status marrow_set_tracks(marrow_document document, std::uint32_t clip, const marrow_tracks* tracks) {
  return guarded([&]() -> Outcome<void> {
    MARROW_CHECK(required(tracks, "tracks"));
    if (tracks->bone_count > 0) MARROW_CHECK(required(tracks->bones, "tracks.bones"));
    if (tracks->slot_count > 0) MARROW_CHECK(required(tracks->slots, "tracks.slots"));
    MARROW_TRY(const auto to, change_clip(document, clip));
    Clip& c = to->document.clips[clip].clip;
    const auto fits = [](std::uint32_t given, std::int32_t count) {
      return given == 0 || given == static_cast<std::uint32_t>(count);
    };
    if (!fits(tracks->bone_count, c.track_count) || !fits(tracks->slot_count, c.float_track_count))
      return fail_with(MARROW_BAD_ARGUMENT, "has neither one entry per track nor none", "tracks");
    c.track_to_bone.assign(tracks->bones, tracks->bones + tracks->bone_count);
    c.float_to_slot.assign(tracks->slots, tracks->slots + tracks->slot_count);
    return {};
  });
}

marrow_status marrow_get_track_names(marrow_document document, std::uint32_t clip, marrow_text* out,
                                     std::uint32_t capacity, std::uint32_t* count) {
  return guarded([&]() -> Outcome<void> {
    MARROW_TRY(const auto from, with_clip(document, clip));
    const std::vector<AnnotationTrack>& tracks = from->document.clips[clip].clip.annotation_tracks;
    return write_list(tracks.size(), out, capacity, count, [&](std::size_t i) { return text_of(tracks[i].name); });
  });
}

marrow_status marrow_set_track_names(marrow_document document, std::uint32_t clip, const marrow_text* names,
                                     std::uint32_t count) {
  return guarded([&]() -> Outcome<void> {
    if (count > 0) MARROW_CHECK(required(names, "names"));
    MARROW_TRY(const auto to, change_clip(document, clip));
    Clip& c = to->document.clips[clip].clip;
    if (count > std::max<std::size_t>(static_cast<std::size_t>(c.track_count), c.annotation_tracks.size()))
      return fail_with(MARROW_BAD_ARGUMENT, "there are more names than tracks", "count");
    if (c.annotation_tracks.size() < count) c.annotation_tracks.resize(count);
    for (std::uint32_t i = 0; i < count; ++i) c.annotation_tracks[i].name = view_of(names[i]);
    return {};
  });
}

marrow_status marrow_get_annotations(marrow_document document, std::uint32_t clip, marrow_annotation* out,
                                     std::uint32_t capacity, std::uint32_t* count) {
  return guarded([&]() -> Outcome<void> {
    MARROW_TRY(const auto from, with_clip(document, clip));
    std::vector<marrow_annotation> all;
    const std::vector<AnnotationTrack>& tracks = from->document.clips[clip].clip.annotation_tracks;
    for (std::size_t track = 0; track < tracks.size(); ++track)
      for (const Annotation& each : tracks[track].annotations)
        all.push_back({.text = text_of(each.text),
                       .time_seconds = each.time_seconds,
                       .track = static_cast<std::uint32_t>(track)});
    return write_list(all.size(), out, capacity, count, [&](std::size_t i) { return all[i]; });
  });
}

marrow_status marrow_set_annotations(marrow_document document, std::uint32_t clip, const marrow_annotation* annotations,
                                     std::uint32_t count) {
  return guarded([&]() -> Outcome<void> {
    if (count > 0) MARROW_CHECK(required(annotations, "annotations"));
    MARROW_TRY(const auto to, change_clip(document, clip));
    Clip& c = to->document.clips[clip].clip;
    // Tracks keep their names; a clip without any gets as many as the events need.
    std::vector<AnnotationTrack> tracks = c.annotation_tracks;
    for (AnnotationTrack& track : tracks) track.annotations.clear();
    const auto most = std::max<std::size_t>({tracks.size(), static_cast<std::size_t>(c.track_count), 1});
    for (const marrow_annotation& each : std::span(annotations, count)) {
      if (!std::isfinite(each.time_seconds))
        return fail_with(MARROW_BAD_ARGUMENT, "is not a time", "annotations.time_seconds");
      MARROW_CHECK(in_range(each.track, most, "track"));
      if (tracks.size() <= each.track) tracks.resize(each.track + 1);
      tracks[each.track].annotations.push_back(
          {.time_seconds = each.time_seconds, .text = std::string(view_of(each.text))});
    }
    c.annotation_tracks = std::move(tracks);
    return {};
  });
}

marrow_status marrow_get_root_motion(marrow_document document, std::uint32_t clip, marrow_root_motion* out) {
  return guarded([&]() -> Outcome<void> {
    MARROW_CHECK(required(out, "out"));
    MARROW_TRY(const auto from, with_clip(document, clip));
    *out = {};
    const std::optional<RootMotion>& motion = from->document.clips[clip].clip.root_motion;
    if (!motion) return {};
    out->samples = reinterpret_cast<const float*>(motion->samples.data());
    out->sample_count = static_cast<std::uint32_t>(motion->samples.size());
    out->duration_seconds = motion->duration_seconds;
    std::copy_n(&motion->up.x, 4, out->up);
    std::copy_n(&motion->forward.x, 4, out->forward);
    return {};
  });
}

marrow_status marrow_set_root_motion(marrow_document document, std::uint32_t clip, const marrow_root_motion* motion) {
  return guarded([&]() -> Outcome<void> {
    MARROW_CHECK(required(motion, "motion"));
    MARROW_CHECK(check_duration(motion->duration_seconds));
    if (motion->sample_count > 0) MARROW_CHECK(required(motion->samples, "motion.samples"));
    std::optional<RootMotion> made;
    if (motion->sample_count > 0) {
      made.emplace();
      made->duration_seconds = motion->duration_seconds;
      made->up = {motion->up[0], motion->up[1], motion->up[2], motion->up[3]};
      made->forward = {motion->forward[0], motion->forward[1], motion->forward[2], motion->forward[3]};
      for (std::size_t i = 0; i < motion->sample_count; ++i) {
        const float* at = motion->samples + i * 4;
        if (!std::isfinite(at[0] + at[1] + at[2] + at[3]))
          return fail_with(MARROW_BAD_ARGUMENT, "is not finite", "motion.samples");
        made->samples.emplace_back(at[0], at[1], at[2], at[3]);
      }
    }
    MARROW_TRY(const auto to, change_clip(document, clip));
    to->document.clips[clip].clip.root_motion = std::move(made);
    return {};
  });
}
