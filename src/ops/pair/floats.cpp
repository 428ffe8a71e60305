// SPDX-License-Identifier: MIT
#include "ops/pair/floats.h"

#include <algorithm>
#include <cstdlib>

#include "ops/clip/tracks.h"

namespace marrow {

std::optional<std::int32_t> slot_border(const Clip& clip, const Skeleton* first) {
  if (first) return static_cast<std::int32_t>(first->float_slots.size());
  const auto half = static_cast<std::size_t>(clip.float_track_count) / 2;
  if (half == 0 || clip.float_track_count % 2 != 0) return std::nullopt;
  // Either actor's tracks may come first.
  const std::int32_t shift = slot_of_track(clip, half) - slot_of_track(clip, 0), border = std::abs(shift);
  for (std::size_t i = 0; i < half; ++i) {
    const std::int32_t a = slot_of_track(clip, i), b = slot_of_track(clip, half + i);
    if (b - a != shift || std::min(a, b) >= border) return std::nullopt;
  }
  return border;
}

void split_floats(DocumentClip& clip, const Skeleton* first, bool of_second) {
  Clip& own = clip.clip;
  const auto width = static_cast<std::size_t>(own.float_track_count);
  const std::int32_t border = slot_border(own, first).value_or(INT16_MAX);
  std::vector<std::size_t> kept;
  std::vector<std::int16_t> slots;
  for (std::size_t i = 0; i < width; ++i) {
    const std::int32_t slot = slot_of_track(own, i);
    if ((slot >= border) != of_second) continue;
    kept.push_back(i);
    slots.push_back(static_cast<std::int16_t>(of_second ? slot - border : slot));
  }
  if (kept.size() == width && !of_second) return;
  std::vector<float> floats;
  for (std::size_t f = 0; f < static_cast<std::size_t>(own.frame_count); ++f)
    for (const std::size_t track : kept) floats.push_back(own.floats[f * width + track]);
  own.floats = std::move(floats);
  own.float_to_slot = std::move(slots);
  own.float_track_count = static_cast<std::int32_t>(kept.size());
  if (!clip.spline) return;
  if (auto blob = codec::read_spline_blob(clip.spline->view())) {
    for (codec::SplineBlock& block : blob->blocks) {
      std::vector<codec::FloatTrack> codes;
      for (const std::size_t track : kept) codes.push_back(block.floats[track]);
      block.floats = std::move(codes);
    }
    if (auto stored = codec::stored(*blob)) clip.spline = std::move(*stored);
  }
}

void swap_slots(Clip& clip, const Skeleton* first, const Skeleton* second, Context& context) {
  if (clip.float_track_count == 0) return;
  const auto border = slot_border(clip, first);
  if (!border) return context.note("float tracks keep their slots, since the skeletons of the actors are not known");
  const std::int32_t ours = *border;
  const std::int32_t theirs = second ? static_cast<std::int32_t>(second->float_slots.size()) : ours;
  std::vector<std::int16_t> slots;
  for (std::size_t i = 0; i < static_cast<std::size_t>(clip.float_track_count); ++i) {
    const std::int32_t slot = slot_of_track(clip, i);
    slots.push_back(static_cast<std::int16_t>(slot < ours ? slot + theirs : slot - ours));
  }
  clip.float_to_slot = std::move(slots);
}

}  // namespace marrow
