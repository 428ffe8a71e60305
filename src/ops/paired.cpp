// SPDX-License-Identifier: MIT
#include "marrow/ops/paired.h"

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace marrow {
namespace {

bool is_second(std::string_view name) { return name.starts_with(kSecondActor); }

std::string second(std::string_view name) { return std::string(kSecondActor) + std::string(name); }

/// Returns the number of bones that the clip refers to.
std::size_t bone_count(const Clip& clip) {
  if (clip.track_to_bone.empty()) return static_cast<std::size_t>(std::max(clip.track_count, 0));
  return static_cast<std::size_t>(std::max<int>(*std::ranges::max_element(clip.track_to_bone), -1) + 1);
}

/// Returns the bones that the tracks name, in their order. Returns nothing if they do not name every bone once, or name
/// a child before its parent.
std::optional<Skeleton> named_skeleton(const Clip& clip, const Skeleton& actor) {
  if (!clip.track_to_bone.empty() || clip.annotation_tracks.empty() ||
      clip.annotation_tracks.size() != bone_count(clip))
    return std::nullopt;
  std::unordered_map<std::string_view, std::int32_t> places, actor_bones;
  for (const AnnotationTrack& track : clip.annotation_tracks)
    if (track.name.empty() || !places.try_emplace(track.name, static_cast<std::int32_t>(places.size())).second)
      return std::nullopt;
  for (const Bone& bone : actor.bones)
    actor_bones.try_emplace(bone.name, static_cast<std::int32_t>(actor_bones.size()));

  Skeleton both{.name = actor.name, .bones = {}, .float_slots = actor.float_slots, .partitions = {}};
  const bool has_common_root = !actor_bones.contains(clip.annotation_tracks[0].name);
  for (const AnnotationTrack& track : clip.annotation_tracks) {
    const bool is_of_second = is_second(track.name);
    const auto found = actor_bones.find(std::string_view(track.name).substr(is_of_second ? kSecondActor.size() : 0));
    Bone bone{.name = track.name, .parent = kNoBone, .rest = {}};
    if (found != actor_bones.end()) {
      const Bone& own = actor.bones[static_cast<std::size_t>(found->second)];
      bone = own;
      bone.name = track.name;
      bone.parent = has_common_root ? 0 : kNoBone;
      if (own.parent != kNoBone) {
        const std::string& parent = actor.bones[static_cast<std::size_t>(own.parent)].name;
        const auto place = places.find(is_of_second ? second(parent) : parent);
        if (place == places.end() || place->second >= static_cast<std::int32_t>(both.bones.size())) return std::nullopt;
        bone.parent = place->second;
      }
    }
    both.bones.push_back(std::move(bone));
  }
  return both;
}

}  // namespace

bool is_paired(const Clip& clip) {
  return clip.skeleton_name.find("aired") != std::string::npos ||
         std::ranges::any_of(clip.annotation_tracks, is_second, &AnnotationTrack::name);
}

bool is_paired(const Skeleton& skeleton) {
  std::unordered_set<std::string_view> names;
  for (const Bone& bone : skeleton.bones) names.insert(bone.name);
  return std::ranges::any_of(skeleton.bones, [&](const Bone& bone) {
    return is_second(bone.name) && names.contains(std::string_view(bone.name).substr(kSecondActor.size()));
  });
}

Skeleton paired_skeleton(const Skeleton& actor) {
  Skeleton both = actor;
  const auto shift = static_cast<std::int32_t>(actor.bones.size());
  for (Bone bone : actor.bones) {
    bone.name = second(bone.name);
    if (bone.parent != kNoBone) bone.parent += shift;
    both.bones.push_back(std::move(bone));
  }
  for (const FloatSlot& slot : actor.float_slots) both.float_slots.push_back({second(slot.name), slot.reference});
  for (const Partition& part : actor.partitions)
    both.partitions.push_back({second(part.name), part.first_bone + shift, part.bone_count});
  for (const LocalFrame& frame : actor.local_frames)
    both.local_frames.push_back({second(frame.name), frame.bone + shift, frame.place});
  return both;
}

Skeleton skeleton_for(const Clip& clip, const Skeleton& actor) {
  if (actor.bones.empty() || is_paired(actor)) return actor;
  const bool says = is_paired(clip);
  // A single bone that occurs twice is no evidence.
  const bool counts = actor.bones.size() > 1 && bone_count(clip) == 2 * actor.bones.size();
  if (says)
    if (auto named = named_skeleton(clip, actor); named && is_paired(*named)) return std::move(*named);
  return (says && bone_count(clip) > actor.bones.size()) || counts ? paired_skeleton(actor) : actor;
}

}  // namespace marrow
