// SPDX-License-Identifier: MIT
// Joints and ragdolls through operations by name, as every door runs them, and collision from before Fallout 4.
#include "ops/collision/joints.h"

#include <doctest/doctest.h>

#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>

#include "core/byte_writer.h"
#include "nif/legacy.h"
#include "ops/collision/ragdoll.h"
#include "support/corpus.h"
#include "support/nif_sample.h"
#include "support/operation_bench.h"

using namespace marrow;

namespace {

constexpr std::string_view kBox =
    "o Box\nv -20 -10 0\nv -20 -10 30\nv -20 10 0\nv -20 10 30\nv 20 -10 0\nv 20 -10 30\nv 20 10 0\nv 20 10 30\n"
    "f 1 2 4\nf 1 4 3\nf 5 7 8\nf 5 8 6\nf 1 5 6\nf 1 6 2\nf 3 4 8\nf 3 8 7\nf 1 3 7\nf 1 7 5\nf 2 6 8\nf 2 8 4\n";

// A NIF with a dynamic body on "Door" at (100, 0, 10) and another on "Lamp" at (0, 5, 10), not joined.
struct Bench : test::OperationBench {
  Bench() {
    files["bare.nif"] = write_nif(test::sample_nif());
    files["box.obj"] = {as_bytes(kBox).begin(), as_bytes(kBox).end()};
    REQUIRE(run("collision add-body", R"({"node":"Door","mass":5})", {{"file", "bare.nif"}, {"mesh", "box.obj"}},
                "one.nif"));
    REQUIRE(run("collision add-body", R"({"node":"Lamp","mass":5})", {{"file", "one.nif"}, {"mesh", "box.obj"}},
                "two.nif"));
    REQUIRE(run("collision extract", "{}", {{"nif", "two.nif"}}, "two.hkx"));
  }

  Json joint(const std::string& file, std::size_t index = 0) {
    REQUIRE_MESSAGE(run("collision joints", "{}", {{"file", file}}), error);
    REQUIRE(index < report["joints"].size());
    return report["joints"].items()[index];
  }

  std::size_t errors_in(const std::string& file) { return findings_in(file).size(); }
};

bool is_near(const Json& vector, const Vec3& expected, double tolerance = 1e-3) {
  for (int i = 0; i < 3; ++i)
    if (!(std::abs(vector.items().at(static_cast<std::size_t>(i)).number() - double{expected[i]}) < tolerance))
      return false;
  return true;
}

constexpr std::string_view kTable =
    "# a doll\n"
    "bone, shape, radius, half_extents, mass, layer, part, joint, twist, cone, plane, angle, axis, friction\n"
    "Spine, box, , 8 5 12, 20, BIPED, 3\n"
    "LArm_Upper, capsule, 4, , 5, 8, 5, ragdoll, -10 30, 40, -20 25\n"
    "LArm_Fore, capsule, 3, , 3, BIPED, 6, limited-hinge, , , , -5 120, 0 0 1, 2\n";

Document arms() {
  Skeleton skeleton;
  const Quat none = make_quat(0, 0, 0, 1), left = make_quat(0, 0, 1, 0);
  skeleton.bones = {{"Root", kNoBone, {}, false},
                    {"Spine", 0, {{0, 0, 50}, none, Vec3(1)}, false},
                    {"LArm_Upper", 1, {{-15, 0, 20}, left, Vec3(1)}, false},
                    {"LArm_Fore", 2, {{25, 0, 0}, none, Vec3(1)}, false},
                    {"RArm_Upper", 1, {{15, 0, 20}, none, Vec3(1)}, false},
                    {"RArm_Fore", 4, {{25, 0, 0}, none, Vec3(1)}, false}};
  Document document;
  document.skeletons.push_back({.skeleton = std::move(skeleton)});
  return document;
}

}  // namespace

TEST_CASE("every kind of joint is made between two bodies, listed, and has its pivot at one place") {
  Bench bench;
  struct Kind {
    std::string_view options, type, limit;
  };
  for (const Kind& kind : {Kind{R"("kind":"ball")", "ball", ""}, Kind{R"("kind":"hinge")", "hinge", ""},
                           Kind{R"("kind":"limited-hinge","angle":[-10,90],"friction":2)", "limited hinge", "angle"},
                           Kind{R"("kind":"ragdoll","twist":[-10,90],"cone":30,"plane":[-5,5])", "ragdoll", "twist"},
                           Kind{R"("kind":"prismatic","distance":[-10,90])", "prismatic", "distance"},
                           Kind{R"("kind":"fixed")", "fixed", ""}}) {
    CAPTURE(kind.type);
    for (const std::string file : {"two.nif", "two.hkx"}) {
      const std::string bodies = file == "two.nif" ? R"("body":"Door","to":"Lamp",)" : R"("body":"0","to":"1",)";
      const std::string options =
          "{" + bodies + std::string(kind.options) + R"(,"pivot":[7,0,0],"axis":[0,0,2],"normal":[1,0,0]})";
      REQUIRE_MESSAGE(bench.run("collision add-joint", options, {{"file", file}}, "joined"), bench.error);
      const Json joint = bench.joint("joined");
      CHECK(joint["type"].text() == kind.type);
      CHECK(joint["body"].integer() == 0);
      CHECK(joint["to"].integer() == 1);
      // The door stands at x = 100, the lamp at y = 5; neither is turned.
      CHECK(is_near(joint["pivot"], {7, 0, 0}));
      CHECK(is_near(joint["to_pivot"], {107, -5, 0}));
      if (joint.contains("axis")) {
        CHECK(is_near(joint["axis"], {0, 0, 1}));
        CHECK(is_near(joint["to_normal"], {1, 0, 0}));
      }
      if (!kind.limit.empty()) {
        CHECK(joint[kind.limit].items().at(0).number() == doctest::Approx(-10));
        CHECK(joint[kind.limit].items().at(1).number() == doctest::Approx(90));
      }
      CHECK(bench.errors_in("joined") == 0);
    }
  }
}

TEST_CASE("pivot and axes are taken from a node, also for a joint to the world") {
  Bench bench;
  REQUIRE_MESSAGE(bench.run("collision add-joint", R"({"body":"Door","kind":"hinge","at":"Shelf"})",
                            {{"file", "two.nif"}}, "hung.nif"),
                  bench.error);
  const Json joint = bench.joint("hung.nif");
  CHECK(joint["to"].is_null());
  CHECK(is_near(joint["pivot"], {-100, 0, 0}));
  CHECK(is_near(joint["to_pivot"], {0, 0, 10}));
  REQUIRE_FALSE(
      bench.run("collision add-joint", R"({"body":"Door","kind":"hinge","at":"Nowhere"})", {{"file", "two.nif"}}));
  CHECK(bench.error.find("Nowhere") != std::string::npos);
}

TEST_CASE("a joint that is removed leaves the file as it was") {
  Bench bench;
  REQUIRE(bench.run("collision add-joint", R"({"body":"0","to":"1","kind":"limited-hinge","motor":true})",
                    {{"file", "two.hkx"}}, "joined.hkx"));
  CHECK(bench.joint("joined.hkx")["motors"].size() == 1);
  CHECK(bench.joint("joined.hkx")["motors_on"].boolean());
  REQUIRE_MESSAGE(bench.run("collision remove-joint", "{}", {{"file", "joined.hkx"}}, "apart.hkx"), bench.error);
  REQUIRE(bench.run("collision joints", "{}", {{"file", "apart.hkx"}}));
  CHECK(bench.report["joints"].size() == 0);
  CHECK(bench.files["apart.hkx"] == bench.files["two.hkx"]);
}

TEST_CASE("an edit changes what it names and nothing else") {
  Bench bench;
  REQUIRE(bench.run("collision add-joint",
                    R"({"body":"0","to":"1","kind":"limited-hinge","angle":[-10,20],"friction":3,"motor":true})",
                    {{"file", "two.hkx"}}, "a.hkx"));
  const Json before = bench.joint("a.hkx");
  REQUIRE(bench.run("collision set-joint", R"({"angle":[-10,45]})", {{"file", "a.hkx"}}, "b.hkx"));
  Json expected = before;
  expected.set("angle", Json::Array{-10.0, 45.0});
  CHECK(to_text(bench.joint("b.hkx"), false) == to_text(expected, false));
  REQUIRE(bench.run("collision set-joint", R"({"angle":[-10,20]})", {{"file", "b.hkx"}}, "c.hkx"));
  CHECK(bench.files["c.hkx"] == bench.files["a.hkx"]);

  REQUIRE(bench.run("collision set-joint",
                    R"({"pivot":[1,2,3],"break_threshold":300,"motor":false,"motor_max_force":7,"motor_damping":0.5})",
                    {{"file", "a.hkx"}}, "d.hkx"));
  const Json joint = bench.joint("d.hkx");
  CHECK(is_near(joint["pivot"], {1, 2, 3}));
  CHECK(is_near(joint["to_pivot"], {101, -3, 3}));
  CHECK(joint["break_threshold"].number() == 300);
  CHECK_FALSE(joint["motors_on"].boolean());
  CHECK(joint["motors"].items().at(0)["max_force"].number() == 7);
  CHECK(joint["motors"].items().at(0)["damping"].number() == 0.5);
  CHECK(joint["axis"] == before["axis"]);
  REQUIRE(bench.run("collision set-joint", R"({"break_threshold":0})", {{"file", "d.hkx"}}, "e.hkx"));
  CHECK_FALSE(bench.joint("e.hkx").contains("break_threshold"));
}

TEST_CASE("a motor that joints share is changed for one of them alone") {
  Document source = arms();
  Document document;
  Context context;
  REQUIRE(build_ragdoll(source, {.table = kTable}, document, context));
  CollisionSystem& system = document.collision[0].system;
  REQUIRE(system.motors.size() == 1);
  REQUIRE(edit_joint(
      system, 0,
      {.motor = true, .motor_kind = MotorKind::SpringDamper, .motor_max_force = 9.0f, .motor_stiffness = 4.0f}));
  REQUIRE(system.motors.size() == 2);
  CHECK(system.motors[0] == Motor{});
  const auto* spring = std::get_if<SpringDamperMotor>(&system.motors[1].drive);
  REQUIRE(spring);
  CHECK(spring->max_force == 9.0f);
  CHECK(spring->spring_constant == 4.0f);
  CHECK(std::get<RagdollJoint>(system.constraints[0].joint).motors[2] == MotorId{1});
}

TEST_CASE("limits that a joint does not have, and ranges the wrong way round, are refused") {
  Bench bench;
  REQUIRE(
      bench.run("collision add-joint", R"({"body":"0","to":"1","kind":"ball"})", {{"file", "two.hkx"}}, "ball.hkx"));
  for (const std::string_view options :
       {R"({"cone":10})", R"({"angle":[0,10]})", R"({"distance":[0,10]})", R"({"friction":1})", R"({"motor":true})",
        R"({"kind":"limited-hinge","angle":[10,-10]})", R"({"kind":"ragdoll","twist":[-200,0]})",
        R"({"kind":"ragdoll","cone":-1})", R"({"kind":"hinge","axis":[0,0,0]})", R"({"joint":[1]})"}) {
    CAPTURE(options);
    CHECK_FALSE(bench.run("collision set-joint", options, {{"file", "ball.hkx"}}));
    CHECK_FALSE(bench.error.empty());
  }
  CHECK_FALSE(bench.run("collision add-joint", R"({"body":"0","to":"0","kind":"ball"})", {{"file", "two.hkx"}}));
}

TEST_CASE("joints are shown in exports, which come back without them") {
  Bench bench;
  REQUIRE(bench.run("collision add-joint", R"({"body":"Door","to":"Lamp","kind":"ragdoll","cone":30})",
                    {{"file", "two.nif"}}, "joined.nif"));
  for (const std::string format : {"obj", "glb"}) {
    CAPTURE(format);
    REQUIRE(bench.run("collision export", R"({"format":")" + format + "\"}", {{"file", "joined.nif"}}, "shown"));
    CHECK(as_text(bench.files["shown"]).find("marrow_joint0.0.ragdoll") != std::string_view::npos);
    REQUIRE_MESSAGE(bench.run("collision replace", "{}", {{"nif", "joined.nif"}, {"blob", "shown"}}, "back.nif"),
                    bench.error);
    CHECK(bench.files["back.nif"] == bench.files["joined.nif"]);
    REQUIRE_MESSAGE(bench.run("collision build", R"({"shape":"hull"})", {{"mesh", "shown"}}), bench.error);
    CHECK(bench.report["count"].integer() == 2);
  }
}

TEST_CASE("a table of bodies becomes a ragdoll, mirrored to the other side") {
  Document source = arms(), document;
  Context context;
  const auto report = build_ragdoll(source, {.table = kTable}, document, context);
  REQUIRE_MESSAGE(report.has_value(), report.error().message);
  CHECK(report->bodies == 5);
  CHECK(report->joints == 4);
  const DocumentCollision& collision = document.collision.at(0);
  std::size_t hinges = 0;
  for (const Constraint& each : collision.system.constraints)
    if (const auto* hinge = std::get_if<LimitedHingeJoint>(&each.joint)) {
      ++hinges;
      CHECK(hinge->min_angle == doctest::Approx(glm::radians(-5.0)));
      CHECK(hinge->max_angle == doctest::Approx(glm::radians(120.0)));
      CHECK(hinge->max_friction_torque == 2.0f);
    }
  CHECK(hinges == 2);
  std::size_t mirrored = 0;
  for (const RagdollBoneInfo& bone : report->bones) {
    mirrored += bone.mirrored;
    CHECK(bone.mirrored == bone.bone.starts_with("RArm"));
    const Body& body = collision.system.bodies.at(bone.body);
    CHECK(body.layer() == 8);
    if (bone.bone == "RArm_Fore") CHECK((body.filter >> 8 & 0xFF) == 12);
  }
  CHECK(mirrored == 2);
  Document one_sided;
  CHECK(build_ragdoll(source, {.table = kTable, .one_sided = true}, one_sided, context)->bodies == 3);

  const auto bytes = save(document, {.format = Format::Hkx}, context);
  REQUIRE(bytes);
  const auto back = load(bytes->at(0).bytes, {.parts = Parts::Collision}, context);
  REQUIRE(back);
  CHECK(back->collision.at(0).kind == EmbeddedKind::Ragdoll);
  CHECK(check_collision(*back).empty());
}

TEST_CASE("a table in JSON means the same as in CSV") {
  const auto csv = read_ragdoll_table(kTable);
  const auto json = read_ragdoll_table(R"([
    {"bone":"Spine","shape":"box","half_extents":[8,5,12],"mass":20,"part":3},
    {"bone":"LArm_Upper","radius":4,"mass":5,"layer":8,"part":5,"twist":[-10,30],"cone":40,"plane":[-20,25]},
    {"bone":"LArm_Fore","radius":3,"mass":3,"part":6,"joint":"limited-hinge","angle":[-5,120],"axis":[0,0,1],"friction":2}])");
  REQUIRE_MESSAGE(csv.has_value(), csv.error().message);
  REQUIRE_MESSAGE(json.has_value(), json.error().message);
  CHECK(*csv == *json);
}

TEST_CASE("a table that is wrong is refused with its row") {
  for (const std::string_view text :
       {"", "bone\n", "bone,colour\nSpine,red\n", "bone,mass\nSpine,much\n", "bone,mass\nSpine,-1\n",
        "bone\nSpine,1,2\n", "bone,twist\nSpine,10 -10\n", "bone,twist\nSpine,1\n",
        "bone,joint,twist\nSpine,limited-hinge,-1 1\n", "bone,layer\nSpine,NOWHERE\n", "bone,part\nSpine,1e300\n",
        "bone,part\nSpine,2.5\n", "shape\nbox\n", "[1]", "{}", R"([{"bone":"Spine","mass":"x"}])"}) {
    CAPTURE(text);
    CHECK_FALSE(read_ragdoll_table(text).has_value());
  }
  CHECK(read_ragdoll_table("bone,mass\nA,1\nB,much\n").error().path.find("row 2") != std::string::npos);
}

TEST_CASE("an edit of one limit of a real ragdoll changes only that limit") {
  if (test::corpus().empty()) {
    MESSAGE("skipped: no corpus");
    return;
  }
  Bench bench;
  bench.files["skeleton.nif"] = test::bytes_of(test::corpus() / "nif" / "skeleton.nif");
  REQUIRE_MESSAGE(
      bench.run("collision set-joint", R"({"joint":[4],"cone":25})", {{"file", "skeleton.nif"}}, "wider.nif"),
      bench.error);
  const test::Bytes &a = bench.files["skeleton.nif"], &b = bench.files["wider.nif"];
  REQUIRE(a.size() == b.size());
  std::size_t changed = 0, first = a.size(), last = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a[i] != b[i]) {
      ++changed;
      first = std::min(first, i);
      last = i;
    }
  CHECK(changed > 0);
  CHECK(last - first < 4);  // one float
  CHECK(bench.joint("wider.nif", 4)["cone"].number() == doctest::Approx(25));
  CHECK(bench.errors_in("wider.nif") == 0);
}

TEST_CASE("collision from before Fallout 4 is listed as what it is, and check reports it with the cure") {
  NifFile nif = test::sample_nif();
  ByteWriter object, body, mopp;
  object.i32(1);  // the door
  object.u16(1);
  object.i32(4);  // the body
  body.i32(5);
  body.u32(0x00000103);  // layer 3
  mopp.i32(6);
  const std::int32_t door = add_string(nif, "Door");
  nif.blocks[1].bytes = test::node_bytes(door, {100, 0, 0}, 3, {});
  add_block(nif, "bhkCollisionObject", object.take());
  add_block(nif, "bhkRigidBodyT", body.take());
  add_block(nif, "bhkMoppBvTreeShape", mopp.take());
  add_block(nif, "bhkConvexVerticesShape", std::vector<std::byte>(16));
  add_block(nif, "bhkSimpleShapePhantom", std::vector<std::byte>(2));  // too short, and on no node

  Bench bench;
  bench.files["old.nif"] = write_nif(nif);
  REQUIRE_MESSAGE(bench.run("collision list", "{}", {{"file", "old.nif"}}), bench.error);
  REQUIRE(bench.report["legacy"].size() == 2);
  const Json& first = bench.report["legacy"].items()[0];
  CHECK(first["block"].integer() == 3);
  CHECK(first["type"].text() == "bhkCollisionObject");
  CHECK(first["node"].text() == "Door");
  CHECK(first["body"].text() == "bhkRigidBodyT");
  CHECK(first["layer"].text() == "3");
  CHECK(first["shape"].text() == "bhkConvexVerticesShape");
  CHECK(bench.report["legacy"].items()[1]["type"].text() == "bhkSimpleShapePhantom");
  CHECK(bench.report["legacy"].items()[1]["node"].is_null());

  Context context;
  const auto document = load(bench.files["old.nif"], {.parts = Parts::Collision}, context);
  REQUIRE(document);
  const Findings findings = check_collision(*document);
  const auto old = std::ranges::find(findings, "W_OLD_COLLISION", &Finding::code);
  REQUIRE(old != findings.end());
  CHECK(old->where == "blocks[3]");
  CHECK(old->message.find("'Door'") != std::string::npos);
  CHECK(old->cure == Cure{"collision attach", {{"node", std::vector<std::string>{"Door"}}}});

  // The cure works: a packfile takes the place of the old collision on its node.
  REQUIRE(bench.run("collision build", R"({"shape":"box"})", {{"mesh", "box.obj"}}, "blob"));
  REQUIRE_MESSAGE(
      bench.run("collision attach", R"({"node":["Door"]})", {{"nif", "old.nif"}, {"blob", "blob"}}, "new.nif"),
      bench.error);
  REQUIRE(bench.run("collision list", "{}", {{"file", "new.nif"}}));
  CHECK(bench.report["systems"].size() == 1);
  CHECK(bench.report["systems"].items()[0]["bodies"].items().at(0)["node"].text() == "Door");
}
