// SPDX-License-Identifier: MIT
// Whole systems through meshes: out, edited, and in again.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "core/byte_writer.h"
#include "core/lines.h"
#include "marrow/core/text.h"
#include "ops/collision/check.h"
#include "ops/collision/put_back.h"
#include "ops/collision/record.h"
#include "ops/files/check.h"
#include "support/shelf.h"

using namespace marrow;
using namespace marrow::test;

namespace {

// The lines of an object's vertices.
std::vector<std::size_t> vertex_lines(const std::vector<std::string>& lines, const std::string& object) {
  std::vector<std::size_t> found;
  bool is_in = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].starts_with("o ")) is_in = lines[i] == "o " + object;
    if (is_in && lines[i].starts_with("v ")) found.push_back(i);
  }
  return found;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (const TextLine& line : Lines(text)) lines.emplace_back(line.text);
  return lines;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

Vec3 vertex_of(const std::string& line) {
  Vec3 v{};
  std::size_t at = 2;
  for (int i = 0; i < 3; ++i) {
    const std::size_t end = std::min(line.find(' ', at), line.size());
    v[i] = *parse_float(std::string_view(line).substr(at, end - at));
    at = end + 1;
  }
  return v;
}

std::string line_of(const Vec3& v) { return "v " + float_text(v.x) + " " + float_text(v.y) + " " + float_text(v.z); }

// Moves the highest vertex of an object up.
auto raise(const std::string& object, float by) {
  return [=](const std::string& text) {
    std::vector<std::string> lines = lines_of(text);
    const auto own = vertex_lines(lines, object);
    REQUIRE_FALSE(own.empty());
    const std::size_t top = *std::ranges::max_element(own, {}, [&](std::size_t i) { return vertex_of(lines[i]).z; });
    lines[top] = line_of(vertex_of(lines[top]) + Vec3(0, 0, by));
    return joined(lines);
  };
}

std::string without_comments(const std::string& text) {
  std::vector<std::string> lines = lines_of(text);
  std::erase_if(lines, [](const std::string& line) { return line.starts_with('#'); });
  return joined(lines);
}

}  // namespace

TEST_CASE("an untouched export comes back byte for byte, through .glb, .gltf and .obj, also without its record") {
  Shelf shelf;
  for (const char* format : {"glb", "gltf", "obj"})
    for (const char* solid : {"false", "true"}) {
      CAPTURE(format);
      shelf.run("collision export", std::string(R"({"format":")") + format + R"(","solid":)" + solid + "}",
                {{"file", "full.nif"}}, "out");
      shelf.run("collision replace", "{}", {{"nif", "full.nif"}, {"blob", "out"}}, "back.nif");
      CHECK(shelf.files["back.nif"] == shelf.files["full.nif"]);
      CHECK(shelf.report["changed"].size() == 0);
    }
  shelf.trip("full.nif", without_comments, "back.nif");
  CHECK(shelf.files["back.nif"] == shelf.files["full.nif"]);
}

TEST_CASE("an untouched export builds the packfile that it came from") {
  Shelf shelf;
  shelf.run("collision extract", "{}", {{"nif", "full.nif"}}, "extracted");
  for (const char* format : {"glb", "obj"}) {
    shelf.run("collision export", std::string(R"({"format":")") + format + "\"}", {{"file", "full.nif"}}, "out");
    shelf.run("collision build", "{}", {{"mesh", "out"}}, "built");
    CHECK(shelf.files["built"] == shelf.files["extracted"]);
    CHECK(shelf.report["count"].integer() == 3);
    // Options then change all bodies.
    shelf.run("collision build", R"({"friction":0.125})", {{"mesh", "out"}}, "smooth");
    for (const SurfaceProperties& surface : shelf.system("smooth").surfaces) CHECK(surface.dynamic_friction == 0.125f);
    // Built anew as another shape, bodies are still in the space of their nodes.
    shelf.run("collision build", R"({"shape":"hull"})", {{"mesh", "out"}}, "hulls");
    const CollisionSystem hulls = shelf.system("hulls"), old = shelf.system("full.nif");
    REQUIRE(hulls.bodies.size() == 3);
    for (std::size_t i = 0; i < 3; ++i)
      for (int axis = 0; axis < 3; ++axis)
        CHECK(std::abs(bounds(hulls, i).max[axis] - bounds(old, i).max[axis]) < 0.02f);
  }
}

TEST_CASE("one moved vertex changes that body and no other") {
  Shelf shelf;
  shelf.trip("full.nif", raise("Door.body0", 10), "edited.nif");
  REQUIRE(shelf.report["changed"].size() == 1);
  CHECK(shelf.report["changed"].items()[0]["name"].text() == "Door.body0");
  const CollisionSystem before = shelf.system("full.nif"), after = shelf.system("edited.nif");
  CHECK((bounds(after, 0).max.z - bounds(before, 0).max.z) * kGameUnitsPerHavokUnit ==
        doctest::Approx(10).epsilon(0.001));
  for (const std::size_t other : {1u, 2u}) {
    CHECK(after.bodies[other] == before.bodies[other]);
    CHECK(bounds(after, other) == bounds(before, other));
  }
  // Mass, layer and flags stay, inertia follows; the other vertices are the same to the bit.
  CHECK(mass_of(after, after.bodies[0]) == mass_of(before, before.bodies[0]));
  CHECK(after.bodies[0].filter == before.bodies[0].filter);
  CHECK(havok::inertia_error(after, after.bodies[0])->inertia < 1e-4);
  CHECK(after.find_shape(after.bodies[0].shape)->convex_radius ==
        before.find_shape(before.bodies[0].shape)->convex_radius);
  const auto& old = std::get<Polytope>(before.find_shape(before.bodies[0].shape)->geometry).vertices;
  const auto& now = std::get<Polytope>(after.find_shape(after.bodies[0].shape)->geometry).vertices;
  CHECK(std::ranges::count_if(now, [&](const Vec3& v) { return std::ranges::find(old, v) != old.end(); }) == 7);
  CHECK(check_collision(shelf.document("edited.nif")).empty());
}

TEST_CASE("hulls neither shrink nor grow over ten trips") {
  Shelf shelf;
  for (const bool has_record : {true, false}) {
    shelf.files["trip.nif"] = shelf.files["full.nif"];
    const geometry::Aabb before = bounds(shelf.system("trip.nif"), 0);
    const std::size_t vertices =
        std::get<Polytope>(shelf.system("trip.nif").find_shape(ShapeId{0})->geometry).vertices.size();
    for (int trip = 0; trip < 10; ++trip) {
      // There and back, so that the hull is built anew twice per trip.
      for (const float by : {8.0f, -8.0f})
        shelf.trip(
            "trip.nif",
            [&](const std::string& text) {
              const std::string edited = raise("Door.body0", by)(text);
              return has_record ? edited : without_comments(edited);
            },
            "trip.nif");
    }
    const CollisionSystem system = shelf.system("trip.nif");
    const geometry::Aabb after = bounds(system, 0);
    for (int axis = 0; axis < 3; ++axis) {
      CHECK(std::abs(after.min[axis] - before.min[axis]) < 1e-4f);
      CHECK(std::abs(after.max[axis] - before.max[axis]) < 1e-4f);
    }
    CHECK(std::get<Polytope>(system.find_shape(ShapeId{0})->geometry).vertices.size() == vertices);
  }
  // The same through packfiles.
  shelf.run("collision build", R"({"shape":"hull"})", {{"mesh", "box.obj"}}, "hull.hkx");
  const geometry::Aabb before = bounds(shelf.system("hull.hkx"), 0);
  for (int trip = 0; trip < 10; ++trip)
    for (const char* format : {"obj", "glb"}) {
      shelf.run("collision export", std::string(R"({"format":")") + format + "\"}", {{"file", "hull.hkx"}}, "out");
      shelf.run("collision build", "{}", {{"mesh", "out"}}, "hull.hkx");
    }
  CHECK(bounds(shelf.system("hull.hkx"), 0) == before);
}

TEST_CASE("a sphere stays one if it is scaled or moved, and becomes a hull if it is bent") {
  Shelf shelf;
  const CollisionSystem before = shelf.system("full.nif");
  const auto scaled = [](const std::string& text) {
    std::vector<std::string> lines = lines_of(text);
    for (const std::size_t i : vertex_lines(lines, "Lamp.body1")) lines[i] = line_of(vertex_of(lines[i]) * 2.0f);
    return joined(lines);
  };
  shelf.trip("full.nif", scaled, "scaled.nif");
  const CollisionSystem twice = shelf.system("scaled.nif");
  const Shape& ball = *twice.find_shape(twice.bodies[1].shape);
  REQUIRE(std::holds_alternative<BallShape>(ball.geometry));
  CHECK(ball.convex_radius ==
        doctest::Approx(2 * before.find_shape(before.bodies[1].shape)->convex_radius).epsilon(0.001));
  // Its body stands at its centre, at the node's.
  const Vec3 center = std::get<BallShape>(ball.geometry).center;
  CHECK(std::abs(twice.bodies[1].position.z - (center.z + 10.0f / kGameUnitsPerHavokUnit)) < 1e-3f);
  shelf.trip("full.nif", raise("Lamp.body1", 10), "bent.nif");
  CHECK(shelf.has_note("no longer a sphere"));
  const CollisionSystem bent = shelf.system("bent.nif");
  REQUIRE(std::holds_alternative<Polytope>(bent.find_shape(bent.bodies[1].shape)->geometry));
  CHECK((bounds(bent, 1).max.z - bounds(before, 1).max.z) * kGameUnitsPerHavokUnit ==
        doctest::Approx(10).epsilon(0.05));
  CHECK(check_collision(shelf.document("bent.nif")).empty());
}

TEST_CASE("children of a compound are edited, removed and added, and another material counts") {
  Shelf shelf;
  shelf.trip("full.nif", raise("Shelf.body2.child1", 5), "edited.nif");
  const CollisionSystem edited = shelf.system("edited.nif");
  CHECK(shelf.report["changed"].items()[0]["shape"].text() == "compound");
  CHECK(check_collision(shelf.document("edited.nif")).empty());
  const auto count = [&](const std::string& name) {
    const CollisionSystem system = shelf.system(name);
    return std::get<CompoundShape>(system.find_shape(system.bodies[2].shape)->geometry).instances.size();
  };
  CHECK(count("edited.nif") == 2);
  shelf.trip(
      "full.nif", [](const std::string& text) { return text.substr(0, text.find("o Shelf.body2.child1")); },
      "fewer.nif");
  CHECK(count("fewer.nif") == 1);
  CHECK(shelf.has_note("the child is removed"));
  shelf.trip(
      "full.nif", [](const std::string& text) { return text + "\n" + box("Shelf.body2.new", 200, 154); }, "more.nif");
  CHECK(count("more.nif") == 3);
  CHECK(check_collision(shelf.document("more.nif")).empty());
  const auto metal = [](std::string text) {
    const std::size_t at = text.find("usemtl", text.find("o Door.body0"));
    return text.replace(at, text.find('\n', at) - at, "usemtl Material_Metal");
  };
  shelf.trip("full.nif", metal, "metal.nif");
  const CollisionSystem painted = shelf.system("metal.nif");
  CHECK(painted.find_shape(painted.bodies[0].shape)->material != edited.find_shape(edited.bodies[0].shape)->material);
  // Objects of something else are refused, naming the file that is wrong.
  const auto strange = shelf.try_run("collision replace", "{}", {{"nif", "full.nif"}, {"blob", "box.obj"}});
  REQUIRE_FALSE(strange);
  CHECK(strange.error().code == ErrorCode::NotFound);
  CHECK(strange.error().file == "box.obj");
}

TEST_CASE("the record is read as untrusted text") {
  Shelf shelf;
  const std::string record = write_collision_record(shelf.document("full.nif"), false);
  REQUIRE(read_collision_record(record));
  CHECK(read_collision_record(record)->systems.at(0).collision.nodes.size() == 3);
  for (std::size_t length = 0; length < record.size(); length += 97)
    CHECK_FALSE(read_collision_record(std::string_view(record).substr(0, length)));
  const auto broken = [&](std::string_view from, std::string_view to) {
    std::string text = record;
    const std::size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    return read_collision_record(text.replace(at, from.size(), to));
  };
  CHECK_FALSE(broken("\"version\":1", "\"version\":9"));
  CHECK_FALSE(broken("\"ordinal\":0", "\"ordinal\":7"));
  CHECK_FALSE(broken("\"packfile\":\"", "\"packfile\":\"!"));
  CHECK_FALSE(broken("\"nodes\":[{\"body\":0", "\"nodes\":[{\"body\":3"));
}

namespace {

// Calls `edit` with each line of an object's faces; what it returns takes their place.
template <class Edit>
std::string with_faces(const std::string& text, const std::string& object, Edit edit) {
  std::vector<std::string> kept;
  bool is_in = false;
  std::size_t face = 0;
  for (const std::string& line : lines_of(text)) {
    if (line.starts_with("o ")) is_in = line == "o " + object;
    if (!is_in || !line.starts_with("f ")) {
      kept.push_back(line);
      continue;
    }
    for (std::string& each : edit(line, face++)) kept.push_back(std::move(each));
  }
  return joined(kept);
}

// Adds a copy of an object, moved along z.
std::string with_copy(const std::string& text, const std::string& object, float up) {
  std::vector<std::string> lines = lines_of(text);
  const std::size_t all = static_cast<std::size_t>(
      std::ranges::count_if(lines, [](const std::string& line) { return line.starts_with("v "); }));
  std::vector<std::string> copy = {"o " + object + ".001"};
  std::size_t before = 0;
  bool is_in = false;
  for (const std::string& line : lines) {
    if (line.starts_with("o ")) is_in = line == "o " + object;
    if (line.starts_with("v ") && is_in) copy.push_back(line_of(vertex_of(line) + Vec3(0, 0, up)));
    if (line.starts_with("v ") && !is_in && copy.size() == 1) ++before;
    if (line.starts_with("usemtl ") && is_in) copy.push_back(line);
    if (!line.starts_with("f ") || !is_in) continue;
    std::string moved = "f";
    for (std::size_t at = 2; at < line.size();) {
      const std::size_t end = std::min(line.find(' ', at), line.size());
      moved += " " + std::to_string(*parse_uint(std::string_view(line).substr(at, end - at)) - before + all);
      at = end + 1;
    }
    copy.push_back(moved);
  }
  return text + "\n" + joined(copy);
}

}  // namespace

TEST_CASE("objects that are renamed, joined or separated are the shapes that they were") {
  Shelf shelf;
  const auto renamed = [](std::string text) {
    const std::string name = "o Lamp.body1";
    return text.replace(text.find(name), name.size(), "o My lamp");
  };
  shelf.trip("full.nif", renamed, "back.nif");
  CHECK(shelf.files["back.nif"] == shelf.files["full.nif"]);
  CHECK(shelf.has_note("it is 'Lamp.body1', renamed"));
  const auto with_both = [](std::string text) {
    const std::string name = "o Shelf.body2.child1\n";
    return text.replace(text.find(name), name.size(), "");
  };
  shelf.trip("full.nif", with_both, "back.nif");
  CHECK(shelf.files["back.nif"] == shelf.files["full.nif"]);
  CHECK(shelf.has_note("it was joined with 'Shelf.body2.child0'"));
  const auto in_two = [](const std::string& text) {
    return with_faces(text, "Door.body0", [](const std::string& line, std::size_t face) {
      return face == 5 ? std::vector<std::string>{"o Door.body0.001", line} : std::vector<std::string>{line};
    });
  };
  shelf.trip("full.nif", in_two, "back.nif");
  CHECK(shelf.files["back.nif"] == shelf.files["full.nif"]);
  CHECK(shelf.has_note("it is a part of 'Door.body0'"));
}

TEST_CASE("the body of a deleted object is removed with its node, unless it is to be kept") {
  Shelf shelf;
  const auto without_lamp = [](const std::string& text) {
    return with_faces(text, "Lamp.body1", [](const std::string&, std::size_t) { return std::vector<std::string>{}; });
  };
  const CollisionSystem before = shelf.system("full.nif");
  shelf.trip("full.nif", without_lamp, "less.nif");
  CHECK(shelf.report["removed"].size() == 1);
  CHECK(shelf.report["changed"].size() == 0);
  const DocumentCollision after = shelf.document("less.nif").collision.at(0);
  REQUIRE(after.system.bodies.size() == 2);
  CHECK(after.system.shapes.size() == before.shapes.size() - 1);
  CHECK(std::ranges::none_of(after.nodes, [](const BodyNode& node) { return node.name == "Lamp"; }));
  CHECK(bounds(after.system, 0) == bounds(before, 0));
  CHECK(bounds(after.system, 1) == bounds(before, 2));
  CHECK(check_collision(shelf.document("less.nif")).empty());
  shelf.run("collision replace", R"({"keep_missing":true})", {{"nif", "full.nif"}, {"blob", "trip.obj"}}, "kept.nif");
  CHECK(shelf.files["kept.nif"] == shelf.files["full.nif"]);
  CHECK(shelf.has_note("the body stays as it is"));
}

TEST_CASE("a copy of an object keeps its kind and goes to the body of its original") {
  Shelf shelf;
  shelf.run("collision set-shape", R"({"body":"Door","shape":"mesh"})", {{"file", "full.nif"}, {"mesh", "box.obj"}},
            "mesh.nif");
  struct Case {
    const char *nif, *object, *kind;
    std::size_t body;
  };
  for (const Case& each : {Case{"full.nif", "Lamp.body1", "sphere", 1}, Case{"full.nif", "Door.body0", "polytope", 0},
                           Case{"mesh.nif", "Door.body0", "mesh", 0}}) {
    CAPTURE(each.kind);
    shelf.trip(each.nif, [&](const std::string& text) { return with_copy(text, each.object, 100); }, "more.nif");
    const CollisionSystem before = shelf.system(each.nif), after = shelf.system("more.nif");
    const auto* both = std::get_if<CompoundShape>(&after.find_shape(after.bodies[each.body].shape)->geometry);
    REQUIRE(both);
    REQUIRE(both->instances.size() == 2);
    for (const ShapeInstance& instance : both->instances)
      CHECK(type_name(*after.find_shape(instance.shape)) == each.kind);
    CHECK((bounds(after, each.body).max.z - bounds(before, each.body).max.z) * kGameUnitsPerHavokUnit ==
          doctest::Approx(100).epsilon(0.001));
    CHECK(shelf.has_note(std::string("a copy of '") + each.object + "', added to its body as a " + each.kind));
    CHECK(check_collision(shelf.document("more.nif")).empty());
  }
}

TEST_CASE("a capsule that is scaled along its axis stays one") {
  Shelf shelf;
  shelf.run("collision set-shape", R"({"body":"Lamp","shape":"capsule"})", {{"file", "full.nif"}, {"mesh", "box.obj"}},
            "capsule.nif");
  const CollisionSystem before = shelf.system("capsule.nif");
  const Shape& old = *before.find_shape(before.bodies[1].shape);
  const auto& old_capsule = std::get<CapsuleShape>(old.geometry);
  const Vec3 axis = glm::normalize(old_capsule.b - old_capsule.a);
  for (const float factor : {2.0f, 1.3f}) {
    const auto stretched = [&](const std::string& text) {
      std::vector<std::string> lines = lines_of(text);
      for (const std::size_t i : vertex_lines(lines, "Lamp.body1")) {
        const Vec3 v = vertex_of(lines[i]);
        lines[i] = line_of(v + axis * (glm::dot(v, axis) * (factor - 1.0f)));
      }
      return joined(lines);
    };
    shelf.trip("capsule.nif", stretched, "long.nif");
    const CollisionSystem after = shelf.system("long.nif");
    const Shape& now = *after.find_shape(after.bodies[1].shape);
    REQUIRE(std::holds_alternative<CapsuleShape>(now.geometry));
    CHECK(now.convex_radius == doctest::Approx(old.convex_radius).epsilon(0.01));
    const auto& capsule = std::get<CapsuleShape>(now.geometry);
    const float radius = old.convex_radius / havok::kCapsuleRadiusPart;
    CHECK(glm::length(capsule.b - capsule.a) + 2 * radius ==
          doctest::Approx(factor * (glm::length(old_capsule.b - old_capsule.a) + 2 * radius)).epsilon(0.01));
  }
}

TEST_CASE("where an object is in the scene counts, whatever node holds it") {
  Shelf shelf;
  const CollisionSystem before = shelf.system("full.nif");
  shelf.run("collision export", R"({"format":"gltf"})", {{"file", "full.nif"}}, "out");
  const std::string text = text_of(shelf.files["out"]);
  // Fifty units along x, on the root node: the only one that is scaled.
  std::string moved = text;
  REQUIRE(moved.find("\"scale\"") != std::string::npos);
  moved.insert(moved.find("\"scale\""), "\"translation\":[0.714,0,0],");
  shelf.files["moved"] = bytes_of(moved);
  shelf.run("collision replace", "{}", {{"nif", "full.nif"}, {"blob", "moved"}}, "moved.nif");
  CHECK(shelf.report["changed"].size() == 3);
  const CollisionSystem after = shelf.system("moved.nif");
  CHECK((bounds(after, 1).min.x - bounds(before, 1).min.x) * kGameUnitsPerHavokUnit ==
        doctest::Approx(50).epsilon(0.002));
}
