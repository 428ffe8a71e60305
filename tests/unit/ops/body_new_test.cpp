// SPDX-License-Identifier: MIT
// New shapes, new bones, transferred weights, pictures.
#include <doctest/doctest.h>

#include <glm/geometric.hpp>

#include "marrow/core/byte_reader.h"
#include "marrow/ops/document/load.h"
#include "nif/add_shape.h"
#include "nif/references.h"
#include "nif/shape.h"
#include "ops/body/new_body.h"
#include "ops/body/picture.h"
#include "ops/body/textures.h"
#include "ops/body/transfer.h"
#include "ops/files/check.h"
#include "ops/files/convert.h"
#include "support/body_sample.h"

using namespace marrow;

namespace {

Document nif_document(const NifFile& nif, const std::string& name = "meshes/sheet.nif") {
  Context context;
  auto document = load(write_nif(nif), {.name = name, .parts = Parts::Bodies}, context);
  REQUIRE_MESSAGE(document.has_value(), document.error().message);
  return std::move(*document);
}

Document as_mesh(const NifFile& nif) {
  Document document = nif_document(nif);
  Context context;
  REQUIRE(convert(document, {.save = {.format = Format::Glb}}, context).has_value());
  const auto files = save(document, {.format = Format::Glb}, context);
  REQUIRE(files.has_value());
  auto mesh = load(files->front().bytes, {.name = "sheet.glb", .parts = Parts::Bodies}, context);
  REQUIRE(mesh.has_value());
  return std::move(*mesh);
}

std::vector<BodyShape> shapes_of(const NifFile& nif) {
  auto shapes = read_shapes(nif);
  REQUIRE_MESSAGE(shapes.has_value(), shapes.error().message);
  return std::move(*shapes);
}

std::vector<test::BodyKind> skinned_kinds() {
  std::vector<test::BodyKind> kinds;
  for (const test::BodyKind& kind : test::body_kinds())
    if (kind.is_skinned) kinds.push_back(kind);
  return kinds;
}

}  // namespace

TEST_CASE("a bone that is added to a skin is read back with its bind transform") {
  for (const test::BodyKind& kind : skinned_kinds()) {
    INFO(kind.type << " of stream " << kind.stream);
    NifFile nif = test::sample_body(kind);
    const BodyShape before = shapes_of(nif).front();
    BindTransform bind;
    bind.translation = {1, 2, 3};
    bind.scale = 2;
    REQUIRE(add_skin_bone(nif, before.block, {.name = "Extra", .place = {{4, 5, 6}}, .bind = bind}).has_value());
    auto read = read_nif(write_nif(nif));
    REQUIRE(read.has_value());
    const BodyShape after = shapes_of(*read).front();
    REQUIRE(after.bones.size() == before.bones.size() + 1);
    CHECK(after.bones.back().name == "Extra");
    CHECK(after.bones.back().bind == bind);
    CHECK(after.weights == before.weights);
    CHECK(after.bones.front() == before.bones.front());
  }
}

TEST_CASE("a copy of a shape is equal to it, and goes without a trace") {
  for (const test::BodyKind& kind : test::body_kinds()) {
    INFO(kind.type << " of stream " << kind.stream);
    const NifFile before = test::sample_body(kind);
    NifFile nif = before;
    const BodyShape shape = shapes_of(nif).front();
    const auto copy = copy_shape(nif, shape.block);
    REQUIRE_MESSAGE(copy.has_value(), copy.error().message);
    REQUIRE(set_object_name(nif, *copy, "Twin").has_value());
    const std::vector<BodyShape> both = shapes_of(nif);
    REQUIRE(both.size() == 2);
    BodyShape twin = both.back();
    CHECK(twin.name == "Twin");
    twin.name = shape.name;
    twin.block = shape.block;
    CHECK(twin == shape);
    REQUIRE(detach_shape(nif, *copy).has_value());
    REQUIRE(remove_blocks(nif, orphaned_blocks(nif)).has_value());
    CHECK(nif.blocks == before.blocks);
  }
}

TEST_CASE("a mesh gets the weights of the body below it") {
  for (const test::BodyKind& kind : skinned_kinds()) {
    INFO(kind.type << " of stream " << kind.stream);
    const NifFile nif = test::sample_body(kind);
    const Document like = nif_document(nif);
    Document document = as_mesh(nif);
    Context context;
    const auto report = new_body(document, {.like = &like, .transfer = true}, context);
    REQUIRE_MESSAGE(report.has_value(), report.error().message);
    REQUIRE(report->shapes.size() == 1);
    CHECK(report->shapes[0].is_transferred);
    CHECK(report->shapes[0].farthest < 0.01);
    REQUIRE(report->shapes[0].worst_difference.has_value());
    CHECK(*report->shapes[0].worst_difference < 0.01);
    const BodyShape made = shapes_of(*document.nif()).front(), old = shapes_of(nif).front();
    CHECK(made.positions.size() == old.positions.size());
    CHECK(made.material == old.material);
    CHECK(made.triangles.size() == old.triangles.size());
    const auto findings = check(document, {}, context);
    REQUIRE(findings.has_value());
    for (const Finding& finding : findings->findings) CHECK_MESSAGE(finding.level != Level::Error, finding.message);
  }
}

TEST_CASE("two meshes become two shapes, each with a skin of its own") {
  const NifFile nif = test::sample_body({.stream = 100});
  const Document like = nif_document(nif);
  Document document = as_mesh(nif);
  document.bodies.push_back(document.bodies.front());
  document.bodies.back().shape.name = "Second";
  for (Vec3& position : document.bodies.back().shape.positions) position.z += 1.0f;
  Context context;
  const auto report = new_body(document, {.like = &like}, context);
  REQUIRE_MESSAGE(report.has_value(), report.error().message);
  const std::vector<BodyShape> shapes = shapes_of(*document.nif());
  REQUIRE(shapes.size() == 2);
  CHECK(shapes[0].name == "Sheet");
  CHECK(shapes[1].name == "Second");
  CHECK(shapes[1].positions[0].z == doctest::Approx(shapes[0].positions[0].z + 1.0f));
  CHECK(shapes[1].weights == shapes[0].weights);
}

TEST_CASE("the nearest surface that faces the same way gives its weights") {
  // Two sheets a unit apart, facing each other: a point between them belongs to the one that faces as it does.
  BodyShape low, high;
  low.positions = {{-10, -10, 0}, {10, -10, 0}, {10, 10, 0}, {-10, 10, 0}};
  low.triangles = {{0, 1, 2}, {0, 2, 3}};
  low.bones = {{.name = "Low", .bind = {}}};
  low.weights.assign(4, {.bones = {}, .weights = {1, 0, 0, 0}});
  high = low;
  high.bones[0].name = "High";
  for (Vec3& position : high.positions) position.z = 1.0f;
  high.triangles = {{0, 2, 1}, {0, 3, 2}};
  WeightedSurface surface;
  surface.add(low, low.positions);
  surface.add(high, high.positions);
  surface.build();
  const SurfacePoint up = surface.at({1, 1, 0.9f}, {0, 0, 1}), down = surface.at({1, 1, 0.1f}, {0, 0, -1});
  REQUIRE(up.weights.size() == 1);
  CHECK(surface.bones()[up.weights[0].first] == "Low");
  CHECK(up.distance == doctest::Approx(0.9f));
  CHECK(up.agrees);
  CHECK(surface.bones()[down.weights[0].first] == "High");
  CHECK_FALSE(surface.at({1, 1, -30}, {1, 0, 0}).agrees);
  CHECK(weight_difference({{0, 1.0f}}, {{1, 1.0f}}) == doctest::Approx(1.0));
  CHECK(weight_difference({{0, 0.5f}, {1, 0.5f}}, {{0, 1.0f}}) == doctest::Approx(0.5));
}

TEST_CASE("bodies are drawn, as pixels or as polygons") {
  const Document document = nif_document(test::sample_body({}));
  Context context;
  auto report = draw_bodies(document, {.size = "40x30"}, context);
  REQUIRE_MESSAGE(report.has_value(), report.error().message);
  CHECK(report->shapes == 1);
  CHECK(report->width == 40);
  CHECK(as_text(report->text().bytes).substr(1, 3) == "PNG");
  report = draw_bodies(document, {.size = "40x30", .form = PictureForm::Svg}, context);
  REQUIRE(report.has_value());
  CHECK(as_text(report->text().bytes).starts_with("<svg"));
  for (const char* size : {"40", "0x10", "40x", "9000x1", "1.5x2"})
    CHECK(draw_bodies(document, {.size = size}, context).error().path == "size");
  CHECK(draw_bodies(document, {.background = "red"}, context).error().path == "background");
}

TEST_CASE("textures are found in data folders and beside the meshes, and embedded") {
  // One white block as BC1, with the header of a .dds file.
  std::string dds("DDS ", 4);
  const auto number = [&](std::uint32_t value) { dds.append(reinterpret_cast<const char*>(&value), 4); };
  for (const std::uint32_t value : {124u, 0x1007u, 4u, 4u, 0u, 0u, 1u}) number(value);
  dds.append(44, '\0');
  for (const std::uint32_t value : {32u, 4u}) number(value);
  dds += "DXT1";
  dds.append(40, '\0');
  dds += std::string("\xff\xff\xff\xff\0\0\0\0", 8);
  Document document = nif_document(test::sample_body({}), "mods/meshes/sheet.nif");
  document.bodies.front().shape.material.textures = {"Textures\\Skin.dds", "skin_n.dds"};
  std::vector<std::string> asked;
  const Lookup lookup([&](const std::string& name, std::size_t) -> Result<std::vector<std::byte>> {
    asked.push_back(name);
    if (name != "mods/textures/skin.dds" && name != "other/textures/skin_n.dds")
      return fail(ErrorCode::NotFound, "there is no such file");
    const auto bytes = as_bytes(dds);
    return std::vector<std::byte>(bytes.begin(), bytes.end());
  });
  Context context{.lookup = &lookup};
  embed_textures(document, {.embed = false}, context);
  CHECK(asked.empty());
  embed_textures(document, {.embed = true, .data = {"other"}}, context);
  REQUIRE(document.bodies.front().images.size() == 2);
  CHECK(as_text(document.bodies.front().images[0]).substr(1, 3) == "PNG");
  CHECK(as_text(document.bodies.front().images[1]).substr(1, 3) == "PNG");
  CHECK(context.notes.empty());
  document.bodies.front().shape.material.textures = {"..\\..\\secret.dds", "gone.dds"};
  asked.clear();
  embed_textures(document, {.embed = true}, context);
  CHECK(context.notes.size() == 2);
  for (const std::string& name : asked) CHECK(name.find("..") == std::string::npos);
}
