// SPDX-License-Identifier: MIT
// The order in which Havok's writer puts objects into a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "havok/packfile/packfile.h"

namespace marrow::havok {

using Pointer = std::pair<std::uint32_t, ObjectId>;  ///< a slot and what it leads to

/// Visits the objects in file order: depth first from the root, in the order of each object's pointers, then
/// unreachable ones. `visit` appends the pointers of an object to `pointers`. In files with node ids (`claims`) an
/// object belongs to the first that lists it, though another may be visited earlier.
template <class Visit>
void walk_objects(const Packfile& file, const std::vector<Pointer>& pointers, bool claims, Visit visit) {
  std::vector<bool> seen(file.objects.size());
  std::vector<bool> claimed(file.objects.size());
  struct Range {
    std::size_t next, end;
    std::vector<ObjectId> own = {};  // of `claims`
  };
  std::vector<Range> stack;
  const auto enter = [&](ObjectId id) {
    if (id.index >= seen.size() || seen[id.index]) return;
    seen[id.index] = true;
    const std::size_t first = pointers.size();
    visit(id);
    if (pointers.size() == first) return;
    stack.push_back({first, pointers.size()});
    if (!claims) return;
    Range& top = stack.back();
    for (std::size_t i = first; i < pointers.size(); ++i) {
      const ObjectId target = pointers[i].second;
      if (target.index >= claimed.size() || claimed[target.index]) continue;
      claimed[target.index] = true;
      top.own.push_back(target);
    }
    top.next = 0;
    top.end = top.own.size();
    if (top.end == 0) stack.pop_back();
  };
  const auto walk_from = [&](ObjectId id) {
    if (id.index < claimed.size()) claimed[id.index] = true;
    enter(id);
    while (!stack.empty()) {
      Range& top = stack.back();
      const std::size_t place = top.next++;
      const ObjectId next = claims ? top.own[place] : pointers[place].second;
      if (top.next == top.end) stack.pop_back();
      enter(next);
    }
  };
  walk_from(file.root);
  for (std::uint32_t i = 0; i < file.objects.size(); ++i) walk_from({i});
}

}  // namespace marrow::havok
