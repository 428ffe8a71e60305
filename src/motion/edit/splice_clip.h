// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "marrow/model/clip.h"

namespace marrow::motion {

/// A run of frames of a clip that becomes part of another clip.
struct ClipPart {
  const Clip* clip = nullptr;
  std::int32_t first = 0, last = 0;  ///< both included
  bool is_reversed = false;
  std::int32_t stretch = 1;  ///< a frame interval of the source becomes so many of the result
};

/// Joins parts of clips: events, root motion and, if every part has them, frames. Neighbours share a frame, at which
/// the later part is right. Everything else is the first part's: skeleton, track maps, blend hint.
///
/// Events of a part are those in it, to a hundredth of a frame. They keep track and order, and times count from its
/// start. An event at the end of a part that is also at the start of the next is kept once. Root motion goes on from
/// part to part; a part without stands still. `frame_seconds` is the duration of a frame of the result.
Clip splice_clips(std::span<const ClipPart> parts, double frame_seconds);

/// Returns `Sound` for events `SoundPlay.Sound` and `SoundStop.Sound` of which only one is left in `after`.
std::vector<std::string> broken_sounds(const Clip& before, const Clip& after);

/// Returns the duration of a frame in seconds; 1/30 for a clip of one frame.
double frame_seconds_of(const Clip& clip);

}  // namespace marrow::motion
