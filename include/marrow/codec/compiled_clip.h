// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "marrow/codec/spline_blob.h"
#include "marrow/core/error.h"

namespace marrow::codec {

/// Floats of one track in a pose: translation x y z, rotation x y z w, scale x y z.
inline constexpr std::size_t kFloatsPerTrack = 10;

/// A spline-compressed clip made ready to sample: still channels as a finished pose, moving ones as polynomials that a
/// frame number alone finds. Immutable once compiled; any number of threads may sample one clip.
/// Prior art and figures: docs/formats/spline-animation.md, "Sampling".
class CompiledClip {
 public:
  CompiledClip() = default;
  CompiledClip(CompiledClip&&) = default;
  CompiledClip& operator=(CompiledClip&&) = default;

  std::uint32_t frame_count() const { return frame_count_; }
  std::uint32_t track_count() const { return track_count_; }
  std::uint32_t float_track_count() const { return float_track_count_; }
  std::uint32_t block_count() const { return block_count_; }
  /// Floats of a pose, `track_count() * kFloatsPerTrack`.
  std::size_t pose_floats() const { return std::size_t{track_count_} * kFloatsPerTrack; }
  double duration_seconds() const { return duration_seconds_; }
  /// Memory that the compiled form takes.
  std::size_t bytes() const { return storage_bytes_; }
  /// Channels that move, summed over the blocks.
  std::size_t moving_channel_count() const;

  /// The layout of a block, private to the room: src/codec/compiled_layout.h.
  struct Block;
  std::span<const Block> blocks() const;
  /// Frames from one block's start to the next.
  std::uint32_t stride() const { return stride_; }

 private:
  friend class ClipCompiler;

  struct Free {
    void operator()(std::byte* storage) const;
  };

  std::uint32_t frame_count_ = 0;
  std::uint32_t track_count_ = 0;
  std::uint32_t float_track_count_ = 0;
  std::uint32_t stride_ = 1;
  std::uint32_t block_count_ = 0;
  double duration_seconds_ = 0.0;
  std::unique_ptr<std::byte[], Free> storage_;  ///< the blocks, then what they point to
  std::size_t storage_bytes_ = 0;
  std::size_t storage_capacity_ = 0;
};

struct CompileOptions {
  /// The most that the compiled form may take. Rows cost frames times moving channels that a file does not pay for: a
  /// small hostile file can ask for much.
  std::size_t max_bytes = std::size_t{1} << 28;
};

/// Compiles clips one after another into reused memory.
class ClipCompiler {
 public:
  ClipCompiler();
  ~ClipCompiler();
  ClipCompiler(ClipCompiler&&) noexcept;
  ClipCompiler& operator=(ClipCompiler&&) noexcept;

  /// Compiles `view` over what `clip` was. Safe on untrusted input: the checks of `read_spline_blob`, and the size is
  /// compared with the budget before it is allocated. After a failure `clip` is empty.
  Result<void> compile(const SplineBlobView& view, double duration_seconds, CompiledClip& clip,
                       const CompileOptions& options = {});

 private:
  struct Scratch;
  std::unique_ptr<Scratch> scratch_;
};

/// The same for one clip.
Result<CompiledClip> compile_clip(const SplineBlobView& view, double duration_seconds,
                                  const CompileOptions& options = {});

/// The pose at a time, into `pose_floats()` floats; times outside the clip take its ends, NaN the start. No allocation,
/// no search, no state: forwards, backwards and at random cost the same. Rotations are of unit length.
void sample(const CompiledClip& clip, double seconds, std::span<float> pose);
/// The same at a frame, which may be fractional: frame 0 is the start, frame_count() - 1 the end.
void sample_frame(const CompiledClip& clip, double frame, std::span<float> pose);

/// What a pose buffer already holds, so that its still channels need not be written again. Belongs to one buffer that
/// nobody else writes to; start a new one with `{}`.
struct SampleContext {
  const void* still_pose = nullptr;  ///< the compiled block whose still channels it holds
};
void sample_frame(const CompiledClip& clip, double frame, std::span<float> pose, SampleContext& context);

/// The float tracks at a frame, into `float_track_count()` floats.
void sample_floats(const CompiledClip& clip, double frame, std::span<float> floats);

/// Whole frames from `first` on, as many as `frames` has room for; they must be there.
void decode_frames(const CompiledClip& clip, std::uint32_t first, std::span<float> frames);

}  // namespace marrow::codec
