// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <vector>

#include "anvil/report.h"

namespace marrow::anvil {

/// Which bones of an addon are bones of the skeleton it is for.
struct Match {
  std::int32_t root = Hierarchy::kNone;  ///< of the base: where the addon hangs; kNone: nowhere
  std::vector<std::int32_t> in_base;     ///< one per bone of the addon: the bone of the same name, or kNone
  std::size_t added = 0;                 ///< bones that are new
};

/// Returns what a bone of the skeleton is from, in words: `the base`, or the file of an addon that was merged before.
using OwnerOf = std::function<std::string(std::int32_t bone)>;

/// Matches by name and compares what the game compares: the parent of every matched bone. Reports
/// E_ADDON_ROOT_MISSING, E_HIERARCHY_MISMATCH with both chains, and W_REST_MISMATCH.
Match match_addon(Report& addon, const Skeleton& base, const Hierarchy& base_tree, const OwnerOf& owner_of = {});

}  // namespace marrow::anvil
