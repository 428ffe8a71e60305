// SPDX-License-Identifier: MIT
// What holds for the files that tests make holds for real ones: every operation that changes a document, on every file
// of the corpus that it takes, is the same in memory as through files, alone and after another one, in every format.
#include <doctest/doctest.h>

#include <algorithm>
#include <optional>
#include <set>

#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include "core/json.h"
#include "marrow/core/byte_reader.h"
#include "marrow/model/transform.h"
#include "nif/node.h"
#include "ops/clip/mirror.h"
#include "ops/files/diff.h"
#include "ops/table/operation.h"
#include "support/corpus.h"
#include "unit/ops/tries.h"

using namespace marrow;
using test::Bytes;
using test::Try;

namespace real_files {

constexpr Parts kAll = Parts::All | Parts::Shapes | Parts::Bodies;
constexpr std::size_t kMostBytes = 130'000;  // of a clip or NIF: larger ones hold nothing that these have not

constexpr std::size_t kMostForPairs = 50'000;

/// A real file in the place of those that tests make: what calls name in them is named by what it has.
struct Stage {
  std::string name;
  std::map<std::string, Bytes> mains = {};   ///< what an operation works on, by the name of the made file
  std::map<std::string, Bytes> others = {};  ///< its other inputs; those that are missing are the made ones
  std::vector<std::pair<std::string, std::string>> words = {};

  std::string worded(std::string text) const {
    for (const auto& [made, real] : words)
      for (std::size_t at = 0; (at = text.find(made, at)) != std::string::npos; at += real.size())
        text.replace(at, made.size(), real);
    return text;
  }
};

const std::map<std::string, Bytes>& made_files() {
  static const std::map<std::string, Bytes> all = test::tried_files();
  return all;
}

// A call with the inputs of a stage; the main one is given by the caller.
struct Call {
  Call(const Stage& stage, const Try& made, std::string_view options) : options_(parse_json(options).value()) {
    for (const auto& [role, file] : made.inputs) {
      const auto real = stage.others.find(file);
      const Bytes& bytes = real == stage.others.end() ? made_files().at(file) : real->second;
      // Scripts and tables name bones, too.
      const bool is_text = file == "edits" || file == "bodies";
      Bytes& kept = bytes_.emplace_back(bytes);
      if (is_text) {
        const std::string text = stage.worded(std::string(as_text(bytes)));
        kept.assign(as_bytes(text).begin(), as_bytes(text).end());
      }
      inputs_.push_back({.role = role, .name = file});
    }
    for (std::size_t i = 0; i < inputs_.size(); ++i) inputs_[i].bytes = bytes_[i];
  }

  Result<OperationResult> run(std::string_view operation, const std::string& name, std::span<const std::byte> main) {
    inputs_.front().name = name;
    inputs_.front().bytes = main;
    OperationCall call{.options = options_, .inputs = inputs_, .context = context_, .output_name = "out"};
    return run_operation(operation, call);
  }
  Result<Json> edit(const Operation& operation, Document& document) {
    OperationCall call{
        .options = options_, .inputs = std::span(inputs_).subspan(1), .context = context_, .output_name = "out"};
    return operation.edit(document, call);
  }
  /// The game that the call asks for, which saving has to know.
  std::optional<Game> game() const {
    const Json* to = options_.find("to");
    return to ? find_game(to->text()) : std::nullopt;
  }
  bool keeps_format() const { return !options_.contains("format"); }
  /// The bound that the call names for its own encoding, in degrees; 0 if it names none.
  double max_rotation_error() const {
    const Json* bound = options_.find("max_rotation_error");
    return bound ? bound->number() : 0.0;
  }

 private:
  Json options_;
  std::vector<Bytes> bytes_ = {};
  std::vector<OperationInput> inputs_ = {};
  Context context_ = {};
};

Result<Bytes> derived(const Stage& stage, const Try& made, const Bytes& main) {
  auto result = Call(stage, made, stage.worded(std::string(made.options))).run(made.operation, stage.name, main);
  if (!result) return std::unexpected(result.error());
  return result->files.at(0).bytes;
}

void derive(Stage& stage, std::map<std::string, Bytes>& into, const std::string& name, const Try& made,
            const Bytes& main) {
  if (auto bytes = derived(stage, made, main)) into[name] = std::move(*bytes);
}

// The root, a bone inside and the leaf below it, for the three bones of made skeletons.
void name_bones(Stage& stage, const Skeleton& skeleton) {
  for (std::size_t i = skeleton.bones.size(); i-- > 1;) {
    const std::int32_t parent = skeleton.bones[i].parent;
    if (parent <= 0) continue;
    stage.words = {{"hkVis:Bone 0", "0"},
                   {"Bone 0", skeleton.bones.front().name},
                   {"Bone 1", skeleton.bones[static_cast<std::size_t>(parent)].name},
                   {"Bone 2", skeleton.bones[i].name},
                   {"Tail", "MarrowTail"},
                   {"Tip", "MarrowTip"}};
    return;
  }
}

Stage clip_stage(const std::string& name, const Bytes& clip, const Bytes& skeleton) {
  Stage stage{.name = name};
  name_bones(stage, test::loaded(skeleton).skeletons.at(0).skeleton);
  stage.others["skeleton"] = skeleton;
  stage.mains["clip"] = stage.others["clip"] = clip;
  stage.mains["skeleton"] = skeleton;
  derive(stage, stage.others, "additive",
         {"clip additive", "{}", {{"clip", "clip"}, {"reference", "rest"}, {"skeleton", "skeleton"}}}, clip);
  derive(stage, stage.mains, "pair",
         {"pair join", "{}", {{"first", "clip"}, {"second", "clip"}, {"skeleton", "skeleton"}}}, clip);
  derive(stage, stage.mains, "motion events", {"root-motion to-annotations", "{}", {{"clip", "clip"}}}, clip);
  return stage;
}

Stage rig_stage(const std::string& name, const Bytes& rig) {
  Stage stage{.name = name};
  Document document = test::loaded(rig, Parts::None, name);
  Context context;
  if (read_parts(document, Parts::Skeletons, context) && !document.skeletons.empty())
    name_bones(stage, document.skeletons.front().skeleton);
  stage.mains["rig"] = stage.others["rig"] = rig;
  const Try bigger{"rig add-bone", R"({"name":"Tail","parent":"Bone 2"})", {{"file", "rig"}}};
  const Try moving{"rig add-modifier", R"({"bone":"Bone 2","type":"BallJoint"})", {{"file", "rig"}}};
  derive(stage, stage.mains, "bigger rig", bigger, rig);
  derive(stage, stage.mains, "moving rig", moving, rig);
  derive(stage, stage.others, "addon", {"rig new-addon", R"({"attach":"Bone 1"})", {{"base", "rig"}}}, rig);
  return stage;
}

Stage nif_stage(const std::string& name, const Bytes& nif) {
  Stage stage{.name = name};
  stage.mains["nif"] = stage.others["nif"] = stage.mains["bare nif"] = stage.mains["body"] = nif;
  stage.others["body"] = nif;
  const auto nodes = read_nodes(*test::loaded(nif, Parts::None).nif());
  REQUIRE(nodes);
  std::string with, without;
  for (const NifNode& node : *nodes) (node.collision_object == kNoBlock ? without : with) = node.name;
  stage.words = {{"Door", with}, {"Lamp", without}};
  derive(stage, stage.mains, "blob", {"collision extract", "{}", {{"nif", "nif"}}}, nif);
  derive(stage, stage.others, "body mesh", {"convert", R"({"format":"glb"})", {{"file", "body"}}}, nif);
  if (const auto blob = stage.mains.find("blob"); blob != stage.mains.end())
    derive(stage, stage.mains, "joined",
           {"collision add-joint", R"({"body":"0","kind":"limited-hinge"})", {{"file", "blob"}}}, blob->second);
  return stage;
}

// A behaviour or a character of Skyrim; what calls name in it is what it has.
Stage behavior_stage(const std::string& name, const Bytes& behavior) {
  Stage stage{.name = name};
  OperationInput input{.role = "file", .name = name, .bytes = behavior};
  Context context;
  const Json options = Json::object();
  OperationCall call{.options = options, .inputs = {&input, 1}, .context = context};
  const auto listed = run_operation("behavior list", call);
  if (!listed) return stage;
  const Json& report = listed->report;
  const auto text_in = [](const Json* rows, std::string_view field) -> std::string {
    if (!rows || rows->items().empty()) return "none";
    const Json& first = rows->items().front();
    return field.empty() ? std::string(first.text()) : std::string(first.find(field)->text());
  };
  const Json* machines = report.find("machines");
  stage.words = {{"moveStart", text_in(report.find("events"), "")},
                 {"iGait", text_in(report.find("variables"), "name")},
                 {"FoxRoot", text_in(machines, "name")},
                 {"#0102", text_in(machines, "node")},
                 {"#0106", text_in(report.find("clips"), "node")},
                 {"#0107", text_in(report.find("clips"), "node")}};
  stage.mains["behavior"] = stage.mains["character"] = behavior;
  return stage;
}

Stage cache_stage(const std::string& name, const Bytes& cache) {
  Stage stage{.name = name};
  stage.words = {{"Wolf", "ChickenProject"}, {"wolf", "ChickenProject"}, {"Run", "TurnRight[mirrored]"}};
  stage.mains["cache"] = cache;
  return stage;
}

Document read(const Stage& stage, const Bytes& bytes, Parts parts) {
  Document document = test::loaded(bytes, Parts::None, stage.name);
  Context context;
  // A part that is damaged stays unread; operations that need it fail by themselves.
  for (const Parts part :
       {Parts::Skeletons, Parts::Frames, Parts::Collision, Parts::Meshes, Parts::Shapes, Parts::Bodies})
    if (has(parts, part)) (void)read_parts(document, part, context);
  return document;
}

std::string without_lines(std::string text) {
  constexpr std::string_view kLine = ", line ";
  for (std::size_t at = 0; (at = text.find(kLine, at)) != std::string::npos;)
    text.erase(at, text.find_first_not_of("0123456789", at + kLine.size()) - at);
  return text;
}

/// What a file became, in memory and as a file.
struct Changed {
  const Try* made;
  Document document;
  Bytes file;
};

class Truth {
 public:
  void check(const Stage& stage) {
    CAPTURE(stage.name);
    std::map<std::string, Changed> last;  // by the file that was changed
    for (const Try& made : test::tries()) {
      const Operation& operation = *find_operation(made.operation);
      if (!changes_main(operation, made)) continue;
      const std::string& on = made.inputs.front().second;
      const auto main = stage.mains.find(on);
      if (main == stage.mains.end()) continue;
      CAPTURE(made.operation);
      tried_.insert(made.operation);
      auto changed = alone(stage, made, operation, main->second);
      if (!changed) continue;
      if (const auto before = last.find(on); before != last.end()) after(stage, before->second, *changed, operation);
      last.insert_or_assign(on, std::move(*changed));
    }
  }

  // Every two operations on one NIF, in any order: numbers of blocks change under the second one.
  void check_pairs(const Stage& stage) {
    CAPTURE(stage.name);
    std::vector<Changed> all;
    for (const Try& made : test::tries()) {
      const Operation& operation = *find_operation(made.operation);
      if (!changes_main(operation, made)) continue;
      const auto main = stage.mains.find(made.inputs.front().second);
      if (main == stage.mains.end() || main->second != stage.mains.at("nif")) continue;
      if (auto changed = alone(stage, made, operation, main->second)) all.push_back(std::move(*changed));
    }
    for (const Changed& first : all)
      for (const Changed& second : all) {
        CAPTURE(second.made->operation);
        after(stage, first, second, *find_operation(second.made->operation));
      }
  }

  // Frames that a program changed are the motion that operations work on.
  void check_frames(const Stage& stage) {
    CAPTURE(stage.name);
    static const Try kByHand{"frames", "{}", {}};
    Document document = read(stage, stage.mains.at("clip"), kAll);
    Clip& clip = document.clips.at(0).clip;
    const auto tracks = static_cast<std::size_t>(clip.track_count);
    for (std::size_t i = tracks / 2; i < clip.transforms.size(); i += tracks) clip.transforms[i].translation.x += 10.0f;
    const Bytes saved = test::saved(document);
    const Changed by_hand{&kByHand, std::move(document), saved};
    for (const Try& made : test::tries()) {
      const Operation& operation = *find_operation(made.operation);
      if (!changes_main(operation, made) || made.inputs.front().second != "clip") continue;
      CAPTURE(made.operation);
      after(stage, by_hand, {&made, {}, {}}, operation);
    }
  }

  void finish() const {
    // No file of the corpus has float tracks.
    for (const std::string_view each : tried_)
      if (each != "floats remove")
        CHECK_MESSAGE(done_.contains(each), std::string(each), " takes no real file as it is tried here");
    MESSAGE("operations on real files: ", done_.size(), " in ", count_, " calls");
  }

 private:
  static bool changes_main(const Operation& operation, const Try& made) {
    if (!operation.edit || made.inputs.empty()) return false;
    const auto main = std::ranges::find(operation.info.inputs, true, &InputInfo::is_main);
    return made.inputs.front().first ==
           (main == operation.info.inputs.end() ? operation.info.inputs.front().role : main->role);
  }

  // In memory and then saved is the same as on the file; whatever was read before.
  std::optional<Changed> alone(const Stage& stage, const Try& made, const Operation& operation, const Bytes& main) {
    Call call(stage, made, stage.worded(std::string(made.options)));
    const auto on_file = call.run(made.operation, stage.name, main);
    std::optional<Changed> changed;
    for (const Parts parts : {Parts::None, kAll}) {
      if (parts == Parts::None && made.operation == "body new") continue;  // skins are read with the file
      Document document = read(stage, main, parts);
      const auto in_memory = call.edit(operation, document);
      ++count_;
      if (!in_memory) {
        REQUIRE_MESSAGE(!on_file, describe(in_memory.error()));
        CHECK(in_memory.error().code == on_file.error().code);
        continue;
      }
      done_.insert(made.operation);
      if (!call.keeps_format()) continue;
      Context context;
      const auto saved = save(document, {.game = call.game(), .name = "out"}, context);
      REQUIRE_MESSAGE(saved.has_value() == on_file.has_value(),
                      (saved ? describe(on_file.error()) : describe(saved.error())));
      if (!saved) {
        CHECK(saved.error().code == on_file.error().code);
        continue;
      }
      REQUIRE(saved->size() == on_file->files.size());
      for (std::size_t i = 0; i < saved->size(); ++i) CHECK(saved->at(i).bytes == on_file->files[i].bytes);
      if (saved->size() == 1) changed = {&made, std::move(document), saved->front().bytes};
    }
    if (changed && formats_of_.insert(made.operation).second) {
      formats(*changed);
      looks(*changed);
    }
    return changed;
  }

  // How far a bone stands from its parent at rest, at most.
  static double farthest_rest(const Stage& stage) {
    double farthest = 0.0;
    for (const Bone& bone : test::loaded(stage.mains.at("skeleton")).skeletons.at(0).skeleton.bones)
      farthest = std::max(farthest, static_cast<double>(glm::length(bone.rest.translation)));
    return farthest;
  }

  // One operation after another, without a file between them.
  void after(const Stage& stage, const Changed& first, const Changed& second, const Operation& operation) {
    CAPTURE(first.made->operation);
    Call call(stage, *second.made, stage.worded(std::string(second.made->options)));
    Document document = first.document;
    const auto in_memory = call.edit(operation, document);
    const auto on_file = call.run(second.made->operation, stage.name, first.file);
    ++count_;
    REQUIRE_MESSAGE(in_memory.has_value() == on_file.has_value(),
                    (in_memory ? describe(on_file.error()) : describe(in_memory.error())));
    if (!in_memory || on_file->files.size() != 1) return;
    Context context;
    const auto saved = save(document, {.game = call.game(), .name = "out"}, context);
    REQUIRE_MESSAGE(saved.has_value(), (saved ? "" : describe(saved.error())));
    // Both are within the bound of the second operation, of motion that one of them has encoded once before. A value
    // that is put before a pose turns its place, too, so that the rounding of its rotation moves it.
    const double degrees = 0.1 + 2.0 * call.max_rotation_error();
    const bool turns_places = second.made->operation == "clip additive";
    const double units = 0.05 + (turns_places ? farthest_rest(stage) * glm::radians(degrees) : 0.0);
    CHECK(test::mean_the_same(saved->at(0).bytes, on_file->files[0].bytes, degrees, units));
  }

  // Whatever it is saved as.
  void formats(const Changed& changed) {
    const Document from_file = test::loaded(changed.file, Parts::None, changed.document.name);
    // Bones that the document got from another file, and that its own format does not hold, are not in the file.
    const bool knows_more =
        test::loaded(changed.file, Parts::Skeletons).skeletons.size() < changed.document.skeletons.size();
    for (const Format format : written_formats()) {
      if (format == Format::Csv) continue;  // rows of poses: one side has been encoded
      CAPTURE(to_string(format));
      Context context;
      const auto in_memory = save(changed.document, {.format = format, .name = "out"}, context);
      const auto on_file = save(from_file, {.format = format, .name = "out"}, context);
      if (knows_more && in_memory && !on_file) continue;
      REQUIRE_MESSAGE(in_memory.has_value() == on_file.has_value(),
                      (in_memory ? describe(on_file.error()) : describe(in_memory.error())));
      if (!in_memory) continue;
      ++count_;
      REQUIRE(in_memory->size() == on_file->size());
      if (in_memory->at(0).bytes != on_file->at(0).bytes)
        CHECK(test::mean_the_same(in_memory->at(0).bytes, on_file->at(0).bytes));
    }
  }

  // What looks at it sees the same.
  void looks(const Changed& changed) {
    for (const std::string_view look : {"info", "check", "dump"}) {
      CAPTURE(look);
      const auto seen = [&](OperationInput input) {
        input.role = "file";
        input.name = changed.document.name;
        Context context;
        const Json options = Json::object();
        OperationCall call{.options = options, .inputs = {&input, 1}, .context = context};
        return run_operation(look, call);
      };
      const auto in_memory = seen({.document = &changed.document}), on_file = seen({.bytes = changed.file});
      REQUIRE(in_memory.has_value() == on_file.has_value());
      // Offsets and lines are those of the file that was read.
      if (in_memory && look != "dump")
        CHECK(without_lines(to_text(in_memory->report)) == without_lines(to_text(on_file->report)));
      ++count_;
    }
    // What is compared is what is saved, whichever side is in memory. Some formats cannot be compared.
    Context context;
    const Document from_file = test::loaded(changed.file, Parts::None);
    if (const auto report = diff(changed.document, from_file, {}, context)) CHECK(report->differences.empty());
    if (const auto report = diff(from_file, changed.document, {}, context)) CHECK(report->differences.empty());
  }

  std::set<std::string_view> tried_ = {}, done_ = {}, formats_of_ = {};
  std::size_t count_ = 0;
};

template <class Visit>
void for_each_clip(const std::filesystem::path& corpus, Visit&& visit) {
  for (const auto& path : test::files_below(corpus / "hkx", ".hkx")) {
    const Bytes clip = test::bytes_of(path);
    if (clip.size() > kMostBytes || test::loaded(clip, Parts::Clips).clips.empty()) continue;
    const bool is_troll = path.stem().string().starts_with("troll");
    visit(clip_stage(path.filename().string(), clip,
                     test::bytes_of(path.parent_path() / (is_troll ? "skeleton_troll.hkx" : "skeleton.hkx"))));
  }
}

}  // namespace real_files

TEST_CASE("every operation gives the same on real files in memory as through files, alone and one after another") {
  using namespace real_files;
  const std::filesystem::path corpus = test::corpus();
  if (corpus.empty()) return;
  Truth truth;
  for_each_clip(corpus, [&](const Stage& stage) { truth.check(stage); });
  for (const auto& path : test::files_below(corpus / "anvil", ".xml")) {
    Stage stage = rig_stage(path.filename().string(), test::bytes_of(path));
    // Rigs of one dialect get an addon of the other.
    if (path.parent_path().filename() == "schema")
      stage.others["addon"] = test::bytes_of(corpus / "anvil/addon_hair_strand.xml");
    truth.check(stage);
  }
  for (const auto& path : test::files_below(corpus / "nif", ".nif"))
    if (const Bytes nif = test::bytes_of(path); nif.size() <= kMostBytes)
      truth.check(nif_stage(path.filename().string(), nif));
  truth.finish();
}

TEST_CASE(
    "every operation gives the same on Skyrim's collision, bodies, behaviours and caches in memory as through files") {
  using namespace real_files;
  const std::filesystem::path characters = test::characters();
  if (characters.empty()) return;
  Truth truth;
  for (const auto& folder : {characters / "bhk", characters / "fo4", characters / "body"})
    for (const auto& path : test::files_below(folder, ".nif"))
      if (const Bytes nif = test::bytes_of(path); nif.size() <= kMostBytes)
        truth.check(nif_stage(path.filename().string(), nif));
  for (const auto& path : test::files_below(characters / "bhk", ".nif"))
    if (const Bytes nif = test::bytes_of(path); nif.size() <= kMostForPairs)
      truth.check_pairs(nif_stage(path.filename().string(), nif));
  for (const std::string_view extension : {".hkx", ".xml"})
    for (const auto& folder : {characters / "behaviour/files", characters / "behaviour/projects"})
      for (const auto& path : test::files_below(folder, extension))
        if (const Bytes behavior = test::bytes_of(path); behavior.size() <= kMostBytes)
          truth.check(behavior_stage(path.filename().string(), behavior));
  for (const auto& path : test::files_below(characters / "behaviour/cache", ".txt"))
    truth.check(cache_stage(path.filename().string(), test::bytes_of(path)));
}

TEST_CASE("operations on real clips work on frames that were changed by hand") {
  using namespace real_files;
  const std::filesystem::path corpus = test::corpus();
  if (corpus.empty()) return;
  Truth truth;
  for_each_clip(corpus, [&](const Stage& stage) { truth.check_frames(stage); });
}

TEST_CASE("a real clip that is mirrored eight times in memory is the clip") {
  using namespace real_files;
  const std::filesystem::path corpus = test::corpus();
  if (corpus.empty()) return;
  for_each_clip(corpus, [](const Stage& stage) {
    CAPTURE(stage.name);
    const Document skeleton = test::loaded(stage.mains.at("skeleton"));
    Document document = test::loaded(stage.mains.at("clip"), Parts::Frames);
    const Clip before = document.clips.at(0).clip;
    Context context;
    for (int i = 0; i < 8; ++i) REQUIRE(mirror(document, {.skeleton = &skeleton}, context));
    const Clip& after = document.clips.at(0).clip;
    REQUIRE(after.transforms.size() == before.transforms.size());
    float worst = 0.0f;
    for (std::size_t i = 0; i < before.transforms.size(); ++i)
      worst = std::max(worst, angle_degrees(after.transforms[i].rotation, before.transforms[i].rotation));
    CHECK(worst < 1e-4f);
  });
}
