// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "marrow/havok/packfile.h"

namespace marrow::havok {

/// A place where two object trees hold other values.
struct TreeDifference {
  std::string path;  ///< `hkRootLevelContainer.namedVariants[0].variant.skeletons[1].name`
  std::string left, right;
};

/// Walks both trees from their roots side by side. Pointer size, padding and the order of objects do not count. Stops
/// after `limit` differences.
std::vector<TreeDifference> compare(const Packfile& left, const Packfile& right, std::size_t limit = 1000);

}  // namespace marrow::havok
