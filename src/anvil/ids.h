// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "anvil/rig_set.h"
#include "anvil/skeleton.h"
#include "model/modifiers_fields.h"

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

/// Calls `visit(id&)` for every object of a skeleton, itself included.
template <class SkeletonT, class Visit>
void for_each_object_id(SkeletonT& skeleton, Visit&& visit) {
  visit(skeleton.id);
  for (auto& bone : skeleton.bones) {
    visit(bone.id);
    for (auto& modifier : bone.modifiers) for_each_id(modifier, visit);
  }
}

/// The object ids that are taken, and new ones. Objects without an id (0) stay without.
class IdPool {
 public:
  /// Numbers by the scheme of a skeleton, whose ids are taken.
  explicit IdPool(const Skeleton& skeleton);

  /// Takes the ids of a skeleton.
  void add(const Skeleton& skeleton) {
    for_each_object_id(skeleton, [&](std::uint64_t id) { take(id); });
  }
  /// Takes an id. False if it was taken before.
  bool take(std::uint64_t id) { return id == 0 || taken_.insert(id).second; }
  /// Takes and returns a free id for an object: `name` tells it from others of the file.
  std::uint64_t fresh(std::string_view name);
  /// Gives the objects of a modifier new ids, those that have one too.
  void number(marrow::Modifier& modifier, std::string_view bone);

 private:
  std::unordered_set<std::uint64_t> taken_;
  IdScheme scheme_;
  std::uint64_t skeleton_ = 0;
};

}  // namespace marrow::anvil
