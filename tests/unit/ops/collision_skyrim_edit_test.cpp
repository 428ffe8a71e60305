// SPDX-License-Identifier: MIT
// Edits and ports of Skyrim's collision: what follows, and what stays as it is.
#include <doctest/doctest.h>

#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>
#include <set>

#include "marrow/model/collision_names.h"
#include "nif/bhk.h"
#include "nif/record.h"
#include "ops/collision/collision.h"
#include "ops/collision/joint_edit.h"
#include "ops/collision/joints.h"
#include "ops/collision/port.h"
#include "support/operation_bench.h"

using namespace marrow;

namespace {

// A cube with the corner `at` as an object of an .obj file that has `before` objects already.
std::string cube(std::string_view name, int at, int before) {
  std::string text = "o " + std::string(name) + "\n";
  for (int i = 0; i < 8; ++i)
    text += "v " + std::to_string(at + 18 * (i & 1)) + " " + std::to_string(at + 18 * (i >> 1 & 1)) + " " +
            std::to_string(at + 18 * (i >> 2)) + "\n";
  constexpr int kFaces[6][4] = {{1, 3, 4, 2}, {5, 6, 8, 7}, {1, 2, 6, 5}, {3, 7, 8, 4}, {1, 5, 7, 3}, {2, 4, 8, 6}};
  for (const auto& face : kFaces) {
    text += "f";
    for (const int corner : face) text += " " + std::to_string(corner + 8 * before);
    text += "\n";
  }
  return text;
}

struct EditBench : test::OperationBench {
  EditBench() {
    files["cube.obj"] = test::text_bytes(cube("Cube", -9, 0));
    files["two.obj"] = test::text_bytes(cube("Near", -9, 0) + cube("Far", 40, 1));
    files["three.obj"] = test::text_bytes(cube("Near", -9, 0) + cube("Far", 40, 1) + cube("Free", 80, 2));
  }

  void must(std::string_view operation, std::string_view options,
            const std::vector<std::pair<std::string_view, std::string>>& inputs, const std::string& output) {
    REQUIRE_MESSAGE(run(operation, options, inputs, output), error);
  }

  const DocumentCollision& collision(const std::string& file, std::size_t system = 0) {
    loaded = load_collision(file);
    REQUIRE(loaded.collision.size() > system);
    return loaded.collision[system];
  }

  NifFile nif(const std::string& file) { return *read_nif(files.at(file)); }

  // Blocks of two files that differ, by type.
  std::set<std::string> changed_blocks(const std::string& before, const std::string& after) {
    const NifFile a = nif(before), b = nif(after);
    REQUIRE(a.blocks.size() == b.blocks.size());
    std::set<std::string> types;
    for (std::size_t i = 0; i < a.blocks.size(); ++i)
      if (a.blocks[i].bytes != b.blocks[i].bytes) types.emplace(b.type_of(static_cast<std::int32_t>(i)));
    return types;
  }

  Document loaded = {};
};

Vec3 in_scene(const DocumentCollision& collision, std::uint32_t body, const Vec3& pivot) {
  const BodyNode& node = *std::ranges::find(collision.nodes, body, &BodyNode::body);
  const Frame own = collision.system.bodies[body].shape_frame();
  return node.world.translation +
         node.world.rotation * ((own.rotation * pivot + own.translation) * collision.system.game_units);
}

}  // namespace

TEST_CASE("the pivots of a new joint meet in the scene, also on a body that places its shape once more") {
  EditBench bench;
  bench.must("collision build", R"({"shape":"box","mass":4,"to":"skyrim-se"})", {{"mesh", "two.obj"}}, "boxes.nif");
  NifFile nif = bench.nif("boxes.nif");
  auto systems = *bhk::read_systems(nif);
  Body& body = systems[0].system.bodies[1];
  body.skyrim->type = "bhkRigidBodyT";
  body.position = Vec4(1, 2, 3, 0);
  body.orientation = make_quat(0, 0, std::sqrt(0.5f), std::sqrt(0.5f));
  Notes notes;
  REQUIRE(bhk::write_systems(nif, systems, notes));
  bench.files["moved.nif"] = write_nif(nif);
  for (const char* ends : {R"("body":"Far","to":"Near")", R"("body":"Near","to":"Far")"}) {
    bench.must("collision add-joint",
               "{" + std::string(ends) + R"(,"kind":"hinge","pivot":[3,4,5],"axis":[0,1,1],"normal":[1,0,0]})",
               {{"file", "moved.nif"}}, "joint.nif");
    const DocumentCollision& made = bench.collision("joint.nif");
    REQUIRE(made.system.constraints.size() == 1);
    const Constraint& joint = made.system.constraints[0];
    const JointFrames frames = *frames_of(joint.joint);
    CHECK(glm::distance(in_scene(made, joint.body_a, frames.a.translation),
                        in_scene(made, joint.body_b, frames.b.translation)) < 1e-3f);
    CHECK(glm::distance(frames.a.translation * kGameUnitsPerHavokUnit, Vec3(3, 4, 5)) < 1e-3f);
    const auto axis = [&](std::uint32_t of, const Frame& frame) {
      return made.system.bodies[of].shape_frame().rotation * frame.rotation[0];
    };
    CHECK(glm::distance(axis(joint.body_a, frames.a), axis(joint.body_b, frames.b)) < 1e-5f);
  }
}

TEST_CASE("another layer or material of a mesh changes its list of materials, not its triangles and code") {
  EditBench bench;
  bench.must("collision build", R"({"shape":"mesh","material":"wood","to":"skyrim-se"})", {{"mesh", "cube.obj"}},
             "mesh.nif");
  bench.must("collision set", R"({"layer":"TREES"})", {{"file", "mesh.nif"}}, "trees.nif");
  CHECK(bench.changed_blocks("mesh.nif", "trees.nif") ==
        std::set<std::string>{"bhkRigidBody", "bhkCompressedMeshShapeData"});
  const CollisionSystem& trees = bench.collision("trees.nif").system;
  CHECK(trees.bodies[0].layer() == 9);
  CHECK(std::get<MeshShape>(trees.shapes[0].geometry).materials.at(0).filter == 9);
  bench.must("collision set", R"({"material":"stone"})", {{"file", "mesh.nif"}}, "stone.nif");
  CHECK(bench.changed_blocks("mesh.nif", "stone.nif") == std::set<std::string>{"bhkCompressedMeshShapeData"});
  const CollisionSystem& stone = bench.collision("stone.nif").system;
  CHECK(stone.shapes[0].material == *find_material("stone", CollisionGame::Skyrim));
  // Back again, all bytes are those of the first file.
  bench.must("collision set", R"({"material":"wood"})", {{"file", "stone.nif"}}, "wood.nif");
  CHECK(bench.files["wood.nif"] == bench.files["mesh.nif"]);
}

TEST_CASE("a box in another place takes a new material") {
  EditBench bench;
  bench.must("collision build", R"({"shape":"box","mass":4,"material":"wood","to":"skyrim-se"})", {{"mesh", "two.obj"}},
             "boxes.nif");
  bench.must("collision set", R"({"material":"metal"})", {{"file", "boxes.nif"}}, "metal.nif");
  const CollisionSystem& system = bench.collision("metal.nif").system;
  for (const Shape& shape : system.shapes) CHECK(shape.material == *find_material("SolidMetal", CollisionGame::Skyrim));
}

TEST_CASE("bodies to change are named by number or node") {
  EditBench bench;
  bench.must("collision build", R"({"shape":"box","mass":4,"to":"skyrim-se"})", {{"mesh", "two.obj"}}, "boxes.nif");
  for (const char* which : {R"({"body":["Far"],"mass":9})", R"({"body":[1],"mass":9})", R"({"body":["1"],"mass":9})",
                            R"({"node":["Far"],"mass":9})"}) {
    bench.must("collision set", which, {{"file", "boxes.nif"}}, "set.nif");
    const CollisionSystem& system = bench.collision("set.nif").system;
    CHECK(mass_of(system, system.bodies[0]) == doctest::Approx(4));
    CHECK(mass_of(system, system.bodies[1]) == doctest::Approx(9));
  }
  CHECK_FALSE(bench.run("collision set", R"({"body":["Middle"],"mass":9})", {{"file", "boxes.nif"}}));
  CHECK_FALSE(bench.run("collision set", R"({"body":[2],"mass":9})", {{"file", "boxes.nif"}}));
}

TEST_CASE("what Fallout 4 calls a material finds Skyrim's") {
  const auto crc = [](std::string_view name) { return find_material(name, CollisionGame::Skyrim); };
  CHECK(*crc("metal") == *crc("SolidMetal"));
  CHECK(*crc("Material_Metal") == *crc("SolidMetal"));
  CHECK(*crc("paper") == *crc("MaterialBook"));
  CHECK_FALSE(crc("cheese on toast"));
}

TEST_CASE("a ball chain is not said to break") {
  CollisionSystem system;
  system.bodies.resize(2);
  system.constraints.push_back({.body_a = 0, .body_b = 1, .joint = ChainJoint{.bodies = {0, 1}, .links = {{}}}});
  CHECK_FALSE(edit_joint(system, 0, {.break_threshold = 5.0f}));
  CHECK_FALSE(system.constraints[0].break_threshold);
}

TEST_CASE("nodes with one name keep the bodies that they have in a port") {
  EditBench bench;
  bench.must("collision build", R"({"shape":"box","mass":4,"to":"skyrim-se"})", {{"mesh", "two.obj"}}, "boxes.nif");
  NifFile nif = bench.nif("boxes.nif");
  for (std::string& text : nif.strings)
    if (text == "Far") text = "Near";
  bench.files["twins.nif"] = write_nif(nif);
  std::string file = "twins.nif";
  for (const char* game : {"fallout4", "skyrim-le"}) {
    bench.must("convert", R"({"to":")" + std::string(game) + "\"}", {{"file", file}}, std::string(game) + ".nif");
    file = std::string(game) + ".nif";
    const Document ported = bench.load_collision(file);
    std::set<std::uint32_t> bodies;
    std::size_t nodes = 0;
    for (const DocumentCollision& each : ported.collision)
      for (const BodyNode& node : each.nodes) {
        CHECK(node.name == "Near");
        bodies.insert(node.body);
        ++nodes;
      }
    CHECK(nodes == 2);
    CHECK(bodies.size() == 2);
  }
}

TEST_CASE("what hangs on shapes, and controllers, are counted among what a port leaves out") {
  EditBench bench;
  bench.must("collision build", R"({"shape":"box","mass":4,"to":"skyrim-se"})", {{"mesh", "cube.obj"}}, "box.nif");
  NifFile nif = bench.nif("box.nif");
  for (const char* type : {"bhkBlendController", "bhkLiquidAction", "NiStringExtraData"})
    REQUIRE(nif::append_block(nif, nif::new_record(nif, type)));
  bench.files["more.nif"] = write_nif(nif);
  bench.must("convert", R"({"to":"fallout4"})", {{"file", "more.nif"}}, "fo4.nif");
  const Json& left = bench.report["left_out"];
  CHECK(left["bhkBlendController"].integer() == 1);
  CHECK(left["bhkLiquidAction"].integer() == 1);
  CHECK(left["NiStringExtraData"].integer() == 1);
  CHECK(left.size() == 3);
}

TEST_CASE("the boxes of a mesh's code lie within each other and around the mesh") {
  EditBench bench;
  bench.must("collision build", R"({"shape":"mesh","to":"skyrim-se"})", {{"mesh", "cube.obj"}}, "mesh.nif");
  REQUIRE_MESSAGE(bench.run("collision boxes", R"({"depth":64})", {{"file", "mesh.nif"}}), bench.error);
  const auto& boxes = bench.report["boxes"].items();
  REQUIRE(boxes.size() == 12 + 11);  // one per triangle and split
  const auto corner = [](const Json& box, const char* name, std::size_t i) { return box[name].items()[i].number(); };
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(corner(boxes[0], "centre", i) == doctest::Approx(0).epsilon(0.5));
    CHECK(corner(boxes[0], "size", i) >= 18.0);
    CHECK(corner(boxes[0], "size", i) < 20.0);
    for (const Json& box : boxes) CHECK(corner(box, "size", i) <= corner(boxes[0], "size", i) + 1e-3);
  }
  CHECK(boxes[0]["depth"].integer() == 0);
  CHECK(boxes[1]["depth"].integer() == 1);
}

TEST_CASE("a port names the shape that is in another place, not the place") {
  EditBench bench;
  bench.must("collision build", R"({"shape":"box","mass":4,"to":"skyrim-se"})", {{"mesh", "two.obj"}}, "boxes.nif");
  bench.must("convert", R"({"to":"fallout4"})", {{"file", "boxes.nif"}}, "fo4.nif");
  std::size_t shapes = 0;
  for (const Json& each : bench.report["changed"].items())
    if (each["what"].text() == "shape") {
      ++shapes;
      CHECK(each["from"].text() == "box");
    }
  CHECK(shapes == 2);
}

TEST_CASE("a phantom comes back from Fallout 4 as one") {
  DocumentCollision from;
  from.system.game = CollisionGame::Skyrim;
  Shape shape;
  shape.geometry = CapsuleShape{{0, 0, -1}, {0, 0, 1}, 1.0f};
  shape.convex_radius = 0.5f;
  from.system.shapes = {shape};
  from.system.surfaces.emplace_back();
  Body body{.shape = ShapeId{0}, .filter = 30};
  body.skyrim = SkyrimBody{.type = "bhkSimpleShapePhantom", .object = "bhkSPCollisionObject"};
  from.system.bodies = {body};
  from.nodes = {{0, "CharacterBumper", {}}};
  Notes notes;
  const auto there = port_collision(from, CollisionGame::Fallout4, notes);
  REQUIRE(there);
  CHECK(motion_type(there->system, there->system.bodies[0]) == MotionType::Static);
  CHECK((there->system.bodies[0].flags & body_flag::kTriggerEvents) != 0);
  const auto back = port_collision(*there, CollisionGame::Skyrim, notes);
  REQUIRE(back);
  CHECK(motion_type(back->system, back->system.bodies[0]) == MotionType::Phantom);
  CHECK(back->system.bodies[0].layer() == 30);
}

TEST_CASE("all systems of a NIF are attached, and bodies are added beside a ragdoll") {
  EditBench bench;
  bench.must("collision build", R"({"shape":"box","mass":4,"to":"skyrim-se"})", {{"mesh", "three.obj"}}, "boxes.nif");
  bench.must("collision detach", R"({"node":["Far"]})", {{"nif", "boxes.nif"}}, "bare.nif");
  NifFile nif = bench.nif("bare.nif");
  auto systems = *bhk::read_systems(nif);
  REQUIRE(systems.size() == 1);
  const auto whole = *bhk::read_systems(bench.nif("boxes.nif"));
  bhk::System ragdoll{.is_ragdoll = true};
  ragdoll.system = whole[0].system;
  ragdoll.system.bodies = {whole[0].system.bodies[1]};
  ragdoll.system.bodies[0].source = {};
  ragdoll.system.bodies[0].skyrim->object = "bhkBlendCollisionObject";
  for (Shape& shape : ragdoll.system.shapes) shape.source = {};
  ragdoll.nodes = {{0, kNoBlock, "Far"}};
  systems.push_back(std::move(ragdoll));
  Notes notes;
  REQUIRE(bhk::write_systems(nif, systems, notes));
  bench.files["both.nif"] = write_nif(nif);
  REQUIRE(bench.load_collision("both.nif").collision.size() == 2);
  bench.must("collision detach", "{}", {{"nif", "both.nif"}}, "bare.nif");
  bench.must("collision attach", "{}", {{"nif", "bare.nif"}, {"blob", "both.nif"}}, "back.nif");
  CHECK(bench.load_collision("back.nif").collision.size() == 2);
  // The physics system gets the body; nobody has to name its block.
  bench.must("collision remove-body", R"({"body":"Free"})", {{"file", "back.nif"}}, "less.nif");
  bench.must("collision add-body", R"({"node":"Free","shape":"box","mass":2})",
             {{"file", "less.nif"}, {"mesh", "cube.obj"}}, "more.nif");
  for (const DocumentCollision& each : bench.load_collision("more.nif").collision)
    CHECK(each.system.bodies.size() == (each.kind == EmbeddedKind::Ragdoll ? 1u : 2u));
}
