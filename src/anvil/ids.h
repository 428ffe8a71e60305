// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_set>

#include "marrow/anvil/skeleton.h"
#include "marrow/model/modifiers_fields.h"

namespace marrow::anvil {

/// Calls `visit(id&)` for a modifier and the objects inside it.
template <class ModifierT, class Visit>
void for_each_id(ModifierT& modifier, Visit&& visit) {
  visit(modifier.id);
  walk_fields(modifier, [&](const Field&, auto& value) {
    if constexpr (kIsPartList<std::remove_cvref_t<decltype(value)>>)
      for (auto& item : value) visit(item.id);
  });
}

/// The object ids that are taken, and new ones. Objects without an id (0) stay without.
class IdPool {
 public:
  void add(const Skeleton& skeleton) {
    take(skeleton.id);
    for (const Bone& bone : skeleton.bones) {
      take(bone.id);
      for (const Modifier& modifier : bone.modifiers) for_each_id(modifier, [&](std::uint64_t id) { take(id); });
    }
  }
  /// Whether the id was free; it is not any more.
  bool take(std::uint64_t id) { return id == 0 || taken_.insert(id).second; }
  /// An id of the range in which newer games count the objects of a file.
  std::uint64_t fresh() {
    while (!taken_.insert(next_).second) ++next_;
    return next_;
  }

 private:
  std::unordered_set<std::uint64_t> taken_;
  std::uint64_t next_ = 0xF8000000;
};

}  // namespace marrow::anvil
