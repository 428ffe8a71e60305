// SPDX-License-Identifier: MIT
#include "havok/packfile/unreachable.h"

#include <algorithm>

#include "havok/packfile/pointers.h"

namespace marrow::havok {
namespace {

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

// Keeps these objects, in this order.
void take_objects(Packfile& file, const std::vector<std::uint32_t>& order) {
  std::vector<ObjectId> new_ids(file.objects.size());
  std::vector<Object> kept;
  for (const std::uint32_t i : order) {
    new_ids[i] = {static_cast<std::uint32_t>(kept.size())};
    kept.push_back(std::move(file.objects[i]));
  }
  const auto new_id = [&](ObjectId id) { return id.is_null() ? id : new_ids[id.index]; };
  for (Object& object : kept) renumber(object, new_id);
  file.root = new_id(file.root);
  file.objects = std::move(kept);
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
  std::vector<std::uint32_t> order;
  for (std::uint32_t i = 0; i < file.objects.size(); ++i)
    if (stays[i]) order.push_back(i);
  take_objects(file, order);
}

void drop_unreachable(Packfile& file, const std::vector<bool>& was_reachable) {
  std::vector<bool> stays = reachable(file);
  for (std::size_t i = 0; i < std::min(stays.size(), was_reachable.size()); ++i)
    if (!was_reachable[i]) stays[i] = true;
  keep_objects(file, stays);
}

void put_in_order(Packfile& file, const std::vector<std::uint32_t>& order) {
  if (!std::ranges::is_sorted(order)) take_objects(file, order);
}

void put_in_file_order(Packfile& file) {
  std::vector<bool> seen(file.objects.size());
  std::vector<std::uint32_t> order;
  std::vector<ObjectId> open;
  const auto walk_from = [&](ObjectId start) {
    open.push_back(start);
    while (!open.empty()) {
      const ObjectId id = open.back();
      open.pop_back();
      if (id.is_null() || id.index >= seen.size() || seen[id.index]) continue;
      seen[id.index] = true;
      order.push_back(id.index);
      const auto first = static_cast<std::ptrdiff_t>(open.size());
      for_each_pointer_of(file.at(id), [&](ObjectId next) {
        if (!next.is_null() && next.index < seen.size() && !seen[next.index]) open.push_back(next);
      });
      std::reverse(open.begin() + first, open.end());  // the first is visited first
    }
  };
  walk_from(file.root);
  for (std::uint32_t i = 0; i < seen.size(); ++i) walk_from({i});
  put_in_order(file, order);
}

}  // namespace marrow::havok
