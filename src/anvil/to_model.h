// SPDX-License-Identifier: MIT
#pragma once

#include "anvil/skeleton.h"
#include "marrow/core/error.h"
#include "marrow/model/rig.h"

namespace marrow::anvil {

/// Converts a skeleton of the games to the model: bones in depth-first order with the names of `display_name`, local
/// rest poses, links as indices. Links to missing bones become null. Fails with `Malformed` on a cycle and on a missing
/// parent: without an order the skeleton cannot be posed.
Result<Rig> to_model(const Skeleton& skeleton);

}  // namespace marrow::anvil
