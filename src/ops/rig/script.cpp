// SPDX-License-Identifier: MIT
#include "marrow/ops/rig/script.h"

#include <algorithm>
#include <deque>

#include "core/try.h"
#include "marrow/core/lines.h"
#include "marrow/core/nearest.h"
#include "marrow/core/text.h"
#include "marrow/ops/rig/merge.h"
#include "marrow/ops/table/operation.h"
#include "marrow/ops/table/words.h"

namespace marrow {
namespace {

constexpr std::string_view kGroup = "rig ", kSelf = "rig edit";

/// Most bones that all lines of a script may look at together. Each edit looks at every bone of the skeleton, so that
/// a script that adds bones would take time with the square of its lines. 15,000 lines on the 255 bones that a game
/// loads are within it, and take about two seconds.
constexpr std::size_t kMostBonesSeen = 4'000'000;

Result<const Operation*> verb_named(const std::string& word) {
  const Operation* found = find_operation(std::string(kGroup) + word);
  if (found && found->edit && found->info.name != kSelf) return found;
  std::vector<std::string_view> known;
  for (const Operation& each : operations())
    if (each.info.name.starts_with(kGroup) && each.edit && each.info.name != kSelf)
      known.push_back(each.info.name.substr(kGroup.size()));
  return fail(ErrorCode::InvalidArgument, "'" + word + "' is not a verb that edits a rig" + did_you_mean(word, known));
}

/// One line of a script, run on a document.
class ScriptLine {
 public:
  ScriptLine(const NamedText& script, const RigScriptOptions& options, Context& context)
      : script_(script), options_(options), context_(context) {}

  /// Returns the report of the edit; nothing for a line without one.
  Result<std::optional<Json>> run(std::string_view line, Document& document) {
    MARROW_TRY(std::vector<std::string> words, split_words(line));
    // A line may be copied from a command line.
    for (const std::string_view prefix : {"marrow", "rig"})
      if (words.size() > 1 && words.front() == prefix) words.erase(words.begin());
    if (words.empty()) return std::nullopt;
    MARROW_TRY(const Operation* verb, verb_named(words.front()));
    words.erase(words.begin());
    MARROW_TRY(ParsedWords parsed, parse_words(*verb, words, {.has_main = false}));
    const bool takes_game = std::ranges::find(verb->info.options, "game", &FieldInfo::name) != verb->info.options.end();
    if (options_.game && takes_game && !parsed.options.contains("game"))
      parsed.options.set("game", to_string(*options_.game));
    std::vector<OperationInput> inputs;
    for (const auto& [role, names] : parsed.files)
      for (const std::string& name : names) MARROW_CHECK(add(verb->info, role, name, inputs));
    OperationCall call{.options = parsed.options, .inputs = inputs, .context = context_};
    MARROW_TRY(Json report, verb->edit(document, call));
    return report;
  }

 private:
  Result<void> add(const OperationInfo& info, const std::string& role, const std::string& name,
                   std::vector<OperationInput>& inputs) {
    const InputInfo& input = *std::ranges::find(info.inputs, role, &InputInfo::role);
    if (input.builtin && !input.builtin(name).empty()) {
      inputs.push_back({.role = input.role, .name = name});
      return {};
    }
    if (!context_.lookup) return fail(ErrorCode::NotFound, "there is no file '" + name + "' here");
    auto bytes = context_.lookup->read(script_.name, name);
    if (!bytes) bytes = context_.lookup->read({}, name);
    if (!bytes) return fail(bytes.error().code, "'" + name + "': " + bytes.error().message);
    bytes_.push_back(std::move(*bytes));
    inputs.push_back({.role = input.role, .name = name, .bytes = bytes_.back()});
    return {};
  }

  const NamedText& script_;
  const RigScriptOptions& options_;
  Context& context_;
  std::deque<std::vector<std::byte>> bytes_;
};

}  // namespace

void describe(FieldList& fields, RigScriptOptions& options) {
  fields.input("script", options.scripts,
               {.help = "edits, one per line: a verb of rig with its words, without FILE and -o",
                .placeholder = "SCRIPT",
                .required = true,
                .positional = true});
  fields("game", options.game, {.help = "the game of all lines that do not name one", .placeholder = "GAME"});
}

Result<RigEditReport> run_rig_script(Document& document, const RigScriptOptions& options, Context& context) {
  MARROW_CHECK(anvil_skeleton(document));
  Document edited = document;
  RigEditReport report;
  std::size_t bones_seen = 0;
  for (const NamedText& script : options.scripts) {
    for (const TextLine& line : Lines(script.text)) {
      const std::string place = "line " + std::to_string(line.number);
      bones_seen += std::as_const(edited).anvil()->bones.size();
      if (bones_seen > kMostBonesSeen)
        return in_file({ErrorCode::LimitExceeded,
                        "the script is too long for a skeleton of " +
                            std::to_string(std::as_const(edited).anvil()->bones.size()) +
                            " bones; split it into several scripts",
                        kNoOffset, place},
                       std::string(script.name));
      auto done = ScriptLine(script, options, context).run(line.text, edited);
      if (!done) {
        const Error& error = done.error();
        // A wrong option is one of this line and not of the command that runs the script.
        return in_file({error.code == ErrorCode::BadOption ? ErrorCode::InvalidArgument : error.code,
                        (error.path.empty() ? "" : error.path + ": ") + error.message, kNoOffset, place},
                       std::string(script.name));
      }
      if (*done) {
        for (const Json& change : (**done)["changes"].items()) report.changes.push_back(place + ": " + change.text());
        for (const Json& user : (**done)["breaks"].items())
          report.breaks.push_back({user["path"].text(), user["why"].text()});
      }
    }
  }
  document = std::move(edited);
  MARROW_TRY(const anvil::Skeleton* skeleton, anvil_skeleton(std::as_const(document)));
  report.bones = skeleton->bones.size();
  return report;
}

}  // namespace marrow
