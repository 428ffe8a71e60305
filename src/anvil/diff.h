// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "anvil/skeleton.h"

namespace marrow::anvil {

/// One difference between two skeletons. A side is empty if it has nothing there.
struct Difference {
  std::string object;  ///< name of the bone; empty: the skeleton itself
  std::string field;   ///< `LocalPosition`, `modifiers[0].Mass`; empty: the bone as a whole
  std::string left;
  std::string right;

  bool operator==(const Difference&) const = default;
};

/// Compares by meaning: bones by name, links by their target bone, values by value. Ignores dialect, encoding,
/// comments, the words beside numbers, stated indices and counts, and the order of the file if the tree is the same.
std::vector<Difference> diff(const Skeleton& left, const Skeleton& right);

}  // namespace marrow::anvil
