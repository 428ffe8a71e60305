// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "havok/packfile/packfile.h"

namespace marrow::havok {

/// A place where two object trees hold different values.
struct TreeDifference {
  std::string path;  ///< `hkRootLevelContainer.namedVariants[0].variant.skeletons[1].name`
  std::string left, right;
};

/// Compares two files by walking both trees from their roots. Ignores pointer size, padding and the order of objects.
/// Stops after `limit` differences.
std::vector<TreeDifference> compare(const Packfile& left, const Packfile& right, std::size_t limit = 1000);

}  // namespace marrow::havok
