// SPDX-License-Identifier: MIT
// Skyrim's collision in files that are authored here.
#include "nif/bhk.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "nif/bhk_check.h"
#include "nif/bhk_measure.h"
#include "nif/bsx_flags.h"
#include "nif/node.h"
#include "nif/record.h"
#include "nif/schema.h"

using namespace marrow;

namespace {

constexpr std::uint32_t kWood = 0x1DD9C611;

// A scene of a root and some nodes, without collision.
NifFile scene(std::size_t nodes, std::uint32_t stream = nif::kSkyrimSe) {
  NifFile file;
  file.stream = stream;
  for (std::string& text : file.export_info) text = std::string(1, '\0');
  std::vector<std::int32_t> children;
  for (std::size_t i = 0; i <= nodes; ++i) {
    nif::Record node = nif::new_record(file, i == 0 ? "BSFadeNode" : "NiNode");
    node.set("name", add_string(file, i == 0 ? "Root" : "Node" + std::to_string(i)));
    node.set_reals<9>("rotation", {1, 0, 0, 0, 1, 0, 0, 0, 1});
    node.set("scale", 1.0f);
    REQUIRE(nif::append_block(file, node));
    if (i > 0) children.push_back(static_cast<std::int32_t>(i));
  }
  nif::Record root = *nif::read_block(file, 0);
  root.set_values("children", children);
  REQUIRE(nif::write_block(file, 0, root));
  file.roots = {0};
  return file;
}

Polytope tetrahedron() {
  Polytope hull;
  hull.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const float s = 1.0f / std::sqrt(3.0f);
  hull.planes = {{-1, 0, 0, 0}, {0, -1, 0, 0}, {0, 0, -1, 0}, {s, s, s, -s}};
  hull.faces = {{0, 3, 0}, {3, 3, 0}, {6, 3, 0}, {9, 3, 0}};
  hull.indices = {0, 3, 2, 0, 1, 3, 0, 2, 1, 1, 2, 3};
  return hull;
}

MeshShape cube_mesh() {
  MeshShape mesh;
  for (int i = 0; i < 8; ++i)
    mesh.vertices.emplace_back(static_cast<float>(i & 1), static_cast<float>(i >> 1 & 1), static_cast<float>(i >> 2));
  constexpr std::uint32_t kFaces[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                           {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  mesh.materials = {{1, kWood}};
  for (const auto& face : kFaces) mesh.faces.push_back({{face[0], face[1], face[2]}, 0, 0});
  return mesh;
}

ShapeId add(CollisionSystem& system, ShapeGeometry geometry, float radius) {
  Shape shape;
  shape.material = kWood;
  shape.convex_radius = radius;
  shape.geometry = std::move(geometry);
  return system.add_shape(std::move(shape));
}

// One body per kind of shape, each on a node of its own, with joints between some.
NifFile authored(std::uint32_t stream = nif::kSkyrimSe) {
  bhk::System all;
  CollisionSystem& system = all.system;
  system.game = CollisionGame::Skyrim;
  std::vector<ShapeId> shapes;
  shapes.push_back(add(system, BoxShape{{1, 2, 3}}, 0.1f));
  shapes.push_back(add(system, BallShape{{0, 0, 0}}, 0.5f));
  shapes.push_back(add(system, CapsuleShape{{0, 0, -1}, {0, 0, 1}, 1.0f}, 0.25f));
  shapes.push_back(add(system, CylinderShape{{0, 0, -1}, {0, 0, 1}, 0.5f}, 0.05f));
  shapes.push_back(add(system, tetrahedron(), 0.05f));
  shapes.push_back(add(system, cube_mesh(), 0.005f));
  CompoundShape list;
  list.instances.push_back({.shape = add(system, BoxShape{{1, 1, 1}}, 0.1f), .frame = {.translation = {2, 0, 0}}});
  list.instances.push_back({.shape = add(system, CapsuleShape{{0, 0, 0}, {0, 1, 0}, 1.0f}, 0.2f)});
  shapes.push_back(add(system, list, 0.0f));
  shapes.push_back(add(system, MovedShape{add(system, BoxShape{{1, 1, 2}}, 0.1f), {.translation = {0, 5, 0}}}, 0.1f));
  NifFile file = scene(shapes.size(), stream);
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    Body body{.shape = shapes[i], .surface = static_cast<std::uint16_t>(i), .filter = i == 5 ? 1u : 4u};
    system.surfaces.emplace_back();
    system.bodies.push_back(body);
    REQUIRE(bhk::set_motion(system, i, i == 5 ? MotionType::Static : MotionType::Dynamic, 2.0f));
    all.nodes.push_back(
        {static_cast<std::uint32_t>(i), static_cast<std::int32_t>(i + 1), "Node" + std::to_string(i + 1)});
  }
  system.bodies[7].skyrim->type = "bhkRigidBodyT";
  system.bodies[7].position = Vec4(1, 2, 3, 0);
  system.constraints.push_back(
      {.body_a = 0,
       .body_b = 1,
       .joint = RagdollJoint{.max_friction_torque = 10.0f, .twist_min = -0.1f, .twist_max = 0.1f, .cone_max = 0.5f}});
  system.constraints.push_back(
      {.body_a = 2, .body_b = 1, .joint = LimitedHingeJoint{.min_angle = -1.0f, .max_angle = 1.0f}});
  system.constraints.push_back(
      {.body_a = 3, .joint = SpringJoint{{1, 0, 0}, {0, 1, 0}, 2.0f}, .break_threshold = 20.0f});
  system.constraints.push_back({.body_a = 4, .body_b = 6, .joint = BallJoint{}, .malleable_strength = 0.5f});
  ChainJoint chain{.bodies = {0, 1, 2}, .links = {{{1, 0, 0}, {0, 1, 0}}, {{0, 0, 1}, {1, 1, 1}}}};
  system.constraints.push_back({.body_a = 0, .body_b = 1, .joint = chain});
  Notes notes;
  REQUIRE(bhk::write_systems(file, std::vector{all}, notes));
  REQUIRE(update_bsx_flags(file, nullptr, notes));
  return file;
}

std::vector<bhk::System> systems_of(const NifFile& file) {
  auto systems = bhk::read_systems(file);
  REQUIRE(systems);
  return std::move(*systems);
}

std::int32_t first_of(const NifFile& file, std::string_view type) {
  for (std::size_t i = 0; i < file.blocks.size(); ++i)
    if (file.type_of(static_cast<std::int32_t>(i)) == type) return static_cast<std::int32_t>(i);
  FAIL("no " << type);
  return kNoBlock;
}

std::set<std::string> codes(const NifFile& file) {
  std::set<std::string> found;
  for (const Finding& finding : bhk::check(file))
    if (finding.level != Level::Info) found.insert(finding.code);
  return found;
}

}  // namespace

TEST_CASE("every kind of shape and joint is written and read again") {
  for (const std::uint32_t stream : {nif::kSkyrimLe, nif::kSkyrimSe}) {
    const NifFile file = authored(stream);
    const auto systems = systems_of(file);
    REQUIRE(systems.size() == 1);
    const CollisionSystem& system = systems[0].system;
    std::vector<std::string> kinds;
    for (const Body& body : system.bodies) kinds.emplace_back(type_name(*system.find_shape(body.shape)));
    CHECK(kinds ==
          std::vector<std::string>{"box", "sphere", "capsule", "cylinder", "polytope", "mesh", "compound", "moved"});
    CHECK(std::get<MeshShape>(system.find_shape(system.bodies[5].shape)->geometry).faces.size() == 12);
    CHECK(system.find_shape(system.bodies[0].shape)->material == kWood);
    CHECK(mass_of(system, system.bodies[0]) == doctest::Approx(2.0));
    CHECK(motion_type(system, system.bodies[5]) == MotionType::Static);
    CHECK(system.bodies[7].shape_frame().translation == Vec3(1, 2, 3));
    std::vector<std::string> joints;
    for (const Constraint& joint : system.constraints) joints.emplace_back(type_name(joint));
    CHECK(joints == std::vector<std::string>{"ragdoll", "limited hinge", "spring", "ball", "ball chain"});
    CHECK(system.constraints[2].break_threshold == 20.0f);
    CHECK(system.constraints[3].malleable_strength == 0.5f);
    CHECK(std::get<ChainJoint>(system.constraints[4].joint).links[1].pivot_b == Vec3(1, 1, 1));
    CHECK(codes(file).empty());
  }
}

TEST_CASE("what nobody changed keeps its bytes") {
  NifFile file = authored();
  const NifFile before = file;
  Notes notes;
  REQUIRE(bhk::write_systems(file, systems_of(file), notes));
  CHECK(file == before);
}

TEST_CASE("a change touches its own block alone") {
  NifFile file = authored();
  const NifFile before = file;
  auto systems = systems_of(file);
  CollisionSystem& system = systems[0].system;
  system.bodies[2].set_layer(5);
  std::get<BoxShape>(system.find_shape(system.bodies[0].shape)->geometry).half_extents = {4, 4, 4};
  Notes notes;
  REQUIRE(bhk::write_systems(file, systems, notes));
  REQUIRE(file.blocks.size() == before.blocks.size());
  const auto body = static_cast<std::size_t>(system.bodies[2].source.value);
  const auto box = static_cast<std::size_t>(system.find_shape(system.bodies[0].shape)->source.value);
  for (std::size_t i = 0; i < file.blocks.size(); ++i)
    CHECK((file.blocks[i] == before.blocks[i]) == (i != body && i != box));
  CHECK(systems_of(file)[0].system.bodies[2].layer() == 5);
}

TEST_CASE("a body goes with its blocks, and the others stay") {
  NifFile file = authored();
  auto systems = systems_of(file);
  CollisionSystem& system = systems[0].system;
  system.bodies.erase(system.bodies.begin() + 5);
  std::erase_if(systems[0].nodes, [](const bhk::NodeBody& node) { return node.body == 5; });
  for (bhk::NodeBody& node : systems[0].nodes)
    if (node.body > 5) --node.body;
  for (Constraint& joint : system.constraints)
    for (std::uint32_t* each : {&joint.body_a, &joint.body_b})
      if (*each != kNoBody && *each > 5) --*each;
  Notes notes;
  REQUIRE(bhk::write_systems(file, systems, notes));
  REQUIRE(update_bsx_flags(file, nullptr, notes));
  for (std::size_t i = 0; i < file.blocks.size(); ++i)
    CHECK(file.type_of(static_cast<std::int32_t>(i)) != "bhkMoppBvTreeShape");
  CHECK(systems_of(file)[0].system.bodies.size() == 7);
  CHECK(systems_of(file)[0].system.constraints.size() == 5);
  CHECK(codes(file).empty());
  const auto nodes = read_nodes(file);
  REQUIRE(nodes);
  CHECK((*nodes)[6].collision_object == kNoBlock);
}

TEST_CASE("a shape of another kind stands before its body") {
  NifFile file = authored();
  auto systems = systems_of(file);
  CollisionSystem& system = systems[0].system;
  system.find_shape(system.bodies[1].shape)->geometry = cube_mesh();
  system.find_shape(system.bodies[1].shape)->source = {};
  Notes notes;
  REQUIRE(bhk::write_systems(file, systems, notes));
  CHECK(type_name(*systems_of(file)[0].system.find_shape(systems_of(file)[0].system.bodies[1].shape)) == "mesh");
  CHECK(codes(file).empty());
}

TEST_CASE("every cut of every block is refused or reported, and never read beyond") {
  const NifFile whole = authored();
  for (std::size_t i = 0; i < whole.blocks.size(); ++i) {
    if (!whole.type_of(static_cast<std::int32_t>(i)).starts_with("bhk")) continue;
    const std::size_t size = whole.blocks[i].bytes.size();
    for (std::size_t cut = 0; cut < size; cut += size > 400 ? 7 : 1) {
      NifFile file = whole;
      file.blocks[i].bytes.resize(cut);
      file.blocks[i].bytes.shrink_to_fit();
      (void)bhk::read_systems(file);
      CHECK(codes(file).contains("E_BHK_LAYOUT"));
    }
  }
}

TEST_CASE("shapes that contain themselves, fans and deep nesting are bounded") {
  const auto with_lists = [](std::size_t count, auto&& children_of) {
    NifFile file = authored();
    const std::int32_t body = static_cast<std::int32_t>(systems_of(file)[0].system.bodies[1].source.value);
    const auto first = static_cast<std::int32_t>(file.blocks.size());
    for (std::size_t i = 0; i < count; ++i) {
      nif::Record list = nif::new_record(file, "bhkListShape");
      list.set_values("shapes", children_of(first, static_cast<std::int32_t>(i)));
      REQUIRE(nif::append_block(file, list));
    }
    nif::Record record = *nif::read_block(file, body);
    record.set("shape", first);
    REQUIRE(nif::write_block(file, body, record));
    return file;
  };
  const NifFile circle = with_lists(2, [](std::int32_t first, std::int32_t i) { return std::vector{first + 1 - i}; });
  CHECK_FALSE(bhk::read_systems(circle));
  (void)bhk::check(circle);
  const NifFile deep = with_lists(1000, [](std::int32_t first, std::int32_t i) {
    return i < 999 ? std::vector{first + i + 1} : std::vector<std::int32_t>{};
  });
  CHECK_FALSE(bhk::read_systems(deep));
  (void)bhk::check(deep);
  const NifFile fan = with_lists(40, [](std::int32_t first, std::int32_t i) {
    return i < 39 ? std::vector<std::int32_t>(8, first + i + 1) : std::vector<std::int32_t>{};
  });
  CHECK_FALSE(bhk::read_systems(fan));
  (void)bhk::check(fan);
  NifFile transforms = authored();
  const auto last = static_cast<std::int32_t>(transforms.blocks.size());
  for (int i = 0; i < 1000; ++i) {
    nif::Record record = nif::new_record(transforms, "bhkTransformShape");
    record.set("shape", i < 999 ? last + i + 1 : last);
    REQUIRE(nif::append_block(transforms, record));
  }
  const std::int32_t body = static_cast<std::int32_t>(systems_of(transforms)[0].system.bodies[1].source.value);
  nif::Record record = *nif::read_block(transforms, body);
  record.set("shape", last);
  REQUIRE(nif::write_block(transforms, body, record));
  CHECK_FALSE(bhk::read_systems(transforms));
  (void)bhk::check(transforms);
}

namespace {

// A change of one block that a check has to find.
struct Damage {
  const char* code;
  const char* type;
  void (*change)(nif::Record& record);
};

const Damage kDamages[] = {
    {"E_BHK_LAYOUT", "bhkBoxShape", [](nif::Record& r) { r.rest.resize(3); }},
    {"E_BHK_NUMBER", "bhkRigidBody", [](nif::Record& r) { r.set("mass", std::numeric_limits<float>::quiet_NaN()); }},
    {"E_BHK_NUMBER", "bhkCapsuleShape", [](nif::Record& r) { r.set("a", std::numeric_limits<float>::infinity(), 1); }},
    {"E_COLLISION_REF", "bhkRigidBody", [](nif::Record& r) { r.set("shape", kNoBlock); }},
    {"E_COLLISION_REF", "bhkCollisionObject", [](nif::Record& r) { r.set<std::int32_t>("body", 0); }},
    {"E_COLLISION_REF", "bhkMoppBvTreeShape", [](nif::Record& r) { r.set<std::int32_t>("shape", 0); }},
    {"E_COLLISION_REF", "bhkCompressedMeshShape", [](nif::Record& r) { r.set("data", kNoBlock); }},
    {"E_COLLISION_REF", "bhkCompressedMeshShape", [](nif::Record& r) { r.set<std::int32_t>("target", 9999); }},
    {"E_COLLISION_REF", "bhkListShape",
     [](nif::Record& r) { r.set_values("shapes", std::vector<std::int32_t>{0, 1}); }},
    {"E_COLLISION_NODE", "bhkCollisionObject", [](nif::Record& r) { r.set("target", kNoBlock); }},
    {"E_COLLISION_NODE", "bhkCollisionObject", [](nif::Record& r) { r.set<std::int32_t>("target", 0); }},
    {"E_BODY_ENUM", "bhkRigidBody", [](nif::Record& r) { r.set<std::uint8_t>("motion_system", 12); }},
    {"E_BODY_ENUM", "bhkRigidBody", [](nif::Record& r) { r.set<std::uint8_t>("solver_deactivation", 6); }},
    {"E_BODY_ROTATION", "bhkRigidBody", [](nif::Record& r) { r.set_reals<4>("rotation", {1, 1, 1, 1}); }},
    {"E_BODY_MASS", "bhkRigidBody", [](nif::Record& r) { r.set("mass", -1.0f); }},
    {"E_HULL", "bhkConvexVerticesShape", [](nif::Record& r) { r.set_values("planes", std::vector<float>(12)); }},
    {"E_MESH_INDEX", "bhkCompressedMeshShapeData",
     [](nif::Record& r) {
       auto indices = r.records("chunks")[0].values<std::uint16_t>("indices");
       indices.back() = 999;
       r.records("chunks")[0].set_values("indices", indices);
     }},
    {"E_MESH_STRIPS", "bhkCompressedMeshShapeData",
     [](nif::Record& r) { r.records("chunks")[0].set_values("strips", std::vector<std::uint16_t>{999}); }},
    {"E_MESH_TRANSFORM", "bhkCompressedMeshShapeData",
     [](nif::Record& r) { r.records("chunks")[0].set<std::uint16_t>("transform", 5); }},
    {"E_MESH_MATERIAL", "bhkCompressedMeshShapeData",
     [](nif::Record& r) { r.records("chunks")[0].set<std::uint32_t>("material", 5); }},
    {"W_MESH_BOUNDS", "bhkCompressedMeshShapeData", [](nif::Record& r) { r.set("max", 0.5f); }},
    {"E_MOPP_CODE", "bhkMoppBvTreeShape", [](nif::Record& r) { r.bytes("code")[0] = std::byte{0xEE}; }},
    {"E_MOPP_KEYS", "bhkMoppBvTreeShape", [](nif::Record& r) { r.bytes("code").back() = std::byte{0x4F}; }},
    {"E_MOPP_BOUNDS", "bhkMoppBvTreeShape", [](nif::Record& r) { r.bytes("code")[1] = std::byte{0xF0}; }},
    {"E_JOINT_BODY", "bhkRagdollConstraint", [](nif::Record& r) { r.set<std::int32_t>("entity_a", 0); }},
    {"W_FILTER_COPY", "bhkRigidBody", [](nif::Record& r) { r.set<std::uint8_t>("layer_copy", 9); }},
    {"W_LAYER", "bhkRigidBody",
     [](nif::Record& r) {
       r.set<std::uint8_t>("layer", 77);
       r.set<std::uint8_t>("layer_copy", 77);
     }},
    {"W_CAPSULE_RADIUS", "bhkCapsuleShape", [](nif::Record& r) { r.set("b_radius", 9.0f); }},
    {"W_LIST_FILTERS", "bhkListShape", [](nif::Record& r) { r.set_values("filters", std::vector<std::uint32_t>{0}); }},
    {"W_BODY_INERTIA", "bhkRigidBody", [](nif::Record& r) { r.set_reals<12>("inertia", {}); }},
    {"W_BODY_MASS", "bhkRigidBody", [](nif::Record& r) { r.set("mass", 0.0f); }},
    {"W_HULL_PLANE", "bhkConvexVerticesShape",
     [](nif::Record& r) {
       auto planes = r.values<float>("planes");
       planes[3] += 0.5f;
       r.set_values("planes", planes);
     }},
    {"W_JOINT_OWNER", "bhkRigidBody", [](nif::Record& r) { r.set_values("joints", std::vector<std::int32_t>{}); }},
    {"W_JOINT_LIMITS", "bhkLimitedHingeConstraint", [](nif::Record& r) { r.set("limits", 9.0f); }},
    {"W_JOINT_FRAME", "bhkRagdollConstraint", [](nif::Record& r) { r.set("frames", 1.0f, 4); }},
};

}  // namespace

TEST_CASE("every damage is found by its code") {
  for (const Damage& damage : kDamages) {
    CAPTURE(std::string(damage.code));
    CAPTURE(std::string(damage.type));
    NifFile file = authored();
    const std::int32_t block = first_of(file, damage.type);
    nif::Record record = *nif::read_block(file, block);
    damage.change(record);
    REQUIRE(nif::write_block(file, block, record));
    CHECK(codes(file).contains(damage.code));
    (void)bhk::read_systems(file);
  }
}

TEST_CASE("code is not blamed for a mesh without its data, since building it anew would not help") {
  NifFile file = authored();
  const std::int32_t block = first_of(file, "bhkCompressedMeshShape");
  nif::Record record = *nif::read_block(file, block);
  record.set("data", kNoBlock);
  REQUIRE(nif::write_block(file, block, record));
  CHECK(codes(file).contains("E_COLLISION_REF"));
  CHECK_FALSE(codes(file).contains("E_MOPP_KEYS"));
}

TEST_CASE("a finding names the node of its own body, whatever joints lead to it") {
  const NifFile whole = authored();
  for (const bhk::System& system : systems_of(whole))
    for (const bhk::NodeBody& node : system.nodes) {
      NifFile file = whole;
      const auto block = static_cast<std::int32_t>(system.system.bodies[node.body].source.value);
      nif::Record record = *nif::read_block(file, block);
      record.set<std::uint8_t>("layer_copy", 9);
      REQUIRE(nif::write_block(file, block, record));
      for (const Finding& finding : bhk::check(file))
        if (finding.code == "W_FILTER_COPY") CHECK(finding.where.ends_with("node '" + node.name + "'"));
      CHECK(codes(file).contains("W_FILTER_COPY"));
    }
}

TEST_CASE("a missing Havok bit, an orphan and a wrong order are found") {
  NifFile flags = authored();
  nif::Record bsx = *nif::read_block(flags, first_of(flags, "BSXFlags"));
  bsx.set_integer(bsx.type().fields.back().name, 0);
  REQUIRE(nif::write_block(flags, first_of(flags, "BSXFlags"), bsx));
  CHECK(codes(flags).contains("W_BSX_FLAGS"));
  NifFile orphan = authored();
  REQUIRE(nif::append_block(orphan, nif::new_record(orphan, "bhkSphereShape")));
  CHECK(codes(orphan).contains("W_BHK_ORPHAN"));
  NifFile order = authored();
  const auto sphere = nif::append_block(order, nif::new_record(order, "bhkSphereShape"));
  REQUIRE(sphere);
  const std::int32_t body = first_of(order, "bhkRigidBody");
  nif::Record record = *nif::read_block(order, body);
  record.set("shape", *sphere);
  REQUIRE(nif::write_block(order, body, record));
  CHECK(codes(order).contains("W_BLOCK_ORDER"));
}

TEST_CASE("mass, inertia and penetration depth follow the shape") {
  CollisionSystem system;
  system.game = CollisionGame::Skyrim;
  const ShapeId box = add(system, BoxShape{{0.9f, 1.9f, 2.9f}}, 0.1f);
  const auto mass = bhk::measure(system, *system.find_shape(box), 3.0f);
  REQUIRE(mass);
  CHECK(mass->inertia[0][0] == doctest::Approx(4.0 + 9.0));
  CHECK(mass->inertia[2][2] == doctest::Approx(1.0 + 4.0));
  const ShapeId ball = add(system, BallShape{{1, 0, 0}}, 0.05f);
  CHECK(bhk::measure(system, *system.find_shape(ball), 1.0f)->center == Vec3(1, 0, 0));
  CHECK(bhk::penetration_depth(system, *system.find_shape(ball), true) == doctest::Approx(2.0 / 3.0 * 0.051));
  CHECK(bhk::penetration_depth(system, *system.find_shape(box), true) == doctest::Approx(0.15));
  CompoundShape list;
  list.instances = {{.shape = ball}, {.shape = ball, .frame = {.translation = {0, 2, 0}}}};
  const ShapeId both = add(system, list, 0.0f);
  CHECK(bhk::measure(system, *system.find_shape(both), 1.0f)->center == Vec3(1, 1, 0));
}
