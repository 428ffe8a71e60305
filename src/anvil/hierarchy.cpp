// SPDX-License-Identifier: MIT
#include "anvil/hierarchy.h"

#include <algorithm>

#include "anvil/at.h"
#include "anvil/names.h"
#include "core/crc32.h"

namespace marrow::anvil {
namespace {

void link_children(Hierarchy& tree) {
  const std::size_t count = tree.parent.size();
  tree.first_child.assign(count, Hierarchy::kNone);
  tree.next_sibling.assign(count, Hierarchy::kNone);
  for (std::size_t i = count; i-- > 0;)
    if (const std::int32_t parent = tree.parent[i]; parent >= 0) {
      tree.next_sibling[i] = tree.first_child[at(parent)];
      tree.first_child[at(parent)] = static_cast<std::int32_t>(i);
    }
}

// Appends everything that `root` reaches; the next bone is a child, else a sibling, else a sibling of an ancestor.
void walk_down(Hierarchy& tree, std::int32_t root, std::vector<bool>& done) {
  for (std::int32_t bone = root; bone != Hierarchy::kNone;) {
    tree.depth_first.push_back(bone);
    done[at(bone)] = true;
    tree.depth[at(bone)] = bone == root ? 0 : tree.depth[at(tree.parent[at(bone)])] + 1;
    std::int32_t next = tree.first_child[at(bone)];
    while (next == Hierarchy::kNone && bone != root) {
      next = tree.next_sibling[at(bone)];
      bone = tree.parent[at(bone)];
    }
    bone = next;
  }
}

}  // namespace

std::int32_t Hierarchy::find(BoneLink link) const {
  if (link.is_null()) return kNone;
  const auto found = by_id.find(link.target);
  return found == by_id.end() ? kDangling : found->second;
}

std::int32_t Hierarchy::find_hash(std::uint32_t hash) const {
  const auto found = by_hash.find(hash);
  return found == by_hash.end() ? kNone : found->second;
}

bool Hierarchy::is_below(std::int32_t bone, std::int32_t ancestor) const {
  // The descendants of a bone follow it in depth-first order, without a gap.
  const std::int64_t distance = std::int64_t{position[at(bone)]} - position[at(ancestor)];
  return distance > 0 && distance <= descendants[at(ancestor)];
}

Hierarchy hierarchy_of(const Skeleton& skeleton) {
  const std::size_t count = skeleton.bones.size();
  Hierarchy tree;
  tree.by_id.reserve(count);
  tree.by_hash.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    tree.by_id.try_emplace(skeleton.bones[i].id, static_cast<std::int32_t>(i));
    tree.by_hash.try_emplace(skeleton.bones[i].name.hash, static_cast<std::int32_t>(i));
  }
  tree.parent.reserve(count);
  for (const Bone& bone : skeleton.bones) tree.parent.push_back(tree.find(bone.parent));
  link_children(tree);
  tree.depth.assign(count, 0);
  tree.depth_first.reserve(count);
  std::vector<bool> done(count, false);
  for (std::size_t i = 0; i < count; ++i)
    if (tree.parent[i] < 0) walk_down(tree, static_cast<std::int32_t>(i), done);
  const std::size_t reached = tree.depth_first.size();
  for (std::size_t i = 0; i < count; ++i)
    if (!done[i]) {
      tree.cyclic.push_back(static_cast<std::int32_t>(i));
      tree.depth_first.push_back(static_cast<std::int32_t>(i));
    }
  tree.position.resize(count);
  for (std::size_t k = 0; k < count; ++k) tree.position[at(tree.depth_first[k])] = static_cast<std::int32_t>(k);
  tree.descendants.assign(count, 0);
  for (std::size_t k = reached; k-- > 0;) {
    const std::int32_t bone = tree.depth_first[k];
    if (const std::int32_t parent = tree.parent[at(bone)]; parent >= 0)
      tree.descendants[at(parent)] += tree.descendants[at(bone)] + 1;
  }
  return tree;
}

std::string display_name(const BoneName& name) {
  if (!name.text.empty() && crc32(name.text) == name.hash) return name.text;
  const std::string_view known = NameTable::builtin().find(name.hash);
  return known.empty() ? unknown_name(name.hash) : std::string(known);
}

std::string chain_of(const Skeleton& skeleton, const Hierarchy& tree, std::int32_t bone) {
  constexpr std::size_t most = 12;
  std::vector<std::int32_t> chain;  // from the bone up
  while (bone >= 0 && chain.size() < most && std::ranges::find(chain, bone) == chain.end()) {
    chain.push_back(bone);
    bone = tree.parent[at(bone)];
  }
  std::string text = bone >= 0 ? "..." : "";
  for (std::size_t i = chain.size(); i-- > 0;)
    text += (text.empty() ? "" : "/") + display_name(skeleton.bones[at(chain[i])].name);
  return text;
}

void sort_depth_first(Skeleton& skeleton) {
  const Hierarchy tree = hierarchy_of(skeleton);
  if (std::ranges::is_sorted(tree.depth_first)) return;
  std::vector<Bone> sorted;
  sorted.reserve(skeleton.bones.size());
  for (const std::int32_t bone : tree.depth_first) sorted.push_back(std::move(skeleton.bones[at(bone)]));
  skeleton.bones = std::move(sorted);
}

void restate_numbers(Skeleton& skeleton) {
  const Hierarchy tree = hierarchy_of(skeleton);
  for (std::size_t i = 0; i < skeleton.bones.size(); ++i) {
    Bone& bone = skeleton.bones[i];
    if (bone.index.stated) bone.index.stated = static_cast<std::uint32_t>(i);
    if (bone.child_bone_count.stated) bone.child_bone_count.stated = tree.descendants[i];
  }
}

namespace {

void rebuild_global(Skeleton& skeleton, const Hierarchy& tree, std::int32_t bone) {
  if (const std::int32_t parent = tree.parent[at(bone)]; parent >= 0)
    set_global_rest(skeleton.bones[at(bone)],
                    global_rest(skeleton.bones[at(parent)]) * local_rest(skeleton.bones[at(bone)]));
}

}  // namespace

void rebuild_globals(Skeleton& skeleton) {
  const Hierarchy tree = hierarchy_of(skeleton);
  for (const std::int32_t bone : tree.depth_first) rebuild_global(skeleton, tree, bone);
}

void rebuild_globals_below(Skeleton& skeleton, std::int32_t bone) {
  const Hierarchy tree = hierarchy_of(skeleton);
  const std::size_t first = at(tree.position[at(bone)]);
  for (std::size_t i = first + 1; i <= first + tree.descendants[at(bone)]; ++i)
    rebuild_global(skeleton, tree, tree.depth_first[i]);
}

}  // namespace marrow::anvil
