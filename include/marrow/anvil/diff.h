// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "marrow/anvil/skeleton.h"

namespace marrow::anvil {

/// One thing that two skeletons have otherwise; a side is empty where it has nothing there.
struct Difference {
  std::string where;
  std::string left;
  std::string right;

  bool operator==(const Difference&) const = default;
};

/// Compares by meaning: bones by name, links by the bone they lead to, values by value. Dialect, encoding, comments,
/// the words beside numbers, stated indices and counts, and the order of the file where the tree is the same are no
/// difference.
std::vector<Difference> diff(const Skeleton& left, const Skeleton& right);

}  // namespace marrow::anvil
