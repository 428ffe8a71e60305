// SPDX-License-Identifier: MIT
#include "havok/physics/ragdoll.h"

#include <doctest/doctest.h>

#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>

#include "havok/physics/physics.h"
#include "havok/physics/repair.h"

using namespace marrow;

namespace {

// A spine along z, and arms whose bones point along their own x. Left and right have other axes.
Skeleton arms() {
  const Quat left = glm::angleAxis(glm::radians(180.0f), Vec3(0, 0, 1));
  const Quat right = glm::angleAxis(glm::radians(90.0f), Vec3(1, 0, 0));
  Skeleton skeleton;
  skeleton.bones = {{"Root", kNoBone, {}, false},
                    {"Spine", 0, {{0, 0, 50}, make_quat(0, 0, 0, 1), Vec3(1)}, false},
                    {"LArm_Clavicle", 1, {{-5, 0, 20}, left, Vec3(1)}, false},
                    {"LArm_Upper", 2, {{10, 0, 0}, make_quat(0, 0, 0, 1), Vec3(1)}, false},
                    {"LArm_Fore", 3, {{25, 0, 0}, make_quat(0, 0, 0, 1), Vec3(1)}, false},
                    {"RArm_Clavicle", 1, {{5, 0, 20}, right, Vec3(1)}, false},
                    {"RArm_Upper", 5, {{10, 0, 0}, make_quat(0, 0, 0, 1), Vec3(1)}, false},
                    {"RArm_Fore", 6, {{25, 0, 0}, make_quat(0, 0, 0, 1), Vec3(1)}, false}};
  return skeleton;
}

std::vector<havok::RagdollBody> table() {
  return {{.bone = "Spine", .shape = havok::RagdollShape::Box, .half_extents = {8, 5, 12}, .mass_kg = 20, .part = 3},
          {.bone = "LArm_Upper",
           .radius = 4,
           .mass_kg = 5,
           .part = 5,
           .limits = havok::SwingLimits{.twist_min = -0.1f, .twist_max = 0.4f, .plane_min = -0.2f, .plane_max = 0.6f}},
          {.bone = "LArm_Fore",
           .shape = havok::RagdollShape::Capsule,
           .radius = 3,
           .to = Vec3(20, 5, 0),
           .mass_kg = 3,
           .part = 6,
           .limits = havok::TurnLimits{.axis = {0, 0, 1}, .min = -0.1f, .max = 2.0f}}};
}

// A point of a body in model space, in game units.
Vec3 in_model(const CollisionSystem& system, std::size_t body, const Vec3& point) {
  return (system.bodies[body].orientation * point + Vec3(system.bodies[body].position)) * system.game_units;
}
Vec3 reflected(const Vec3& v) { return {-v.x, v.y, v.z}; }

}  // namespace

TEST_CASE("a ragdoll has its bodies on the rest pose, joined to the next body above") {
  const auto system = havok::make_ragdoll(arms(), table(), {.mirrored = false});
  REQUIRE(system);
  REQUIRE(system->bodies.size() == 3);
  REQUIRE(system->constraints.size() == 2);
  CHECK(system->bodies[1].filter == 0x508);
  CHECK(system->bodies[1].flags == 0x10080);
  CHECK(mass_of(*system, system->bodies[0]) == doctest::Approx(20.0f));
  CHECK(glm::distance(in_model(*system, 1, {}), Vec3(-15, 0, 70)) < 1e-3f);
  for (const Constraint& constraint : system->constraints) CHECK(constraint.body_b == constraint.body_a - 1);
  // The upper arm is joined across the clavicle, which has no body.
  const auto& shoulder = std::get<RagdollJoint>(system->constraints[0].joint);
  CHECK(glm::distance(in_model(*system, 0, shoulder.frame_b.translation), Vec3(-15, 0, 70)) < 1e-3f);
  CHECK(system->ragdoll->bone_to_body == std::vector<std::int32_t>{0, 1, 2});
  CHECK(system->ragdoll->skeleton.bones[1].parent == 0);
  CHECK(system->ragdoll->skeleton.bones[1].lock_translation);
  CHECK(system->ragdoll->skeleton.bones[1].name.empty());
  CHECK(system->motors.size() == 1);
  // A capsule reaches to the next bone, half a radius short of it.
  const auto& capsule = std::get<CapsuleShape>(system->shapes[1].geometry);
  CHECK(glm::distance(capsule.a * system->game_units, Vec3(23, 0, 0)) < 1e-3f);
  CHECK(glm::distance(capsule.b * system->game_units, Vec3(2, 0, 0)) < 1e-3f);
}

TEST_CASE("the other side is a mirror image, whatever the axes of its bones are") {
  Skeleton skeleton = arms();
  const auto system = havok::make_ragdoll(skeleton, table());
  REQUIRE(system);
  REQUIRE(system->bodies.size() == 5);
  // Breadth first: spine, upper arms, forearms; left before right as in the skeleton.
  CHECK(system->bodies[2].filter == 0xB08);
  CHECK(system->bodies[4].filter == 0xC08);
  const auto& left = std::get<CapsuleShape>(system->shapes[3].geometry);
  const auto& right = std::get<CapsuleShape>(system->shapes[4].geometry);
  CHECK(glm::distance(in_model(*system, 4, right.a), reflected(in_model(*system, 3, left.a))) < 1e-3f);
  CHECK(glm::distance(in_model(*system, 4, right.b), reflected(in_model(*system, 3, left.b))) < 1e-3f);
  const auto& left_elbow = std::get<LimitedHingeJoint>(system->constraints[2].joint);
  const auto& right_elbow = std::get<LimitedHingeJoint>(system->constraints[3].joint);
  CHECK(right_elbow.min_angle == left_elbow.min_angle);
  CHECK(right_elbow.max_angle == left_elbow.max_angle);
  // A turn by the same angle moves the tips of both forearms to mirrored places.
  const auto bent_tip = [&](std::size_t body, const LimitedHingeJoint& joint, const Vec3& tip) {
    const Vec3 axis = joint.frame_a.rotation[0];
    return in_model(*system, body, glm::angleAxis(1.0f, axis) * tip);
  };
  CHECK(glm::distance(bent_tip(4, right_elbow, right.a), reflected(bent_tip(3, left_elbow, left.a))) < 1e-3f);
  // The twist goes the other way in a mirror.
  const auto& left_arm = std::get<RagdollJoint>(system->constraints[0].joint);
  const auto& right_arm = std::get<RagdollJoint>(system->constraints[1].joint);
  CHECK(right_arm.twist_min == -left_arm.twist_max);
  CHECK(right_arm.twist_max == -left_arm.twist_min);
  CHECK(right_arm.plane_min == left_arm.plane_min);
}

TEST_CASE("a ragdoll is written and read back, with nothing to repair") {
  auto system = havok::make_ragdoll(arms(), table(), {.has_bone_names = true});
  REQUIRE(system);
  Notes notes;
  CHECK(havok::repair(*system, notes) == 0);
  const auto file = havok::make_physics(*system);
  REQUIRE(file);
  const auto read = havok::read_physics(*file, file->root);
  REQUIRE(read);
  CHECK(read->constraints == system->constraints);
  CHECK(read->ragdoll == system->ragdoll);
  CHECK(read->bodies == system->bodies);
}

TEST_CASE("tables that make no ragdoll are refused, with the bone") {
  std::vector<havok::RagdollBody> rows = table();
  const auto error_of = [&](const Skeleton& skeleton = arms()) {
    const auto system = havok::make_ragdoll(skeleton, rows);
    REQUIRE_FALSE(system);
    return system.error().path + system.error().message;
  };
  SUBCASE("a bone that is not there") {
    rows[1].bone = "LArm_Uper";
    CHECK(error_of().find("LArm_Upper") != std::string::npos);
  }
  SUBCASE("a bone with two bodies") {
    rows.push_back(rows[1]);
    CHECK(error_of().find("two bodies") != std::string::npos);
  }
  SUBCASE("two roots") {
    rows.erase(rows.begin());
    CHECK(error_of().find("LArm_Upper") != std::string::npos);
  }
  SUBCASE("a mass of nothing") {
    rows[0].mass_kg = 0;
    CHECK_FALSE(error_of().empty());
  }
  SUBCASE("an axis of nothing") {
    rows[2].limits = havok::TurnLimits{.axis = {0, 0, 0}};
    CHECK_FALSE(error_of().empty());
  }
  SUBCASE("no bodies") {
    rows.clear();
    CHECK_FALSE(error_of().empty());
  }
}
