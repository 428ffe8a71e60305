// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "marrow/anvil/hierarchy.h"
#include "marrow/core/text.h"
#include "rig.h"

namespace marrow::cli {
namespace {

std::vector<anvil::Assignment> assignments(const Arguments& arguments) {
  std::vector<anvil::Assignment> values;
  for (const std::string& word : arguments.all("FIELD=VALUE")) {
    const std::size_t mark = word.find('=');
    if (mark == std::string::npos || mark == 0)
      throw UsageError(fmt::format("'{}' is not of the form Field=value", word));
    values.push_back({std::string(trim(word.substr(0, mark))), word.substr(mark + 1)});
  }
  return values;
}

ModifierType type_of(const std::string& word) {
  if (const auto type = find_modifier_type(word)) return *type;
  std::string known;
  for (std::size_t i = 0; i + 1 < kModifierTypeCount; ++i)
    known += fmt::format("{}{}", known.empty() ? "" : ", ", class_name(static_cast<ModifierType>(i)));
  throw UsageError(fmt::format("there is no modifier '{}'; there are {}", word, known));
}

/// `--modifier` takes the class or the position.
anvil::ModifierChoice choice(const Arguments& arguments, const std::optional<std::string>& word) {
  anvil::ModifierChoice chosen{.bone = bone_argument(arguments, "BONE", "--bone")};
  if (word) {
    if (const auto index = parse_uint(*word))
      chosen.index = static_cast<std::size_t>(*index);
    else
      chosen.type = type_of(*word);
  }
  if (const auto index = arguments.integer("--index")) chosen.index = static_cast<std::size_t>(*index);
  return chosen;
}

int run_set(const Arguments& arguments) {
  std::vector<anvil::Assignment> values = assignments(arguments);
  if (const auto type = arguments.find("--type")) values.push_back({"SkeletonType", *type});
  if (values.empty()) throw UsageError("name at least one Field=value");
  return run_edit(arguments, [&](anvil::Skeleton& skeleton, Outcome&) {
    if (!arguments.has("--bone")) return anvil::set_skeleton(skeleton, values);
    if (!arguments.has("--modifier") && !arguments.has("--index"))
      return anvil::set_bone(skeleton, bone_argument(arguments, "BONE", "--bone"), values);
    return anvil::set_modifier(skeleton, choice(arguments, arguments.find("--modifier")), values);
  });
}

int run_add_modifier(const Arguments& arguments) {
  const std::vector<anvil::Assignment> values = assignments(arguments);
  return run_edit(arguments, [&](anvil::Skeleton& skeleton, Outcome&) {
    return anvil::add_modifier(skeleton, bone_argument(arguments, "BONE", "--bone"),
                               type_of(word_argument(arguments, "TYPE", "--type")), values);
  });
}

int run_remove_modifier(const Arguments& arguments) {
  return run_edit(arguments, [&](anvil::Skeleton& skeleton, Outcome&) {
    const auto word = arguments.find("TYPE");
    return anvil::remove_modifier(skeleton, choice(arguments, word ? word : arguments.find("--type")));
  });
}

int run_copy_modifiers(const Arguments& arguments) {
  return run_edit(arguments, [&](anvil::Skeleton& skeleton, Outcome&) -> Result<anvil::EditNotes> {
    const std::uint32_t from = anvil::hash_of(arguments.get("--from"));
    std::optional<ModifierType> only;
    if (const auto word = arguments.find("--type")) only = type_of(*word);
    anvil::Skeleton source = skeleton;
    if (const auto path = arguments.find("--source")) {
      auto read = read_rig(*path, arguments);
      if (!read) return std::unexpected(read.error());
      source = std::move(*read);
    }
    anvil::EditNotes all;
    for (const std::string& name : arguments.all("--to")) {
      auto notes = anvil::copy_modifiers(source, from, skeleton, anvil::hash_of(name), only);
      if (!notes) return notes;
      for (std::string& note : *notes) all.push_back(name + ": " + note);
    }
    return all;
  });
}

int run_to_game(const Arguments& arguments) {
  return run_edit(
      arguments,
      [&](anvil::Skeleton& skeleton, Outcome&) -> Result<anvil::EditNotes> {
        return anvil::to_game(skeleton, *rig_game(arguments, "--to"));
      },
      "--to");
}

}  // namespace

std::vector<Verb> rig_modifier_verbs() {
  const Positional file{"FILE", "the skeleton"}, bone{"BONE", "its name, number or x2BA0BB9F"};
  const Positional values{"[FIELD=VALUE...]", "as Mass=2.5, LookAtBone=Head, Constraints[0].MaxAngle=0.5"};
  const Option game{"--game", "GAME", "write for this game: its width of indices and its limit of bones"};
  const std::vector<Option> common = {rig_output_option(), rig_format_option(), rig_names_option()};
  const auto with = [&](std::vector<Option> options) {
    options.insert(options.end(), common.begin(), common.end());
    return options;
  };
  return {
      {.name = "set",
       .summary = "set fields of the skeleton, of a bone or of a modifier",
       .positionals = {file, values},
       .options = with({{"--bone", "BONE", "fields of this bone"},
                        {"--modifier", "TYPE", "fields of this modifier of the bone: its class or its number"},
                        {"--index", "N", "the number of the modifier, where a bone has two of a class"},
                        {"--type", "N", "SkeletonType: 0 biped ... 8 custom"},
                        game}),
       .run = run_set},
      {.name = "add-modifier",
       .summary = "give a bone a modifier; fields not named have their defaults",
       .positionals = {file, bone, {"TYPE", "BallJoint, Hinge, MaxLookAt, ..."}, values},
       .options = with({game}),
       .run = run_add_modifier},
      {.name = "remove-modifier",
       .summary = "take a modifier from a bone",
       .positionals = {file, bone, {"[TYPE]", "its class or its number"}},
       .options = with({{"--type", "TYPE", "the class as an option"}, {"--index", "N", "its number"}, game}),
       .run = run_remove_modifier},
      {.name = "copy-modifiers",
       .summary = "copy modifiers between bones, also from another skeleton",
       .positionals = {file},
       .options = with({{"--from", "BONE", "the bone that has them", true},
                        {"--to", "BONE", "the bone, or bones, that get them", true, true},
                        {"--source", "FILE", "the skeleton of --from (default: FILE)"},
                        {"--type", "TYPE", "only this class"},
                        game}),
       .run = run_copy_modifiers},
      {.name = "to-game",
       .summary = "port a skeleton to another game; what it cannot have is dropped and told of",
       .positionals = {file},
       .options = with({{"--to", "GAME", "the game (ac1 ... mirage)", true}}),
       .run = run_to_game},
  };
}

}  // namespace marrow::cli
