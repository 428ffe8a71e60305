// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <atomic>
#include <cassert>
#include <cstring>

#include "codec/compiled_layout.h"
#include "codec/sample_kernel.h"
#include "codec/vector4.h"
#include "codec/bspline.h"
#include "marrow/codec/compiled_clip.h"

namespace marrow::codec {
namespace {

struct Place {
  std::uint32_t block;
  std::uint32_t frame;  ///< frame in the block
  float fraction;
};

/// A block is entered at its first frame; the frame that it shares with the next belongs to the next.
Place locate(const CompiledClip& clip, double frame) {
  const double last = clip.frame_count() - 1;
  // Written so that NaN becomes 0.
  const double inside = frame > 0.0 ? (frame < last ? frame : last) : 0.0;
  const std::uint32_t block = std::min(static_cast<std::uint32_t>(inside) / clip.stride(), clip.block_count() - 1);
  const double local = inside - static_cast<double>(block) * clip.stride();
  const std::uint32_t whole = std::min(static_cast<std::uint32_t>(local), clip.blocks()[block].frames - 1);
  return {block, whole, static_cast<float>(local - whole)};
}

/// Size of the buffer of `decode_frames`, and the size from which its output bypasses the caches, which would not hold
/// it.
constexpr std::size_t kNearFloats = 4096;
constexpr std::size_t kNearSlots = 64;
constexpr std::size_t kStreamBytes = 512 << 10;

/// Lets the cache misses of a clip that is seldom sampled overlap, with each other and with the copy of the pose.
/// Neighbouring channels often have neighbouring records, so every second one is enough.
void prefetch_records(const CompiledClip::Block& block, const std::byte* row) {
  const auto prefetch = [&]<class Id>(const Id* ids) {
    for (std::uint32_t c = 0; c < block.group_end[kVectorLine]; c += 2)
      __builtin_prefetch(block.lines + std::size_t{ids[c]} * kLineFloats);
    for (std::uint32_t c = block.group_end[kVectorLine]; c < block.group_end[kVectorCubic]; c += 2)
      __builtin_prefetch(block.cubics + std::size_t{ids[c]} * kCubicFloats);
  };
  if (block.wide)
    prefetch(reinterpret_cast<const std::uint32_t*>(row));
  else
    prefetch(reinterpret_cast<const std::uint16_t*>(row));
}

void sample_with(SampleKernel kernel, const CompiledClip& clip, double frame, float* pose, SampleContext* context) {
  const Place place = locate(clip, frame);
  const CompiledClip::Block& block = clip.blocks()[place.block];
  if (!block.compact) prefetch_records(block, block.rows + std::size_t{place.frame} * block.row_bytes);
  if (context == nullptr || context->still_pose != block.pose)
    std::memcpy(pose, block.pose, clip.pose_floats() * sizeof(float));
  if (context != nullptr) context->still_pose = block.pose;
  kernel(block, place.frame, place.fraction, pose);
}

/// Writes the moving float tracks. Files have few, so they are not worth a kernel.
void sample_compact_floats(const CompiledClip::Block& block, const std::byte* row, double frame,
                           std::span<float> floats) {
  const CubicChannel* channels = block.cubic_channels - block.group_end[kVectorLine];
  for (std::uint32_t c = block.group_end[kFloatCubic - 1]; c < block.group_end[kFloatCubic]; ++c) {
    const std::uint8_t* knots = reinterpret_cast<const std::uint8_t*>(block.curves) + channels[c].first_knot;
    const std::size_t degree = knots[-1], first = std::to_integer<std::size_t>(row[c]);
    const auto weights = basis({knots, first + 2 * degree + 2}, degree, first + degree, frame);
    const float* points = block.curves + (channels[c].first_point + first) * 4;
    double sum = 0;
    for (std::size_t i = 0; i <= degree; ++i) sum += weights[i] * static_cast<double>(points[i * 4]);
    floats[channels[c].destination] = static_cast<float>(sum);
  }
}

constinit std::atomic<SampleKernel> chosen_kernel{nullptr};

}  // namespace

SampleKernel best_sample_kernel() {
#if defined(MARROW_HAS_AVX2_KERNEL)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return sample_moving_avx2;
#endif
  return sample_moving_portable;
}

SampleKernel sample_kernel() {
  SampleKernel kernel = chosen_kernel.load(std::memory_order_relaxed);
  if (kernel == nullptr) [[unlikely]] {
    kernel = best_sample_kernel();
    chosen_kernel.store(kernel, std::memory_order_relaxed);
  }
  return kernel;
}

void set_sample_kernel(SampleKernel kernel) { chosen_kernel.store(kernel, std::memory_order_relaxed); }

void sample(const CompiledClip& clip, double seconds, std::span<float> pose) {
  const double duration = clip.duration_seconds();
  sample_frame(clip, duration > 0.0 ? seconds * (clip.frame_count() - 1) / duration : 0.0, pose);
}

void sample_frame(const CompiledClip& clip, double frame, std::span<float> pose) {
  assert(pose.size() == clip.pose_floats());
  if (!pose.empty()) sample_with(sample_kernel(), clip, frame, pose.data(), nullptr);
}

void sample_frame(const CompiledClip& clip, double frame, std::span<float> pose, SampleContext& context) {
  assert(pose.size() == clip.pose_floats());
  if (!pose.empty()) sample_with(sample_kernel(), clip, frame, pose.data(), &context);
}

void sample_floats(const CompiledClip& clip, double frame, std::span<float> floats) {
  assert(floats.size() == clip.float_track_count());
  if (clip.block_count() == 0) return;
  const Place place = locate(clip, frame);
  const CompiledClip::Block& block = clip.blocks()[place.block];
  std::copy_n(block.floats, floats.size(), floats.begin());
  const std::byte* row = block.rows + std::size_t{place.frame} * block.row_bytes;
  if (block.compact)
    return sample_compact_floats(block, row, place.frame + static_cast<double>(place.fraction), floats);
  const std::size_t id_bytes = block.wide ? 4 : 2;
  const auto number = [&](const void* table, std::size_t channel) {
    std::uint32_t value = 0;
    std::memcpy(&value, static_cast<const std::byte*>(table) + channel * id_bytes, id_bytes);
    return value;
  };
  for (std::uint32_t c = block.group_end[kFloatCubic - 1]; c < block.group_end[kFloatCubic]; ++c) {
    const float* record = block.cubics + std::size_t{number(row, c)} * kCubicFloats;
    const float age = std::to_integer<std::uint8_t>(row[block.group_end[kGroupCount - 1] * id_bytes + c]);
    const float s = age + place.fraction;
    floats[number(block.destinations, c)] = ((record[12] * s + record[8]) * s + record[4]) * s + record[0];
  }
}

void decode_frames(const CompiledClip& clip, std::uint32_t first, std::span<float> frames) {
  const std::size_t pose_floats = clip.pose_floats();
  if (pose_floats == 0 || clip.block_count() == 0) return;
  const auto count = static_cast<std::uint32_t>(frames.size() / pose_floats);
  assert(frames.size() % pose_floats == 0 && first + count <= clip.frame_count());
  if (pose_floats > kNearFloats || frames.size_bytes() < kStreamBytes) {
    for (std::uint32_t i = 0; i < count; ++i)
      sample_with(sample_moving_portable, clip, first + i, frames.data() + i * pose_floats, nullptr);
    return;
  }
  // A few poses are buffered and copied out together: their constant channels are written once per block, and the
  // output goes to memory in long runs without being read into the cache first.
  alignas(64) float near[kNearFloats];
  std::array<SampleContext, kNearSlots> contexts;
  const auto slots = static_cast<std::uint32_t>(std::min(kNearFloats / pose_floats, kNearSlots));
  for (std::uint32_t done = 0; done < count;) {
    const std::uint32_t run = std::min(slots, count - done);
    for (std::uint32_t i = 0; i < run; ++i)
      sample_with(sample_moving_portable, clip, first + done + i, near + i * pose_floats, &contexts[i]);
    stream_copy(frames.data() + done * pose_floats, near, run * pose_floats);
    done += run;
  }
  stream_fence();
}

}  // namespace marrow::codec
