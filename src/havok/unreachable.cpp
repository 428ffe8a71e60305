// SPDX-License-Identifier: MIT
#include "havok/unreachable.h"

#include <algorithm>

namespace marrow::havok {
namespace {

// Calls `action` with each pointer of an array and of what it contains; null ones too.
template <class Action>
void for_each_pointer(const Array& array, Action&& action) {
  for (const Ref& ref : array.refs())
    if (ref.is_array())
      for_each_pointer(ref.array(), action);
    else if (!ref.text())
      action(ref.pointer());
}

template <class Action>
void for_each_pointer_of(const Object& object, Action&& action) {
  for_each_pointer(object.body(), action);
  for (const auto& fixup : object.opaque().global_fixups) action(fixup.second);
}

template <class NewId>
void renumber(Array& array, NewId new_id) {
  for (Ref& ref : array.mutable_refs())
    if (ref.is_array())
      renumber(ref.array(), new_id);
    else if (!ref.text())
      ref.set_pointer(new_id(ref.pointer()));
}

// Objects that keep their pointers stay as they are, in the storage of the file.
template <class NewId>
void renumber(Object& object, NewId new_id) {
  bool differs = false;
  for_each_pointer_of(object, [&](ObjectId id) { differs |= new_id(id) != id; });
  if (!differs) return;
  renumber(object.body(), new_id);
  if (object.type) return;
  Opaque opaque = object.opaque();
  for (auto& fixup : opaque.global_fixups) fixup.second = new_id(fixup.second);
  object.set_opaque(std::move(opaque));
}

}  // namespace

std::vector<bool> reachable(const Packfile& file) {
  std::vector<bool> seen(file.objects.size());
  std::vector<ObjectId> open;
  const auto visit = [&](ObjectId id) {
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
  std::vector<ObjectId> new_ids(file.objects.size());
  std::vector<Object> kept;
  for (std::uint32_t i = 0; i < file.objects.size(); ++i) {
    if (!stays[i]) continue;
    new_ids[i] = {static_cast<std::uint32_t>(kept.size())};
    kept.push_back(std::move(file.objects[i]));
  }
  const auto new_id = [&](ObjectId id) { return id.is_null() ? id : new_ids[id.index]; };
  for (Object& object : kept) renumber(object, new_id);
  file.root = new_id(file.root);
  file.objects = std::move(kept);
}

void drop_unreachable(Packfile& file, const std::vector<bool>& was_reachable) {
  std::vector<bool> stays = reachable(file);
  for (std::size_t i = 0; i < std::min(stays.size(), was_reachable.size()); ++i)
    if (!was_reachable[i]) stays[i] = true;
  keep_objects(file, stays);
}

}  // namespace marrow::havok
