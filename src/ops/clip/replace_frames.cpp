// SPDX-License-Identifier: MIT
// Frames of some tracks put over those of a clip: what does not change keeps its codes.
#include <algorithm>

#include "core/try.h"
#include "ops/clip/edit_support.h"

namespace marrow {
namespace {

bool has_changed(const Transform& a, const Transform& b) { return !(a == b); }

/// What of a track differs between two clips.
struct ChangedChannels {
  bool turns = false, moves = false, scales = false;

  void include(const Transform& before, const Transform& after) {
    turns |= !(before.rotation == after.rotation);
    moves |= !(before.translation == after.translation);
    scales |= !(before.scale == after.scale);
  }
};

// The curves of tracks without the channels that nobody takes: they would be cut, and reported, for nothing.
codec::SplineBlob changed_only(codec::SplineBlob curves, std::span<const ChangedChannels> channels) {
  for (codec::SplineBlock& block : curves.blocks)
    for (std::size_t t = 0; t < channels.size(); ++t) {
      if (!channels[t].turns) block.transforms[t].rotation = {};
      if (!channels[t].moves) block.transforms[t].translation = {};
      if (!channels[t].scales) block.transforms[t].scale = {};
    }
  return curves;
}

// Cuts blocks anew if they have another length than those that are written.
Result<void> use_block_length(codec::SplineBlob& curves, std::uint32_t length, const codec::SpliceOptions& options,
                              codec::SpliceReport& report) {
  if (curves.max_frames_per_block == length) return {};
  const std::vector<codec::SplinePart> whole = {{&curves, 0, curves.frame_count - 1}};
  MARROW_TRY(codec::Spliced spliced, codec::splice(whole, options));
  curves = std::move(spliced.blob);
  report.include(spliced.report);
  return {};
}

// Encodes all float tracks of a clip, or of the rows that `with_quarters` gave.
Result<void> put_floats(codec::SplineBlob& curves, const Clip& rows, const ClipEditOptions& options, EditedClip& report,
                        Context& context, std::uint32_t rows_per_frame) {
  Clip floats = rows;
  floats.track_count = 0;
  floats.transforms.clear();
  MARROW_TRY(const codec::EncodedSpline encoded, encode_frames(floats, options, context, rows_per_frame));
  report.take(encoded.errors, count_of(rows.float_track_count));
  codec::SpliceReport spliced;
  MARROW_CHECK(use_block_length(curves, encoded.blob.max_frames_per_block, options.splice(), spliced));
  report.take(spliced);
  for (std::size_t b = 0; b < curves.blocks.size(); ++b) curves.blocks[b].floats = encoded.blob.blocks[b].floats;
  return {};
}

}  // namespace

Result<void> replace_frames(DocumentClip& clip, Clip after, FrameRange range, const ClipEditOptions& options,
                            EditedClip& report, Context& context, const Clip* quarters) {
  MARROW_TRY(std::optional<codec::SplineBlob> curves, curves_of(clip, context.limits));
  MARROW_TRY(const Clip before, with_frames(clip, context.limits));
  const auto tracks = static_cast<std::size_t>(after.track_count);
  std::vector<std::size_t> changed;
  for (std::size_t t = 0; t < tracks; ++t)
    for (std::int32_t f = range.first; f <= range.last; ++f)
      if (has_changed(before.frame(f)[t], after.frame(f)[t])) {
        changed.push_back(t);
        break;
      }
  report.tracks = changed.size();
  if (!curves) {
    clip.clip = std::move(after);
    clip.spline.reset();
    return {};
  }
  clip.clip = after;
  clip.clip.transforms.clear();
  clip.clip.floats.clear();
  const std::uint32_t per_frame = quarters ? quarters_of(clip) : 1;
  if (after.floats != before.floats)
    MARROW_CHECK(put_floats(*curves, per_frame > 1 ? *quarters : after, options, report, context, per_frame));
  if (changed.empty()) return set_curves(clip, *curves);
  // The changed tracks alone, as they were and as they are in the range.
  codec::SplineBlob old{.frame_count = curves->frame_count, .max_frames_per_block = curves->max_frames_per_block};
  for (const codec::SplineBlock& block : curves->blocks) {
    codec::SplineBlock& picked = old.blocks.emplace_back();
    for (const std::size_t t : changed) picked.transforms.push_back(block.transforms[t]);
  }
  const auto step = static_cast<std::int32_t>(per_frame);
  Clip part;
  part.frame_count = (range.last - range.first) * step + 1;
  part.track_count = static_cast<std::int32_t>(changed.size());
  for (std::int32_t row = range.first * step; row <= range.last * step; ++row)
    for (const std::size_t t : changed) part.transforms.push_back((per_frame > 1 ? *quarters : after).frame(row)[t]);
  MARROW_TRY(const codec::EncodedSpline encoded, encode_frames(part, options, context, per_frame));
  report.take(encoded.errors, changed.size());
  MARROW_TRY(const codec::SpliceReport spliced,
             put_tracks(*curves, changed, old, encoded.blob, static_cast<std::uint32_t>(range.first), before, after,
                        options.splice()));
  report.take(spliced);
  return set_curves(clip, *curves);
}

Result<codec::SpliceReport> put_tracks(codec::SplineBlob& curves, std::span<const std::size_t> changed,
                                       const codec::SplineBlob& old, const codec::SplineBlob& range,
                                       std::uint32_t first, const Clip& before, const Clip& after,
                                       const codec::SpliceOptions& options) {
  const std::uint32_t last = first + range.frame_count - 1, end = curves.frame_count - 1;
  // A channel that did not change keeps its codes, even if another of its track did.
  std::vector<ChangedChannels> channels;
  for (const std::size_t track : changed) {
    ChangedChannels& channel = channels.emplace_back();
    for (std::uint32_t f = first; f <= last; ++f)
      channel.include(before.frame(static_cast<std::int32_t>(f))[track],
                      after.frame(static_cast<std::int32_t>(f))[track]);
  }
  codec::SplineBlob joined = changed_only(range, channels);
  codec::SpliceReport report;
  if (range.frame_count != curves.frame_count || curves.max_frames_per_block != range.max_frames_per_block) {
    const codec::SplineBlob was = changed_only(old, channels), inside = std::move(joined);
    std::vector<codec::SplinePart> parts;
    if (first > 0) parts.push_back({&was, 0, first});
    if (last > first) parts.push_back({&inside, 0, last - first});
    if (last < end) parts.push_back({&was, last, end});
    MARROW_TRY(codec::Spliced spliced, codec::splice(parts, options));
    joined = std::move(spliced.blob);
    report = spliced.report;
  }
  // Blocks of another length than usual are cut anew for all tracks.
  MARROW_CHECK(use_block_length(curves, joined.max_frames_per_block, options, report));
  for (std::size_t b = 0; b < curves.blocks.size(); ++b)
    for (std::size_t i = 0; i < changed.size(); ++i) {
      codec::TransformTrack& into = curves.blocks[b].transforms[changed[i]];
      codec::TransformTrack& from = joined.blocks[b].transforms[i];
      if (channels[i].turns) into.rotation = std::move(from.rotation);
      if (channels[i].moves) into.translation = std::move(from.translation);
      if (channels[i].scales) into.scale = std::move(from.scale);
    }
  return report;
}

}  // namespace marrow
