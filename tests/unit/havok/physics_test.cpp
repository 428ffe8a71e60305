// SPDX-License-Identifier: MIT
#include "havok/physics/physics.h"

#include <doctest/doctest.h>

#include "geometry/hull/fit.h"
#include "havok/physics/measure.h"
#include "havok/physics/mesh.h"

using namespace marrow;

namespace {

Shape box_shape(Vec3 center, Vec3 half, std::uint32_t material) {
  Shape shape = havok::shape_of(*geometry::box_hull({.center = center, .half_extents = half}));
  shape.material = material;
  return shape;
}

Shape quad_mesh() {
  MeshShape mesh;
  mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0.5f}};
  mesh.faces = {{{0, 1, 2}, 0, 0}, {{0, 2, 3}, 1, 0}};
  mesh.materials = {{1, 0x1DD9C611}, {1, 0x064003D4}};
  Shape shape;
  shape.geometry = std::move(mesh);
  return shape;
}

// One body of each shape, two joints, one of which can break.
CollisionSystem sample() {
  CollisionSystem system;
  const auto body = [&](Shape shape) {
    Body added;
    added.shape = system.add_shape(std::move(shape));
    added.surface = static_cast<std::uint16_t>(system.surfaces.size());
    system.surfaces.emplace_back();
    system.bodies.push_back(added);
  };
  body(box_shape({0, 0, 1}, {0.5f, 0.25f, 1}, 0x1DD9C611));
  Shape ball;
  ball.convex_radius = 0.5f;
  ball.geometry = BallShape{{1, 2, 3}};
  body(ball);
  Shape capsule;
  capsule.convex_radius = 0.99f * 0.25f;
  capsule.geometry = CapsuleShape{{0, 0, 0}, {0, 0, 1}};
  body(capsule);
  body(quad_mesh());
  CompoundShape compound;
  compound.instances = {{.shape = ShapeId{0}}, {.shape = ShapeId{1}, .frame = {glm::mat3(1.0f), {0, 3, 0}}}};
  Shape shape;
  shape.geometry = std::move(compound);
  body(shape);
  Shape scaled;
  scaled.geometry = ScaledShape{ShapeId{0}, {1, 2, 3}, {0, 0, 1}};
  body(scaled);
  system.motion_properties.emplace_back();
  Motion motion;
  motion.properties = 0;
  motion.inverse_mass = 0.2f;
  system.motions.push_back(motion);
  system.bodies[1].motion = 0;
  RagdollJoint ragdoll;
  ragdoll.twist_min = -0.5f;
  ragdoll.cone_max = 1.0f;
  ragdoll.frame_b.translation = {1, 2, 3};
  LimitedHingeJoint hinge;
  hinge.max_angle = 1.5f;
  system.constraints = {{.body_a = 1, .body_b = 0, .joint = ragdoll},
                        {.body_a = 2, .joint = hinge, .break_threshold = 100.0f}};
  return system;
}

havok::Packfile written_and_read(const havok::Packfile& file) {
  const auto bytes = havok::write_packfile(file);
  REQUIRE(bytes);
  auto back = havok::read_packfile(*bytes);
  REQUIRE(back);
  return std::move(*back);
}

havok::Packfile sample_file() {
  const auto made = havok::make_physics(sample());
  REQUIRE(made);
  return written_and_read(*made);
}

CollisionSystem read(const havok::Packfile& file) {
  auto system = havok::read_physics(file, file.root);
  REQUIRE_MESSAGE(system.has_value(), system.error().message);
  return std::move(*system);
}

}  // namespace

TEST_CASE("every shape, motion and joint comes back from a packfile") {
  const CollisionSystem before = sample(), after = read(sample_file());
  REQUIRE(after.shapes.size() == before.shapes.size());
  CHECK(after.surfaces == before.surfaces);
  CHECK(after.motions == before.motions);
  CHECK(after.bodies == before.bodies);
  CHECK(after.constraints == before.constraints);
  for (const std::size_t i : {0u, 1u, 2u, 5u}) {
    CHECK(after.shapes[i].geometry == before.shapes[i].geometry);
    CHECK(after.shapes[i].material == before.shapes[i].material);
    CHECK(after.shapes[i].mass == before.shapes[i].mass);
    CHECK(after.shapes[i].flags != 0);
  }
  const auto& mesh = std::get<MeshShape>(after.shapes[3].geometry);
  CHECK(mesh.faces.size() == 2);
  CHECK(mesh.section_count == 1);
  CHECK(mesh.quad_count == 0);  // two materials: the triangles stay apart
  CHECK(mesh.materials == std::get<MeshShape>(before.shapes[3].geometry).materials);
  const auto& compound = std::get<CompoundShape>(after.shapes[4].geometry);
  CHECK(compound.instances[0].flags == 0x40);
  CHECK(compound.instances[1].flags == 0x42);
  CHECK(compound.nodes.size() == 5);
  CHECK(after.shapes[4].key_bits == 2);
  CHECK(compound.max.y == doctest::Approx(5.5f));
}

TEST_CASE("writing without an edit changes nothing") {
  const havok::Packfile file = sample_file();
  havok::Packfile copy = file;
  REQUIRE(havok::write_physics(read(file), copy, copy.root));
  CHECK(copy == file);
  CHECK(havok::write_packfile(copy) == havok::write_packfile(file));
}

TEST_CASE("an edit of one shape leaves the others as they are, and nothing orphaned") {
  havok::Packfile file = sample_file();
  CollisionSystem system = read(file);
  const std::size_t objects = file.objects.size();
  system.shapes[0].material = 0x064003D4;
  std::get<BallShape>(system.shapes[1].geometry).center = {9, 9, 9};
  REQUIRE(havok::write_physics(system, file, file.root));
  CHECK(file.objects.size() == objects);
  const CollisionSystem after = read(written_and_read(file));
  CHECK(after.shapes[0] == system.shapes[0]);
  CHECK(std::get<BallShape>(after.shapes[1].geometry).center == Vec3(9, 9, 9));
  CHECK(after.shapes[3] == system.shapes[3]);
  // The compound holds the ball: its box follows.
  CHECK(std::get<CompoundShape>(after.shapes[4].geometry).max.y == doctest::Approx(12.5f));
}

TEST_CASE("a shape that becomes another kind takes its old objects with it") {
  havok::Packfile file = sample_file();
  CollisionSystem system = read(file);
  Shape ball;
  ball.source = system.shapes[3].source;
  ball.convex_radius = 2.0f;
  ball.geometry = BallShape{};
  system.shapes[3] = ball;
  REQUIRE(havok::write_physics(system, file, file.root));
  CHECK(file.find_all("hknpCompressedMeshShapeData").empty());
  CHECK(file.find_all("hknpBSMaterialProperties").empty());
  CHECK(std::holds_alternative<BallShape>(read(written_and_read(file)).shapes[3].geometry));
}

TEST_CASE("a body can get a shape of its own, and the list of shapes follows") {
  havok::Packfile file = sample_file();
  CollisionSystem system = read(file);
  system.bodies[1].shape = system.add_shape(box_shape({0, 0, 0}, {1, 1, 1}, 0));
  REQUIRE(havok::write_physics(system, file, file.root));
  const havok::FieldsView root = std::as_const(file).at(file.root).fields();
  CHECK(root.array("referencedObjects").size() == system.bodies.size());
  CHECK(std::holds_alternative<Polytope>(read(file).find_shape(read(file).bodies[1].shape)->geometry));
}

TEST_CASE("a ragdoll keeps its skeleton and its map of bones") {
  CollisionSystem system = sample();
  Ragdoll ragdoll;
  ragdoll.skeleton.bones.resize(2);
  ragdoll.skeleton.bones[1].parent = 0;
  ragdoll.skeleton.bones[1].rest.translation = {1, 2, 3};
  ragdoll.bone_to_body = {1, 2};
  system.ragdoll = ragdoll;
  const auto made = havok::make_physics(system);
  REQUIRE(made);
  CHECK(made->at(made->root).class_name() == "hknpRagdollData");
  CHECK(read(written_and_read(*made)).ragdoll == ragdoll);
}

TEST_CASE("what the format cannot hold is refused, and the file stays as it was") {
  havok::Packfile file = sample_file();
  const havok::Packfile before = file;
  CollisionSystem system = read(file);
  std::get<Polytope>(system.shapes[0].geometry).vertices.assign(300, Vec3(1.0f));
  CHECK_FALSE(havok::write_physics(system, file, file.root));
  CHECK(file == before);
  system = read(file);
  system.bodies[0].shape = ShapeId{99};
  CHECK_FALSE(havok::write_physics(system, file, file.root));
  system = read(file);
  system.ragdoll.emplace();
  CHECK_FALSE(havok::write_physics(system, file, file.root));
  CHECK(file == before);
}

TEST_CASE("systems that lie about their numbers are refused on reading") {
  havok::Packfile file = sample_file();
  SUBCASE("a body of a motion that is not there") {
    file.at(file.root).fields().element("bodyCinfos", 0).set_integer("motionId", 7);
  }
  SUBCASE("a joint of a body that is not there") {
    file.at(file.root).fields().element("constraintCinfos", 0).set_integer("bodyA", 70);
  }
  SUBCASE("a face outside the index list") {
    const auto hull = file.find_all("hknpConvexPolytopeShape").front();
    file.at(hull).fields().element("faces", 0).set_integer("firstIndex", 60000);
  }
  SUBCASE("a compound that holds itself") {
    const auto compound = file.find_all("hknpDynamicCompoundShape").front();
    file.at(compound).fields().record("instances").element("elements", 0).set_pointer("shape", compound);
  }
  SUBCASE("a mesh without data") {
    file.at(file.find_all("hknpCompressedMeshShape").front()).fields().set_pointer("data", {});
  }
  SUBCASE("an object that is not a shape") {
    file.at(file.root).fields().element("bodyCinfos", 0).set_pointer("shape", file.root);
  }
  const auto system = havok::read_physics(file, file.root);
  REQUIRE_FALSE(system);
  CHECK_FALSE(system.error().message.empty());
}

TEST_CASE("a system in a file with 32-bit pointers reads the same") {
  havok::Packfile file = sample_file();
  file.pointer_size = 4;
  const havok::Packfile small = written_and_read(file);
  CHECK(small.pointer_size == 4);
  CHECK(read(small) == read(sample_file()));
}

TEST_CASE("a static compound stays static when it is edited, and its tree holds its children") {
  CollisionSystem system = sample();
  std::get<CompoundShape>(system.shapes[4].geometry).is_static = true;
  const auto made = havok::make_physics(system);
  REQUIRE(made);
  havok::Packfile file = written_and_read(*made);
  CHECK(file.find_all("hknpDynamicCompoundShape").empty());
  CHECK(file.find_all("hknpStaticCompoundShapeData").size() == 1);
  const havok::Packfile before = file;
  REQUIRE(havok::write_physics(read(file), file, file.root));
  CHECK(file == before);
  CollisionSystem edited = read(file);
  auto& compound = std::get<CompoundShape>(edited.shapes[4].geometry);
  CHECK(type_name(edited.shapes[4]) == "static compound");
  CHECK(havok::verify_tree(edited, compound).empty());
  compound.instances[1].frame.translation = {0, 30, 0};
  REQUIRE(havok::write_physics(edited, file, file.root));
  const CollisionSystem after = read(written_and_read(file));
  const auto& moved = std::get<CompoundShape>(after.shapes[4].geometry);
  CHECK(moved.is_static);
  CHECK(moved.max.y == doctest::Approx(32.5f));
  CHECK(havok::verify_tree(after, moved).empty());
  // Made dynamic, it takes the other classes.
  edited = after;
  std::get<CompoundShape>(edited.shapes[4].geometry).is_static = false;
  REQUIRE(havok::write_physics(edited, file, file.root));
  CHECK(file.find_all("hknpStaticCompoundShapeData").empty());
  CHECK_FALSE(std::get<CompoundShape>(read(file).shapes[4].geometry).is_static);
}

TEST_CASE("solids that are merged into a mesh survive an edit of its triangles") {
  CollisionSystem system = sample();
  auto& mesh = std::get<MeshShape>(system.shapes[3].geometry);
  mesh.solids = {{.kind = MergedSolidKind::Sphere, .radius = 0.5f, .vertices = {{1, 1, 2}}, .material = 1},
                 {.kind = MergedSolidKind::Capsule, .radius = 0.25f, .vertices = {{0, 0, 0}, {0, 0, 4}}}};
  const auto made = havok::make_physics(system);
  REQUIRE(made);
  havok::Packfile file = written_and_read(*made);
  const havok::Packfile before = file;
  CollisionSystem edited = read(file);
  auto& own = std::get<MeshShape>(edited.shapes[3].geometry);
  REQUIRE(own.solids.size() == 2);
  CHECK(own.undecoded_count == 0);
  REQUIRE(havok::write_physics(edited, file, file.root));
  CHECK(file == before);
  own.vertices.push_back({2, 2, 2});
  own.faces.push_back({{0, 1, 4}, 0, 0});
  REQUIRE(havok::write_physics(edited, file, file.root));
  const CollisionSystem after = read(written_and_read(file));
  const auto& moved = std::get<MeshShape>(after.shapes[3].geometry);
  CHECK(moved.faces.size() == 3);
  REQUIRE(moved.solids.size() == 2);
  for (const MergedSolid& solid : moved.solids) {
    const bool is_ball = solid.kind == MergedSolidKind::Sphere;
    CHECK(solid.radius == (is_ball ? 0.5f : 0.25f));
    CHECK(solid.material == (is_ball ? 1 : 0));
    CHECK(solid.vertices.back().z == doctest::Approx(is_ball ? 2.0f : 4.0f));
  }
  const auto stored = havok::read_compressed_mesh(file, {after.shapes[3].source.value});
  CHECK(havok::verify_mesh(*stored).empty());
  CHECK(havok::bounds_of(after, after.shapes[3]).max.z == doctest::Approx(4.25f));
}
