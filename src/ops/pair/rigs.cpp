// SPDX-License-Identifier: MIT
#include "ops/pair/rigs.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <unordered_map>

#include "ops/pair/paired.h"

namespace marrow {
namespace {

using gltf::Armature;
using gltf::NamedClip;

using Indices = std::vector<std::int32_t>;

// The bones of one actor: the common root, its place, its own.
Indices bones_of_actor(const PairedParts& parts, bool of_second) {
  Indices bones = of_second ? parts.second : parts.first;
  for (const std::int32_t each : {parts.root, of_second ? parts.second_place : parts.first_place})
    if (each != kNoBone) bones.push_back(each);
  std::ranges::sort(bones);
  return bones;
}

// Returns for each of `count` bones its index in `bones`, or `kNoBone`.
Indices inverse_of(const Indices& bones, std::size_t count) {
  Indices out(count, kNoBone);
  for (std::size_t i = 0; i < bones.size(); ++i) out[static_cast<std::size_t>(bones[i])] = static_cast<std::int32_t>(i);
  return out;
}

Skeleton skeleton_of(const Skeleton& both, const Indices& bones, bool of_second) {
  Skeleton out{.name = both.bones[static_cast<std::size_t>(bones.front())].name,
               .bones = {},
               .float_slots = of_second ? std::vector<FloatSlot>{} : both.float_slots,
               .partitions = {}};
  const Indices own = inverse_of(bones, both.bones.size());
  for (const std::int32_t each : bones) {
    Bone bone = both.bones[static_cast<std::size_t>(each)];
    // An actor's bone never hangs on the other's: its parent is its own, its place or the root.
    if (bone.parent != kNoBone) bone.parent = own[static_cast<std::size_t>(bone.parent)];
    out.bones.push_back(std::move(bone));
  }
  return out;
}

NamedClip clip_of(const NamedClip& both, const Indices& bones, std::size_t bone_count, bool of_second) {
  NamedClip out{.name = both.name, .clip = {}, .file = of_second ? std::vector<std::byte>{} : both.file};
  out.joins_previous = of_second;
  Clip& clip = out.clip;
  const Indices own = inverse_of(bones, bone_count);
  std::vector<std::size_t> tracks;
  for (std::size_t track = 0; track < static_cast<std::size_t>(both.clip.track_count); ++track) {
    const std::int32_t bone = bone_of_track(both.clip, track);
    const bool is_bone = bone >= 0 && static_cast<std::size_t>(bone) < bone_count;
    // Tracks without a bone stay with the first actor, with the number they have.
    if (is_bone ? own[static_cast<std::size_t>(bone)] == kNoBone : of_second) continue;
    tracks.push_back(track);
    out.places.push_back(static_cast<std::int32_t>(track));
    clip.track_to_bone.push_back(is_bone ? static_cast<std::int16_t>(own[static_cast<std::size_t>(bone)])
                                         : static_cast<std::int16_t>(-1));
  }
  clip.skeleton_name = both.clip.skeleton_name;
  clip.frame_count = both.clip.frame_count;
  clip.duration_seconds = both.clip.duration_seconds;
  clip.track_count = static_cast<std::int32_t>(tracks.size());
  clip.blend_hint = both.clip.blend_hint;
  clip.root_motion = both.clip.root_motion;
  for (std::int32_t frame = 0; frame < clip.frame_count; ++frame)
    for (const std::size_t track : tracks) clip.transforms.push_back(both.clip.frame(frame)[track]);
  if (of_second) return out;
  clip.annotation_tracks = both.clip.annotation_tracks;
  clip.partitions = both.clip.partitions;
  clip.float_track_count = both.clip.float_track_count;
  clip.floats = both.clip.floats;
  clip.float_to_slot = both.clip.float_to_slot;
  return out;
}

// How the bones of two rigs stand in the skeleton of both. A bone that both have is the first's.
struct JoinedBones {
  Indices first, second;
  std::size_t count = 0;
};

JoinedBones join_bones(const Armature& first, const Armature& second) {
  JoinedBones joint;
  const auto is_whole = [](const Armature& rig) {
    return !rig.places.empty() && rig.places.size() == rig.skeleton.bones.size();
  };
  joint.first.assign(first.skeleton.bones.size(), kNoBone);
  std::vector<bool> is_taken;
  if (is_whole(first) && is_whole(second)) {
    joint.first = first.places;
    joint.second = second.places;
    joint.count = static_cast<std::size_t>(
                      std::max(*std::ranges::max_element(joint.first), *std::ranges::max_element(joint.second))) +
                  1;
    // Places of a record are numbers of a file: each is to be taken, and by no more than one bone of a rig.
    is_taken.assign(std::min(joint.count, joint.first.size() + joint.second.size()), false);
    bool is_good = is_taken.size() == joint.count;
    for (const Indices* each : {&joint.first, &joint.second}) {
      Indices sorted = *each;
      std::ranges::sort(sorted);
      is_good = is_good && std::ranges::adjacent_find(sorted) == sorted.end();
      for (std::size_t i = 0; is_good && i < each->size(); ++i) is_taken[static_cast<std::size_t>((*each)[i])] = true;
    }
    if (is_good && std::ranges::find(is_taken, false) == is_taken.end()) return joint;
  }
  std::iota(joint.first.begin(), joint.first.end(), 0);
  joint.count = joint.first.size();
  joint.second.clear();
  for (const Bone& bone : second.skeleton.bones) {
    const auto found = find_bone(first.skeleton, bone.name);
    joint.second.push_back(found ? *found : static_cast<std::int32_t>(joint.count++));
  }
  return joint;
}

Skeleton join_skeletons(const Armature& first, const Armature& second, const JoinedBones& joint) {
  Skeleton both = first.skeleton;
  both.bones.assign(joint.count, {});
  const auto put = [&](const Skeleton& rig, const Indices& places) {
    for (std::size_t i = 0; i < rig.bones.size(); ++i) {
      Bone bone = rig.bones[i];
      if (bone.parent != kNoBone) bone.parent = places[static_cast<std::size_t>(bone.parent)];
      both.bones[static_cast<std::size_t>(places[i])] = std::move(bone);
    }
  };
  put(second.skeleton, joint.second);
  put(first.skeleton, joint.first);
  both.name = both.bones.front().name;
  return both;
}

bool has_whole_places(const NamedClip& first, const NamedClip& second) {
  std::vector<bool> is_met(first.places.size() + second.places.size(), false);
  std::size_t last = 0;
  for (const NamedClip* each : {&first, &second}) {
    if (each->places.size() != static_cast<std::size_t>(each->clip.track_count)) return false;
    for (const std::int32_t place : each->places) {
      if (place < 0 || static_cast<std::size_t>(place) >= is_met.size()) return false;
      is_met[static_cast<std::size_t>(place)] = true;
      last = std::max(last, static_cast<std::size_t>(place));
    }
  }
  if (is_met.empty()) return true;
  is_met.resize(last + 1);
  return std::ranges::find(is_met, false) == is_met.end();
}

// Joins two clips into one of both skeletons. A track that both have is the first's.
NamedClip join_clips(NamedClip first, const NamedClip& second, const JoinedBones& joint) {
  struct Source {
    const Clip* clip = nullptr;
    std::size_t track = 0;
    std::int16_t bone = -1;
  };
  std::vector<Source> sources;
  std::unordered_map<std::int16_t, std::size_t> by_bone;
  const bool is_placed = has_whole_places(first, second);
  const Clip kept = std::move(first.clip);
  const auto add = [&](const Clip& clip, const Indices& places, const Indices& bones) {
    for (std::size_t track = 0; track < static_cast<std::size_t>(clip.track_count); ++track) {
      const std::int32_t own = bone_of_track(clip, track);
      const bool is_bone = own >= 0 && static_cast<std::size_t>(own) < bones.size();
      const Source source{&clip, track,
                          is_bone ? static_cast<std::int16_t>(bones[static_cast<std::size_t>(own)]) : std::int16_t{-1}};
      if (is_placed) {
        const auto place = static_cast<std::size_t>(places[track]);
        if (sources.size() <= place) sources.resize(place + 1);
        if (!sources[place].clip) sources[place] = source;
      } else if (!is_bone || by_bone.try_emplace(source.bone, sources.size()).second) {
        sources.push_back(source);
      }
    }
  };
  add(kept, first.places, joint.first);
  add(second.clip, second.places, joint.second);

  NamedClip out{.name = first.name, .clip = kept, .file = std::move(first.file)};
  Clip& clip = out.clip;
  clip.track_count = static_cast<std::int32_t>(sources.size());
  clip.track_to_bone.clear();
  clip.transforms.clear();
  bool is_straight = true;
  for (const Source& source : sources) {
    is_straight = is_straight && source.bone == static_cast<std::int16_t>(clip.track_to_bone.size());
    clip.track_to_bone.push_back(source.bone);
  }
  if (is_straight) clip.track_to_bone.clear();
  for (std::int32_t frame = 0; frame < clip.frame_count; ++frame)
    for (const Source& source : sources)
      clip.transforms.push_back(source.clip->frame(std::min(frame, source.clip->frame_count - 1))[source.track]);
  return out;
}

// True if all bones but the common root are the second actor's.
bool is_second_rig(const Armature& rig) {
  bool any = false;
  for (const Bone& bone : rig.skeleton.bones) {
    if (bone.name == kPairedRoot) continue;
    if (!bone.name.starts_with(kSecondActor)) return false;
    any = true;
  }
  return any;
}

void join(Armature& first, Armature& second) {
  const JoinedBones joint = join_bones(first, second);
  Skeleton both = join_skeletons(first, second, joint);
  std::vector<NamedClip> clips;
  for (std::size_t i = 0; i < first.clips.size(); ++i) {
    auto partner = std::ranges::find(second.clips, first.clips[i].name, &NamedClip::name);
    const bool is_only = first.clips.size() == 1 && second.clips.size() == 1;
    if (partner == second.clips.end() && is_only) partner = second.clips.begin();
    static const NamedClip kNone{};
    clips.push_back(join_clips(std::move(first.clips[i]), partner == second.clips.end() ? kNone : *partner, joint));
  }
  first.clips = std::move(clips);
  first.skeleton = std::move(both);
  first.recorded = first.recorded && second.recorded;
  for (const std::int32_t bone : second.missing) first.missing.push_back(joint.second[static_cast<std::size_t>(bone)]);
  first.places.clear();
}

}  // namespace

std::vector<Armature> split_rigs(Armature armature) {
  if (!is_paired(armature.skeleton)) return {std::move(armature)};
  const PairedParts parts = paired_parts(armature.skeleton);
  if (parts.first.empty() || parts.second.empty()) return {std::move(armature)};
  std::vector<Armature> rigs;
  for (const bool of_second : {false, true}) {
    const Indices bones = bones_of_actor(parts, of_second);
    Armature& rig = rigs.emplace_back(Armature{.skeleton = skeleton_of(armature.skeleton, bones, of_second)});
    rig.game = armature.game;
    rig.places = bones;
    for (const NamedClip& clip : armature.clips)
      rig.clips.push_back(clip_of(clip, bones, armature.skeleton.bones.size(), of_second));
  }
  return rigs;
}

void join_rigs(std::vector<Armature>& armatures) {
  for (std::size_t i = 0; i < armatures.size(); ++i) {
    if (is_second_rig(armatures[i])) continue;
    // A rig of the record has the second just behind it; in other files any rig of a second actor will do.
    for (std::size_t k = 0; k < armatures.size(); ++k) {
      if (k == i || !is_second_rig(armatures[k])) continue;
      if (armatures[i].places.empty() != armatures[k].places.empty()) continue;
      join(armatures[i], armatures[k]);
      armatures.erase(armatures.begin() + static_cast<std::ptrdiff_t>(k));
      if (k < i) --i;
      break;
    }
  }
}

}  // namespace marrow
