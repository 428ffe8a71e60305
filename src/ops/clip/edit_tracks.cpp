// SPDX-License-Identifier: MIT
// Tracks picked, ordered and matched between clips, on curves or stored frames.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <type_traits>

#include "core/try.h"
#include "marrow/core/text.h"
#include "motion/edit/root_path.h"
#include "motion/edit/splice_clip.h"
#include "ops/clip/edit_support.h"
#include "ops/clip/motion_sampler.h"
#include "ops/clip/skeleton_fit.h"
#include "ops/clip/tracks.h"

namespace marrow {
namespace {

bool has_same_tracks(const Clip& a, const Clip& b) {
  if (a.track_count != b.track_count) return false;
  for (std::size_t t = 0; t < count_of(a.track_count); ++t)
    if (bone_of_track(a, t) != bone_of_track(b, t)) return false;
  return true;
}

// For each track of `clip` the track of `other` that moves the same bone, or -1.
Result<std::vector<std::int32_t>> same_tracks(const Clip& clip, const Clip& other, const Skeleton* skeleton) {
  const std::vector<std::string> names = track_names(clip, skeleton), others = track_names(other, skeleton);
  const auto are_named = [](const std::vector<std::string>& all) {
    return std::ranges::none_of(all, [](const std::string& name) { return name.empty(); });
  };
  const bool by_name = are_named(names) && are_named(others);
  // Skeletons that programs write into glTF may have no name; neither have their clips.
  const bool by_bone = clip.skeleton_name == other.skeleton_name;
  if (!by_name && !by_bone)
    return fail(ErrorCode::NeedsSkeleton, "the clips have " + std::to_string(clip.track_count) + " and " +
                                              std::to_string(other.track_count) +
                                              " tracks, and nothing says which of them move the same bones");
  std::vector<std::int32_t> tracks;
  for (std::size_t t = 0; t < names.size(); ++t) {
    std::int32_t found = -1;
    for (std::size_t u = 0; u < others.size() && found < 0; ++u)
      if (by_name ? names[t] == others[u] : bone_of_track(clip, t) == bone_of_track(other, u))
        found = static_cast<std::int32_t>(u);
    tracks.push_back(found);
  }
  return tracks;
}

// For each float track of `clip` the one of `other` with the same slot, or -1.
std::vector<std::int32_t> same_floats(const Clip& clip, const Clip& other) {
  std::vector<std::int32_t> tracks;
  for (std::size_t t = 0; t < count_of(clip.float_track_count); ++t) {
    std::int32_t found = -1;
    for (std::size_t u = 0; u < count_of(other.float_track_count) && found < 0; ++u)
      if (slot_of_track(clip, t) == slot_of_track(other, u)) found = static_cast<std::int32_t>(u);
    tracks.push_back(found);
  }
  return tracks;
}

// Picks and orders float tracks; -1 is a new one, which is 0 throughout.
Result<void> select_floats(DocumentClip& clip, std::span<const std::int32_t> tracks, const Limits& limits) {
  MARROW_TRY(std::optional<codec::SplineBlob> curves, curves_of(clip, limits));
  const auto picked = [&](const auto& from) {
    std::remove_cvref_t<decltype(from)> out;
    for (const std::int32_t track : tracks) {
      if (track < 0)
        out.emplace_back();
      else
        out.push_back(from[count_of(track)]);
    }
    return out;
  };
  Clip& own = clip.clip;
  std::vector<float> floats;
  if (!curves)
    for (std::int32_t f = 0; f < own.frame_count; ++f) {
      const std::size_t width = count_of(own.float_track_count);
      const auto row = std::span(own.floats).subspan(count_of(f) * width, width);
      std::ranges::copy(picked(std::vector<float>(row.begin(), row.end())), std::back_inserter(floats));
    }
  own.floats = std::move(floats);
  own.float_track_count = static_cast<std::int32_t>(tracks.size());
  if (!curves) {
    clip.spline.reset();
    return {};
  }
  for (codec::SplineBlock& block : curves->blocks) block.floats = picked(block.floats);
  return set_curves(clip, *curves);
}

// Bones of another body would move to the wrong places, and an additive clip would turn the wrong bones.
Result<void> doubt_other_body(const DocumentClip& clip, const DocumentClip& given, const DocumentClip& other,
                              const std::vector<bool>& lacks, Context& context) {
  const Clip &a = clip.clip, &b = given.clip;
  const std::string was_made = given.name + " was probably made for another skeleton than " + clip.name + ": ";
  if (b.blend_hint == BlendHint::Normal) {
    MARROW_TRY(const SkeletonFit fit, fit_of(clip, other, lacks, context.limits));
    if (fit.is_other())
      context.note(was_made + std::to_string(fit.compared - fit.same) + " of " + std::to_string(fit.compared) +
                       " bones are in other places",
                   given.name, {}, Cure{"retarget"});
    return {};
  }
  const auto is_named = [](const AnnotationTrack& track) { return !track.name.empty(); };
  if (std::ranges::any_of(b.annotation_tracks, is_named)) return {};
  const bool differ = a.track_to_bone.empty() && b.track_to_bone.empty() && a.track_count != b.track_count;
  const bool are_for_others =
      !a.skeleton_name.empty() && !b.skeleton_name.empty() && a.skeleton_name != b.skeleton_name;
  if (differ)
    context.note(was_made + "it has " + std::to_string(b.track_count) + " tracks, and the other clip has " +
                     std::to_string(a.track_count),
                 given.name);
  else if (are_for_others)
    context.note(was_made + "they name the skeletons " + b.skeleton_name + " and " + a.skeleton_name, given.name);
  return {};
}

}  // namespace

codec::TransformTrack still_track(const Transform& pose) {
  codec::TransformTrack track;
  const auto fill = [](codec::VectorChannel& channel, const Vec3& value, float identity) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const float component = value[static_cast<int>(axis)];
      if (component == identity) continue;
      channel.flags |= static_cast<std::uint8_t>(codec::kStaticAxis << axis);
      channel.range[axis] = {component, component};
    }
  };
  fill(track.translation, pose.translation, 0.0f);
  fill(track.scale, pose.scale, 1.0f);
  const Quat& q = pose.rotation;
  if (q != make_quat(0, 0, 0, 1)) {
    codec::SplineBlob one{.frame_count = 1, .blocks = {{.transforms = {{}}}}};
    codec::turn_track(one, 0, {q.x, q.y, q.z, q.w}, codec::TurnSpace::Parent);
    track.rotation = one.blocks[0].transforms[0].rotation;
  }
  return track;
}

std::vector<std::string> track_names(const Clip& clip, const Skeleton* skeleton) {
  std::vector<std::string> names(count_of(clip.track_count));
  for (std::size_t t = 0; t < names.size(); ++t) {
    const std::int32_t bone = bone_of_track(clip, t);
    if (skeleton && bone >= 0 && count_of(bone) < skeleton->bones.size())
      names[t] = skeleton->bones[count_of(bone)].name;
    else if (t < clip.annotation_tracks.size())
      names[t] = clip.annotation_tracks[t].name;
  }
  return names;
}

Result<void> select_tracks(DocumentClip& clip, std::span<const std::int32_t> tracks, std::span<const Transform> fill,
                           const Limits& limits) {
  MARROW_TRY(std::optional<codec::SplineBlob> curves, curves_of(clip, limits));
  Clip& own = clip.clip;
  if (curves) {
    own.transforms.clear();
    own.floats.clear();
  }
  std::vector<Transform> transforms;
  if (!own.transforms.empty())
    for (std::int32_t f = 0; f < own.frame_count; ++f)
      for (std::size_t i = 0; i < tracks.size(); ++i)
        transforms.push_back(tracks[i] < 0 ? fill[i] : own.frame(f)[count_of(tracks[i])]);
  std::vector<AnnotationTrack> events(tracks.size());
  std::vector<bool> is_kept(std::max(own.annotation_tracks.size(), count_of(own.track_count)), false);
  for (std::size_t i = 0; i < tracks.size(); ++i)
    if (tracks[i] >= 0) {
      is_kept[count_of(tracks[i])] = true;
      if (count_of(tracks[i]) < own.annotation_tracks.size()) events[i] = own.annotation_tracks[count_of(tracks[i])];
    }
  for (std::size_t t = 0; t < own.annotation_tracks.size() && !events.empty(); ++t)
    if (!is_kept[t])
      events.front().annotations.insert(events.front().annotations.end(), own.annotation_tracks[t].annotations.begin(),
                                        own.annotation_tracks[t].annotations.end());
  if (curves)
    for (codec::SplineBlock& block : curves->blocks) {
      std::vector<codec::TransformTrack> picked;
      for (std::size_t i = 0; i < tracks.size(); ++i)
        picked.push_back(tracks[i] < 0 ? still_track(fill[i]) : block.transforms[count_of(tracks[i])]);
      block.transforms = std::move(picked);
    }
  own.transforms = std::move(transforms);
  own.track_count = static_cast<std::int32_t>(tracks.size());
  own.annotation_tracks = std::move(events);
  if (curves) return set_curves(clip, *curves);
  clip.spline.reset();
  return {};
}

void leave_own_tracks(std::vector<bool>& chosen, const std::vector<bool>& lacks) {
  for (std::size_t t = 0; t < std::min(chosen.size(), lacks.size()); ++t) chosen[t] = chosen[t] && !lacks[t];
}

Result<MatchedClip> matched(const DocumentClip& clip, const DocumentClip& other, const Skeleton* skeleton,
                            const ClipEditOptions& options, Context& context, LackingTracks lacking) {
  if ((clip.clip.blend_hint == BlendHint::Normal) != (other.clip.blend_hint == BlendHint::Normal))
    return fail(ErrorCode::WrongKind, "one of the clips is additive and the other is not");
  MatchedClip found{.clip = other, .lacks = std::vector<bool>(count_of(clip.clip.track_count), false)};
  DocumentClip& out = found.clip;
  if (!has_same_tracks(clip.clip, other.clip)) {
    MARROW_TRY(const std::vector<std::int32_t> tracks, same_tracks(clip.clip, other.clip, skeleton));
    std::vector<Transform> fill(tracks.size());
    std::size_t missing = 0;
    for (std::size_t t = 0; t < tracks.size(); ++t) {
      if (tracks[t] >= 0) continue;
      ++missing;
      found.lacks[t] = true;
      if (lacking == LackingTracks::Own) continue;
      const std::int32_t bone = bone_of_track(clip.clip, t);
      if (!skeleton || bone < 0 || count_of(bone) >= skeleton->bones.size())
        return fail(ErrorCode::NeedsSkeleton, "a clip lacks tracks, which need the rest pose of the skeleton");
      fill[t] = clip.clip.blend_hint == BlendHint::Normal ? skeleton->bones[count_of(bone)].rest : Transform{};
    }
    const auto left_out = count_of(other.clip.track_count) - (tracks.size() - missing);
    if (left_out > 0 && lacking == LackingTracks::Rest)
      context.note(std::to_string(left_out) + (left_out == 1 ? " track of " : " tracks of ") + other.name +
                   " left out: the first clip has none for the same bones");
    MARROW_CHECK(select_tracks(out, tracks, fill, context.limits));
    out.clip.track_to_bone = clip.clip.track_to_bone;
    if (missing > 0)
      context.note(std::to_string(missing) + " tracks are not in " + other.name +
                   (lacking == LackingTracks::Own ? "; their bones stay as they are" : "; their bones rest there"));
  }
  const std::vector<std::int32_t> floats = same_floats(clip.clip, other.clip);
  bool is_same = floats.size() == count_of(other.clip.float_track_count);
  for (std::size_t t = 0; t < floats.size(); ++t) is_same = is_same && floats[t] == static_cast<std::int32_t>(t);
  if (!is_same) MARROW_CHECK(select_floats(out, floats, context.limits));
  out.clip.float_to_slot = clip.clip.float_to_slot;
  MARROW_CHECK(doubt_other_body(clip, other, out, found.lacks, context));
  const double step = motion::frame_seconds_of(clip.clip), own = motion::frame_seconds_of(out.clip);
  if (std::abs(step - own) <= 1e-4 * step || out.clip.frame_count < 2) return found;
  EditedClip report;
  const auto frames = static_cast<std::int32_t>(std::round(static_cast<double>(out.clip.duration_seconds) / step)) + 1;
  MARROW_CHECK(resample(out, std::max(frames, 2), options, report, context));
  context.note(other.name + " is brought to " + float_text(static_cast<float>(1.0 / step)) + " frames per second");
  return found;
}

Result<void> resample(DocumentClip& clip, std::int32_t frames, const ClipEditOptions& options, EditedClip& report,
                      Context& context) {
  const std::int32_t last = clip.clip.frame_count - 1, new_last = frames - 1;
  const double step = static_cast<double>(clip.clip.duration_seconds) / new_last;
  if (new_last % last == 0) {
    const DocumentClip source = clip;
    const MotionPart whole{&source, 0, last, false, new_last / last};
    return replace_by_parts(clip, {&whole, 1}, step, options, report, context);
  }
  MARROW_TRY(const MotionSampler sampler, MotionSampler::open(clip, context.limits));
  const auto tracks = count_of(clip.clip.track_count), floats = count_of(clip.clip.float_track_count);
  MARROW_TRY(const std::optional<codec::SplineBlob> curves, curves_of(clip, context.limits));
  const std::int32_t rows_per_frame = curves ? 4 : 1, rows = new_last * rows_per_frame + 1;
  std::vector<Transform> transforms(count_of(rows) * tracks);
  std::vector<float> values(count_of(rows) * floats);
  for (std::int32_t row = 0; row < rows; ++row) {
    const double frame = static_cast<double>(row) * last / (rows - 1);
    sampler.sample_frame(frame, std::span(transforms).subspan(count_of(row) * tracks, tracks));
    sampler.sample_floats(frame, std::span(values).subspan(count_of(row) * floats, floats));
  }
  Clip& own = clip.clip;
  own.frame_count = frames;
  own.duration_seconds = static_cast<float>(new_last * static_cast<double>(static_cast<float>(step)));
  if (own.root_motion) {
    own.root_motion = motion::path_at_frames(motion::path_at_frames(*own.root_motion, last + 1), frames);
    own.root_motion->duration_seconds = own.duration_seconds;
  }
  for (AnnotationTrack& track : own.annotation_tracks)
    for (Annotation& event : track.annotations) event.time_seconds = std::min(event.time_seconds, own.duration_seconds);
  if (!curves) {
    own.transforms = std::move(transforms);
    own.floats = std::move(values);
    clip.spline.reset();
    return {};
  }
  MARROW_TRY(const codec::EncodedSpline encoded,
             codec::encode_spline(
                 {.frame_count = static_cast<std::uint32_t>(frames),
                  .track_count = tracks,
                  .float_count = floats,
                  .transforms = {reinterpret_cast<const float*>(transforms.data()), transforms.size() * 10},
                  .floats = values,
                  .rows_per_frame = 4},
                 options.tolerance(), {.encodings = options.encodings, .run_on_threads = context.run_on_threads}));
  report.take(encoded.errors, tracks);
  if (encoded.errors.channels_past_tolerance > 0)
    context.note("the new frames are too far apart for " + std::to_string(encoded.errors.channels_past_tolerance) +
                     " channels; the motion is " + float_text(static_cast<float>(encoded.errors.rotation_degrees)) +
                     " degrees off between them",
                 clip.name);
  return set_curves(clip, encoded.blob);
}

}  // namespace marrow
