// SPDX-License-Identifier: MIT
// Ragdolls from a table, on the nodes of a NIF, and changes to their joints and bones.
#include "ops/collision/ragdoll.h"

#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>

#include <algorithm>
#include <cstring>

#include "core/byte_writer.h"
#include "nif/node.h"
#include "ops/collision/check.h"
#include "ops/collision/joints.h"
#include "support/corpus.h"
#include "support/documents.h"
#include "support/nif_sample.h"
#include "support/operation_bench.h"

using namespace marrow;

namespace {

constexpr std::string_view kBodies =
    "bone, shape, radius, half_extents, mass, part, joint, twist, cone, plane, angle, axis, distance, friction\n"
    "Spine, box, , 8 5 12, 20, 3\n"
    "LArm_Upper, capsule, 4, , 5, 5, ragdoll, -10 30, 40, -20 25\n"
    "LArm_Fore, capsule, 3, , 3, 6, limited-hinge, , , , -5 120, 0 0 1, , 2\n";

// A NIF with a spine at z 50 and two arms; the left one is turned by half a circle.
NifFile arms_nif() {
  NifFile file;
  file.export_info = {std::string("someone\0", 8), std::string("\0", 1), std::string("\0", 1), std::string("\0", 1)};
  const auto node = [&](const char* name, Vec3 at, std::vector<std::int32_t> children) {
    return add_block(file, "NiNode", test::node_bytes(add_string(file, name), at, kNoBlock, children));
  };
  node("Root", {0, 0, 0}, {1});
  node("Spine", {0, 0, 50}, {2, 4});
  node("LArm_Upper", {-15, 0, 20}, {3});
  node("LArm_Fore", {25, 0, 0}, {});
  node("RArm_Upper", {15, 0, 20}, {5});
  node("RArm_Fore", {25, 0, 0}, {});
  // Rotation follows name, extra data, controller, flags and translation: diag(-1, -1, 1).
  for (const std::size_t entry : {std::size_t{0}, std::size_t{4}}) {
    const float turned = -1.0f;
    std::memcpy(file.blocks[2].bytes.data() + 28 + 4 * entry, &turned, 4);
  }
  file.roots = {0};
  return file;
}

struct Doll : test::OperationBench {
  Doll(std::string_view table = kBodies) {
    files["bare.nif"] = write_nif(arms_nif());
    files["table.csv"] = {as_bytes(table).begin(), as_bytes(table).end()};
    REQUIRE_MESSAGE(run("collision ragdoll", "{}", {{"skeleton", "bare.nif"}, {"table", "table.csv"}}, "doll.hkx"),
                    error);
    REQUIRE_MESSAGE(run("collision attach", "{}", {{"nif", "bare.nif"}, {"blob", "doll.hkx"}}, "doll.nif"), error);
  }

  const CollisionSystem& system(const std::string& file) {
    loaded = load_collision(file);
    return loaded.collision.at(0).system;
  }
  Document loaded = {};
};

}  // namespace

TEST_CASE("a ragdoll goes on the nodes of its bones, without names, and has no findings") {
  Doll doll;
  const CollisionSystem& system = doll.system("doll.nif");
  REQUIRE(system.bodies.size() == 5);
  for (const Bone& bone : system.ragdoll->skeleton.bones) CHECK(bone.name.empty());
  const std::vector<BodyNode>& nodes = doll.loaded.collision.at(0).nodes;
  REQUIRE(nodes.size() == 5);
  for (const BodyNode& node : nodes) {
    CAPTURE(node.name);
    const Vec3 at = Vec3(system.bodies[node.body].position) * system.game_units;
    CHECK(glm::distance(at, node.world.translation) < 1e-3f);
    CHECK(angle_degrees(system.bodies[node.body].orientation, node.world.rotation) < 0.01f);
  }
  CHECK(doll.findings_in("doll.nif").empty());
  REQUIRE_MESSAGE(doll.run("collision export", R"({"format":"obj"})", {{"file", "doll.nif"}}, "doll.obj"), doll.error);
  const std::string_view shown = as_text(doll.files["doll.obj"]);
  for (const char* joint : {"marrow_joint0.0.ragdoll", "marrow_joint0.3.limited_hinge"})
    CHECK(shown.find(joint) != std::string_view::npos);
}

TEST_CASE("the right side of a ragdoll in a NIF is the left one in a mirror, cones and axes too") {
  Doll doll;
  doll.system("doll.nif");
  const DocumentCollision& collision = doll.loaded.collision.at(0);
  const auto body_on = [&](std::string_view node) {
    return std::ranges::find(collision.nodes, node, &BodyNode::name)->body;
  };
  const auto mirrored = [](Vec3 v) { return Vec3(-v.x, v.y, v.z); };
  for (const auto& [left, right] : {std::pair{"LArm_Upper", "RArm_Upper"}, {"LArm_Fore", "RArm_Fore"}}) {
    const auto joint_of = [&](std::string_view node) {
      return *std::ranges::find(collision.system.constraints, body_on(node), &Constraint::body_a);
    };
    const Constraint l = joint_of(left), r = joint_of(right);
    const auto axis = [&](const Constraint& each) {
      return pose_of(collision, each.body_a).rotation * frames_of(each.joint)->a.rotation[0];
    };
    const auto pivot = [&](const Constraint& each) {
      const Transform parent = pose_of(collision, each.body_b);
      return parent.translation +
             parent.rotation * (frames_of(each.joint)->b.translation * collision.system.game_units);
    };
    CHECK(glm::distance(pivot(l), mirrored(pivot(r))) < 1e-3f);
    // The cone opens along the mirrored bone; a hinge turns the other way about the mirrored axis.
    const float sense = std::holds_alternative<RagdollJoint>(l.joint) ? 1.0f : -1.0f;
    CHECK(glm::distance(sense * axis(r), mirrored(axis(l))) < 1e-3f);
  }
}

TEST_CASE("a table takes every kind of joint, and a NIF keeps them") {
  constexpr std::string_view kKinds =
      "bone, joint, angle, axis, distance, mass\n"
      "Spine\n"
      "LArm_Upper, ball\n"
      "LArm_Fore, prismatic, , 0 1 0, -2 3\n"
      "RArm_Upper, hinge, , 0 0 1\n"
      "RArm_Fore, fixed\n";
  Doll doll(kKinds);
  REQUIRE(doll.run("collision joints", "{}", {{"file", "doll.nif"}}));
  std::vector<std::string> types;
  for (const Json& joint : doll.report["joints"].items()) types.emplace_back(joint["type"].text());
  CHECK(types == std::vector<std::string>{"ball", "hinge", "prismatic", "fixed"});
  const Json& slide = doll.report["joints"].items()[2];
  CHECK(slide["distance"].items().at(0).number() == doctest::Approx(-2));
  CHECK(slide["distance"].items().at(1).number() == doctest::Approx(3));
  CHECK(slide["axis"].items().at(1).number() == doctest::Approx(1));
  CHECK(doll.findings_in("doll.nif").empty());
  CHECK(read_ragdoll_table("bone,joint,cone\nA,ball,3\n").error().path.find("cone") != std::string::npos);
  CHECK_FALSE(read_ragdoll_table("bone,joint,distance\nA,prismatic,3 -3\n"));
  CHECK_FALSE(read_ragdoll_table("bone,joint,friction\nA,fixed,3\n"));
}

TEST_CASE("a slide is mirrored along its axis") {
  Doll doll("bone, joint, axis, distance\nSpine\nLArm_Upper, prismatic, 1 0 0, 0 5\n");
  const CollisionSystem& system = doll.system("doll.nif");
  REQUIRE(system.constraints.size() == 2);
  const auto direction = [&](const Constraint& each) {
    return system.bodies[each.body_a].orientation * std::get<PrismaticJoint>(each.joint).frame_a.rotation[0];
  };
  const Vec3 left = direction(system.constraints[0]), right = direction(system.constraints[1]);
  CHECK(glm::distance(right, Vec3(-left.x, left.y, left.z)) < 1e-3f);
}

TEST_CASE("another ragdoll takes the place of the one that a NIF has") {
  Doll doll;
  constexpr std::string_view kSmall = "bone,shape\nSpine,sphere\nRArm_Upper,capsule\n";
  doll.files["small.csv"] = {as_bytes(kSmall).begin(), as_bytes(kSmall).end()};
  REQUIRE(doll.run("collision ragdoll", R"({"one_sided":true})", {{"skeleton", "bare.nif"}, {"table", "small.csv"}},
                   "small.hkx"));
  REQUIRE_MESSAGE(doll.run("collision replace", "{}", {{"nif", "doll.nif"}, {"blob", "small.hkx"}}, "small.nif"),
                  doll.error);
  const CollisionSystem& system = doll.system("small.nif");
  CHECK(doll.loaded.collision.size() == 1);
  CHECK(system.bodies.size() == 2);
  std::vector<std::string> names;
  for (const BodyNode& node : doll.loaded.collision[0].nodes) names.push_back(node.name);
  CHECK(names == std::vector<std::string>{"Spine", "RArm_Upper"});
  CHECK(doll.findings_in("small.nif").empty());
  // And back again.
  REQUIRE_MESSAGE(doll.run("collision replace", "{}", {{"nif", "small.nif"}, {"blob", "doll.hkx"}}, "again.nif"),
                  doll.error);
  CHECK(doll.system("again.nif").bodies.size() == 5);
  CHECK(doll.findings_in("again.nif").empty());
}

TEST_CASE("a joint that leaves a ragdoll takes its bone along, and comes back with it") {
  Doll doll;
  REQUIRE_MESSAGE(doll.run("collision remove-joint", R"({"body":"RArm_Fore"})", {{"file", "doll.nif"}}, "off.nif"),
                  doll.error);
  const CollisionSystem off = doll.system("off.nif");
  CHECK(off.bodies.size() == 5);
  CHECK(off.constraints.size() == 3);
  CHECK(off.ragdoll->bone_to_body == std::vector<std::int32_t>{0, 1, 2, 3});
  CHECK(off.ragdoll->skeleton.bones.size() == 4);
  CHECK(doll.findings_in("off.nif") == std::vector<std::string>{"W_RAGDOLL_BODY"});
  REQUIRE_MESSAGE(doll.run("collision add-joint",
                           R"({"body":"RArm_Fore","to":"RArm_Upper","kind":"limited-hinge","angle":[-5,90]})",
                           {{"file", "off.nif"}}, "on.nif"),
                  doll.error);
  const CollisionSystem on = doll.system("on.nif");
  CHECK(on.ragdoll->bone_to_body == std::vector<std::int32_t>{0, 1, 2, 3, 4});
  const CollisionSystem whole = doll.system("doll.nif");
  for (std::size_t i = 0; i < 5; ++i) {
    const Bone &now = on.ragdoll->skeleton.bones[i], &then = whole.ragdoll->skeleton.bones[i];
    CHECK(now.parent == then.parent);
    CHECK(glm::distance(now.rest.translation, then.rest.translation) < 1e-5f);
  }
  CHECK(on.constraints.back().is_stabilized);
  CHECK(doll.findings_in("on.nif").empty());
  // Without its bone, the body can go.
  REQUIRE_MESSAGE(doll.run("collision remove-body", R"({"body":"RArm_Fore"})", {{"file", "off.nif"}}, "less.nif"),
                  doll.error);
  CHECK(doll.system("less.nif").bodies.size() == 4);
  CHECK(doll.findings_in("less.nif").empty());
}

TEST_CASE("a bone from the middle of a ragdoll is taken out with those below it") {
  Doll doll;
  CHECK_FALSE(doll.run("collision remove-joint", R"({"body":"LArm_Upper"})", {{"file", "doll.nif"}}));
  CHECK(doll.error.find("remove joint 2 too") != std::string::npos);
  REQUIRE_MESSAGE(doll.run("collision remove-joint", R"({"joint":[0,2]})", {{"file", "doll.nif"}}, "off.nif"),
                  doll.error);
  const CollisionSystem& off = doll.system("off.nif");
  // The spine and the right arm are left: bodies 0, 2 and 4.
  CHECK(off.ragdoll->bone_to_body == std::vector<std::int32_t>{0, 2, 4});
  CHECK(off.ragdoll->skeleton.bones[2].parent == 1);
  for (const Constraint& each : off.constraints) CHECK(each.body_a % 2 == 0);
}

TEST_CASE("a bone of a ragdoll hangs on another body, at the same place") {
  Doll doll;
  REQUIRE_MESSAGE(
      doll.run("collision set-joint", R"({"body":"RArm_Fore","to":"Spine"})", {{"file", "doll.nif"}}, "hung.nif"),
      doll.error);
  const CollisionSystem before = doll.system("doll.nif"), hung = doll.system("hung.nif");
  CHECK(hung.ragdoll->skeleton.bones[4].parent == 0);
  CHECK(hung.constraints[3].body_b == 0);
  const auto pivot = [](const CollisionSystem& system) {
    const Constraint& each = system.constraints[3];
    const Body& parent = system.bodies[each.body_b];
    return parent.orientation * std::get<LimitedHingeJoint>(each.joint).frame_b.translation + Vec3(parent.position);
  };
  CHECK(glm::distance(pivot(before), pivot(hung)) < 1e-5f);
  CHECK(doll.findings_in("hung.nif").empty());
}

TEST_CASE("joints that a ragdoll cannot have are refused with the reason") {
  Doll doll;
  const auto error_of = [&](std::string_view operation, std::string_view options) {
    CHECK_FALSE(doll.run(operation, options, {{"file", "doll.nif"}}));
    return doll.error;
  };
  CHECK(error_of("collision add-joint", R"({"body":"RArm_Fore","to":"Spine","kind":"ball"})").find("one joint") !=
        std::string::npos);
  CHECK(error_of("collision add-joint", R"({"body":"RArm_Fore","kind":"ball"})").find("world") != std::string::npos);
  CHECK(error_of("collision add-joint", R"({"body":"Spine","to":"RArm_Fore","kind":"ball"})").find("root") !=
        std::string::npos);
  CHECK(error_of("collision set-joint", R"({"body":"LArm_Upper","to":"LArm_Fore"})").find("parents come first") !=
        std::string::npos);
  CHECK(error_of("collision set-joint", R"({"body":"LArm_Upper","to":"LArm_Upper"})").find("two bodies") !=
        std::string::npos);
}

TEST_CASE("a body of a NIF needs a layer of the game; in a ragdoll below a container the filter is Havok's own") {
  Doll doll;
  const auto layers_found = [](const havok::Packfile& file) {
    const Findings findings = check_collision(test::loaded(file, Parts::Collision));
    return std::ranges::count(findings, "E_LAYER", &Finding::code);
  };
  auto file = havok::read_packfile(doll.files["doll.hkx"]);
  REQUIRE(file);
  const havok::ObjectId system = file->root;
  file->at(system).fields().element("bodyCinfos", 2).set_integer("collisionFilterInfo", 3 << 5);
  CHECK(layers_found(*file) == 1);
  file->root = file->add("hkRootLevelContainer");
  (void)file->at(file->root).fields().reset_array("namedVariants", 1);
  file->at(file->root).fields().element("namedVariants", 0).set_pointer("variant", system);
  CHECK(test::loaded(*file, Parts::Collision).collision.size() == 1);
  CHECK(layers_found(*file) == 0);
}

TEST_CASE("the game's own ragdolls have their bones and joints in order, and mappers keep bones where they are") {
  if (test::corpus().empty()) {
    MESSAGE("skipped: no corpus");
    return;
  }
  Doll doll;
  doll.files["skeleton.nif"] = test::bytes_of(test::corpus() / "nif" / "skeleton.nif");
  doll.files["skeleton.hkx"] = test::bytes_of(test::corpus() / "hkx" / "fo4" / "skeleton.hkx");
  CHECK(doll.findings_in("skeleton.nif").empty());
  CHECK(doll.findings_in("skeleton.hkx").empty());
  REQUIRE_MESSAGE(doll.run("collision remove-joint", R"({"joint":[16]})", {{"file", "skeleton.nif"}}, "off.nif"),
                  doll.error);
  CHECK(doll.findings_in("off.nif") == std::vector<std::string>{"W_RAGDOLL_BODY"});
  CHECK_FALSE(doll.run("collision remove-joint", R"({"joint":[16]})", {{"file", "skeleton.hkx"}}));
  CHECK(doll.error.find("mappers") != std::string::npos);
}
