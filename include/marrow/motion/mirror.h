// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "marrow/core/error.h"
#include "marrow/model/clip.h"
#include "marrow/model/skeleton.h"

namespace marrow::motion {

/// How the bones of a skeleton are paired, left and right.
struct MirrorMap {
  /// One per bone: the bone on the other side; itself if it lies in the middle; `kNoBone` if it is not mirrored and
  /// keeps its own motion.
  std::vector<std::int32_t> partner;

  bool operator==(const MirrorMap&) const = default;
};

/// Pairs bones by name: `NPC L Thigh [LThg]` and `NPC R Thigh [RThg]`, `LArm_Hand` and `RArm_Hand`, `Left`, `_L`, `.L`.
/// A bone without a partner of such a name lies in the middle.
MirrorMap mirror_by_names(const Skeleton& skeleton);

/// Pairs bones by the mirror bones of an Anvil skeleton. A mirroring type of 0 (none) keeps the bone as it is; all
/// others reflect in the plane between left and right.
MirrorMap mirror_by_bones(std::span<const std::int32_t> mirror_bones, std::span<const std::int32_t> mirroring_types);

/// Returns the clip with left and right exchanged, reflected in the plane X = 0 of the skeleton. Rest poses need not be
/// symmetric: the motion relative to rest is mirrored. Mirroring twice restores the clip, except for rounding. If the
/// partner of a track's bone has no track, the track moves to the partner. Step events (`FootLeft`, `SyncRight`) change
/// sides. Fails if the clip does not fit the skeleton.
Result<Clip> mirror_clip(const Clip& clip, const Skeleton& skeleton, const MirrorMap& map, Notes* notes = nullptr);

}  // namespace marrow::motion
