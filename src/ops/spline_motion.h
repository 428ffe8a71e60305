// SPDX-License-Identifier: MIT
#pragma once

#include "marrow/codec/spline_blob.h"
#include "marrow/ops/document.h"

namespace marrow {

/// Returns the spline of a clip to be written: tracks whose frames still are what `clip.spline` decodes to keep their
/// codes, the others are encoded, well within what can be seen (0.02 degrees, 0.004 units). A clip without frames
/// keeps its spline as it is. Fails if the clip has neither.
Result<codec::SplineBlob> spline_of(const DocumentClip& clip, const Limits& limits);

}  // namespace marrow
