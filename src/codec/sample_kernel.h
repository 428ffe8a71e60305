// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>

#include "codec/compiled_layout.h"

// The hot loop, compiled once per instruction set; sampler.cpp chooses one when the program starts.

namespace marrow::codec {

/// Memory that the next sample will read. The kernel fetches a few lines of it at a time between its batches, because
/// many at once would fill the line buffers, and the current sample would wait.
class Ahead {
 public:
  void add(const std::byte* from, const std::byte* to) {
    if (from >= to) return;
    // Whole lines, so that the last one is not missed.
    from -= reinterpret_cast<std::uintptr_t>(from) % kLine;
    ranges_[count_++] = {from, to};
  }
  void fetch(std::size_t lines) {
    while (lines > 0 && done_ < count_) {
      Range& range = ranges_[done_];
      for (; lines > 0 && range.from < range.to; --lines, range.from += kLine) __builtin_prefetch(range.from);
      if (range.from >= range.to) ++done_;
    }
  }
  void fetch_rest() { fetch(SIZE_MAX); }

 private:
  static constexpr std::uintptr_t kLine = 64;
  struct Range {
    const std::byte *from, *to;
  };
  Range ranges_[2];
  std::size_t count_ = 0, done_ = 0;
};

/// One moment of one block.
struct SampleTask {
  const std::byte* memory;
  const CompiledClip::Block* block;
  const std::byte* segment;  ///< compact only
  std::uint32_t frame;       ///< in the block
  float fraction;            ///< part of a frame after it
  float* pose;
  Ahead* ahead;  ///< may be null
};

/// Writes the moving channels over the pose.
using SampleKernel = void (*)(const SampleTask& task);

void sample_moving_portable(const SampleTask& task);
void sample_moving_sse4(const SampleTask& task);
void sample_moving_avx2(const SampleTask& task);

/// Returns the kernel that sampling uses: the best for this processor, unless a test or a benchmark sets another.
SampleKernel sample_kernel();
SampleKernel best_sample_kernel();
/// Returns the best kernel of 128 bits.
SampleKernel narrow_sample_kernel();
void set_sample_kernel(SampleKernel kernel);

}  // namespace marrow::codec
