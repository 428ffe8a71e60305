// SPDX-License-Identifier: MIT
#include "anvil/to_model.h"

#include <algorithm>

#include "anvil/hierarchy.h"
#include "model/modifiers_fields.h"

namespace marrow::anvil {

static_assert(kNoWrinkle == Wrinkle::kNone);

Result<Rig> to_model(const Skeleton& skeleton) {
  const Hierarchy tree = hierarchy_of(skeleton);
  const auto name = [&](std::size_t bone) { return display_name(skeleton.bones[bone].name); };
  if (!tree.cyclic.empty())
    return fail(ErrorCode::Malformed,
                "E_CYCLE: the parents of " + name(static_cast<std::size_t>(tree.cyclic.front())) +
                    " lead back to it; it needs another parent",
                Cure{"rig reparent", {{"bone", name(static_cast<std::size_t>(tree.cyclic.front()))}}});
  std::vector<std::int32_t> place(skeleton.bones.size());  // index of each bone in the model
  for (std::size_t i = 0; i < tree.depth_first.size(); ++i)
    place[static_cast<std::size_t>(tree.depth_first[i])] = static_cast<std::int32_t>(i);
  const auto resolve = [&](BoneLink link) {
    const std::int32_t found = tree.find(link);
    return found < 0 ? kNoBone : place[static_cast<std::size_t>(found)];
  };

  Rig rig;
  for (const std::int32_t index : tree.depth_first) {
    const auto i = static_cast<std::size_t>(index);
    const Bone& bone = skeleton.bones[i];
    if (tree.parent[i] == Hierarchy::kDangling)
      return fail(ErrorCode::Malformed, "E_DANGLING_LINK: the parent of " + name(i) + " is not in the file");
    rig.skeleton.bones.push_back({.name = name(i), .parent = resolve(bone.parent), .rest = local_rest(bone)});
    // Without a mirror bone nothing is mirrored. If the mirror bone is missing, the bone is its own mirror.
    const std::int32_t mirror = resolve(bone.mirror);
    rig.mirror.push_back(bone.mirror.is_null() || mirror != kNoBone ? mirror : place[i]);
    rig.mirroring_types.push_back(bone.mirroring_type);
    if (bone.wrinkle_category != kNoWrinkle)
      rig.wrinkles.push_back({place[i], bone.wrinkle_category, bone.wrinkle_factor});
    rig.solving_priority.push_back(bone.solving_priority);
    for (marrow::Modifier modifier : bone.modifiers) {
      remap_links(modifier, [&](BoneLink link) {
        const std::int32_t target = resolve(link);
        return target == kNoBone ? BoneLink{} : BoneLink{static_cast<std::uint64_t>(target)};
      });
      modifier.owner = {static_cast<std::uint64_t>(place[i])};
      rig.modifiers.push_back(std::move(modifier));
    }
  }
  return rig;
}

}  // namespace marrow::anvil
