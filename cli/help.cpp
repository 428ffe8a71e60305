// SPDX-License-Identifier: MIT
// Help, man page and completions, all made of the descriptions of the operations.
#include <fmt/format.h>

#include <algorithm>
#include <ranges>

#include "alias.h"
#include "command.h"
#include "verbs.h"
#include "version.h"

namespace marrow::cli {
namespace {

constexpr std::size_t kColumn = 34;
constexpr std::string_view kSummary = "read, check, edit, convert, simulate and write the bones of games";

struct GroupRow {
  std::string_view name, summary;
};
// Verbs that have verbs of their own.
constexpr GroupRow kGroups[] = {
    {"annotations", "the events of clips: list, edit in bulk, copy, export and import as text"},
    {"pair", "clips of two actors, as killmoves and mounts: join, split, swap"},
    {"clip", "edit motion: trim, join, loop, retime, blend, layer, pose, pin, smooth"},
    {"root-motion", "the path of the whole character: show, set, extract, bake, scale, remove"},
    {"floats", "float tracks of clips: set, import, remove"},
    {"body", "the visible meshes of NIF files: list, draw, make, export weights, put edited ones back"},
    {"behavior", "Skyrim's behaviours: list, draw, walk, edit them, and merge patches of mods"},
    {"cache", "Skyrim's animation caches: list, register clips, take them out, check"},
    {"rig", "Anvil skeletons (Assassin's Creed): list, merge, take apart, edit, and give them physics"},
    {"archive", "BSA and BA2 archives: list, unpack, check, pack; every verb takes one as a folder"},
    {"collision", "collision of Skyrim and Fallout 4: list, see, edit, build it, and put it into NIF files"},
};

std::string_view group_of(std::string_view name) { return name.substr(0, std::min(name.find(' '), name.size())); }

std::string wrapped(std::string_view text, std::size_t indent, std::size_t width = 100) {
  std::string out;
  std::size_t at = indent;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    if (at > indent && at + end + 1 > width) {
      out += "\n" + std::string(indent, ' ');
      at = indent;
    } else if (at > indent) {
      out += ' ';
      ++at;
    }
    out += rest.substr(0, end);
    at += end;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return out;
}

std::string row(const std::string& left, const std::string& right) {
  if (left.size() + 2 >= kColumn)
    return "  " + left + "\n" + std::string(kColumn, ' ') + wrapped(right, kColumn) + "\n";
  return fmt::format("  {:<{}}{}\n", left, kColumn - 2, wrapped(right, kColumn));
}

std::string placeholder(const FieldInfo& field) {
  if (field.type == FieldType::Flag && !field.is_optional) return {};
  return field.text.placeholder.empty() ? "VALUE" : std::string(field.text.placeholder);
}

std::string option_name(const FieldInfo& field) {
  std::string name = "--" + spelled(field.name);
  for (const ShortOption& each : short_options())
    if (field.name == each.name) name = std::string("-") + each.letter + ", " + name;
  const std::string value = placeholder(field);
  return value.empty() ? name : name + " " + value;
}

std::string default_text(const FieldInfo& field) {
  if (!field.text.otherwise.empty()) return std::string(field.text.otherwise);
  if (field.is_list || field.is_optional || field.text.required || field.type == FieldType::Flag) return {};
  if (field.otherwise.is_null() || (field.otherwise.is_text() && field.otherwise.text().empty())) return {};
  if (field.type == FieldType::Vector) {
    std::string text;
    for (const Json& number : field.otherwise.items()) text += (text.empty() ? "" : ",") + to_text(number, false);
    return text;
  }
  return field.otherwise.is_text() ? field.otherwise.text() : to_text(field.otherwise, false);
}

std::string option_help(const FieldInfo& field) {
  std::string text(field.text.help);
  if (!field.text.unit.empty()) text += fmt::format("{}in {}", text.empty() ? "" : ", ", field.text.unit);
  if (field.type == FieldType::Choice && field.choices.size() < 12)
    text += fmt::format("{}{}", text.empty() ? "" : ": ", fmt::join(field.choices, " | "));
  else if (field.type == FieldType::Flag && field.is_optional)
    text += ": on | off";
  if (field.text.required) text += " (required)";
  if (const std::string otherwise = default_text(field); !otherwise.empty())
    text += fmt::format(" (default: {})", otherwise);
  return text;
}

std::string input_option_help(const InputInfo& input) {
  return std::string(input.help) + (input.is_required ? " (required)" : "");
}

std::vector<FieldInfo> all_options(const OperationInfo& info) {
  std::vector<FieldInfo> options;
  for (const InputInfo& input : info.inputs)
    if (!input.is_positional) {
      FieldInfo field{.name = input.role, .type = FieldType::Text};
      field.text = {.help = input.help, .placeholder = input.placeholder, .required = input.is_required};
      options.push_back(std::move(field));
    }
  options.insert(options.end(), info.options.begin(), info.options.end());
  const std::vector<FieldInfo> common = shown_options(info);
  options.insert(options.end(), common.begin(), common.end());
  return options;
}

std::string man_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    // A line that starts with one of these would be a command.
    const bool starts_line = out.empty() || out.back() == '\n';
    if (starts_line && (c == '.' || c == '\'')) out += "\\&";
    if (c == '-' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string man_option(const FieldInfo& option) {
  return fmt::format(".TP\n.B {}\n{}\n", man_text(option_name(option)), man_text(option_help(option)));
}

std::string shell_quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text)
    if (c == '\'')
      out += "'\\''";
    else
      out += c;
  return out + "'";
}

// The words after a verb that complete it: its options.
std::string option_words(const OperationInfo& info) {
  std::string words;
  for (const FieldInfo& option : all_options(info)) words += (words.empty() ? "--" : " --") + spelled(option.name);
  return words;
}

std::vector<std::string> first_words() {
  std::vector<std::string> words;
  for (const Operation& each : verbs())
    if (const std::string word(group_of(each.info.name)); std::ranges::find(words, word) == words.end())
      words.push_back(word);
  return words;
}

std::string second_words(std::string_view group) {
  std::string words;
  for (const Operation& each : verbs())
    if (group_of(each.info.name) == group && group != each.info.name)
      (words += words.empty() ? "" : " ") += each.info.name.substr(group.size() + 1);
  return words;
}

std::string bash_completion() {
  std::string text =
      "# bash completion for marrow\n_marrow() {\n  local word=${COMP_WORDS[COMP_CWORD]} verb=${COMP_WORDS[1]}\n"
      "  local key=\"$verb ${COMP_WORDS[2]}\"\n  local options=\n  COMPREPLY=()\n"
      "  if [ \"$COMP_CWORD\" = 1 ]; then COMPREPLY=($(compgen -W " +
      shell_quoted(fmt::format("{}", fmt::join(first_words(), " "))) + " -- \"$word\")); return; fi\n";
  for (const GroupRow& group : kGroups)
    text += fmt::format(
        "  if [ \"$COMP_CWORD\" = 2 ] && [ \"$verb\" = {} ]; then COMPREPLY=($(compgen -W {} -- \"$word\")); return; "
        "fi\n",
        group.name, shell_quoted(second_words(group.name)));
  text += "  case $key in\n";
  for (const Operation& each : verbs())
    text += fmt::format("    {}) options={} ;;\n",
                        each.info.name.find(' ') == std::string_view::npos ? shell_quoted(each.info.name) + "\\ *"
                                                                           : shell_quoted(each.info.name),
                        shell_quoted(option_words(each.info)));
  return text +
         "  esac\n  case $word in\n    -*) COMPREPLY=($(compgen -W \"$options\" -- \"$word\")) ;;\n"
         "    *) COMPREPLY=($(compgen -f -- \"$word\")) ;;\n  esac\n}\ncomplete -o filenames -F _marrow marrow\n";
}

std::string zsh_completion() {
  std::string text =
      "#compdef marrow\n_marrow() {\n  local key=\"${words[2]} ${words[3]}\" verb=${words[2]}\n"
      "  if (( CURRENT == 2 )); then compadd " +
      fmt::format("{}", fmt::join(first_words(), " ")) + "; return; fi\n";
  for (const GroupRow& group : kGroups)
    text += fmt::format("  if (( CURRENT == 3 )) && [[ $verb = {} ]]; then compadd {}; return; fi\n", group.name,
                        second_words(group.name));
  text += "  if [[ ${words[CURRENT]} = -* ]]; then\n    case $key in\n";
  for (const Operation& each : verbs())
    text += fmt::format("      {}) compadd -- {} ;;\n",
                        each.info.name.find(' ') == std::string_view::npos ? shell_quoted(each.info.name) + "\\ *"
                                                                           : shell_quoted(each.info.name),
                        option_words(each.info));
  return text + "    esac\n  else\n    _files\n  fi\n}\n_marrow \"$@\"\n";
}

std::string fish_completion() {
  std::string text = "# fish completion for marrow\n";
  for (const std::string& word : first_words())
    text += fmt::format("complete -c marrow -n __fish_use_subcommand -a {}\n", word);
  for (const Operation& each : verbs()) {
    const std::string_view group = group_of(each.info.name);
    std::string when = fmt::format("__fish_seen_subcommand_from {}", group);
    if (group != each.info.name) {
      const std::string_view second = each.info.name.substr(group.size() + 1);
      text += fmt::format("complete -c marrow -n '{}' -a {} -d {}\n", when, second, shell_quoted(each.info.summary));
      when += fmt::format("; and __fish_seen_subcommand_from {}", second);
    }
    for (const FieldInfo& option : all_options(each.info))
      text += fmt::format("complete -c marrow -n '{}' -l {} -d {}\n", when, spelled(option.name),
                          shell_quoted(option.text.help));
  }
  return text;
}

}  // namespace

std::string usage_line(const OperationInfo& info) {
  std::string line;
  std::size_t places = 0;
  for (const InputInfo& input : info.inputs) places += input.is_positional;
  for (const FieldInfo& field : info.options) places += field.text.positional;
  const auto add = [&](std::string_view name, bool is_list, bool is_required) {
    const std::string text = std::string(name) + (is_list ? "..." : "");
    line += is_required ? " " + text : " [" + text + "]";
  };
  for (const InputInfo& input : info.inputs)
    if (input.is_positional) add(input.placeholder, input.is_list || (input.is_main && places == 1), input.is_required);
  for (const FieldInfo& field : info.options)
    if (field.text.positional) add(field.text.placeholder, field.is_list, field.text.required);
  if (info.output == OutputKind::Files) line += " -o FOLDER";
  if (info.output == OutputKind::File) line += " -o OUT";
  if (info.output == OutputKind::Folder) line += " -o DIR";
  if (info.output == OutputKind::Document) line += info.output_is_optional ? " [-o OUT]" : " -o OUT";
  return line + " [OPTIONS]";
}

std::string verb_help(const OperationInfo& info) {
  std::string text = fmt::format("{}\nUsage: marrow {}{}\n", info.summary, info.name, usage_line(info));
  text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  std::string words;
  for (const InputInfo& input : info.inputs)
    if (input.is_positional) words += row(std::string(input.placeholder), input_option_help(input));
  for (const FieldInfo& field : info.options)
    if (field.text.positional) words += row(std::string(field.text.placeholder), option_help(field));
  if (!words.empty()) text += "\n" + words;
  text += "\nOptions:\n";
  for (const FieldInfo& option : all_options(info))
    text += row(option_name(option), option.text.positional ? "the same as an option" : option_help(option));
  if (!info.details.empty()) text += "\n" + std::string(info.details) + "\n";
  return text;
}

std::string group_help(std::string_view name) {
  std::string text;
  for (const GroupRow& group : kGroups)
    if (group.name == name) text = fmt::format("{}\nUsage: marrow {} VERB ...\n\nVerbs:\n", group.summary, name);
  if (text.empty()) return text;
  for (const Operation& each : verbs())
    if (group_of(each.info.name) == name)
      text += row(std::string(each.info.name.substr(name.size() + 1)), std::string(each.info.summary));
  return text + fmt::format("\nmarrow {} VERB --help describes a verb.\n", name);
}

std::string program_help() {
  std::string text = fmt::format("marrow: {}\nUsage: marrow VERB ...\n\nVerbs:\n", kSummary);
  for (const std::string& word : first_words()) {
    const Operation* operation = find_verb(word);
    std::string_view summary = operation ? operation->info.summary : std::string_view();
    for (const GroupRow& group : kGroups)
      if (group.name == word) summary = group.summary;
    text += row(word, std::string(summary));
  }
  text += "\nIn the words of other tools:\n";
  for (const AliasRow& alias : aliases()) text += row(std::string(alias.typed), std::string(alias.meant));
  return text +
         "\nmarrow VERB --help or marrow help VERB describes a verb; marrow FILE shows what a file is.\n"
         "--version, -V prints the version, --man the manual page, --completion bash|zsh|fish completions.\n"
         "Exit: 0 done; 1 some input failed; 2 wrong usage; 3 check found something, or diff a difference.\n";
}

std::string man_page() {
  std::string text = fmt::format(".TH MARROW 1 \"\" \"marrow {}\" \"User commands\"\n.SH NAME\nmarrow \\- {}\n",
                                 kVersion, man_text(kSummary));
  text += ".SH SYNOPSIS\n.B marrow\nVERB ...\n.SH DESCRIPTION\n" +
          man_text(
              "Works on Havok animations and skeletons of Skyrim LE, Skyrim SE and Fallout 4, on collision of these "
              "games in "
              "NIF files and on Anvil skeletons of Assassin's Creed. The format of an input is detected from its "
              "content. A file that fails is named with offset, place and cure, leaves no output and does not stop "
              "the others.") +
          "\n.SH VERBS\n";
  for (const Operation& each : verbs()) {
    const OperationInfo& info = each.info;
    text += fmt::format(".SS \"marrow {}{}\"\n{}.\n", info.name, man_text(usage_line(info)), man_text(info.summary));
    const std::size_t own = all_options(info).size() - shown_options(info).size();
    for (const FieldInfo& option : all_options(info) | std::views::take(own)) text += man_option(option);
    if (!info.details.empty()) text += ".PP\n" + man_text(info.details) + "\n";
  }
  // What most verbs have is said once: each name as the first verb that has it describes it.
  text += ".SH COMMON OPTIONS\nEach verb takes those that apply to it; VERB \\-\\-help lists them.\n";
  std::vector<std::string> said;
  for (const Operation& each : verbs())
    for (const FieldInfo& option : common_options(each.info))
      if (std::ranges::find(said, option.name) == said.end()) {
        said.emplace_back(option.name);
        text += man_option(option);
      }
  return text +
         ".SH EXIT STATUS\n0 done; 1 some input failed; 2 wrong usage; 3 check found something, or diff a "
         "difference.\n";
}

std::string completion(std::string_view shell) {
  if (shell == "bash") return bash_completion();
  if (shell == "zsh") return zsh_completion();
  return shell == "fish" ? fish_completion() : "";
}

}  // namespace marrow::cli
