// SPDX-License-Identifier: MIT
// What an operation did in memory is what is saved, shown and compared: properties of every operation of the table.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <deque>
#include <optional>
#include <set>

#include "core/json.h"
#include "marrow/model/transform.h"
#include "ops/clip/mirror.h"
#include "ops/files/diff.h"
#include "ops/table/operation.h"
#include "unit/ops/tries.h"

using namespace marrow;
using test::Bytes;
using test::Try;

bool test::mean_the_same(const Bytes& a, const Bytes& b, double most_degrees, double most_units) {
  if (a == b) return true;
  Context context;
  if (is_gltf(detect(a)) && is_gltf(detect(b))) {
    const Document left = test::loaded(a), right = test::loaded(b);
    if (left.clips.size() != 1 || right.clips.size() != 1) return false;
    return test::mean_the_same(test::saved(left, {.format = Format::Hkx}), test::saved(right, {.format = Format::Hkx}),
                               most_degrees, most_units);
  }
  const auto report = diff(test::loaded(a, Parts::None), test::loaded(b, Parts::None), {}, context);
  if (!report) return false;
  return std::ranges::all_of(report->differences, [&](const Difference& each) {
    return each.size && *each.size <= (each.unit == "degrees" ? most_degrees : most_units);
  });
}

namespace {

constexpr Parts kEverything = Parts::All | Parts::Shapes;

const std::map<std::string, Bytes>& files() {
  static const std::map<std::string, Bytes> all = test::tried_files();
  return all;
}

/// The inputs of a call: as bytes, or as documents with all parts read.
class Inputs {
 public:
  Inputs(const Operation& operation, const Try& call, bool as_documents) {
    for (const auto& [role, file] : call.inputs) add(operation.info, role, file, files().at(file), as_documents);
  }

  void add(const OperationInfo& info, std::string_view role, const std::string& name, const Bytes& bytes,
           bool as_documents) {
    const auto described = std::ranges::find(info.inputs, role, &InputInfo::role);
    OperationInput input{.role = role, .name = name, .bytes = bytes};
    const bool is_parsed = described->kind == InputKind::Document || described->kind == InputKind::Skeleton;
    if (as_documents && is_parsed)
      input.document = &documents_.emplace_back(test::loaded(bytes, kEverything | Parts::Bodies, name));
    if (input.document) input.bytes = {};
    given.push_back(std::move(input));
  }
  /// Makes a document the main input.
  void set_main(const Document& document) {
    given.front().bytes = {};
    given.front().document = &document;
  }
  void set_main(const Bytes& bytes) {
    given.front().bytes = bytes;
    given.front().document = nullptr;
  }

  std::vector<OperationInput> given = {};

 private:
  std::deque<Document> documents_ = {};
};

Result<OperationResult> run(const Try& call, const Inputs& inputs) {
  Context context;
  const Json options = parse_json(call.options).value();
  OperationCall made{.options = options, .inputs = inputs.given, .context = context, .output_name = "out"};
  return run_operation(call.operation, made);
}

Result<Json> edit(const Try& call, Document& document) {
  const Operation& operation = *find_operation(call.operation);
  Inputs inputs(operation, call, false);
  Context context;
  const Json options = parse_json(call.options).value();
  OperationCall made{
      .options = options, .inputs = std::span(inputs.given).subspan(1), .context = context, .output_name = "out"};
  return operation.edit(document, made);
}

const std::string& main_file(const Try& call) { return call.inputs.front().second; }

// True if a call changes its first input.
bool edits(const Try& call) {
  const Operation& operation = *find_operation(call.operation);
  if (!operation.edit || call.inputs.empty()) return false;
  const std::vector<InputInfo>& inputs = operation.info.inputs;
  const auto main = std::ranges::find(inputs, true, &InputInfo::is_main);
  return call.inputs.front().first == (main == inputs.end() ? inputs.front().role : main->role);
}

// True if the first input of a call is a text, an archive or a tree of files, which is never a document.
bool takes_text(const Try& call) {
  const OperationInfo& info = find_operation(call.operation)->info;
  const InputKind kind = std::ranges::find(info.inputs, call.inputs.front().first, &InputInfo::role)->kind;
  return kind != InputKind::Document && kind != InputKind::Skeleton;
}

// The files of an edit are what `run` makes of bytes; what is not saved as the format of the input is not edited in
// place.
bool keeps_format(const Try& call) { return !parse_json(call.options).value().contains("format"); }

// What a document is read with before it is changed. The skins of a glTF file are read with the file or not at all.
bool needs_skins(const Try& call) { return call.operation == "body new"; }
Parts everything_for(const Try& call) { return needs_skins(call) ? kEverything | Parts::Bodies : kEverything; }

/// What an operation changes in a document is the same as what it changes in the file.
void check_after(const Try& second, const Document& document, const Bytes& saved) {
  Inputs on_document(*find_operation(second.operation), second, false);
  Inputs on_file = on_document;
  on_document.set_main(document);
  on_file.set_main(saved);
  const auto in_memory = run(second, on_document), from_file = run(second, on_file);
  REQUIRE(in_memory.has_value() == from_file.has_value());
  if (!in_memory) {
    CHECK(in_memory.error().code == from_file.error().code);
    return;
  }
  CHECK(in_memory->found == from_file->found);
  // What looks at a document shows the same; `dump` also shows where things were in the file that was read, and motion
  // is not encoded before it is saved.
  constexpr std::array<std::string_view, 3> kShownOtherwise = {"dump", "sample", "knots"};
  if (!find_operation(second.operation)->edit &&
      std::ranges::find(kShownOtherwise, second.operation) == kShownOtherwise.end())
    CHECK(to_text(in_memory->report) == to_text(from_file->report));
  REQUIRE(in_memory->files.size() == from_file->files.size());
  for (std::size_t i = 0; i < in_memory->files.size(); ++i)
    if (find_operation(second.operation)->info.output == OutputKind::Document)
      CHECK(test::mean_the_same(in_memory->files[i].bytes, from_file->files[i].bytes));
}

}  // namespace

TEST_CASE("every operation gives the same on documents in memory as on their files") {
  std::set<std::string_view> tried;
  for (const Try& call : test::tries()) {
    CAPTURE(call.operation);
    tried.insert(call.operation);
    const Operation& operation = *find_operation(call.operation);
    const auto from_files = run(call, Inputs(operation, call, false));
    const auto in_memory = run(call, Inputs(operation, call, true));
    REQUIRE(from_files);
    REQUIRE_MESSAGE(in_memory.has_value(), (in_memory ? "" : describe(in_memory.error())));
    CHECK(to_text(in_memory->report) == to_text(from_files->report));
    CHECK(in_memory->found == from_files->found);
    REQUIRE(in_memory->files.size() == from_files->files.size());
    for (std::size_t i = 0; i < from_files->files.size(); ++i) {
      CHECK(in_memory->files[i].name == from_files->files[i].name);
      CHECK(in_memory->files[i].bytes == from_files->files[i].bytes);
    }
  }
  for (const Operation& each : operations())
    CHECK_MESSAGE(tried.contains(each.info.name), std::string(each.info.name), " is in the table and not tried here");
}

TEST_CASE("an edit in memory, saved, is the operation on the file") {
  for (const Try& call : test::tries()) {
    if (!edits(call)) continue;
    CAPTURE(call.operation);
    const OperationResult on_file = run(call, Inputs(*find_operation(call.operation), call, false)).value();
    for (const Parts parts : {Parts::None, everything_for(call)}) {
      if (parts == Parts::None && needs_skins(call)) continue;
      Document document = test::loaded(files().at(main_file(call)), parts, main_file(call));
      const auto report = edit(call, document);
      REQUIRE_MESSAGE(report.has_value(), (report ? "" : describe(report.error())));
      if (!keeps_format(call)) continue;
      Context context;
      SaveOptions options{.name = "out"};
      if (const Json* game = parse_json(call.options).value().find("to")) options.game = find_game(game->text());
      const auto saved = save(document, options, context);
      REQUIRE(saved);
      REQUIRE(saved->size() == on_file.files.size());
      for (std::size_t i = 0; i < saved->size(); ++i) CHECK(saved->at(i).bytes == on_file.files[i].bytes);
    }
  }
}

TEST_CASE("two operations in a row give the same in memory as through a file between them") {
  for (const Try& first : test::tries()) {
    if (!edits(first) || !keeps_format(first)) continue;
    Document document = test::loaded(files().at(main_file(first)), everything_for(first), main_file(first));
    REQUIRE(edit(first, document));
    Context context;
    const auto between = save(document, {.name = "out"}, context);
    REQUIRE(between);
    if (between->size() != 1) continue;
    const Document before = document;
    for (const Try& second : test::tries()) {
      if (second.inputs.empty() || main_file(second) != main_file(first) || takes_text(second)) continue;
      CAPTURE(first.operation);
      CAPTURE(second.operation);
      check_after(second, document, between->front().bytes);
    }
    CHECK(document == before);  // looking changes nothing
  }
}

TEST_CASE("what an edit changes is found by diff as it is in the saved files") {
  for (const Try& call : test::tries()) {
    if (!edits(call) || !keeps_format(call)) continue;
    CAPTURE(call.operation);
    const Document before = test::loaded(files().at(main_file(call)), everything_for(call), main_file(call));
    Document after = before;
    REQUIRE(edit(call, after));
    Context context;
    const auto saved = save(after, {}, context);
    REQUIRE(saved);
    if (saved->size() != 1 || saved->front().extension != extension_of(before.format)) continue;
    const auto in_memory = diff(before, after, {}, context);
    const auto of_files = diff(test::loaded(test::saved(before), Parts::None),
                               test::loaded(saved->front().bytes, Parts::None), {}, context);
    REQUIRE(in_memory.has_value() == of_files.has_value());
    if (in_memory) CHECK(in_memory->differences == of_files->differences);
  }
}

TEST_CASE("an edit and its inverse give the bytes of the input") {
  struct Inverse {
    Try edit, inverse;
  };
  const std::vector<Inverse> kInverses = {
      {{"rig rename", R"({"bone":"Bone 2","name":"Tip"})", {{"file", "rig"}}},
       {"rig rename", R"({"bone":"Tip","name":"Bone 2"})", {{"file", "rig"}}}},
      {{"rig add-bone", R"({"name":"Tail","parent":"Bone 2"})", {{"file", "rig"}}},
       {"rig remove-bone", R"({"bone":"Tail"})", {{"file", "rig"}}}},
      {{"rig add-modifier", R"({"bone":"Bone 2","type":"BallJoint"})", {{"file", "rig"}}},
       {"rig remove-modifier", R"({"bone":"Bone 2","type":"BallJoint"})", {{"file", "rig"}}}},
      {{"annotations add", R"({"time":0.1,"text":"x"})", {{"clip", "clip"}}},
       {"annotations remove", R"({"match":"x"})", {{"clip", "clip"}}}},
      {{"root-motion scale", R"({"factor":2})", {{"clip", "clip"}}},
       {"root-motion scale", R"({"factor":0.5})", {{"clip", "clip"}}}},
      {{"collision set", R"({"friction":0.75})", {{"file", "nif"}}},
       {"collision set", R"({"friction":0.5})", {{"file", "nif"}}}},
      {{"collision add-joint", R"({"body":"0","kind":"hinge","axis":[0,0,1]})", {{"file", "blob"}}},
       {"collision remove-joint", "{}", {{"file", "blob"}}}},
  };
  for (const Inverse& each : kInverses) {
    CAPTURE(each.edit.operation);
    const std::string& name = main_file(each.edit);
    Document document = test::loaded(files().at(name), kEverything, name);
    const Bytes before = test::saved(document);
    REQUIRE(edit(each.edit, document));
    CHECK(test::saved(document) != before);
    const auto undone = edit(each.inverse, document);
    REQUIRE_MESSAGE(undone.has_value(), (undone ? "" : describe(undone.error())));
    CHECK(test::saved(document) == before);
  }
}

TEST_CASE("bodies come and go in memory, one after the other") {
  Document document = test::loaded(files().at("nif"), kEverything, "nif");
  const Try add{"collision add-body", R"({"node":"Lamp"})", {{"file", "nif"}, {"mesh", "cube"}}};
  const Try remove{"collision remove-body", R"({"body":"Lamp"})", {{"file", "nif"}}};
  const std::size_t bodies = document.collision.at(0).system.bodies.size();
  Bytes first;
  for (int i = 0; i < 3; ++i) {
    REQUIRE(edit(add, document));
    CHECK(document.collision.at(0).system.bodies.size() == bodies + 1);
    REQUIRE(edit(remove, document));
    REQUIRE(document.collision.size() == 1);
    CHECK(document.collision.at(0).system.bodies.size() == bodies);
    if (i == 0) first = test::saved(document);
    CHECK(test::saved(document) == first);
  }
}

TEST_CASE("what is changed in the bones of an Anvil skeleton and in the skeleton itself is saved together") {
  Document document = test::loaded(files().at("rig"), kEverything, "rig");
  document.skeletons.at(0).skeleton.bones.at(2).rest.translation.x += 1.0f;
  REQUIRE(edit({"rig add-bone", R"({"name":"Tail","parent":"Bone 2"})", {{"file", "rig"}}}, document));
  REQUIRE(document.skeletons.at(0).skeleton.bones.size() == 4);
  const Document back = test::loaded(test::saved(document));
  CHECK(back.skeletons == document.skeletons);
}

TEST_CASE("which parts were read does not change what is written") {
  for (const auto& [name, bytes] : files()) {
    const Format kind = detect(bytes);
    if (bytes.empty() || kind == Format::Unknown || kind == Format::Bsa) continue;  // an archive is not a document
    CAPTURE(name);
    const Bytes untouched = test::saved(test::loaded(bytes, Parts::None, name));
    CHECK(test::saved(test::loaded(bytes, kEverything, name)) == untouched);
    for (const Format format : written_formats()) {
      Context context;
      CAPTURE(to_string(format));
      const auto of_none = save(test::loaded(bytes, Parts::None, name), {.format = format}, context);
      const auto of_all = save(test::loaded(bytes, kEverything, name), {.format = format}, context);
      REQUIRE(of_none.has_value() == of_all.has_value());
      if (of_none) CHECK(of_none->front().bytes == of_all->front().bytes);
    }
  }
}

TEST_CASE("a clip that is mirrored eight times in memory is the clip") {
  const Document skeleton = test::loaded(files().at("skeleton"));
  Document document = test::loaded(files().at("clip"), Parts::Frames);
  const std::vector<Transform> before = document.clips.at(0).clip.transforms;
  Context context;
  for (int i = 0; i < 8; ++i) REQUIRE(mirror(document, {.skeleton = &skeleton}, context));
  const std::vector<Transform>& after = document.clips.at(0).clip.transforms;
  REQUIRE(after.size() == before.size());
  for (std::size_t i = 0; i < before.size(); ++i) CHECK(angle_degrees(after[i].rotation, before[i].rotation) < 1e-4f);
}
