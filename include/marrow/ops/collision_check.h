// SPDX-License-Identifier: MIT
#pragma once

#include "marrow/core/finding.h"
#include "marrow/model/skeleton.h"
#include "marrow/ops/collision_file.h"

namespace marrow {

/// Tells what the game would not take, or would take otherwise than its author thinks: bounding trees, keys, property
/// keys, masses that do not fit the shape, missing impact events, degenerate hulls, alignment, body numbers. The rules
/// are those of packfiles in NIF files; a skeleton.hkx follows other habits, and only what is wrong there too is told.
Findings check_collision(const CollisionFile& file);

/// Which bones of the skins in a NIF are missing in a skeleton, by name.
Result<Findings> check_skins(const NifFile& nif, const Skeleton& skeleton);

}  // namespace marrow
