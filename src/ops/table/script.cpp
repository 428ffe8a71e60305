// SPDX-License-Identifier: MIT
#include "ops/table/script.h"

#include <algorithm>
#include <deque>

#include "core/lines.h"
#include "core/nearest.h"
#include "core/try.h"
#include "marrow/core/text.h"
#include "ops/table/operation.h"
#include "ops/table/words.h"

namespace marrow {
namespace {

/// One line of a script, run on a document.
class ScriptLine {
 public:
  ScriptLine(const NamedText& script, const ScriptVerbs& verbs, Context& context)
      : script_(script), verbs_(verbs), context_(context) {}

  /// Returns the report of the edit; nothing for a line without one.
  Result<std::optional<Json>> run(std::string_view line, Document& document) {
    MARROW_TRY(std::vector<std::string> words, split_words(line));
    // A line may be copied from a command line.
    for (const std::string_view prefix : {std::string_view("marrow"), trim(verbs_.group)})
      if (words.size() > 1 && words.front() == prefix) words.erase(words.begin());
    if (words.empty()) return std::nullopt;
    MARROW_TRY(const Operation* verb, verb_named(words.front()));
    words.erase(words.begin());
    MARROW_TRY(ParsedWords parsed, parse_words(*verb, words, {.has_main = false}));
    const bool takes_game = std::ranges::find(verb->info.options, "game", &FieldInfo::name) != verb->info.options.end();
    if (verbs_.game && takes_game && !parsed.options.contains("game"))
      parsed.options.set("game", to_string(*verbs_.game));
    std::vector<OperationInput> inputs;
    for (const auto& [role, names] : parsed.files)
      for (const std::string& name : names) MARROW_CHECK(add(verb->info, role, name, inputs));
    OperationCall call{.options = parsed.options, .inputs = inputs, .context = context_};
    MARROW_TRY(Json report, verb->edit(document, call));
    return report;
  }

 private:
  Result<const Operation*> verb_named(const std::string& word) const {
    const Operation* found = find_operation(std::string(verbs_.group) + word);
    if (found && found->edit && found->info.name != verbs_.self) return found;
    std::vector<std::string_view> known;
    for (const Operation& each : operations())
      if (each.info.name.starts_with(verbs_.group) && each.edit && each.info.name != verbs_.self)
        known.push_back(each.info.name.substr(verbs_.group.size()));
    return fail(ErrorCode::InvalidArgument,
                "'" + word + "' is not a verb that edits " + std::string(verbs_.what) + did_you_mean(word, known));
  }

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
  const ScriptVerbs& verbs_;
  Context& context_;
  std::deque<std::vector<std::byte>> bytes_;
};

}  // namespace

Result<void> run_scripts(Document& document, std::span<const NamedText> scripts, const ScriptVerbs& verbs,
                         Context& context,
                         const std::function<void(const std::string& place, const Json& report)>& done) {
  Document edited = document;
  std::size_t seen = 0;
  for (const NamedText& script : scripts)
    for (const TextLine& line : Lines(script.text)) {
      const std::string place = "line " + std::to_string(line.number);
      seen += verbs.size(edited);
      if (seen > verbs.most_seen)
        return in_file(
            {ErrorCode::LimitExceeded,
             "the script is too long for " + std::string(verbs.sized_as) + std::to_string(verbs.size(edited)) +
                 std::string(verbs.parts) + "; split it into several scripts",
             kNoOffset, place},
            std::string(script.name));
      auto report = ScriptLine(script, verbs, context).run(line.text, edited);
      if (!report) {
        const Error& error = report.error();
        // A wrong option is one of this line and not of the command that runs the script.
        return in_file({error.code == ErrorCode::BadOption ? ErrorCode::InvalidArgument : error.code,
                        (error.path.empty() ? "" : error.path + ": ") + error.message, kNoOffset, place},
                       std::string(script.name));
      }
      if (*report) done(place, **report);
    }
  document = std::move(edited);
  return {};
}

}  // namespace marrow
