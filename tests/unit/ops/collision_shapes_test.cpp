// SPDX-License-Identifier: MIT
// What meshes become: kinds by name and by rule, fits, flat input, and the figures of decompositions.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "havok/physics/measure.h"
#include "marrow/model/collision_names.h"
#include "ops/collision/build.h"
#include "ops/collision/check.h"
#include "support/concave_shapes.h"
#include "support/documents.h"

using namespace marrow;

namespace {

BuildObject block(std::string name, Vec3 low, Vec3 high) {
  const std::array<geometry::test::Block, 1> blocks = {{{low, high}}};
  return {std::move(name), geometry::test::union_of(blocks)};
}

/// A table of five objects: a top, and legs that are named after what they are to become.
BuildInput furniture() {
  return {.objects = {block("Top", {0, 0, 80}, {100, 60, 85}), block("Leg_capsule.001", {0, 0, 0}, {6, 6, 80}),
                      block("sphere knob", {40, 0, 60}, {50, 10, 70}), block("Leg.box.002", {94, 0, 0}, {100, 6, 80}),
                      block("Cylinder_Leg", {94, 54, 0}, {100, 60, 80})}};
}

/// Builds, writes and reads again; what was written must be clean in check.
CollisionSystem built(const BuildInput& input, const BuildOptions& options, Notes* notes = nullptr,
                      std::vector<BuiltDecomposition>* figures = nullptr) {
  Notes own;
  auto system = build_system(input, options, notes ? *notes : own, figures);
  REQUIRE_MESSAGE(system.has_value(), system.error().message);
  Document document{.format = Format::Hkx};
  document.collision.emplace_back().system = *system;
  const Document file = test::loaded(test::saved(document), Parts::Collision);
  for (const Finding& finding : check_collision(file)) FAIL_CHECK(finding.message);
  return file.collision.at(0).system;
}

std::vector<std::string> kinds_of(const CollisionSystem& system) {
  std::vector<std::string> kinds;
  for (const Body& body : system.bodies) kinds.emplace_back(type_name(*system.find_shape(body.shape)));
  return kinds;
}

std::vector<std::string> kinds_of_children(const CollisionSystem& system, const Body& body) {
  std::vector<std::string> kinds;
  for (const ShapeInstance& child : std::get<CompoundShape>(system.find_shape(body.shape)->geometry).instances)
    kinds.emplace_back(type_name(*system.find_shape(child.shape)));
  return kinds;
}

ShapeChoice choice(std::string_view json) {
  ShapeChoice value;
  const FieldInfo info{.name = "shape"};
  REQUIRE(described::Traits<ShapeChoice>::set(value, parse_json(json).value(), info));
  return value;
}

std::string refusal(std::string_view json) {
  ShapeChoice value;
  const FieldInfo info{.name = "shape"};
  const auto done = described::Traits<ShapeChoice>::set(value, parse_json(json).value(), info);
  return done ? "" : done.error().message;
}

using Words = std::vector<std::string>;

}  // namespace

TEST_CASE("objects become what their names say, and hulls if they say nothing") {
  CHECK(kinds_of(built(furniture(), {.shape = BuildShape::ByName})) ==
        Words{"polytope", "capsule", "sphere", "polytope", "polytope"});
  CHECK(shape_for("Leg.box.002", {.shape = BuildShape::ByName}) == BuildShape::Box);
  CHECK(shape_for("Cylinder_Leg", {.shape = BuildShape::ByName}) == BuildShape::Cylinder);
  CHECK(shape_for("Boxer", {.shape = BuildShape::ByName}) == BuildShape::Hull);
  CHECK(shape_for("", {.shape = BuildShape::ByName}) == BuildShape::Hull);
  // Names mean nothing unless they are asked.
  CHECK(shape_for("Sphere", {.shape = BuildShape::Mesh}) == BuildShape::Mesh);
}

TEST_CASE("rules name objects, and the last one that matches counts") {
  const BuildOptions options{.shape = BuildShape::Mesh,
                             .rules = {{"*Leg*", BuildShape::Capsule}, {"*.002", BuildShape::Sphere}}};
  CHECK(kinds_of(built(furniture(), options)) == Words{"mesh", "capsule", "mesh", "sphere", "capsule"});
}

TEST_CASE("words of the option are a kind, rules, or both") {
  CHECK(choice(R"("box")").shape == BuildShape::Box);
  const ShapeChoice both = choice(R"(["hull", "a=b=mesh", "Leg*=CAPSULE"])");
  CHECK(both.shape == BuildShape::Hull);
  CHECK(both.rules == std::vector<ShapeRule>{{"a=b", BuildShape::Mesh}, {"Leg*", BuildShape::Capsule}});
  CHECK(described::Traits<ShapeChoice>::get(both) == parse_json(R"(["hull", "a=b=mesh", "Leg*=capsule"])").value());
  CHECK_FALSE(choice(R"(["Leg=box"])").shape);
  CHECK(refusal(R"("cone")").find("cylinder") != std::string::npos);
  CHECK(refusal(R"("=box")").find("NAME=KIND") != std::string::npos);
  CHECK(refusal(R"(["box", "hull"])").find("both box and hull") != std::string::npos);
  CHECK(refusal("7").find("takes a string") != std::string::npos);
}

TEST_CASE("a compound has children of every kind, also meshes and the hulls of a decomposition") {
  BuildInput input = furniture();
  input.objects.push_back({"L", geometry::test::letter_l()});
  for (Vec3& vertex : input.objects.back().mesh.vertices) vertex *= 20.0f;
  const BuildOptions options{
      .shape = BuildShape::Compound,
      .rules = {{"*", BuildShape::ByName}, {"Top", BuildShape::Mesh}, {"L", BuildShape::Decompose}}};
  const CollisionSystem system = built(input, options);
  REQUIRE(system.bodies.size() == 1);
  CHECK(kinds_of_children(system, system.bodies[0]) ==
        Words{"mesh", "capsule", "sphere", "polytope", "polytope", "polytope", "polytope"});
  const auto& compound = std::get<CompoundShape>(system.find_shape(system.bodies[0].shape)->geometry);
  CHECK(havok::verify_tree(system, compound).empty());
  CHECK(compound.max.z * kGameUnitsPerHavokUnit == doctest::Approx(85.0f).epsilon(1e-3));
}

TEST_CASE("some objects make a compound, and the others bodies of their own") {
  const CollisionSystem system =
      built(furniture(), {.shape = BuildShape::Box, .rules = {{"*Leg*", BuildShape::Compound}}, .mass_kg = 3.0f});
  CHECK(kinds_of(system) == Words{"polytope", "compound", "polytope"});
  CHECK(kinds_of_children(system, system.bodies[1]) == Words{"polytope", "polytope", "polytope"});
}

TEST_CASE("with a mass, bodies move and meshes beside them do not") {
  Notes notes;
  const CollisionSystem system = built(furniture(), {.rules = {{"Top", BuildShape::Mesh}}, .mass_kg = 2.0f}, &notes);
  CHECK(motion_type(system, system.bodies[0]) == MotionType::Static);
  CHECK(motion_type(system, system.bodies[1]) == MotionType::Dynamic);
  CHECK(layer_name(system.bodies[0].layer()) == "STATIC");
  REQUIRE(notes.size() == 1);
  CHECK(notes[0].message.find("mass is ignored") != std::string::npos);
}

TEST_CASE("round shapes lie around the mesh or inside it") {
  const BuildInput input{.objects = {block("Crate", {0, 0, 0}, {60, 40, 20})}};
  const auto half_width = [&](BuildShape shape, BuildFit fit, int axis) {
    const CollisionSystem system = built(input, {.shape = shape, .fit = fit});
    const geometry::Aabb box = havok::bounds_of(system, *system.find_shape(system.bodies[0].shape));
    return 0.5f * (box.max - box.min)[axis] * kGameUnitsPerHavokUnit;
  };
  CHECK(half_width(BuildShape::Sphere, BuildFit::Inscribed, 2) == doctest::Approx(10.0f).epsilon(1e-3));
  CHECK(half_width(BuildShape::Sphere, BuildFit::Enclosing, 2) > 37.0f);
  CHECK(half_width(BuildShape::Capsule, BuildFit::Inscribed, 0) == doctest::Approx(30.0f).epsilon(2e-2));
  CHECK(half_width(BuildShape::Capsule, BuildFit::Inscribed, 2) == doctest::Approx(10.0f).epsilon(2e-2));
  CHECK(half_width(BuildShape::Capsule, BuildFit::Enclosing, 0) > 30.0f);
  CHECK(half_width(BuildShape::Cylinder, BuildFit::Inscribed, 0) < 20.1f);
  CHECK(half_width(BuildShape::Cylinder, BuildFit::Enclosing, 0) > 29.9f);
}

TEST_CASE("flat input gets a thickness, and lines and points are refused, alike in every shape") {
  BuildInput flat{.objects = {{"Sheet", {}}}};
  flat.objects[0].mesh = {{{0, 0, 5}, {50, 0, 5}, {50, 40, 5}, {0, 40, 5}}, {{0, 1, 2}, {0, 2, 3}}, {}};
  BuildInput line = flat;
  for (Vec3& vertex : line.objects[0].mesh.vertices) vertex = Vec3(vertex.x + vertex.y, 0, 0);
  BuildInput point = flat;
  for (Vec3& vertex : point.objects[0].mesh.vertices) vertex = Vec3(1, 2, 3);
  for (std::size_t i = 0; i < ChoiceWords<BuildShape>::words.size(); ++i) {
    CAPTURE(ChoiceWords<BuildShape>::words[i]);
    const BuildOptions options{.shape = static_cast<BuildShape>(i)};
    Notes notes;
    const CollisionSystem system = built(flat, options, &notes);
    CHECK(system.bodies.size() == 1);
    const bool stays_as_it_is = options.shape == BuildShape::Mesh || options.shape == BuildShape::Sphere ||
                                options.shape == BuildShape::Capsule;
    CHECK(notes.size() == (stays_as_it_is ? 0 : 1));
    for (const Note& note : notes) CHECK(note.message == "it is flat, and was made 1.39 game units thick");
    const auto on_line = build_system(line, options, notes);
    REQUIRE_FALSE(on_line);
    CHECK(on_line.error().message == "all points lie on one line; give it a width");
    CHECK(on_line.error().path == "object 'Sheet'");
    const auto at_point = build_system(point, options, notes);
    REQUIRE_FALSE(at_point);
    CHECK(at_point.error().message == "all points are one point; give it a size");
  }
  Notes notes;
  const auto inside = build_system(flat, {.shape = BuildShape::Sphere, .fit = BuildFit::Inscribed}, notes);
  REQUIRE_FALSE(inside);
  CHECK(inside.error().message.find("nothing fits inside") != std::string::npos);
}

TEST_CASE("a decomposition reports how well it stands for the mesh, and keeps its limits") {
  BuildInput input{.objects = {{"Stairs", geometry::test::stairs(6)}, {"Bowl", geometry::test::bowl(16, 6)}}};
  for (BuildObject& object : input.objects)
    for (Vec3& vertex : object.mesh.vertices) vertex *= 70.0f;
  std::vector<BuiltDecomposition> figures;
  const CollisionSystem system =
      built(input, {.shape = BuildShape::Decompose, .max_pieces = 8, .max_vertices = 12}, nullptr, &figures);
  REQUIRE(figures.size() == 2);
  CHECK(figures[0].object == "Stairs");
  CHECK(figures[0].hulls == 6);
  CHECK(figures[0].volume_error == doctest::Approx(0.0).scale(1.0).epsilon(1e-3));
  CHECK(figures[0].coverage == doctest::Approx(1.0).epsilon(1e-3));
  CHECK(figures[0].worst_distance < 0.7);
  CHECK(figures[1].hulls <= 8);
  CHECK(figures[1].worst_distance > 5.0);
  for (const Shape& shape : system.shapes)
    if (const auto* hull = std::get_if<Polytope>(&shape.geometry)) CHECK(hull->vertices.size() <= 12);
}
