// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <variant>
#include <vector>

#include "marrow/codec/compiled_clip.h"
#include "marrow/codec/spline_blob.h"
#include "marrow/core/error.h"
#include "marrow/core/limits.h"
#include "marrow/havok/game.h"
#include "marrow/havok/packfile.h"
#include "marrow/model/clip.h"

namespace marrow::havok {

// Animations of a packfile and clips of the model. A file may hold several animations, each with its binding.

/// The animations of a file, of whatever kind, in the order of its objects.
std::vector<ObjectId> find_animations(const Packfile& file);
/// Returns the binding that plays an animation; null if the file has none. Walks the whole file: whoever reads many
/// clips of one file asks `Bindings` instead.
ObjectId find_binding(const Packfile& file, ObjectId animation);

/// The bindings of a file by the animations that they play, found in one walk. Knows nothing of later changes.
class Bindings {
 public:
  explicit Bindings(const Packfile& file);
  /// Returns what `find_binding` does, in constant time.
  ObjectId of(ObjectId animation) const { return animation.index < of_.size() ? of_[animation.index] : ObjectId{}; }

 private:
  std::vector<ObjectId> of_;  ///< by object
};

/// The spline data of an animation, borrowed from the file. Fails where it is of another kind.
Result<codec::SplineBlobView> spline_data(const Packfile& file, ObjectId animation);

/// Reads one animation with its binding, events and root motion, every frame decoded. Spline-compressed, interleaved
/// and lossless animations are understood; the others are refused by name. Safe on untrusted files: frames are made
/// only after the data that they come from are found to be there.
Result<Clip> read_clip(const Packfile& file, ObjectId animation, const Limits& limits = {});
/// The same with the bindings found before, for files with many clips.
Result<Clip> read_clip(const Packfile& file, ObjectId animation, const Bindings& bindings, const Limits& limits = {});

/// Reads everything of `read_clip` but the motion: `transforms` and `floats` stay empty. Cheap.
Result<Clip> read_clip_header(const Packfile& file, ObjectId animation);
Result<Clip> read_clip_header(const Packfile& file, ObjectId animation, const Bindings& bindings);

/// Samples an animation of any kind at any frame. Spline data is evaluated as the games do; stored frames are mixed,
/// translations and scales linearly, rotations along the shorter way and made unit.
class MotionSampler {
 public:
  static Result<MotionSampler> open(const Packfile& file, ObjectId animation, const Limits& limits = {});

  std::int32_t frame_count() const;
  std::int32_t track_count() const;
  std::int32_t float_track_count() const;
  /// `pose` has one entry a track. Frames outside the clip take its ends.
  void sample_frame(double frame, std::span<Transform> pose) const;
  void sample_floats(double frame, std::span<float> floats) const;

 private:
  std::variant<Clip, codec::CompiledClip> motion_;
};

/// Replaces the motion of an animation and leaves the rest: events, binding, root motion. The animation becomes
/// spline-compressed if it was not. `duration_seconds` is that of the whole clip.
Result<void> set_spline_motion(Packfile& file, ObjectId animation, const codec::SplineBlob& motion,
                               float duration_seconds);
/// The same with every frame as it is: larger, and exact.
Result<void> set_frames(Packfile& file, ObjectId animation, const Clip& clip);

/// Replaces the events of an animation and nothing else.
void set_annotations(Packfile& file, ObjectId animation, std::span<const AnnotationTrack> tracks);

/// A new file with one clip, objects and names as the games have them. The motion is `motion` where that is given, else
/// the clip's own frames, uncompressed. What the game's version cannot say is told in `notes`.
Result<Packfile> make_clip_file(const Clip& clip, Game game, const codec::SplineBlob* motion = nullptr,
                                Notes* notes = nullptr);

}  // namespace marrow::havok
