// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>

#include "geometry/hull/hull.h"
#include "havok/physics/measure.h"
#include "havok/physics/physics.h"

using namespace marrow;

namespace {

Frame turned(float x) { return {glm::mat3({0, 1, 0}, {0, 0, 1}, {1, 0, 0}), {x, 2, 3}}; }

// Two boxes with a joint of every kind, and a motor of every kind.
CollisionSystem jointed() {
  CollisionSystem system;
  for (int i = 0; i < 2; ++i) {
    Body body;
    body.shape = system.add_shape(havok::shape_of(*geometry::box_hull({.half_extents = {1, 1, 1}})));
    body.surface = static_cast<std::uint16_t>(i);
    system.surfaces.emplace_back();
    system.bodies.push_back(body);
  }
  const MotorId position = system.add_motor({});
  const MotorId velocity = system.add_motor({.drive = VelocityMotor{-5, 6, 0.5f, 2, true}});
  const MotorId spring = system.add_motor({.drive = SpringDamperMotor{-7, 8, 30, 4}});
  const auto add = [&](Joint joint, std::optional<float> threshold = {}, bool stabilized = true) {
    system.constraints.push_back({.body_a = 1,
                                  .body_b = 0,
                                  .joint = std::move(joint),
                                  .is_stabilized = stabilized,
                                  .break_threshold = threshold});
  };
  add(RagdollJoint{.frame_a = turned(1),
                   .frame_b = turned(2),
                   .max_friction_torque = 3,
                   .twist_min = -0.1f,
                   .twist_max = 0.2f,
                   .cone_max = 0.3f,
                   .plane_min = -0.4f,
                   .plane_max = 0.5f,
                   .motors = {position, velocity, position},
                   .motors_enabled = true,
                   .motor_target = turned(0).rotation});
  add(LimitedHingeJoint{.frame_a = turned(1),
                        .max_friction_torque = 2,
                        .min_angle = -1,
                        .max_angle = 1,
                        .motor = spring,
                        .motor_enabled = true,
                        .target_angle = 0.5f},
      300.0f, false);
  add(HingeJoint{.frame_a = turned(4), .frame_b = turned(5)});
  add(BallJoint{.pivot_a = {1, 2, 3}, .pivot_b = {4, 5, 6}}, 10.0f);
  add(PrismaticJoint{.frame_b = turned(6),
                     .max_friction_force = 7,
                     .min_distance = -2,
                     .max_distance = 3,
                     .motor = velocity,
                     .motor_enabled = true,
                     .target_distance = 1});
  add(FixedJoint{.frame_a = turned(8), .frame_b = turned(9)});
  return system;
}

havok::Packfile joints_file(const CollisionSystem& system) {
  const auto made = havok::make_physics(system);
  REQUIRE(made);
  const auto bytes = havok::write_packfile(*made);
  REQUIRE(bytes);
  auto file = havok::read_packfile(*bytes);
  REQUIRE(file);
  return std::move(*file);
}

// `hkpLinLimitConstraintAtom` gives `TYPE_LIN_LIMIT`.
std::string type_from_class(std::string_view name) {
  name.remove_prefix(3);
  for (const std::string_view ending : {"ConstraintAtom", "Atom"})
    if (name.ends_with(ending)) {
      name.remove_suffix(ending.size());
      break;
    }
  std::string text = "TYPE";
  for (const char c : name) {
    const bool starts = std::isupper(static_cast<unsigned char>(c)) != 0 || text == "TYPE";
    if (starts) text += '_';
    text += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  return text;
}

}  // namespace

TEST_CASE("a joint and a motor of every kind come back from a packfile, and unchanged ones keep their bytes") {
  const CollisionSystem before = jointed();
  havok::Packfile file = joints_file(before);
  const auto after = havok::read_physics(file, file.root);
  REQUIRE(after);
  CHECK(after->constraints == before.constraints);
  CHECK(after->motors == before.motors);
  CHECK(file.find_all("hkpConstraintMotor").size() == 3);
  const havok::Packfile copy = file;
  REQUIRE(havok::write_physics(*after, file, file.root));
  CHECK(file == copy);
  const std::vector<std::string_view> names = {"ragdoll", "limited hinge", "hinge", "ball", "prismatic", "fixed"};
  for (std::size_t i = 0; i < names.size(); ++i) CHECK(type_name(after->constraints[i]) == names[i]);
  CHECK(type_name(after->motors[2]) == "spring-damper");
}

TEST_CASE("every atom of a new joint has the type number of its class") {
  const havok::Packfile file = joints_file(jointed());
  std::size_t atoms = 0;
  for (const havok::ObjectId id : file.find_all("hkpConstraintData")) {
    if (!file.at(id).type->find("atoms")) continue;
    const havok::FieldsView fields = file.at(id).fields().record("atoms");
    for (const havok::Member& member : fields.type().members) {
      const havok::FieldsView atom = fields.record(member);
      CAPTURE(file.at(id).class_name());
      CAPTURE(member.name);
      const havok::Enum& types = *atom.type().find("type")->type.names;
      const auto type =
          std::ranges::find(types.items, atom.integer("type"), &std::pair<std::string, std::int64_t>::second);
      REQUIRE(type != types.items.end());
      CHECK(type->first == type_from_class(atom.type().name));
      ++atoms;
    }
  }
  CHECK(atoms == 8 + 7 + 4 + 3 + 7 + 4);
}

TEST_CASE("an edit of a joint changes that joint, and an edit of a motor all joints that share it") {
  havok::Packfile file = joints_file(jointed());
  const std::size_t objects = file.objects.size();
  CollisionSystem system = *havok::read_physics(file, file.root);
  std::get<LimitedHingeJoint>(system.constraints[1].joint).max_angle = 2;
  std::get<PositionMotor>(system.motors[0].drive).max_force = 50;
  system.constraints[3].break_threshold.reset();
  REQUIRE(havok::write_physics(system, file, file.root));
  CHECK(file.objects.size() == objects - 1);
  const auto after = havok::read_physics(file, file.root);
  REQUIRE(after);
  CHECK(after->constraints == system.constraints);
  CHECK(after->motors == system.motors);
}

TEST_CASE("joints and motors can be copied, exchanged for other kinds and taken away") {
  havok::Packfile file = joints_file(jointed());
  CollisionSystem system = *havok::read_physics(file, file.root);
  system.constraints.push_back(system.constraints[1]);
  std::get<LimitedHingeJoint>(system.constraints.back().joint).min_angle = -2;
  system.motors.push_back(system.motors[0]);
  std::get<PositionMotor>(system.motors.back().drive).tau = 0.1f;
  std::get<LimitedHingeJoint>(system.constraints.back().joint).motor = MotorId{3};
  system.constraints[2].joint = FixedJoint{};
  system.motors[1].drive = SpringDamperMotor{};
  system.constraints.erase(system.constraints.begin());
  REQUIRE(havok::write_physics(system, file, file.root));
  CHECK(file.find_all("hkpHingeConstraintData").empty());
  CHECK(file.find_all("hkpRagdollConstraintData").empty());
  CHECK(file.find_all("hkpVelocityConstraintMotor").empty());
  const auto after = havok::read_physics(file, file.root);
  REQUIRE(after);
  REQUIRE(after->constraints.size() == system.constraints.size());
  CHECK(std::get<LimitedHingeJoint>(after->constraints[0].joint).min_angle == -1);
  const auto& copied = std::get<LimitedHingeJoint>(after->constraints.back().joint);
  CHECK(copied.min_angle == -2);
  const Motor& motor = after->motors[static_cast<std::size_t>(copied.motor)];
  CHECK(std::get<PositionMotor>(motor.drive).tau == 0.1f);
  CHECK(after->constraints[1].joint == Joint(FixedJoint{}));
}

TEST_CASE("motors that are not there and joints of unknown classes are refused") {
  CollisionSystem system = jointed();
  SUBCASE("a motor out of range") { std::get<LimitedHingeJoint>(system.constraints[1].joint).motor = MotorId{9}; }
  SUBCASE("an unknown motor") { system.motors[0].drive = UnknownMotor{"hkpMagicMotor"}; }
  SUBCASE("an unknown joint") { system.constraints[0].joint = UnknownJoint{"hkpMagicConstraintData"}; }
  CHECK_FALSE(havok::make_physics(system));
}
