// SPDX-License-Identifier: MIT
#include "marrow/model/collision.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "core/crc32.h"
#include "marrow/core/text.h"
#include "marrow/model/collision_names.h"

using namespace marrow;

TEST_CASE("every material's CRC is that of its lower-case name") {
  for (const CollisionMaterial& material : collision_materials()) {
    CAPTURE(material.name);
    CHECK(crc32_plain(to_lower(material.hashed)) == material.crc);
  }
  CHECK(collision_materials().size() == 157);
  CHECK(std::ranges::is_sorted(collision_materials(), {}, &CollisionMaterial::crc));
}

TEST_CASE("a material is found by game name, plain name or CRC, in any case") {
  for (const std::string_view text :
       {"wood", "WOOD", "Material_Wood", "material_wood", "0x1dd9c611", "0x1DD9C611", "1DD9C611"})
    CHECK(find_material(text) == 0x1DD9C611);
  CHECK(find_material("WoodCrate") == 0x14560422);
  CHECK(find_material("none") == 0x5ED4DFD3);
  CHECK(find_material("0xFCB37EA0") == 0xFCB37EA0);  // in the game's files, without a known name
  for (const CollisionMaterial& material : collision_materials()) CHECK(find_material(material.name) == material.crc);
}

TEST_CASE("a material that is not known gives names near it and the CRC of its name") {
  const auto found = find_material("woo");
  REQUIRE_FALSE(found);
  CHECK(found.error().message.find("Material_Wood") != std::string::npos);
  CHECK(found.error().message.find("0x") != std::string::npos);
  CHECK_FALSE(find_material(""));
}

TEST_CASE("names of materials and layers come back") {
  CHECK(material_name(0x064003D4) == "Material_Metal");
  CHECK(material_name(0xFCB37EA0) == "0xfcb37ea0");
  CHECK(layer_name(1) == "STATIC");
  CHECK(layer_name(127) == "127");
  for (const std::string_view text : {"static", "STATIC", "L_STATIC", "FO4L_STATIC", "1"}) CHECK(find_layer(text) == 1);
  CHECK(find_layer("line of sight") == 41);
  CHECK(find_layer("lineofsight") == 41);
  CHECK_FALSE(find_layer("200"));
  CHECK_FALSE(find_layer("nowhere"));
}

TEST_CASE("the kind of motion follows from the motion and its mass") {
  CollisionSystem system;
  system.motions = {Motion{.inverse_mass = 0.25f}, Motion{}};
  system.bodies.resize(3);
  system.bodies[0].motion = 0;
  system.bodies[1].motion = 1;
  CHECK(motion_type(system, system.bodies[0]) == MotionType::Dynamic);
  CHECK(mass_of(system, system.bodies[0]) == 4.0f);
  CHECK(motion_type(system, system.bodies[1]) == MotionType::Keyframed);
  CHECK(motion_type(system, system.bodies[2]) == MotionType::Static);
}

TEST_CASE("changing the layer leaves part and group") {
  Body body{.filter = 0xABCD8013};
  body.set_layer(4);
  CHECK(body.filter == 0xABCD8004);
  CHECK(body.layer() == 4);
}

TEST_CASE("numbers that lead nowhere and compounds that hold themselves are refused") {
  CollisionSystem system;
  system.surfaces.resize(1);
  system.bodies.resize(1);
  CHECK(validate(system));
  system.bodies[0].shape = ShapeId{3};
  CHECK_FALSE(validate(system));
  const ShapeId outer = system.add_shape({.geometry = CompoundShape{.instances = {{.shape = ShapeId{1}}}}});
  const ShapeId inner = system.add_shape({.geometry = ScaledShape{.core = ShapeId{2}}});
  system.add_shape({.geometry = BallShape{}});
  system.bodies[0].shape = outer;
  CHECK(validate(system));
  std::get<ScaledShape>(system.find_shape(inner)->geometry).core = outer;
  CHECK_FALSE(validate(system));
  system.shapes.clear();
  system.bodies[0].shape = ShapeId::None;
  system.bodies[0].motion = 0;
  CHECK_FALSE(validate(system));
}

TEST_CASE("a body stands where its node does, in the unit of the system, and takes its motion along") {
  CollisionSystem system;
  system.surfaces.emplace_back();
  system.motions = {{.inverse_mass = 1.0f, .center_of_mass = {0, 0, 2, 0}}};
  Shape shape;
  shape.geometry = Polytope{};
  system.bodies = {{.shape = system.add_shape(shape), .motion = 0}};
  const Transform node{{0, 69.99125f, 0}, make_quat(0.70710678f, 0, 0, 0.70710678f), Vec3(1.0f)};
  place_body(system, 0, node);
  CHECK(glm::distance(Vec3(system.bodies[0].position), Vec3(0, 1, 0)) < 1e-6f);
  CHECK(angle_degrees(system.bodies[0].orientation, node.rotation) < 1e-3f);
  // A quarter turn about x carries z to -y.
  CHECK(glm::distance(Vec3(system.motions[0].center_of_mass), Vec3(0, -1, 0)) < 1e-6f);
  place_body(system, 0, {});
  CHECK(glm::distance(Vec3(system.motions[0].center_of_mass), Vec3(0, 0, 2)) < 1e-6f);
}

TEST_CASE("a sphere's body stands at its centre") {
  CollisionSystem system;
  system.surfaces.emplace_back();
  Shape ball;
  ball.geometry = BallShape{{1, 0, 0}};
  system.bodies = {{.shape = system.add_shape(ball)}};
  place_body(system, 0, {{69.99125f, 0, 0}, make_quat(0, 0, 1, 0), Vec3(1.0f)});
  CHECK(glm::length(Vec3(system.bodies[0].position)) < 1e-6f);
}

TEST_CASE("shapes that share others are counted as often as they are used, and too many are refused") {
  CollisionSystem system;
  system.surfaces.emplace_back();
  Shape ball;
  ball.geometry = BallShape{};
  ShapeId below = system.add_shape(ball);
  for (int level = 0; level < 5; ++level) {
    Shape both;
    both.geometry = CompoundShape{.instances = {{.shape = below}, {.shape = below}}};
    below = system.add_shape(both);
  }
  Body body;
  body.shape = below;
  body.motion = kNoBody;
  system.bodies = {body};
  CHECK(expanded_size(system) == 32 * 256 + 31);  // balls as what they are exported as, and the compounds
  CHECK(validate(system));
  for (int level = 0; level < 35; ++level) {
    Shape both;
    both.geometry = CompoundShape{.instances = {{.shape = below}, {.shape = below}}};
    below = system.add_shape(both);
  }
  system.bodies[0].shape = below;
  const auto refused = validate(system);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == ErrorCode::LimitExceeded);
}
