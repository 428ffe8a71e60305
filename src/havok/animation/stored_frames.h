// SPDX-License-Identifier: MIT
#pragma once

#include "havok/packfile/packfile.h"
#include "marrow/model/clip.h"

// Animations that store their frames: interleaved and lossless ones. Each count is checked against the data before a
// frame is made.

namespace marrow::havok {

/// Gives a clip room for all its frames, zeroed.
void make_frames(Clip& clip);

/// Returns the frames of an interleaved animation: as many as its values make.
std::int64_t interleaved_frames(const FieldsView& animation, std::int64_t tracks, std::int64_t floats);

/// Fills the frames of a clip whose counts are set. The caller has compared what they take with its limits.
Result<void> read_interleaved(const FieldsView& animation, ObjectId id, Clip& clip);
Result<void> read_lossless(const FieldsView& animation, ObjectId id, Clip& clip);

}  // namespace marrow::havok
