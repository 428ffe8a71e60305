// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <glm/mat4x4.hpp>

#include "marrow/codec/compiled_clip.h"
#include "marrow/core/error.h"
#include "marrow/model/clip.h"
#include "marrow/model/skeleton.h"

namespace marrow {

struct DocumentClip;

/// How a clip is played.
struct SamplerOptions {
  /// Poses have one entry per bone of it, bones that the clip does not move at rest. Null: one entry per track, and no
  /// model space. Copied: it need not outlive the sampler.
  const Skeleton* skeleton = nullptr;
  codec::CompiledForm form = codec::CompiledForm::Hot;  ///< what spline-compressed motion is compiled to
  bool loop = false;                                    ///< times outside the clip wrap around; else they are clamped
  /// Largest size of the compiled form in bytes.
  std::size_t max_bytes = std::size_t{1} << 28;
};

/// Plays a clip at any time in seconds. Immutable once opened: any number of threads may sample it.
///
///     auto walk = Sampler::open(clip, {.skeleton = &skeleton, .loop = true});
///     walk->pose(seconds, pose);
///
/// Poses of spline-compressed motion are what the games see. Stored frames are interpolated: translations and scales
/// linearly, rotations along the shorter arc and normalised.
class Sampler {
 public:
  /// Memory of a caller that samples often. With one, and one per thread, sampling allocates nothing.
  struct Scratch {
    std::vector<Transform> tracks = {};
  };

  /// Opens a clip whose frames are values. Fails with `Malformed` if counts do not agree, as `validate` finds it, and
  /// with `WrongSkeleton` if no track moves a bone of the skeleton.
  static Result<Sampler> open(const Clip& clip, const SamplerOptions& options = {});
  /// Opens spline-compressed motion. `clip` supplies what is not motion: the bones of tracks, root motion, how it
  /// blends.
  static Result<Sampler> open(const codec::SplineBlobView& motion, const Clip& clip,
                              const SamplerOptions& options = {});
  /// Opens a clip of a document. Only in the whole library, not in `marrow_runtime`.
  static Result<Sampler> open(const DocumentClip& clip, const SamplerOptions& options = {});
  /// Opens a file that `save` wrote. Bytes at an address that is a multiple of 64, as a mapped file has, are used in
  /// place and must outlive the sampler; others are copied. Without a skeleton it has the bones that it was saved with;
  /// `form` has no effect. Safe on untrusted bytes: everything is checked once, here.
  static Result<Sampler> open(std::span<const std::byte> saved, const SamplerOptions& options = {});

  /// Writes the compiled clip to be opened again without its file: little-endian, the same on every system.
  std::vector<std::byte> save() const;

  /// Returns the number of entries of a pose.
  std::size_t bone_count() const { return rest_.empty() ? track_count() : rest_.size(); }
  std::size_t track_count() const { return static_cast<std::size_t>(clip_.track_count); }
  std::size_t float_count() const { return static_cast<std::size_t>(clip_.float_track_count); }
  std::size_t frame_count() const { return static_cast<std::size_t>(clip_.frame_count); }
  double duration_seconds() const { return static_cast<double>(clip_.duration_seconds); }
  /// Returns the frame at a time; with `loop`, times outside the clip wrap around.
  double frame_at(double seconds) const;

  /// Writes the local pose at a time. `local` has `bone_count()` entries.
  void pose(double seconds, std::span<Transform> local, Scratch& scratch) const;
  void pose(double seconds, std::span<Transform> local) const;
  /// Writes the pose in the space of the model. Needs a skeleton.
  void model_pose(double seconds, std::span<Transform> model, Scratch& scratch) const;
  void model_pose(double seconds, std::span<Transform> model) const;
  /// Writes the pose in the space of the model as matrices that multiply column vectors. `model` is used on the way;
  /// both have `bone_count()` entries. Needs a skeleton.
  void matrices(double seconds, std::span<glm::mat4> matrices, std::span<Transform> model, Scratch& scratch) const;
  /// Writes the float tracks, `float_count()` of them.
  void floats(double seconds, std::span<float> values) const;
  /// Returns the float slot of the skeleton that a float track moves; negative if none.
  std::int32_t slot_of_float(std::size_t track) const;

  /// Returns how far the character has moved and turned since time 0; with `loop`, over all repetitions.
  Transform root_motion(double seconds) const;
  /// Returns how far it moves from one time to a later one, in its own space at the first.
  Transform root_motion(double from_seconds, double to_seconds) const;

 private:
  Sampler() = default;
  static Result<Sampler> about(const Clip& clip, const SamplerOptions& options);
  Result<void> set_skeleton(const Skeleton& skeleton);
  Result<void> set_bones(std::vector<Transform> rest, std::vector<std::int32_t> parents);
  void sample_tracks(double frame, std::span<Transform> tracks) const;
  friend struct SamplerFile;

  Clip clip_ = {};                      ///< its frames too, unless the motion is compiled
  std::vector<std::byte> copied_ = {};  ///< of a saved clip that could not be used in place
  std::optional<codec::CompiledClip> compiled_ = {};
  std::span<const std::byte> opened_ = {};  ///< the compiled motion as it was saved, if it was opened
  std::vector<Transform> rest_ = {};        ///< one per bone; empty: no skeleton
  std::vector<std::int32_t> parents_ = {};  ///< likewise
  bool loop_ = false;
  bool tracks_are_bones_ = true;  ///< a pose is the tracks as they are
};

}  // namespace marrow
