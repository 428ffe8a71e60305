// SPDX-License-Identifier: MIT
// Bodies as other programs write them, and as people edit them there.
#include <doctest/doctest.h>

#include <glm/geometric.hpp>
#include <glm/gtc/matrix_inverse.hpp>
#include <glm/gtc/matrix_transform.hpp>

#include <algorithm>
#include <cstring>
#include <string>

#include "marrow/ops/document/load.h"
#include "nif/add_shape.h"
#include "nif/record.h"
#include "nif/shape.h"
#include "ops/body/replace.h"
#include "ops/files/convert.h"
#include "support/body_sample.h"
#include "support/documents.h"

using namespace marrow;

namespace {

using Bytes = std::vector<std::byte>;

Document loaded(const Bytes& bytes, const std::string& name, Parts parts, Notes* notes = nullptr) {
  Context context;
  auto document = load(bytes, {.name = name, .parts = parts}, context);
  REQUIRE_MESSAGE(document.has_value(), document.error().message);
  if (notes) *notes = context.notes;
  return std::move(*document);
}

Bytes as_gltf(const Bytes& nif) {
  Document document = loaded(nif, "sheet.nif", Parts::Collision | Parts::Bodies);
  Context context;
  REQUIRE(convert(document, {.save = {.format = Format::Glb}}, context));
  auto files = save(document, {.format = Format::Glb}, context);
  REQUIRE(files);
  return files->front().bytes;
}

Document edited_of(const Bytes& nif) { return loaded(as_gltf(nif), "sheet.glb", Parts::Bodies); }

struct PutBack {
  Bytes bytes;
  BodyReplaceReport report;
  std::string notes;
};

PutBack replaced(const Bytes& nif, const Document& edited) {
  Document document = loaded(nif, "sheet.nif", Parts::Bodies);
  Context context;
  const auto report = replace_bodies(document, {.edited = &edited}, context);
  REQUIRE_MESSAGE(report.has_value(), report.error().message);
  PutBack out{.bytes = {}, .report = *report, .notes = {}};
  auto files = save(document, {.format = Format::Nif}, context);
  REQUIRE(files);
  out.bytes = files->front().bytes;
  for (const Note& note : context.notes) out.notes += note.path + ": " + note.message + "\n";
  return out;
}

BodyShape shape_of(const Bytes& nif, std::size_t index = 0) { return read_shapes(*read_nif(nif))->at(index); }

// What Blender makes of a skinned mesh: it stands in a bind pose, in metres and along other axes; bones have axes of
// their own, turned by right angles; the bind matrices fit that, and the joints stand in any pose.
void as_blender(DocumentBody& body, bool is_applied = false) {
  const float right = glm::radians(90.0f);
  Mat4 place = glm::translate(Mat4(1.0f), Vec3(0.1f, 1.7f, -0.3f));
  place = glm::rotate(place, -right, Vec3(1, 0, 0));
  place = glm::scale(place, Vec3(0.01428f));
  for (std::size_t i = 0; i < body.joints.size(); ++i) {
    const Mat4 turn = glm::rotate(Mat4(1.0f), right, i % 2 == 0 ? Vec3(1, 0, 0) : Vec3(0, 0, 1));
    body.inverse_binds[i] = glm::inverse(turn) * body.inverse_binds[i] * glm::inverse(place);
    Mat4 pose = glm::rotate(Mat4(1.0f), 0.3f * static_cast<float>(i + 1), Vec3(0, 1, 0));
    pose[3] = Vec4(5, 6, 7, 1);
    body.joints[i] = pose * body.joints[i] * turn;
    if (!is_applied) continue;
    // The scale of the armature was applied: bones are in metres, and in game space their joints have a scale.
    body.joints[i] = glm::scale(body.joints[i], Vec3(1.0f / 0.01428f));
    body.inverse_binds[i] = glm::scale(Mat4(1.0f), Vec3(0.01428f)) * body.inverse_binds[i];
  }
  for (Vec3& position : body.shape.positions) position = Vec3(place * Vec4(position, 1.0f));
  for (Vec3& normal : body.shape.normals) normal = glm::normalize(Vec3(place * Vec4(normal, 0.0f)));
}

// Gives each corner of a triangle a vertex of its own, with the normal of its face, in the order of the vertices.
void split_corners(BodyShape& mesh) {
  const BodyShape whole = mesh;
  mesh.positions.clear();
  mesh.normals.clear();
  mesh.uvs.clear();
  mesh.colors.clear();
  mesh.weights.clear();
  for (std::size_t vertex = 0; vertex < whole.positions.size(); ++vertex)
    for (std::size_t i = 0; i < whole.triangles.size(); ++i)
      for (std::size_t k = 0; k < 3; ++k) {
        if (whole.triangles[i][k] != vertex) continue;
        mesh.triangles[i][k] = static_cast<std::uint16_t>(mesh.positions.size());
        mesh.positions.push_back(whole.positions[vertex]);
        mesh.normals.push_back(glm::normalize(Vec3(1.0f, static_cast<float>(i), 2.0f)));
        if (!whole.uvs.empty()) mesh.uvs.push_back(whole.uvs[vertex]);
        if (!whole.colors.empty()) mesh.colors.push_back(whole.colors[vertex]);
        if (!whole.weights.empty()) mesh.weights.push_back(whole.weights[vertex]);
      }
}

Bytes without_normals() {
  NifFile file = test::sample_body({83, "NiTriShape", true});
  for (std::size_t i = 0; i < file.blocks.size(); ++i)
    if (const auto block = static_cast<std::int32_t>(i); file.type_of(block) == "NiTriShapeData") {
      nif::Record record = *nif::read_block(file, block);
      record.set_integer("has_normals", 0);
      for (const char* field : {"normals", "tangents", "bitangents"}) record.bytes(field).clear();
      REQUIRE(nif::write_block(file, block, record));
    }
  return write_nif(file);
}

// A file with two sheets, the second one elsewhere.
Bytes two_sheets(std::uint32_t stream) {
  NifFile file = test::sample_body({.stream = stream});
  const auto copy = copy_shape(file, read_shapes(file)->front().block);
  REQUIRE(copy);
  REQUIRE(set_object_name(file, *copy, "Second"));
  const Bytes nif = write_nif(file);
  Document edited = edited_of(nif);
  REQUIRE(edited.bodies.size() == 2);
  for (Vec3& position : edited.bodies[1].shape.positions) position += Vec3(40, 0, 0);
  return replaced(nif, edited).bytes;
}

std::vector<test::BodyKind> skinned_kinds() {
  std::vector<test::BodyKind> kinds = test::body_kinds();
  std::erase_if(kinds, [](const test::BodyKind& kind) { return !kind.is_skinned; });
  return kinds;
}

}  // namespace

TEST_CASE("bones that Blender turned, and any pose of them, do not move a body") {
  for (const test::BodyKind& kind : skinned_kinds()) {
    CAPTURE(kind.stream);
    CAPTURE(std::string(kind.type));
    const Bytes nif = write_nif(test::sample_body(kind));
    Document edited = edited_of(nif);
    as_blender(edited.bodies[0]);
    const PutBack same = replaced(nif, edited);
    CHECK_FALSE(same.report.shapes.at(0).changed());
    CHECK(same.bytes == nif);
    Document scaled = edited_of(nif);
    as_blender(scaled.bodies[0], true);
    CHECK(replaced(nif, scaled).bytes == nif);
    // One bone alone fits any turn of its axes; the scale counts there, too.
    for (VertexWeights& weights : scaled.bodies[0].shape.weights)
      weights = {.bones = {}, .weights = {1.0f, 0.0f, 0.0f, 0.0f}};
    CHECK(replaced(nif, scaled).report.shapes.at(0).positions == 0);

    for (Vec3& position : edited.bodies[0].shape.positions) position += Vec3(0.01428f, 0, 0);
    const BodyShape before = shape_of(nif), after = shape_of(replaced(nif, edited).bytes);
    for (std::size_t i = 0; i < after.positions.size(); ++i)
      CHECK(glm::distance(after.positions[i], before.positions[i] + Vec3(1, 0, 0)) < 0.01f);
  }
}

TEST_CASE("a body without normals keeps its vertices, although a program splits them by faces") {
  const Bytes nif = without_normals();
  Document edited = edited_of(nif);
  REQUIRE(edited.bodies[0].shape.normals.empty());
  split_corners(edited.bodies[0].shape);
  CHECK(edited.bodies[0].shape.positions.size() > 12);
  CHECK(replaced(nif, edited).bytes == nif);

  for (Vec3& position : edited.bodies[0].shape.positions) position += Vec3(1, 2, 3);
  const PutBack moved = replaced(nif, edited);
  CHECK(moved.report.shapes.at(0).positions == 12);
  CHECK(moved.report.shapes[0].added_vertices == 0);
  CHECK_FALSE(moved.report.shapes[0].has_new_numbers);

  // A vertex of its own for each corner of a new triangle is one vertex in the shape.
  BodyShape& mesh = edited.bodies[0].shape;
  const auto first = static_cast<std::uint16_t>(mesh.positions.size());
  for (int triangle = 0; triangle < 2; ++triangle)
    for (const Vec3 corner : {Vec3(90, 0, 0), Vec3(91, 0, 0), Vec3(90, 1, 0)}) {
      mesh.positions.push_back(corner);
      mesh.normals.push_back(triangle == 0 ? Vec3(0, 0, 1) : Vec3(0, 0, -1));
      mesh.uvs.emplace_back(0.5f, 0.5f);
      mesh.colors.emplace_back(1.0f);
      mesh.weights.push_back(mesh.weights[0]);
    }
  for (const std::uint16_t at : {first, static_cast<std::uint16_t>(first + 3)})
    mesh.triangles.push_back({at, static_cast<std::uint16_t>(at + 1), static_cast<std::uint16_t>(at + 2)});
  CHECK(shape_of(replaced(nif, edited).bytes).positions.size() == 12 + 3);
}

TEST_CASE("a vertex without weights keeps those that it had, and is counted") {
  for (const test::BodyKind& kind : skinned_kinds()) {
    const Bytes nif = write_nif(test::sample_body(kind));
    for (const bool is_turned : {false, true}) {
      Document edited = edited_of(nif);
      if (is_turned) as_blender(edited.bodies[0]);
      edited.bodies[0].shape.weights[3] = {};
      const PutBack back = replaced(nif, edited);
      CHECK(back.bytes == nif);
      CHECK(back.report.shapes.at(0).unweighted == 1);
      CHECK(back.notes.find("without weights") != std::string::npos);
    }
  }
}

TEST_CASE("a mesh that lost its skin or its name is still its shape") {
  for (const test::BodyKind& kind : skinned_kinds()) {
    const Bytes nif = write_nif(test::sample_body(kind));
    Document edited = edited_of(nif);
    DocumentBody& body = edited.bodies[0];
    body.shape.name = "Thing";
    body.shape.block = -1;
    body.file.clear();
    const PutBack renamed = replaced(nif, edited);
    CHECK(renamed.bytes == nif);
    CHECK(renamed.notes.find("'Sheet', renamed") != std::string::npos);

    body.shape.name = "Sheet";
    body.shape.is_skinned = false;
    body.shape.weights.clear();
    body.shape.bones.clear();
    const PutBack bare = replaced(nif, edited);
    CHECK(bare.bytes == nif);
    CHECK(bare.notes.find("lost its skin") != std::string::npos);
  }
}

TEST_CASE("shapes that were joined are two again") {
  for (const std::uint32_t stream : {100u, 130u}) {
    CAPTURE(stream);
    const Bytes nif = two_sheets(stream);
    Document edited = edited_of(nif);
    REQUIRE(edited.bodies.size() == 2);
    BodyShape &all = edited.bodies[0].shape, &more = edited.bodies[1].shape;
    const auto first = static_cast<std::uint16_t>(all.positions.size());
    const auto join = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
    join(all.positions, more.positions);
    join(all.normals, more.normals);
    join(all.uvs, more.uvs);
    join(all.colors, more.colors);
    join(all.weights, more.weights);
    for (auto triangle : more.triangles) {
      for (std::uint16_t& corner : triangle) corner = static_cast<std::uint16_t>(corner + first);
      all.triangles.push_back(triangle);
    }
    edited.bodies.pop_back();
    const PutBack back = replaced(nif, edited);
    CHECK(back.bytes == nif);
    CHECK(back.notes.find("'Second' was joined") != std::string::npos);
  }
}

TEST_CASE("what a shape cannot hold is named") {
  NifFile file = test::sample_body({83, "NiTriShape", true});
  for (std::size_t i = 0; i < file.blocks.size(); ++i)
    if (const auto block = static_cast<std::int32_t>(i); file.type_of(block) == "NiTriShapeData") {
      nif::Record record = *nif::read_block(file, block);
      record.set_integer("has_colors", 0);
      record.bytes("colors").clear();
      REQUIRE(nif::write_block(file, block, record));
    }
  const Bytes nif = write_nif(file);
  Document edited = edited_of(nif);
  edited.bodies[0].shape.colors.assign(12, Vec4(1, 0, 0, 1));
  CHECK(replaced(nif, edited).notes.find("no vertex colours") != std::string::npos);
}

TEST_CASE("numbers that the format cannot store are refused, not written as infinite") {
  for (const test::BodyKind& kind : test::body_kinds()) {
    CAPTURE(kind.stream);
    const Bytes nif = write_nif(test::sample_body(kind));
    const auto refused = [&](void (*edit)(BodyShape&)) {
      Document edited = edited_of(nif), document = loaded(nif, "sheet.nif", Parts::Bodies);
      edit(edited.bodies[0].shape);
      Context context;
      const auto report = replace_bodies(document, {.edited = &edited}, context);
      return !report && report.error().code == ErrorCode::Unrepresentable;
    };
    CHECK(refused([](BodyShape& mesh) { mesh.positions[0] = Vec3(1e30f, 0, 0); }));
    const bool is_half = kind.stream == 130;
    CHECK(refused([](BodyShape& mesh) { mesh.positions[0] = Vec3(70000, 0, 0); }) == is_half);
    CHECK(refused([](BodyShape& mesh) { mesh.uvs[0] = Vec2(70000, 0); }) == (kind.stream != 83));
  }
}

TEST_CASE("weights that do not add up to one are the same in any size") {
  for (const test::BodyKind& kind : skinned_kinds()) {
    const Bytes nif = write_nif(test::sample_body(kind));
    Document edited = edited_of(nif);
    for (VertexWeights& weights : edited.bodies[0].shape.weights)
      for (float& weight : weights.weights) weight *= 2.0f;
    CHECK(replaced(nif, edited).bytes == nif);
  }
}

TEST_CASE("of more than four weights in a glTF file the four strongest stay, with a note") {
  const Bytes nif = write_nif(test::sample_body({}));
  Bytes glb = as_gltf(nif);
  std::uint32_t length = 0;
  std::memcpy(&length, glb.data() + 12, 4);
  std::string json(reinterpret_cast<const char*>(glb.data()) + 20, length);
  // The same sets twice more: a vertex with two bones has six weights.
  for (const std::string name : {"JOINTS", "WEIGHTS"}) {
    const std::size_t at = json.find("\"" + name + "_0\":");
    REQUIRE(at != std::string::npos);
    const std::size_t number = at + name.size() + 5;
    const std::string value = json.substr(number, json.find_first_of(",}", number) - number);
    json.insert(at, "\"" + name + "_1\":" + value + ",\"" + name + "_2\":" + value + ",");
  }
  while (json.size() % 4 != 0) json += ' ';
  const auto text = std::as_bytes(std::span(json));
  Bytes made(glb.begin(), glb.begin() + 20);
  made.insert(made.end(), text.begin(), text.end());
  made.insert(made.end(), glb.begin() + 20 + static_cast<std::ptrdiff_t>(length), glb.end());
  const auto total = static_cast<std::uint32_t>(made.size());
  length = static_cast<std::uint32_t>(json.size());
  std::memcpy(made.data() + 8, &total, 4);
  std::memcpy(made.data() + 12, &length, 4);

  Notes notes;
  const Document read = loaded(made, "sheet.glb", Parts::Bodies, &notes);
  std::size_t crowded = 0;
  for (const VertexWeights& weights : read.bodies.at(0).shape.weights) {
    if (weights.weights[3] == 0.0f) continue;
    ++crowded;
    CHECK(weights.weights[0] + weights.weights[1] + weights.weights[2] + weights.weights[3] == doctest::Approx(1.0f));
  }
  CHECK(crowded > 0);
  const auto told = std::ranges::find_if(
      notes, [](const Note& note) { return note.message.find("more than four weights") != std::string::npos; });
  CHECK(told != notes.end());
}
