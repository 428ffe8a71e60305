// SPDX-License-Identifier: MIT
#pragma once

#include "codec/block_motion.h"
#include "havok/packfile/packfile.h"
#include "marrow/model/clip.h"

namespace marrow::havok {

/// Returns the blocks of a delta or wavelet animation, borrowed from it.
codec::BlockMotionView block_motion(const FieldsView& animation, bool is_wavelet);

/// Fills the frames of a clip whose counts are set from a delta or wavelet animation. Float tracks stay 0: what they
/// hold is not known. The caller has compared what the frames take with its limits.
Result<void> read_blocks(const FieldsView& animation, bool is_wavelet, ObjectId id, Clip& clip);

/// True if an animation has float tracks whose form in its codec is not known: they read as 0.
bool has_unread_floats(const Object& animation);

}  // namespace marrow::havok
