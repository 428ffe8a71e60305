// SPDX-License-Identifier: MIT
// Clips and skeletons compared by what they show: how far apart in degrees and units, which events and names differ.
#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <map>
#include <string>

#include "core/try.h"
#include "marrow/core/text.h"
#include "marrow/havok/animation.h"
#include "marrow/havok/skeleton.h"
#include "ops/formats.h"

namespace marrow {
namespace {

using namespace havok;

/// Below these two motions are the same: less than any encoding of the format can tell.
constexpr float kSameDegrees = 1e-3f;
constexpr float kSameUnits = 1e-4f;

using Differences = std::vector<Difference>;

void compare_value(const std::string& where, const std::string& left, const std::string& right, Differences& out) {
  if (left != right) out.push_back({where, left, right});
}

std::string event_text(const Annotation& event) { return float_text(event.time_seconds) + " " + event.text; }

void compare_events(const std::string& where, const Clip& left, const Clip& right, Differences& out) {
  // Events of a track as a bag: the same one may be there twice.
  std::map<std::pair<std::size_t, std::string>, int> balance;
  for (std::size_t t = 0; t < left.annotation_tracks.size(); ++t)
    for (const Annotation& event : left.annotation_tracks[t].annotations) ++balance[{t, event_text(event)}];
  for (std::size_t t = 0; t < right.annotation_tracks.size(); ++t)
    for (const Annotation& event : right.annotation_tracks[t].annotations) --balance[{t, event_text(event)}];
  for (const auto& [key, count] : balance)
    for (int i = 0; i < std::abs(count); ++i)
      out.push_back({where + ".annotations, track " + std::to_string(key.first), count > 0 ? key.second : "",
                     count > 0 ? "" : key.second});
}

struct Apart {
  float degrees = 0, units = 0, scale = 0;
  std::int32_t frame = 0;
};

void compare_motion(const std::string& where, const Clip& left, const Clip& right, Differences& out) {
  const auto tracks = static_cast<std::size_t>(left.track_count);
  for (std::size_t t = 0; t < tracks; ++t) {
    Apart worst;
    for (std::int32_t f = 0; f < left.frame_count; ++f) {
      const Transform &a = left.frame(f)[t], &b = right.frame(f)[t];
      const Apart now{angle_degrees(a.rotation, b.rotation), glm::length(a.translation - b.translation),
                      glm::length(a.scale - b.scale), f};
      if (now.degrees > worst.degrees || now.units > worst.units) worst.frame = f;
      worst.degrees = std::max(worst.degrees, now.degrees);
      worst.units = std::max(worst.units, now.units);
      worst.scale = std::max(worst.scale, now.scale);
    }
    if (worst.degrees <= kSameDegrees && worst.units <= kSameUnits && worst.scale <= kSameUnits) continue;
    out.push_back({where + ".tracks[" + std::to_string(t) + "]", "",
                   "apart by at most " + float_text(worst.degrees) + " degrees, " + float_text(worst.units) +
                       " units, scale " + float_text(worst.scale) + ", about frame " + std::to_string(worst.frame)});
  }
  float floats = 0;
  for (std::size_t i = 0; i < left.floats.size(); ++i)
    floats = std::max(floats, std::abs(left.floats[i] - right.floats[i]));
  if (floats > kSameUnits) out.push_back({where + ".floats", "", "apart by at most " + float_text(floats)});
}

std::string shorts_text(std::span<const std::int16_t> numbers) {
  std::string text;
  for (const std::int16_t number : numbers) text += (text.empty() ? "" : " ") + std::to_string(number);
  return text;
}

/// The map that an empty one stands for.
std::string map_text(const Clip& clip) {
  std::vector<std::int16_t> map = clip.track_to_bone;
  if (map.empty())
    for (std::int32_t i = 0; i < clip.track_count; ++i) map.push_back(static_cast<std::int16_t>(i));
  return shorts_text(map);
}

void compare_clips(const std::string& where, const Clip& left, const Clip& right, Differences& out) {
  const std::size_t before = out.size();
  compare_value(where + ".frames", std::to_string(left.frame_count), std::to_string(right.frame_count), out);
  compare_value(where + ".tracks", std::to_string(left.track_count), std::to_string(right.track_count), out);
  compare_value(where + ".float_tracks", std::to_string(left.float_track_count),
                std::to_string(right.float_track_count), out);
  const bool same_shape = out.size() == before;
  compare_value(where + ".duration_seconds", float_text(left.duration_seconds), float_text(right.duration_seconds),
                out);
  compare_value(where + ".skeleton_name", left.skeleton_name, right.skeleton_name, out);
  compare_value(where + ".track_to_bone", map_text(left), map_text(right), out);
  compare_value(where + ".float_to_slot", shorts_text(left.float_to_slot), shorts_text(right.float_to_slot), out);
  compare_value(where + ".additive", left.blend_hint == BlendHint::Normal ? "no" : "yes",
                right.blend_hint == BlendHint::Normal ? "no" : "yes", out);
  compare_value(where + ".root_motion", left.root_motion ? "yes" : "no", right.root_motion ? "yes" : "no", out);
  if (left.root_motion && right.root_motion && *left.root_motion != *right.root_motion)
    out.push_back({where + ".root_motion", "", "other samples"});
  compare_events(where, left, right, out);
  if (same_shape) compare_motion(where, left, right, out);
}

std::string parent_name(const Skeleton& skeleton, const Bone& bone) {
  return bone.parent < 0 ? "none" : skeleton.bones[static_cast<std::size_t>(bone.parent)].name;
}

/// How far apart two places are, as words; empty where nobody could tell.
std::string apart_text(const Transform& a, const Transform& b) {
  const float degrees = angle_degrees(a.rotation, b.rotation);
  const float units = glm::length(a.translation - b.translation);
  const float scale = glm::length(a.scale - b.scale);
  if (!(degrees > kSameDegrees || units > kSameUnits || scale > kSameUnits)) return {};
  return "apart by " + float_text(degrees) + " degrees, " + float_text(units) + " units, scale " + float_text(scale);
}

void compare_local_frames(const std::string& where, const Skeleton& left, const Skeleton& right, Differences& out) {
  const auto &a = left.local_frames, &b = right.local_frames;
  for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
    const std::string place = where + ".local_frames[" + std::to_string(i) + "]";
    if (i >= a.size() || i >= b.size()) {
      out.push_back({place, i < a.size() ? a[i].name : "", i < b.size() ? b[i].name : ""});
      continue;
    }
    compare_value(place + ".name", a[i].name, b[i].name, out);
    compare_value(place + ".bone", std::to_string(a[i].bone), std::to_string(b[i].bone), out);
    if (const std::string apart = apart_text(a[i].place, b[i].place); !apart.empty()) out.push_back({place, "", apart});
  }
}

void compare_skeletons(const std::string& where, const Skeleton& left, const Skeleton& right, Differences& out) {
  compare_value(where + ".name", left.name, right.name, out);
  for (const Bone& bone : left.bones) {
    const std::string place = where + ".bones." + bone.name;
    const auto found = find_bone(right, bone.name);
    if (!found) {
      out.push_back({place, "there", ""});
      continue;
    }
    const Bone& other = right.bones[static_cast<std::size_t>(*found)];
    compare_value(place + ".index", std::to_string(&bone - left.bones.data()), std::to_string(*found), out);
    compare_value(place + ".parent", parent_name(left, bone), parent_name(right, other), out);
    compare_value(place + ".lock_translation", bone.lock_translation ? "yes" : "no",
                  other.lock_translation ? "yes" : "no", out);
    if (const std::string apart = apart_text(bone.rest, other.rest); !apart.empty())
      out.push_back({place + ".rest", "", apart});
  }
  for (const Bone& bone : right.bones)
    if (!find_bone(left, bone.name)) out.push_back({where + ".bones." + bone.name, "", "there"});
  const auto slots = [](const Skeleton& skeleton) {
    std::string text;
    for (const FloatSlot& slot : skeleton.float_slots) text += slot.name + "=" + float_text(slot.reference) + " ";
    return text;
  };
  compare_value(where + ".float_slots", slots(left), slots(right), out);
  compare_local_frames(where, left, right, out);
}

}  // namespace

Result<std::vector<Difference>> diff_animation(const Packfile& left, const Packfile& right, const Limits& limits) {
  Differences out;
  const auto left_clips = find_animations(left), right_clips = find_animations(right);
  const auto left_bones = find_skeletons(left), right_bones = find_skeletons(right);
  compare_value("clips", std::to_string(left_clips.size()), std::to_string(right_clips.size()), out);
  compare_value("skeletons", std::to_string(left_bones.size()), std::to_string(right_bones.size()), out);
  for (std::size_t i = 0; i < std::min(left_clips.size(), right_clips.size()); ++i) {
    MARROW_TRY(const Clip a, read_clip(left, left_clips[i], limits));
    MARROW_TRY(const Clip b, read_clip(right, right_clips[i], limits));
    compare_clips("clips[" + std::to_string(i) + "]", a, b, out);
  }
  for (std::size_t i = 0; i < std::min(left_bones.size(), right_bones.size()); ++i) {
    MARROW_TRY(const Skeleton a, read_skeleton(left, left_bones[i]));
    MARROW_TRY(const Skeleton b, read_skeleton(right, right_bones[i]));
    compare_skeletons("skeletons[" + std::to_string(i) + "]", a, b, out);
  }
  return out;
}

}  // namespace marrow
