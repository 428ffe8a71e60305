// SPDX-License-Identifier: MIT
#include "rig.h"

#include <fmt/format.h>

#include "marrow/anvil/hierarchy.h"
#include "marrow/anvil/xml.h"
#include "marrow/core/file.h"
#include "options.h"
#include "verbs.h"

namespace marrow::cli {

anvil::NameTable rig_names(const Arguments& arguments) {
  anvil::NameTable names = anvil::NameTable::builtin();
  for (const std::string& name : names_option(arguments)) names.add(name);
  return names;
}

std::optional<Game> rig_game(const Arguments& arguments, std::string_view option) {
  const auto word = arguments.find(option);
  if (!word) return std::nullopt;
  const auto game = find_game(*word, GameFamily::Anvil);
  if (game) return game;
  std::string known;
  for (const Game each : games_of(GameFamily::Anvil))
    known += fmt::format("{}{}", known.empty() ? "" : ", ", to_string(each));
  throw UsageError(fmt::format("{}: there is no game '{}' of Assassin's Creed; there are {}", option, *word, known));
}

Result<anvil::Skeleton> read_rig(const std::string& path, const Arguments& arguments) {
  const auto bytes = read_file(path);
  if (!bytes) return std::unexpected(bytes.error());
  return anvil::read_xml(*bytes, rig_names(arguments));
}

Result<void> write_rig(const anvil::Skeleton& skeleton, const Arguments& arguments, std::string_view game_option) {
  anvil::WriteOptions options;
  options.dialect = skeleton.origin.dialect;
  if (const auto format = arguments.find("--format"))
    options.dialect = *format == "anvil-schema" ? anvil::Dialect::Schema : anvil::Dialect::Standard;
  options.game = rig_game(arguments, game_option);
  options.keep_order = arguments.has("--append");
  const auto bytes = anvil::write_xml(skeleton, options);
  if (!bytes) return std::unexpected(bytes.error());
  return write_file(arguments.get("-o"), *bytes);
}

std::string word_argument(const Arguments& arguments, std::string_view positional, std::string_view option) {
  if (const auto word = arguments.find(positional)) return *word;
  if (const auto word = arguments.find(option)) return *word;
  throw UsageError(fmt::format("{} is missing", positional));
}

std::uint32_t bone_argument(const Arguments& arguments, std::string_view positional, std::string_view option) {
  return anvil::hash_of(word_argument(arguments, positional, option));
}

int run_edit(const Arguments& arguments,
             const std::function<Result<anvil::EditNotes>(anvil::Skeleton&, Outcome&)>& edit,
             std::string_view game_option) {
  const std::filesystem::path path = arguments.get("FILE");
  return run_batch({Input{path, path.filename()}}, arguments, [&](const Input& input) {
    auto skeleton = read_rig(input.path.string(), arguments);
    if (!skeleton) return failed(input.path, skeleton.error());
    Outcome outcome;
    const auto notes = edit(*skeleton, outcome);
    if (!notes) return failed(input.path, notes.error());
    if (const auto written = write_rig(*skeleton, arguments, game_option); !written)
      return failed(arguments.get("-o"), written.error());
    outcome.json["path"] = input.path.string();
    outcome.json["output"] = arguments.get("-o");
    outcome.json["bones"] = skeleton->bones.size();
    outcome.json["notes"] = *notes;
    outcome.text +=
        fmt::format("{} -> {}, {} bones\n", input.path.string(), arguments.get("-o"), skeleton->bones.size());
    for (const std::string& note : *notes) outcome.text += "  " + note + "\n";
    return outcome;
  });
}

Option rig_output_option() { return {"-o,--output", "OUT", "where to write; the input stays as it is", true}; }
Option rig_format_option() {
  return {"--format", "DIALECT", "write this dialect (default: that of the input)",
          false,      false,     {"anvil-standard", "anvil-schema"}};
}
Option rig_names_option() { return {"--names", "FILE", "more bone names, one a line"}; }

namespace {

int run_hash(const Arguments& arguments) {
  const anvil::NameTable names = rig_names(arguments);
  Json json = Json::array();
  for (const std::string& name : arguments.all("NAME")) {
    const std::uint32_t hash = anvil::hash_of(name);
    const std::string_view known = names.find(hash);
    json.push_back({{"name", name},
                    {"hash", hash},
                    {"hex", anvil::unknown_name(hash)},
                    {"known_as", known.empty() ? Json(nullptr) : Json(known)}});
    if (!arguments.has("--json"))
      fmt::print("{}  {:>10}  {}  {}\n", name, hash, anvil::unknown_name(hash),
                 known.empty() ? "(not in the table)" : known);
  }
  if (arguments.has("--json")) fmt::print("{}\n", json.dump(2, ' ', false, Json::error_handler_t::replace));
  return kDone;
}

}  // namespace

Verb rig_verb() {
  Verb rig{.name = "rig", .summary = "merge, take apart and edit Anvil skeletons (Assassin's Creed)"};
  rig.verbs = {rig_merge_verb(), rig_plan_verb(), rig_new_addon_verb(), rig_extract_addon_verb()};
  for (auto& verbs : {rig_bone_verbs(), rig_modifier_verbs()})
    rig.verbs.insert(rig.verbs.end(), verbs.begin(), verbs.end());
  rig.verbs.push_back({.name = "hash",
                       .summary = "the number of a bone name, and the name of a number",
                       .positionals = {{"NAME...", "a name in its exact case, a number, or x2BA0BB9F"}},
                       .options = {rig_names_option()},
                       .run = run_hash});
  return rig;
}

}  // namespace marrow::cli
