// SPDX-License-Identifier: MIT
// Verbs of collision on NIF files of Skyrim, in files that are authored here.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <glm/geometric.hpp>
#include <set>

#include "havok/object/game.h"
#include "havok/physics/character_ragdoll.h"
#include "marrow/core/byte_reader.h"
#include "nif/bhk.h"
#include "nif/bsx_flags.h"
#include "ops/collision/collision.h"
#include "support/nif_sample.h"
#include "support/operation_bench.h"

using namespace marrow;

namespace {

constexpr std::string_view kArmTable =
    "bone, shape, radius, mass, joint, twist, cone, plane, angle, axis\n"
    "Spine, capsule, 8, 20\n"
    "Arm, capsule, 4, 5, ragdoll, -10 30, 40, -20 25\n"
    "Hand, capsule, 3, 2, limited-hinge, , , , -5 120, 0 0 1\n";

// Root, spine, arm and hand, in a row along x.
NifFile arm_nif() {
  NifFile file;
  file.export_info = {std::string("someone\0", 8), std::string("\0", 1), std::string("\0", 1), std::string("\0", 1)};
  const auto node = [&](const char* name, Vec3 at, std::vector<std::int32_t> children) {
    return add_block(file, "NiNode", test::node_bytes(add_string(file, name), at, kNoBlock, children));
  };
  node("Root", {0, 0, 0}, {1});
  node("Spine", {0, 0, 50}, {2});
  node("Arm", {20, 0, 10}, {3});
  node("Hand", {25, 0, 0}, {});
  file.roots = {0};
  return file;
}

struct SkyrimBench : test::OperationBench {
  SkyrimBench() {
    files["old.nif"] = write_nif(arm_nif());
    files["table.csv"] = test::text_bytes(kArmTable);
    files["cube.obj"] = test::text_bytes(
        "o Cube\nv -9 -9 -9\nv 9 -9 -9\nv -9 9 -9\nv 9 9 -9\nv -9 -9 9\nv 9 -9 9\nv -9 9 9\nv 9 9 9\n"
        "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n");
    REQUIRE_MESSAGE(run("convert", R"({"to":"skyrim-se"})", {{"file", "old.nif"}}, "bare.nif"), error);
    REQUIRE_MESSAGE(run("collision ragdoll", R"({"to":"skyrim-se"})",
                        {{"skeleton", "bare.nif"}, {"table", "table.csv"}}, "doll.nif"),
                    error);
  }

  const DocumentCollision& collision(const std::string& file) {
    loaded = load_collision(file);
    REQUIRE(!loaded.collision.empty());
    return loaded.collision.front();
  }

  std::set<std::string> serious(const std::string& file, const std::string& skeleton = {}) {
    std::vector<std::pair<std::string_view, std::string>> inputs = {{"file", file}};
    if (!skeleton.empty()) inputs.emplace_back("skeleton", skeleton);
    REQUIRE_MESSAGE(run("check", "{}", inputs), error);
    std::set<std::string> codes;
    for (const Json& finding : report["findings"].items())
      if (finding["level"].text() != "info") codes.insert(finding["code"].text());
    return codes;
  }

  Document loaded = {};
};

/// A skeleton.hkx of Skyrim with the ragdoll of a NIF, as Havok 2010 keeps it.
test::Bytes hkx_of(const DocumentCollision& ragdoll, float twist_max, bool with_hand) {
  using namespace havok;
  Packfile file = make_packfile(*builtin_schema(version_of(Game::SkyrimSe)), pointer_size_of(Game::SkyrimSe));
  file.root = file.add("hkRootLevelContainer");
  const ObjectId container = file.add("hkaAnimationContainer"), skeleton = file.add("hkaSkeleton");
  const ObjectId bones = file.add("hkaSkeleton"), instance = file.add("hkaRagdollInstance");
  const auto name_bones = [&](ObjectId id, const std::string& prefix, const std::vector<std::string>& names) {
    Fields fields = file.at(id).fields();
    fields.set_text("name", prefix + names.front());
    fields.reset_array("bones", static_cast<std::uint32_t>(names.size()));
    std::vector<std::int16_t> parents;
    std::vector<float> poses;
    for (std::uint32_t i = 0; i < names.size(); ++i) {
      fields.element("bones", i).set_text("name", prefix + names[i]);
      parents.push_back(static_cast<std::int16_t>(static_cast<int>(i) - 1));
      for (const float value : {1.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 1.0f, 1.0f, 1.0f, 1.0f, 1.0f})
        poses.push_back(value);
    }
    fields.set_numbers<std::int16_t>("parentIndices", parents);
    fields.set_numbers<float>("referencePose", poses);
  };
  std::vector<std::string> names;
  for (const BodyNode& node : ragdoll.nodes)
    if (with_hand || node.name != "Hand") names.push_back(node.name);
  name_bones(skeleton, "", names);
  name_bones(bones, "Ragdoll_", names);
  file.at(container).fields().set_pointers("skeletons", std::vector{skeleton, bones});
  std::vector<ObjectId> bodies, joints;
  std::vector<std::int32_t> map;
  const CollisionSystem& system = ragdoll.system;
  for (std::size_t i = 0; i < names.size(); ++i) {
    bodies.push_back(file.add("hkpRigidBody"));
    Fields body = file.at(bodies.back()).fields();
    body.set_text("name", "Ragdoll_" + names[i]);
    body.record("motion").set_floats(
        "inertiaAndMassInv",
        std::array{0.0f, 0.0f, 0.0f, 1.0f / mass_of(system, system.bodies[ragdoll.nodes[i].body])});
    map.push_back(static_cast<std::int32_t>(i));
  }
  for (const Constraint& each : system.constraints) {
    if (each.body_a >= names.size()) continue;
    const bool is_swing = std::holds_alternative<RagdollJoint>(each.joint);
    const ObjectId data = file.add(is_swing ? "hkpRagdollConstraintData" : "hkpLimitedHingeConstraintData");
    Fields atoms = file.at(data).fields().record("atoms");
    const auto put = [&](std::string_view member, const Frame& frame) {
      std::array<float, 16> floats{};
      for (int column = 0; column < 3; ++column)
        for (int row = 0; row < 3; ++row)
          floats[static_cast<std::size_t>(4 * column + row)] = frame.rotation[column][row];
      for (int row = 0; row < 3; ++row)
        floats[static_cast<std::size_t>(12 + row)] = frame.translation[row] * kGameUnitsPerHavokUnit;
      atoms.record("transforms").set_floats(member, floats);
    };
    if (is_swing) {
      const auto& joint = std::get<RagdollJoint>(each.joint);
      put("transformA", joint.frame_a);
      put("transformB", joint.frame_b);
      atoms.record("twistLimit").set_real("minAngle", double{joint.twist_min});
      atoms.record("twistLimit").set_real("maxAngle", double{twist_max});
      atoms.record("coneLimit").set_real("maxAngle", double{joint.cone_max});
      atoms.record("planesLimit").set_real("minAngle", double{joint.plane_min});
      atoms.record("planesLimit").set_real("maxAngle", double{joint.plane_max});
    } else {
      const auto& joint = std::get<LimitedHingeJoint>(each.joint);
      put("transformA", joint.frame_a);
      put("transformB", joint.frame_b);
      atoms.record("angLimit").set_real("minAngle", double{joint.min_angle});
      atoms.record("angLimit").set_real("maxAngle", double{joint.max_angle});
    }
    joints.push_back(file.add("hkpConstraintInstance"));
    Fields fields = file.at(joints.back()).fields();
    fields.set_pointer("data", data);
    fields.set_pointer("entities", bodies[each.body_a], 0);
    fields.set_pointer("entities", bodies[each.body_b], 1);
  }
  Fields fields = file.at(instance).fields();
  fields.set_pointers("rigidBodies", bodies);
  fields.set_pointers("constraints", joints);
  fields.set_numbers<std::int32_t>("boneToRigidBodyMap", map);
  fields.set_pointer("skeleton", bones);
  Fields root = file.at(file.root).fields();
  root.reset_array("namedVariants", 2);
  const auto variant = [&](std::uint32_t i, const char* type, ObjectId id) {
    root.element("namedVariants", i).set_text("name", type);
    root.element("namedVariants", i).set_text("className", type);
    root.element("namedVariants", i).set_pointer("variant", id);
  };
  variant(0, "hkaAnimationContainer", container);
  variant(1, "hkaRagdollInstance", instance);
  auto bytes = write_packfile(file);
  REQUIRE(bytes);
  return std::move(*bytes);
}

}  // namespace

TEST_CASE("a ragdoll for Skyrim is a NIF with all bones, blended bodies and the joints of the table") {
  SkyrimBench bench;
  const DocumentCollision collision = bench.collision("doll.nif");
  CHECK(bench.loaded.game == Game::SkyrimSe);
  CHECK(collision.kind == EmbeddedKind::Ragdoll);
  const CollisionSystem& system = collision.system;
  REQUIRE(system.bodies.size() == 3);
  REQUIRE(system.constraints.size() == 2);
  std::set<std::string> nodes;
  for (const BodyNode& node : collision.nodes) {
    nodes.insert(node.name);
    const Body& body = system.bodies[node.body];
    CHECK(body.skyrim->object == "bhkBlendCollisionObject");
    CHECK(body.skyrim->object_flags == 0x89);
    CHECK(int{body.skyrim->motion_system} == 4);
    CHECK(layer_name(body.layer(), CollisionGame::Skyrim) == "BIPED");
    CHECK(glm::distance(Vec3(body.position) * kGameUnitsPerHavokUnit, node.world.translation) < 1e-3f);
    CHECK(system.surface_of(body)->dynamic_friction == doctest::Approx(0.3));
    CHECK(material_name(system.find_shape(body.shape)->material, CollisionGame::Skyrim) == "Skin");
  }
  CHECK(nodes == std::set<std::string>{"Spine", "Arm", "Hand"});
  const auto hand = std::ranges::find(collision.nodes, "Hand", &BodyNode::name);
  CHECK(glm::distance(hand->world.translation, Vec3(45, 0, 60)) < 1e-3f);
  const auto& arm = std::get<RagdollJoint>(system.constraints[0].joint);
  CHECK(arm.cone_max == doctest::Approx(0.69813));
  CHECK(arm.max_friction_torque == 10.0f);
  const auto& hinge = std::get<LimitedHingeJoint>(system.constraints[1].joint);
  CHECK(hinge.max_angle == doctest::Approx(2.0944));
  CHECK(hinge.max_friction_torque == doctest::Approx(0.01));
  CHECK((bsx_flags(*bench.loaded.nif()).value_or(0) & (bsx_flag::kHavok | bsx_flag::kRagdoll)) ==
        (bsx_flag::kHavok | bsx_flag::kRagdoll));
  CHECK(bench.serious("doll.nif").empty());
}

TEST_CASE("a ragdoll goes on the nodes of its bones, from a NIF as from a packfile of the other game") {
  SkyrimBench bench;
  REQUIRE_MESSAGE(bench.run("collision attach", "{}", {{"nif", "bare.nif"}, {"blob", "doll.nif"}}, "one.nif"),
                  bench.error);
  REQUIRE_MESSAGE(bench.run("collision ragdoll", "{}", {{"skeleton", "bare.nif"}, {"table", "table.csv"}}, "doll.hkx"),
                  bench.error);
  REQUIRE_MESSAGE(bench.run("collision attach", "{}", {{"nif", "bare.nif"}, {"blob", "doll.hkx"}}, "two.nif"),
                  bench.error);
  for (const char* file : {"one.nif", "two.nif"}) {
    const DocumentCollision& collision = bench.collision(file);
    CHECK(collision.kind == EmbeddedKind::Ragdoll);
    CHECK(collision.system.bodies.size() == 3);
    CHECK(collision.system.constraints.size() == 2);
    for (const BodyNode& node : collision.nodes)
      CHECK(glm::distance(Vec3(collision.system.bodies[node.body].position) * kGameUnitsPerHavokUnit,
                          node.world.translation) < 1e-3f);
    CHECK(bench.serious(file).empty());
  }
  // And from Skyrim's NIF into one of Fallout 4.
  REQUIRE_MESSAGE(bench.run("collision attach", "{}", {{"nif", "old.nif"}, {"blob", "doll.nif"}}, "three.nif"),
                  bench.error);
  const DocumentCollision& collision = bench.collision("three.nif");
  CHECK(collision.kind == EmbeddedKind::Ragdoll);
  CHECK(collision.nodes.size() == 3);
  CHECK(collision.system.constraints.size() == 2);
}

TEST_CASE("a ragdoll takes the place of another, and nodes that it lacks lose their bodies") {
  SkyrimBench bench;
  bench.files["short.csv"] = test::text_bytes("bone, radius, mass, joint\nSpine, 9, 30\nArm, 5, 6, ball\n");
  REQUIRE_MESSAGE(bench.run("collision ragdoll", R"({"to":"skyrim-se"})",
                            {{"skeleton", "bare.nif"}, {"table", "short.csv"}}, "short.nif"),
                  bench.error);
  REQUIRE_MESSAGE(bench.run("collision replace", "{}", {{"nif", "doll.nif"}, {"blob", "short.nif"}}, "now.nif"),
                  bench.error);
  CHECK(std::ranges::any_of(bench.notes,
                            [](const Note& note) { return note.message.find("'Hand'") != std::string::npos; }));
  const DocumentCollision& collision = bench.collision("now.nif");
  CHECK(collision.system.bodies.size() == 2);
  REQUIRE(collision.system.constraints.size() == 1);
  CHECK(std::holds_alternative<BallJoint>(collision.system.constraints[0].joint));
  CHECK(bench.serious("now.nif").empty());
  CHECK_FALSE(bench.run("collision replace", "{}", {{"nif", "bare.nif"}, {"blob", "short.nif"}}, "no.nif"));
}

TEST_CASE("what is extracted are the nodes and the collision, byte for byte, and it goes back") {
  SkyrimBench bench;
  REQUIRE_MESSAGE(bench.run("collision add-body", R"({"node":"Root","shape":"mesh"})",
                            {{"file", "doll.nif"}, {"mesh", "cube.obj"}}, "both.nif"),
                  bench.error);
  REQUIRE_MESSAGE(bench.run("collision extract", "{}", {{"nif", "both.nif"}}, "all.nif"), bench.error);
  const Document both = bench.load_collision("both.nif");
  const Document all = bench.load_collision("all.nif");
  REQUIRE(both.collision.size() == 2);
  REQUIRE(all.collision.size() == 2);
  CHECK(bench.serious("all.nif").empty());
  // Bytes of shapes stay; they have no numbers of other blocks but in lists and codes.
  const auto shapes = [](const Document& document) {
    std::multiset<std::vector<std::byte>> found;
    for (std::size_t i = 0; i < document.nif()->blocks.size(); ++i)
      if (document.nif()->type_of(static_cast<std::int32_t>(i)) == "bhkCapsuleShape" ||
          document.nif()->type_of(static_cast<std::int32_t>(i)) == "bhkCompressedMeshShapeData")
        found.insert(document.nif()->blocks[i].bytes);
    return found;
  };
  CHECK(shapes(all) == shapes(both));
  CHECK(shapes(all).size() == 4);
  const std::string physics = std::to_string(*both.collision[1].block);
  REQUIRE_MESSAGE(bench.run("collision extract", R"({"block":)" + physics + "}", {{"nif", "both.nif"}}, "one.nif"),
                  bench.error);
  CHECK(bench.collision("one.nif").system.bodies.size() == 1);
  REQUIRE_MESSAGE(bench.run("collision attach", "{}", {{"nif", "bare.nif"}, {"blob", "one.nif"}}, "back.nif"),
                  bench.error);
  const DocumentCollision& back = bench.collision("back.nif");
  REQUIRE(back.nodes.size() == 1);
  CHECK(back.nodes[0].name == "Root");
  CHECK_FALSE(bench.run("collision extract", R"({"block":999})", {{"nif", "both.nif"}}, "no.nif"));
  CHECK_FALSE(bench.run("collision extract", R"({"format":"hkx"})", {{"nif", "both.nif"}}, "no.hkx"));
  CHECK_FALSE(bench.run("collision extract", "{}", {{"nif", "bare.nif"}}, "no.nif"));
}

TEST_CASE("the ragdoll of a NIF is compared with that of the character's skeleton") {
  SkyrimBench bench;
  const DocumentCollision ragdoll = bench.collision("doll.nif");
  const float twist = std::get<RagdollJoint>(ragdoll.system.constraints[0].joint).twist_max;
  bench.files["same.hkx"] = hkx_of(ragdoll, twist, true);
  bench.files["twisted.hkx"] = hkx_of(ragdoll, twist + 0.2f, true);
  bench.files["short.hkx"] = hkx_of(ragdoll, twist, false);
  CHECK(bench.serious("doll.nif", "same.hkx").empty());
  CHECK(bench.serious("doll.nif", "twisted.hkx") == std::set<std::string>{"W_RAGDOLL_LIMITS"});
  CHECK(bench.serious("doll.nif", "short.hkx") == std::set<std::string>{"W_RAGDOLL_BONE"});
  const auto codes_after = [&](const char* operation, const char* options) {
    REQUIRE_MESSAGE(bench.run(operation, options, {{"file", "doll.nif"}}, "edited.nif"), bench.error);
    return bench.serious("edited.nif", "same.hkx");
  };
  CHECK(codes_after("collision set-joint", R"({"joint":[0],"pivot":[3,0,0]})") ==
        std::set<std::string>{"W_RAGDOLL_FRAME"});
  CHECK(codes_after("collision set-joint", R"({"joint":[1],"kind":"ball"})") ==
        std::set<std::string>{"W_RAGDOLL_KIND"});
  CHECK(codes_after("collision remove-joint", R"({"joint":[1]})") == std::set<std::string>{"W_RAGDOLL_JOINT"});
  // Masses are only mentioned.
  REQUIRE(bench.run("collision set", R"({"node":["Arm"],"mass":9})", {{"file", "doll.nif"}}, "heavy.nif"));
  CHECK(bench.serious("heavy.nif", "same.hkx").empty());
  bool is_told = false;
  for (const Json& finding : bench.report["findings"].items()) is_told |= finding["code"].text() == "I_RAGDOLL_MASS";
  CHECK(is_told);
}

TEST_CASE("a ragdoll of Havok 2010 is read or refused, whichever word of its file is wrong") {
  SkyrimBench bench;
  const test::Bytes whole = hkx_of(bench.collision("doll.nif"), 0.5f, true);
  const auto read = [](const test::Bytes& bytes) {
    const auto file = havok::read_packfile(bytes);
    if (!file) return false;
    const auto ragdoll = havok::read_character_ragdoll(*file);
    if (!ragdoll || !*ragdoll) return false;
    CHECK((*ragdoll)->bones.size() == (*ragdoll)->system.bodies.size());
    for (const Constraint& joint : (*ragdoll)->system.constraints) CHECK(joint.body_a < (*ragdoll)->bones.size());
    return true;
  };
  CHECK(read(whole));
  for (std::size_t at = 0; at + 4 <= whole.size(); at += 4) {
    test::Bytes wrong = whole;
    for (std::size_t i = 0; i < 4; ++i) wrong[at + i] = std::byte{0xFF};
    (void)read(wrong);
  }
  for (std::size_t size = 0; size < whole.size(); size += 61) {
    test::Bytes cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    cut.shrink_to_fit();
    (void)read(cut);  // what only lacks padding is whole
  }
}

TEST_CASE("diff names the fields of bodies that differ, and dump says where they are") {
  SkyrimBench bench;
  REQUIRE(bench.run("collision set", R"({"node":["Arm"],"friction":0.75})", {{"file", "doll.nif"}}, "set.nif"));
  REQUIRE_MESSAGE(bench.run("diff", "{}", {{"a", "doll.nif"}, {"b", "set.nif"}}), bench.error);
  REQUIRE(bench.report["differences"].size() == 1);
  const Json& difference = bench.report["differences"].items()[0];
  CHECK(difference["object"].text().ends_with(".bhkRigidBody"));
  CHECK(difference["field"].text() == "friction");
  CHECK(difference["left"].text() == "0.3");
  CHECK(difference["right"].text() == "0.75");
  REQUIRE_MESSAGE(bench.run("dump", R"({"format":"json"})", {{"file", "set.nif"}}), bench.error);
  const auto dumped = parse_json(bench.report["dump"].text());
  REQUIRE(dumped);
  std::size_t found = 0;
  for (const Json& block : dumped->items())
    for (const Json& field : block["fields"].items()) {
      if (field["name"].text() != "friction" || field["value"].text() != "0.75") continue;
      ++found;
      const auto at = static_cast<std::size_t>(field["offset"].integer());
      CHECK(load<float>(bench.files["set.nif"], at) == 0.75f);
    }
  CHECK(found == 1);
  REQUIRE(bench.run("dump", R"({"object":0})", {{"file", "set.nif"}}));
  CHECK(bench.report["dump"].text().find("block 0 BSFadeNode") == 0);
  CHECK(bench.report["dump"].text().find("name: \"") != std::string::npos);
  CHECK_FALSE(bench.run("dump", R"({"object":99})", {{"file", "set.nif"}}));
}

TEST_CASE("a copy of a box stays a box, also on a body that places its shape once more") {
  SkyrimBench bench;
  REQUIRE_MESSAGE(
      bench.run("collision build", R"({"shape":"box","mass":4,"to":"skyrim-se"})", {{"mesh", "cube.obj"}}, "box.nif"),
      bench.error);
  NifFile nif = *read_nif(bench.files["box.nif"]);
  auto systems = *bhk::read_systems(nif);
  Body& body = systems[0].system.bodies[0];
  body.skyrim->type = "bhkRigidBodyT";
  body.position = Vec4(1, 0, 0, 0);
  body.orientation = make_quat(0, 0, std::sqrt(0.5f), std::sqrt(0.5f));
  Notes notes;
  REQUIRE(bhk::write_systems(nif, systems, notes));
  bench.files["moved.nif"] = write_nif(nif);
  CHECK(bench.collision("moved.nif").system.bodies[0].shape_frame().translation == Vec3(1, 0, 0));
  for (const std::string file : {"box.nif", "moved.nif"}) {
    REQUIRE_MESSAGE(bench.run("collision export", R"({"format":"obj"})", {{"file", file}}, "box.obj"), bench.error);
    // The same object again, 40 units along y.
    std::string text(as_text(bench.files["box.obj"]));
    std::string copy = "o copy.001\n";
    std::size_t count = 0;
    for (std::size_t at = text.find("\nv "); at != std::string::npos; at = text.find("\nv ", at + 1)) {
      double x = 0, y = 0, z = 0;
      std::sscanf(text.c_str() + at + 3, "%lf %lf %lf", &x, &y, &z);
      copy += "v " + std::to_string(x) + " " + std::to_string(y + 40) + " " + std::to_string(z) + "\n";
      ++count;
    }
    for (std::size_t at = text.find("\nf "); at != std::string::npos; at = text.find("\nf ", at + 1)) {
      int a = 0, b = 0, c = 0;
      std::sscanf(text.c_str() + at + 3, "%d %d %d", &a, &b, &c);
      const int more = static_cast<int>(count);
      copy += "f " + std::to_string(a + more) + " " + std::to_string(b + more) + " " + std::to_string(c + more) + "\n";
    }
    const std::size_t name = text.find("\no ");
    REQUIRE(name != std::string::npos);
    copy.replace(2, 4, text.substr(name + 3, text.find('\n', name + 3) - name - 3));
    bench.files["two.obj"] = test::text_bytes(text + copy);
    REQUIRE_MESSAGE(bench.run("collision replace", "{}", {{"nif", file}, {"blob", "two.obj"}}, "two.nif"), bench.error);
    const DocumentCollision& collision = bench.collision("two.nif");
    const CollisionSystem& system = collision.system;
    const auto* list = std::get_if<CompoundShape>(&system.find_shape(system.bodies[0].shape)->geometry);
    REQUIRE(list);
    REQUIRE(list->instances.size() == 2);
    for (const ShapeInstance& instance : list->instances) CHECK(type_name(*system.find_shape(instance.shape)) == "box");
    // In the scene the copy is 40 units along y, whatever the body does to its shape.
    const Frame own = system.bodies[0].shape_frame();
    const auto in_scene = [&](const ShapeInstance& each) {
      return (own.rotation * each.frame.translation + own.translation) * kGameUnitsPerHavokUnit;
    };
    CHECK(glm::distance(in_scene(list->instances[1]) - in_scene(list->instances[0]), Vec3(0, 40, 0)) < 0.01f);
    CHECK(bench.serious("two.nif").empty());
  }
}

TEST_CASE("a port to the other game lists what is another thing there") {
  SkyrimBench bench;
  REQUIRE_MESSAGE(
      bench.run("collision build", R"({"to":"skyrim-se","shape":"box","mass":5,"material":"wood","layer":"WARD"})",
                {{"mesh", "cube.obj"}}, "box.nif"),
      bench.error);
  REQUIRE_MESSAGE(bench.run("convert", R"({"to":"fallout4"})", {{"file", "box.nif"}}, "box_fo4.nif"), bench.error);
  const auto is = [&](std::string_view what) {
    for (const Json& each : bench.report["changed"].items())
      if (each["what"].text() == what) return each["from"].text() + " -> " + each["to"].text();
    return std::string();
  };
  CHECK(is("shape") == "box -> polytope");
  CHECK(is("layer") == "WARD -> NONCOLLIDABLE");
  CHECK(is("inertia") == "as stored -> computed from the shape");
  CHECK(is("motion").empty());
  for (const Json& each : bench.report["changed"].items())
    CHECK(each["where"].text().starts_with(each["what"].text() == "material" ? "collision" : "node '"));
  REQUIRE_MESSAGE(bench.run("convert", R"({"to":"skyrim-se"})", {{"file", "box_fo4.nif"}}, "box_back.nif"),
                  bench.error);
  CHECK(is("shape").empty());
  CHECK(is("layer").empty());
  // Within one game nothing is another thing.
  REQUIRE_MESSAGE(bench.run("convert", R"({"to":"skyrim-le"})", {{"file", "box.nif"}}, "box_le.nif"), bench.error);
  CHECK(bench.report["changed"].size() == 0);
}
