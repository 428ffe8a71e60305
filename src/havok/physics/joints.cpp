// SPDX-License-Identifier: MIT
#include "havok/physics/joints.h"

#include <algorithm>
#include <array>

#include "core/try.h"
#include "havok/physics/fields.h"

namespace marrow::havok {
namespace {

// Which member of which atom is which field of the model: one table per joint, for both directions.

template <class V>
void describe(V& v, RagdollJoint& j) {
  v.frames(j.frame_a, j.frame_b);
  v.number("angFriction", "maxFrictionTorque", j.max_friction_torque);
  v.number("twistLimit", "minAngle", j.twist_min);
  v.number("twistLimit", "maxAngle", j.twist_max);
  v.number("coneLimit", "maxAngle", j.cone_max);
  v.number("planesLimit", "minAngle", j.plane_min);
  v.number("planesLimit", "maxAngle", j.plane_max);
  for (std::uint32_t i = 0; i < 3; ++i) v.motor("ragdollMotors", "motors", j.motors[i], i);
  v.flag("ragdollMotors", "isEnabled", j.motors_enabled);
  v.matrix("ragdollMotors", "target_bRca", j.motor_target);
}

template <class V>
void describe(V& v, LimitedHingeJoint& j) {
  v.frames(j.frame_a, j.frame_b);
  v.number("angFriction", "maxFrictionTorque", j.max_friction_torque);
  v.number("angLimit", "minAngle", j.min_angle);
  v.number("angLimit", "maxAngle", j.max_angle);
  v.motor("angMotor", "motor", j.motor, 0);
  v.flag("angMotor", "isEnabled", j.motor_enabled);
  v.number("angMotor", "targetAngle", j.target_angle);
}

template <class V>
void describe(V& v, HingeJoint& j) {
  v.frames(j.frame_a, j.frame_b);
}

template <class V>
void describe(V& v, BallJoint& j) {
  v.pivot("translationA", j.pivot_a);
  v.pivot("translationB", j.pivot_b);
}

template <class V>
void describe(V& v, PrismaticJoint& j) {
  v.frames(j.frame_a, j.frame_b);
  v.number("friction", "maxFrictionForce", j.max_friction_force);
  v.number("linLimit", "min", j.min_distance);
  v.number("linLimit", "max", j.max_distance);
  v.motor("motor", "motor", j.motor, 0);
  v.flag("motor", "isEnabled", j.motor_enabled);
  v.number("motor", "targetPosition", j.target_distance);
}

template <class V>
void describe(V& v, FixedJoint& j) {
  v.frames(j.frame_a, j.frame_b);
}

template <class V>
void describe(V&, UnknownJoint&) {}
template <class V>
void describe(V&, SpringJoint&) {}
template <class V>
void describe(V&, ChainJoint&) {}

// What a new joint holds besides: atom, member, value.
struct JointDefault {
  std::string_view atom, member;
  double value;
};
// Havok's largest number is a little below that of floats, so that sums of a few stay finite.
constexpr double kUnlimited = 3.40282e+38;
constexpr double kAnyAngle = 1.8446726e+19;

// Atoms that several joints have.
constexpr JointDefault kSharedDefaults[] = {
    {"transforms", "type", 2},
    {"pivots", "type", 3},
    {"setupStabilization", "type", 23},
    {"setupStabilization", "maxLinImpulse", kUnlimited},
    {"setupStabilization", "maxAngImpulse", kUnlimited},
    {"setupStabilization", "maxAngle", kAnyAngle},
    {"angFriction", "type", 17},
    {"angFriction", "isEnabled", 1},
    {"2dAng", "type", 12},
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
constexpr JointDefault kLimitedHingeDefaults[] = {
    {"angMotor", "type", 18},     {"angFriction", "numFrictionAxes", 1},     {"angLimit", "type", 14},
    {"angLimit", "isEnabled", 1}, {"angLimit", "angularLimitsTauFactor", 1},
};
constexpr JointDefault kPrismaticDefaults[] = {
    {"motor", "type", 11},
    {"friction", "type", 10},
    {"friction", "isEnabled", 1},
    {"ang", "type", 13},
    {"ang", "numConstrainedAxes", 3},
    {"lin0", "type", 7},
    {"lin0", "axisIndex", 1},
    {"lin1", "type", 7},
    {"lin1", "axisIndex", 2},
    {"linLimit", "type", 9},
};
constexpr JointDefault kFixedDefaults[] = {{"ang", "type", 24}};

// By the order of `Joint`.
struct JointClass {
  std::string_view name;
  std::span<const JointDefault> defaults;
};
constexpr std::array<JointClass, 6> kJointClasses = {{{"hkpRagdollConstraintData", kRagdollDefaults},
                                                      {"hkpLimitedHingeConstraintData", kLimitedHingeDefaults},
                                                      {"hkpHingeConstraintData", {}},
                                                      {"hkpBallAndSocketConstraintData", {}},
                                                      {"hkpPrismaticConstraintData", kPrismaticDefaults},
                                                      {"hkpFixedConstraintData", kFixedDefaults}}};
// Behind the joints of Fallout 4 come the unknown one and those that only Skyrim has.
static_assert(std::is_same_v<std::variant_alternative_t<kJointClasses.size(), Joint>, UnknownJoint>);

/// Reads what a table names.
struct JointReader {
  const Packfile& file;
  FieldsView atoms;
  std::vector<Motor>& motors;

  void frames(Frame& a, Frame& b) const {
    a = frame_of(floats_of(atoms.record("transforms"), "transformA", 16));
    b = frame_of(floats_of(atoms.record("transforms"), "transformB", 16));
  }
  void pivot(std::string_view member, Vec3& value) const {
    const std::vector<float> floats = floats_of(atoms.record("pivots"), member, 3);
    value = {floats[0], floats[1], floats[2]};
  }
  void number(std::string_view atom, std::string_view member, float& value) const {
    value = static_cast<float>(atoms.record(atom).real(member));
  }
  void flag(std::string_view atom, std::string_view member, bool& value) const {
    value = atoms.record(atom).integer(member) != 0;
  }
  void matrix(std::string_view atom, std::string_view member, glm::mat3& value) const {
    const std::vector<float> floats = floats_of(atoms.record(atom), member, 12);
    for (int column = 0; column < 3; ++column)
      for (int row = 0; row < 3; ++row) value[column][row] = floats[static_cast<std::size_t>(4 * column + row)];
  }
  void motor(std::string_view atom, std::string_view member, MotorId& value, std::uint32_t at) const {
    const ObjectId id = atoms.record(atom).pointer(member, at);
    if (id.is_null() || id.index >= file.objects.size()) return;
    const auto known = std::ranges::find_if(motors, [&](const Motor& m) { return m.source.value == id.index; });
    value = static_cast<MotorId>(known - motors.begin());
    if (known == motors.end()) motors.push_back(read_motor(file, id));
  }
};

/// Writes what a table names.
struct JointWriter {
  Fields atoms;
  std::span<const ObjectId> motors;

  void frames(const Frame& a, const Frame& b) {
    put("transformA", a);
    put("transformB", b);
  }
  // A frame that has not changed keeps its fourth lanes. In a new one they are what Havok's cross product leaves there.
  void put(std::string_view member, const Frame& frame) {
    Fields transforms = atoms.record("transforms");
    std::vector<float> floats = transforms.view().floats(member);
    if (frame_of(floats) == frame) return;
    put_frame(frame, floats);
    floats[3] = frame.rotation[2][1];
    floats[7] = frame.rotation[2][0];
    floats[11] = floats[15] = 0.0f;
    transforms.set_floats(member, floats);
  }
  void pivot(std::string_view member, const Vec3& value) {
    atoms.record("pivots").set_floats(member, std::array{value.x, value.y, value.z, 0.0f});
  }
  void number(std::string_view atom, std::string_view member, float value) {
    atoms.record(atom).set_real(member, static_cast<double>(value));
  }
  void flag(std::string_view atom, std::string_view member, bool value) {
    atoms.record(atom).set_integer(member, value);
  }
  void matrix(std::string_view atom, std::string_view member, const glm::mat3& value) {
    std::vector<float> floats = atoms.record(atom).view().floats(member);
    for (int column = 0; column < 3; ++column)
      for (int row = 0; row < 3; ++row) floats[static_cast<std::size_t>(4 * column + row)] = value[column][row];
    atoms.record(atom).set_floats(member, floats);
  }
  void motor(std::string_view atom, std::string_view member, MotorId value, std::uint32_t at) {
    const ObjectId object = value == MotorId::None ? ObjectId{} : motors[static_cast<std::size_t>(value)];
    atoms.record(atom).set_pointer(member, object, at);
  }
};

void put_defaults(Fields atoms, std::span<const JointDefault> defaults) {
  for (const JointDefault& d : defaults)
    if (atoms.view().has(d.atom)) atoms.record(d.atom).set_real(d.member, d.value);
}

ObjectId make_joint(std::size_t kind, Packfile& file) {
  const ObjectId id = file.add(kJointClasses[kind].name);
  Fields atoms = file.at(id).fields().record("atoms");
  put_defaults(atoms, kSharedDefaults);
  put_defaults(atoms, kJointClasses[kind].defaults);
  if (atoms.view().has("ballSocket"))
    atoms.record("ballSocket").record("velocityStabilizationFactor").set_integer("value", 48);
  return id;
}

bool is_stabilized(const FieldsView& atoms) {
  return !atoms.has("ballSocket") || atoms.record("ballSocket").integer("solvingMethod") == 0;
}

void set_stabilized(Fields atoms, bool value) {
  if (atoms.view().has("ballSocket")) atoms.record("ballSocket").set_integer("solvingMethod", value ? 0 : 1);
  if (atoms.view().has("setupStabilization")) atoms.record("setupStabilization").set_integer("enabled", value);
}

// The object behind a wrapper that lets a joint break.
ObjectId unwrapped(const Packfile& file, ObjectId id) {
  const Object* wrapper = object_as(file, id, "hknpBreakableConstraintData");
  return wrapper ? wrapper->fields().pointer("constraintData") : id;
}

}  // namespace

void read_joint(const Packfile& file, Constraint& constraint, std::vector<Motor>& motors) {
  const ObjectId outer{constraint.source.value};
  if (const Object* wrapper = object_as(file, outer, "hknpBreakableConstraintData"))
    constraint.break_threshold = static_cast<float>(wrapper->fields().real("threshold"));
  const ObjectId inner = unwrapped(file, outer);
  if (inner.is_null() || inner.index >= file.objects.size()) return;
  constraint.joint = UnknownJoint{std::string(file.at(inner).class_name())};
  const auto read_as = [&](auto joint, std::size_t kind) {
    const Object* object = object_as(file, inner, kJointClasses[kind].name);
    if (!object) return;
    JointReader reader{file, object->fields().record("atoms"), motors};
    describe(reader, joint);
    constraint.joint = joint;
    constraint.is_stabilized = is_stabilized(reader.atoms);
  };
  read_as(RagdollJoint{}, 0);
  read_as(LimitedHingeJoint{}, 1);
  read_as(HingeJoint{}, 2);
  read_as(BallJoint{}, 3);
  read_as(PrismaticJoint{}, 4);
  read_as(FixedJoint{}, 5);
}

Result<ObjectId> write_joint(const Constraint& constraint, const Constraint* original, Packfile& file,
                             std::span<const ObjectId> motors) {
  const std::size_t kind = constraint.joint.index();
  const bool is_known = kind < kJointClasses.size();
  if (constraint.joint == Joint(UnknownJoint{})) return ObjectId{};  // a constraint that never had a joint
  if (!is_known && (!original || original->joint != constraint.joint))
    return fail(ErrorCode::Unrepresentable,
                "a joint of type '" + std::string(type_name(constraint)) + "' cannot be made in a packfile");
  ObjectId object = original ? ObjectId{constraint.source.value} : ObjectId{};
  ObjectId inner = unwrapped(file, object);
  const bool same_kind = original && original->joint.index() == kind;
  if (!same_kind) inner = make_joint(kind, file);
  if (is_known) {
    JointWriter writer{file.at(inner).fields().record("atoms"), motors};
    std::visit([&](auto joint) { describe(writer, joint); }, constraint.joint);
    if (!same_kind || original->is_stabilized != constraint.is_stabilized)
      set_stabilized(writer.atoms, constraint.is_stabilized);
  }
  if (!constraint.break_threshold) return inner;
  if (!object_as(file, object, "hknpBreakableConstraintData")) object = file.add("hknpBreakableConstraintData");
  file.at(object).fields().set_pointer("constraintData", inner);
  file.at(object).fields().set_real("threshold", static_cast<double>(*constraint.break_threshold));
  return object;
}

}  // namespace marrow::havok
