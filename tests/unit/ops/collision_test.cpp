// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "core/byte_writer.h"
#include "havok/physics/measure.h"
#include "havok/physics/physics.h"
#include "marrow/model/collision_names.h"
#include "ops/collision/build.h"
#include "ops/collision/check.h"
#include "ops/collision/mesh.h"
#include "ops/files/check.h"
#include "ops/files/diff.h"
#include "support/documents.h"
#include "support/nif_sample.h"

using namespace marrow;

namespace {

// A box of 40 x 20 x 30 game units that stands on the ground.
constexpr std::string_view kBox =
    "o Crate\nusemtl Material_Wood\n"
    "v -20 -10 0\nv -20 -10 30\nv -20 10 0\nv -20 10 30\nv 20 -10 0\nv 20 -10 30\nv 20 10 0\nv 20 10 30\n"
    "f 1 2 4\nf 1 4 3\nf 5 7 8\nf 5 8 6\nf 1 5 6\nf 1 6 2\nf 3 4 8\nf 3 8 7\nf 1 3 7\nf 1 7 5\nf 2 6 8\nf 2 8 4\n";

std::string two_boxes() {
  std::string text(kBox);
  text +=
      "o Lid\nusemtl metal\n"
      "v -20 -10 40\nv -20 -10 50\nv -20 10 40\nv -20 10 50\nv 20 -10 40\nv 20 -10 50\nv 20 10 40\nv 20 10 50\n"
      "f 9 10 12\nf 9 12 11\nf 13 15 16\nf 13 16 14\nf 9 13 14\nf 9 14 10\nf 11 12 16\nf 11 16 15\nf 9 11 15\n"
      "f 9 15 13\nf 10 14 16\nf 10 16 12\n";
  return text;
}

/// A system that was built, and the packfile that holds it.
struct Built {
  CollisionSystem system;
  test::Bytes bytes;
};

BuildInput input_of(std::string_view text, std::optional<Units> units = {}) {
  Context context;
  const Document document = load(as_bytes(text), {.units = units}, context).value();
  const Document* const mesh = &document;
  return build_input({&mesh, 1}).value();
}

Built build(std::string_view text, BuildOptions options, Notes* notes = nullptr) {
  Notes own;
  auto system = build_system(input_of(text), options, notes ? *notes : own);
  REQUIRE_MESSAGE(system.has_value(), system.error().message);
  Document document{.format = Format::Hkx};
  document.collision.emplace_back().system = *system;
  return {std::move(*system), test::saved(document)};
}

BuildOptions options_for(BuildShape shape, std::optional<float> mass = std::nullopt) {
  BuildOptions options;
  options.shape = shape;
  options.mass_kg = mass;
  return options;
}

Document file_of(std::span<const std::byte> bytes) { return test::loaded(bytes, Parts::Collision); }

bool finds(const Document& document, std::string_view code) {
  return std::ranges::any_of(check_collision(document), [&](const Finding& finding) { return finding.code == code; });
}

Result<test::Bytes> attached(Document nif, const Document& blob, std::vector<std::string> nodes,
                             std::vector<std::uint32_t> bodies) {
  Context context;
  const auto done =
      attach_collision(nif, {.blob = &blob, .nodes = std::move(nodes), .bodies = std::move(bodies)}, context);
  if (!done) return std::unexpected(done.error());
  return test::saved(nif);
}

std::vector<Difference> differences(std::span<const std::byte> a, std::span<const std::byte> b) {
  Context context;
  return diff(test::loaded(a, Parts::None), test::loaded(b, Parts::None), {}, context).value().differences;
}

}  // namespace

TEST_CASE("each shape is built, holds the mesh and is clean in check") {
  for (const BuildShape shape : {BuildShape::Hull, BuildShape::Mesh, BuildShape::Box, BuildShape::Sphere,
                                 BuildShape::Capsule, BuildShape::Compound, BuildShape::Decompose}) {
    CAPTURE(static_cast<int>(shape));
    const Built built = build(kBox, options_for(shape, 5.0f));
    const Document file = file_of(built.bytes);
    REQUIRE(file.collision.size() == 1);
    const CollisionSystem& system = file.collision[0].system;
    REQUIRE(system.bodies.size() == 1);
    const Shape& made = *system.find_shape(system.bodies[0].shape);
    CHECK(made.material == 0x1DD9C611);
    const geometry::Aabb box = havok::bounds_of(system, made);
    const Vec3 min = box.min * kGameUnitsPerHavokUnit, max = box.max * kGameUnitsPerHavokUnit;
    CHECK(min.x <= -19.99f);
    CHECK(max.z >= 29.99f);
    CHECK(check_collision(file).empty());
    const bool is_mesh = shape == BuildShape::Mesh;
    CHECK(motion_type(system, system.bodies[0]) == (is_mesh ? MotionType::Static : MotionType::Dynamic));
    if (!is_mesh) CHECK(mass_of(system, system.bodies[0]) == doctest::Approx(5.0f));
    CHECK(layer_name(system.bodies[0].layer()) == (is_mesh ? "STATIC" : "CLUTTER"));
  }
}

TEST_CASE("a hull with its margin is exactly as large as the mesh") {
  const Document file = file_of(build(kBox, options_for(BuildShape::Hull)).bytes);
  const geometry::Aabb box = havok::bounds_of(file.collision[0].system, file.collision[0].system.shapes[0]);
  CHECK(box.min.x * kGameUnitsPerHavokUnit == doctest::Approx(-20).epsilon(1e-5));
  CHECK(box.max.z * kGameUnitsPerHavokUnit == doctest::Approx(30).epsilon(1e-5));
}

TEST_CASE("several objects are several bodies, or children of one") {
  const Built bodies = build(two_boxes(), options_for(BuildShape::Box));
  CHECK(bodies.system.bodies.size() == 2);
  const Built compound = build(two_boxes(), options_for(BuildShape::Compound, 3.0f));
  REQUIRE(compound.system.bodies.size() == 1);
  const CollisionSystem system = file_of(compound.bytes).collision[0].system;
  const auto* shape = std::get_if<CompoundShape>(&system.find_shape(system.bodies[0].shape)->geometry);
  REQUIRE(shape);
  REQUIRE(shape->instances.size() == 2);
  CHECK(system.find_shape(shape->instances[0].shape)->material == 0x1DD9C611);
  CHECK(system.find_shape(shape->instances[1].shape)->material == 0x064003D4);
}

TEST_CASE("a mesh keeps a material for each face, and a foreign name falls back") {
  std::string text(kBox);
  text.insert(text.find("f 5 7 8"), "usemtl metal\n");
  text.insert(text.find("f 2 6 8"), "usemtl MyShinyShader\n");
  Notes notes;
  BuildOptions options = options_for(BuildShape::Mesh);
  options.material = 0x233DB702;
  const CollisionSystem system = file_of(build(text, options, &notes).bytes).collision[0].system;
  const auto& mesh = std::get<MeshShape>(system.shapes[0].geometry);
  CHECK(mesh.faces.size() == 12);
  std::array<int, 3> counts{};
  for (const MeshFace& face : mesh.faces) {
    const std::uint32_t crc = mesh.materials[face.material].crc;
    ++counts[crc == 0x1DD9C611 ? 0 : crc == 0x064003D4 ? 1 : 2];
  }
  CHECK(counts == std::array{2, 8, 2});
  CHECK(notes.size() == 1);
}

TEST_CASE("what cannot be built explains why") {
  Notes notes;
  BuildOptions options = options_for(BuildShape::Hull);
  options.motion = MotionType::Dynamic;
  const auto without_mass = build_system(input_of(kBox), options, notes);
  REQUIRE_FALSE(without_mass);
  CHECK(without_mass.error().message.find("mass") != std::string::npos);
  const Document points = test::loaded(as_bytes("v 0 0 0\n"));
  const Document* const mesh = &points;
  CHECK_FALSE(build_input({&mesh, 1}));
  CHECK_FALSE(build_system(input_of("v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n"), options_for(BuildShape::Hull), notes));
}

TEST_CASE("metres and game units") {
  CHECK(input_of(kBox, Units::Metre).objects[0].mesh.vertices[7].x == doctest::Approx(20.0f / 0.01428f));
  CHECK(input_of(kBox).objects[0].mesh.vertices[7].x == 20.0f);
}

TEST_CASE("an exported shape is built again as it was, through .obj and through .glb") {
  const Document file = file_of(build(two_boxes(), options_for(BuildShape::Box)).bytes);
  for (const Format format : {Format::Obj, Format::Glb}) {
    Notes notes;
    const Document exported = test::loaded(test::saved(file, {.format = format, .solid = true}));
    const Document* const mesh = &exported;
    const auto input = build_input({&mesh, 1});
    REQUIRE(input);
    REQUIRE(input->objects.size() == 2);
    const auto again = build_system(*input, options_for(BuildShape::Box), notes);
    REQUIRE(again);
    for (std::size_t i = 0; i < 2; ++i) {
      CHECK(again->shapes[i].material == file.collision[0].system.shapes[i].material);
      const geometry::Aabb a = havok::bounds_of(*again, again->shapes[i]);
      const geometry::Aabb b = havok::bounds_of(file.collision[0].system, file.collision[0].system.shapes[i]);
      for (int axis = 0; axis < 3; ++axis) {
        CHECK(a.min[axis] == doctest::Approx(b.min[axis]).epsilon(1e-4));
        CHECK(a.max[axis] == doctest::Approx(b.max[axis]).epsilon(1e-4));
      }
    }
  }
}

TEST_CASE("edits: mass scales inertia, and unchanged bodies stay") {
  CollisionSystem system = build(two_boxes(), options_for(BuildShape::Hull, 2.0f)).system;
  const CollisionSystem before = system;
  Notes notes;
  REQUIRE(edit_body(system, 0, {.mass_kg = 8.0f, .friction = 0.9f, .layer = std::uint8_t{5}}, notes));
  CHECK(mass_of(system, system.bodies[0]) == doctest::Approx(8.0f));
  CHECK(system.motions[0].mass_factor == doctest::Approx(4 * before.motions[0].mass_factor));
  CHECK(system.motions[0].inverse_inertia.x == doctest::Approx(before.motions[0].inverse_inertia.x / 4));
  CHECK(system.surface_of(system.bodies[0])->static_friction == 0.9f);
  CHECK(system.bodies[0].layer() == 5);
  CHECK(system.bodies[1] == before.bodies[1]);
  CHECK(system.motions[1] == before.motions[1]);
}

TEST_CASE("edits: a body becomes static and dynamic again") {
  CollisionSystem system = build(two_boxes(), options_for(BuildShape::Hull, 2.0f)).system;
  const CollisionSystem before = system;
  Notes notes;
  REQUIRE(edit_body(system, 0, {.motion = MotionType::Static}, notes));
  CHECK(system.motions.size() == 1);
  CHECK(system.motion_properties.size() == 1);
  CHECK(system.bodies[1].motion == 0);
  CHECK(validate(system));
  CHECK_FALSE(edit_body(system, 0, {.motion = MotionType::Dynamic}, notes));  // no mass
  CHECK_FALSE(edit_body(system, 0, {.mass_kg = 3.0f}, notes));                // static
  CHECK_FALSE(edit_body(system, 0, {.linear_damping = 0.5f}, notes));
  REQUIRE(edit_body(system, 0, {.motion = MotionType::Dynamic, .mass_kg = 2.0f}, notes));
  CHECK(system.motions[system.bodies[0].motion] == [&] {
    Motion m = before.motions[0];
    m.properties = 1;
    return m;
  }());
  CHECK(system.bodies[0].flags == before.bodies[0].flags);
  REQUIRE(edit_body(system, 0, {.motion = MotionType::Keyframed}, notes));
  CHECK(motion_type(system, system.bodies[0]) == MotionType::Keyframed);
}

TEST_CASE("edits: moving a body moves its centre of mass and its axes") {
  CollisionSystem system = build(kBox, options_for(BuildShape::Hull, 2.0f)).system;
  const Motion before = system.motions[0];
  Notes notes;
  const Quat quarter = make_quat(0, 0, std::sqrt(0.5f), std::sqrt(0.5f));
  REQUIRE(edit_body(system, 0, {.position = Vec3(1, 2, 3), .rotation = quarter}, notes));
  const Vec3 expected = Vec3(1, 2, 3) + quarter * Vec3(before.center_of_mass);
  CHECK(system.motions[0].center_of_mass.z == doctest::Approx(expected.z));
  CHECK(angle_degrees(system.motions[0].orientation, quarter * before.orientation) < 0.01f);
  CHECK_FALSE(edit_body(system, 0, {.rotation = make_quat(1, 1, 1, 1)}, notes));
}

TEST_CASE("edits: what bodies share is copied first, and flags say what they mean") {
  CollisionSystem system = build(two_boxes(), options_for(BuildShape::Hull)).system;
  system.bodies[1].surface = 0;
  system.surfaces.pop_back();
  Notes notes;
  REQUIRE(edit_body(system, 1, {.restitution = 0.9f, .collides = false, .enter_keyframed = true}, notes));
  CHECK(system.surfaces.size() == 2);
  CHECK(system.surface_of(system.bodies[0])->restitution != 0.9f);
  CHECK(system.bodies[1].flags == (body_flag::kDontCollide | body_flag::kEnterKeyframed));
  REQUIRE(edit_body(system, 1, {.collides = true}, notes));
  CHECK(system.bodies[1].flags == body_flag::kEnterKeyframed);
  CHECK_FALSE(edit_body(system, 2, {}, notes));
}

TEST_CASE("an edit through the file changes what was asked for and nothing else") {
  const Built built = build(two_boxes(), options_for(BuildShape::Mesh));
  Context context;
  Document edited = file_of(built.bytes);
  const auto done =
      set_collision(edited, {.bodies = {{"1"}}, .edit = {.layer = std::uint8_t{2}}, .material = "0x233DB702"}, context);
  REQUIRE(done);
  CHECK(done->bodies == 1);
  const CollisionSystem before = file_of(built.bytes).collision[0].system,
                        after = file_of(test::saved(edited)).collision[0].system;
  CHECK(after.shapes[0] == before.shapes[0]);
  CHECK(after.bodies[0] == before.bodies[0]);
  const auto& mesh = std::get<MeshShape>(after.shapes[1].geometry);
  CHECK(mesh.materials == std::vector<MeshMaterial>{{2, 0x233DB702}});
  CHECK(mesh.vertices == std::get<MeshShape>(before.shapes[1].geometry).vertices);
  Document same = file_of(built.bytes);
  REQUIRE(set_collision(same, {}, context));
  CHECK(test::saved(same) == built.bytes);
  CHECK(set_collision(same, {.material = "cheese"}, context).error().code == ErrorCode::BadOption);
}

TEST_CASE("a packfile is attached to a NIF, taken out, replaced and compared") {
  const Document nif = file_of(write_nif(test::sample_nif()));
  const Built built = build(two_boxes(), options_for(BuildShape::Box, 4.0f));
  const Document blob = test::loaded(built.bytes, Parts::None);
  const auto hung = attached(nif, blob, {"Door", "Lamp"}, {1, 0});
  REQUIRE(hung);
  Document file = file_of(*hung);
  REQUIRE(file.collision.size() == 1);
  CHECK(file.collision[0].nodes.size() == 2);
  CHECK(check_collision(file).empty());
  Context context;
  const auto taken = extract_collision(file, {}, context);
  REQUIRE(taken);
  // The bodies record the places of their nodes; nothing else changes.
  const CollisionSystem placed = file_of(taken->files[0].bytes).collision[0].system;
  CHECK(placed.bodies[1].position.x == doctest::Approx(100 / kGameUnitsPerHavokUnit));
  CHECK(placed.bodies[0].position.y == doctest::Approx(5 / kGameUnitsPerHavokUnit));
  CHECK(placed.shapes == file_of(built.bytes).collision[0].system.shapes);
  const std::int32_t block = taken->blocks.front();
  Document replaced = file;
  const Document same = test::loaded(taken->files[0].bytes, Parts::None);
  REQUIRE(replace_collision(replaced, {.blob = &same, .block = block}, context));
  CHECK(test::saved(replaced) == *hung);
  CHECK(differences(*hung, test::saved(replaced)).empty());
  // The meshes stand where the nodes are: the door at x = 100.
  const auto meshes = shown_meshes(file, {}, context.notes);
  REQUIRE(meshes);
  CHECK(std::ranges::find(*meshes, "Door.body1", &CollisionMesh::name)->placement.translation == Vec3(100, 0, 10));
  // A system with fewer bodies than the nodes use is refused.
  const Document single = test::loaded(build(kBox, options_for(BuildShape::Box, 4.0f)).bytes, Parts::None);
  CHECK_FALSE(replace_collision(replaced, {.blob = &single, .block = block}, context));
  CHECK_FALSE(attached(nif, single, {"Door", "Lamp"}, {1, 0}));
  REQUIRE(set_collision(file, {.nodes = {"Door"}, .edit = {.mass_kg = 9.0f}}, context));
  const test::Bytes edited = test::saved(file);
  CHECK_FALSE(differences(*hung, edited).empty());
  const CollisionSystem system = file_of(edited).collision[0].system;
  CHECK(mass_of(system, system.bodies[1]) == doctest::Approx(9));
}

TEST_CASE("check names what is wrong") {
  Document file = file_of(build(two_boxes(), options_for(BuildShape::Compound, 5.0f)).bytes);
  CollisionSystem& system = file.collision[0].system;
  Shape& shape = *system.find_shape(system.bodies[0].shape);
  auto& compound = std::get<CompoundShape>(shape.geometry);
  REQUIRE(check_collision(file).empty());
  SUBCASE("no impact events") {
    system.bodies[0].flags = 0;
    CHECK(finds(file, "W_NO_IMPACT_EVENTS"));
  }
  SUBCASE("a mass that does not fit") {
    system.motions[0].inverse_mass *= 0.5f;
    CHECK(finds(file, "W_MASS"));
  }
  SUBCASE("an inertia that does not fit") {
    system.motions[0].inverse_inertia.y *= 2.0f;
    CHECK(finds(file, "W_INERTIA"));
  }
  SUBCASE("key bits") {
    shape.key_bits = 7;
    CHECK(finds(file, "E_KEY_BITS"));
  }
  SUBCASE("a box that does not hold its child") {
    compound.nodes[2].max.x = 0.0f;
    CHECK(finds(file, "E_TREE"));
  }
  SUBCASE("a leaf that is not there") {
    compound.nodes[2].right = compound.nodes[3].right;
    CHECK(finds(file, "E_TREE"));
  }
  SUBCASE("a child that is off") {
    compound.instances[0].flags = 0;
    CHECK(finds(file, "W_DISABLED"));
  }
  SUBCASE("a hull without volume") {
    auto& hull = std::get<Polytope>(system.find_shape(compound.instances[0].shape)->geometry);
    std::ranges::fill(hull.vertices, Vec3(0.0f));
    CHECK(finds(file, "E_HULL_DEGENERATE"));
  }
  SUBCASE("a hull whose planes cut it") {
    auto& hull = std::get<Polytope>(system.find_shape(compound.instances[0].shape)->geometry);
    hull.planes[0].w += 0.2f;
    CHECK(finds(file, "E_HULL_PLANE"));
  }
  SUBCASE("a body number out of range") {
    file.collision[0].nodes.push_back({7, "Door", {}});
    CHECK(finds(file, "E_BODY_ID"));
  }
  SUBCASE("a property under a wrong key") {
    havok::Packfile packfile = *file.packfile();
    const auto list = packfile.find_all("hkRefCountedProperties").front();
    packfile.at(list).fields().element("entries", 0).set_integer("key", 0xF101);
    CHECK(finds(test::loaded(packfile, Parts::Collision), "E_PROPERTY_KEY"));
  }
}

TEST_CASE("check finds a damaged tree of a mesh") {
  havok::Packfile packfile = *file_of(build(kBox, options_for(BuildShape::Mesh)).bytes).packfile();
  const auto data = packfile.find_all("hknpCompressedMeshShapeData").front();
  packfile.at(data).fields().record("meshTree").element("sections", 0).element("nodes", 2).set_integer("xyz", 0xFF);
  CHECK(finds(test::loaded(packfile, Parts::Collision), "E_MESH"));
}

TEST_CASE("a NIF with collision and without the Havok bit is warned of") {
  const Document blob = test::loaded(build(kBox, options_for(BuildShape::Box)).bytes, Parts::None);
  Document file = file_of(attached(file_of(write_nif(test::sample_nif())), blob, {"Door"}, {}).value());
  CHECK(check_collision(file).empty());
  NifFile nif = *file.nif();
  for (NifBlock& block : nif.blocks)
    if (nif.types[block.type] == "BSXFlags") block.bytes[4] = std::byte{0};
  CHECK(finds(file_of(write_nif(nif)), "W_BSX_FLAGS"));
}
