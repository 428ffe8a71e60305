// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "marrow/model/clip.h"
#include "marrow/model/skeleton.h"
#include "marrow/ops/document/document.h"

namespace marrow {

/// Evidence that a clip was made for a skeleton. Clips name neither their skeleton's file nor, in the games' own files,
/// their bones, but most bones keep the place relative to their parent that they have at rest.
struct SkeletonFit {
  std::size_t compared = 0;         ///< tracks that move a bone with a parent and a length
  std::size_t same = 0;             ///< those whose first frame has the bone where it is at rest
  std::size_t outside = 0;          ///< tracks that move bones which the skeleton does not have
  std::size_t misnamed = 0;         ///< tracks with the name of another bone than the one they move
  std::string first_misnamed = {};  ///< describes the first of those

  /// True if nearly nothing agrees: the clip is for another body. Few bones prove nothing.
  bool is_other() const { return compared >= 8 && same * 4 < compared; }
  /// True if the clip cannot be for the skeleton: it moves bones that are not there, or `is_other`.
  bool is_excluded() const { return outside > 0 || is_other(); }
  /// True if most agrees.
  bool is_right() const { return outside == 0 && compared >= 8 && same * 2 > compared; }
};

/// Compares a clip with a skeleton. The clip must have its first frame. Additive clips hold differences instead of
/// places, so only their names and counts are compared.
SkeletonFit fit_of(const Clip& clip, const Skeleton& skeleton);
/// The same for a clip as it is stored: its first frame is decoded.
Result<SkeletonFit> fit_of(const DocumentClip& clip, const Skeleton& skeleton, const Limits& limits);

/// Compares where the bones of two clips with the same tracks are in their first frames, but for tracks of `skipped`.
Result<SkeletonFit> fit_of(const DocumentClip& clip, const DocumentClip& other, const std::vector<bool>& skipped,
                           const Limits& limits);

/// Returns why an additive clip was probably made for another skeleton, by the names and the number of its tracks;
/// empty for other clips, and if nothing speaks against it.
std::string additive_doubt(const Clip& clip, const Skeleton& skeleton);

}  // namespace marrow
