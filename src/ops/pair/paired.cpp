// SPDX-License-Identifier: MIT
#include "ops/pair/paired.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <glm/geometric.hpp>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace marrow {
namespace {

bool is_second(std::string_view name) { return name.starts_with(kSecondActor); }

// The name of an actor's bone in a paired clip.
std::string paired_name(std::string_view name, bool of_second) {
  if (!of_second) return std::string(name);
  return name == kFirstActor ? std::string(kSecondActor) : std::string(kSecondActor) + std::string(name);
}

/// Returns the number of bones that the clip refers to.
std::size_t bone_count(const Clip& clip) {
  if (clip.track_to_bone.empty()) return static_cast<std::size_t>(std::max(clip.track_count, 0));
  return static_cast<std::size_t>(std::max<int>(*std::ranges::max_element(clip.track_to_bone), -1) + 1);
}

// Returns the names of the bones as the tracks have them. Nothing if tracks and bones are not one to one.
std::optional<std::vector<std::string>> names_of_bones(const Clip& clip) {
  const std::size_t count = bone_count(clip);
  if (count == 0 || clip.annotation_tracks.size() != count || static_cast<std::size_t>(clip.track_count) != count)
    return std::nullopt;
  std::vector<std::string> names(count);
  std::vector<bool> is_met(count, false);
  for (std::size_t track = 0; track < count; ++track) {
    const std::int32_t bone = bone_of_track(clip, track);
    if (bone < 0 || is_met[static_cast<std::size_t>(bone)]) return std::nullopt;
    is_met[static_cast<std::size_t>(bone)] = true;
    names[static_cast<std::size_t>(bone)] = clip.annotation_tracks[track].name;
  }
  return names;
}

/// One actor, and where its bones are among the names.
class Actor {
 public:
  Actor(const Skeleton& skeleton, bool is_of_second) : skeleton_(skeleton), of_second_(is_of_second) {
    for (std::size_t i = 0; i < skeleton.bones.size(); ++i)
      bones_.try_emplace(paired_name(skeleton.bones[i].name, of_second_), i);
  }

  // Names the bones that the file left without a name, by their place among the actor's.
  void name_empty(std::vector<std::string>& names, const std::vector<std::int32_t>& own) const {
    for (std::size_t i = 0; i < own.size() && i < skeleton_.bones.size(); ++i)
      if (std::string& name = names[static_cast<std::size_t>(own[i])]; name.empty())
        name = paired_name(skeleton_.bones[i].name, of_second_);
  }

  // Returns the bone of a name below the nearest of its ancestors that is there too, else below `place`. Nothing if
  // that one comes later.
  std::optional<Bone> bone(const std::string& name, std::size_t index, std::int32_t place,
                           const std::unordered_map<std::string_view, std::int32_t>& places) const {
    Bone out{.name = name, .parent = place, .rest = {}};
    const auto found = bones_.find(name);
    if (found == bones_.end()) return out;
    const Bone& own = skeleton_.bones[found->second];
    out.rest = own.rest;
    out.lock_translation = own.lock_translation;
    for (std::int32_t up = own.parent; up != kNoBone; up = skeleton_.bones[static_cast<std::size_t>(up)].parent) {
      const Bone& above = skeleton_.bones[static_cast<std::size_t>(up)];
      if (const auto at = places.find(paired_name(above.name, of_second_)); at != places.end()) {
        out.parent = at->second;
        break;
      }
      out.rest = above.rest * out.rest;
    }
    if (out.parent >= static_cast<std::int32_t>(index)) return std::nullopt;
    return out;
  }

 private:
  const Skeleton& skeleton_;
  bool of_second_;
  std::unordered_map<std::string, std::size_t> bones_;
};

void add_slots(Skeleton& both, const Skeleton& actor, bool of_second) {
  const std::string prefix(of_second ? kSecondActor : "");
  for (const FloatSlot& slot : actor.float_slots) both.float_slots.push_back({prefix + slot.name, slot.reference});
}

/// Returns the bones that the tracks name, in their order. Returns nothing if they do not name every bone once, or name
/// a child before its parent.
std::optional<Skeleton> named_skeleton(const Clip& clip, const Actors& actors) {
  auto names = names_of_bones(clip);
  if (!names) return std::nullopt;
  const Actor first(*actors.first, false), second(actors.other(), true);
  const PairedParts parts = paired_parts(*names);
  first.name_empty(*names, parts.first);
  second.name_empty(*names, parts.second);
  std::unordered_map<std::string_view, std::int32_t> places;
  for (const std::string& name : *names)
    if (name.empty() || !places.try_emplace(name, static_cast<std::int32_t>(places.size())).second) return std::nullopt;

  Skeleton both{.name = (*names)[0], .bones = {}, .float_slots = {}, .partitions = {}};
  for (std::size_t i = 0; i < names->size(); ++i) {
    const std::string& name = (*names)[i];
    const auto index = static_cast<std::int32_t>(i);
    if (index == parts.root) {
      both.bones.push_back({.name = name, .parent = kNoBone, .rest = {}});
      continue;
    }
    const bool of_second = is_second(name);
    const Actor& actor = of_second ? second : first;
    const std::int32_t place = of_second ? parts.second_place : parts.first_place;
    const std::int32_t above = place == kNoBone || place == index ? parts.root : place;
    auto bone = above < index ? actor.bone(name, i, above, places) : std::nullopt;
    if (!bone) return std::nullopt;
    both.bones.push_back(std::move(*bone));
  }
  add_slots(both, *actors.first, false);
  add_slots(both, actors.other(), true);
  return both;
}

}  // namespace

std::string own_name(std::string_view name) {
  if (!is_second(name)) return std::string(name);
  return name == kSecondActor ? std::string(kFirstActor) : std::string(name.substr(kSecondActor.size()));
}

bool is_paired(const Clip& clip) {
  return clip.skeleton_name.find("aired") != std::string::npos ||
         std::ranges::any_of(clip.annotation_tracks, is_second, &AnnotationTrack::name);
}

bool is_paired(const Skeleton& skeleton) {
  std::unordered_set<std::string_view> names;
  for (const Bone& bone : skeleton.bones) names.insert(bone.name);
  const bool is_placed = names.contains(kPairedRoot) || names.contains(kSecondActor);
  return std::ranges::any_of(skeleton.bones, [&](const Bone& bone) {
    return is_second(bone.name) &&
           (is_placed || names.contains(std::string_view(bone.name).substr(kSecondActor.size())));
  });
}

Skeleton paired_skeleton(const Actors& actors, bool is_placed, PairOrder order) {
  Skeleton both{.name = actors.first->name, .bones = {}, .float_slots = {}, .partitions = {}};
  if (is_placed) {
    both.name = kPairedRoot;
    both.bones.push_back({.name = std::string(kPairedRoot), .parent = kNoBone, .rest = {}});
  }
  for (const bool is_later : {false, true}) {
    const bool of_second = is_later == (order == PairOrder::NpcFirst);
    const Skeleton& actor = of_second ? actors.other() : *actors.first;
    std::int32_t place = kNoBone;
    if (is_placed) {
      place = static_cast<std::int32_t>(both.bones.size());
      both.bones.push_back({.name = paired_name(kFirstActor, of_second), .parent = 0, .rest = {}});
    }
    const auto shift = static_cast<std::int32_t>(both.bones.size());
    for (Bone bone : actor.bones) {
      bone.name = paired_name(bone.name, of_second);
      bone.parent = bone.parent == kNoBone ? place : bone.parent + shift;
      both.bones.push_back(std::move(bone));
    }
    const std::string prefix(of_second ? kSecondActor : "");
    for (const Partition& part : actor.partitions)
      both.partitions.push_back({prefix + part.name, part.first_bone + shift, part.bone_count});
    for (const LocalFrame& frame : actor.local_frames)
      both.local_frames.push_back({prefix + frame.name, frame.bone + shift, frame.place});
  }
  // Slots are found by number, whatever the order of the bones.
  add_slots(both, *actors.first, false);
  add_slots(both, actors.other(), true);
  return both;
}

PairOrder order_of(const PairedParts& parts) {
  const auto start = [](std::int32_t place, const std::vector<std::int32_t>& bones) {
    return place != kNoBone ? place : bones.empty() ? INT32_MAX : bones.front();
  };
  return start(parts.second_place, parts.second) < start(parts.first_place, parts.first) ? PairOrder::SecondFirst
                                                                                         : PairOrder::NpcFirst;
}

std::optional<PairOrder> likelier_order(const Clip& clip, const Actors& actors) {
  const auto right = [&](PairOrder order) {
    const Skeleton both = paired_skeleton(actors, true, order);
    std::size_t count = 0;
    for (std::size_t t = 0; t < static_cast<std::size_t>(clip.track_count) && t < clip.transforms.size(); ++t) {
      const std::int32_t index = bone_of_track(clip, t);
      if (index < 0 || static_cast<std::size_t>(index) >= both.bones.size()) continue;
      const Vec3 rest = both.bones[static_cast<std::size_t>(index)].rest.translation;
      // Places and helpers rest at the origin of their parents and say nothing.
      if (const float length = glm::length(rest); length > 0.5f)
        count += glm::length(clip.transforms[t].translation - rest) < 0.05f * length;
    }
    return count;
  };
  const std::size_t npc = right(PairOrder::NpcFirst), second = right(PairOrder::SecondFirst);
  if (npc == second) return std::nullopt;
  return npc > second ? PairOrder::NpcFirst : PairOrder::SecondFirst;
}

namespace {

// Returns the layout in which most tracks have the name of their bone, for clips that do not move every bone. Returns
// nothing if that is not most of the names.
std::optional<Skeleton> likeliest_layout(const Clip& clip, const Actors& actors) {
  std::optional<Skeleton> best;
  std::size_t most = 0, named = 0;
  for (const AnnotationTrack& track : clip.annotation_tracks) named += !track.name.empty();
  std::array layouts{paired_skeleton(actors, true, PairOrder::NpcFirst),
                     paired_skeleton(actors, true, PairOrder::SecondFirst), paired_skeleton(actors, false)};
  for (Skeleton& each : layouts) {
    std::size_t right = 0;
    for (std::size_t t = 0; t < clip.annotation_tracks.size() && t < static_cast<std::size_t>(clip.track_count); ++t) {
      const std::int32_t bone = bone_of_track(clip, t);
      right += bone >= 0 && static_cast<std::size_t>(bone) < each.bones.size() &&
               clip.annotation_tracks[t].name == each.bones[static_cast<std::size_t>(bone)].name;
    }
    if (right <= most) continue;
    most = right;
    best = std::move(each);
  }
  return 2 * most > named ? best : std::nullopt;
}

}  // namespace

Skeleton skeleton_for(const Clip& clip, const Actors& actors, std::optional<PairOrder> order) {
  const Skeleton& first = *actors.first;
  if (first.bones.empty() || is_paired(first)) return first;
  const bool says = is_paired(clip);
  if (says)
    if (auto named = named_skeleton(clip, actors); named && is_paired(*named)) return std::move(*named);
  if (says)
    if (auto layout = likeliest_layout(clip, actors)) return std::move(*layout);
  constexpr std::size_t kPlaces = 3;
  const std::size_t count = bone_count(clip), both = first.bones.size() + actors.other().bones.size();
  // A single bone that occurs twice is no evidence.
  const bool can_count = first.bones.size() > 1;
  if (can_count && count == both) return paired_skeleton(actors, false);
  const auto ordered = [&] {
    if (!order) order = likelier_order(clip, actors).value_or(PairOrder::SecondFirst);
    return paired_skeleton(actors, true, *order);
  };
  if (can_count && count == both + kPlaces) return ordered();
  if (!says || count <= first.bones.size()) return first;
  return count > both ? ordered() : paired_skeleton(actors, false);
}

PairedParts paired_parts(const std::vector<std::string>& names) {
  PairedParts parts;
  bool in_second = false;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string& name = names[i];
    const auto index = static_cast<std::int32_t>(i);
    if (name == kPairedRoot && parts.root == kNoBone) {
      parts.root = index;
    } else if (name == kFirstActor && parts.first_place == kNoBone) {
      parts.first_place = index;
      in_second = false;
    } else if (name == kSecondActor && parts.second_place == kNoBone) {
      parts.second_place = index;
      in_second = true;
    } else {
      (is_second(name) || (name.empty() && in_second) ? parts.second : parts.first).push_back(index);
    }
  }
  return parts;
}

PairedParts paired_parts(const Skeleton& skeleton) {
  std::vector<std::string> names;
  for (const Bone& bone : skeleton.bones) names.push_back(bone.name);
  return paired_parts(names);
}

}  // namespace marrow
