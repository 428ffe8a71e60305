// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <limits>

#include "havok/object/numbers.h"
#include "havok/physics/physics.h"
#include "havok/physics/rules.h"

using namespace marrow;

namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

havok::Packfile numbered_sample() {
  CollisionSystem system;
  Shape ball;
  ball.convex_radius = 0.5f;
  ball.geometry = BallShape{{0, 0, 0}};
  Body body;
  body.shape = system.add_shape(ball);
  system.surfaces.emplace_back();
  system.bodies.push_back(body);
  return *havok::make_physics(system);
}

std::vector<std::string> codes(const havok::Packfile& file) {
  std::vector<std::string> found;
  for (const Finding& finding : havok::check_numbers(file, havok::physics_rules()))
    found.push_back(finding.code + " " + finding.where);
  return found;
}

}  // namespace

TEST_CASE("every number of a file is checked, wherever it lies") {
  havok::Packfile file = numbered_sample();
  CHECK(codes(file).empty());
  havok::Fields body = file.at(file.root).fields().element("bodyCinfos", 0);
  SUBCASE("a vector in a record of an array") {
    body.set_floats("position", std::array{0.0f, kNan, 0.0f, 0.0f});
    CHECK(codes(file) == std::vector<std::string>{"E_NOT_FINITE objects[0].bodyCinfos[0].position"});
  }
  SUBCASE("but not the fourth lane, which holds other things") {
    body.set_floats("position", std::array{0.0f, 0.0f, 0.0f, kNan});
    CHECK(codes(file).empty());
  }
  SUBCASE("a quaternion, whose fourth lane counts, and whose length is 1") {
    body.set_floats("orientation", std::array{0.0f, 0.0f, 0.0f, kNan});
    CHECK(codes(file) == std::vector<std::string>{"E_NOT_FINITE objects[0].bodyCinfos[0].orientation"});
    file.at(file.root).fields().element("bodyCinfos", 0).set_floats("orientation", std::array{0.0f, 0.0f, 0.0f, 0.0f});
    CHECK(codes(file) == std::vector<std::string>{"E_RANGE objects[0].bodyCinfos[0].orientation"});
  }
  SUBCASE("a half, which is not a number or too small") {
    havok::Fields surface = file.at(file.root).fields().element("materials", 0);
    surface.set_real("restitution", -1.0);
    CHECK(codes(file) == std::vector<std::string>{"E_RANGE objects[0].materials[0].restitution"});
    file.at(file.root).fields().element("materials", 0).set_real("restitution", double{kNan});
    CHECK(codes(file) == std::vector<std::string>{"E_NOT_FINITE objects[0].materials[0].restitution"});
  }
  SUBCASE("vectors of an array, once for all of them") {
    const std::vector<float> floats(16, kNan);
    const havok::ObjectId shape = file.find_all("hknpSphereShape").front();
    file.at(shape).fields().set_numbers<float>("vertices", floats);
    REQUIRE(codes(file).size() == 1);
    CHECK(codes(file)[0].starts_with("E_NOT_FINITE"));
  }
}
