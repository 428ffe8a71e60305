// SPDX-License-Identifier: MIT
#include "anvil/skeleton.h"

#include <algorithm>
#include <functional>

#include "anvil/slots.h"

namespace marrow::anvil {
namespace {

template <class Object>
Object with_optional_absent(Object object = {}) {
  const Slots slots = slots_of(object);
  for (std::size_t i = 0; i < slots.size(); ++i)
    if (slots[i].optional) object.kept.absent |= std::uint64_t{1} << i;
  return object;
}

// Compares the kept data of two modifiers and of their parts, one by one.
template <class Same>
bool same_kept(const Modifier& a, const Modifier& b, const Same& same) {
  const KeptView left = kept_of(a), right = kept_of(b);
  if (!same(left.own, right.own)) return false;
  for (std::size_t i = 0; i < std::max(left.parts.size(), right.parts.size()); ++i)
    if (!same(left.part(i), right.part(i))) return false;
  return true;
}

Transform transform(const Vec4& position, const Quat& rotation) {
  return {Vec3(position.x, position.y, position.z), rotation, Vec3(1.0f)};
}

}  // namespace

bool Modifier::operator==(const Modifier& other) const {
  return marrow::Modifier::operator==(other) && same_kept(*this, other, std::equal_to<>());
}

bool same_effect(const Modifier& a, const Modifier& b) {
  // It does not matter which fields were left out.
  const auto level = [](Kept kept) {
    kept.absent = 0;
    return kept;
  };
  return marrow::same_effect(a, b) &&
         same_kept(a, b, [&](const Kept& left, const Kept& right) { return level(left) == level(right); });
}

Modifier make_modifier(ModifierType type) {
  return with_optional_absent<Modifier>({marrow::make_modifier(type), {}, {}});
}
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
