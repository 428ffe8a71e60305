// SPDX-License-Identifier: MIT
// FBX and BVH as documents: what they become, and when they stop being what their file has.
#include <doctest/doctest.h>

#include "exchange/bvh/read.h"
#include "marrow/core/byte_reader.h"
#include "ops/clip/sample.h"
#include "ops/files/check.h"
#include "ops/files/convert.h"
#include "ops/files/info.h"
#include "ops/table/operation.h"
#include "support/documents.h"
#include "support/fbx_sample.h"

using namespace marrow;
using test::fbx_property;
using test::FbxScene;

namespace {

// Two joints; the root goes from 0 to 30 along x in a second, at 60 frames per second.
std::string capture() {
  std::string text =
      "HIERARCHY\nROOT Hips\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"
      "JOINT Spine\n{\nOFFSET 0 14.28 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\n}\n"
      "MOTION\nFrames: 61\nFrame Time: 0.016666666666666666\n";
  for (int i = 0; i <= 60; ++i) text += std::to_string(i / 2.0) + " 0 0 0 0 0 0 0 " + std::to_string(i) + "\n";
  return text;
}

Document loaded(std::string_view text, const LoadOptions& options = {}) {
  Context context;
  auto document = load(as_bytes(text), options, context);
  REQUIRE_MESSAGE(document, document.error().message);
  return std::move(*document);
}

Result<Json> run_on(Document& document, std::string_view operation, const char* options) {
  Context context;
  const Json json = *parse_json(options);
  OperationCall call{.options = json, .inputs = {}, .context = context};
  return find_operation(operation)->edit(document, call);
}

}  // namespace

TEST_CASE("a capture becomes a skeleton and a clip of thirty frames per second in game units") {
  const Document document = loaded(capture());
  REQUIRE(document.skeletons.size() == 1);
  REQUIRE(document.clips.size() == 1);
  CHECK(document.skeletons[0].skeleton.bones[1].rest.translation.y == doctest::Approx(10.0));
  CHECK(document.clips[0].clip.frame_count == 31);
  CHECK(document.clips[0].clip.frame(30)[0].translation.x == doctest::Approx(30.0 / 1.428));
  CHECK(loaded(capture(), {.own_rate = true}).clips[0].clip.frame_count == 61);
  CHECK(loaded(capture(), {.scale = 2.0}).clips[0].clip.frame(30)[0].translation.x == doctest::Approx(60.0));
}

TEST_CASE("what a file does not say about its unit is said, with a likely one for bodies of no size") {
  // A row of joints above each other; the last is `height` above the first.
  const auto tower = [](int joints, double height) {
    std::string text = "HIERARCHY\nROOT J0\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n";
    for (int i = 1; i < joints; ++i)
      text += "JOINT J" + std::to_string(i) + "\n{\nOFFSET 0 " + std::to_string(height / (joints - 1)) + " 0\n";
    for (int i = 0; i < joints; ++i) text += "}\n";
    return text + "MOTION\nFrames: 1\nFrame Time: 0.1\n0 0 0\n";
  };
  const auto notes_of = [](std::string_view text, const ConvertOptions& options) {
    Context context;
    Document document = load(as_bytes(text), load_options(options), context).value();
    REQUIRE(convert(document, options, context));
    Notes units;
    for (const Note& note : context.notes)
      if (note.message.find("its unit") != std::string::npos) units.push_back(note);
    return units;
  };
  const SaveOptions to_skyrim{.format = Format::Hkx, .game = Game::SkyrimSe};
  const Notes human = notes_of(tower(12, 165.0), {.save = to_skyrim});
  REQUIRE(human.size() == 1);
  CHECK(human[0].message.ends_with("taken as a centimetre, its skeleton measures 165 cm"));
  CHECK_FALSE(human[0].cure);
  for (const auto& [height, unit, scale] : {std::tuple{1.65, "in metres 165 cm", "70.03"},
                                            {65.0 / 2.54, "in units of 1/0.45 inch 144.4 cm", "3.953"},
                                            {1650.0, "in millimetres 165 cm", "0.07003"}}) {
    const Notes other = notes_of(tower(12, height), {.save = to_skyrim});
    REQUIRE(other.size() == 1);
    CHECK_MESSAGE(other[0].message.find(unit) != std::string::npos, other[0].message);
    REQUIRE(other[0].cure);
    CHECK(other[0].cure->options == std::vector<CureOption>{{"scale", std::string(scale)}});
  }
  CHECK_FALSE(notes_of(tower(3, 1.65), {.save = to_skyrim})[0].cure);  // a pole may have any size
  ConvertOptions scaled{.save = to_skyrim};
  scaled.scale.value = 2.0;
  CHECK(notes_of(tower(12, 165.0), scaled).empty());
}

TEST_CASE("a sample of a capture is what the file has, until an edit changes it") {
  Document document = loaded(capture());
  Context context;
  const auto source = sample(document, {.frames = {30}}, context);
  REQUIRE(source);
  CHECK(source->names == std::vector<std::string>{"Hips", "Spine"});
  CHECK(source->poses[0].tracks[0].translation.x == doctest::Approx(15.0));  // frame 30 of 61, in centimetres
  REQUIRE(run_on(document, "clip trim", R"({"from_frame":15})"));
  CHECK(document.motion_source() == nullptr);
  const auto edited = sample(document, {.frames = {0}}, context);
  REQUIRE(edited);
  CHECK(edited->poses[0].tracks[0].translation.x == doctest::Approx(15.0 / 1.428));
}

TEST_CASE("options of rate and size count for a document in memory, too") {
  const Document document = loaded(capture());
  Context context;
  const OperationInput input{.role = "file", .name = "capture.bvh", .document = &document};
  const Json options = *parse_json(R"({"format":"hkx","to":"skyrim-se","fps":"source","scale":1})");
  OperationCall call{.options = options, .inputs = {&input, 1}, .context = context};
  const auto result = run_operation("convert", call);
  REQUIRE(result);
  const Document written = test::loaded(result->files.at(0).bytes);
  CHECK(written.clips.at(0).clip.frame_count == 61);
  CHECK(written.clips.at(0).clip.frame(60)[0].translation.x == doctest::Approx(30.0).epsilon(0.01));
  REQUIRE(written.skeletons.size() == 1);  // it goes along
  CHECK(written.skeletons[0].skeleton.bones.size() == 2);
}

TEST_CASE("wrong options of sources are refused in words") {
  const std::string text = capture();
  Context context;
  const OperationInput input{.role = "file", .name = "capture.bvh", .bytes = as_bytes(text)};
  for (const char* options : {R"({"fps":"often"})", R"({"fps":0})", R"({"scale":"auto"})", R"({"scale":-1})"}) {
    const Json json = *parse_json(options);
    OperationCall call{.options = json, .inputs = {&input, 1}, .context = context};
    const auto result = run_operation("convert", call);
    REQUIRE_MESSAGE(!result, options);
    CHECK(result.error().code == ErrorCode::BadOption);
  }
}

TEST_CASE("check finds what goes wrong on the way from FBX to a game") {
  FbxScene scene;
  const auto root = scene.model("Root", "LimbNode", 0);
  scene.model("Bone", "LimbNode", root, {fbx_property("Lcl Scaling", {2, 2, 2})});
  scene.model("Bone", "LimbNode", root);
  scene.model("Other", "LimbNode", 0);
  Context context;
  const auto bytes = test::fbx_binary(scene.records(7400), 7400, false);
  const auto report = check(bytes, "x.fbx", {}, context);
  REQUIRE(report);
  std::vector<std::string> codes;
  for (const Finding& finding : report->findings) codes.push_back(finding.code);
  CHECK(codes == std::vector<std::string>{"W_SOURCE_SCALE", "W_SOURCE_NAME", "W_SOURCE_ROOTS", "I_SOURCE_BIND"});
  CHECK(report->found());
}
