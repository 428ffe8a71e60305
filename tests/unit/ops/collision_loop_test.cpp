// SPDX-License-Identifier: MIT
// Collision out, edited, and in again; one body at a time. Through operations by name, as every door runs them.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

#include "marrow/core/byte_reader.h"
#include "marrow/core/byte_writer.h"
#include "marrow/core/text.h"
#include "marrow/havok/physics_measure.h"
#include "marrow/nif/bsx_flags.h"
#include "marrow/ops/check.h"
#include "marrow/ops/collision_author.h"
#include "marrow/ops/collision_check.h"
#include "marrow/ops/collision_put_back.h"
#include "marrow/ops/collision_record.h"
#include "marrow/ops/operation.h"
#include "support/documents.h"
#include "support/nif_sample.h"

using namespace marrow;

namespace {

// A box of 40 x 20 x 30 game units, moved along x.
std::string box(const std::string& name, int x = 0, int first = 0) {
  std::string text = "o " + name + "\nusemtl Material_Wood\n";
  for (const int corner_x : {-20, 20})
    for (const int y : {-10, 10})
      for (const int z : {0, 30})
        text += "v " + std::to_string(corner_x + x) + " " + std::to_string(y) + " " + std::to_string(z) + "\n";
  for (const auto& [a, b, c] : {std::array{1, 2, 4},
                                {1, 4, 3},
                                {5, 7, 8},
                                {5, 8, 6},
                                {1, 5, 6},
                                {1, 6, 2},
                                {3, 4, 8},
                                {3, 8, 7},
                                {1, 3, 7},
                                {1, 7, 5},
                                {2, 6, 8},
                                {2, 8, 4}})
    text += "f " + std::to_string(first + a) + " " + std::to_string(first + b) + " " + std::to_string(first + c) + "\n";
  return text;
}

test::Bytes bytes_of(std::string_view text) { return {as_bytes(text).begin(), as_bytes(text).end()}; }
std::string text_of(const test::Bytes& bytes) { return std::string(as_text(bytes)); }

/// Runs operations on files that are held by name.
struct Shelf {
  std::map<std::string, test::Bytes> files;
  Notes notes;
  Json report;

  Shelf() {
    NifFile nif = test::sample_nif();
    // The door stands turned by a quarter: rows of the rotation after name, extra data, controller, flags, translation.
    constexpr float kQuarter[9] = {0, -1, 0, 1, 0, 0, 0, 0, 1};
    std::memcpy(nif.blocks[1].bytes.data() + 28, kQuarter, sizeof kQuarter);
    files["bare.nif"] = write_nif(nif);
    files["box.obj"] = bytes_of(box("Box"));
    files["boxes.obj"] = bytes_of(box("Left", -50) + box("Right", 50, 8));
    run("collision add-body", R"({"node":"Door","shape":"hull","mass":5})", {{"file", "bare.nif"}, {"mesh", "box.obj"}},
        "one.nif");
    run("collision add-body", R"({"node":"Lamp","shape":"sphere"})", {{"file", "one.nif"}, {"mesh", "box.obj"}},
        "two.nif");
    run("collision add-body", R"({"node":"Shelf","shape":"compound"})", {{"file", "two.nif"}, {"mesh", "boxes.obj"}},
        "full.nif");
  }

  Result<OperationResult> try_run(std::string_view name, std::string_view options,
                                  const std::vector<std::pair<std::string_view, std::string>>& inputs) {
    std::vector<OperationInput> given;
    for (const auto& [role, file] : inputs) given.push_back({.role = role, .name = file, .bytes = files.at(file)});
    const Json json = parse_json(options).value();
    Context context;
    OperationCall call{.options = json, .inputs = given, .context = context};
    auto result = run_operation(name, call);
    notes = context.notes;
    return result;
  }

  void run(std::string_view name, std::string_view options,
           const std::vector<std::pair<std::string_view, std::string>>& inputs, const std::string& output) {
    auto result = try_run(name, options, inputs);
    REQUIRE_MESSAGE(result.has_value(), std::string(name) << ": " << (result ? "" : describe(result.error())));
    report = result->report;
    if (!result->files.empty()) files[output] = result->files.front().bytes;
  }

  /// Exports a NIF as text, changes the text, and puts it back.
  template <class Edit>
  void trip(const std::string& nif, const Edit& edit, const std::string& output) {
    run("collision export", R"({"format":"obj"})", {{"file", nif}}, "trip.obj");
    files["trip.obj"] = bytes_of(edit(text_of(files["trip.obj"])));
    run("collision replace", "{}", {{"nif", nif}, {"blob", "trip.obj"}}, output);
  }

  Document document(const std::string& name) { return test::loaded(files.at(name), Parts::Collision); }
  CollisionSystem system(const std::string& name) { return document(name).collision.at(0).system; }
  std::uint32_t flags(const std::string& name) { return bsx_flags(*document(name).nif()).value_or(0); }
  bool has_note(std::string_view text) const {
    return std::ranges::any_of(notes, [&](const Note& note) { return note.message.find(text) != std::string::npos; });
  }
};

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
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
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

geometry::Aabb bounds(const CollisionSystem& system, std::size_t body) {
  return havok::bounds_of(system, *system.find_shape(system.bodies[body].shape));
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
  CHECK(taken.error().message.find("set-shape") != std::string::npos);
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
}
