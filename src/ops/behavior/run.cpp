// SPDX-License-Identifier: MIT
#include "ops/behavior/run.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>

#include "core/try.h"
#include "behavior/graph.h"
#include "marrow/core/byte_reader.h"
#include "marrow/core/text.h"
#include "ops/behavior/source.h"
#include "ops/table/csv.h"

namespace marrow {
namespace {

using PackfilePointer = std::shared_ptr<const havok::Packfile>;

// Files of a project, found below its folder.
class ProjectFolder {
 public:
  ProjectFolder(std::string file, Context& context) : file_(std::move(file)), context_(context) {}

  std::optional<std::vector<std::byte>> read(const std::string& name) const {
    if (!context_.lookup || name.empty()) return std::nullopt;
    std::string path = name;
    std::ranges::replace(path, '\\', '/');
    if (path.starts_with('/') || path.find("..") != std::string::npos || path.find(':') != std::string::npos)
      return std::nullopt;
    // The games ignore case; on a disk that does not, names are usually as they are written, or in lower case.
    const std::size_t slash = path.find_last_of('/') + 1;
    const std::string folder = path.substr(0, slash), bare = path.substr(slash);
    for (const std::string& spelled : {path, to_lower(path), folder + to_lower(bare), to_lower(folder) + bare})
      if (auto bytes = context_.lookup->read(file_, spelled)) return std::move(*bytes);
    return std::nullopt;
  }

  PackfilePointer packfile(const std::string& name) const {
    std::optional<std::vector<std::byte>> bytes = read(name);
    if (!bytes && to_lower(name).ends_with(".hkx")) bytes = read(name.substr(0, name.size() - 4) + ".xml");
    if (!bytes || !is_havok(detect(*bytes))) return nullptr;
    Context quiet{.limits = context_.limits};
    auto document = load(*bytes, {.name = name, .parts = Parts::None}, quiet);
    if (!document || !document->packfile()) return nullptr;
    const auto kept = std::make_shared<const Document>(std::move(*document));
    return PackfilePointer(kept, kept->packfile());
  }

  std::optional<behavior::RunAnimation> animation(const std::string& name) {
    const auto [entry, is_new] = animations_.try_emplace(to_lower(name));
    if (!is_new) return entry->second;
    const auto bytes = read(name);
    if (!bytes) return std::nullopt;
    Context quiet{.limits = context_.limits};
    const auto document = load(*bytes, {.name = name, .parts = Parts::Clips}, quiet);
    if (!document || document->clips.empty()) return std::nullopt;
    const Clip& clip = document->clips.front().clip;
    behavior::RunAnimation animation{.duration_seconds = clip.duration_seconds};
    for (const AnnotationTrack& track : clip.annotation_tracks)
      for (const Annotation& each : track.annotations) animation.events.emplace_back(each.time_seconds, each.text);
    return entry->second = std::move(animation);
  }

 private:
  std::string file_;  // in the folder of the project
  Context& context_;
  std::map<std::string, std::optional<behavior::RunAnimation>> animations_;
};

// The folder that names are relative to: a behaviour lies one below it.
std::string project_file_of(const std::string& name, behavior::FileKind kind) {
  if (kind == behavior::FileKind::Project) return name;
  const std::size_t slash = name.find_last_of("/\\");
  return slash == std::string::npos ? "../" + name : name.substr(0, slash + 1) + "../" + name.substr(slash + 1);
}

// The behaviour that is walked: the file itself, or that of the first character of a project.
Result<PackfilePointer> behavior_of(PackfilePointer file, ProjectFolder& folder, const std::string& name) {
  behavior::FileKind kind = behavior::kind_of(*file);
  if (kind == behavior::FileKind::Project) {
    const std::vector<std::string> characters = behavior::read_project(*file);
    file = characters.empty() ? nullptr : folder.packfile(characters.front());
    if (!file)
      return in_file({ErrorCode::NotFound, "the character " + (characters.empty() ? std::string() : characters.front()) +
                                               " is not below the folder of the project"},
                     name);
    kind = behavior::kind_of(*file);
  }
  if (kind == behavior::FileKind::Character) {
    const std::string wanted = behavior::read_character(*file).behavior.value_or("");
    file = folder.packfile(wanted);
    if (!file)
      return in_file({ErrorCode::NotFound, "the behaviour " + wanted + " is not below the folder of the project"}, name);
    kind = behavior::kind_of(*file);
  }
  if (kind != behavior::FileKind::Behavior)
    return in_file({ErrorCode::WrongKind, "the file holds no behaviour graph"}, name);
  return file;
}

Result<std::vector<behavior::RunEvent>> events_of(const std::vector<std::string>& texts) {
  std::vector<behavior::RunEvent> events;
  for (const std::string& text : texts)
    for (std::size_t from = 0; from <= text.size();) {
      const std::size_t comma = std::min(text.find(',', from), text.size());
      const std::string_view each = trim(std::string_view(text).substr(from, comma - from));
      from = comma + 1;
      if (each.empty()) continue;
      const std::size_t at = each.find_last_of('@');
      const auto seconds = at == std::string_view::npos ? std::optional(0.0) : parse_double(each.substr(at + 1));
      if (!seconds || !(*seconds >= 0.0) || *seconds > 1e6)
        return fail(ErrorCode::BadOption, "\"" + std::string(each) + "\" is not NAME@SECONDS", kNoOffset, "events");
      events.push_back({std::string(each.substr(0, at)), *seconds});
    }
  return events;
}

Result<std::vector<std::pair<std::string, double>>> variables_of(const std::vector<std::string>& texts) {
  std::vector<std::pair<std::string, double>> variables;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    const std::string_view value = equals == std::string::npos ? std::string_view() : std::string_view(text).substr(equals + 1);
    std::optional<double> number = parse_double(value);
    if (equal_ignoring_case(value, "true")) number = 1.0;
    if (equal_ignoring_case(value, "false")) number = 0.0;
    if (!number || equals == 0)
      return fail(ErrorCode::BadOption, "\"" + text + "\" is not NAME=NUMBER", kNoOffset, "set");
    variables.emplace_back(text.substr(0, equals), *number);
  }
  return variables;
}

void append_seconds(std::string& out, double value) {
  // A microsecond is finer than any game; floats would show the noise of 1/30.
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.6f", value);
  std::string_view view(text.data());
  while (view.ends_with('0')) view.remove_suffix(1);
  if (view.ends_with('.')) view.remove_suffix(1);
  out += view == "-0" ? "0" : view;
}

}  // namespace

void describe(FieldList& fields, BehaviorRunOptions& options) {
  fields("events", options.events, {.help = "events and when they arrive, joined by commas", .placeholder = "NAME@SECONDS"});
  fields("set", options.variables, {.help = "start value of a variable", .placeholder = "NAME=VALUE"});
  fields("seconds", options.seconds, {.help = "how long it runs", .unit = "seconds", .min = 0, .max = 100000});
  fields("fps", options.fps, {.help = "rows per second", .min = 0, .max = 1000, .above_min = true});
}

void describe(FieldList& fields, RunChangeReport& change) {
  fields("time", change.time, {.unit = "seconds"});
  fields("machine", change.machine);
  fields("from", change.from, {.help = "state"});
  fields("to", change.to, {.help = "state"});
  fields("event", change.event);
}

void describe(FieldList& fields, RunEventReport& event) {
  fields("time", event.time, {.unit = "seconds"});
  fields("event", event.event);
  fields("sender", event.sender, {.help = "clip or state; empty: from outside"});
}

void describe(FieldList& fields, BehaviorRunReport& report) {
  fields("rows", report.rows, {.help = "number of rows"});
  fields("changes", report.changes, {.help = "of state"});
  fields("sent", report.sent, {.help = "all events"});
  fields("not_evaluated", report.not_evaluated, {.help = "what the graph has and the run leaves out"});
}

SavedFile BehaviorRunReport::text() const {
  const auto bytes = as_bytes(csv);
  return {.extension = ".csv", .bytes = {bytes.begin(), bytes.end()}};
}

Result<BehaviorRunReport> run_behavior(const Document& document, const BehaviorRunOptions& options, Context& context) {
  MARROW_TRY(const PackfilePointer given, behavior_file(document, context));
  ProjectFolder folder(project_file_of(document.name, behavior::kind_of(*given)), context);
  MARROW_TRY(const PackfilePointer file, behavior_of(given, folder, document.name));
  behavior::RunOptions run{.seconds = options.seconds, .frames_per_second = options.fps};
  MARROW_TRY(run.events, events_of(options.events));
  MARROW_TRY(run.variables, variables_of(options.variables));
  MARROW_TRY(const behavior::RunResult result,
             behavior::run_behavior(file,
                                    {.behavior = [&](const std::string& name) { return folder.packfile(name); },
                                     .animation = [&](const std::string& name) { return folder.animation(name); }},
                                    run));
  BehaviorRunReport report{.rows = result.rows.size(), .not_evaluated = result.not_evaluated};
  for (const behavior::RunChange& each : result.changes)
    report.changes.push_back({each.seconds, each.machine, each.from, each.to, each.event});
  for (const behavior::RunSent& each : result.sent) report.sent.push_back({each.seconds, each.event, each.sender});
  report.csv = "time,machine,state,clip,clip_time,weight\n";
  for (const behavior::RunRow& row : result.rows) {
    append_seconds(report.csv, row.seconds);
    for (const std::string& text : {row.machine, row.state, row.clip}) {
      report.csv += ',';
      append_csv_text(report.csv, text);
    }
    for (const double number : {row.clip_seconds, row.weight}) {
      report.csv += ',';
      append_seconds(report.csv, number);
    }
    report.csv += '\n';
  }
  for (const std::string& each : result.not_evaluated) context.note("not evaluated: " + each);
  return report;
}

}  // namespace marrow
