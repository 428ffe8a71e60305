// SPDX-License-Identifier: MIT
#include "marrow/anvil/skeleton.h"

#include "anvil/slots.h"

namespace marrow::anvil {
namespace {

template <class Object>
Object with_optional_absent() {
  Object object;
  const Slots slots = slots_of(object);
  for (std::size_t i = 0; i < slots.size(); ++i)
    if (slots[i].optional) object.kept.absent |= std::uint64_t{1} << i;
  return object;
}

Transform transform(const Vec4& position, const Quat& rotation) {
  return {Vec3(position.x, position.y, position.z), rotation, Vec3(1.0f)};
}

}  // namespace

Bone make_bone() { return with_optional_absent<Bone>(); }
Skeleton make_skeleton() { return with_optional_absent<Skeleton>(); }

Transform local_rest(const Bone& bone) { return transform(bone.local_position, bone.local_rotation); }
Transform global_rest(const Bone& bone) { return transform(bone.global_position, bone.global_rotation); }

void set_local_rest(Bone& bone, const Transform& t) {
  bone.local_position = Vec4(t.translation.x, t.translation.y, t.translation.z, bone.local_position.w);
  bone.local_rotation = t.rotation;
}

void set_global_rest(Bone& bone, const Transform& t) {
  bone.global_position = Vec4(t.translation.x, t.translation.y, t.translation.z, bone.global_position.w);
  bone.global_rotation = t.rotation;
}

}  // namespace marrow::anvil
