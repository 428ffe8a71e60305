// SPDX-License-Identifier: MIT
#include "marrow/model/skeleton.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include <glm/geometric.hpp>

namespace marrow {
namespace {

bool is_finite(const Transform& t) {
  const float values[] = {t.translation.x, t.translation.y, t.translation.z, t.rotation.x, t.rotation.y,
                          t.rotation.z,    t.rotation.w,    t.scale.x,       t.scale.y,    t.scale.z};
  return std::ranges::all_of(values, [](float v) { return std::isfinite(v); });
}

}  // namespace

std::optional<std::int32_t> find_bone(const Skeleton& skeleton, std::string_view name) {
  const auto found = std::ranges::find(skeleton.bones, name, &Bone::name);
  if (found == skeleton.bones.end()) return std::nullopt;
  return static_cast<std::int32_t>(found - skeleton.bones.begin());
}

Result<void> validate(const Skeleton& skeleton) {
  std::unordered_set<std::string_view> names;
  for (std::size_t i = 0; i < skeleton.bones.size(); ++i) {
    const Bone& bone = skeleton.bones[i];
    const auto refuse = [&](std::string why) {
      return fail(ErrorCode::Malformed, std::move(why), kNoOffset,
                  "bones[" + std::to_string(i) + "] \"" + bone.name + "\"");
    };
    if (bone.parent < kNoBone || bone.parent >= static_cast<std::int32_t>(i))
      return refuse("parent " + std::to_string(bone.parent) + " does not come before its child");
    if (!is_finite(bone.rest)) return refuse("the rest pose is not finite");
    if (std::abs(glm::length(bone.rest.rotation) - 1.0f) > 1e-2f)
      return refuse("the rest rotation is not a unit quaternion");
    if (!bone.name.empty() && !names.insert(bone.name).second) return refuse("the name is used twice");
  }
  return {};
}

}  // namespace marrow
