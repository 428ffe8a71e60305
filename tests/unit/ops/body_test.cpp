// SPDX-License-Identifier: MIT
// Bodies through load, operation and save, as every door runs them.
#include <doctest/doctest.h>

#include <glm/geometric.hpp>

#include <algorithm>
#include <limits>

#include "marrow/ops/document/load.h"
#include "nif/record.h"
#include "nif/shape.h"
#include "ops/body/list.h"
#include "ops/body/replace.h"
#include "ops/files/check.h"
#include "ops/files/convert.h"
#include "support/body_sample.h"
#include "support/documents.h"

using namespace marrow;

namespace {

constexpr Parts kShown = Parts::Collision | Parts::Bodies;

Document loaded(const std::vector<std::byte>& bytes, const std::string& name, Parts parts) {
  Context context;
  auto document = load(bytes, {.name = name, .parts = parts}, context);
  REQUIRE_MESSAGE(document.has_value(), document.error().message);
  return std::move(*document);
}

std::vector<std::byte> saved(const Document& document, Format format) {
  Context context;
  auto files = save(document, {.format = format}, context);
  REQUIRE_MESSAGE(files.has_value(), files.error().message);
  return files->front().bytes;
}

std::vector<std::byte> as_gltf(const std::vector<std::byte>& nif, const Document* skeleton = nullptr) {
  Document document = loaded(nif, "sheet.nif", kShown);
  Context context;
  const auto done = convert(document, {.save = {.format = Format::Glb}, .skeleton = skeleton}, context);
  REQUIRE_MESSAGE(done.has_value(), done.error().message);
  return saved(document, Format::Glb);
}

// Puts edited meshes back. Returns the file and the report.
std::pair<std::vector<std::byte>, BodyReplaceReport> replaced(const std::vector<std::byte>& nif,
                                                              const Document& edited) {
  Document document = loaded(nif, "sheet.nif", Parts::Bodies);
  Context context;
  const auto report = replace_bodies(document, {.edited = &edited}, context);
  REQUIRE_MESSAGE(report.has_value(), report.error().message);
  return {saved(document, Format::Nif), *report};
}

BodyShape shape_of(const std::vector<std::byte>& nif) { return read_shapes(*read_nif(nif))->front(); }

Findings checked(const NifFile& file, const CheckOptions& options = {}) {
  Context context;
  const auto report = check(write_nif(file), "sheet.nif", options, context);
  REQUIRE(report);
  return report->findings;
}

bool finds(const Findings& findings, std::string_view code) {
  return std::ranges::any_of(findings, [&](const Finding& finding) { return finding.code == code; });
}

template <class Edit>
NifFile damaged(const test::BodyKind& kind, std::string_view type, Edit edit) {
  NifFile file = test::sample_body(kind);
  for (std::size_t i = 0; i < file.blocks.size(); ++i)
    if (const auto block = static_cast<std::int32_t>(i); file.type_of(block) == type) {
      nif::Record record = *nif::read_block(file, block);
      edit(record);
      REQUIRE(nif::write_block(file, block, record));
    }
  return file;
}

}  // namespace

TEST_CASE("a body goes to glTF and back untouched: the same bytes") {
  for (const test::BodyKind& kind : test::body_kinds()) {
    CAPTURE(kind.stream);
    CAPTURE(std::string(kind.type));
    const std::vector<std::byte> nif = write_nif(test::sample_body(kind));
    const Document edited = loaded(as_gltf(nif), "sheet.glb", Parts::Bodies);
    REQUIRE(edited.bodies.size() == 1);
    CHECK(edited.bodies[0].shape.positions == test::sample_sheet().positions);
    CHECK(edited.bodies[0].shape.is_skinned == kind.is_skinned);
    const auto [bytes, report] = replaced(nif, edited);
    CHECK_FALSE(report.shapes.at(0).changed());
    CHECK(bytes == nif);
  }
}

TEST_CASE("put into its bind pose by another program, a body comes back the same") {
  for (const test::BodyKind& kind : test::body_kinds()) {
    if (!kind.is_skinned) continue;
    CAPTURE(kind.stream);
    const std::vector<std::byte> nif = write_nif(test::sample_body(kind));
    Document edited = loaded(as_gltf(nif), "sheet.glb", Parts::Bodies);
    DocumentBody& body = edited.bodies[0];
    // The whole is moved, and the bind matrices undo the joints where they stand now.
    Mat4 moved(1.0f);
    moved[3] = Vec4(3, 4, 5, 1);
    for (std::size_t i = 0; i < body.joints.size(); ++i) {
      body.joints[i] = moved * body.joints[i];
      body.inverse_binds[i] = glm::inverse(body.joints[i]);
    }
    for (Vec3& position : body.shape.positions) position += Vec3(3, 4, 5);
    CHECK(replaced(nif, edited).first == nif);
  }
}

TEST_CASE("moved vertices keep the normals of a mesh that is only moved, and turn those of one that is squeezed") {
  for (const test::BodyKind& kind : test::body_kinds()) {
    CAPTURE(kind.stream);
    CAPTURE(std::string(kind.type));
    const std::vector<std::byte> nif = write_nif(test::sample_body(kind));
    Document edited = loaded(as_gltf(nif), "sheet.glb", Parts::Bodies);
    for (Vec3& position : edited.bodies[0].shape.positions) position += Vec3(1.5f, -2.25f, 0.75f);
    const auto [bytes, report] = replaced(nif, edited);
    const BodyShape before = shape_of(nif), after = shape_of(bytes);
    CHECK(report.shapes[0].positions == 12);
    CHECK(report.shapes[0].normals == 0);
    CHECK(after.normals == before.normals);
    CHECK(after.tangents == before.tangents);
    for (std::size_t i = 0; i < 12; ++i)
      CHECK(glm::distance(after.positions[i], before.positions[i] + Vec3(1.5f, -2.25f, 0.75f)) < 0.01f);
    if (before.bound.w > 0.0f)
      CHECK(glm::distance(Vec3(after.bound), Vec3(before.bound) + Vec3(1.5f, -2.25f, 0.75f)) < 0.01f);

    Document squeezed = loaded(as_gltf(nif), "sheet.glb", Parts::Bodies);
    for (Vec3& position : squeezed.bodies[0].shape.positions) position.y *= 4.0f;
    const auto [other, told] = replaced(nif, squeezed);
    CHECK(told.shapes[0].turned_normals > 0);
    CHECK(told.shapes[0].tangents > 0);
    CHECK(shape_of(other).normals != before.normals);
  }
}

TEST_CASE("vertices and triangles in another order are put back in their places") {
  for (const test::BodyKind& kind : test::body_kinds()) {
    CAPTURE(kind.stream);
    CAPTURE(std::string(kind.type));
    const std::vector<std::byte> nif = write_nif(test::sample_body(kind));
    Document edited = loaded(as_gltf(nif), "sheet.glb", Parts::Bodies);
    BodyShape& mesh = edited.bodies[0].shape;
    for (auto* list : {&mesh.positions, &mesh.normals}) std::ranges::reverse(*list);
    std::ranges::reverse(mesh.uvs);
    std::ranges::reverse(mesh.colors);
    std::ranges::reverse(mesh.weights);
    std::ranges::reverse(mesh.triangles);
    for (auto& triangle : mesh.triangles) {
      for (std::uint16_t& corner : triangle) corner = static_cast<std::uint16_t>(11 - corner);
      std::ranges::rotate(triangle, triangle.begin() + 1);
    }
    CHECK(replaced(nif, edited).first == nif);
  }
}

TEST_CASE("vertices that change places without their triangles are moved, and keep their numbers") {
  const std::vector<std::byte> nif = write_nif(test::sample_body({130, "BSTriShape", false}));
  Document edited = loaded(as_gltf(nif), "sheet.glb", Parts::Bodies);
  BodyShape& mesh = edited.bodies[0].shape;
  const BodyShape before = shape_of(nif);
  // The mirror image, with triangles that now face the other way: no order of the old mesh has them.
  for (std::ptrdiff_t row = 0; row < 3; ++row) {
    std::reverse(mesh.positions.begin() + 4 * row, mesh.positions.begin() + 4 * row + 4);
    std::reverse(mesh.uvs.begin() + 4 * row, mesh.uvs.begin() + 4 * row + 4);
  }
  const auto [bytes, report] = replaced(nif, edited);
  CHECK(report.shapes.at(0).positions == 12);
  CHECK(report.shapes[0].added_triangles == 0);
  const BodyShape after = shape_of(bytes);
  CHECK(after.triangles == before.triangles);
  CHECK(after.positions[0] == before.positions[3]);
  CHECK(after.uvs[5] == before.uvs[6]);
}

TEST_CASE("new vertices follow the old ones, and what nothing uses any more goes") {
  for (const test::BodyKind& kind : test::body_kinds()) {
    if (kind.type == "NiTriStrips") continue;
    CAPTURE(kind.stream);
    CAPTURE(std::string(kind.type));
    const std::vector<std::byte> nif = write_nif(test::sample_body(kind));
    Document edited = loaded(as_gltf(nif), "sheet.glb", Parts::Bodies);
    BodyShape& mesh = edited.bodies[0].shape;
    mesh.positions.emplace_back(3, 2, 12);
    mesh.normals.emplace_back(0, 1, 0);
    mesh.uvs.emplace_back(0.5f, 0.0f);
    mesh.colors.emplace_back(1.0f);
    if (!mesh.weights.empty()) mesh.weights.push_back(mesh.weights[8]);
    mesh.triangles.push_back({9, 12, 10});
    mesh.triangles.erase(mesh.triangles.begin());  // the only one with vertex 0
    const auto [bytes, report] = replaced(nif, edited);
    const BodyShape after = shape_of(bytes);
    CHECK(report.shapes[0].added_vertices == 1);
    CHECK(report.shapes[0].removed_vertices == 1);
    CHECK(report.shapes[0].has_new_numbers);
    CHECK(after.positions.size() == 12);
    CHECK(after.positions.back() == Vec3(3, 2, 12));
    CHECK(after.positions.front() == test::sample_sheet().positions[1]);
    CHECK(after.triangles.size() == 12);
    if (!after.weights.empty()) CHECK(after.weights.back().weights[0] == 1.0f);
    Context context;
    const auto found = check(bytes, "sheet.nif", {}, context);
    REQUIRE(found);
    CHECK_FALSE(found->found());
  }
}

TEST_CASE("a mesh that belongs to no shape fails, and one with a strange bone names it") {
  const std::vector<std::byte> nif = write_nif(test::sample_body({}));
  Document edited = loaded(as_gltf(nif), "sheet.glb", Parts::Bodies);
  Document document = loaded(nif, "sheet.nif", Parts::Bodies);
  Context context;
  edited.bodies[0].shape.bones[0].name = "Tail";
  const Document as_nif = document;
  const auto refused = replace_bodies(document, {.edited = &as_nif}, context);
  REQUIRE(!refused);
  CHECK(refused.error().code == ErrorCode::WrongKind);
  CHECK(refused.error().cure == Cure{"convert", {{"format", "glb"}}});
  const auto strange = replace_bodies(document, {.edited = &edited}, context);
  REQUIRE_FALSE(strange);
  CHECK(strange.error().message.find("'Tail'") != std::string::npos);
  edited.bodies[0].shape.block = 77;
  edited.bodies[0].shape.name = "Other";
  const auto none = replace_bodies(document, {.edited = &edited}, context);
  REQUIRE_FALSE(none);
  CHECK(none.error().code == ErrorCode::NotFound);
}

TEST_CASE("what is wrong with a body is found and named, and the samples are clean") {
  const test::BodyKind le{83, "NiTriShape", true}, se{100, "BSTriShape", true},
      fallout{130, "BSSubIndexTriShape", true}, box{130, "BSTriShape", false};
  for (const test::BodyKind& kind : test::body_kinds()) {
    CAPTURE(std::string(kind.type));
    for (const Finding& finding : checked(test::sample_body(kind)))
      CHECK_MESSAGE(finding.level == Level::Info, finding.code << ": " << finding.message);
  }
  CHECK(finds(checked(test::sample_body(le), {.game = Game::SkyrimSe}), "E_OTHER_GAME"));
  CHECK(finds(checked(damaged(le, "NiTriShapeData",
                              [](nif::Record& record) {
                                auto triangles = record.values<std::uint16_t>("triangles");
                                triangles[0] = 500;
                                record.set_values("triangles", triangles);
                              })),
              "E_VERTEX_INDEX"));
  CHECK(finds(checked(damaged(le, "NiSkinPartition",
                              [](nif::Record& record) {
                                auto triangles = record.records("partitions")[0].values<std::uint16_t>("triangles");
                                triangles[0] = triangles[1] = triangles[2];
                                record.records("partitions")[0].set_values("triangles", triangles);
                              })),
              "E_PARTITION_TRIANGLE"));
  CHECK(finds(
      checked(damaged(se, "NiSkinPartition", [](nif::Record& r) { r.bytes("vertices")[32 + 8] = std::byte{99}; })),
      "E_BONE_INDEX"));
  CHECK(finds(checked(damaged(se, "BSDismemberSkinInstance", [](nif::Record& r) { r.bytes("parts").resize(4); })),
              "E_PARTITION"));
  CHECK(finds(
      checked(damaged(fallout, "BSSubIndexTriShape",
                      [](nif::Record& record) { record.records("segments")[1].set_integer("triangle_count", 5); })),
      "E_SEGMENT"));
  CHECK(finds(checked(damaged(fallout, "BSSkin::Instance",
                              [](nif::Record& r) { r.set_values("bones", std::vector<std::int32_t>{1, 3}); })),
              "E_SKIN_BONE"));
  CHECK(finds(checked(damaged(fallout, "BSSkin::BoneData", [](nif::Record& r) { r.bytes("bones").resize(68); })),
              "E_SKIN_DATA"));
  CHECK(finds(checked(damaged(fallout, "BSSubIndexTriShape",
                              [](nif::Record& r) {
                                r.bytes("vertices")[0] = std::byte{0}, r.bytes("vertices")[1] = std::byte{0x7E};
                              })),
              "E_NAN"));
  CHECK(finds(checked(damaged(fallout, "BSSubIndexTriShape",
                              [](nif::Record& r) {
                                std::ranges::fill(std::span(r.bytes("vertices")).subspan(24, 8), std::byte{0});
                              })),
              "W_UNWEIGHTED"));
  const NifFile small = damaged(box, "BSTriShape", [](nif::Record& r) { r.set("bound", 0.01f, 3); });
  CHECK(finds(checked(small), "W_BOUND"));
  Context context;
  const auto mended = fixed(test::loaded(write_nif(small), Parts::None, "sheet.nif"), {}, context);
  REQUIRE(mended);
  CHECK_FALSE(finds(checked(*mended->nif()), "W_BOUND"));
}

TEST_CASE("what has one right repair is repaired, and its finding says so") {
  const struct {
    test::BodyKind kind;
    std::string_view block, code;
    void (*damage)(nif::Record&);
  } rows[] = {
      {{130, "BSTriShape", true}, "BSTriShape", "W_DATA_SIZE", [](nif::Record& r) { r.set_integer("data_size", 7); }},
      {{100, "BSTriShape", true},
       "NiSkinPartition",
       "W_PARTITION_PALETTE",
       [](nif::Record& r) {
         nif::Record& partition = r.records("partitions")[0];
         partition.set_values("bones", std::vector<std::uint16_t>(partition.values<std::uint16_t>("bones").size(), 0));
       }},
      {{130, "BSTriShape", true}, "BSTriShape", "W_WEIGHT_SUM", [](nif::Record& r) {
         std::vector<std::byte>& vertices = r.bytes("vertices");
         for (std::size_t at = 24; at < vertices.size(); at += 36)
           vertices[at + 1] = std::byte{0x30};  // 0.125 and so on
       }}};
  for (const auto& row : rows) {
    CAPTURE(std::string(row.code));
    const NifFile broken = damaged(row.kind, row.block, row.damage);
    const auto found = checked(broken);
    REQUIRE(finds(found, row.code));
    for (const Finding& finding : found)
      if (finding.code == row.code) CHECK(finding.cure == automatic_cure());
    Context context;
    const auto mended = fixed(test::loaded(write_nif(broken), Parts::None, "sheet.nif"), {}, context);
    REQUIRE(mended);
    for (const Finding& finding : checked(*mended->nif()))
      CHECK_MESSAGE(finding.level == Level::Info, finding.code << ": " << finding.message);
  }
}

TEST_CASE("a number of any described block that is not finite is found, with its block and field") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const test::BodyKind fallout{130, "BSSubIndexTriShape", true};
  const auto place_of = [&](std::string_view type, auto damage) {
    const Findings findings = checked(damaged(fallout, type, damage));
    const auto found = std::ranges::find(findings, "E_NOT_FINITE", &Finding::code);
    return found == findings.end() ? std::string() : found->where;
  };
  CHECK(place_of("NiNode", [&](nif::Record& r) { r.set("translation", nan, 1); }).ends_with("(NiNode).translation"));
  CHECK(place_of("BSSubIndexTriShape", [&](nif::Record& r) { r.set("scale", nan); }).ends_with(".scale"));
  CHECK(place_of("BSLightingShaderProperty", [&](nif::Record& r) { r.set("alpha", nan); }).ends_with(".alpha"));
  CHECK(place_of("BSSubIndexTriShape", [](nif::Record& r) { r.bytes("vertices")[1] = std::byte{0x7E}; }).empty());
  for (const test::BodyKind& kind : test::body_kinds())
    CHECK_FALSE(finds(checked(test::sample_body(kind)), "E_NOT_FINITE"));
}

TEST_CASE("bones that no skeleton has are named; names are equal in any case, and bones below a known one are known") {
  Document skeleton;
  skeleton.skeletons.push_back(
      {.skeleton = {.name = "rig", .bones = {{"UPPER", kNoBone, {}, false}}, .float_slots = {}, .partitions = {}}});
  const NifFile file = test::sample_body({});
  const Findings findings = checked(file, {.skeleton = &skeleton});
  CHECK(finds(findings, "W_SKIN_BONE"));
  CHECK(std::ranges::count(findings, "W_SKIN_BONE", &Finding::code) == 1);
  skeleton.skeletons[0].skeleton.bones.push_back({"scene", kNoBone, {}, false});
  CHECK_FALSE(finds(checked(file, {.skeleton = &skeleton}), "W_SKIN_BONE"));
}

TEST_CASE(
    "on a skeleton a body stands by the names of its bones, and bones that the skeleton lacks hang below their "
    "parents") {
  Document skeleton;
  skeleton.format = Format::Hkx;
  skeleton.skeletons.push_back(
      {.skeleton = {.name = "rig",
                    .bones = {{"Root", kNoBone, {}, false}, {"upper", 0, {.translation = {0, 0, 20}}, false}},
                    .float_slots = {},
                    .partitions = {}}});
  const Document shown = loaded(as_gltf(write_nif(test::sample_body({})), &skeleton), "sheet.glb", Parts::Bodies);
  REQUIRE(shown.bodies.size() == 1);
  const DocumentBody& body = shown.bodies[0];
  REQUIRE(body.joints.size() == 2);
  CHECK(body.shape.bones[0].name == "upper");
  CHECK(glm::distance(Vec3(body.joints[0][3]), Vec3(0, 0, 20)) < 1e-3f);
  CHECK(body.inverse_binds[0][3] == Vec4(0, 0, -10, 1));
  CHECK(glm::distance(Vec3(body.joints[1][3]), Vec3(0.0f)) < 1e-3f);
}

TEST_CASE("body list and weights say what the game draws") {
  const Document document =
      loaded(write_nif(test::sample_body({100, "BSDynamicTriShape", true})), "sheet.nif", Parts::None);
  Context context;
  const auto list = list_bodies(document, {}, context);
  REQUIRE(list);
  REQUIRE(list->shapes.size() == 1);
  const ListedShape& shape = list->shapes[0];
  CHECK(shape.vertices == 12);
  CHECK(shape.triangles == 12);
  CHECK(shape.bones == std::vector<std::string>{"Upper", "Lower"});
  REQUIRE(shape.partitions.size() == 2);
  CHECK(shape.partitions[1].body_part == 34);
  const auto weights = body_weights(document, {}, context);
  REQUIRE(weights);
  CHECK(weights->csv.starts_with("shape,vertex,bone,weight\nSheet,0,Lower,1\n"));
  CHECK(std::ranges::count(weights->csv, '\n') == 1 + 4 + 8 + 4);
}
