// SPDX-License-Identifier: MIT
#include <array>

#include "havok/physics_fields.h"
#include "havok/physics_shapes.h"

namespace marrow::havok {
namespace {

// One number of a joint: which atom, which member, which field of the model.
template <class Joint>
struct JointField {
  std::string_view atom, member;
  float Joint::* field;
};

constexpr std::array kRagdollFields = {
    JointField<RagdollJoint>{"angFriction", "maxFrictionTorque", &RagdollJoint::max_friction_torque},
    JointField<RagdollJoint>{"twistLimit", "minAngle", &RagdollJoint::twist_min},
    JointField<RagdollJoint>{"twistLimit", "maxAngle", &RagdollJoint::twist_max},
    JointField<RagdollJoint>{"coneLimit", "maxAngle", &RagdollJoint::cone_max},
    JointField<RagdollJoint>{"planesLimit", "minAngle", &RagdollJoint::plane_min},
    JointField<RagdollJoint>{"planesLimit", "maxAngle", &RagdollJoint::plane_max},
};
constexpr std::array kHingeFields = {
    JointField<HingeJoint>{"angFriction", "maxFrictionTorque", &HingeJoint::max_friction_torque},
    JointField<HingeJoint>{"angLimit", "minAngle", &HingeJoint::min_angle},
    JointField<HingeJoint>{"angLimit", "maxAngle", &HingeJoint::max_angle},
};

// What the game's own joints hold besides: atom, member, value. Every atom also names its type.
struct JointDefault {
  std::string_view atom, member;
  double value;
};
// Havok's largest number is a little below that of floats, so that sums of a few stay finite.
constexpr double kUnlimited = 3.40282e+38;
constexpr double kAnyAngle = 1.8446726e+19;

constexpr JointDefault kSharedDefaults[] = {
    {"transforms", "type", 2},
    {"setupStabilization", "type", 23},
    {"setupStabilization", "enabled", 1},
    {"setupStabilization", "maxLinImpulse", kUnlimited},
    {"setupStabilization", "maxAngImpulse", kUnlimited},
    {"setupStabilization", "maxAngle", kAnyAngle},
    {"angFriction", "type", 17},
    {"angFriction", "isEnabled", 1},
    {"ballSocket", "type", 5},
    {"ballSocket", "breachImpulse", kUnlimited},
};
constexpr JointDefault kRagdollDefaults[] = {
    {"ragdollMotors", "type", 19},
    {"angFriction", "numFrictionAxes", 3},
    {"twistLimit", "type", 15},
    {"twistLimit", "isEnabled", 1},
    {"twistLimit", "refAxis", 1},
    {"twistLimit", "angularLimitsTauFactor", 0.8},
    {"coneLimit", "type", 16},
    {"coneLimit", "isEnabled", 1},
    {"coneLimit", "memOffsetToAngleOffset", 56},
    {"coneLimit", "minAngle", -100},
    {"coneLimit", "angularLimitsTauFactor", 0.8},
    {"planesLimit", "type", 16},
    {"planesLimit", "isEnabled", 1},
    {"planesLimit", "refAxisInB", 1},
    {"planesLimit", "angleMeasurementMode", 1},
    {"planesLimit", "angularLimitsTauFactor", 0.8},
};
constexpr JointDefault kHingeDefaults[] = {
    {"angMotor", "type", 18},     {"angFriction", "numFrictionAxes", 1},     {"angLimit", "type", 14},
    {"angLimit", "isEnabled", 1}, {"angLimit", "angularLimitsTauFactor", 1}, {"2dAng", "type", 12},
};

void put_defaults(Fields atoms, std::span<const JointDefault> defaults) {
  for (const JointDefault& d : defaults) atoms.record(d.atom).set_real(d.member, d.value);
}

template <class Joint, class Table>
Joint read_fields(const FieldsView& atoms, const Table& table) {
  Joint joint;
  joint.frame_a = frame_of(atoms.record("transforms").floats("transformA"));
  joint.frame_b = frame_of(atoms.record("transforms").floats("transformB"));
  for (const auto& f : table) joint.*f.field = static_cast<float>(atoms.record(f.atom).real(f.member));
  return joint;
}

template <class Joint, class Table>
void write_fields(const Joint& joint, Fields atoms, const Table& table) {
  Fields transforms = atoms.record("transforms");
  const auto put = [&](std::string_view name, const Frame& frame) {
    std::vector<float> floats = transforms.view().floats(name);
    put_frame(frame, floats);
    transforms.set_floats(name, floats);
  };
  put("transformA", joint.frame_a);
  put("transformB", joint.frame_b);
  for (const auto& f : table) atoms.record(f.atom).set_real(f.member, static_cast<double>(joint.*f.field));
}

ObjectId make_joint(const Constraint& constraint, Packfile& file) {
  const bool is_hinge = std::holds_alternative<HingeJoint>(constraint.joint);
  const ObjectId id = file.add(is_hinge ? "hkpLimitedHingeConstraintData" : "hkpRagdollConstraintData");
  Fields atoms = file.at(id).fields().record("atoms");
  put_defaults(atoms, kSharedDefaults);
  put_defaults(atoms, is_hinge ? std::span<const JointDefault>(kHingeDefaults)
                               : std::span<const JointDefault>(kRagdollDefaults));
  atoms.record("ballSocket").record("velocityStabilizationFactor").set_integer("value", 48);
  return id;
}

// The object behind a wrapper that lets a joint break.
ObjectId unwrapped(const Packfile& file, ObjectId id) {
  const Object* wrapper = object_as(file, id, "hknpBreakableConstraintData");
  return wrapper ? wrapper->fields().pointer("constraintData") : id;
}

}  // namespace

void read_joint(const Packfile& file, Constraint& constraint) {
  const ObjectId outer{constraint.source.value};
  if (const Object* wrapper = object_as(file, outer, "hknpBreakableConstraintData"))
    constraint.break_threshold = static_cast<float>(wrapper->fields().real("threshold"));
  const ObjectId inner = unwrapped(file, outer);
  if (const Object* ragdoll = object_as(file, inner, "hkpRagdollConstraintData"))
    constraint.joint = read_fields<RagdollJoint>(ragdoll->fields().record("atoms"), kRagdollFields);
  else if (const Object* hinge = object_as(file, inner, "hkpLimitedHingeConstraintData"))
    constraint.joint = read_fields<HingeJoint>(hinge->fields().record("atoms"), kHingeFields);
  else if (!inner.is_null() && inner.index < file.objects.size())
    constraint.joint = UnknownJoint{std::string(file.at(inner).class_name())};
}

void write_joint(const Constraint& constraint, const Constraint* original, Packfile& file, ObjectId& object) {
  object = {constraint.source.value};
  if (original && original->joint == constraint.joint && original->break_threshold == constraint.break_threshold)
    return;
  ObjectId inner = unwrapped(file, object);
  const bool same_kind = original && original->joint.index() == constraint.joint.index();
  if (!same_kind && !std::holds_alternative<UnknownJoint>(constraint.joint)) inner = make_joint(constraint, file);
  if (const auto* ragdoll = std::get_if<RagdollJoint>(&constraint.joint))
    write_fields(*ragdoll, file.at(inner).fields().record("atoms"), kRagdollFields);
  if (const auto* hinge = std::get_if<HingeJoint>(&constraint.joint))
    write_fields(*hinge, file.at(inner).fields().record("atoms"), kHingeFields);
  if (!constraint.break_threshold) {
    object = inner;
    return;
  }
  if (!object_as(file, object, "hknpBreakableConstraintData")) object = file.add("hknpBreakableConstraintData");
  file.at(object).fields().set_pointer("constraintData", inner);
  file.at(object).fields().set_real("threshold", static_cast<double>(*constraint.break_threshold));
}

}  // namespace marrow::havok
