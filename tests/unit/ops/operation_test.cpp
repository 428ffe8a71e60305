// SPDX-License-Identifier: MIT
// Every operation by name, on values, without a file on disk.
#include "ops/table/operation.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <map>
#include <set>

#include "havok/text/xml.h"
#include "marrow/core/byte_reader.h"
#include "marrow/core/file.h"
#include "marrow/ops/document/context.h"
#include "marrow/ops/document/document.h"
#include "marrow/ops/document/format.h"
#include "nif/nif_file.h"
#include "ops/clip/annotations.h"
#include "ops/clip/compress.h"
#include "ops/clip/fit.h"
#include "ops/clip/knots.h"
#include "ops/clip/mirror.h"
#include "ops/clip/motion_sampler.h"
#include "ops/clip/sample.h"
#include "ops/collision/author.h"
#include "ops/collision/bodies.h"
#include "ops/collision/boxes.h"
#include "ops/collision/build.h"
#include "ops/collision/check.h"
#include "ops/collision/collision.h"
#include "ops/collision/edit.h"
#include "ops/collision/joint_edit.h"
#include "ops/collision/joints.h"
#include "ops/collision/mesh.h"
#include "ops/collision/put_back.h"
#include "ops/collision/ragdoll.h"
#include "ops/collision/record.h"
#include "ops/files/check.h"
#include "ops/files/convert.h"
#include "ops/files/diff.h"
#include "ops/files/dump.h"
#include "ops/files/info.h"
#include "ops/pair/paired.h"
#include "ops/retarget/bone_map.h"
#include "ops/retarget/retarget.h"
#include "ops/rig/edit.h"
#include "ops/rig/list.h"
#include "ops/rig/merge.h"
#include "ops/rig/simulate.h"
#include "support/behavior_sample.h"
#include "support/body_sample.h"
#include "support/clips.h"
#include "support/documents.h"
#include "support/nif_sample.h"
#include "support/sample_packfile.h"
#include "unit/ops/tries.h"

using namespace marrow;

namespace {

constexpr std::string_view kCube =
    "o Crate\nv -20 -10 0\nv -20 -10 30\nv -20 10 0\nv -20 10 30\nv 20 -10 0\nv 20 -10 30\nv 20 10 0\nv 20 10 30\n"
    "f 1 2 4\nf 1 4 3\nf 5 7 8\nf 5 8 6\nf 1 5 6\nf 1 6 2\nf 3 4 8\nf 3 8 7\nf 1 3 7\nf 1 7 5\nf 2 6 8\nf 2 8 4\n";

/// The files that operations are tried on, by what they are.
struct Files {
  std::map<std::string, test::Bytes> bytes;

  Files() {
    bytes["clip"] = test::saved(test::clip_document(3, 31));
    bytes["skeleton"] = test::saved(test::skeleton_document_of(3));
    bytes["rig"] = test::saved(test::skeleton_document_of(3), {.format = Format::AnvilStandard});
    bytes["cube"] = {as_bytes(kCube).begin(), as_bytes(kCube).end()};
    const std::string_view events = "0.2 New\n";
    const std::string_view edits = "# a tail\nadd-bone Tail --parent \"Bone 2\"\nrig rename Tail Tip\n";
    bytes["edits"] = {as_bytes(edits).begin(), as_bytes(edits).end()};
    bytes["events"] = {as_bytes(events).begin(), as_bytes(events).end()};
    bytes["archive"] = run("archive pack", R"({"to":"skyrim-se"})", {{"file", "clip"}}).files.at(0).bytes;
    bytes["bare nif"] = write_nif(test::sample_nif());
    bytes["blob"] = run("collision build", R"({"shape":"hull","mass":5})", {{"mesh", "cube"}}).files.at(0).bytes;
    bytes["joined"] =
        run("collision add-joint", R"({"body":"0","kind":"limited-hinge"})", {{"file", "blob"}}).files.at(0).bytes;
    const std::string_view bodies = "bone,radius,cone\nBone 0,4\nBone 1,3,30\n";
    bytes["bodies"] = {as_bytes(bodies).begin(), as_bytes(bodies).end()};
    bytes["nif"] =
        run("collision attach", R"({"node":["Door"]})", {{"nif", "bare nif"}, {"blob", "blob"}}).files.at(0).bytes;
    bytes["addon"] = run("rig new-addon", R"({"attach":"Bone 1"})", {{"base", "rig"}}).files.at(0).bytes;
  }

  Result<OperationResult> try_run(std::string_view name, std::string_view options,
                                  const std::vector<std::pair<std::string_view, std::string>>& inputs) const {
    std::vector<OperationInput> given;
    for (const auto& [role, file] : inputs) given.push_back({.role = role, .name = file, .bytes = bytes.at(file)});
    const Json json = parse_json(options).value();
    Context context;
    OperationCall call{.options = json, .inputs = given, .context = context};
    return run_operation(name, call);
  }

  OperationResult run(std::string_view name, std::string_view options,
                      const std::vector<std::pair<std::string_view, std::string>>& inputs) const {
    auto result = try_run(name, options, inputs);
    REQUIRE_MESSAGE(result.has_value(), std::string(name) << ": " << (result ? "" : describe(result.error())));
    return std::move(*result);
  }
};

using test::Try;

// One call of every operation.
const std::vector<Try> kTries = {
    {"info", "{}", {{"file", "clip"}}},
    {"convert", R"({"to":"skyrim-le"})", {{"file", "clip"}}},
    {"merge", R"({"format":"glb"})", {{"file", "clip"}, {"skeleton", "skeleton"}}},
    {"check", "{}", {{"file", "clip"}}},
    {"diff", "{}", {{"a", "clip"}, {"b", "clip"}}},
    {"dump", "{}", {{"file", "clip"}}},
    {"retarget", "{}", {{"clip", "clip"}, {"from", "skeleton"}, {"to", "skeleton"}}},
    {"sample", R"({"frames":[0,1.5]})", {{"clip", "clip"}}},
    {"knots", R"({"track":1})", {{"clip", "clip"}}},
    {"compress", R"({"max_rotation_error":0.1})", {{"clip", "clip"}}},
    {"mirror", "{}", {{"clip", "clip"}, {"skeleton", "skeleton"}}},
    {"simulate", R"({"seconds":0.1,"bone":["Bone 2"]})", {{"skeleton", "skeleton"}, {"modifiers", "pouch"}}},
    {"simulate", R"({"bone":["Bone 2"]})", {{"clip", "clip"}, {"skeleton", "skeleton"}, {"modifiers", "pouch"}}},
    {"clip trim", R"({"from_frame":3,"to":0.6})", {{"clip", "clip"}}},
    {"clip join", R"({"crossfade":0.2})", {{"first", "clip"}, {"next", "clip"}}},
    {"clip speed", R"({"factor":2})", {{"clip", "clip"}}},
    {"clip resample", R"({"fps":60})", {{"clip", "clip"}}},
    {"clip reverse", "{}", {{"clip", "clip"}}},
    {"clip repeat", R"({"times":2})", {{"clip", "clip"}}},
    {"clip loop", R"({"find":true})", {{"clip", "clip"}, {"skeleton", "skeleton"}}},
    {"clip tracks", R"({"keep":["Bone 1"]})", {{"clip", "clip"}, {"skeleton", "skeleton"}}},
    {"clip blend", R"({"weight":0.5})", {{"first", "clip"}, {"other", "clip"}}},
    {"clip layer", R"({"below":["Bone 1"]})", {{"base", "clip"}, {"over", "clip"}, {"skeleton", "skeleton"}}},
    {"clip additive", "{}", {{"clip", "clip"}, {"reference", "rest"}, {"skeleton", "skeleton"}}},
    {"clip apply", R"({"weight":0.5})", {{"base", "clip"}, {"additive", "additive"}}},
    {"clip offset", R"({"bone":"Bone 1","turn":[0,0,30]})", {{"clip", "clip"}, {"skeleton", "skeleton"}}},
    {"clip pose", R"({"frame":4})", {{"clip", "clip"}}},
    {"clip set-pose", R"({"from_frame":10,"to_frame":15})", {{"clip", "clip"}, {"pose", "clip"}}},
    {"clip pin", R"({"bone":"Bone 2","from_frame":5})", {{"clip", "clip"}, {"skeleton", "skeleton"}}},
    {"clip feet", R"({"foot":["Bone 2"]})", {{"clip", "clip"}, {"skeleton", "skeleton"}}},
    {"clip smooth", R"({"degrees":0.5})", {{"clip", "clip"}}},
    {"annotations list", "{}", {{"clip", "clip"}}},
    {"annotations export", "{}", {{"clip", "clip"}}},
    {"annotations import", "{}", {{"clip", "clip"}, {"text", "events"}}},
    {"annotations add", R"({"time":0.1,"text":"x"})", {{"clip", "clip"}}},
    {"annotations remove", R"({"match":"*"})", {{"clip", "clip"}}},
    {"annotations replace", R"({"match":"*","text":"y"})", {{"clip", "clip"}}},
    {"annotations shift", R"({"by":0.1,"since":0.2})", {{"clip", "clip"}}},
    {"annotations scale", R"({"by":0.5})", {{"clip", "clip"}}},
    {"annotations sort", "{}", {{"clip", "clip"}}},
    {"annotations copy", R"({"fit":true})", {{"clip", "clip"}, {"from", "clip"}}},
    {"annotations presets", R"({"match":"foot*"})", {}},
    {"pair join", R"({"place":[0,50,0,180]})", {{"first", "clip"}, {"second", "clip"}, {"skeleton", "skeleton"}}},
    {"pair split", "{}", {{"clip", "pair"}}},
    {"pair swap", "{}", {{"clip", "pair"}}},
    {"root-motion show", "{}", {{"clip", "clip"}}},
    {"root-motion set", R"({"move":[0,90,0],"turn":45})", {{"clip", "clip"}}},
    {"root-motion extract", R"({"bone":"Bone 0"})", {{"clip", "clip"}, {"skeleton", "skeleton"}}},
    {"root-motion bake", R"({"bone":"Bone 0"})", {{"clip", "clip"}, {"skeleton", "skeleton"}}},
    {"root-motion scale", R"({"factor":2})", {{"clip", "clip"}}},
    {"root-motion remove", "{}", {{"clip", "clip"}}},
    {"root-motion to-annotations", "{}", {{"clip", "clip"}}},
    {"root-motion from-annotations", "{}", {{"clip", "motion events"}}},
    {"floats set", R"({"slot":"0","value":0.5})", {{"clip", "clip"}}},
    {"floats import", "{}", {{"clip", "clip"}, {"table", "floats"}}},
    {"floats remove", R"({"slot":"hkVis:Bone 0"})", {{"clip", "clip"}, {"skeleton", "skeleton"}}},
    {"rig list", "{}", {{"file", "rig"}}},
    {"rig show", R"({"bone":["Bone 2"]})", {{"file", "moving rig"}}},
    {"rig fields", R"({"modifier":"BallJoint"})", {}},
    {"rig merge", "{}", {{"base", "rig"}, {"addon", "addon"}}},
    {"rig plan", R"({"game":"unity"})", {{"base", "rig"}, {"addon", "addon"}}},
    {"rig new-addon", R"({"attach":"Bone 1"})", {{"base", "rig"}}},
    {"rig extract-addon", "{}", {{"merged", "bigger rig"}, {"base", "rig"}}},
    {"rig add-bone", R"({"name":"Tail","parent":"Bone 2","position":[0,0,1]})", {{"file", "rig"}}},
    {"rig remove-bone", R"({"bone":"Bone 2"})", {{"file", "rig"}}},
    {"rig rename", R"({"bone":"Bone 2","name":"Tip"})", {{"file", "rig"}}},
    {"rig reparent", R"({"bone":"Bone 2","parent":"Bone 0"})", {{"file", "rig"}}},
    {"rig mirror", R"({"bone":"Bone 2","none":true})", {{"file", "rig"}}},
    {"rig set", R"({"bone":"Bone 2","values":["SolvingPriority=2"]})", {{"file", "rig"}}},
    {"rig add-modifier", R"({"bone":"Bone 2","type":"BallJoint","values":["Mass=2"]})", {{"file", "rig"}}},
    {"rig remove-modifier", R"({"bone":"Bone 2","type":"BallJoint"})", {{"file", "moving rig"}}},
    {"rig copy-modifiers", R"({"from":"Bone 2","to":["Bone 1"]})", {{"file", "moving rig"}}},
    {"rig apply", R"({"bone":["Bone 1"]})", {{"file", "rig"}, {"modifiers", "pouch"}}},
    {"rig extract-modifiers", "{}", {{"file", "moving rig"}}},
    {"rig edit", "{}", {{"file", "rig"}, {"script", "edits"}}},
    {"rig to-game", R"({"to":"rogue"})", {{"file", "rig"}}},
    {"rig hash", R"({"name":["Hips"]})", {}},
    {"rig renumber", "{}", {{"file", "rig"}}},
    {"rig names", "{}", {{"file", "rig"}}},
    {"rig table", "{}", {{"table", "rig"}, {"skeleton", "rig"}}},
    {"behavior list", "{}", {{"file", "behavior"}}},
    {"behavior find", R"({"event":"moveStart"})", {{"file", "behavior"}}},
    {"behavior graph", "{}", {{"file", "behavior"}}},
    {"behavior run", R"({"events":["moveStart@0.5"],"seconds":1})", {{"file", "behavior"}}},
    {"behavior add-event", R"({"name":["ping"]})", {{"file", "behavior"}}},
    {"behavior add-variable", R"({"name":"fPong","type":"real","value":"1.5"})", {{"file", "behavior"}}},
    {"behavior add-animation", R"({"animation":["Animations\\Howl.hkx"]})", {{"file", "character"}}},
    {"behavior add-clip",
     R"({"machine":"FoxRoot","name":"Howl","animation":"Animations\\Howl.hkx","trigger":["HowlSound:0.5"],"on":"howl"})",
     {{"file", "behavior"}}},
    {"behavior add-state", R"({"machine":"#0102","name":"Again","generator":"#0106"})", {{"file", "behavior"}}},
    {"behavior add-transition", R"({"machine":"FoxRoot","from":"any","to":1,"event":"run"})", {{"file", "behavior"}}},
    {"behavior set", R"({"node":"#0107","field":["playbackSpeed=1.5"]})", {{"file", "behavior"}}},
    {"behavior remove", R"({"node":"#0107"})", {{"file", "behavior"}}},
    {"behavior rename", R"({"variable":"iGait","name":"iPace"})", {{"file", "behavior"}}},
    {"behavior edit", "{}", {{"file", "behavior"}, {"script", "behavior edits"}}},
    {"body list", "{}", {{"file", "body"}}},
    {"body weights", "{}", {{"file", "body"}}},
    {"body replace", "{}", {{"file", "body"}, {"edited", "body mesh"}}},
    {"behavior patch", R"({"format":"xml"})", {{"base", "behaviour"}, {"mods", "mods/behaviour/#mods$0.txt"}}},
    {"behavior make-patch", R"({"code":"mine"})", {{"base", "behaviour"}, {"edited", "edited behaviour"}}},
    {"cache list", "{}", {{"file", "cache"}}},
    {"cache add", R"({"project":"wolf","clip":"Howl","trigger":["Sound:0.5"]})", {{"file", "cache"}, {"from", "clip"}}},
    {"cache remove", R"({"project":"Wolf","clip":"Run"})", {{"file", "cache"}}},
    {"cache check", "{}", {{"file", "cache"}}},
    {"body picture", R"({"size":"32x24","form":"svg"})", {{"file", "body"}}},
    {"body new", R"({"transfer":true})", {{"mesh", "body mesh"}, {"like", "body"}}},
    {"collision list", "{}", {{"file", "nif"}}},
    {"collision export", R"({"format":"obj"})", {{"file", "nif"}}},
    {"collision boxes", "{}", {{"file", "nif"}}},
    {"collision extract", "{}", {{"nif", "nif"}}},
    {"collision replace", "{}", {{"nif", "nif"}, {"blob", "blob"}}},
    {"collision attach", R"({"node":["Door"]})", {{"nif", "bare nif"}, {"blob", "blob"}}},
    {"collision set", R"({"mass":9,"material":"wood"})", {{"file", "nif"}}},
    {"collision detach", "{}", {{"nif", "nif"}}},
    {"collision set-shape", R"({"body":"Door","shape":"box"})", {{"file", "nif"}, {"mesh", "cube"}}},
    {"collision add-body", R"({"node":"Lamp"})", {{"file", "nif"}, {"mesh", "cube"}}},
    {"collision remove-body", R"({"body":"0"})", {{"file", "nif"}}},
    {"collision joints", "{}", {{"file", "joined"}}},
    {"collision add-joint", R"({"body":"0","kind":"hinge","axis":[0,0,1]})", {{"file", "blob"}}},
    {"collision set-joint", R"({"angle":[-20,40]})", {{"file", "joined"}}},
    {"collision remove-joint", "{}", {{"file", "joined"}}},
    {"collision ragdoll", "{}", {{"skeleton", "skeleton"}, {"table", "bodies"}}},
    {"collision build", R"({"shape":"box"})", {{"mesh", "cube"}}},
    {"collision materials", R"({"pattern":"wood"})", {}},
    {"collision layers", "{}", {}},
    {"archive list", "{}", {{"archive", "archive"}}},
    {"archive extract", R"({"match":"*"})", {{"archive", "archive"}}},
    {"archive check", "{}", {{"archive", "archive"}}},
    {"archive pack", R"({"to":"fallout4","compress":true})", {{"file", "clip"}}},
    {"doctor", R"({"installed":["page="]})", {{"file", "clip"}, {"file", "rig"}, {"file", "cube"}}},
};

// Writes the calls and their inputs to the folder that MARROW_KEEP_TRIES names, for the tests of other languages.
void keep_tries(const Files& files) {
  const char* folder = std::getenv("MARROW_KEEP_TRIES");
  if (!folder) return;
  const std::filesystem::path path(folder);
  for (const auto& [name, bytes] : files.bytes)
    if (!bytes.empty()) REQUIRE(write_file(path / name, bytes));
  Json tries = Json::array();
  for (const Try& each : kTries) {
    Json inputs = Json::array();
    for (const auto& [role, file] : each.inputs) inputs.push(Json::Array{Json(role), Json(file)});
    tries.push(Json()
                   .set("operation", each.operation)
                   .set("options", parse_json(each.options).value())
                   .set("inputs", std::move(inputs)));
  }
  REQUIRE(write_file(path / "tries.json", as_bytes(to_text(tries))));
}

// Those that other operations are needed for.
Files all_files() {
  Files files;
  files.bytes["pouch"] = {};
  files.bytes["rest"] = {};
  files.bytes["additive"] =
      files.run("clip additive", "{}", {{"clip", "clip"}, {"reference", "rest"}, {"skeleton", "skeleton"}})
          .files.at(0)
          .bytes;
  const std::string_view table = "frame,slot,value\n0,0,0.25\n";
  files.bytes["floats"] = {as_bytes(table).begin(), as_bytes(table).end()};
  files.bytes["motion events"] = files.run("root-motion to-annotations", "{}", {{"clip", "clip"}}).files.at(0).bytes;
  const auto project = test::behavior_project();
  havok::Packfile behavior = project.at("fox/behaviors/fox.hkx");
  for (std::size_t i = 0; i < behavior.objects.size(); ++i)
    behavior.objects[i].set_name("#0" + std::to_string(100 + i));
  files.bytes["behavior"] = havok::write_xml(behavior).value();
  files.bytes["character"] = havok::write_packfile(project.at("fox/characters/fox.hkx")).value();
  const std::string_view behavior_edits = "# two edits\nadd-event ping\nbehavior add-variable fPong --type real\n";
  files.bytes["behavior edits"] = {as_bytes(behavior_edits).begin(), as_bytes(behavior_edits).end()};
  files.bytes["body"] = write_nif(test::sample_body({}));
  havok::Packfile behaviour = test::sample_behaviour(8);
  files.bytes["behaviour"] = havok::write_packfile(behaviour).value();
  behaviour.at(behaviour.find_all("hkbClipGenerator").front()).fields().set_real("playbackSpeed", 0.1);
  files.bytes["edited behaviour"] = havok::write_packfile(behaviour).value();
  const std::string_view node =
      "<hkobject name=\"#mods$0\" class=\"hkbClipGenerator\"><hkparam name=\"name\">New</hkparam></hkobject>";
  files.bytes["mods/behaviour/#mods$0.txt"] = {as_bytes(node).begin(), as_bytes(node).end()};
  const std::string_view cache =
      "1\r\nWolf.txt\r\n11\r\n1\r\n1\r\nBehaviors\\Wolf.hkx\r\n1\r\nRun\r\n3\r\n1\r\n0\r\n0\r\n0\r\n\r\n"
      "7\r\n3\r\n1\r\n1\r\n1 0 90 0\r\n1\r\n1 0 0 0 1\r\n\r\n";
  files.bytes["cache"] = {as_bytes(cache).begin(), as_bytes(cache).end()};
  Document mesh = test::loaded(files.run("convert", R"({"format":"glb"})", {{"file", "body"}}).files.at(0).bytes,
                               Parts::All | Parts::Bodies, "body.glb");
  mesh.bodies.at(0).shape.positions.at(3).z += 0.5f;
  files.bytes["body mesh"] = test::saved(mesh);
  files.bytes["pair"] =
      files.run("pair join", "{}", {{"first", "clip"}, {"second", "clip"}, {"skeleton", "skeleton"}}).files.at(0).bytes;
  files.bytes["bigger rig"] =
      files.run("rig add-bone", R"({"name":"Tail","parent":"Bone 2"})", {{"file", "rig"}}).files.at(0).bytes;
  files.bytes["moving rig"] =
      files.run("rig add-modifier", R"({"bone":"Bone 2","type":"BallJoint"})", {{"file", "rig"}}).files.at(0).bytes;
  return files;
}

}  // namespace

std::span<const Try> test::tries() { return kTries; }
std::map<std::string, test::Bytes> test::tried_files() { return all_files().bytes; }

TEST_CASE("every operation runs by name, and its report has the fields that its description names") {
  const Files files = all_files();
  keep_tries(files);
  std::set<std::string_view> tried;
  for (const Try& each : kTries) {
    CAPTURE(each.operation);
    tried.insert(each.operation);
    const OperationResult result = files.run(each.operation, each.options, each.inputs);
    const OperationInfo& info = find_operation(each.operation)->info;
    if (info.output != OutputKind::None) CHECK_FALSE(result.files.at(0).bytes.empty());
    if (each.operation == "check") continue;  // with a file it reports what is left, too
    for (const FieldInfo& field : info.report)
      if (!field.text.sparse) CHECK_MESSAGE(result.report.contains(field.name), std::string(field.name));
    for (const auto& [name, value] : result.report.members())
      CHECK_MESSAGE(std::ranges::any_of(info.report, [&](const FieldInfo& f) { return f.name == name; }), name);
  }
  for (const Operation& each : operations())
    CHECK_MESSAGE(tried.contains(each.info.name), std::string(each.info.name), " is in the table and not tried here");
}

TEST_CASE("every option and input of every operation is explained") {
  for (const Operation& each : operations()) {
    CAPTURE(each.info.name);
    CHECK_FALSE(each.info.summary.empty());
    CHECK_FALSE(each.info.summary.ends_with('.'));
    std::set<std::string_view> names;
    for (const FieldInfo& field : each.info.options) {
      CAPTURE(field.name);
      CHECK_FALSE(field.text.help.empty());
      CHECK(names.insert(field.name).second);
    }
    for (const InputInfo& input : each.info.inputs) CHECK_FALSE(input.help.empty());
  }
}

TEST_CASE("options that are out of range, of another type or not known are refused by name") {
  const Files files;
  const auto refused = [&](std::string_view options) {
    const auto result = files.try_run("compress", options, {{"clip", "clip"}});
    REQUIRE_FALSE(result);
    CHECK(result.error().code == ErrorCode::BadOption);
    return result.error().path;
  };
  CHECK(refused(R"({"max_rotation_error":-1})") == "max_rotation_error");
  CHECK(refused(R"({"max_rotation_error":"much"})") == "max_rotation_error");
  CHECK(refused(R"({"effort":"huge"})") == "effort");
  CHECK(refused(R"({"max_rotation_eror":1})") == "max_rotation_eror");
  CHECK(refused(R"({"uncompressed":1})") == "uncompressed");
  const auto missing = files.try_run("annotations add", R"({"time":1})", {{"clip", "clip"}});
  CHECK(missing.error().path == "text");
  const Json infinite = Json().set("max_rotation_error", std::numeric_limits<double>::infinity());
  CHECK_FALSE(find_operation("compress")->check_options(infinite));
}

TEST_CASE("an error names the file it is in, whichever input that is") {
  const Files files;
  const auto wrong_text = files.try_run("annotations import", "{}", {{"clip", "clip"}, {"text", "clip"}});
  REQUIRE_FALSE(wrong_text);
  CHECK(wrong_text.error().file == "clip");
  const auto wrong_skeleton =
      files.try_run("compress", R"({"max_model_error":1})", {{"clip", "clip"}, {"skeleton", "cube"}});
  REQUIRE_FALSE(wrong_skeleton);
  CHECK(wrong_skeleton.error().code == ErrorCode::NoSkeleton);
  CHECK(wrong_skeleton.error().file == "cube");
}

TEST_CASE("the table is JSON for other languages") {
  const Json table = describe_operations();
  CHECK(table.size() == operations().size());
  CHECK(to_text(parse_json(to_text(table)).value()) == to_text(table));
}
