// SPDX-License-Identifier: MIT
#include "havok/unreachable.h"

#include <algorithm>

namespace marrow::havok {
namespace {

template <class A, class Action>
void for_each_pointer(A& array, Action&& action) {
  for (auto& ref : array.refs) {
    if (auto* id = std::get_if<ObjectId>(&ref.value)) action(*id);
    if (auto* inner = std::get_if<Array>(&ref.value)) for_each_pointer(*inner, action);
  }
}

template <class O, class Action>
void for_each_pointer_of(O& object, Action&& action) {
  for_each_pointer(object.body, action);
  for (auto& fixup : object.opaque.global_fixups) action(fixup.second);
}

}  // namespace

std::vector<bool> reachable(const Packfile& file) {
  std::vector<bool> seen(file.objects.size());
  std::vector<ObjectId> open;
  const auto visit = [&](const ObjectId& id) {
    if (id.is_null() || id.index >= seen.size() || seen[id.index]) return;
    seen[id.index] = true;
    open.push_back(id);
  };
  visit(file.root);
  while (!open.empty()) {
    const ObjectId id = open.back();
    open.pop_back();
    for_each_pointer_of(file.at(id), visit);
  }
  return seen;
}

void keep_objects(Packfile& file, const std::vector<bool>& stays) {
  std::vector<ObjectId> new_id(file.objects.size());
  std::vector<Object> kept;
  for (std::uint32_t i = 0; i < file.objects.size(); ++i) {
    if (!stays[i]) continue;
    new_id[i] = {static_cast<std::uint32_t>(kept.size())};
    kept.push_back(std::move(file.objects[i]));
  }
  const auto renumber = [&](ObjectId& id) {
    if (!id.is_null()) id = new_id[id.index];
  };
  for (Object& object : kept) for_each_pointer_of(object, renumber);
  renumber(file.root);
  file.objects = std::move(kept);
}

void drop_unreachable(Packfile& file, const std::vector<bool>& was_reachable) {
  std::vector<bool> stays = reachable(file);
  for (std::size_t i = 0; i < std::min(stays.size(), was_reachable.size()); ++i)
    if (!was_reachable[i]) stays[i] = true;
  keep_objects(file, stays);
}

}  // namespace marrow::havok
