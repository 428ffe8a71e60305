// SPDX-License-Identifier: MIT
#include "ops/clip/tracks.h"

#include <algorithm>
#include <iterator>

#include "marrow/codec/spline_blob.h"

namespace marrow {
namespace {

// Returns the codes of a clip, if it has any that can be read.
std::optional<codec::SplineBlob> codes_of(const DocumentClip& clip, const Limits& limits) {
  if (!clip.spline) return std::nullopt;
  auto blob = codec::read_spline_blob(clip.spline->view(), limits);
  if (!blob || blob->blocks.empty() || blob->frame_count != static_cast<std::uint32_t>(clip.clip.frame_count) ||
      blob->blocks.front().transforms.size() != static_cast<std::size_t>(clip.clip.track_count))
    return std::nullopt;
  return std::move(*blob);
}

std::optional<codec::StoredSpline> stored_codes(const std::optional<codec::SplineBlob>& blob) {
  if (!blob) return std::nullopt;
  auto stored = codec::stored(*blob);
  if (!stored) return std::nullopt;
  return std::move(*stored);
}

}  // namespace

std::int16_t slot_of_track(const Clip& clip, std::size_t track) {
  if (clip.float_to_slot.empty()) return static_cast<std::int16_t>(track);
  return track < clip.float_to_slot.size() ? clip.float_to_slot[track] : std::int16_t{-1};
}

DocumentClip with_tracks(const DocumentClip& clip, std::span<const std::int32_t> tracks, const Limits& limits) {
  DocumentClip out = clip;
  Clip& picked = out.clip;
  picked.track_count = static_cast<std::int32_t>(tracks.size());
  picked.track_to_bone.clear();
  picked.transforms.clear();
  picked.annotation_tracks.clear();
  for (std::int32_t frame = 0; frame < clip.clip.frame_count; ++frame)
    for (const std::int32_t track : tracks)
      picked.transforms.push_back(track == kNewTrack ? Transform{}
                                                     : clip.clip.frame(frame)[static_cast<std::size_t>(track)]);
  for (const std::int32_t track : tracks) {
    const auto& events = clip.clip.annotation_tracks;
    const bool has_events = track != kNewTrack && static_cast<std::size_t>(track) < events.size();
    picked.annotation_tracks.push_back(has_events ? events[static_cast<std::size_t>(track)] : AnnotationTrack{});
  }
  auto blob = codes_of(clip, limits);
  if (blob)
    for (codec::SplineBlock& block : blob->blocks) {
      std::vector<codec::TransformTrack> codes;
      for (const std::int32_t track : tracks)
        codes.push_back(track == kNewTrack ? codec::TransformTrack{}
                                           : block.transforms[static_cast<std::size_t>(track)]);
      block.transforms = std::move(codes);
    }
  out.spline = stored_codes(blob);
  return out;
}

void append_tracks(DocumentClip& clip, const DocumentClip& other, std::int16_t first_slot, const Limits& limits) {
  auto blob = codes_of(clip, limits);
  const auto more = codes_of(other, limits);
  if (blob && more && blob->max_frames_per_block == more->max_frames_per_block &&
      blob->blocks.size() == more->blocks.size())
    for (std::size_t b = 0; b < blob->blocks.size(); ++b) {
      std::ranges::copy(more->blocks[b].transforms, std::back_inserter(blob->blocks[b].transforms));
      std::ranges::copy(more->blocks[b].floats, std::back_inserter(blob->blocks[b].floats));
    }
  else
    blob.reset();
  clip.spline = stored_codes(blob);

  Clip& own = clip.clip;
  Clip both = own;
  both.transforms.clear();
  both.floats.clear();
  const auto floats_of = [](const Clip& each, std::int32_t frame) {
    const auto width = static_cast<std::size_t>(each.float_track_count);
    return std::span(each.floats).subspan(static_cast<std::size_t>(frame) * width, width);
  };
  for (std::int32_t frame = 0; frame < own.frame_count; ++frame) {
    std::ranges::copy(own.frame(frame), std::back_inserter(both.transforms));
    std::ranges::copy(other.clip.frame(frame), std::back_inserter(both.transforms));
    std::ranges::copy(floats_of(own, frame), std::back_inserter(both.floats));
    std::ranges::copy(floats_of(other.clip, frame), std::back_inserter(both.floats));
  }
  both.annotation_tracks.resize(static_cast<std::size_t>(own.track_count));
  for (std::size_t i = 0; i < static_cast<std::size_t>(other.clip.track_count); ++i)
    both.annotation_tracks.push_back(i < other.clip.annotation_tracks.size() ? other.clip.annotation_tracks[i]
                                                                             : AnnotationTrack{});
  both.float_to_slot.clear();
  for (std::size_t i = 0; i < static_cast<std::size_t>(own.float_track_count); ++i)
    both.float_to_slot.push_back(slot_of_track(own, i));
  for (std::size_t i = 0; i < static_cast<std::size_t>(other.clip.float_track_count); ++i)
    both.float_to_slot.push_back(static_cast<std::int16_t>(slot_of_track(other.clip, i) + first_slot));
  both.track_count += other.clip.track_count;
  both.float_track_count += other.clip.float_track_count;
  both.track_to_bone.clear();
  own = std::move(both);
}

void hold_last_frame(DocumentClip& clip, std::int32_t frame_count) {
  Clip& own = clip.clip;
  if (own.frame_count >= frame_count || own.frame_count < 1) return;
  const float step =
      own.frame_count > 1 ? own.duration_seconds / static_cast<float>(own.frame_count - 1) : 1.0f / 30.0f;
  const auto last = own.frame(own.frame_count - 1);
  const std::vector<Transform> pose(last.begin(), last.end());
  const auto floats = static_cast<std::size_t>(own.float_track_count);
  const std::vector<float> values(own.floats.end() - static_cast<std::ptrdiff_t>(floats), own.floats.end());
  if (own.root_motion && !own.root_motion->samples.empty()) {
    std::vector<Vec4> samples;
    for (std::int32_t f = 0; f < frame_count; ++f) {
      const double share = own.frame_count > 1 ? static_cast<double>(f) / (own.frame_count - 1) : 1.0;
      const auto at = static_cast<std::size_t>(
          std::min(share, 1.0) * static_cast<double>(own.root_motion->samples.size() - 1) + 0.5);
      samples.push_back(own.root_motion->samples[at]);
    }
    own.root_motion->samples = std::move(samples);
    own.root_motion->duration_seconds = step * static_cast<float>(frame_count - 1);
  }
  for (std::int32_t f = own.frame_count; f < frame_count; ++f) {
    std::ranges::copy(pose, std::back_inserter(own.transforms));
    std::ranges::copy(values, std::back_inserter(own.floats));
  }
  own.frame_count = frame_count;
  own.duration_seconds = step * static_cast<float>(frame_count - 1);
  clip.spline.reset();
}

}  // namespace marrow
