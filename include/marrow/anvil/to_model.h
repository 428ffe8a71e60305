// SPDX-License-Identifier: MIT
#pragma once

#include "marrow/anvil/skeleton.h"
#include "marrow/core/error.h"
#include "marrow/model/rig.h"

namespace marrow::anvil {

/// Returns a skeleton of the games in terms of the model: bones in depth-first order under the names that
/// `display_name` gives them, rest poses local, links as indices. Links to bones that are not there become null. Fails
/// with `Malformed` on a cycle and on a parent that is not there: what has no order cannot be posed.
Result<Rig> to_model(const Skeleton& skeleton);

}  // namespace marrow::anvil
