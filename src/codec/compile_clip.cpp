// SPDX-License-Identifier: MIT
// Compiles packed bytes to the form of compiled_layout.h in two passes. The first reads every track, evaluates the
// constant channels and counts. Then the size is known and checked. The second writes records and rows, or points and
// rows (compact_block.cpp).
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

constexpr std::size_t kStorageAlignment = 64;

std::uint64_t aligned(std::uint64_t size) {
  return (size + kStorageAlignment - 1) / kStorageAlignment * kStorageAlignment;
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
  std::uint64_t packed_points = 0;
  std::uint64_t curve_bytes = 0;
  bool compact = false;

  std::uint32_t padded_channels() const {
    std::uint32_t sum = 0;
    for (const std::uint32_t channels : count) sum += padded(channels);
    return sum;
  }
};

namespace {

/// Offsets of the parts of a block in the storage.
struct BlockOffsets {
  std::uint64_t pose, floats, rows, end;
  std::uint64_t cubics, lines, destinations;                            ///< hot
  std::uint64_t line_channels, cubic_channels, scales, points, curves;  ///< compact
  std::uint32_t row_bytes;
  bool wide;
};

BlockOffsets lay_out(const BlockPlan& plan, const SplineCounts& counts, std::uint64_t at) {
  const std::uint64_t channels = plan.padded_channels();
  const std::uint64_t pose_floats = std::uint64_t{counts.transforms} * kFloatsPerTrack;
  BlockOffsets offsets{};
  const auto place = [&](std::uint64_t bytes) { return std::exchange(at, aligned(at + bytes)); };
  // A row fits 32 bits: a channel takes more bytes than that in a file.
  const auto place_rows = [&](std::uint64_t row_bytes) {
    offsets.row_bytes = static_cast<std::uint32_t>(row_bytes);
    return place(plan.frames * row_bytes);
  };
  offsets.pose = place(pose_floats * sizeof(float));
  offsets.floats = place(counts.floats * sizeof(float));
  if (plan.compact) {
    const std::uint64_t vector_lines = padded(plan.count[kVectorLine]);
    const std::uint64_t lines = padded(plan.count[kRotationLine]) + vector_lines;
    offsets.line_channels = place(lines * sizeof(LineChannel));
    offsets.cubic_channels = place((channels - lines) * sizeof(CubicChannel));
    offsets.scales = place(vector_lines * sizeof(VectorScale));
    offsets.points = place(plan.packed_points * sizeof(PackedPoint));
    offsets.curves = place(plan.curve_bytes);
    offsets.rows = place_rows(channels);
  } else {
    offsets.wide = std::max({plan.cubics, plan.lines, pose_floats, std::uint64_t{counts.floats}}) > 65536;
    const std::uint64_t id_bytes = offsets.wide ? 4 : 2;
    offsets.cubics = place(plan.cubics * kCubicFloats * sizeof(float));
    offsets.lines = place(plan.lines * kLineFloats * sizeof(float));
    offsets.destinations = place(channels * id_bytes);
    offsets.rows = place_rows(channels * (id_bytes + 1));  // a multiple of 4, because the number of channels is
  }
  offsets.end = at;
  return offsets;
}

}  // namespace

struct ClipCompiler::Scratch {
  std::array<std::vector<MovingChannel>, kGroupCount> channels;
  std::vector<BlockPlan> plans;
  std::vector<float> still;  ///< the pose and the floats of every block
  ControlPoints controls;
  std::vector<std::uint32_t> cubic_owner, line_owner;  ///< the channel of each record

  void add(BlockPlan& plan, Group group, const MovingChannel& channel);
  Result<void> read_block(const SplineBlobView& view, const SplineCounts& counts, std::uint32_t block,
                          CompiledForm form);
  GroupedChannels channels_of(const BlockPlan& plan) const;
  void write_records(const BlockPlan& plan, CompiledClip::Block& block);
  template <class Id>
  void write_tables(const BlockPlan& plan, const std::array<std::uint32_t, 257>& cubic_start,
                    const std::array<std::uint32_t, 257>& line_start, CompiledClip::Block& block) const;
};

void ClipCompiler::Scratch::add(BlockPlan& plan, Group group, const MovingChannel& channel) {
  std::uint64_t& records = kIsLine[group] ? plan.lines : plan.cubics;
  for_each_piece(channel.shape, plan.frames, [&](std::size_t) { ++records; });
  if (kIsLine[group])
    plan.packed_points += channel.shape.control_count();
  else
    plan.curve_bytes += curve_bytes(channel);
  plan.compact = plan.compact && is_packable(group, channel);
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
                                               std::uint32_t index, CompiledForm form) {
  BlockPlan plan{.frames = frames_in_block(counts.frames, counts.max_frames_per_block, index),
                 .compact = form == CompiledForm::Compact};
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
  plans.push_back(plan);
  return {};
}

void ClipCompiler::Scratch::write_records(const BlockPlan& plan, CompiledClip::Block& block) {
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
  auto* cubics = reinterpret_cast<Float4*>(const_cast<float*>(block.cubics));
  auto* lines = reinterpret_cast<Float4*>(const_cast<float*>(block.lines));
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
    write_tables<std::uint32_t>(plan, cubic_start, line_start, block);
  else
    write_tables<std::uint16_t>(plan, cubic_start, line_start, block);
}

template <class Id>
void ClipCompiler::Scratch::write_tables(const BlockPlan& plan, const std::array<std::uint32_t, 257>& cubic_start,
                                         const std::array<std::uint32_t, 257>& line_start,
                                         CompiledClip::Block& block) const {
  struct Copy {
    std::uint32_t to, from;
  };
  std::array<Copy, 3 * kGroupCount> padding;
  std::size_t padding_count = 0;
  auto* destinations = static_cast<Id*>(const_cast<void*>(block.destinations));
  std::uint32_t number = 0;
  const GroupedChannels grouped = channels_of(plan);
  for (std::size_t group = 0; group < kGroupCount; ++group) {
    const auto members = grouped[group];
    const std::uint32_t end = block.group_end[group];
    for (const MovingChannel& channel : members) destinations[number++] = static_cast<Id>(channel.destination);
    for (; number < end; ++number) {
      const auto last = static_cast<std::uint32_t>(end - padded(plan.count[group]) + members.size() - 1);
      destinations[number] = destinations[last];
      padding[padding_count++] = {number, last};
    }
  }
  const std::size_t channel_count = plan.padded_channels();
  auto* row = const_cast<std::byte*>(block.rows);
  for (std::uint32_t f = 0; f < plan.frames; ++f, row += block.row_bytes) {
    auto* ids = reinterpret_cast<Id*>(row);
    auto* ages = reinterpret_cast<std::uint8_t*>(row + channel_count * sizeof(Id));
    if (f > 0) {
      std::memcpy(row, row - block.row_bytes, block.row_bytes);
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

void CompiledClip::Free::operator()(std::byte* storage) const {
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
  for (std::uint32_t i = 0; i < counts.blocks; ++i) MARROW_CHECK(scratch.read_block(view, counts, i, options.form));

  std::uint64_t size = aligned(std::uint64_t{counts.blocks} * sizeof(CompiledClip::Block));
  for (const BlockPlan& plan : scratch.plans) size = lay_out(plan, counts, size).end;
  if (size > options.max_bytes) return refuse(size);
  if (size > clip.storage_capacity_) {
    clip.storage_capacity_ = 0;
    clip.storage_.reset(
        static_cast<std::byte*>(::operator new[](size, std::align_val_t{kStorageAlignment}, std::nothrow)));
    if (!clip.storage_) return fail(ErrorCode::LimitExceeded, "cannot allocate " + std::to_string(size) + " bytes");
    clip.storage_capacity_ = size;
  }

  std::byte* storage = clip.storage_.get();
  auto* blocks = reinterpret_cast<CompiledClip::Block*>(storage);
  const std::size_t pose_floats = std::size_t{counts.transforms} * kFloatsPerTrack;
  const float* still = scratch.still.data();
  std::uint64_t at = aligned(std::uint64_t{counts.blocks} * sizeof(CompiledClip::Block));
  for (std::uint32_t i = 0; i < counts.blocks; ++i) {
    const BlockPlan& plan = scratch.plans[i];
    const BlockOffsets offsets = lay_out(plan, counts, at);
    const auto floats_at = [&](std::uint64_t offset) { return reinterpret_cast<float*>(storage + offset); };
    std::copy_n(still, pose_floats, floats_at(offsets.pose));
    std::copy_n(still + pose_floats, counts.floats, floats_at(offsets.floats));
    still += pose_floats + counts.floats;
    auto* block = ::new (blocks + i) CompiledClip::Block{};
    block->pose = floats_at(offsets.pose);
    block->floats = floats_at(offsets.floats);
    block->rows = storage + offsets.rows;
    block->frames = plan.frames;
    block->row_bytes = offsets.row_bytes;
    block->compact = plan.compact;
    std::uint32_t group_end = 0;
    for (std::size_t group = 0; group < kGroupCount; ++group) {
      block->group_end[group] = group_end += padded(plan.count[group]);
      block->moving_channels += plan.count[group];
    }
    if (plan.compact) {
      const auto part = [&]<class T>(const T*& pointer, std::uint64_t offset) {
        pointer = reinterpret_cast<const T*>(storage + offset);
      };
      part(block->line_channels, offsets.line_channels);
      part(block->cubic_channels, offsets.cubic_channels);
      part(block->scales, offsets.scales);
      part(block->points, offsets.points);
      part(block->curves, offsets.curves);
      write_compact(scratch.channels_of(plan), scratch.controls, *block);
    } else {
      block->cubics = floats_at(offsets.cubics);
      block->lines = floats_at(offsets.lines);
      block->destinations = storage + offsets.destinations;
      block->wide = offsets.wide;
      scratch.write_records(plan, *block);
    }
    at = offsets.end;
  }
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
