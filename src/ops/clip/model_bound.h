// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "codec/spline_encoder.h"
#include "marrow/model/clip.h"
#include "marrow/model/skeleton.h"

namespace marrow {

/// The local pose of a clip's tracks at a frame, which may be fractional.
using PoseSampler = std::function<void(double frame, std::span<Transform> tracks)>;

/// A clip on its skeleton, and how far its shell may move.
struct ModelBound {
  const Skeleton& skeleton;
  const Clip& clip;  ///< counts, the bones of its tracks and how it is blended; the frames are not read
  double max_error = 0;
  double shell_distance = 0;
  codec::Tolerance ceiling;    ///< tolerances that no track goes beyond
  codec::Tolerance elsewhere;  ///< for float tracks, and tracks that move no bone of the skeleton
};

struct ModelBoundResult {
  codec::EncodeErrors errors;
  double model_error = 0;  ///< the worst over all bones, shell points and quarter frames
};

/// Encodes every track as loosely as the bound in model space allows: an error at the shoulder counts at the fingertip,
/// one at the fingertip only there. Tracks that move no bone are encoded at `elsewhere`.
Result<ModelBoundResult> encode_within(const ModelBound& bound, const PoseSampler& source,
                                       codec::SplineEncoder& encoder);

}  // namespace marrow
