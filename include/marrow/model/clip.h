// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "marrow/core/error.h"
#include "marrow/model/transform.h"

namespace marrow {

/// An event at a time in the clip: a footstep, a sound, a hit.
struct Annotation {
  float time_seconds = 0.0f;
  std::string text;

  bool operator==(const Annotation&) const = default;
};

/// Events of one transform track. The games put theirs on track 0; the name is often empty.
struct AnnotationTrack {
  std::string name;
  std::vector<Annotation> annotations;

  bool operator==(const AnnotationTrack&) const = default;
};

/// Movement of the whole character: one sample per frame, x y z and the turn about `up` in radians.
struct RootMotion {
  Vec4 up{0, 0, 1, 0};
  Vec4 forward{0, 1, 0, 0};
  float duration_seconds = 0.0f;
  std::vector<Vec4> samples;

  bool operator==(const RootMotion&) const = default;
};

/// How root motion is shown in files that know only bones and nodes.
enum class RootMotionAs : std::uint8_t {
  None,  ///< kept beside the motion; the character moves on the spot
  Node,  ///< the node above the bones moves
  Bake,  ///< bones without a parent move
};

/// Returns how far root motion has moved and turned the character. `share` of its duration is 0 to 1; samples are
/// interpolated linearly. Identity if there are no samples.
Transform root_motion_at(const RootMotion& motion, double share);

/// How the game blends the clip with the pose below it.
enum class BlendHint : std::uint8_t {
  Normal,
  Additive,            ///< introduced in Fallout 4's version; Skyrim's does not have it
  AdditiveDeprecated,  ///< the only form in Skyrim's version; Fallout 4 still plays it
};

/// An animation as values: every frame of every track, local to the parent bone. Frame `f` of track `t` is
/// `transforms[f * track_count + t]`; floats likewise.
struct Clip {
  std::string skeleton_name;  ///< the skeleton that it was made for, as named in the file
  std::int32_t frame_count = 0;
  float duration_seconds = 0.0f;  ///< `(frame_count - 1) * frame_duration`
  std::int32_t track_count = 0;
  std::int32_t float_track_count = 0;
  std::vector<Transform> transforms;
  std::vector<float> floats;
  std::vector<std::int16_t> track_to_bone;  ///< empty means track i moves bone i
  std::vector<std::int16_t> float_to_slot;
  /// Partitions of the skeleton that the clip moves; empty means all (Fallout 4 only).
  std::vector<std::int16_t> partitions = {};
  std::vector<AnnotationTrack> annotation_tracks;
  std::optional<RootMotion> root_motion;
  BlendHint blend_hint = BlendHint::Normal;

  bool operator==(const Clip&) const = default;

  std::span<const Transform> frame(std::int32_t index) const {
    return std::span(transforms)
        .subspan(static_cast<std::size_t>(index) * static_cast<std::size_t>(track_count),
                 static_cast<std::size_t>(track_count));
  }
};

/// Returns the bone that a track moves; negative if it moves none. Without a map, track i moves bone i.
inline std::int32_t bone_of_track(const Clip& clip, std::size_t track) {
  if (clip.track_to_bone.empty()) return static_cast<std::int32_t>(track);
  return track < clip.track_to_bone.size() ? clip.track_to_bone[track] : -1;
}

/// Writes the pose at a frame, which may be fractional. Translations and scales are interpolated linearly, rotations
/// along the shorter arc and normalised. `pose` has one entry per track. Frames outside the clip give its ends, NaN
/// gives the first frame. The clip must have a frame.
void sample_frame(const Clip& clip, double frame, std::span<Transform> pose);
void sample_floats(const Clip& clip, double frame, std::span<float> floats);

/// Checks that counts agree, values are finite, rotations have unit length and events are inside the clip.
Result<void> validate(const Clip& clip);

}  // namespace marrow
