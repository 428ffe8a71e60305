// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "havok/object/game.h"
#include "havok/packfile/packfile.h"
#include "marrow/codec/spline_blob.h"
#include "marrow/core/error.h"
#include "marrow/core/limits.h"
#include "marrow/model/clip.h"

namespace marrow::havok {

// Converts between animations of a packfile and clips of the model. A file may hold several animations, each with its
// binding.

/// Returns the animations of a file, of any kind, in the order of its objects.
std::vector<ObjectId> find_animations(const Packfile& file);
/// Returns the binding that plays an animation; null if the file has none. Walks the whole file: use `Bindings` to read
/// many clips of one file.
ObjectId find_binding(const Packfile& file, ObjectId animation);

/// The bindings of a file by the animation that they play, found in one walk. Does not see later changes.
class Bindings {
 public:
  explicit Bindings(const Packfile& file);
  /// Returns what `find_binding` does, in constant time.
  ObjectId of(ObjectId animation) const { return animation.index < of_.size() ? of_[animation.index] : ObjectId{}; }

 private:
  std::vector<ObjectId> of_;  ///< by object
};

/// Returns the spline data of an animation, borrowed from the file. Fails if the animation is of another kind.
Result<codec::SplineBlobView> spline_data(const Packfile& file, ObjectId animation);

/// Reads one animation with its binding, events and root motion, and decodes every frame. Supports spline-compressed,
/// interleaved and lossless animations; fails with the name of any other kind. Safe on untrusted files: frames are
/// allocated only after their data is known to be there.
Result<Clip> read_clip(const Packfile& file, ObjectId animation, const Limits& limits = {});
/// Reads the same with bindings found before, for files with many clips.
Result<Clip> read_clip(const Packfile& file, ObjectId animation, const Bindings& bindings, const Limits& limits = {});

/// Reads everything that `read_clip` does except the motion: `transforms` and `floats` stay empty. Cheap.
Result<Clip> read_clip_header(const Packfile& file, ObjectId animation);
Result<Clip> read_clip_header(const Packfile& file, ObjectId animation, const Bindings& bindings);

/// Replaces the motion of an animation and keeps the rest: events, binding, root motion. The animation becomes
/// spline-compressed if it was not. `duration_seconds` is the duration of the whole clip.
Result<void> set_spline_motion(Packfile& file, ObjectId animation, const codec::SplineBlob& motion,
                               float duration_seconds);
/// Does the same but stores every frame uncompressed: larger, and exact.
Result<void> set_frames(Packfile& file, ObjectId animation, const Clip& clip);

/// Replaces the events of an animation and nothing else.
void set_annotations(Packfile& file, ObjectId animation, std::span<const AnnotationTrack> tracks);

/// Replaces the binding of an animation: the skeleton's name, the maps of tracks and float slots, partitions, blend
/// hint. Adds one if there is none. Reports in `notes` what the version of the file cannot represent.
void set_binding(Packfile& file, ObjectId animation, const Clip& clip, Notes* notes = nullptr);
/// Replaces the root motion of an animation, or removes it. Numbers of objects change if it is removed.
void set_root_motion(Packfile& file, ObjectId animation, const std::optional<RootMotion>& motion);

/// Creates a file with one clip, with objects and names as the games have them. The motion is `motion` if given, else
/// the frames of the clip, uncompressed. Reports in `notes` what the game's version cannot represent.
Result<Packfile> make_clip_file(const Clip& clip, Game game, const codec::SplineBlob* motion = nullptr,
                                Notes* notes = nullptr);

}  // namespace marrow::havok
