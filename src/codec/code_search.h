// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "marrow/codec/spline_blob.h"

namespace marrow::codec {

/// A rotation that 40 bits can store.
struct CodedRotation {
  ThreeComponentCode code;
  Quaternion value;
};

/// Returns the nearest 40-bit code of a rotation, then those around it, up to 27 in all. For edits that choose codes of
/// several bones together.
std::vector<CodedRotation> codes_near(const Quaternion& rotation);

/// Returns tracks that have exactly these rotations at their frames, and are straight between them: `tracks[t][f]` is
/// track t at frame f. All tracks have the same number of frames, two or more. Translations and scales are identity.
SplineBlob coded_tracks(std::span<const std::vector<ThreeComponentCode>> tracks);

}  // namespace marrow::codec
