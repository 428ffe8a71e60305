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

/// An event at a time of the clip: a footstep, a sound, a hit.
struct Annotation {
  float time_seconds = 0.0f;
  std::string text;

  bool operator==(const Annotation&) const = default;
};

/// Events that hang on one transform track. The games put theirs on track 0; the name is often empty.
struct AnnotationTrack {
  std::string name;
  std::vector<Annotation> annotations;

  bool operator==(const AnnotationTrack&) const = default;
};

/// Where the character as a whole goes: one sample a frame, x y z and the turn about `up` in radians.
struct RootMotion {
  Vec4 up{0, 0, 1, 0};
  Vec4 forward{0, 1, 0, 0};
  float duration_seconds = 0.0f;
  std::vector<Vec4> samples;

  bool operator==(const RootMotion&) const = default;
};

/// How the runtime mixes the clip into the pose below it.
enum class BlendHint : std::uint8_t {
  Normal,
  Additive,            ///< the form that came with Fallout 4's version; Skyrim's does not have it
  AdditiveDeprecated,  ///< the only form of Skyrim's version, which Fallout 4's still plays
};

/// One animation as values: every frame of every track, local to the parent bone.
/// Frame `f` of track `t` is `transforms[f * track_count + t]`; floats likewise.
struct Clip {
  std::string skeleton_name;  ///< the skeleton that it was made for, as the file names it
  std::int32_t frame_count = 0;
  float duration_seconds = 0.0f;  ///< `(frame_count - 1) * frame_duration`
  std::int32_t track_count = 0;
  std::int32_t float_track_count = 0;
  std::vector<Transform> transforms;
  std::vector<float> floats;
  std::vector<std::int16_t> track_to_bone;  ///< empty means track i moves bone i
  std::vector<std::int16_t> float_to_slot;
  std::vector<std::int16_t> partitions = {};  ///< of the skeleton that the clip moves; empty means all (Fallout 4 only)
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

/// The pose between whole frames: translations and scales mixed linearly, rotations along the shorter way and made
/// unit. `pose` has one entry a track; frames outside the clip take its ends, NaN the first. The clip has a frame.
void sample_frame(const Clip& clip, double frame, std::span<Transform> pose);
void sample_floats(const Clip& clip, double frame, std::span<float> floats);

/// Counts that agree, finite values, unit rotations, events inside the clip.
Result<void> validate(const Clip& clip);

}  // namespace marrow
