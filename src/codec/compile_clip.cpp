// SPDX-License-Identifier: MIT
// Compiles packed bytes to the form of compiled_layout.h in two passes. The first reads every track, evaluates the
// constant channels and counts, and writes the segments of compact blocks (compact_block.cpp). Then the size is known
// and checked. The second writes records and rows of hot blocks, and copies segments.
#include <algorithm>
#include <array>
#include <cassert>
#include <new>
#include <string>
#include <utility>

#include "codec/compact_block.h"
#include "codec/compiled_layout.h"
#include "codec/control_points.h"
#include "codec/curve_pieces.h"
#include "codec/spline_parser.h"
#include "core/try.h"
#include "marrow/codec/compiled_clip.h"

namespace marrow::codec {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{UINT32_MAX};

constexpr std::uint64_t aligned(std::uint64_t size, std::uint64_t alignment) {
  return (size + alignment - 1) / alignment * alignment;
}

constexpr std::uint32_t padded(std::uint32_t channels) { return (channels + 3) / 4 * 4; }

}  // namespace

/// What the first pass finds out about a block.
struct BlockPlan {
  std::uint32_t frames = 0;
  std::array<std::uint32_t, kGroupCount> first{};  ///< index into the scratch list of each group
  std::array<std::uint32_t, kGroupCount> count{};
  std::uint64_t cubics = 0;
  std::uint64_t lines = 0;
  bool compact = false;
  CompactParts parts{};
  std::uint32_t first_start = 0;  ///< compact: index of its first segment

  std::uint32_t padded_channels() const {
    std::uint32_t sum = 0;
    for (const std::uint32_t channels : count) sum += padded(channels);
    return sum;
  }
};

namespace {

/// Lays out the parts of a block from `at` on. Returns the end.
std::uint64_t lay_out(const BlockPlan& plan, const SplineCounts& counts, std::uint64_t at, CompiledClip::Block& block) {
  const std::uint64_t channels = plan.padded_channels();
  const std::uint64_t pose_floats = std::uint64_t{counts.transforms} * kFloatsPerTrack;
  // Offsets of more than 32 bits are cut here; the caller refuses a size that needs them.
  const auto place = [&](std::uint64_t bytes, std::uint64_t alignment = kStorageAlignment) {
    at = aligned(at, alignment);
    return static_cast<std::uint32_t>(std::exchange(at, at + bytes));
  };
  block = {.frames = plan.frames,
           .pose = place(pose_floats * sizeof(float)),
           .floats = 0,
           .moving_channels = 0,
           .compact = plan.compact,
           .wide = false,
           .reserved = 0,
           .hot = {}};
  for (const std::uint32_t count : plan.count) block.moving_channels += count;
  if (plan.compact) {
    const CompactParts& parts = plan.parts;
    block.packed = {};
    block.packed.scales = place((parts.scales_end - parts.scales) * sizeof(float), 16);
    block.packed.destinations = place((parts.destinations_end - parts.destinations) * sizeof(std::uint16_t), 16);
    block.packed.constants_end = static_cast<std::uint32_t>(at);
    std::ranges::copy(parts.channels, block.packed.channels);
    block.floats = place(counts.floats * sizeof(float), 16);
  } else {
    block.floats = place(counts.floats * sizeof(float));
    block.wide = std::max({plan.cubics, plan.lines, pose_floats, std::uint64_t{counts.floats}}) > 65536;
    const std::uint64_t id_bytes = block.wide ? 4 : 2;
    CompiledClip::Block::Hot& hot = block.hot;
    hot.cubics = place(plan.cubics * kCubicFloats * sizeof(float));
    hot.lines = place(plan.lines * kLineFloats * sizeof(float));
    hot.destinations = place(channels * id_bytes);
    // A multiple of 4, because the number of channels is. It fits 32 bits: a channel takes more bytes in a file.
    hot.row_bytes = static_cast<std::uint32_t>(channels * (id_bytes + 1));
    hot.rows = place(std::uint64_t{plan.frames} * hot.row_bytes);
    std::uint32_t group_end = 0;
    for (std::size_t group = 0; group < kGroupCount; ++group)
      hot.group_end[group] = group_end += padded(plan.count[group]);
  }
  return at;
}

}  // namespace

struct ClipCompiler::Scratch {
  std::array<std::vector<MovingChannel>, kGroupCount> channels;
  std::vector<BlockPlan> plans;
  std::vector<float> still;  ///< the pose and the floats of every block
  ControlPoints controls;
  CompactWriter compact;
  std::vector<CompiledClip::Block> blocks;
  std::vector<std::uint32_t> cubic_owner, line_owner;  ///< the channel of each record

  void add(BlockPlan& plan, Group group, const MovingChannel& channel);
  Result<void> read_block(const SplineBlobView& view, const SplineCounts& counts, std::uint32_t block,
                          const CompileOptions& options);
  std::uint64_t lay_out_all(const SplineCounts& counts, bool with_table);
  void write_segments(const SplineCounts& counts, std::byte* storage, std::uint32_t segments);
  void write_block(std::size_t index, const SplineCounts& counts, std::byte* storage);
  GroupedChannels channels_of(const BlockPlan& plan) const;
  void write_records(const BlockPlan& plan, const CompiledClip::Block& block, std::byte* storage);
  template <class Id>
  void write_tables(const BlockPlan& plan, const std::array<std::uint32_t, 257>& cubic_start,
                    const std::array<std::uint32_t, 257>& line_start, const CompiledClip::Block& block,
                    std::byte* storage) const;
};

void ClipCompiler::Scratch::add(BlockPlan& plan, Group group, const MovingChannel& channel) {
  std::uint64_t& records = kIsLine[group] ? plan.lines : plan.cubics;
  for_each_piece(channel.shape, plan.frames, [&](std::size_t) { ++records; });
  channels[group].push_back(channel);
  ++plan.count[group];
}

GroupedChannels ClipCompiler::Scratch::channels_of(const BlockPlan& plan) const {
  GroupedChannels grouped;
  for (std::size_t group = 0; group < kGroupCount; ++group)
    grouped[group] = std::span(channels[group]).subspan(plan.first[group], plan.count[group]);
  return grouped;
}

Result<void> ClipCompiler::Scratch::read_block(const SplineBlobView& view, const SplineCounts& counts,
                                               std::uint32_t index, const CompileOptions& options) {
  BlockPlan plan{.frames = frames_in_block(counts.frames, counts.max_frames_per_block, index)};
  for (std::size_t group = 0; group < kGroupCount; ++group)
    plan.first[group] = static_cast<std::uint32_t>(channels[group].size());
  const std::size_t still_floats = std::size_t{counts.transforms} * kFloatsPerTrack + counts.floats;
  still.resize((std::size_t{index} + 1) * still_floats);
  float* pose = still.data() + std::size_t{index} * still_floats;
  // Without a piece a channel is constant: a block with one frame has none, nor has a curve that ends where it starts.
  const auto moves = [&](const ShapeView& shape) {
    return !shape.knots.empty() && plan.frames > 1 && shape.knots[shape.control_count()] > 0;
  };
  const auto vector_group = [](const ShapeView& shape) { return shape.degree == 1 ? kVectorLine : kVectorCubic; };

  BlockReader reader(view, counts, index);
  TransformView track;
  for (std::uint32_t i = 0; i < counts.transforms && reader.ok(); ++i) {
    reader.next(track);
    const std::uint32_t at = i * static_cast<std::uint32_t>(kFloatsPerTrack);
    const auto translation = MovingChannel::from(track.translation, 0.0f, at);
    const auto rotation = MovingChannel::from(track.rotation, at + 3);
    const auto scale = MovingChannel::from(track.scale, 1.0f, at + 7);
    start_value(track.translation, 0.0f, pose + at);
    start_value(track.rotation, pose + at + 3);
    start_value(track.scale, 1.0f, pose + at + 7);
    if (moves(translation.shape)) add(plan, vector_group(translation.shape), translation);
    if (moves(rotation.shape)) add(plan, rotation.shape.degree == 1 ? kRotationLine : kRotationCubic, rotation);
    if (moves(scale.shape)) add(plan, vector_group(scale.shape), scale);
  }
  FloatView number;
  float* floats = pose + std::size_t{counts.transforms} * kFloatsPerTrack;
  for (std::uint32_t i = 0; i < counts.floats && reader.ok(); ++i) {
    reader.next(number);
    floats[i] = start_value(number);
    if (moves(number.shape)) add(plan, kFloatCubic, MovingChannel::from(number, i));
  }
  MARROW_CHECK(reader.finish());
  plan.first_start = static_cast<std::uint32_t>(compact.starts.size());
  if (options.form == CompiledForm::Compact)
    plan.compact = compact.add(channels_of(plan), plan.frames, options.max_bytes, plan.parts);
  plans.push_back(plan);
  return {};
}

void ClipCompiler::Scratch::write_records(const BlockPlan& plan, const CompiledClip::Block& block, std::byte* storage) {
  // Records are ordered by the start of their pieces: count the starts, then assign numbers.
  std::array<std::uint32_t, 257> cubic_start{}, line_start{};
  const GroupedChannels grouped = channels_of(plan);
  const auto each_channel = [&](auto&& visit) {
    std::uint32_t number = 0;
    for (std::size_t group = 0; group < kGroupCount; ++group) {
      const auto members = grouped[group];
      for (std::uint32_t i = 0; i < members.size(); ++i) visit(members[i], group, number + i);
      number += padded(plan.count[group]);
    }
  };
  each_channel([&](const MovingChannel& channel, std::size_t group, std::uint32_t) {
    auto& starts = kIsLine[group] ? line_start : cubic_start;
    for_each_piece(channel.shape, plan.frames, [&](std::size_t span) { ++starts[channel.shape.knots[span] + 1u]; });
  });
  for (std::size_t f = 1; f < 257; ++f) {
    cubic_start[f] += cubic_start[f - 1];
    line_start[f] += line_start[f - 1];
  }
  cubic_owner.resize(plan.cubics);
  line_owner.resize(plan.lines);
  auto next_cubic = cubic_start, next_line = line_start;
  auto* cubics = reinterpret_cast<Float4*>(storage + block.hot.cubics);
  auto* lines = reinterpret_cast<Float4*>(storage + block.hot.lines);
  each_channel([&](const MovingChannel& channel, std::size_t group, std::uint32_t number) {
    const Float4* points = controls.unpack(channel);
    for_each_piece(channel.shape, plan.frames, [&](std::size_t span) {
      const std::uint8_t start = channel.shape.knots[span];
      if (kIsLine[group]) {
        const std::uint32_t id = next_line[start]++;
        line_owner[id] = number;
        write_piece<1>(channel.shape.knots.data(), span, points + span - 1, lines + id * 2u);
        lines[id * 2u] += channel.origin;
      } else {
        const std::uint32_t id = next_cubic[start]++;
        cubic_owner[id] = number;
        write_cubic(channel.shape, span, points, cubics + id * 4u);
        cubics[id * 4u] += channel.origin;
      }
    });
  });
  if (block.wide)
    write_tables<std::uint32_t>(plan, cubic_start, line_start, block, storage);
  else
    write_tables<std::uint16_t>(plan, cubic_start, line_start, block, storage);
}

template <class Id>
void ClipCompiler::Scratch::write_tables(const BlockPlan& plan, const std::array<std::uint32_t, 257>& cubic_start,
                                         const std::array<std::uint32_t, 257>& line_start,
                                         const CompiledClip::Block& block, std::byte* storage) const {
  struct Copy {
    std::uint32_t to, from;
  };
  std::array<Copy, 3 * kGroupCount> padding;
  std::size_t padding_count = 0;
  auto* destinations = reinterpret_cast<Id*>(storage + block.hot.destinations);
  std::uint32_t number = 0;
  const GroupedChannels grouped = channels_of(plan);
  for (std::size_t group = 0; group < kGroupCount; ++group) {
    const auto members = grouped[group];
    const std::uint32_t end = block.hot.group_end[group];
    for (const MovingChannel& channel : members) destinations[number++] = static_cast<Id>(channel.destination);
    for (; number < end; ++number) {
      const auto last = static_cast<std::uint32_t>(end - padded(plan.count[group]) + members.size() - 1);
      destinations[number] = destinations[last];
      padding[padding_count++] = {number, last};
    }
  }
  const std::size_t channel_count = plan.padded_channels();
  auto* row = storage + block.hot.rows;
  for (std::uint32_t f = 0; f < plan.frames; ++f, row += block.hot.row_bytes) {
    auto* ids = reinterpret_cast<Id*>(row);
    auto* ages = reinterpret_cast<std::uint8_t*>(row + channel_count * sizeof(Id));
    if (f > 0) {
      std::memcpy(row, row - block.hot.row_bytes, block.hot.row_bytes);
      for (std::size_t c = 0; c < channel_count; ++c) ages[c] = static_cast<std::uint8_t>(ages[c] + 1);
    }
    const auto patch = [&](const std::vector<std::uint32_t>& owner, const std::array<std::uint32_t, 257>& start) {
      for (std::uint32_t id = start[f]; id < start[f + 1]; ++id) {
        ids[owner[id]] = static_cast<Id>(id);
        ages[owner[id]] = 0;
      }
    };
    patch(cubic_owner, cubic_start);
    patch(line_owner, line_start);
    for (std::size_t i = 0; i < padding_count; ++i) {
      ids[padding[i].to] = ids[padding[i].from];
      ages[padding[i].to] = ages[padding[i].from];
    }
  }
}

/// Lays out heads, table, blocks and segments. Returns the size of the clip.
std::uint64_t ClipCompiler::Scratch::lay_out_all(const SplineCounts& counts, bool with_table) {
  std::uint64_t at = std::uint64_t{counts.blocks} * sizeof(CompiledClip::Block);
  // One entry more is the end; another lets a sample of a clip of one frame read it.
  if (with_table)
    at += (std::uint64_t{counts.blocks} * segments_per_block(counts.frames, counts.max_frames_per_block - 1) + 2) *
          sizeof(std::uint32_t);
  blocks.resize(counts.blocks);
  for (std::size_t i = 0; i < plans.size(); ++i) at = lay_out(plans[i], counts, at, blocks[i]);
  return aligned(at, kStorageAlignment);
}

/// Writes the table and the segments behind the blocks, at `segments`.
void ClipCompiler::Scratch::write_segments(const SplineCounts& counts, std::byte* storage, std::uint32_t segments) {
  auto* entry = reinterpret_cast<std::uint32_t*>(storage + std::size_t{counts.blocks} * sizeof(CompiledClip::Block));
  const std::uint32_t per_block = segments_per_block(counts.frames, counts.max_frames_per_block - 1);
  const auto end = static_cast<std::uint32_t>(segments + compact.segments.size());
  for (const BlockPlan& plan : plans) {
    // A hot block has no segments, nor has a short one as many as the others.
    const std::uint32_t own = plan.compact ? (plan.frames + kSegmentFrames - 2) / kSegmentFrames : 0;
    for (std::uint32_t i = 0; i < per_block; ++i) {
      const std::size_t start = plan.first_start + std::min(i, own);
      *entry++ = start < compact.starts.size() ? segments + compact.starts[start] : end;
    }
  }
  entry[0] = entry[1] = end;
  std::memcpy(storage + segments, compact.segments.data(), compact.segments.size());
}

void ClipCompiler::Scratch::write_block(std::size_t index, const SplineCounts& counts, std::byte* storage) {
  const BlockPlan& plan = plans[index];
  const CompiledClip::Block& block = blocks[index];
  const std::size_t pose_floats = std::size_t{counts.transforms} * kFloatsPerTrack;
  const float* constants = still.data() + index * (pose_floats + counts.floats);
  const auto copy = [&]<class T>(std::uint32_t offset, const T* from, std::size_t count) {
    if (count > 0) std::memcpy(storage + offset, from, count * sizeof(T));
  };
  copy(static_cast<std::uint32_t>(index * sizeof block), &block, 1);
  copy(block.pose, constants, pose_floats);
  copy(block.floats, constants + pose_floats, counts.floats);
  if (plan.compact) {
    const CompactParts& parts = plan.parts;
    copy(block.packed.scales, compact.scales.data() + parts.scales, parts.scales_end - parts.scales);
    copy(block.packed.destinations, compact.destinations.data() + parts.destinations,
         parts.destinations_end - parts.destinations);
  } else {
    write_records(plan, block, storage);
  }
}

void CompiledClip::Free::operator()(std::byte* storage) const {
  if (allocator != nullptr)
    allocator->release(storage, bytes);
  else
    ::operator delete[](storage, std::align_val_t{kStorageAlignment});
}

std::span<const CompiledClip::Block> CompiledClip::blocks() const {
  return {reinterpret_cast<const Block*>(storage_.get()), block_count_};
}

std::size_t CompiledClip::moving_channel_count() const {
  std::size_t sum = 0;
  for (const Block& block : blocks()) sum += block.moving_channels;
  return sum;
}

ClipCompiler::ClipCompiler() : scratch_(std::make_unique<Scratch>()) {}
ClipCompiler::~ClipCompiler() = default;
ClipCompiler::ClipCompiler(ClipCompiler&&) noexcept = default;
ClipCompiler& ClipCompiler::operator=(ClipCompiler&&) noexcept = default;

Result<void> ClipCompiler::compile(const SplineBlobView& view, double duration_seconds, CompiledClip& clip,
                                   const CompileOptions& options) {
  Scratch& scratch = *scratch_;
  clip.frame_count_ = clip.track_count_ = clip.float_track_count_ = clip.block_count_ = 0;
  for (auto& group : scratch.channels) group.clear();
  scratch.plans.clear();
  scratch.still.clear();
  scratch.compact.clear();
  MARROW_TRY(const SplineCounts counts, check_counts(view));
  const auto refuse = [&](std::uint64_t size) {
    return fail(ErrorCode::LimitExceeded,
                "the clip would take " + std::to_string(size >> 20) + " MB when compiled for sampling; the limit is " +
                    std::to_string(options.max_bytes >> 20) + " MB",
                view.data_offset);
  };
  const std::uint64_t still_bytes =
      (std::uint64_t{counts.transforms} * kFloatsPerTrack + counts.floats) * sizeof(float) * counts.blocks;
  if (still_bytes > options.max_bytes) return refuse(still_bytes);
  for (std::uint32_t i = 0; i < counts.blocks; ++i) MARROW_CHECK(scratch.read_block(view, counts, i, options));

  const bool with_table = options.form == CompiledForm::Compact;
  const std::uint64_t segments = scratch.lay_out_all(counts, with_table);
  const std::uint64_t size =
      segments + (with_table ? aligned(scratch.compact.segments.size() + kReadableSlack, kStorageAlignment) : 0);
  if (size > options.max_bytes || size > kMostBytes) return refuse(size);
  CompiledClip::Free& owner = clip.storage_.get_deleter();
  if (size > (clip.storage_ ? owner.bytes : 0) || owner.allocator != options.allocator) {
    clip.storage_.reset();
    owner = CompiledClip::Free(options.allocator, size);
    clip.storage_.reset(options.allocator != nullptr ? options.allocator->allocate(size)
                                                     : static_cast<std::byte*>(::operator new[](
                                                           size, std::align_val_t{kStorageAlignment}, std::nothrow)));
    if (!clip.storage_) return fail(ErrorCode::LimitExceeded, "cannot allocate " + std::to_string(size) + " bytes");
  }
  std::byte* storage = clip.storage_.get();
  for (std::size_t i = 0; i < counts.blocks; ++i) scratch.write_block(i, counts, storage);
  if (with_table) scratch.write_segments(counts, storage, static_cast<std::uint32_t>(segments));
  clip.frame_count_ = counts.frames;
  clip.track_count_ = counts.transforms;
  clip.float_track_count_ = counts.floats;
  clip.block_count_ = counts.blocks;
  clip.stride_ = counts.max_frames_per_block - 1;
  clip.duration_seconds_ = duration_seconds;
  clip.storage_bytes_ = size;
  return {};
}

Result<CompiledClip> compile_clip(const SplineBlobView& view, double duration_seconds, const CompileOptions& options) {
  ClipCompiler compiler;
  CompiledClip clip;
  MARROW_CHECK(compiler.compile(view, duration_seconds, clip, options));
  return clip;
}

}  // namespace marrow::codec
