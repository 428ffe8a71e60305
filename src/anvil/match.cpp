// SPDX-License-Identifier: MIT
#include "anvil/match.h"

#include <algorithm>
#include <glm/geometric.hpp>

#include "anvil/at.h"
#include "marrow/core/text.h"

namespace marrow::anvil {
namespace {

void report_mismatch(Report& addon, const Skeleton& base, const Hierarchy& base_tree, const Match& match,
                     std::size_t bone, const std::string& owner) {
  const std::int32_t addon_parent = addon.tree().parent[bone];
  const std::int32_t in_base = match.in_base[bone];
  const std::int32_t parent_in_base = match.in_base[at(addon_parent)];
  const std::int32_t base_parent = base_tree.parent[at(in_base)];
  const std::string parent = addon.name(at(addon_parent));
  const std::string expected = base_parent < 0 ? "no bone" : display_name(base.bones[at(base_parent)].name);
  const char* kind = "re-parented";
  std::string advice = "make it a child of " + expected;
  std::optional<Cure> cure;
  if (base_parent >= 0) cure = Cure{"rig reparent", {{"bone", addon.name(bone)}, {"parent", expected}}};
  if (parent_in_base < 0) {
    kind = "inserted";
    advice = parent + " is new and is between two bones of " + owner + "; make it a leaf, and make " +
             addon.name(bone) + " a child of " + expected;
  } else if (base_tree.is_below(in_base, parent_in_base)) {
    kind = "skipped";
    cure.reset();
    advice = "put " + expected + " back between " + parent + " and " + addon.name(bone);
  }
  addon.add("E_HIERARCHY_MISMATCH", bone,
            addon.name(bone) + " is a child of " + parent + " here and of " + expected + " in " + owner + " (" + kind +
                "): the game crashes when it loads them together. There: " + chain_of(base, base_tree, in_base) +
                "; here: " + chain_of(addon.skeleton(), addon.tree(), static_cast<std::int32_t>(bone)) + "; " + advice,
            std::move(cure));
}

void compare_rest(Report& addon, const Skeleton& base, std::int32_t in_base, std::size_t bone,
                  const std::string& owner) {
  const Transform mine = local_rest(addon.skeleton().bones[bone]), theirs = local_rest(base.bones[at(in_base)]);
  const float distance = glm::length(mine.translation - theirs.translation);
  const float angle = angle_degrees(mine.rotation, theirs.rotation);
  if (distance > 1e-3f || angle > 0.1f)
    addon.add("W_REST_MISMATCH", bone,
              addon.name(bone) + " is at rest " + float_text(distance) + " m and " + float_text(angle) +
                  " degrees from its place in " + owner +
                  "; the game uses that one, and the bones below it move with it");
}

}  // namespace

Match match_addon(Report& addon, const Skeleton& base, const Hierarchy& base_tree, const OwnerOf& owner_of) {
  const auto owner = [&](std::int32_t bone) { return owner_of ? owner_of(bone) : std::string("the base"); };
  const auto& bones = addon.skeleton().bones;
  Match match;
  match.in_base.reserve(bones.size());
  for (const Bone& bone : bones) match.in_base.push_back(base_tree.find_hash(bone.name.hash));
  const auto root = std::ranges::find_if(addon.tree().depth_first,
                                         [&](std::int32_t bone) { return addon.tree().parent[at(bone)] < 0; });
  if (root == addon.tree().depth_first.end()) return match;
  match.root = match.in_base[at(*root)];
  if (match.root < 0) {
    addon.add("E_ADDON_ROOT_MISSING", at(*root),
              "the addon attaches to " + addon.name(at(*root)) +
                  ", which the skeleton does not have; the root of an addon must be a bone of the skeleton. Give it "
                  "another name, or merge the addon that adds this bone first",
              addon.cure_of(at(*root), "rig rename"));
    match.added = bones.size();
    return match;
  }
  for (std::size_t i = 0; i < bones.size(); ++i) {
    const std::int32_t parent = addon.tree().parent[i];
    if (match.in_base[i] < 0) {
      ++match.added;
    } else if (parent >= 0) {
      if (match.in_base[at(parent)] < 0 || base_tree.parent[at(match.in_base[i])] != match.in_base[at(parent)])
        report_mismatch(addon, base, base_tree, match, i, owner(match.in_base[i]));
      else
        compare_rest(addon, base, match.in_base[i], i, owner(match.in_base[i]));
    }
  }
  return match;
}

}  // namespace marrow::anvil
