// SPDX-License-Identifier: MIT
#include <algorithm>
#include <numeric>
#include <tuple>

#include "model/modifiers_fields.h"
#include "motion/compiled_rig_data.h"

namespace marrow::motion {

// Orders modifiers by the priority of the bone, then from root to tip, then by the order of bones and lists.
std::vector<std::uint32_t> order_modifiers(const Rig& rig) {
  const auto& bones = rig.skeleton.bones;
  const auto& priority = rig.solving_priority;
  std::vector<std::int32_t> depth(bones.size(), 0);
  for (std::size_t i = 0; i < bones.size(); ++i)
    if (bones[i].parent != kNoBone) depth[i] = depth[static_cast<std::size_t>(bones[i].parent)] + 1;

  const auto& modifiers = rig.modifiers;
  std::vector<std::uint32_t> order(modifiers.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t index) {
    const auto owner = static_cast<std::size_t>(bone_index(modifiers[index].owner));
    return std::tuple(priority.empty() ? 0 : static_cast<int>(priority[owner]), depth[owner], owner);
  });
  return order;
}

void plan_refreshes(const Rig& rig, CompiledRigData& data) {
  const std::size_t count = data.parents.size();
  std::vector<std::vector<std::int32_t>> children(count);
  for (std::size_t i = 0; i < count; ++i)
    if (data.parents[i] != kNoBone)
      children[static_cast<std::size_t>(data.parents[i])].push_back(static_cast<std::int32_t>(i));

  std::vector<bool> stale(count, true);
  std::vector<std::int32_t> path, below;
  // A stale bone has only stale descendants, so walking up stops at the first fresh bone, and walking down at stale
  // bones.
  const auto freshen = [&](std::int32_t bone) {
    path.clear();
    for (; bone != kNoBone && stale[static_cast<std::size_t>(bone)];
         bone = data.parents[static_cast<std::size_t>(bone)])
      path.push_back(bone);
    for (auto it = path.rbegin(); it != path.rend(); ++it) {
      stale[static_cast<std::size_t>(*it)] = false;
      data.refresh.push_back(*it);
    }
  };
  const auto spoil_below = [&](std::int32_t bone) {
    below = children[static_cast<std::size_t>(bone)];
    while (!below.empty()) {
      const auto next = static_cast<std::size_t>(below.back());
      below.pop_back();
      if (stale[next]) continue;
      stale[next] = true;
      below.insert(below.end(), children[next].begin(), children[next].end());
    }
  };
  // Colliders whose bones have changed since they were last placed.
  std::vector<bool> moved(data.colliders.size(), true);
  const auto stands_on = [&](std::int32_t bone, std::int32_t ancestor) {
    while (bone != kNoBone && bone != ancestor) bone = data.parents[static_cast<std::size_t>(bone)];
    return bone != kNoBone;
  };
  for (Step& step : data.steps) {
    step.refresh_begin = static_cast<std::uint32_t>(data.refresh.size());
    freshen(step.owner);
    step.place_begin = static_cast<std::uint32_t>(data.placed.size());
    for (std::size_t i = 0; i < moved.size() && step.reach > 0.0; ++i) {
      if (!moved[i]) continue;
      freshen(data.colliders[i].bone);
      freshen(data.colliders[i].to_bone);
      data.placed.push_back(static_cast<std::uint32_t>(i));
      moved[i] = false;
    }
    step.place_end = static_cast<std::uint32_t>(data.placed.size());
    walk_links(rig.modifiers[step.modifier], [&](const Field&, const BoneLink& link) {
      if (!link.is_null()) freshen(bone_index(link));
    });
    step.refresh_end = static_cast<std::uint32_t>(data.refresh.size());
    if (!step.effect.rotation && !step.effect.position) continue;
    spoil_below(step.owner);
    for (std::size_t i = 0; i < moved.size(); ++i)
      moved[i] =
          moved[i] || stands_on(data.colliders[i].bone, step.owner) || stands_on(data.colliders[i].to_bone, step.owner);
  }
  const auto each_once = [](std::vector<std::int32_t> bones) {
    std::ranges::sort(bones);
    const auto repeated = std::ranges::unique(bones);
    bones.erase(repeated.begin(), repeated.end());
    return bones;
  };
  std::vector<std::int32_t> owners;
  for (const Step& step : data.steps) owners.push_back(step.owner);
  data.owned = each_once(std::move(owners));
  data.read = each_once(data.refresh);
}

}  // namespace marrow::motion
