// SPDX-License-Identifier: MIT
#include <algorithm>

#include "core/try.h"
#include "havok/packfile/unreachable.h"
#include "havok/physics/fields.h"
#include "havok/physics/joints.h"
#include "havok/physics/physics.h"
#include "havok/physics/shapes.h"

namespace marrow::havok {
namespace {

void write_skeleton(const Skeleton& skeleton, Fields fields) {
  std::vector<std::int16_t> parents;
  std::vector<float> pose;
  for (const Bone& bone : skeleton.bones) {
    parents.push_back(static_cast<std::int16_t>(bone.parent));
    const auto& [t, q, s] = bone.rest;
    pose.insert(pose.end(), {t.x, t.y, t.z, 0.0f, q.x, q.y, q.z, q.w, s.x, s.y, s.z, 0.0f});
  }
  fields.set_text("name", skeleton.name.empty() ? std::nullopt : std::optional(skeleton.name));
  fields.set_numbers<std::int16_t>("parentIndices", parents);
  fields.set_numbers<float>("referencePose", pose);
  fields.reset_array("bones", static_cast<std::uint32_t>(skeleton.bones.size()));
  for (std::uint32_t i = 0; i < skeleton.bones.size(); ++i) {
    const Bone& bone = skeleton.bones[i];
    fields.element("bones", i).set_text("name", bone.name.empty() ? std::nullopt : std::optional(bone.name));
    fields.element("bones", i).set_integer("lockTranslation", bone.lock_translation);
  }
}

void write_ragdoll(const Ragdoll& ragdoll, const std::optional<Ragdoll>& original, Packfile& file, ObjectId target) {
  file.at(target).fields().set_numbers<std::int32_t>("boneToBodyMap", ragdoll.bone_to_body);
  if (original && original->skeleton == ragdoll.skeleton) return;
  ObjectId skeleton = file.at(target).fields().view().pointer("skeleton");
  if (!object_as(file, skeleton, "hkaSkeleton")) {
    skeleton = file.add("hkaSkeleton");
    file.at(target).fields().set_pointer("skeleton", skeleton);
  }
  write_skeleton(ragdoll.skeleton, file.at(skeleton).fields());
}

// Returns the list that keeps shapes alive. The game's physics systems have one entry per body, in order; so has a new
// file. Elsewhere, entries of a shape that its body has given up go to the new one, those of shapes that no body has
// any more are dropped, and every body's shape is in it.
std::vector<ObjectId> referenced_objects(const FieldsView& fields, std::span<const ObjectId> new_shapes) {
  const ArrayView list = fields.array("referencedObjects"), bodies = fields.array("bodyCinfos");
  std::vector<ObjectId> objects, old_shapes;
  for (std::uint32_t i = 0; i < list.size(); ++i) objects.push_back(list.pointer(i));
  for (std::uint32_t i = 0; i < bodies.size(); ++i) old_shapes.push_back(bodies.record(i).pointer("shape"));
  const auto is_used = [&](ObjectId id) { return std::ranges::find(new_shapes, id) != new_shapes.end(); };
  if (objects.empty() || objects == old_shapes) {
    objects.assign(new_shapes.begin(), new_shapes.end());
    std::erase_if(objects, [](ObjectId id) { return id.is_null(); });
    return objects;
  }
  if (old_shapes.size() == new_shapes.size())
    for (std::size_t i = 0; i < new_shapes.size(); ++i)
      if (!is_used(old_shapes[i])) std::ranges::replace(objects, old_shapes[i], new_shapes[i]);
  std::erase_if(objects,
                [&](ObjectId id) { return !is_used(id) && std::ranges::find(old_shapes, id) != old_shapes.end(); });
  for (const ObjectId shape : new_shapes)
    if (!shape.is_null() && std::ranges::find(objects, shape) == objects.end()) objects.push_back(shape);
  return objects;
}

bool same_joint(const Constraint& a, const Constraint& b) {
  return a.joint == b.joint && a.is_stabilized == b.is_stabilized && a.break_threshold == b.break_threshold;
}

// The constraints with the objects that their joints have now.
Result<std::vector<Constraint>> write_joints(const CollisionSystem& system, const CollisionSystem& original,
                                             Packfile& file) {
  MARROW_TRY(const std::vector<ObjectId> motors, write_motors(system, original, file));
  std::vector<Constraint> constraints = system.constraints;
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    const std::uint32_t source = constraints[i].source.value;
    const auto has_source = [&](const Constraint& c) { return c.source.is_set() && c.source.value == source; };
    const auto before = std::ranges::find_if(original.constraints, has_source);
    const bool is_known = before != original.constraints.end();
    bool has_new_motor = false;
    for_each_motor(constraints[i].joint, [&](MotorId id) {
      const auto motor = static_cast<std::size_t>(id);
      has_new_motor |= id != MotorId::None && motors[motor].index != system.motors[motor].source.value;
    });
    if (is_known && !has_new_motor && same_joint(*before, system.constraints[i])) continue;
    // A joint that was copied from another needs an object of its own.
    const bool is_shared = std::ranges::count_if(system.constraints, has_source) > 1;
    auto object = write_joint(constraints[i], is_known && !is_shared ? &*before : nullptr, file, motors);
    if (!object) {
      object.error().path = "constraints[" + std::to_string(i) + "]";
      return std::unexpected(std::move(object.error()));
    }
    constraints[i].source.value = object->index;
  }
  return constraints;
}

}  // namespace

Result<void> write_physics(const CollisionSystem& system, Packfile& file, ObjectId target, Notes* notes) {
  MARROW_CHECK(validate(system));
  MARROW_TRY(const CollisionSystem original, read_physics(file, target));
  if (system.ragdoll.has_value() != original.ragdoll.has_value())
    return fail(ErrorCode::InvalidArgument, "a physics system cannot be written over a ragdoll, nor the other way");
  Packfile edited = file;  // a failure below leaves the caller's file as it was
  const std::vector<bool> was_used = reachable(edited);
  MARROW_TRY(const std::vector<ObjectId> shapes, write_shapes(system, original, edited, notes));
  MARROW_TRY(const std::vector<Constraint> constraints, write_joints(system, original, edited));
  std::vector<ObjectId> body_shapes;
  for (const Body& body : system.bodies)
    body_shapes.push_back(body.shape == ShapeId::None ? ObjectId{} : shapes[static_cast<std::size_t>(body.shape)]);
  Fields fields = edited.at(target).fields();
  fields.set_pointers("referencedObjects", referenced_objects(fields, body_shapes));
  if (system.name != original.name)
    fields.set_text("name", system.name.empty() ? std::nullopt : std::optional(system.name));
  write_records(fields, "materials", system.surfaces);
  write_records(fields, "motionProperties", system.motion_properties);
  write_records(fields, "motionCinfos", system.motions);
  write_records(fields, "bodyCinfos", system.bodies);
  for (std::uint32_t i = 0; i < body_shapes.size(); ++i)
    fields.element("bodyCinfos", i).set_pointer("shape", body_shapes[i]);
  write_records(fields, "constraintCinfos", constraints);
  if (system.ragdoll) write_ragdoll(*system.ragdoll, original.ragdoll, edited, target);
  drop_unreachable(edited, was_used);
  file = std::move(edited);
  return {};
}

Result<Packfile> make_physics(const CollisionSystem& system, Notes* notes) {
  Packfile file = make_packfile(*builtin_schema(kVersion2014), 8);
  file.max_predicate = 21;
  file.predicates.clear();  // unlike animation files
  file.root = file.add(system.ragdoll ? "hknpRagdollData" : "hknpPhysicsSystemData");
  CollisionSystem fresh = system;
  // Handles of another file mean nothing here.
  for (Shape& shape : fresh.shapes) shape.source = {};
  for (Body& body : fresh.bodies) body.source = {};
  for (SurfaceProperties& surface : fresh.surfaces) surface.source = {};
  for (Constraint& constraint : fresh.constraints) constraint.source = {};
  for (Motor& motor : fresh.motors) motor.source = {};
  MARROW_CHECK(write_physics(fresh, file, file.root, notes));
  return file;
}

}  // namespace marrow::havok
