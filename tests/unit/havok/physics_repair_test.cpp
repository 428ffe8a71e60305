// SPDX-License-Identifier: MIT
#include "havok/physics/repair.h"

#include <doctest/doctest.h>

#include <glm/geometric.hpp>

#include <algorithm>
#include <array>
#include <cstring>

#include "havok/physics/measure.h"
#include "havok/physics/physics.h"

using namespace marrow;

namespace {

Shape unit_box() { return havok::shape_of(*geometry::box_hull({.half_extents = {1, 1, 1}})); }

// One body of a shape; dynamic if it has a mass.
CollisionSystem system_of(Shape shape, float mass_kg = 0.0f) {
  CollisionSystem system;
  system.surfaces.emplace_back();
  Body body;
  body.shape = system.add_shape(std::move(shape));
  if (mass_kg > 0.0f) {
    const auto measured = havok::mass_properties(system, system.shapes.front());
    const geometry::BodyInertia inertia = geometry::body_inertia(*measured, double{mass_kg});
    system.motion_properties.emplace_back();
    Motion motion;
    motion.properties = 0;
    motion.inverse_mass = inertia.inverse_mass;
    motion.mass_factor = inertia.mass_factor;
    motion.inverse_inertia = Vec4(inertia.inverse_inertia, 1.0f);
    system.motions.push_back(motion);
    body.motion = 0;
    body.flags = body_flag::kContactImpulseEvents;
  }
  system.bodies.push_back(body);
  return system;
}

havok::Packfile file_of(const CollisionSystem& system) {
  auto file = havok::make_physics(system);
  REQUIRE(file);
  return std::move(*file);
}

std::vector<std::string> codes_of(const Findings& findings) {
  std::vector<std::string> codes;
  for (const Finding& finding : findings) codes.push_back(finding.code);
  return codes;
}

}  // namespace

TEST_CASE("a hull with fewer planes than faces is read with the planes of its faces, and rebuilt") {
  havok::Packfile file = file_of(system_of(unit_box()));
  const CollisionSystem right = *havok::read_physics(file, file.root);
  const auto hull = file.find_all("hknpConvexPolytopeShape").front();
  const havok::ArrayView planes = std::as_const(file).at(hull).fields().array("planes");
  const std::vector<float> first(planes.numbers<float>().begin(), planes.numbers<float>().begin() + 16);
  file.at(hull).fields().set_numbers<float>("planes", first);
  Findings findings;
  const auto read = havok::read_physics(file, file.root, {.findings = &findings});
  REQUIRE(read);
  CHECK(codes_of(findings) == std::vector<std::string>{"E_HULL_PLANES"});
  CHECK(findings.front().where == "objects[1].planes");
  const auto& expected = std::get<Polytope>(right.shapes.front().geometry).planes;
  const auto& computed = std::get<Polytope>(read->shapes.front().geometry).planes;
  REQUIRE(computed.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) CHECK(glm::distance(computed[i], expected[i]) < 1e-6f);
  Notes notes;
  CHECK(havok::rebuild_physics(file, file.root, &notes) == 1);
  CHECK(notes.size() == 1);
  findings.clear();
  const auto rebuilt = havok::read_physics(file, file.root, {.findings = &findings});
  REQUIRE(rebuilt);
  CHECK(findings.empty());
  CHECK(std::get<Polytope>(rebuilt->shapes.front().geometry).faces.size() == 6);
  CHECK(havok::rebuild_physics(file, file.root) == 0);
}

TEST_CASE("a sphere whose vertices reach past the end of the file has its centre, and is written whole") {
  Shape ball;
  ball.convex_radius = 0.5f;
  ball.geometry = BallShape{{1, 2, 3}};
  auto bytes = havok::write_packfile(file_of(system_of(ball)));
  REQUIRE(bytes);
  // Four vertices, 16 bytes on.
  const std::array pattern = {std::byte{4}, std::byte{0}, std::byte{16}, std::byte{0}};
  const auto four = std::ranges::search(*bytes, pattern).begin();
  REQUIRE(four != bytes->end());
  *four = std::byte{40};
  Findings findings;
  const auto file = havok::read_packfile(*bytes, {.findings = &findings});
  REQUIRE(file);
  CHECK(codes_of(findings) == std::vector<std::string>{"E_ARRAY_CUT"});
  const auto system = havok::read_physics(*file, file->root);
  REQUIRE(system);
  CHECK(std::get<BallShape>(system->shapes.front().geometry).center == Vec3(1, 2, 3));
  const auto sphere = file->find_all("hknpSphereShape").front();
  const havok::ArrayView vertices = file->at(sphere).fields().array("vertices");
  REQUIRE(vertices.size() == 40);
  CHECK(std::memcmp(vertices.numbers<float>().data(), vertices.numbers<float>().data() + 39 * 4, 16) == 0);
  CHECK_FALSE(havok::read_packfile(*bytes, {.limits = {.max_expanded_bytes = 1024}}));
}

TEST_CASE("materials under a wrong key are read, reported once and put where the game looks") {
  MeshShape mesh;
  mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}};
  mesh.faces = {{{0, 1, 2}, 0, 0}};
  mesh.materials = {{1, 0x1DD9C611}};
  Shape shape;
  shape.geometry = mesh;
  havok::Packfile file = file_of(system_of(shape));
  file.at(file.find_all("hkRefCountedProperties").front()).fields().element("entries", 0).set_integer("key", 0xF100);
  Findings findings;
  const auto read = havok::read_physics(file, file.root, {.findings = &findings});
  REQUIRE(read);
  CHECK(codes_of(findings) == std::vector<std::string>{"E_PROPERTY_KEY"});
  CHECK(std::get<MeshShape>(read->shapes.front().geometry).materials == mesh.materials);
  REQUIRE(havok::rebuild_physics(file, file.root));
  findings.clear();
  const auto rebuilt = havok::read_physics(file, file.root, {.findings = &findings});
  REQUIRE(rebuilt);
  CHECK(findings.empty());
  CHECK(std::get<MeshShape>(rebuilt->shapes.front().geometry).materials == mesh.materials);
}

TEST_CASE("properties of a version of their class that is not known stay what they are when a system is rebuilt") {
  havok::Packfile file = file_of(system_of(unit_box()));
  const havok::Opaque unknown{"hkRefCountedProperties", 1, std::vector<std::byte>(32), {}, {}};
  file.objects.emplace_back().set_opaque(unknown);
  REQUIRE(havok::rebuild_physics(file, file.root));
  const auto kept = std::ranges::find_if(file.objects, [](const havok::Object& each) { return !each.type; });
  REQUIRE(kept != file.objects.end());
  CHECK(kept->opaque() == unknown);
}

TEST_CASE("a capsule whose core lies elsewhere is reported and written anew") {
  Shape capsule;
  capsule.convex_radius = 0.99f * 0.25f;
  capsule.geometry = CapsuleShape{{0, 0, 0}, {0, 0, 1}};
  havok::Packfile file = file_of(system_of(capsule));
  const havok::Packfile right = file;
  const auto id = file.find_all("hknpCapsuleShape").front();
  std::vector<float> floats(32, 7.0f);
  file.at(id).fields().set_numbers<float>("vertices", floats);
  Findings findings;
  REQUIRE(havok::read_physics(file, file.root, {.findings = &findings}));
  CHECK(codes_of(findings) == std::vector<std::string>{"E_CAPSULE_CORE"});
  REQUIRE(havok::rebuild_physics(file, file.root));
  CHECK(havok::write_packfile(file) == havok::write_packfile(right));
}

TEST_CASE("the core of a capsule may be turned about its axis") {
  Shape capsule;
  capsule.convex_radius = 0.99f * 0.25f;
  capsule.geometry = CapsuleShape{{0, 0, 0}, {0, 0, 1}};
  havok::Packfile file = file_of(system_of(capsule));
  const auto id = file.find_all("hknpCapsuleShape").front();
  const havok::FieldsView fields = file.at(id).fields();
  const havok::ArrayView view = fields.array("vertices");
  const std::span<const float> stored = view.numbers<float>();
  std::vector<float> turned(stored.begin(), stored.end());
  for (std::size_t i = 0; i + 3 < turned.size(); i += 4) {
    const float x = turned[i], y = turned[i + 1];
    turned[i] = 0.6f * x - 0.8f * y;
    turned[i + 1] = 0.8f * x + 0.6f * y;
  }
  file.at(id).fields().set_numbers<float>("vertices", turned);
  Findings findings;
  REQUIRE(havok::read_physics(file, file.root, {.findings = &findings}));
  CHECK(findings.empty());
  const havok::Packfile before = file;
  CHECK(havok::rebuild_physics(file, file.root) == 0);
  CHECK(file == before);
}

TEST_CASE("a sphere that the file ends in has its centre where its body is") {
  Shape ball;
  ball.convex_radius = 0.5f;
  ball.geometry = BallShape{{0, 0, 0}};
  CollisionSystem system = system_of(ball);
  system.bodies[0].position = Vec4(0.1f, 0.2f, 0.3f, 0.0f);
  havok::Packfile file = file_of(system);
  Findings findings;
  // A sphere of the game, on a node that is elsewhere, is right.
  auto read = havok::read_physics(file, file.root, {.findings = &findings});
  REQUIRE(read);
  CHECK(findings.empty());
  CHECK(std::get<BallShape>(read->shapes[0].geometry).center == Vec3(0.0f));
  file.cut = {file.find_all("hknpSphereShape").front()};
  read = havok::read_physics(file, file.root, {.findings = &findings});
  REQUIRE(read);
  CHECK(codes_of(findings) == std::vector<std::string>{"E_SPHERE_CENTRE"});
  CHECK(std::get<BallShape>(read->shapes[0].geometry).center == Vec3(0.1f, 0.2f, 0.3f));
  REQUIRE(havok::rebuild_physics(file, file.root));
  const auto bytes = havok::write_packfile(file);
  REQUIRE(bytes);
  const auto again = havok::read_packfile(*bytes);
  REQUIRE(again);
  CHECK(std::get<BallShape>(havok::read_physics(*again, again->root)->shapes[0].geometry).center ==
        Vec3(0.1f, 0.2f, 0.3f));
}

TEST_CASE("what follows from the rest of a system is repaired, with a note each, and nothing else") {
  CollisionSystem system = system_of(unit_box(), 8.0f);
  Notes notes;
  CHECK(havok::repair(system, notes) == 0);
  const CollisionSystem right = system;
  SUBCASE("a vertex outside its hull's planes") { std::get<Polytope>(system.shapes[0].geometry).planes[0].w += 0.5f; }
  SUBCASE("mass properties of another shape") { system.shapes[0].mass->volume = 0.38f; }
  SUBCASE("a dynamic body without impact events") { system.bodies[0].flags = 0; }
  SUBCASE("the inertia of another shape") { system.motions[0].inverse_inertia = Vec4(9, 9, 9, 1); }
  SUBCASE("motion properties that are not there") { system.motions[0].properties = kNoMotionProperties; }
  CHECK(havok::repair(system, notes) == 1);
  CHECK(notes.size() == 1);
  CHECK(system.bodies == right.bodies);
  CHECK(system.motion_properties_of(system.bodies[0]) != nullptr);
  CHECK(havok::inertia_error(system, system.bodies[0])->inertia < 1e-6);
  CHECK(havok::has_right_mass(system.shapes[0]));
  CHECK(std::get<Polytope>(system.shapes[0].geometry).faces.size() == 6);
}

TEST_CASE("triangles without a material get the shape's, and a compound's tree holds its children again") {
  Shape mesh;
  mesh.material = 0x064003D4;
  mesh.geometry = MeshShape{.vertices = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}}, .faces = {{{0, 1, 2}, 3, 0}}};
  CollisionSystem system = system_of(mesh);
  CompoundShape compound;
  compound.instances = {{.shape = ShapeId{0}}, {.shape = ShapeId{0}, .frame = {glm::mat3(1.0f), {0, 3, 0}}}};
  REQUIRE(havok::build_tree(system, compound));
  compound.nodes[2].max.x -= 0.5f;
  Shape outer;
  outer.geometry = compound;
  system.bodies[0].shape = system.add_shape(outer);
  system.bodies[0].filter = 2;
  Notes notes;
  CHECK(havok::repair(system, notes) == 3);
  CHECK(std::get<MeshShape>(system.shapes[0].geometry).materials == std::vector<MeshMaterial>{{2, 0x064003D4}});
  CHECK(system.shapes[1].key_bits == 2);
  CHECK(havok::verify_tree(system, std::get<CompoundShape>(system.shapes[1].geometry)).empty());
  CHECK(havok::repair(system, notes) == 0);
}
