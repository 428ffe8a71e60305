// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "marrow/codec/spline_blob.h"
#include "marrow/core/error.h"
#include "marrow/model/clip.h"
#include "marrow/model/skeleton.h"

namespace marrow::motion {

/// How the bones of a skeleton are paired, left and right.
struct MirrorMap {
  /// One per bone: the bone on the other side; itself if it lies in the middle; `kNoBone` if it is not mirrored and
  /// keeps its own motion.
  std::vector<std::int32_t> partner;
  /// Bones whose partner is a guess: a name fits, but no bone of that name lies where the mirror image would be; or the
  /// bone lies to one side, and no bone is its partner. Ascending.
  std::vector<std::int32_t> unsure = {};

  bool operator==(const MirrorMap&) const = default;
};

/// Pairs bones whose names differ only by their side, wherever in the name that is said: `NPC L Thigh [LThg]` and
/// `NPC R Thigh [RThg]`, `SkirtLBone01` and `SkirtRBone01`, `hand.left` and `hand.right`. Of several candidates the one
/// wins that lies nearest to the mirror image in the rest pose. A bone without a partner lies in the middle.
MirrorMap mirror_by_names(const Skeleton& skeleton);

/// Pairs bones by the mirror bones of an Anvil skeleton. A mirroring type of 0 (none) keeps the bone as it is; all
/// others reflect in the plane between left and right.
MirrorMap mirror_by_bones(std::span<const std::int32_t> mirror_bones, std::span<const std::int32_t> mirroring_types);

/// Returns the clip with left and right exchanged, reflected in the plane X = 0 of the skeleton. Rest poses need not be
/// symmetric: the motion relative to rest is mirrored. Mirroring twice restores the clip, except for rounding. If the
/// partner of a track's bone has no track, the track moves to the partner. Step events (`FootLeft`, `SyncRight`) change
/// sides. Fails if the clip does not fit the skeleton.
Result<Clip> mirror_clip(const Clip& clip, const Skeleton& skeleton, const MirrorMap& map, Notes* notes = nullptr);

/// Returns the curves of the same clip mirrored: their control points are, so that the motion between frames is as
/// exact as at them. `clip` needs no frames. Fails as `mirror_clip` does, or if the curves are not those of the clip.
Result<codec::SplineBlob> mirror_spline(const Clip& clip, const codec::SplineBlob& curves, const Skeleton& skeleton,
                                        const MirrorMap& map);

}  // namespace marrow::motion
