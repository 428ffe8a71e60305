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

/// Memory for compiled clips, if the caller wants to choose it: clips that are sampled in turn are found faster if they
/// lie together on large pages (docs/formats/spline-animation.md, "Sampling"). Must outlive the clips.
class ClipAllocator {
 public:
  virtual ~ClipAllocator() = default;
  /// Returns memory that is aligned to 64 bytes, or null.
  virtual std::byte* allocate(std::size_t bytes) = 0;
  virtual void release(std::byte* memory, std::size_t bytes) = 0;
};

/// A spline-compressed clip prepared for sampling: constant channels as a finished pose, moving ones as polynomials or
/// control points that are found by frame number. Immutable once compiled; any number of threads may sample one clip.
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
  /// Returns the number of floats in a pose, `track_count() * kFloatsPerTrack`.
  std::size_t pose_floats() const { return std::size_t{track_count_} * kFloatsPerTrack; }
  double duration_seconds() const { return duration_seconds_; }
  /// Returns the memory of the compiled form in bytes.
  std::size_t bytes() const { return storage_bytes_; }
  /// Returns the compiled form: one piece of memory that refers to itself by offsets only.
  std::span<const std::byte> memory() const { return {storage_.get(), storage_bytes_}; }
  /// Returns the number of moving channels, summed over the blocks.
  std::size_t moving_channel_count() const;

  /// The layout of a block, private to the codec: src/codec/compiled_layout.h.
  struct Block;
  std::span<const Block> blocks() const;
  /// Returns the number of frames from the start of one block to the next.
  std::uint32_t stride() const { return stride_; }

 private:
  friend class ClipCompiler;
  friend struct CompiledFile;

  struct Free {
    ClipAllocator* allocator;  ///< the program's own memory if null
    std::size_t bytes;
    Free() : allocator(nullptr), bytes(0) {}
    Free(ClipAllocator* from, std::size_t size) : allocator(from), bytes(size) {}
    void operator()(std::byte* storage) const;
  };

  std::uint32_t frame_count_ = 0;
  std::uint32_t track_count_ = 0;
  std::uint32_t float_track_count_ = 0;
  std::uint32_t stride_ = 1;
  std::uint32_t block_count_ = 0;
  double duration_seconds_ = 0.0;
  std::unique_ptr<std::byte[], Free> storage_;
  std::size_t storage_bytes_ = 0;
};

/// What a clip is compiled for. The poses are the same but for rounding.
enum class CompiledForm : std::uint8_t {
  Hot,      ///< polynomials: the fastest while clips stay in the caches
  Compact,  ///< packed control points in segments of 16 frames: the fastest for thousands of clips, a quarter of the
            ///< size
};

struct CompileOptions {
  /// Largest size of the compiled form. Rows need memory for frames times moving channels, which is not proportional to
  /// the file size: a small hostile file can ask for much. Never more than 4 GB.
  std::size_t max_bytes = std::size_t{1} << 28;
  /// A block is hot even if `Compact` is asked for if it has what the games do not write: rotations of other than three
  /// components, curves of degree 0 or 2, jumps, or segments of more than 64 KB.
  CompiledForm form = CompiledForm::Hot;
  /// Where the clip is put; null is the program's own memory.
  ClipAllocator* allocator = nullptr;
};

/// Compiles clips one after another into reused memory.
class ClipCompiler {
 public:
  ClipCompiler();
  ~ClipCompiler();
  ClipCompiler(ClipCompiler&&) noexcept;
  ClipCompiler& operator=(ClipCompiler&&) noexcept;

  /// Compiles `view` into `clip`, replacing its content. Safe on untrusted input: makes the checks of
  /// `read_spline_blob` and compares the size with the budget before allocating. After a failure `clip` is empty.
  Result<void> compile(const SplineBlobView& view, double duration_seconds, CompiledClip& clip,
                       const CompileOptions& options = {});

 private:
  struct Scratch;
  std::unique_ptr<Scratch> scratch_;
};

/// Compiles one clip.
Result<CompiledClip> compile_clip(const SplineBlobView& view, double duration_seconds,
                                  const CompileOptions& options = {});

/// Writes the pose at a time into `pose_floats()` floats. Times outside the clip give its ends, NaN gives the start. No
/// allocation, no search, no state: forward, backward and random access cost the same. Rotations have unit length.
void sample(const CompiledClip& clip, double seconds, std::span<float> pose);
/// Does the same at a frame, which may be fractional: frame 0 is the start, frame_count() - 1 the end.
void sample_frame(const CompiledClip& clip, double frame, std::span<float> pose);

/// One sample of a list. `pose` has `clip->pose_floats()` floats.
struct SampleRequest {
  const CompiledClip* clip = nullptr;
  double frame = 0.0;
  std::span<float> pose{};
};
/// Does what `sample_frame` does for each request, in order, with the same results. Faster than single calls for
/// compact clips that are not in the caches, because it fetches the next samples while it works on one.
void sample_many(std::span<const SampleRequest> requests);

/// Records what a pose buffer already holds, so that its constant channels need not be written again. Belongs to one
/// buffer that nobody else writes to; start a new one with `{}`.
struct SampleContext {
  const void* still_pose = nullptr;  ///< the compiled block whose constant channels the buffer holds
};
void sample_frame(const CompiledClip& clip, double frame, std::span<float> pose, SampleContext& context);

/// Writes the float tracks at a frame into `float_track_count()` floats.
void sample_floats(const CompiledClip& clip, double frame, std::span<float> floats);

/// Decodes whole frames from `first` on, as many as `frames` has space for. All of them must exist.
void decode_frames(const CompiledClip& clip, std::uint32_t first, std::span<float> frames);

}  // namespace marrow::codec
