// SPDX-License-Identifier: MIT
#include "havok/physics/character_ragdoll.h"

#include <algorithm>

#include "core/try.h"
#include "havok/physics/fields.h"
#include "havok/physics/joints.h"
#include "havok/physics/physics.h"

namespace marrow::havok {
namespace {

std::vector<std::string> bone_names(const Packfile& file, ObjectId id) {
  std::vector<std::string> names;
  const Object* skeleton = object_as(file, id, "hkaSkeleton");
  if (!skeleton) return names;
  const FieldsView fields = skeleton->fields();
  const ArrayView bones = fields.array("bones");
  for (std::uint32_t i = 0; i < bones.size(); ++i) names.emplace_back(bones.record(i).text("name").value_or(""));
  return names;
}

// Returns the bone of the animated skeleton that each bone of the ragdoll moves: what a mapper says, else its own name
// without the prefix that the games' exporters give it.
std::vector<std::string> animated_names(const Packfile& file, ObjectId ragdoll_skeleton) {
  constexpr std::string_view kPrefix = "Ragdoll_";
  std::vector<std::string> names = bone_names(file, ragdoll_skeleton);
  for (std::string& name : names)
    if (name.starts_with(kPrefix)) name.erase(0, kPrefix.size());
  for (const ObjectId id : file.find_all("hkaSkeletonMapper")) {
    const FieldsView mapping = file.at(id).fields().record("mapping");
    if (mapping.pointer("skeletonB") != ragdoll_skeleton) continue;
    const std::vector<std::string> animated = bone_names(file, mapping.pointer("skeletonA"));
    const ArrayView pairs = mapping.array("simpleMappings");
    for (std::uint32_t i = 0; i < pairs.size(); ++i) {
      const auto to = static_cast<std::size_t>(pairs.record(i).integer("boneA"));
      const auto from = static_cast<std::size_t>(pairs.record(i).integer("boneB"));
      if (to < animated.size() && from < names.size()) names[from] = animated[to];
    }
  }
  return names;
}

// Gives each body the name of the bone that has it.
std::vector<std::string> bones_of_bodies(const CollisionSystem& system, std::span<const std::int32_t> bone_to_body,
                                         const std::vector<std::string>& names) {
  std::vector<std::string> bones;
  for (const Body& body : system.bodies) bones.push_back(body.name);
  for (std::size_t i = 0; i < std::min(bone_to_body.size(), names.size()); ++i)
    if (bone_to_body[i] >= 0 && static_cast<std::size_t>(bone_to_body[i]) < bones.size())
      bones[static_cast<std::size_t>(bone_to_body[i])] = names[i];
  return bones;
}

Body read_body(const Object& object, CollisionSystem& system) {
  const FieldsView motion = object.fields().record("motion");
  Body body;
  body.name = object.fields().text("name").value_or("");
  body.motion = static_cast<std::uint32_t>(system.motions.size());
  const std::vector<float> inverse = motion.floats("inertiaAndMassInv");
  system.motions.push_back({.inverse_mass = inverse.size() == 4 ? inverse[3] : 0.0f});
  if (const auto place = motion.record("motionState").floats("transform"); place.size() == 16) {
    const Frame frame = frame_of(place);
    body.position = Vec4(frame.translation, 0.0f);
    body.orientation = glm::quat_cast(frame.rotation);
  }
  return body;
}

// Havok 2010: an instance lists its bodies and joints, which are objects of their own.
CharacterRagdoll read_instance(const Packfile& file, const Object& instance) {
  CharacterRagdoll ragdoll;
  CollisionSystem& system = ragdoll.system;
  system.game = CollisionGame::Skyrim;
  system.game_units = 1.0f;
  system.surfaces.emplace_back();
  const FieldsView fields = instance.fields();
  const ArrayView bodies = fields.array("rigidBodies"), joints = fields.array("constraints");
  std::vector<ObjectId> objects;
  for (std::uint32_t i = 0; i < bodies.size(); ++i) {
    const Object* body = object_as(file, bodies.pointer(i), "hkpRigidBody");
    if (!body) continue;
    objects.push_back(bodies.pointer(i));
    system.bodies.push_back(read_body(*body, system));
  }
  const auto number_of = [&](ObjectId id) {
    const auto found = std::ranges::find(objects, id);
    return found == objects.end() ? kNoBody : static_cast<std::uint32_t>(found - objects.begin());
  };
  for (std::uint32_t i = 0; i < joints.size(); ++i) {
    const Object* joint = object_as(file, joints.pointer(i), "hkpConstraintInstance");
    if (!joint) continue;
    Constraint constraint;
    constraint.body_a = number_of(joint->fields().pointer("entities", 0));
    constraint.body_b = number_of(joint->fields().pointer("entities", 1));
    if (constraint.body_a == kNoBody) continue;
    constraint.source.value = joint->fields().pointer("data").index;
    read_joint(file, constraint, system.motors);
    system.constraints.push_back(std::move(constraint));
  }
  const ArrayView map = fields.array("boneToRigidBodyMap");
  ragdoll.bones =
      bones_of_bodies(system, map.numbers<std::int32_t>(), animated_names(file, fields.pointer("skeleton")));
  return ragdoll;
}

}  // namespace

Result<std::optional<CharacterRagdoll>> read_character_ragdoll(const Packfile& file) {
  for (const ObjectId id : file.find_all("hkaRagdollInstance")) return read_instance(file, file.at(id));
  for (const ObjectId id : file.find_all("hknpRagdollData")) {
    CharacterRagdoll ragdoll;
    MARROW_TRY(ragdoll.system, read_physics(file, id));
    const ObjectId skeleton = file.at(id).fields().pointer("skeleton");
    ragdoll.bones =
        bones_of_bodies(ragdoll.system, ragdoll.system.ragdoll->bone_to_body, animated_names(file, skeleton));
    return ragdoll;
  }
  return std::nullopt;
}

}  // namespace marrow::havok
