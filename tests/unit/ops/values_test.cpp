// SPDX-License-Identifier: MIT
// Values that a program changes without an operation are saved, shown and compared, or refused by name.
#include <doctest/doctest.h>

#include <algorithm>

#include "marrow/core/byte_reader.h"
#include "marrow/model/transform.h"
#include "nif/nif_file.h"
#include "ops/files/diff.h"
#include "ops/table/operation.h"
#include "support/body_sample.h"
#include "support/documents.h"
#include "support/nif_sample.h"

using namespace marrow;
using test::Bytes;

namespace {

constexpr Parts kAll = Parts::All | Parts::Bodies;

Result<std::vector<SavedFile>> try_save(const Document& document, const SaveOptions& options = {}) {
  Context context;
  return save(document, options, context);
}

bool is_refused(const Document& document, std::string_view place) {
  const auto saved = try_save(document);
  return !saved && saved.error().code == ErrorCode::Unrepresentable &&
         saved.error().path.find(place) != std::string::npos;
}

Json edited(Document& document, std::string_view operation, std::string_view options,
            std::vector<OperationInput> inputs = {}) {
  Context context;
  const Json json = parse_json(options).value();
  OperationCall call{.options = json, .inputs = inputs, .context = context};
  auto report = find_operation(operation)->edit(document, call);
  REQUIRE_MESSAGE(report.has_value(), (report ? "" : describe(report.error())));
  return std::move(*report);
}

std::vector<Difference> differences(const Document& a, const Document& b) {
  Context context;
  return diff(a, b, {}, context).value().differences;
}

}  // namespace

TEST_CASE("vertices of a body that are changed as values are saved, in every kind of shape") {
  for (const test::BodyKind& kind : test::body_kinds()) {
    CAPTURE(kind.type);
    CAPTURE(kind.stream);
    const Bytes before = write_nif(test::sample_body(kind));
    Document document = test::loaded(before, kAll, "body.nif");
    CHECK(test::saved(document) == before);
    BodyShape& shape = document.bodies.at(0).shape;
    REQUIRE(shape.positions.size() > 5);
    shape.positions[5].z += 2.0f;
    shape.uvs.at(4).x = 0.25f;
    if (kind.is_skinned) shape.weights.at(3) = {{1, 0, 0, 0}, {1.0f, 0.0f, 0.0f, 0.0f}};
    const Bytes after = test::saved(document);
    const Document back = test::loaded(after, kAll, "body.nif");
    const BodyShape& now = back.bodies.at(0).shape;
    CHECK(now.positions == shape.positions);
    CHECK(now.uvs == shape.uvs);
    CHECK(now.normals == shape.normals);
    if (kind.is_skinned) CHECK(now.weights.at(3).weights[0] == doctest::Approx(1.0f));
    CHECK(test::saved(document) == after);  // saving changes nothing
    CHECK(differences(test::loaded(before, kAll), document) ==
          differences(test::loaded(before, kAll), test::loaded(after, kAll)));
    CHECK_FALSE(differences(test::loaded(before, kAll), document).empty());
  }
}

TEST_CASE("what an operation does after a change of values is done to the changed shape") {
  Document document = test::loaded(write_nif(test::sample_body({})), kAll, "body.nif");
  document.bodies.at(0).shape.positions.at(5).z += 2.0f;
  const std::vector<Vec3> positions = document.bodies[0].shape.positions;
  const Bytes saved = test::saved(document);
  const std::string_view cube = "v -2 -1 0\nv -2 -1 3\nv -2 1 0\nv 2 -1 0\nf 1 2 3\nf 1 4 2\nf 2 4 3\nf 1 3 4\n";
  const std::vector<OperationInput> mesh = {{.role = "mesh", .name = "cube.obj", .bytes = as_bytes(cube)}};
  Document from_file = test::loaded(saved, kAll, "body.nif");
  for (Document* each : {&document, &from_file}) edited(*each, "collision add-body", R"({"node":"Upper"})", mesh);
  CHECK(document.bodies.at(0).shape.positions == positions);
  CHECK(test::saved(document) == test::saved(from_file));
}

TEST_CASE("bones of an Anvil skeleton that are changed as values are what every operation sees") {
  Document document =
      test::loaded(test::saved(test::skeleton_document_of(3), {.format = Format::AnvilSchema}), kAll, "rig.xml");
  document.skeletons.at(0).skeleton.bones.at(2).rest.translation.x += 1.0f;
  const Bytes saved = test::saved(document);
  const auto report = [](std::string_view operation, OperationInput input) {
    Context context;
    const Json options = Json::object();
    input.name = "rig.xml";
    OperationCall call{.options = options, .inputs = {&input, 1}, .context = context};
    return to_text(run_operation(operation, call).value().report);
  };
  for (const std::string_view look : {"rig list", "info", "check"}) {
    CAPTURE(look);
    CHECK(report(look, {.role = "file", .document = &document}) == report(look, {.role = "file", .bytes = saved}));
  }
  const Bytes addon = [] {
    Document made = test::loaded(test::saved(test::skeleton_document_of(3), {.format = Format::AnvilStandard}), kAll);
    edited(made, "rig new-addon", R"({"attach":"Bone 1"})");
    edited(made, "rig add-bone", R"({"name":"Tail","parent":"Bone 1"})");
    return test::saved(made);
  }();
  const std::vector<OperationInput> inputs = {{.role = "addon", .name = "addon.xml", .bytes = addon}};
  Document from_file = test::loaded(saved, kAll, "rig.xml");
  for (Document* each : {&document, &from_file}) edited(*each, "rig merge", "{}", inputs);
  CHECK(test::saved(document) == test::saved(from_file));
  // The numbers that one dialect states, and the addon does not, are those of the merged bones.
  edited(document, "rig new-addon", R"({"attach":"Tail"})");
}

TEST_CASE("blocks that an operation moves are found by the next one") {
  const std::string_view cube = "v -20 -10 0\nv -20 10 30\nv 20 -10 0\nv 20 10 0\nf 1 2 3\nf 1 3 4\nf 1 4 2\nf 2 4 3\n";
  const std::vector<OperationInput> mesh = {{.role = "mesh", .name = "cube.obj", .bytes = as_bytes(cube)}};
  Document document = test::loaded(write_nif(test::sample_body({.stream = 100})), kAll, "body.nif");
  edited(document, "collision add-body", R"({"node":"Upper","shape":"box"})", mesh);
  edited(document, "collision add-body", R"({"node":"Lower","shape":"box"})", mesh);
  Context context;
  const Bytes glb = save(document, {.format = Format::Glb}, context).value().front().bytes;
  Document changed = test::loaded(glb, kAll, "body.glb");
  changed.bodies.at(0).shape.positions.at(5).z += 2.0f;
  const std::vector<OperationInput> with = {{.role = "edited", .name = "body.glb", .document = &changed}};
  struct Step {
    std::string_view operation, options;
    const std::vector<OperationInput>& inputs;
  };
  const std::vector<OperationInput> nothing;
  Document in_memory = document;
  Bytes file = test::saved(document);
  for (const Step& step :
       {Step{"collision set-shape", R"({"body":"Upper","shape":"mesh"})", mesh},
        Step{"collision add-joint", R"({"body":"Upper","to":"Lower","kind":"ball"})", nothing},
        Step{"body replace", "{}", with}, Step{"collision remove-body", R"({"body":"Lower"})", nothing},
        Step{"collision add-body", R"({"node":"Lower","shape":"sphere"})", mesh}}) {
    CAPTURE(step.operation);
    edited(in_memory, step.operation, step.options, step.inputs);
    Document from_file = test::loaded(file, kAll, "body.nif");
    edited(from_file, step.operation, step.options, step.inputs);
    file = test::saved(from_file);
    CHECK(test::saved(in_memory) == file);
  }
}

TEST_CASE("what has no place in the blocks of a NIF is refused by name, not left out") {
  const Document document = test::loaded(write_nif(test::sample_body({})), kAll, "body.nif");
  Document renamed = document, smaller = document, fewer = document, turned = document;
  renamed.bodies.at(0).shape.name = "Other";
  CHECK(is_refused(renamed, "Sheet"));
  smaller.bodies.at(0).shape.positions.pop_back();
  CHECK(is_refused(smaller, "Sheet"));
  fewer.bodies.clear();
  CHECK(is_refused(fewer, "bodies"));
  turned.skeletons.at(0).skeleton.bones.back().rest.translation.x += 1.0f;
  CHECK(is_refused(turned, "skeletons"));
  CHECK(try_save(document));
}

TEST_CASE("systems of collision that are added to a document or removed from it are refused") {
  const std::string_view cube = "v -20 -10 0\nv -20 10 30\nv 20 -10 0\nv 20 10 0\nf 1 2 3\nf 1 3 4\nf 1 4 2\nf 2 4 3\n";
  const std::vector<OperationInput> mesh = {{.role = "mesh", .name = "cube.obj", .bytes = as_bytes(cube)}};
  Document nif = test::loaded(write_nif(test::sample_nif()), Parts::All, "shelf.nif");
  edited(nif, "collision add-body", R"({"node":"Door","mass":5})", mesh);
  const Document document = test::loaded(test::saved(nif), Parts::All, "shelf.nif");
  REQUIRE(document.collision.size() == 1);
  Document more = document, fewer = document, heavier = document;
  more.collision.push_back(more.collision.front());
  CHECK(is_refused(more, "collision"));
  fewer.collision.clear();
  CHECK(is_refused(fewer, "collision"));
  heavier.collision.at(0).system.surfaces.at(0).restitution = 0.125f;
  REQUIRE(try_save(heavier));
  CHECK(test::loaded(test::saved(heavier), Parts::All).collision.at(0).system.surfaces.at(0).restitution == 0.125f);
}

TEST_CASE("clips that are added to a document or removed from it are saved so") {
  Document document = test::clip_document(3, 31);
  REQUIRE(document.clips.size() == 1);
  edited(document, "compress", "{}");
  Document two = test::loaded(test::saved(document), Parts::All, "walk.hkx");
  REQUIRE(two.clips.front().spline);
  two.clips.push_back(two.clips.front());
  two.clips.back().name = "second";
  two.clips.back().clip.annotation_tracks.at(0).annotations = {{0.5f, "Here"}};
  const auto files = try_save(two);
  REQUIRE(files);
  REQUIRE(files->size() == 2);
  CHECK(files->at(1).name == "second");
  const Document second = test::loaded(files->at(1).bytes);
  CHECK(second.clips.at(0).clip.annotation_tracks == two.clips.back().clip.annotation_tracks);
  REQUIRE(second.clips.at(0).spline);
  CHECK(second.clips.at(0).spline->data == two.clips.back().spline->data);
  // Looking at it sees both.
  Context context;
  const Json none = Json::object();
  const OperationInput input{.role = "file", .name = "walk.hkx", .document = &two};
  OperationCall call{.options = none, .inputs = {&input, 1}, .context = context};
  CHECK(run_operation("info", call).value().report["clips"].size() == 2);
  two.clips.clear();
  CHECK_FALSE(try_save(two));
}

TEST_CASE("documents of values alone are compared by them, with files and with packfiles") {
  const Document clip = test::loaded(test::saved(test::clip_document(3, 31)), kAll | Parts::Frames, "clip.hkx");
  Document whole = clip;
  whole.skeletons = test::skeleton_document_of(3).skeletons;
  Context context;
  const Bytes glb = save(whole, {.format = Format::Glb}, context).value().front().bytes;
  const Document before = test::loaded(glb, kAll | Parts::Frames, "clip.glb");
  CHECK(differences(before, test::loaded(glb, Parts::None)).empty());
  CHECK(differences(before, clip).empty());
  CHECK(differences(clip, before).empty());
  Document after = before;
  after.clips.at(0).clip.transforms.at(4).translation.x += 2.0f;
  after.clips.at(0).clip.annotation_tracks.at(0).annotations.push_back({0.5f, "New"});
  const std::vector<Difference> found = differences(before, after);
  REQUIRE(found.size() == 2);
  CHECK(found == differences(clip, after));
  CHECK(found == differences(before, test::loaded(test::saved(after), Parts::None)));
  CHECK(std::ranges::any_of(found, [](const Difference& each) { return each.unit == "units" && each.size == 2.0; }));

  const std::string_view text = "o Crate\nv -20 -10 0\nv -20 10 30\nv 20 -10 0\nf 1 2 3\n";
  const Document mesh = test::loaded({as_bytes(text).begin(), as_bytes(text).end()}, Parts::None, "crate.obj");
  Document moved = test::loaded(test::saved(mesh), Parts::Meshes, "crate.obj");
  CHECK(differences(mesh, moved).empty());
  moved.meshes.at(0).mesh.vertices.at(1).z += 3.0f;
  CHECK(differences(mesh, moved).size() == 1);
  CHECK(differences(mesh, test::loaded(test::saved(moved), Parts::None)).size() == 1);
}

TEST_CASE("animation caches are compared line by line, whatever ends their lines") {
  const std::string text =
      "1\r\nWolf.txt\r\n11\r\n1\r\n1\r\nBehaviors\\Wolf.hkx\r\n1\r\nRun\r\n3\r\n1\r\n0\r\n0\r\n0\r\n\r\n"
      "7\r\n3\r\n1\r\n1\r\n1 0 90 0\r\n1\r\n1 0 0 0 1\r\n\r\n";
  std::string faster = text, unix = text;
  faster.replace(faster.find("90"), 2, "95");
  std::erase(unix, '\r');
  const auto cache = [](std::string_view lines) {
    return test::loaded({as_bytes(lines).begin(), as_bytes(lines).end()}, Parts::None, "animationdatasinglefile.txt");
  };
  CHECK(differences(cache(text), cache(text)).empty());
  CHECK(differences(cache(text), cache(unix)).empty());
  const std::vector<Difference> found = differences(cache(text), cache(faster));
  REQUIRE(found.size() == 2);
  CHECK(found[0].left == "1 0 90 0");
  CHECK(found[1].right == "1 0 95 0");
  CHECK(found[0].object == found[1].object);
}
