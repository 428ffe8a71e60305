// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "marrow/model/clip.h"

namespace marrow::motion {

/// Root motion as a path: a sample per frame, each a place and a turn about `up`. All functions but the first require
/// one sample per frame.

/// Returns root motion with a sample at each of `frame_count` frames, interpolated linearly.
RootMotion path_at_frames(const RootMotion& motion, std::int32_t frame_count);

/// Returns the part from one frame to another as seen from its first sample, which becomes zero. If `last` is before
/// `first` the part is walked backwards.
RootMotion path_part(const RootMotion& path, std::int32_t first, std::int32_t last);

/// Continues a path with another: the first sample of `next` is laid on the last of `path` and dropped.
void append_path(RootMotion& path, const RootMotion& next);

/// Returns the way from one sample to the next as the mover sees it: x, y, z and the turn.
Vec4 step_between(const RootMotion& path, std::int32_t frame);
/// Returns the sample after `from`, one step on.
Vec4 step_on(const Vec4& from, const Vec4& step, const Vec4& up);

}  // namespace marrow::motion
