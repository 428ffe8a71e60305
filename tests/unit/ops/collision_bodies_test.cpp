// SPDX-License-Identifier: MIT
// One body at a time: its shape, its place, its properties.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "core/byte_writer.h"
#include "nif/embedded.h"
#include "ops/collision/author.h"
#include "ops/collision/check.h"
#include "ops/files/check.h"
#include "support/shelf.h"

using namespace marrow;
using namespace marrow::test;

TEST_CASE("set-shape replaces geometry and keeps everything else") {
  Shelf shelf;
  const CollisionSystem before = shelf.system("full.nif");
  for (const char* shape : {"hull", "box", "sphere", "capsule", "mesh", "compound", "decompose"}) {
    CAPTURE(shape);
    shelf.run("collision set-shape", std::string(R"({"body":"Door","shape":")") + shape + "\"}",
              {{"file", "full.nif"}, {"mesh", "boxes.obj"}}, "shaped.nif");
    const CollisionSystem after = shelf.system("shaped.nif");
    CHECK(bounds(after, 0).max.x - bounds(after, 0).min.x > 1.5f * (bounds(before, 0).max.x - bounds(before, 0).min.x));
    CHECK(mass_of(after, after.bodies[0]) == mass_of(before, before.bodies[0]));
    CHECK(after.bodies[0].filter == before.bodies[0].filter);
    CHECK(after.bodies[0].flags == before.bodies[0].flags);
    Body other = after.bodies[1];
    other.shape = before.bodies[1].shape;  // numbers of shapes may change
    CHECK(other == before.bodies[1]);
    CHECK(*after.find_shape(after.bodies[1].shape) == *before.find_shape(before.bodies[1].shape));
    CHECK(bounds(after, 2) == bounds(before, 2));
    CHECK(after.surfaces == before.surfaces);
    CHECK(check_collision(shelf.document("shaped.nif")).empty());
  }
  // In the space of the scene: the box at the origin lies 100 units from the door, which is turned.
  shelf.run("collision set-shape", R"({"body":"0","world":true})", {{"file", "full.nif"}, {"mesh", "box.obj"}},
            "world.nif");
  const CollisionSystem world = shelf.system("world.nif");
  CHECK(bounds(world, 0).max.y * kGameUnitsPerHavokUnit == doctest::Approx(120).epsilon(0.01));
  CHECK_FALSE(
      shelf.try_run("collision set-shape", R"({"body":"Window"})", {{"file", "full.nif"}, {"mesh", "box.obj"}}));
}

TEST_CASE("bodies are added with the place of their node, and BSXFlags follow") {
  Shelf shelf;
  const Document full = shelf.document("full.nif");
  REQUIRE(full.collision.size() == 1);
  CHECK(check_collision(full).empty());
  const CollisionSystem& system = full.collision[0].system;
  for (const BodyNode& node : full.collision[0].nodes) {
    const Body& body = system.bodies[node.body];
    CHECK(angle_degrees(body.orientation, node.world.rotation) < 0.01f);
    if (node.body == 1) continue;  // a sphere: at its centre
    for (int axis = 0; axis < 3; ++axis)
      CHECK(body.position[axis] * kGameUnitsPerHavokUnit == doctest::Approx(node.world.translation[axis]));
  }
  CHECK(system.bodies[1].position.z * kGameUnitsPerHavokUnit == doctest::Approx(25));  // half the box above the lamp
  CHECK(shelf.flags("full.nif") == (bsx_flag::kHavok | bsx_flag::kBelowRoot | bsx_flag::kDynamic));
  const auto taken =
      shelf.try_run("collision add-body", R"({"node":"Door"})", {{"file", "full.nif"}, {"mesh", "box.obj"}});
  REQUIRE_FALSE(taken);
  CHECK(taken.error().cure == Cure{"collision set-shape", {{"body", std::string("Door")}}});
  // A built sphere keeps its centre.
  shelf.run("collision build", R"({"shape":"sphere"})", {{"mesh", "box.obj"}}, "ball.hkx");
  CHECK(shelf.system("ball.hkx").bodies[0].position.z * kGameUnitsPerHavokUnit == doctest::Approx(15));
}

TEST_CASE("a removed body takes its node along, and the others are renumbered") {
  Shelf shelf;
  shelf.run("collision remove-body", R"({"body":"Door"})", {{"file", "full.nif"}}, "less.nif");
  const Document less = shelf.document("less.nif");
  REQUIRE(less.collision.size() == 1);
  const CollisionSystem before = shelf.system("full.nif");
  CHECK(less.collision[0].system.bodies.size() == 2);
  CHECK(less.collision[0].system.bodies[0].position == before.bodies[1].position);
  REQUIRE(less.collision[0].nodes.size() == 2);
  for (const BodyNode& node : less.collision[0].nodes) CHECK(node.body == (node.name == "Lamp" ? 0u : 1u));
  CHECK(check_collision(less).empty());
  CHECK((shelf.flags("less.nif") & bsx_flag::kDynamic) == 0);
  // Nothing of it is left behind: the list of shapes has one entry per body, and its hull is gone.
  const havok::Packfile file = havok::read_packfile(read_embedded(*less.nif()).value().at(0).bytes).value();
  const auto pointers = [&](std::string_view array, std::string_view member) {
    std::vector<havok::ObjectId> found;
    const havok::FieldsView system = file.at(file.root).fields();
    const havok::ArrayView list = system.array(array);
    for (std::uint32_t i = 0; i < list.size(); ++i)
      found.push_back(member.empty() ? list.pointer(i) : list.record(i).pointer(member));
    return found;
  };
  CHECK(pointers("referencedObjects", "") == pointers("bodyCinfos", "shape"));
  CHECK(file.find_all("hknpConvexPolytopeShape").size() == 2);
  // The same through `detach`, which names nodes.
  shelf.run("collision detach", R"({"node":["Door"]})", {{"nif", "full.nif"}}, "detached.nif");
  CHECK(shelf.files["detached.nif"] == shelf.files["less.nif"]);
  shelf.run("collision detach", "{}", {{"nif", "full.nif"}}, "none.nif");
  CHECK(shelf.report["nodes"].size() == 3);
  const Document none = shelf.document("none.nif");
  CHECK(none.collision.empty());
  CHECK(check_collision(none).empty());
  CHECK((shelf.flags("none.nif") & bsx_flag::kHavok) == 0);
}

TEST_CASE("a body becomes dynamic with layer, flags, mass and inertia, and says what does not fit") {
  Shelf shelf;
  shelf.run("collision remove-body", R"({"body":"Door"})", {{"file", "full.nif"}}, "still.nif");
  shelf.run("collision set", R"({"node":["Shelf"],"motion":"dynamic","mass":9})", {{"file", "still.nif"}},
            "moving.nif");
  const Document moving = shelf.document("moving.nif");
  const CollisionSystem& system = moving.collision[0].system;
  CHECK(system.bodies[1].layer() == 4);
  CHECK((system.bodies[1].flags & body_flag::kContactImpulseEvents) != 0);
  CHECK(havok::inertia_error(system, system.bodies[1])->inertia < 1e-4);
  CHECK((shelf.flags("moving.nif") & bsx_flag::kDynamic) != 0);
  CHECK(check_collision(moving).empty());
  CHECK(shelf.has_note("the layer is now CLUTTER"));
  CHECK_FALSE(shelf.try_run("collision set", R"({"motion":"dynamic"})", {{"file", "still.nif"}}));
  shelf.run("collision set", R"({"layer":"WEAPON"})", {{"file", "still.nif"}}, "weapon.nif");
  shelf.run("collision set", R"({"motion":"keyframed"})", {{"file", "weapon.nif"}}, "keyed.nif");
  CHECK(shelf.has_note("the layer stays WEAPON"));
}

TEST_CASE("one body is built from the visible shapes of a NIF, in the space of a node") {
  Shelf shelf;
  NifFile nif = test::sample_nif();
  const auto shape = [&](std::string_view name, Vec3 at) {
    std::vector<std::byte> start = test::node_bytes(add_string(nif, name), at, kNoBlock, {});
    start.resize(start.size() - 4);
    ByteWriter writer;
    writer.bytes(start);
    writer.fill(16);
    for (int i = 0; i < 3; ++i) writer.i32(kNoBlock);
    writer.u64((std::uint64_t{1} << 44) | (std::uint64_t{1} << 54) | 4);
    writer.u32(4);
    writer.u16(4);
    writer.u32(4 * 16 + 4 * 6);
    for (const Vec3& v : {Vec3(0, 0, 0), Vec3(10, 0, 0), Vec3(0, 10, 0), Vec3(0, 0, 10)})
      for (int i = 0; i < 4; ++i) writer.f32(i < 3 ? v[i] : 0.0f);
    for (const int corner : {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3}) writer.u16(static_cast<std::uint16_t>(corner));
    return add_block(nif, "BSTriShape", writer.take());
  };
  const std::int32_t seat = shape("Seat", {0, 0, 0}), back = shape("Back", {50, 0, 0});
  nif.blocks[1].bytes = test::node_bytes(1, {100, 0, 0}, kNoBlock, {seat, back});
  shelf.files["chair.nif"] = write_nif(nif);
  shelf.run("collision build", R"({"shape":"hull","from_shapes":[],"node":"Door"})", {{"mesh", "chair.nif"}},
            "both.hkx");
  const CollisionSystem both = shelf.system("both.hkx");
  REQUIRE(both.bodies.size() == 1);
  CHECK(std::holds_alternative<CompoundShape>(both.find_shape(both.bodies[0].shape)->geometry));
  // The sharp corners of the hulls are rounded off by the convex radius.
  CHECK(bounds(both, 0).max.x * kGameUnitsPerHavokUnit == doctest::Approx(60).epsilon(0.05));
  CHECK(both.bodies[0].position.x * kGameUnitsPerHavokUnit == doctest::Approx(100));
  shelf.run("collision build", R"({"shape":"mesh","from_shapes":["Seat"]})", {{"mesh", "chair.nif"}}, "seat.hkx");
  // The root stands at z = 10, the door at x = 100 of it.
  CHECK(bounds(shelf.system("seat.hkx"), 0).min.x * kGameUnitsPerHavokUnit == doctest::Approx(100).epsilon(0.01));
  CHECK_FALSE(shelf.try_run("collision build", R"({"shape":"mesh","from_shapes":["Leg"]})", {{"mesh", "chair.nif"}}));
  CHECK_FALSE(shelf.try_run("collision build", R"({"shape":"mesh"})", {{"mesh", "chair.nif"}}));
  // To look at: the shapes are behind the collision, and never come back as such.
  shelf.run("collision attach", R"({"node":["Door"]})", {{"nif", "chair.nif"}, {"blob", "both.hkx"}}, "hung.nif");
  shelf.run("collision export", R"({"format":"glb","show":true})", {{"file", "hung.nif"}}, "show.glb");
  const Document shown = test::loaded(shelf.files["show.glb"]);
  CHECK(shown.meshes.size() == 2);
  for (const DocumentMesh& mesh : shown.meshes) CHECK(mesh.colour.w < 1.0f);
  shelf.run("collision replace", "{}", {{"nif", "hung.nif"}, {"blob", "show.glb"}}, "same.nif");
  CHECK(shelf.files["same.nif"] == shelf.files["hung.nif"]);
}

TEST_CASE("numbers that make no sense are refused alike by build, set and add-body") {
  Shelf shelf;
  for (const char* bad : {R"("mass":-1)", R"("mass":0)", R"("friction":-0.5)", R"("restitution":-1)"}) {
    CAPTURE(bad);
    const std::string fields(bad);
    for (const auto& result :
         {shelf.try_run("collision build", R"({"shape":"hull",)" + fields + "}", {{"mesh", "box.obj"}}),
          shelf.try_run("collision set", "{" + fields + "}", {{"file", "full.nif"}}),
          shelf.try_run("collision add-body", R"({"node":"Door",)" + fields + "}",
                        {{"file", "bare.nif"}, {"mesh", "box.obj"}})}) {
      REQUIRE_FALSE(result);
      CHECK(result.error().code == ErrorCode::BadOption);
    }
  }
  for (const char* name : {"collision build", "collision set", "collision add-body"})
    for (const double value : {std::nan(""), HUGE_VAL}) {
      Json options = Json::object();
      options.set("friction", value);
      CHECK_FALSE(find_operation(name)->check_options(options));
    }
}

TEST_CASE("an error names the blob that is wrong, XML is a blob too, and names can be searched") {
  Shelf shelf;
  shelf.run("collision extract", "{}", {{"nif", "full.nif"}}, "blob.hkx");
  shelf.files["cut.hkx"] = {shelf.files["blob.hkx"].begin(), shelf.files["blob.hkx"].begin() + 300};
  for (const char* name : {"collision replace", "collision attach"}) {
    const auto cut = shelf.try_run(name, name == std::string("collision attach") ? R"({"node":["Door"]})" : "{}",
                                   {{"nif", "full.nif"}, {"blob", "cut.hkx"}});
    REQUIRE_FALSE(cut);
    CHECK(cut.error().file == "cut.hkx");
  }
  shelf.run("convert", R"({"format":"xml"})", {{"file", "blob.hkx"}}, "blob.xml");
  shelf.run("collision replace", "{}", {{"nif", "full.nif"}, {"blob", "blob.xml"}}, "same.nif");
  CHECK(shelf.files["same.nif"] == shelf.files["full.nif"]);
  const auto wood = find_materials({.pattern = "wood"});
  REQUIRE(wood);
  CHECK(std::ranges::find(wood->materials, std::string("0x1dd9c611"), &MaterialInfo::crc) != wood->materials.end());
  CHECK(find_layers({.pattern = "CLUT*"})->layers.front().number == 4);
  CHECK(find_layers({})->layers.size() > 40);
  CHECK_FALSE(find_materials({.pattern = "cheese"}));
  // By CRC and number too, also what the game uses and does not name.
  CHECK(find_materials({.pattern = "1DD9C611"})->materials.front().plain == "Wood");
  for (const char* crc : {"26067d15", "0xfcb37ea0", "5DD8A028"}) {
    const auto found = find_materials({.pattern = crc});
    REQUIRE(found);
    REQUIRE(found->materials.size() == 1);
    CHECK_FALSE(found->materials.front().used_by.value_or("").empty());
  }
  CHECK_FALSE(find_materials({.pattern = "00000001"}));
  REQUIRE(find_layers({.pattern = "22"}));
  CHECK(find_layers({.pattern = "22"})->layers.front().name == "ACTORZONE");
  CHECK_FALSE(find_layers({.pattern = "72"}));
}
