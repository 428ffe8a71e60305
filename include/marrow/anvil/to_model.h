// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "marrow/anvil/skeleton.h"
#include "marrow/core/error.h"
#include "marrow/model/skeleton.h"

namespace marrow::anvil {

/// A skeleton of the games in the terms of the model: bones in depth-first order, links as indices.
struct ModelRig {
  marrow::Skeleton skeleton;         ///< rest poses are local; names as `display_name` gives them
  Rigging rigging;                   ///< links to bones that are not there are null
  std::vector<std::int32_t> mirror;  ///< one a bone: the bone on the other side, or itself
};

/// Fails on a cycle and on a parent that is not there: what has no order cannot be posed.
Result<ModelRig> to_model(const Skeleton& skeleton);

}  // namespace marrow::anvil
