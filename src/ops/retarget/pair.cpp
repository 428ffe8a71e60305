// SPDX-License-Identifier: MIT
#include "ops/retarget/pair.h"

#include <algorithm>
#include <iterator>

#include "core/try.h"

namespace marrow {
namespace {

// Returns the tracks of one actor as a clip of its own skeleton.
Clip clip_of_actor(const Clip& clip, const Skeleton& both, const std::vector<std::int32_t>& bones, const Skeleton& own,
                   bool of_second) {
  Clip out;
  out.skeleton_name = own.name;
  out.frame_count = clip.frame_count;
  out.duration_seconds = clip.duration_seconds;
  out.blend_hint = clip.blend_hint;
  if (!of_second) out.root_motion = clip.root_motion;
  std::vector<std::size_t> tracks;
  for (std::size_t track = 0; track < static_cast<std::size_t>(clip.track_count); ++track) {
    const std::int32_t bone = bone_of_track(clip, track);
    if (std::ranges::find(bones, bone) == bones.end()) continue;
    const auto found = find_bone(own, own_name(both.bones[static_cast<std::size_t>(bone)].name));
    if (!found) continue;
    tracks.push_back(track);
    out.track_to_bone.push_back(static_cast<std::int16_t>(*found));
    out.annotation_tracks.push_back({{},
                                     track < clip.annotation_tracks.size() ? clip.annotation_tracks[track].annotations
                                                                           : std::vector<Annotation>{}});
  }
  out.track_count = static_cast<std::int32_t>(tracks.size());
  for (std::int32_t frame = 0; frame < clip.frame_count; ++frame)
    for (const std::size_t track : tracks) out.transforms.push_back(clip.frame(frame)[track]);
  return out;
}

std::optional<std::size_t> track_of_bone(const Clip& clip, std::int32_t bone) {
  for (std::size_t track = 0; bone != kNoBone && track < static_cast<std::size_t>(clip.track_count); ++track)
    if (bone_of_track(clip, track) == bone) return track;
  return std::nullopt;
}

/// Puts tracks together, one after another.
class PairBuilder {
 public:
  PairBuilder(const Clip& source, const Skeleton& target) : source_(source), target_(target) {
    tracks_.resize(static_cast<std::size_t>(source.frame_count));
  }

  void add_place(std::int32_t bone, std::int32_t source_bone, float scale) {
    const auto track = track_of_bone(source_, source_bone);
    for (std::int32_t frame = 0; frame < source_.frame_count; ++frame) {
      Transform place = track ? source_.frame(frame)[*track] : Transform{};
      place.translation *= scale;
      tracks_[static_cast<std::size_t>(frame)].push_back(place);
    }
    add_name(bone, track && *track < source_.annotation_tracks.size() ? source_.annotation_tracks[*track].annotations
                                                                      : std::vector<Annotation>{});
  }

  void add_actor(const Clip& clip, const std::vector<std::int32_t>& bones) {
    for (std::int32_t frame = 0; frame < clip.frame_count; ++frame)
      std::ranges::copy(clip.frame(frame), std::back_inserter(tracks_[static_cast<std::size_t>(frame)]));
    for (std::size_t track = 0; track < static_cast<std::size_t>(clip.track_count); ++track)
      add_name(bones[static_cast<std::size_t>(bone_of_track(clip, track))],
               track < clip.annotation_tracks.size() ? clip.annotation_tracks[track].annotations
                                                     : std::vector<Annotation>{});
  }

  Clip finish() {
    Clip clip = std::move(out_);
    clip.skeleton_name = target_.name;
    clip.frame_count = source_.frame_count;
    clip.duration_seconds = source_.duration_seconds;
    clip.blend_hint = source_.blend_hint;
    clip.track_count = static_cast<std::int32_t>(clip.track_to_bone.size());
    for (const auto& frame : tracks_) std::ranges::copy(frame, std::back_inserter(clip.transforms));
    bool is_straight = clip.track_to_bone.size() == target_.bones.size();
    for (std::size_t i = 0; i < clip.track_to_bone.size(); ++i)
      is_straight = is_straight && clip.track_to_bone[i] == static_cast<std::int16_t>(i);
    if (is_straight) clip.track_to_bone.clear();
    return clip;
  }

 private:
  void add_name(std::int32_t bone, std::vector<Annotation> events) {
    out_.track_to_bone.push_back(static_cast<std::int16_t>(bone));
    out_.annotation_tracks.push_back({target_.bones[static_cast<std::size_t>(bone)].name, std::move(events)});
  }

  const Clip& source_;
  const Skeleton& target_;
  Clip out_;
  std::vector<std::vector<Transform>> tracks_;  // by frame
};

}  // namespace

Result<RetargetedPair> retarget_pair(const Clip& clip, const Skeleton& skeleton, const RetargetedActors& actors) {
  const PairedParts parts = paired_parts(skeleton);
  const Clip first = clip_of_actor(clip, skeleton, parts.first, *actors.from.first, false);
  const Clip second = clip_of_actor(clip, skeleton, parts.second, actors.from.other(), true);
  MARROW_TRY(RetargetedClip ours, retarget_clip(first, *actors.from.first, *actors.to.first, actors.first_map));
  MARROW_TRY(RetargetedClip theirs, retarget_clip(second, actors.from.other(), actors.to.other(), actors.second_map));

  const bool is_placed = parts.root != kNoBone || parts.first_place != kNoBone || parts.second_place != kNoBone;
  RetargetedPair out{.skeleton = paired_skeleton(actors.to, is_placed), .clip = {}, .fit = std::move(ours.fit)};
  const PairedParts target = paired_parts(out.skeleton);
  const float scale = 0.5f * (out.fit.scale + theirs.fit.scale);
  PairBuilder builder(clip, out.skeleton);
  if (is_placed) {
    builder.add_place(target.root, parts.root, scale);
    builder.add_place(target.first_place, parts.first_place, scale);
  }
  builder.add_actor(ours.clip, target.first);
  if (is_placed) builder.add_place(target.second_place, parts.second_place, scale);
  builder.add_actor(theirs.clip, target.second);
  out.clip = builder.finish();
  out.clip.root_motion = std::move(ours.clip.root_motion);
  if (theirs.fit.worst_direction_error > out.fit.worst_direction_error)
    out.fit.worst_direction_bone = std::string(kSecondActor) + theirs.fit.worst_direction_bone;
  for (const auto error : {&BodyFit::mean_direction_error, &BodyFit::worst_direction_error,
                           &BodyFit::mean_contact_error, &BodyFit::worst_contact_error})
    out.fit.*error = std::max(out.fit.*error, theirs.fit.*error);
  for (const auto names : {&BodyFit::left_out, &BodyFit::at_rest})
    for (const std::string& name : theirs.fit.*names) (out.fit.*names).push_back(std::string(kSecondActor) + name);
  if (clip.float_track_count > 0)
    out.fit.lost_floats.push_back(std::to_string(clip.float_track_count) + " float tracks");
  return out;
}

}  // namespace marrow
