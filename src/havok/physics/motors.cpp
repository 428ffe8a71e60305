// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include "havok/physics/fields.h"
#include "havok/physics/joints.h"

namespace marrow::havok {
namespace {

template <class V>
void describe(V&& v, PositionMotor& m) {
  v("minForce", m.min_force);
  v("maxForce", m.max_force);
  v("tau", m.tau);
  v("damping", m.damping);
  v("proportionalRecoveryVelocity", m.proportional_recovery_velocity);
  v("constantRecoveryVelocity", m.constant_recovery_velocity);
}

template <class V>
void describe(V&& v, VelocityMotor& m) {
  v("minForce", m.min_force);
  v("maxForce", m.max_force);
  v("tau", m.tau);
  v("velocityTarget", m.velocity_target);
  v("useVelocityTargetFromConstraintTargets", m.uses_constraint_targets);
}

template <class V>
void describe(V&& v, SpringDamperMotor& m) {
  v("minForce", m.min_force);
  v("maxForce", m.max_force);
  v("springConstant", m.spring_constant);
  v("springDamping", m.spring_damping);
}

template <class V>
void describe(V&&, UnknownMotor&) {}

// By the order of `Motor::drive`. The type is the number that the engine goes by.
struct MotorClass {
  std::string_view name;
  std::int64_t type;
};
constexpr std::array<MotorClass, 3> kMotorClasses = {
    {{"hkpPositionConstraintMotor", 1}, {"hkpVelocityConstraintMotor", 2}, {"hkpSpringDamperConstraintMotor", 3}}};

}  // namespace

Motor read_motor(const Packfile& file, ObjectId id) {
  Motor motor;
  motor.source.value = id.index;
  motor.drive = UnknownMotor{std::string(file.at(id).class_name())};
  const auto read_as = [&](auto drive, std::size_t kind) {
    const Object* object = object_as(file, id, kMotorClasses[kind].name);
    if (!object) return;
    describe(FieldReader{object->fields()}, drive);
    motor.drive = drive;
  };
  read_as(PositionMotor{}, 0);
  read_as(VelocityMotor{}, 1);
  read_as(SpringDamperMotor{}, 2);
  return motor;
}

Result<std::vector<ObjectId>> write_motors(const CollisionSystem& system, const CollisionSystem& original,
                                           Packfile& file) {
  std::vector<ObjectId> objects;
  for (std::size_t i = 0; i < system.motors.size(); ++i) {
    const Motor& motor = system.motors[i];
    const auto has_source = [&](const Motor& m) { return m.source.is_set() && m.source.value == motor.source.value; };
    const auto before = std::ranges::find_if(original.motors, has_source);
    const bool is_known = before != original.motors.end();
    if (is_known && *before == motor) {
      objects.push_back({motor.source.value});
      continue;
    }
    const std::size_t kind = motor.drive.index();
    if (kind >= kMotorClasses.size())
      return fail(ErrorCode::Unrepresentable, "a motor of an unknown class cannot be made", kNoOffset,
                  "motors[" + std::to_string(i) + "]");
    // A motor that was copied from another needs an object of its own.
    const bool is_shared = std::ranges::count_if(system.motors, has_source) > 1;
    const bool same_kind = is_known && !is_shared && before->drive.index() == kind;
    objects.push_back(same_kind ? ObjectId{motor.source.value} : file.add(kMotorClasses[kind].name));
    Fields fields = file.at(objects.back()).fields();
    fields.set_integer("type", kMotorClasses[kind].type);
    std::visit([&](auto drive) { describe(FieldWriter{fields}, drive); }, motor.drive);
  }
  return objects;
}

}  // namespace marrow::havok
