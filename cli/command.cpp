// SPDX-License-Identifier: MIT
#include "command.h"

#include <algorithm>
#include <cmath>

#include "core/nearest.h"
#include "marrow/core/text.h"

namespace marrow::cli {
namespace {

long long jobs_of(const std::string& text) {
  const auto jobs = parse_int(text);
  if (!jobs || *jobs < 1) throw UsageError("-j takes a number of threads, at least 1");
  return *jobs;
}

Shard shard_of(const std::string& text) {
  const std::size_t slash = text.find('/');
  const auto index = parse_uint(std::string_view(text).substr(0, slash));
  const auto count = slash == std::string::npos ? std::nullopt : parse_uint(std::string_view(text).substr(slash + 1));
  if (!index || !count || *index < 1 || *index > *count)
    throw UsageError("--shard takes I/N, part I of N, from 1/N to N/N");
  return {*index, *count};
}

std::size_t memory_of(const std::string& text) {
  constexpr std::string_view kUnits = "kmgt";
  std::string number = to_lower(text);
  if (number.ends_with('b')) number.pop_back();
  const std::size_t unit = number.empty() ? std::string_view::npos : kUnits.find(number.back());
  if (unit != std::string_view::npos) number.pop_back();
  const auto value = parse_double(number);
  const double bytes =
      value.value_or(0) * std::pow(1024.0, unit == std::string_view::npos ? 0.0 : static_cast<double>(unit) + 1.0);
  if (!(bytes >= 1.0) || bytes > 1e15) throw UsageError("--max-memory takes a size, for example 512M or 4G");
  return static_cast<std::size_t>(bytes);
}

void take(Command& command, const std::string& name, const std::string& value) {
  if (name == "json")
    command.json = true;
  else if (name == "quiet")
    command.quiet = true;
  else if (name == "all")
    command.all = true;
  else if (name == "follow")
    command.follow = true;
  else if (name == "data")
    command.data = value;
  else if (name == "match")
    command.match = value;
  else if (name == "archives")
    command.archives = true;
  else if (name == "force")
    command.force = true;
  else if (name == "help")
    command.help = true;
  else if (name == "in_place")
    command.in_place = true;
  else if (name == "no_backup")
    command.backup = false;
  else if (name == command.info().output_flag)
    command.flagged = true;
  else if (name == "output")
    command.output = value;
  else if (name == "names")
    command.names = value;
  else if (name == "types")
    command.types = value;
  else if (name == "jobs")
    command.jobs = jobs_of(value);
  else if (name == "resume")
    command.resume = true;
  else if (name == "report")
    command.report = value;
  else if (name == "sarif")
    command.sarif = value;
  else if (name == "shard")
    command.shard = shard_of(value);
  else if (name == "max_memory")
    command.max_memory = memory_of(value);
  else
    command.extras[name] = value;
}

void check_format(const Command& command) {
  const Json* word = command.options.find("format");
  if (!word || command.info().formats.empty()) return;
  std::vector<std::string_view> names;
  std::string known;
  for (const Format format : command.info().formats) {
    if (to_string(format) == word->text()) return;
    names.push_back(to_string(format));
    (known += known.empty() ? "" : ", ") += to_string(format);
  }
  throw UsageError("--format: there is no '" + word->text() + "'" + did_you_mean(word->text(), names) + " (" + known +
                   ")");
}

void check(const Command& command) {
  if (command.resume && !command.report) throw UsageError("--resume needs --report FILE, the report to go on from");
  if (command.resume && command.sarif) throw UsageError("--sarif needs every file checked; leave out --resume");
  if (command.sarif == "-") throw UsageError("--sarif takes a file; stdout has the findings for people");
  if (command.output && command.in_place) throw UsageError("give -o or --in-place, not both");
  const std::string_view flag = command.info().output_flag;
  if (!flag.empty() && command.flagged != (command.output || command.in_place))
    throw UsageError("--" + spelled(flag) + " and -o go together: the input stays as it is");
  check_format(command);
}

bool has_findings(const OperationInfo& info) { return info.name == "check"; }

FieldInfo flag(std::string_view name, std::string_view help) {
  return {.name = name, .type = FieldType::Flag, .text = {.help = help}};
}
FieldInfo word(std::string_view name, std::string_view placeholder, std::string_view help) {
  return {.name = name, .type = FieldType::Text, .text = {.help = help, .placeholder = placeholder}};
}

}  // namespace

const InputInfo* main_input(const OperationInfo& info) {
  const auto found = std::ranges::find(info.inputs, true, &InputInfo::is_main);
  return found == info.inputs.end() ? nullptr : &*found;
}

std::vector<FieldInfo> common_options(const OperationInfo& info) {
  std::vector<FieldInfo> options;
  if (!info.output_flag.empty()) options.push_back(flag(info.output_flag, "write a repaired copy to OUT"));
  if (info.output == OutputKind::Files) {
    options.push_back(word("output", "FOLDER", "the folder to write to"));
    options.push_back(flag("force", "replace files that are there already"));
  } else if (info.output == OutputKind::File) {
    options.push_back(word("output", "OUT", "the file to write"));
  } else if (info.output == OutputKind::Folder) {
    options.push_back(word("output", "DIR", "the folder that files are written to"));
  } else if (info.output != OutputKind::None) {
    options.push_back(word("output", "OUT", "file, or folder if there are several inputs; - writes to stdout"));
  }
  const bool is_edit = info.output == OutputKind::Document && main_input(info);
  if (is_edit) {
    options.push_back(
        flag("in_place", "change the inputs themselves instead; each is kept as FILE.bak, FILE.bak.1 ..."));
    options.push_back(flag("no_backup", "with --in-place, keep no FILE.bak"));
  }
  const bool has_own_format = std::ranges::find(info.options, "format", &FieldInfo::name) != info.options.end();
  if (!info.formats.empty() && !has_own_format) {
    FieldInfo format = word("format", "FORMAT", "write this format, whatever OUT is called");
    format.type = FieldType::Choice;
    for (const Format each : info.formats) format.choices.emplace_back(to_string(each));
    options.push_back(std::move(format));
  }
  if (has_findings(info))
    options.push_back(word("sarif", "FILE", "write the findings of all files as SARIF, which code hosts show"));
  for (const ExtraOutput& extra : info.extras) options.push_back(word(extra.option, "FILE", extra.help));
  options.push_back(word("names", "FILE", "more Anvil bone names, one per line"));
  options.push_back(word("types", "FILE", "compendium with the types of Havok tagfiles that do not carry theirs"));
  options.push_back(flag("json", "print JSON for programs"));
  options.push_back(word("jobs", "N", "work on N files at once (default: one per core)"));
  options.push_back(flag("all", "list each note and finding; by default many of a kind are one line"));
  const bool has_own_match = std::ranges::find(info.options, "match", &FieldInfo::name) != info.options.end();
  if (const InputInfo* main = main_input(info); main && main->kind != InputKind::Bytes) {
    if (!has_own_match)
      options.push_back(word("match", "PATTERN", "of folders and archives, only files whose path matches"));
    options.push_back(flag("archives", "open the BSA and BA2 archives in folders, too"));
  }
  if (main_input(info)) {
    options.push_back(word("report", "FILE.jsonl", "write one line of JSON per file as it finishes"));
    options.push_back(flag("resume", "skip what the report lists as done, if neither file nor options changed"));
    options.push_back(word("shard", "I/N", "work on part I of N of the files, for several machines"));
  }
  const bool reads_documents =
      std::ranges::any_of(info.inputs, [](const InputInfo& input) { return input.kind != InputKind::Bytes; });
  if (reads_documents)
    options.push_back(word("data", "FOLDER",
                           "a game's data folder, where files and skeletons are found: loose ones, then in archives; "
                           "auto asks Steam"));
  options.push_back(flag("follow", "follow links that lead out of a folder"));
  options.push_back(word("max_memory", "SIZE", "end the work on a file that takes more memory (default: 2G)"));
  options.push_back(flag("quiet", "no progress, no summary; errors only"));
  options.push_back(flag("help", "this text"));
  return options;
}

std::vector<FieldInfo> shown_options(const OperationInfo& info) {
  std::vector<FieldInfo> options = common_options(info);
  const bool reads_files = !info.inputs.empty();
  const bool reads_trees =
      std::ranges::any_of(info.inputs, [](const InputInfo& each) { return each.kind == InputKind::Tree; });
  // Without files there is nothing to do at once, to note one by one or to expand.
  std::erase_if(options, [&](const FieldInfo& option) {
    if (option.name == "names") return !info.takes_bone_names;
    if (option.name == "types") return info.takes_bone_names || !reads_files;
    if (option.name == "jobs") return !main_input(info) && !reads_trees;
    return !reads_files && (option.name == "all" || option.name == "max_memory" || option.name == "quiet");
  });
  return options;
}

std::span<const ShortOption> short_options() {
  static constexpr ShortOption kLetters[] = {{'o', "output"}, {'j', "jobs"}, {'q', "quiet"}, {'h', "help"}};
  return kLetters;
}

Command parse_command(const Operation& operation, const std::vector<std::string>& words) {
  Command command;
  command.operation = &operation;
  const std::vector<FieldInfo> common = common_options(operation.info);
  auto parsed = parse_words(operation, words, {.common = common, .shorts = short_options()});
  if (!parsed) throw UsageError(parsed.error().message);
  for (const auto& [name, value] : parsed->common) take(command, name, value);
  command.options = std::move(parsed->options);
  command.files = std::move(parsed->files);
  command.words = std::move(parsed->loose);
  if (!command.help) check(command);
  return command;
}

}  // namespace marrow::cli
