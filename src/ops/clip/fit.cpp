// SPDX-License-Identifier: MIT
#include "ops/clip/fit.h"

#include <algorithm>

#include "marrow/model/pose.h"
#include "model/conform.h"
#include "ops/clip/skeleton_fit.h"
#include "ops/pair/paired.h"

namespace marrow {
namespace {

bool same_bones(const Skeleton& a, const Skeleton& b) {
  return std::ranges::equal(a.bones, b.bones, {}, &Bone::name, &Bone::name);
}

// Tracks keep their values and follow the names of their bones.
Clip follow_names(const Clip& clip, const Skeleton& from, const Skeleton& target, Notes& notes) {
  std::vector<std::pair<std::size_t, std::int16_t>> kept;  // track, bone of the target
  for (std::size_t track = 0; track < static_cast<std::size_t>(clip.track_count); ++track) {
    const std::int32_t bone = bone_of_track(clip, track);
    const bool there = bone >= 0 && static_cast<std::size_t>(bone) < from.bones.size();
    const auto found = there ? find_bone(target, from.bones[static_cast<std::size_t>(bone)].name) : std::nullopt;
    if (found)
      kept.emplace_back(track, static_cast<std::int16_t>(*found));
    else
      notes.push_back({"the skeleton has no such bone; its track is left out", kNoOffset,
                       there ? "bone \"" + from.bones[static_cast<std::size_t>(bone)].name + "\""
                             : "track " + std::to_string(track)});
  }
  Clip out = clip;
  out.transforms.clear();
  out.track_to_bone.clear();
  out.annotation_tracks.clear();
  out.track_count = static_cast<std::int32_t>(kept.size());
  for (std::int32_t frame = 0; frame < clip.frame_count; ++frame)
    for (const auto& [track, bone] : kept) out.transforms.push_back(clip.frame(frame)[track]);
  bool straight = kept.size() == target.bones.size();
  for (const auto& [track, bone] : kept) {
    straight = straight && static_cast<std::size_t>(bone) == out.track_to_bone.size();
    out.track_to_bone.push_back(bone);
    if (!clip.annotation_tracks.empty())
      out.annotation_tracks.push_back(track < clip.annotation_tracks.size() ? clip.annotation_tracks[track]
                                                                            : AnnotationTrack{});
  }
  if (straight) out.track_to_bone.clear();
  // The games look for events on the first track only.
  if (!kept.empty() && kept.front().first != 0 && !clip.annotation_tracks.empty())
    out.annotation_tracks.front() = clip.annotation_tracks.front();
  out.skeleton_name = target.name;
  return out;
}

Clip conform_to(const DocumentSkeleton& from, const Clip& clip, const Skeleton& target, Notes& notes) {
  const Conform conform = make_conform(from.skeleton, target);
  if (!conform.agrees)
    notes.push_back(
        {"the rest pose of the file differs from the skeleton's: bones rotate as in the file, which may look "
         "wrong; retargeting fits one body to another",
         kNoOffset,
         {},
         {},
         Cure{"retarget"}});
  for (std::size_t i = 0; i < target.bones.size(); ++i)
    if (!conform.source[i])
      notes.push_back({"is not in the file; it stays at rest", kNoOffset, "bone \"" + target.bones[i].name + "\""});
  Clip out = clip;
  out.skeleton_name = target.name;
  out.track_count = static_cast<std::int32_t>(target.bones.size());
  out.track_to_bone.clear();
  out.transforms.clear();
  std::vector<Transform> source(from.skeleton.bones.size()), to(target.bones.size());
  for (std::int32_t frame = 0; frame < clip.frame_count; ++frame) {
    pose_from_frame(from.skeleton, clip, clip.frame(frame), source);
    apply_conform(conform, from.skeleton, target, source, to);
    if (clip.blend_hint != BlendHint::Normal)
      for (std::size_t i = 0; i < to.size(); ++i) to[i] = additive_value(target.bones[i].rest, to[i]);
    out.transforms.insert(out.transforms.end(), to.begin(), to.end());
  }
  if (out.annotation_tracks.size() > target.bones.size()) out.annotation_tracks.resize(target.bones.size());
  return out;
}

}  // namespace

void attach_skeleton(Document& document, const Actors& actors, Context& context) {
  std::vector<DocumentSkeleton> skeletons;
  for (DocumentClip& each : document.clips) {
    const Clip& clip = each.clip;
    // A paired clip has its own skeleton, that of both actors.
    Skeleton skeleton = skeleton_for(clip, actors);
    if (clip.track_to_bone.empty() && static_cast<std::size_t>(clip.track_count) != skeleton.bones.size())
      context.note("the clip has " + std::to_string(clip.track_count) + " tracks, but the skeleton has " +
                   std::to_string(skeleton.bones.size()) +
                   " bones; check that it is the skeleton that the clip was made for");
    if (std::string doubt = additive_doubt(clip, skeleton); !doubt.empty()) context.note(std::move(doubt));
    auto found = std::ranges::find(skeletons, skeleton, &DocumentSkeleton::skeleton);
    if (found == skeletons.end()) found = skeletons.insert(found, {.skeleton = std::move(skeleton)});
    each.skeleton = static_cast<std::size_t>(found - skeletons.begin());
  }
  if (skeletons.empty()) skeletons.push_back({.skeleton = *actors.first});
  for (DocumentSkeleton& own : document.skeletons)
    if (own.is_ragdoll) skeletons.push_back(std::move(own));
  document.skeletons = std::move(skeletons);
}

Clip fit_to_skeleton(const DocumentSkeleton& from, const Clip& clip, const Skeleton& target, Notes& notes) {
  if (!from.is_guessed && same_bones(from.skeleton, target)) return clip;
  if (is_paired(from.skeleton) && !is_paired(target))
    notes.push_back({"the clip moves two actors, but the skeleton has one; the second is left out"});
  return from.is_guessed ? conform_to(from, clip, target, notes) : follow_names(clip, from.skeleton, target, notes);
}

}  // namespace marrow
