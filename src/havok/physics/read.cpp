// SPDX-License-Identifier: MIT
#include <algorithm>
#include <glm/gtc/quaternion.hpp>

#include "core/try.h"
#include "havok/physics/fields.h"
#include "havok/physics/joints.h"
#include "havok/physics/physics.h"
#include "havok/physics/shapes.h"

namespace marrow::havok {
namespace {

Result<Ragdoll> read_ragdoll(const Packfile& file, const FieldsView& fields) {
  Ragdoll ragdoll;
  const ArrayView map = fields.array("boneToBodyMap");
  const std::span<const std::int32_t> bodies = map.numbers<std::int32_t>();
  ragdoll.bone_to_body.assign(bodies.begin(), bodies.end());
  const Object* skeleton = object_as(file, fields.pointer("skeleton"), "hkaSkeleton");
  if (!skeleton) return ragdoll;
  const FieldsView s = skeleton->fields();
  ragdoll.skeleton.name = s.text("name").value_or("");
  const ArrayView bones = s.array("bones");
  const ArrayView parents_view = s.array("parentIndices"), pose_view = s.array("referencePose");
  const std::span<const std::int16_t> parents = parents_view.numbers<std::int16_t>();
  const std::span<const float> pose = pose_view.numbers<float>();
  for (std::uint32_t i = 0; i < bones.size(); ++i) {
    Bone bone;
    bone.name = bones.record(i).text("name").value_or("");
    bone.lock_translation = bones.record(i).integer("lockTranslation") != 0;
    if (i < parents.size()) bone.parent = parents[i];
    if (12 * (i + 1) <= pose.size()) {
      const std::span<const float> p = pose.subspan(12 * i, 12);
      bone.rest = {{p[0], p[1], p[2]}, make_quat(p[4], p[5], p[6], p[7]), {p[8], p[9], p[10]}};
    }
    ragdoll.skeleton.bones.push_back(std::move(bone));
  }
  return ragdoll;
}

// A tool writes spheres whose centre is only in the position of their body: the vertices, which the file ends in, are
// zero. The body is taken to stand in the space of its node, as that tool means it.
void find_centres(const Packfile& file, CollisionSystem& system, ReadFaults& faults) {
  for (const Body& body : system.bodies) {
    Shape* shape = system.find_shape(body.shape);
    auto* ball = shape ? std::get_if<BallShape>(&shape->geometry) : nullptr;
    if (!ball || ball->center != Vec3(0.0f) || Vec3(body.position) == Vec3(0.0f)) continue;
    if (std::ranges::find(file.cut, ObjectId{shape->source.value}) == file.cut.end()) continue;
    ball->center = glm::inverse(body.orientation) * Vec3(body.position);
    faults.findings.push_back({"E_SPHERE_CENTRE", Level::Error,
                               "the centre of the sphere is only in the position of its body; the game takes it from "
                               "the shape, where it is 0",
                               path_of({shape->source.value}) + ".vertices", automatic_cure()});
    faults.shapes.push_back(body.shape);
  }
}

}  // namespace

std::vector<ObjectId> find_physics(const Packfile& file) { return file.find_all("hknpPhysicsSystemData"); }

Result<CollisionSystem> read_physics(const Packfile& file, ObjectId id, const PhysicsReadOptions& options) {
  ReadFaults faults;
  auto system = read_system(file, id, faults);
  if (options.findings)
    options.findings->insert(options.findings->end(), faults.findings.begin(), faults.findings.end());
  // A face takes about this much when it is listed, exported or compared.
  constexpr std::uint64_t kBytesPerElement = 64;
  if (system && !options.limits.charge(expanded_size(*system), kBytesPerElement))
    return fail(ErrorCode::LimitExceeded, "shapes are used so often that they take more memory than the limit allows",
                kNoOffset, "__data__.objects[" + std::to_string(id.index) + "]");
  return system;
}

Result<CollisionSystem> read_system(const Packfile& file, ObjectId id, ReadFaults& faults) {
  const Object* object = object_as(file, id, "hknpPhysicsSystemData");
  if (!object) return fail(ErrorCode::InvalidArgument, "the object is no physics system");
  const FieldsView fields = object->fields();
  CollisionSystem system;
  system.source.value = id.index;
  system.name = fields.text("name").value_or("");
  // In NIF files the system is the root of its packfile; skeleton.hkx hangs it on a container, and is in game units.
  system.game_units = file.root == id ? kGameUnitsPerHavokUnit : 1.0f;
  system.surfaces = read_records<SurfaceProperties>(fields, "materials");
  system.motion_properties = read_records<MotionProperties>(fields, "motionProperties");
  system.motions = read_records<Motion>(fields, "motionCinfos");
  system.bodies = read_records<Body>(fields, "bodyCinfos");
  system.constraints = read_records<Constraint>(fields, "constraintCinfos");
  ShapeReader shapes(file, system, faults);
  const ArrayView bodies = fields.array("bodyCinfos");
  for (std::uint32_t i = 0; i < bodies.size(); ++i) {
    MARROW_TRY(system.bodies[i].shape, shapes.read(bodies.record(i).pointer("shape")));
  }
  find_centres(file, system, faults);
  for (Constraint& constraint : system.constraints) read_joint(file, constraint, system.motors);
  if (object->type->is_a("hknpRagdollData")) {
    MARROW_TRY(system.ragdoll, read_ragdoll(file, fields));
  }
  MARROW_CHECK(validate(system));
  return system;
}

}  // namespace marrow::havok
