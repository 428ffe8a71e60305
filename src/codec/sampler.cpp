// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <atomic>
#include <cassert>
#include <cstring>

#include "codec/compact_floats.h"
#include "codec/compiled_layout.h"
#include "codec/sample_kernel.h"
#include "codec/vector4.h"
#include "marrow/codec/compiled_clip.h"

namespace marrow::codec {
namespace {

struct Place {
  std::uint32_t block;
  std::uint32_t frame;  ///< frame in the block
  float fraction;
};

/// Returns where a frame is. A block is entered at its first frame; the frame that it shares with the next belongs to
/// the next. Reads nothing of the clip's memory, which may still be on its way to the caches.
Place locate(const CompiledClip& clip, double frame) {
  const double last = clip.frame_count() - 1;
  // Written so that NaN becomes 0.
  const double inside = frame > 0.0 ? (frame < last ? frame : last) : 0.0;
  if (clip.block_count() == 1) {
    const auto whole = static_cast<std::uint32_t>(inside);
    return {0, whole, static_cast<float>(inside - whole)};
  }
  const std::uint32_t block = std::min(static_cast<std::uint32_t>(inside) / clip.stride(), clip.block_count() - 1);
  const double local = inside - static_cast<double>(block) * clip.stride();
  const std::uint32_t frames = std::min(clip.stride() + 1, clip.frame_count() - block * clip.stride());
  const std::uint32_t whole = std::min(static_cast<std::uint32_t>(local), frames - 1);
  return {block, whole, static_cast<float>(local - whole)};
}

const std::byte* block_head(const CompiledClip& clip, std::uint32_t block) {
  return clip.memory().data() + std::size_t{block} * sizeof(CompiledClip::Block);
}

/// Returns the entry of the table that says where the segment starts; the next says where it ends.
const std::uint32_t* segment_entry(const CompiledClip& clip, const Place& place) {
  const std::uint32_t per_block = segments_per_block(clip.frame_count(), clip.stride());
  const std::uint32_t in_block =
      std::min(clip.stride() + 1, clip.frame_count() - place.block * clip.stride()) - 1;  // intervals
  const std::uint32_t whole = std::min(place.frame, in_block > 0 ? in_block - 1 : 0);
  return part_at<std::uint32_t>(block_head(clip, clip.block_count()), 0) + std::size_t{place.block} * per_block +
         whole / kSegmentFrames;
}

/// Size of the buffer of `decode_frames`, and the size from which its output bypasses the caches, which would not hold
/// it.
constexpr std::size_t kNearFloats = 4096;
constexpr std::size_t kNearSlots = 64;
constexpr std::size_t kStreamBytes = 512 << 10;

/// Lets the cache misses of a clip that is seldom sampled overlap, with each other and with the copy of the pose.
/// Neighbouring channels often have neighbouring records, so every second one is enough.
void prefetch_records(const SampleTask& task) {
  const CompiledClip::Block::Hot& hot = task.block->hot;
  const std::byte* row = task.memory + hot.rows + std::size_t{task.frame} * hot.row_bytes;
  const auto prefetch = [&]<class Id>(const Id* ids) {
    const float* lines = part_at<float>(task.memory, hot.lines);
    const float* cubics = part_at<float>(task.memory, hot.cubics);
    for (std::uint32_t c = 0; c < hot.group_end[kVectorLine]; c += 2)
      __builtin_prefetch(lines + std::size_t{ids[c]} * kLineFloats);
    for (std::uint32_t c = hot.group_end[kVectorLine]; c < hot.group_end[kVectorCubic]; c += 2)
      __builtin_prefetch(cubics + std::size_t{ids[c]} * kCubicFloats);
  };
  if (task.block->wide)
    prefetch(part_at<std::uint32_t>(row, 0));
  else
    prefetch(part_at<std::uint16_t>(row, 0));
}

/// What a compact sample reads: its segment, and the constants of its block.
Ahead lines_of(const CompiledClip& clip, const Place& place) {
  Ahead ahead;
  const std::byte* memory = clip.memory().data();
  const auto& block = *part_at<CompiledClip::Block>(block_head(clip, place.block), 0);
  if (!block.compact) return ahead;
  const std::uint32_t* entry = segment_entry(clip, place);
  ahead.add(memory + block.pose, memory + block.packed.constants_end);
  ahead.add(memory + entry[0], memory + entry[1]);
  return ahead;
}

SampleTask task_at(const CompiledClip& clip, const Place& place, float* pose) {
  const std::byte* memory = clip.memory().data();
  SampleTask task{.memory = memory,
                  .block = part_at<CompiledClip::Block>(block_head(clip, place.block), 0),
                  .segment = nullptr,
                  .frame = place.frame,
                  .fraction = place.fraction,
                  .pose = pose,
                  .ahead = nullptr};
  if (task.block->compact) task.segment = memory + *segment_entry(clip, place);
  return task;
}

void sample_with(SampleKernel kernel, const CompiledClip& clip, double frame, float* pose, SampleContext* context) {
  const SampleTask task = task_at(clip, locate(clip, frame), pose);
  const float* still = part_at<float>(task.memory, task.block->pose);
  if (!task.block->compact) prefetch_records(task);
  if (context == nullptr || context->still_pose != still) std::memcpy(pose, still, clip.pose_floats() * sizeof(float));
  if (context != nullptr) context->still_pose = still;
  kernel(task);
}

constinit std::atomic<SampleKernel> chosen_kernel{nullptr};

}  // namespace

SampleKernel narrow_sample_kernel() {
#if defined(MARROW_HAS_AVX2_KERNEL)
  if (__builtin_cpu_supports("sse4.1")) return sample_moving_sse4;
#endif
  return sample_moving_portable;
}

SampleKernel best_sample_kernel() {
#if defined(MARROW_HAS_AVX2_KERNEL)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return sample_moving_avx2;
#endif
  return narrow_sample_kernel();
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

// While one sample runs, the lines of the next are fetched, and the head and the table entry that say where the lines
// of the one after it are. Before that, its clip.
void sample_many(std::span<const SampleRequest> requests) {
  const SampleKernel kernel = sample_kernel();
  const auto has_pose = [&](std::size_t i) { return i < requests.size() && !requests[i].pose.empty(); };
  const auto fetch_head = [&](std::size_t i) {
    if (!has_pose(i)) return;
    const Place place = locate(*requests[i].clip, requests[i].frame);
    __builtin_prefetch(block_head(*requests[i].clip, place.block));
    __builtin_prefetch(segment_entry(*requests[i].clip, place));
  };
  for (std::size_t i = 0; i < std::min<std::size_t>(requests.size(), 2); ++i) fetch_head(i);
  for (std::size_t i = 0; i < requests.size(); ++i) {
    if (i + 4 < requests.size()) __builtin_prefetch(requests[i + 4].clip);
    fetch_head(i + 2);
    if (!has_pose(i)) continue;
    const CompiledClip& clip = *requests[i].clip;
    assert(requests[i].pose.size() == clip.pose_floats());
    SampleTask task = task_at(clip, locate(clip, requests[i].frame), requests[i].pose.data());
    Ahead ahead;
    if (has_pose(i + 1)) {
      const CompiledClip& next = *requests[i + 1].clip;
      ahead = lines_of(next, locate(next, requests[i + 1].frame));
    }
    if (!task.block->compact) prefetch_records(task);
    std::memcpy(task.pose, part_at<float>(task.memory, task.block->pose), clip.pose_floats() * sizeof(float));
    task.ahead = &ahead;
    kernel(task);
    ahead.fetch_rest();
  }
}

// Files have few moving float tracks, so they are not worth a kernel.
void sample_floats(const CompiledClip& clip, double frame, std::span<float> floats) {
  assert(floats.size() == clip.float_track_count());
  if (clip.block_count() == 0) return;
  const SampleTask task = task_at(clip, locate(clip, frame), nullptr);
  std::copy_n(part_at<float>(task.memory, task.block->floats), floats.size(), floats.begin());
  if (task.block->compact) return sample_packed_floats(task, floats);
  const CompiledClip::Block::Hot& hot = task.block->hot;
  const std::byte* row = task.memory + hot.rows + std::size_t{task.frame} * hot.row_bytes;
  const std::size_t id_bytes = task.block->wide ? 4 : 2;
  const auto number = [&](const std::byte* table, std::size_t channel) {
    std::uint32_t value = 0;
    std::memcpy(&value, table + channel * id_bytes, id_bytes);
    return value;
  };
  for (std::uint32_t c = hot.group_end[kFloatCubic - 1]; c < hot.group_end[kFloatCubic]; ++c) {
    const float* record = part_at<float>(task.memory, hot.cubics) + std::size_t{number(row, c)} * kCubicFloats;
    const float age = std::to_integer<std::uint8_t>(row[hot.group_end[kGroupCount - 1] * id_bytes + c]);
    const float s = age + task.fraction;
    floats[number(task.memory + hot.destinations, c)] = ((record[12] * s + record[8]) * s + record[4]) * s + record[0];
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
