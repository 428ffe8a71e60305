// SPDX-License-Identifier: MIT
#include "anvil/ids.h"

#include <string>

#include "anvil/edit.h"
#include "anvil/hierarchy.h"
#include "anvil/kept_xml.h"
#include "core/hash.h"

namespace marrow::anvil {
namespace {

// The range in which newer games count the objects of a file. It fits the 32-bit ids of the first games, and the
// games' own resources are not in it.
constexpr std::uint64_t kFirst = 0xF8000000, kCount = 0x07FFFFFF;

}  // namespace

IdPool::IdPool(const Skeleton& skeleton) : scheme_(skeleton.origin.ids), skeleton_(skeleton.id) { add(skeleton); }

std::uint64_t IdPool::fresh(std::string_view name) {
  if (scheme_.base) {
    std::uint64_t& next = *scheme_.base;
    while (next == 0 || !taken_.insert(next).second) ++next;
    return next;
  }
  std::uint64_t hash = Hash64().add(scheme_.file).add(std::to_string(skeleton_)).add(name).value();
  hash = (hash ^ hash >> 32) % kCount;
  while (!taken_.insert(kFirst + hash).second) hash = (hash + 1) % kCount;
  return kFirst + hash;
}

void IdPool::number(marrow::Modifier& modifier, std::string_view bone) {
  const std::string name = std::string(bone) + "/" + std::string(class_name(modifier));
  for_each_id(modifier, [&](std::uint64_t& id) { id = fresh(name); });
}

namespace {

/// Replaces ids in everything that holds one.
class Renumbering {
 public:
  explicit Renumbering(const std::unordered_map<std::uint64_t, std::uint64_t>& ids) : ids_(ids) {}

  void apply(Skeleton& skeleton) const {
    for_each_object_id(skeleton, [&](std::uint64_t& id) { id = of(id); });
    link(skeleton.root);
    for (Opaque* opaque : {&skeleton.pose_groups, &skeleton.ik_data, &skeleton.com_data, &skeleton.reflex_system,
                           &skeleton.reflex3_constraints})
      remap_kept_links(opaque->xml, ids_);
    kept(skeleton.kept);
    for (Bone& bone : skeleton.bones) {
      link(bone.parent);
      link(bone.mirror);
      kept(bone.kept);
      for (Modifier& modifier : bone.modifiers) {
        remap_links(modifier, [&](BoneLink old) { return BoneLink{of(old.target)}; });
        kept(modifier.kept);
        for (Kept& part : modifier.part_kept) kept(part);
      }
    }
  }

 private:
  std::uint64_t of(std::uint64_t id) const {
    const auto found = ids_.find(id);
    return found == ids_.end() ? id : found->second;
  }
  void link(BoneLink& link) const { link.target = of(link.target); }
  void kept(Kept& kept) const {
    for (Kept::Element& element : kept.elements) remap_kept_links(element.xml, ids_);
  }

  const std::unordered_map<std::uint64_t, std::uint64_t>& ids_;
};

}  // namespace

void renumber(Skeleton& skeleton, const std::unordered_map<std::uint64_t, std::uint64_t>& ids) {
  Renumbering(ids).apply(skeleton);
}

EditNotes renumber_all(Skeleton& skeleton) {
  IdPool ids(skeleton);
  std::unordered_map<std::uint64_t, std::uint64_t> to;
  const auto give = [&](std::uint64_t id, const std::string& name) {
    if (id != 0) to.try_emplace(id, 0).first->second = ids.fresh(name);
  };
  give(skeleton.id, "Skeleton");
  for (const Bone& bone : skeleton.bones) {
    const std::string name = display_name(bone.name);
    give(bone.id, name);
    for (const Modifier& modifier : bone.modifiers)
      for_each_id(modifier, [&](std::uint64_t id) { give(id, name + "/" + std::string(class_name(modifier))); });
  }
  renumber(skeleton, to);
  return {std::to_string(to.size()) + " ids are new; the skeleton is " + std::to_string(skeleton.id)};
}

}  // namespace marrow::anvil
