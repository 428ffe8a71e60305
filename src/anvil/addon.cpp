// SPDX-License-Identifier: MIT
#include <algorithm>

#include "anvil/at.h"
#include "anvil/check.h"
#include "anvil/hierarchy.h"
#include "anvil/ids.h"
#include "anvil/match.h"
#include "anvil/merge.h"
#include "core/try.h"

namespace marrow::anvil {
namespace {

/// Returns the deepest bone that is an ancestor of each of `bones`, or one of them.
std::int32_t common_ancestor(const Hierarchy& tree, const std::vector<std::int32_t>& bones) {
  const auto [low, high] = std::ranges::minmax(bones, {}, [&](std::int32_t bone) { return tree.position[at(bone)]; });
  std::int32_t ancestor = low;
  while (ancestor != high && !tree.is_below(high, ancestor)) ancestor = tree.parent[at(ancestor)];
  return ancestor;
}

/// Builds an addon from bones of a skeleton. Bones on the path to it get new ids; new bones keep theirs.
class AddonBuilder {
 public:
  AddonBuilder(const Skeleton& from, const Hierarchy& tree, std::int32_t root)
      : from_(from), tree_(tree), root_(root), path_(from.bones.size(), false), whole_(from.bones.size(), false) {
    path_[at(root)] = true;
  }

  /// Adds the bone and those between it and the root, without their modifiers.
  void include_path(std::int32_t bone) {
    for (; !path_[at(bone)]; bone = tree_.parent[at(bone)]) path_[at(bone)] = true;
  }
  /// Adds the bone unchanged.
  void include_whole(std::int32_t bone) {
    include_path(bone);
    whole_[at(bone)] = true;
  }
  void add_modifier(std::int32_t bone, const Modifier& modifier) { extra_[bone].push_back(modifier); }

  Skeleton build() {
    Skeleton addon = make_skeleton();
    addon.type = kCustomSkeleton;
    addon.origin = from_.origin;
    addon.origin.comments.clear();
    addon.origin.dropped.clear();
    IdPool ids(from_);
    addon.id = ids.fresh("Addon to " + display_name(from_.bones[at(root_)].name));
    std::unordered_map<std::uint64_t, std::uint64_t> id_of;
    for (const std::int32_t index : tree_.depth_first)
      if (path_[at(index)]) {
        const std::uint64_t id = from_.bones[at(index)].id;
        id_of[id] = whole_[at(index)] ? id : ids.fresh(display_name(from_.bones[at(index)].name));
      }
    const auto remap = [&](BoneLink link) {
      const auto found = id_of.find(link.target);
      return found == id_of.end() ? BoneLink{} : BoneLink{found->second};
    };
    for (const std::int32_t index : tree_.depth_first) {
      if (!path_[at(index)]) continue;
      Bone bone = from_.bones[at(index)];
      bone.id = id_of[bone.id];
      bone.parent = index == root_ ? BoneLink{} : remap(bone.parent);
      bone.mirror = remap(bone.mirror);
      if (bone.mirror.is_null()) bone.mirror = {bone.id};
      if (!whole_[at(index)]) bone.modifiers.clear();
      if (const auto extra = extra_.find(index); extra != extra_.end())
        bone.modifiers.insert(bone.modifiers.end(), extra->second.begin(), extra->second.end());
      for (Modifier& modifier : bone.modifiers) remap_links(modifier, remap);
      addon.bones.push_back(std::move(bone));
    }
    // Poses of an addon are relative to its own root.
    addon.root = {addon.bones.front().id};
    set_local_rest(addon.bones.front(), {});
    set_global_rest(addon.bones.front(), {});
    rebuild_globals(addon);
    return addon;
  }

 private:
  const Skeleton& from_;
  const Hierarchy& tree_;
  const std::int32_t root_;
  std::vector<bool> path_, whole_;
  std::unordered_map<std::int32_t, std::vector<Modifier>> extra_;
};

/// What `merged` has in addition to `base`.
struct Extra {
  std::vector<std::int32_t> bones;
  std::vector<std::pair<std::int32_t, const Modifier*>> modifiers;  // on bones that the base has too
  std::vector<std::int32_t> needed;                                 // bones that these are attached to or refer to
};

Extra find_extra(const Skeleton& merged, const Hierarchy& tree, const Skeleton& base, const Hierarchy& base_tree,
                 const Match& match) {
  Extra extra;
  const auto need_links = [&](const Modifier& modifier) {
    walk_links(modifier, [&](const Field&, const BoneLink& link) {
      if (const std::int32_t bone = tree.find(link); bone >= 0) extra.needed.push_back(bone);
    });
  };
  const auto to_base = [&](BoneLink link) {
    const std::int32_t bone = tree.find(link);
    const std::int32_t found = bone < 0 ? Hierarchy::kNone : base_tree.find_hash(merged.bones[at(bone)].name.hash);
    return found < 0 ? BoneLink{} : BoneLink{base.bones[at(found)].id};
  };
  for (const std::int32_t index : tree.depth_first) {
    const Bone& bone = merged.bones[at(index)];
    const std::int32_t in_base = match.in_base[at(index)];
    if (in_base < 0) {
      extra.bones.push_back(index);
      extra.needed.push_back(tree.parent[at(index)] < 0 ? index : tree.parent[at(index)]);
      if (const std::int32_t mirror = tree.find(bone.mirror); mirror >= 0) extra.needed.push_back(mirror);
      for (const Modifier& modifier : bone.modifiers) need_links(modifier);
      continue;
    }
    for (const Modifier& modifier : bone.modifiers) {
      Modifier in_terms_of_base = modifier;
      remap_links(in_terms_of_base, to_base);
      if (std::ranges::any_of(base.bones[at(in_base)].modifiers,
                              [&](const Modifier& known) { return same_effect(known, in_terms_of_base); }))
        continue;
      extra.modifiers.emplace_back(index, &modifier);
      need_links(modifier);
    }
  }
  return extra;
}

// Everything here walks up parents, so the tree must be valid.
Result<void> require_sound(const Skeleton& skeleton) {
  for (const Finding& finding : check(skeleton))
    if (finding.level == Level::Error)
      return fail(ErrorCode::Malformed, finding.code + ": " + finding.message, kNoOffset, finding.where);
  return {};
}

}  // namespace

Result<Skeleton> extract_addon(const Skeleton& merged, const Skeleton& base, std::optional<std::uint32_t> root) {
  MARROW_CHECK(require_sound(merged));
  MARROW_CHECK(require_sound(base));
  const Hierarchy tree = hierarchy_of(merged), base_tree = hierarchy_of(base);
  Findings findings;
  Report report(merged, tree, findings);
  const Match match = match_addon(report, base, base_tree);
  for (const Finding& finding : findings)
    if (finding.level == Level::Error)
      return fail(ErrorCode::InvalidArgument, finding.code + ": " + finding.message, kNoOffset, finding.where);
  const Extra extra = find_extra(merged, tree, base, base_tree, match);
  if (extra.bones.empty() && extra.modifiers.empty())
    return fail(ErrorCode::NotFound, "the skeleton has no bone and no modifier that the base lacks");
  std::int32_t chosen = common_ancestor(tree, extra.needed);
  if (root) {
    const std::int32_t wanted = tree.find_hash(*root);
    if (wanted < 0) return fail(ErrorCode::NotFound, "there is no bone " + display_name({*root, {}}) + " to attach to");
    if (wanted != chosen && !tree.is_below(chosen, wanted))
      return fail(ErrorCode::InvalidArgument, display_name(merged.bones[at(wanted)].name) +
                                                  " does not reach everything that is new; use " +
                                                  display_name(merged.bones[at(chosen)].name) + " or a bone above it");
    chosen = wanted;
  }
  AddonBuilder builder(merged, tree, chosen);
  for (const std::int32_t bone : extra.needed) builder.include_path(bone);
  for (const std::int32_t bone : extra.bones) builder.include_whole(bone);
  for (const auto& [bone, modifier] : extra.modifiers) builder.add_modifier(bone, *modifier);
  return builder.build();
}

Result<Skeleton> new_addon(const Skeleton& base, std::uint32_t attach, std::span<const std::uint32_t> paths) {
  MARROW_CHECK(require_sound(base));
  const Hierarchy tree = hierarchy_of(base);
  const auto find = [&](std::uint32_t hash) -> Result<std::int32_t> {
    const std::int32_t bone = tree.find_hash(hash);
    if (bone < 0) return fail(ErrorCode::NotFound, "the skeleton has no bone " + display_name({hash, {}}));
    return bone;
  };
  MARROW_TRY(const std::int32_t root, find(attach));
  AddonBuilder builder(base, tree, root);
  for (const std::uint32_t hash : paths) {
    MARROW_TRY(const std::int32_t bone, find(hash));
    if (bone != root && !tree.is_below(bone, root))
      return fail(ErrorCode::InvalidArgument, display_name(base.bones[at(bone)].name) + " is not below " +
                                                  display_name(base.bones[at(root)].name) +
                                                  "; attach to a bone that is above both");
    builder.include_path(bone);
  }
  return builder.build();
}

}  // namespace marrow::anvil
