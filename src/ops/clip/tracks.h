// SPDX-License-Identifier: MIT
// Tracks of clips taken, put in another order and put together, with their codes.
#pragma once

#include <cstdint>
#include <span>

#include "marrow/core/limits.h"
#include "marrow/ops/document/document.h"

namespace marrow {

/// A track that is new, at identity.
inline constexpr std::int32_t kNewTrack = -1;

/// Returns a clip with some tracks of another, in this order; entry i is track `tracks[i]`, or `kNewTrack`. Codes,
/// names and events of tracks go along; `track_to_bone` is empty. The clip must have its frames.
DocumentClip with_tracks(const DocumentClip& clip, std::span<const std::int32_t> tracks, const Limits& limits);

/// Appends the tracks and float tracks of another clip of as many frames. Codes go along if both clips have them. Slots
/// of the other clip are counted from `first_slot`.
void append_tracks(DocumentClip& clip, const DocumentClip& other, std::int16_t first_slot, const Limits& limits);

/// Repeats the last frame until there are so many. Codes are dropped.
void hold_last_frame(DocumentClip& clip, std::int32_t frame_count);

/// Returns the slot of a float track; -1 if it has none.
std::int16_t slot_of_track(const Clip& clip, std::size_t track);

}  // namespace marrow
