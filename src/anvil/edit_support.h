// SPDX-License-Identifier: MIT
#pragma once

#include "anvil/hierarchy.h"
#include "marrow/core/error.h"

namespace marrow::anvil {

/// The bone of that name, or an error that names it.
Result<std::int32_t> find_bone(const Skeleton& skeleton, const Hierarchy& tree, std::uint32_t hash);

}  // namespace marrow::anvil
