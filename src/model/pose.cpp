// SPDX-License-Identifier: MIT
#include "marrow/model/pose.h"

#include <cassert>

namespace marrow {

namespace {

template <class ParentOf>
void to_model(const ParentOf& parent_of, std::span<const Transform> local, std::span<Transform> model) {
  assert(model.size() == local.size());
  for (std::size_t i = 0; i < local.size(); ++i) {
    const std::int32_t parent = parent_of(i);
    model[i] = parent == kNoBone ? local[i] : model[static_cast<std::size_t>(parent)] * local[i];
  }
}

}  // namespace

void local_to_model(const Skeleton& skeleton, std::span<const Transform> local, std::span<Transform> model) {
  assert(local.size() == skeleton.bones.size());
  to_model([&](std::size_t i) { return skeleton.bones[i].parent; }, local, model);
}

void local_to_model(std::span<const std::int32_t> parents, std::span<const Transform> local,
                    std::span<Transform> model) {
  assert(local.size() == parents.size());
  to_model([&](std::size_t i) { return parents[i]; }, local, model);
}

void model_to_local(const Skeleton& skeleton, std::span<const Transform> model, std::span<Transform> local) {
  assert(local.size() == skeleton.bones.size() && model.size() == local.size());
  for (std::size_t i = 0; i < local.size(); ++i) {
    const std::int32_t parent = skeleton.bones[i].parent;
    local[i] = parent == kNoBone ? model[i] : inverse(model[static_cast<std::size_t>(parent)]) * model[i];
  }
}

Transform additive_value(const Transform& rest, const Transform& pose) {
  const Quat back = glm::conjugate(rest.rotation);
  return {(back * (pose.translation - rest.translation)) / rest.scale, back * pose.rotation, pose.scale / rest.scale};
}

void pose_from_frame(const Skeleton& skeleton, const Clip& clip, std::span<const Transform> frame,
                     std::span<Transform> local) {
  for (std::size_t i = 0; i < local.size(); ++i) local[i] = skeleton.bones[i].rest;
  for (std::size_t track = 0; track < frame.size(); ++track) {
    const std::int32_t bone = bone_of_track(clip, track);
    if (bone < 0 || bone >= static_cast<std::int64_t>(local.size())) continue;
    const auto i = static_cast<std::size_t>(bone);
    local[i] = clip.blend_hint == BlendHint::Normal ? frame[track] : skeleton.bones[i].rest * frame[track];
  }
}

}  // namespace marrow
