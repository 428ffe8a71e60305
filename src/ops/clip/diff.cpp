// SPDX-License-Identifier: MIT
// Compares clips and skeletons by meaning: how far apart in degrees and units, which events and names differ.
#include "ops/clip/diff.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <string>
#include <vector>

#include "core/try.h"
#include "havok/animation/animation.h"
#include "havok/animation/skeleton.h"
#include "marrow/core/text.h"

namespace marrow {
namespace {

using havok::Packfile;

/// Below these two motions are equal: no encoding of the format is that precise.
constexpr float kSameDegrees = 1e-3f;
constexpr float kSameUnits = 1e-4f;

using Differences = std::vector<Difference>;

/// Compares the fields of one object.
struct Compared {
  std::string kind, object;
  Differences& out;

  void value(std::string field, std::string left, std::string right) {
    if (left != right)
      out.push_back({.kind = kind,
                     .object = object,
                     .field = std::move(field),
                     .left = std::move(left),
                     .right = std::move(right)});
  }
  void one_side(std::string field, bool is_left, std::string text) {
    Difference difference{.kind = kind, .object = object, .field = std::move(field)};
    (is_left ? difference.left : difference.right) = std::move(text);
    out.push_back(std::move(difference));
  }
  void apart(std::string field, float size, float same, std::string unit) {
    if (size > same)
      out.push_back({.kind = kind,
                     .object = object,
                     .field = std::move(field),
                     .size = static_cast<double>(size),
                     .unit = std::move(unit)});
  }
  void places(const std::string& field, const Transform& a, const Transform& b) {
    apart(field + "rotation", angle_degrees(a.rotation, b.rotation), kSameDegrees, "degrees");
    apart(field + "position", glm::length(a.translation - b.translation), kSameUnits, "units");
    apart(field + "scale", glm::length(a.scale - b.scale), kSameUnits, "factor");
  }
};

/// Times and root motion closer than this, relative to the clip, are equal: cutting, reversing and retiming a clip and
/// undoing it again cannot keep the last bits of a float.
constexpr double kSameShare = 1e-6;

bool is_same_motion(const RootMotion& a, const RootMotion& b) {
  if (a.up != b.up || a.forward != b.forward || a.samples.size() != b.samples.size()) return false;
  float largest = 1.0f;
  for (const Vec4& sample : a.samples) largest = std::max(largest, glm::length(Vec3(sample)));
  for (std::size_t i = 0; i < a.samples.size(); ++i)
    if (glm::length(Vec3(a.samples[i] - b.samples[i])) > kSameShare * largest ||
        std::abs(a.samples[i].w - b.samples[i].w) > kSameShare)
      return false;
  return true;
}

std::string event_text(const Annotation& event) { return float_text(event.time_seconds) + " " + event.text; }

void compare_events(const std::string& clip, const Clip& left, const Clip& right, Differences& out) {
  // Each event is taken once: the same event may occur twice.
  Compared events{"event", clip, out};
  const double slack = kSameShare * std::max(1.0, static_cast<double>(left.duration_seconds));
  const std::size_t tracks = std::max(left.annotation_tracks.size(), right.annotation_tracks.size());
  for (std::size_t t = 0; t < tracks; ++t) {
    const std::string place = "annotations[" + std::to_string(t) + "]";
    std::vector<Annotation> others;
    if (t < right.annotation_tracks.size()) others = right.annotation_tracks[t].annotations;
    if (t < left.annotation_tracks.size())
      for (const Annotation& event : left.annotation_tracks[t].annotations) {
        const auto same = std::ranges::find_if(others, [&](const Annotation& other) {
          return other.text == event.text &&
                 std::abs(static_cast<double>(other.time_seconds) - static_cast<double>(event.time_seconds)) <= slack;
        });
        if (same == others.end())
          events.one_side(place, true, event_text(event));
        else
          others.erase(same);
      }
    for (const Annotation& other : others) events.one_side(place, false, event_text(other));
  }
}

// Returns the name of a track: that of its annotation track, as set by the games, or its number.
std::string track_name(const Clip& clip, std::size_t track) {
  if (track < clip.annotation_tracks.size() && !clip.annotation_tracks[track].name.empty())
    return clip.annotation_tracks[track].name;
  return "tracks[" + std::to_string(track) + "]";
}

void compare_motion(const std::string& clip, const Clip& left, const Clip& right, Differences& out) {
  const auto tracks = static_cast<std::size_t>(left.track_count);
  for (std::size_t t = 0; t < tracks; ++t) {
    float degrees = 0, units = 0, scale = 0;
    for (std::int32_t f = 0; f < left.frame_count; ++f) {
      const Transform &a = left.frame(f)[t], &b = right.frame(f)[t];
      degrees = std::max(degrees, angle_degrees(a.rotation, b.rotation));
      units = std::max(units, glm::length(a.translation - b.translation));
      scale = std::max(scale, glm::length(a.scale - b.scale));
    }
    Compared track{"track", track_name(left, t), out};
    track.apart("rotation", degrees, kSameDegrees, "degrees");
    track.apart("position", units, kSameUnits, "units");
    track.apart("scale", scale, kSameUnits, "factor");
  }
  float floats = 0;
  for (std::size_t i = 0; i < left.floats.size(); ++i)
    floats = std::max(floats, std::abs(left.floats[i] - right.floats[i]));
  Compared{"clip", clip, out}.apart("floats", floats, kSameUnits, "value");
}

std::string shorts_text(std::span<const std::int16_t> numbers) {
  std::string text;
  for (const std::int16_t number : numbers) text += (text.empty() ? "" : " ") + std::to_string(number);
  return text;
}

/// Returns the track map as text; an empty map is the identity.
std::string map_text(const Clip& clip) {
  std::string text;
  for (std::size_t i = 0; i < static_cast<std::size_t>(clip.track_count); ++i)
    text += (text.empty() ? "" : " ") + std::to_string(bone_of_track(clip, i));
  return text;
}

const char* yes_no(bool value) { return value ? "yes" : "no"; }

const char* blend_word(BlendHint hint) {
  switch (hint) {
    case BlendHint::Normal: return "NORMAL";
    case BlendHint::Additive: return "ADDITIVE";
    case BlendHint::AdditiveDeprecated: return "ADDITIVE_DEPRECATED";
  }
  return "NORMAL";
}

void compare_clips(const std::string& name, const Clip& left, const Clip& right, Differences& out) {
  Compared clip{"clip", name, out};
  const std::size_t before = out.size();
  clip.value("frames", std::to_string(left.frame_count), std::to_string(right.frame_count));
  clip.value("tracks", std::to_string(left.track_count), std::to_string(right.track_count));
  clip.value("float_tracks", std::to_string(left.float_track_count), std::to_string(right.float_track_count));
  const bool same_shape = out.size() == before;
  const double apart = static_cast<double>(left.duration_seconds) - static_cast<double>(right.duration_seconds);
  if (std::abs(apart) > kSameShare * std::max(1.0, static_cast<double>(left.duration_seconds)))
    clip.value("duration_seconds", float_text(left.duration_seconds), float_text(right.duration_seconds));
  clip.value("skeleton_name", left.skeleton_name, right.skeleton_name);
  clip.value("track_to_bone", map_text(left), map_text(right));
  clip.value("float_to_slot", shorts_text(left.float_to_slot), shorts_text(right.float_to_slot));
  clip.value("blend_hint", blend_word(left.blend_hint), blend_word(right.blend_hint));
  clip.value("root_motion", yes_no(left.root_motion.has_value()), yes_no(right.root_motion.has_value()));
  if (left.root_motion && right.root_motion && !is_same_motion(*left.root_motion, *right.root_motion))
    clip.value("root_motion.samples", std::to_string(left.root_motion->samples.size()),
               std::to_string(right.root_motion->samples.size()) + ", different samples");
  compare_events(name, left, right, out);
  if (same_shape) compare_motion(name, left, right, out);
}

// The name of a bone, or its number: the ragdolls in NIF files have no names.
std::string bone_name(const Skeleton& skeleton, std::size_t index) {
  const std::string& name = skeleton.bones[index].name;
  return name.empty() ? "bones[" + std::to_string(index) + "]" : name;
}

std::string parent_name(const Skeleton& skeleton, const Bone& bone) {
  if (bone.parent < 0) return "none";
  // A damaged file may state a parent that is not there.
  const auto parent = static_cast<std::size_t>(bone.parent);
  return parent < skeleton.bones.size() ? bone_name(skeleton, parent) : "bones[" + std::to_string(parent) + "]";
}

// The bone of the same name; one without a name by its number.
std::optional<std::int32_t> find_same_bone(const Skeleton& skeleton, const Bone& bone, std::size_t index) {
  if (!bone.name.empty()) return find_bone(skeleton, bone.name);
  if (index >= skeleton.bones.size() || !skeleton.bones[index].name.empty()) return std::nullopt;
  return static_cast<std::int32_t>(index);
}

void compare_local_frames(const std::string& name, const Skeleton& left, const Skeleton& right, Differences& out) {
  const auto &a = left.local_frames, &b = right.local_frames;
  Compared skeleton{"skeleton", name, out};
  for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
    const std::string place = "local_frames[" + std::to_string(i) + "]";
    if (i >= a.size() || i >= b.size()) {
      skeleton.one_side(place, i < a.size(), i < a.size() ? a[i].name : b[i].name);
      continue;
    }
    skeleton.value(place + ".name", a[i].name, b[i].name);
    skeleton.value(place + ".bone", std::to_string(a[i].bone), std::to_string(b[i].bone));
    skeleton.places(place + ".", a[i].place, b[i].place);
  }
}

std::string slots_text(const Skeleton& skeleton) {
  std::string text;
  for (const FloatSlot& slot : skeleton.float_slots) text += slot.name + "=" + float_text(slot.reference) + " ";
  return text;
}

void compare_skeletons(const std::string& name, const Skeleton& left, const Skeleton& right, Differences& out) {
  Compared skeleton{"skeleton", name, out};
  skeleton.value("name", left.name, right.name);
  for (std::size_t i = 0; i < left.bones.size(); ++i) {
    const Bone& bone = left.bones[i];
    Compared compared{"bone", bone_name(left, i), out};
    const auto found = find_same_bone(right, bone, i);
    if (!found) {
      compared.one_side("", true, "child of " + parent_name(left, bone));
      continue;
    }
    const Bone& other = right.bones[static_cast<std::size_t>(*found)];
    compared.value("index", std::to_string(i), std::to_string(*found));
    compared.value("parent", parent_name(left, bone), parent_name(right, other));
    compared.value("lock_translation", yes_no(bone.lock_translation), yes_no(other.lock_translation));
    compared.places("rest.", bone.rest, other.rest);
  }
  for (std::size_t i = 0; i < right.bones.size(); ++i)
    if (!find_same_bone(left, right.bones[i], i))
      Compared{"bone", bone_name(right, i), out}.one_side("", false, "child of " + parent_name(right, right.bones[i]));
  skeleton.value("float_slots", slots_text(left), slots_text(right));
  compare_local_frames(name, left, right, out);
}

}  // namespace

void diff_clips(const std::string& name, const Clip& left, const Clip& right, Differences& out) {
  compare_clips(name, left, right, out);
}

void diff_skeletons(const std::string& name, const Skeleton& left, const Skeleton& right, Differences& out) {
  compare_skeletons(name, left, right, out);
}

Result<void> diff_animation(const Packfile& left, const Packfile& right, const Limits& limits, Differences& out) {
  const auto left_clips = havok::find_animations(left), right_clips = havok::find_animations(right);
  const auto left_bones = havok::find_skeletons(left), right_bones = havok::find_skeletons(right);
  const havok::Bindings left_bindings(left), right_bindings(right);
  Compared file{"file", "", out};
  file.value("clips", std::to_string(left_clips.size()), std::to_string(right_clips.size()));
  file.value("skeletons", std::to_string(left_bones.size()), std::to_string(right_bones.size()));
  for (std::size_t i = 0; i < std::min(left_clips.size(), right_clips.size()); ++i) {
    MARROW_TRY(const Clip a, havok::read_clip(left, left_clips[i], left_bindings, limits));
    MARROW_TRY(const Clip b, havok::read_clip(right, right_clips[i], right_bindings, limits));
    diff_clips("clips[" + std::to_string(i) + "]", a, b, out);
  }
  for (std::size_t i = 0; i < std::min(left_bones.size(), right_bones.size()); ++i) {
    MARROW_TRY(const Skeleton a, havok::read_skeleton(left, left_bones[i]));
    MARROW_TRY(const Skeleton b, havok::read_skeleton(right, right_bones[i]));
    diff_skeletons("skeletons[" + std::to_string(i) + "]", a, b, out);
  }
  return {};
}

}  // namespace marrow
