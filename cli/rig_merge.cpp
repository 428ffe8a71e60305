// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "marrow/anvil/check.h"
#include "marrow/anvil/hierarchy.h"
#include "marrow/anvil/merge.h"
#include "rig.h"

namespace marrow::cli {
namespace {

using anvil::Merge;

/// The skeletons that the user named, the main one first.
struct Stack {
  std::vector<anvil::Skeleton> skeletons;
  std::vector<std::string> paths;
  std::vector<std::string> errors;

  std::vector<anvil::Part> parts() const {
    std::vector<anvil::Part> all;
    for (std::size_t i = 0; i < skeletons.size(); ++i) all.push_back({&skeletons[i], paths[i]});
    return all;
  }
};

void put_first(Stack& stack, std::size_t main) {
  const auto at = static_cast<std::ptrdiff_t>(main);
  std::rotate(stack.skeletons.begin(), stack.skeletons.begin() + at, stack.skeletons.begin() + at + 1);
  std::rotate(stack.paths.begin(), stack.paths.begin() + at, stack.paths.begin() + at + 1);
}

Stack read_stack(const Arguments& arguments) {
  Stack stack;
  std::vector<std::string> paths = {arguments.get("BASE")};
  for (const Input& input : expand_inputs(arguments.all("ADDON")))
    if (input.path != paths.front()) paths.push_back(input.path.string());
  const auto main = arguments.find("--main");
  if (main && std::ranges::find(paths, *main) == paths.end()) paths.push_back(*main);
  for (const std::string& path : paths) {
    auto skeleton = read_rig(path, arguments);
    if (!skeleton) {
      stack.errors.push_back(error_line(path, skeleton.error()));
      continue;
    }
    stack.skeletons.push_back(std::move(*skeleton));
    stack.paths.push_back(path);
  }
  if (!stack.errors.empty()) return stack;
  const auto named = main ? std::ranges::find(stack.paths, *main) - stack.paths.begin() : std::ptrdiff_t{-1};
  put_first(stack, named >= 0 ? static_cast<std::size_t>(named) : anvil::find_main(stack.parts()));
  return stack;
}

std::string table(const Stack& stack, const Merge& merge, std::optional<Game> game) {
  const std::size_t limit = game ? anvil::bone_limit(*game) : 65535;
  std::string text = fmt::format("{:<34} {:<16} {:>6} {:>8} {:>6} {:>6} {:>6} {:>10}\n", "skeleton", "hangs on",
                                 "bones", "matched", "new", "total", "left", "modifiers");
  const auto left = [&](std::size_t total) {
    return total > limit ? fmt::format("-{}", total - limit) : fmt::format("{}", limit - total);
  };
  const auto short_name = [](const std::string& path) { return std::filesystem::path(path).filename().string(); };
  const std::size_t base = stack.skeletons.front().bones.size();
  std::size_t modifiers = 0;
  for (const anvil::Bone& bone : stack.skeletons.front().bones) modifiers += bone.modifiers.size();
  text += fmt::format("{:<34} {:<16} {:>6} {:>8} {:>6} {:>6} {:>6} {:>10}\n", short_name(stack.paths.front()), "(base)",
                      base, "", base, base, left(base), modifiers);
  for (const anvil::AddonSummary& addon : merge.addons)
    text += fmt::format("{:<34} {:<16} {:>6} {:>8} {:>6} {:>6} {:>6} {:>10}{}\n", short_name(addon.label), addon.root,
                        addon.bones, addon.matched, addon.added, addon.total, left(addon.total),
                        fmt::format("+{}", addon.modifiers_added), addon.merged ? "" : "  DOES NOT FIT");
  return text + fmt::format("{} of {} bones ({})\n", merge.skeleton.bones.size(), limit,
                            game ? title(*game) : "no game named: the limit of Unity and later");
}

Json to_json(const Stack& stack, const Merge& merge, std::optional<Game> game) {
  const auto part_name = [&](std::int32_t part) {
    return stack.paths[static_cast<std::size_t>(part + 1)];  // part -1 is the base
  };
  Json json;
  json["path"] = stack.paths.front();
  json["game"] = game ? Json(to_string(*game)) : Json(nullptr);
  json["limit"] = game ? anvil::bone_limit(*game) : 65535;
  json["bones"] = merge.skeleton.bones.size();
  json["addons"] = Json::array();
  for (const anvil::AddonSummary& addon : merge.addons)
    json["addons"].push_back({{"path", addon.label},
                              {"root", addon.root},
                              {"bones", addon.bones},
                              {"matched", addon.matched},
                              {"new", addon.added},
                              {"total", addon.total},
                              {"modifiers_added", addon.modifiers_added},
                              {"modifiers_dropped", addon.modifiers_dropped},
                              {"merged", addon.merged}});
  json["provenance"] = Json::array();
  for (std::size_t i = 0; i < merge.sources.size(); ++i) {
    Json modifiers = Json::array();
    for (const std::int32_t part : merge.sources[i].modifiers) modifiers.push_back(part_name(part));
    json["provenance"].push_back({{"bone", anvil::display_name(merge.skeleton.bones[i].name)},
                                  {"from", part_name(merge.sources[i].part)},
                                  {"modifiers", std::move(modifiers)}});
  }
  json["id_changes"] = Json::array();
  for (const anvil::IdChange& change : merge.id_changes)
    json["id_changes"].push_back({{"path", part_name(change.part)}, {"from", change.from}, {"to", change.to}});
  json["findings"] = Json::array();
  for (const Finding& finding : merge.findings)
    json["findings"].push_back({{"code", finding.code},
                                {"level", to_string(finding.level)},
                                {"message", finding.message},
                                {"where", finding.where}});
  return json;
}

std::string line_of(const Finding& finding) {
  return fmt::format("{}: {}: {}", finding.where, finding.code, finding.message);
}

std::string provenance(const Stack& stack, const Merge& merge) {
  std::string text;
  for (std::size_t i = 0; i < merge.sources.size(); ++i)
    text += fmt::format("  {:<32} {}\n", anvil::display_name(merge.skeleton.bones[i].name),
                        stack.paths[static_cast<std::size_t>(merge.sources[i].part + 1)]);
  return text;
}

Outcome merge_stack(const Arguments& arguments, bool write) {
  const Stack stack = read_stack(arguments);
  Outcome outcome;
  outcome.errors = stack.errors;
  if (!stack.errors.empty()) return outcome;
  const auto game = rig_game(arguments, "--game");
  const std::vector<anvil::Part> parts = stack.parts();
  const Merge merge =
      anvil::merge(*parts.front().skeleton, std::span(parts).subspan(1),
                   {.game = game, .strict = arguments.has("--strict"), .append = arguments.has("--append")});
  outcome.text = table(stack, merge, game);
  outcome.json = to_json(stack, merge, game);
  for (const Finding& finding : merge.findings) {
    if (finding.level == Level::Error && write)
      outcome.errors.push_back(line_of(finding));
    else if (finding.level == Level::Error)
      outcome.text += fmt::format("{}\n", line_of(finding));
    else
      outcome.notes.push_back(line_of(finding));
    outcome.findings |= finding.level == Level::Error;
  }
  for (const anvil::IdChange& change : merge.id_changes)
    outcome.notes.push_back(fmt::format("{}: the id {} is taken; the object is {} now",
                                        stack.paths[static_cast<std::size_t>(change.part + 1)], change.from,
                                        change.to));
  if (!write || !merge.succeeded()) return outcome;
  if (arguments.has("--provenance")) outcome.text += provenance(stack, merge);
  if (const auto written = write_rig(merge.skeleton, arguments); !written)
    return failed(arguments.get("-o"), written.error());
  outcome.json["output"] = arguments.get("-o");
  outcome.text += fmt::format("-> {}\n", arguments.get("-o"));
  return outcome;
}

int run_merge(const Arguments& arguments) {
  return run_batch({Input{arguments.get("BASE"), {}}}, arguments,
                   [&](const Input&) { return merge_stack(arguments, true); });
}

int run_plan(const Arguments& arguments) {
  return run_batch({Input{arguments.get("BASE"), {}}}, arguments,
                   [&](const Input&) { return merge_stack(arguments, false); });
}

Outcome written_addon(const Arguments& arguments, const std::filesystem::path& input,
                      const Result<anvil::Skeleton>& addon) {
  if (!addon) return failed(input, addon.error());
  if (const auto written = write_rig(*addon, arguments); !written) return failed(arguments.get("-o"), written.error());
  Outcome outcome;
  outcome.json = {{"path", input.string()},
                  {"output", arguments.get("-o")},
                  {"id", addon->id},
                  {"root", anvil::display_name(addon->bones.front().name)},
                  {"bones", addon->bones.size()}};
  outcome.text = fmt::format(
      "{} -> {}: hangs on {}, {} bones, SkeletonType 8 (custom), id {}\n"
      "  The game loads it through a BuildTable: give the character's BuildTable a BuildColumn of type Skeleton whose\n"
      "  entry refers to this skeleton by its id. SkeletonKey is 0: nobody knows how the games compute it.\n",
      input.string(), arguments.get("-o"), anvil::display_name(addon->bones.front().name), addon->bones.size(),
      addon->id);
  return outcome;
}

int run_new_addon(const Arguments& arguments) {
  const std::filesystem::path path = arguments.get("BASE");
  return run_batch({Input{path, {}}}, arguments, [&](const Input& input) {
    const auto base = read_rig(input.path.string(), arguments);
    if (!base) return failed(input.path, base.error());
    std::vector<std::uint32_t> paths;
    for (const std::string& name : arguments.all("--path")) paths.push_back(anvil::hash_of(name));
    return written_addon(arguments, input.path,
                         anvil::new_addon(*base, anvil::hash_of(arguments.get("--attach")), paths));
  });
}

int run_extract_addon(const Arguments& arguments) {
  const std::filesystem::path path = arguments.get("MERGED");
  return run_batch({Input{path, {}}}, arguments, [&](const Input& input) {
    const auto merged = read_rig(input.path.string(), arguments);
    if (!merged) return failed(input.path, merged.error());
    const auto base = read_rig(arguments.get("--base"), arguments);
    if (!base) return failed(arguments.get("--base"), base.error());
    std::optional<std::uint32_t> root;
    if (const auto name = arguments.find("--root")) root = anvil::hash_of(*name);
    return written_addon(arguments, input.path, anvil::extract_addon(*merged, *base, root));
  });
}

std::vector<Option> stack_options() {
  return {{"--game", "GAME", "the game whose limit of bones holds (ac1 ... mirage)"},
          {"--main", "FILE", "the skeleton that the others hang on (default: the one that is no addon)"},
          {"--strict", "", "addons may hang on bones of the base only, not on those of other addons"},
          {"--append", "", "bones of the base keep their indices, new ones follow all of them"},
          rig_names_option()};
}

}  // namespace

Verb rig_merge_verb() {
  std::vector<Option> options = stack_options();
  options.push_back({"--provenance", "", "list every bone with the file it is from"});
  options.push_back(rig_format_option());
  options.push_back(rig_output_option());
  return {
      .name = "merge",
      .summary = "put addons onto a skeleton as the game does",
      .positionals = {{"BASE", "the main skeleton; the files may be in any order"}, {"[ADDON...]", "addon skeletons"}},
      .options = std::move(options),
      .run = run_merge};
}

Verb rig_plan_verb() {
  return {.name = "plan",
          .summary = "show what a stack of addons comes to, before the game loads it",
          .positionals = {{"BASE", "the main skeleton"}, {"[ADDON...]", "addon skeletons or folders of them"}},
          .options = stack_options(),
          .run = run_plan};
}

Verb rig_new_addon_verb() {
  return {.name = "new-addon",
          .summary = "start an addon: the bone to hang on, and paths to others",
          .positionals = {{"BASE", "the skeleton it is for"}},
          .options = {{"--attach", "BONE", "the bone to hang on", true},
                      {"--path", "BONE", "a bone below it that the addon has to reach", false, true},
                      rig_format_option(),
                      rig_names_option(),
                      rig_output_option()},
          .run = run_new_addon};
}

Verb rig_extract_addon_verb() {
  return {.name = "extract-addon",
          .summary = "the inverse of merge: an addon of what a skeleton has more than its base",
          .positionals = {{"MERGED", "the skeleton with the new bones"}},
          .options = {{"--base", "BASE", "the skeleton without them", true},
                      {"--root", "BONE", "the bone to hang on (default: the deepest that reaches everything)"},
                      rig_format_option(),
                      rig_names_option(),
                      rig_output_option()},
          .run = run_extract_addon};
}

}  // namespace marrow::cli
