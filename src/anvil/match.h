// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "anvil/report.h"

namespace marrow::anvil {

/// Which bones of an addon are bones of the skeleton it is for.
struct Match {
  std::int32_t root = Hierarchy::kNone;  ///< of the base: where the addon hangs; kNone: nowhere
  std::vector<std::int32_t> in_base;     ///< one a bone of the addon: the bone of the same name, or kNone
  std::size_t added = 0;                 ///< bones that are new
};

/// Matches by name and compares what the game compares: the parent of every matched bone. Reports
/// E_ADDON_ROOT_MISSING, E_HIERARCHY_MISMATCH with both chains, and W_REST_MISMATCH.
Match match_addon(Report& addon, const Skeleton& base, const Hierarchy& base_tree);

}  // namespace marrow::anvil
