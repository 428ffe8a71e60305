// SPDX-License-Identifier: MIT
#pragma once

#include "marrow/codec/spline_blob.h"
#include "marrow/ops/document/document.h"
#include "marrow/ops/document/load.h"

namespace marrow {

/// Returns the spline of a clip to be written: tracks whose frames still are what `clip.spline` decodes to keep their
/// codes unless a curve ends before its block; the others are encoded within the bound, by default well within what can
/// be seen (0.02 degrees, 0.004 units). A clip without frames keeps its spline as it is. Fails if the clip has neither.
Result<codec::SplineBlob> spline_of(const DocumentClip& clip, const Limits& limits, const EncodingBound& bound = {});

/// Returns the error of a clip that has neither frames nor curves: why its file's motion cannot be decoded.
std::unexpected<Error> no_motion(const DocumentClip& clip);

/// True if `spline` is the motion of a clip: its frames, if it has any, still are what the spline decodes to.
bool is_spline_current(const DocumentClip& clip, const Limits& limits);

/// Gives a clip the motion that saving its document would: new or changed frames become those of the encoded curves.
/// Operations that make much of small differences do this first, so that they give the same in memory as on the saved
/// file. Clips of other formats than Havok's, and those that are stored as frames, stay as they are.
Result<void> take_saved_motion(const Document& document, DocumentClip& clip, const Limits& limits);

}  // namespace marrow
