// SPDX-License-Identifier: MIT
#pragma once

#include "marrow/model/rig.h"
#include "motion/json_fields.h"

namespace marrow::motion {

/// Reads the list `colliders` of a sidecar (docs/modifiers/sidecar.md) and adds them to a rig. Fails with the place in
/// the JSON as path.
Result<void> read_colliders(const Json& list, Rig& rig);

}  // namespace marrow::motion
